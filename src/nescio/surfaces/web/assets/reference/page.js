// Sends what a form of the page holds, and shows what comes back as text.
"use strict";

const MOST_SHOWN = 200000; // characters: more would stall the page

function request(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = {};
  for (const input of form.querySelectorAll("input")) {
    const value = input.value.trim();
    if (input.dataset.in === "path") {
      path = path.replace(`{${input.name}}`, encodeURIComponent(value));
    } else if (value && input.dataset.in === "header") {
      headers[input.name] = value;
    } else if (value) {
      for (const one of input.dataset.many === "yes" ? value.split(/\s+/) : [value]) query.append(input.name, one);
    }
  }
  const body = form.querySelector("textarea");
  if (body) headers["Content-Type"] = body.dataset.type;
  const key = document.getElementById("key").value.trim();
  if (key) headers.Authorization = `Bearer ${key}`;
  const shown = query.size ? `${path}?${query}` : path;
  return [`.${shown}`, { method: form.dataset.method, headers, body: body ? body.value : undefined, cache: "no-store" }];
}

function readable(text, type) {
  if (!type.includes("json")) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function show(place, title, text) {
  const heading = document.createElement("p");
  heading.textContent = title;
  const shown = document.createElement("pre");
  shown.textContent = text.slice(0, MOST_SHOWN);
  shown.tabIndex = 0;
  place.replaceChildren(heading, ...(text ? [shown] : []));
}

// A stream has no end: what has come is shown as it comes, and sending again ends it.
async function streamed(response, place, title, signal) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) return;
    text += value;
    show(place, title, text);
  }
}

async function send(form, signal) {
  const place = form.querySelector(".result");
  const [address, options] = request(form);
  show(place, "Waiting for the answer.", "");
  try {
    const response = await fetch(address, { ...options, signal });
    const type = response.headers.get("content-type") || "";
    const title = `${response.status} ${response.statusText} ${type}`;
    if (type.startsWith("text/event-stream")) await streamed(response, place, title, signal);
    else show(place, title, readable(await response.text(), type));
  } catch (error) {
    if (!signal.aborted) show(place, "The request could not be sent.", String(error));
  }
}

document.querySelector("header form").addEventListener("submit", (event) => event.preventDefault());

for (const form of document.querySelectorAll("main form")) {
  let pending = new AbortController();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    pending.abort();
    pending = new AbortController();
    send(form, pending.signal);
  });
}
