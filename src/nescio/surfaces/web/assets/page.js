// What does the page add to <nescio-ask>? The question in the address, the version, the colours, and news of the documents.

(() => {
  "use strict";

  const THEMES = ["auto", "light", "dark"];
  const THEME_KEY = "nescio:theme";
  const root = document.documentElement;
  const element = document.querySelector("nescio-ask");
  const byId = (id) => document.getElementById(id);
  const changed = document.querySelector(".changed");
  let about = {};
  let heading = document.title;
  let answeredFrom = null; // the index id of what is shown
  let news = null; // the open stream of events

  // Colours

  function chosenTheme() {
    try {
      const kept = localStorage.getItem(THEME_KEY);
      return THEMES.includes(kept) ? kept : "auto";
    } catch (error) {
      return "auto";
    }
  }

  function wear(theme) {
    root.dataset.theme = theme;
    element.setAttribute("theme", theme);
    byId("theme").textContent = { auto: "Colours: as the system", light: "Colours: light", dark: "Colours: dark" }[theme];
    byId("theme").setAttribute("aria-label", byId("theme").textContent);
  }

  function nextTheme() {
    const theme = THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % THEMES.length];
    try {
      localStorage.setItem(THEME_KEY, theme);
    } catch (error) {
      // It holds for this visit then.
    }
    wear(theme);
  }

  // The question in the address

  function addressOf(question, version) {
    const address = new URL(location.href);
    address.search = "";
    address.hash = "";
    if (question) address.searchParams.set("q", question);
    if (version) address.searchParams.set("version", version);
    return address.href;
  }

  function asked(question, version) {
    const address = addressOf(question, version);
    if (address !== location.href) history.pushState(null, "", address);
    document.title = question ? `${question} · ${heading}` : heading;
    root.toggleAttribute("data-asked", Boolean(question));
    byId("hint").hidden = Boolean(question);
    changed.hidden = true;
  }

  /** Show what the address says. */
  function follow() {
    const wanted = new URL(location.href).searchParams;
    chooseVersion(wanted.get("version") || "");
    const question = wanted.get("q") || "";
    if (question.trim()) return element.ask(question);
    element.clear();
    answeredFrom = null;
    return asked("", wanted.get("version"));
  }

  /** The name of what is documented, where it has one. */
  function tellTitle() {
    if (!about.title) return;
    heading = `Ask the documentation of ${about.title}`;
    byId("title").textContent = heading;
    byId("summary").textContent = about.summary || "";
    byId("summary").hidden = !about.summary;
    const question = new URL(location.href).searchParams.get("q");
    document.title = question ? `${question} · ${heading}` : heading;
  }

  // Versions

  function chooseVersion(version) {
    const select = byId("versions").querySelector("select");
    if (version) element.setAttribute("version", version);
    else element.removeAttribute("version");
    const known = (about.versions || []).find((one) => one.name === version || one.aliases.includes(version));
    select.value = known ? known.name : ((about.versions || []).find((one) => one.default) || {}).name || "";
  }

  function offerVersions(versions) {
    const select = byId("versions").querySelector("select");
    select.replaceChildren(...versions.map((one) => new Option([one.name, ...one.aliases].join(" · "), one.name)));
    select.addEventListener("change", () => {
      element.setAttribute("version", select.value);
      const question = new URL(location.href).searchParams.get("q");
      if (question) element.ask(question);
      else asked("", select.value);
      tellSources();
    });
    byId("versions").hidden = versions.length < 2;
  }

  // What is behind it

  async function fetched(path) {
    const response = await fetch(path, { credentials: "omit" });
    return response.ok ? response.json() : null;
  }

  function row(...cells) {
    const made = document.createElement("tr");
    cells.forEach((cell, at) => {
      const one = document.createElement(at ? "td" : "th");
      if (!at) one.scope = "row";
      else if (cells.length === 2) one.colSpan = 2;
      one.append(cell);
      made.append(one);
    });
    return made;
  }

  function counted(n, name) {
    return `${n.toLocaleString("en")} ${n === 1 ? name : `${name}s`}`;
  }

  /** The documents and the index in the footer. */
  async function tellSources() {
    const version = element.getAttribute("version");
    const found = await fetched(`v1/sources${version ? `?version=${encodeURIComponent(version)}` : ""}`);
    if (!found) return;
    const sources = found.sources || [];
    const documents = sources.reduce((sum, one) => sum + one.documents, 0);
    const table = document.createElement("table");
    table.append(...sources.map((one) => row(isolated(one.name), counted(one.documents, "document"), counted(one.passages, "passage"))));
    const code = document.createElement("code");
    code.textContent = about.index_id || "";
    table.append(row("Index", code), row("Server", `${about.name || "nescio"} ${about.version || ""}`));
    byId("about").querySelector("summary").textContent = counted(documents, "document");
    byId("about").querySelector("div").replaceChildren(table);
    byId("about").hidden = false;
  }

  function isolated(text) {
    const made = document.createElement("bdi");
    made.textContent = text;
    return made;
  }

  // News: the stream is open only while somebody can see the page.

  function listen() {
    const wanted = Boolean(about.watching) && document.visibilityState === "visible";
    if (wanted && !news) {
      news = new EventSource("v1/events");
      news.addEventListener("index", (event) => tellChange(JSON.parse(event.data).index_id));
    } else if (!wanted && news) {
      news.close();
      news = null;
    }
  }

  /** Other documents than those that the shown answer is from? */
  function tellChange(indexId) {
    about.index_id = indexId;
    changed.hidden = !answeredFrom || answeredFrom === indexId;
    tellSources().catch(() => {});
  }

  async function seen() {
    listen();
    if (!news) return;
    const now = await fetched("v1/version");
    if (now && now.index_id !== about.index_id) tellChange(now.index_id);
  }

  async function start() {
    about = (await fetched("v1/version").catch(() => null)) || {};
    tellTitle();
    offerVersions(about.versions || []);
    chooseVersion(element.getAttribute("version") || "");
    listen();
    await tellSources();
  }

  wear(chosenTheme());
  byId("theme").addEventListener("click", nextTheme);
  byId("again").addEventListener("click", follow);
  element.addEventListener("nescio-ask", (event) => {
    const version = event.detail.version || "";
    asked(event.detail.question, version);
    if (version === (element.getAttribute("version") || "")) return;
    chooseVersion(version); // a refusal offered another one
    tellSources().catch(() => {});
  });
  element.addEventListener("nescio-answer", (event) => (answeredFrom = event.detail.searched.index_id));
  addEventListener("popstate", follow);
  document.addEventListener("visibilitychange", () => seen().catch(() => {}));
  follow();
  if (!new URL(location.href).searchParams.get("q")) element.focus();
  start().catch(() => {}); // the box says what is wrong when somebody asks
})();
