// How does untrusted text become part of the page? As text nodes, never as markup: nothing here parses HTML.

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 20 20",
  close: "M6 6l12 12M18 6 6 18",
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  open: "M13 5h6v6M19 5l-9 9M16 14v5H5V8h5",
  context: "M4 6h16M4 18h16M8 10h12M8 14h12M4 10v4",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17",
};

/** An element with attributes (a function is a listener, null or false is left out) and children, texts among them. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return element;
}

function icon(name) {
  const drawing = document.createElementNS(SVG, "svg");
  const line = document.createElementNS(SVG, "path");
  for (const [key, value] of [["viewBox", "0 0 24 24"], ["aria-hidden", "true"], ["focusable", "false"]]) {
    drawing.setAttribute(key, value);
  }
  line.setAttribute("d", ICONS[name]);
  drawing.append(line);
  return drawing;
}

// The characters that the command line writes out too: controls but tab and line feed, bidirectional controls, and what
// Unicode calls default ignorable. Joiners and variation selectors have rules of their own, as they are spelling elsewhere.
const HIDDEN =
  "\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f" +
  "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}" +
  "\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}";
const JOINED = "[\\u0600-\\u1fff\\u2070-\\u{10ffff}]";

const UNSAFE = new RegExp(
  `[${HIDDEN}]|(?<!${JOINED})[\\u200c\\u200d]|[\\u200c\\u200d](?!${JOINED})|(?<![^${HIDDEN}\\ufe00-\\ufe0f])[\\ufe00-\\ufe0f]`,
  "gu",
);

/** Text of a document as texts and boxes: what is invisible, or would reorder the line, is shown as U+202E. */
function visible(text, words) {
  const found = [];
  const clean = text.replace(/\r\n?/g, "\n");
  let end = 0;
  for (const match of clean.matchAll(UNSAFE)) {
    const code = `U+${match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    found.push(clean.slice(end, match.index));
    found.push(make("span", { class: "hidden-character", title: words.text("invisible", { code }) }, code));
    end = match.index + match[0].length;
  }
  found.push(clean.slice(end));
  return found.filter((part) => part !== "");
}

/** Text of a document within a sentence of ours, with its direction kept to itself. */
function said(text, words, tag = "bdi") {
  return make(tag, { class: "said", dir: "auto" }, visible(text, words));
}

/** A list of nodes with something between them. */
function between(nodes, separator) {
  return nodes.flatMap((node, at) => (at ? [separator(), node] : [node]));
}

/** An address that may be followed: http or https and absolute, else null. */
function followable(address) {
  if (!/^https?:\/\//i.test(address || "")) return null;
  try {
    return new URL(address).href;
  } catch (error) {
    return null;
  }
}

function link(address, content, attributes = {}) {
  return make("a", { href: address, target: "_blank", rel: "noopener noreferrer", ...attributes }, content);
}

function button(content, click, attributes = {}) {
  return make("button", { type: "button", click, ...attributes }, content);
}

/** Whether the browser let it. The older way serves pages without HTTPS, where there is no clipboard object. */
async function copied(text, root) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    const area = make("textarea", { class: "unseen", readonly: true, "aria-hidden": "true", tabindex: "-1" });
    const back = root.activeElement;
    area.value = text;
    (root.querySelector("dialog[open]") || root).append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (back) back.focus();
    return done;
  }
}
