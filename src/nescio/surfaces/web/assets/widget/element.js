// Where does it stand in a page? One custom element, either in the text (layout "inline") or as a button that opens a dialog.

const SCRIPT = document.currentScript || document.querySelector('script[src*="nescio-ask.js"]');
const HOME = new URL(".", (SCRIPT && SCRIPT.src) || document.baseURI).href;
const NONCE = (SCRIPT && SCRIPT.nonce) || "";
const DRAWN_FROM = ["endpoint", "layout", "placeholder", "label", "strings", "lang", "examples"];
const KEY_EVENTS = ["keydown", "keyup", "keypress"];
const FOCUSABLE = 'a[href], button, input, summary, [tabindex="0"]';
let sheet = null;

/** Styles as a sheet that is no markup, which a strict policy allows; else as an element with the script's nonce. */
function dress(root) {
  try {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
    }
    root.adoptedStyleSheets = [sheet];
  } catch (error) {
    const style = make("style", { nonce: NONCE || null });
    style.textContent = STYLE;
    root.append(style);
  }
}

/** What an attribute with JSON says, or `otherwise` where it is none of that kind. */
function jsonOf(text, otherwise) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" && Array.isArray(value) === Array.isArray(otherwise) ? value : otherwise;
  } catch (error) {
    if (text) console.warn("nescio-ask: an attribute is no JSON:", text);
    return otherwise;
  }
}

/** Whether somebody types there: keys belong to the text then. */
function isTyping(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

class NescioAsk extends HTMLElement {
  static get observedAttributes() {
    return DRAWN_FROM;
  }

  constructor() {
    super();
    dress(this.attachShadow({ mode: "open" }));
    this.onHotkey = (event) => this.hotkey(event);
    for (const name of KEY_EVENTS) this.addEventListener(name, (event) => this.keep(event));
  }

  connectedCallback() {
    this.draw();
    window.addEventListener("keydown", this.onHotkey, true);
  }

  disconnectedCallback() {
    window.removeEventListener("keydown", this.onHotkey, true);
    this.stop();
  }

  attributeChangedCallback(name, before, after) {
    if (this.isConnected && this.view && before !== after) this.draw();
  }

  /** Ask, and open the dialog if there is one. `version` is the version of the documentation, if not the attribute's. */
  async ask(question, version) {
    const text = String(question).trim();
    if (!text) return;
    this.open();
    this.stop();
    const turn = new AbortController();
    this.turn = turn;
    this.box.close();
    this.box.value = text;
    this.desk.view = new View(version || this.getAttribute("version"), this.getAttribute("reader-view"));
    remember(text);
    this.tell("nescio-ask", { question: text, version: this.desk.view.version });
    this.show("working", [make("p", { class: "note" }, this.words.text("working"))]);
    try {
      const result = await this.desk.service.ask(text, this.desk.view, turn.signal);
      if (!turn.signal.aborted) this.receive(result);
    } catch (problem) {
      if (!turn.signal.aborted) this.fail(problem, () => this.ask(text, version));
    }
  }

  /** What the documents have that completes what is typed, as far as the site lets it be asked. */
  async suggest(typed, signal) {
    if (this.getAttribute("suggestions") === "off") return [];
    return this.desk.service.suggest(typed, new View(this.getAttribute("version"), this.getAttribute("reader-view")), signal);
  }

  open() {
    if (!this.dialog || this.dialog.open) return;
    this.dialog.showModal();
    this.box.input.focus();
    this.box.input.select();
    if (!this.box.input.value) this.box.propose();
  }

  close() {
    if (this.dialog && this.dialog.open) this.dialog.close(); // which gives the focus back to where it was
  }

  /** Forget the question and what was found. */
  clear() {
    this.stop();
    this.box.value = "";
    this.show("empty", this.dialog ? [make("p", {}, this.words.text("promise"))] : []);
  }

  focus() {
    if (this.dialog && !this.dialog.open) this.button.focus();
    else this.box.input.focus();
  }

  stop() {
    if (this.turn) this.turn.abort();
    this.turn = null;
  }

  draw() {
    this.stop();
    const own = jsonOf(this.getAttribute("strings"), {});
    this.words = new Words(own, this.getAttribute("lang") || "en");
    this.desk = this.makeDesk();
    const placeholder = this.getAttribute("placeholder") || this.words.text("placeholder");
    const acts = {
      ask: (question) => this.ask(question),
      onward: () => this.step(-1, 1),
      suggest: (typed, signal) => this.suggest(typed, signal),
      announce: (text) => this.announce(text),
    };
    this.box = new SearchBox(this.words, placeholder, jsonOf(this.getAttribute("examples"), []).map(String), acts);
    this.view = make("div", { class: "view", part: "answer", keydown: (event) => this.move(event) });
    this.live = make("div", { class: "unseen", role: "status", "aria-live": "polite" });
    const root = make("div", { class: "root", lang: this.words.language }, this.laidOut());
    this.clear();
    const styles = this.shadowRoot.querySelectorAll("style");
    this.shadowRoot.replaceChildren(...styles, root);
  }

  /** What the views work with. */
  makeDesk() {
    const base = new URL(this.getAttribute("endpoint") || HOME, document.baseURI);
    if (!base.pathname.endsWith("/")) base.pathname += "/";
    return {
      words: this.words,
      root: this.shadowRoot,
      service: new Service(base, this.words),
      view: new View(),
      ask: (question, version) => this.ask(question, version),
      announce: (text) => this.announce(text),
    };
  }

  laidOut() {
    this.dialog = null;
    this.button = null;
    if (this.getAttribute("layout") === "inline") return make("div", { class: "inline" }, this.box.element, this.view, this.live);
    const name = this.getAttribute("label") || this.words.text("label");
    this.button = button([icon("search"), make("span", {}, name), make("kbd", { "aria-hidden": "true" }, this.keyName())], () => this.open(), {
      class: "launch",
      part: "button",
      "aria-haspopup": "dialog",
      "aria-keyshortcuts": this.hasHotkeys ? "Control+K Meta+K /" : null,
    });
    const leave = button(icon("close"), () => this.close(), { class: "leave", "aria-label": this.words.text("close") });
    const panel = make("div", { class: "panel", part: "dialog" }, make("div", { class: "bar" }, this.box.element, leave), this.view, this.live);
    this.dialog = make("dialog", {
      class: "layer",
      role: "dialog",
      "aria-modal": "true",
      "aria-label": this.words.text("title"),
      click: (event) => event.target === this.dialog && this.close(),
      keydown: (event) => this.inDialog(event),
      close: () => this.left(),
    }, panel);
    return [this.button, this.dialog];
  }

  get hasHotkeys() {
    return this.getAttribute("hotkeys") !== "off";
  }

  keyName() {
    if (!this.hasHotkeys) return "";
    return /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘ K" : "Ctrl K";
  }

  receive(result) {
    if (result.status !== "answered" && result.status !== "refused") throw new Problem(this.words.text("unreadable"), "", "unreadable");
    const isAnswer = result.status === "answered";
    this.show(result.status, (isAnswer ? answerView : refusalView)(result, this.desk));
    this.announce(isAnswer ? this.words.count("answered.said", result.quotes.length) : this.words.text("refused.said"));
    this.tell("nescio-answer", result);
  }

  fail(error, again) {
    const problem = error instanceof Problem ? error : new Problem(this.words.text("unreadable"), "", "unreadable");
    this.show("problem", problemView(problem, again, this.words));
    this.announce([problem.message, problem.hint].filter(Boolean).join(" "));
    this.tell("nescio-problem", { code: problem.code, message: problem.message, hint: problem.hint, status: problem.status });
  }

  show(state, nodes) {
    this.view.dataset.state = state;
    this.view.replaceChildren(...nodes.filter(Boolean));
    this.view.scrollTop = 0;
    this.view.setAttribute("aria-busy", String(state === "working"));
    // On a touch screen the keyboard covers what was found: it goes when the input loses the focus.
    const head = this.view.querySelector("h2");
    if (head && matchMedia("(pointer: coarse)").matches && this.shadowRoot.activeElement === this.box.input) head.focus();
  }

  announce(text) {
    this.live.textContent = "";
    setTimeout(() => (this.live.textContent = text), 50); // the same words again are only said after a change
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }

  /** Move the focus between the quotes by arrows; before the first is the input. */
  move(event) {
    const quotes = [...this.view.querySelectorAll("article.quote")];
    const at = quotes.indexOf(event.target);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (at < 0 || !by) return;
    event.preventDefault();
    this.step(at, by);
  }

  step(at, by) {
    const quotes = this.view.querySelectorAll("article.quote");
    const next = at + by < 0 && quotes.length ? this.box.input : quotes[at + by];
    if (next) next.focus();
    return Boolean(next);
  }

  /** No key leaves the element while one types in it: pages have shortcuts of one letter. */
  keep(event) {
    const isOurs = (this.dialog && this.dialog.open) || this.shadowRoot.activeElement === this.box.input;
    if (isOurs) event.stopPropagation();
  }

  hotkey(event) {
    if (!this.hasHotkeys || event.isComposing || event.altKey || event.shiftKey) return;
    const withControl = event.ctrlKey || event.metaKey;
    const isHotkey = withControl ? event.key.toLowerCase() === "k" : event.key === "/";
    const target = event.composedPath()[0];
    if (!isHotkey || (isTyping(target) && !(withControl && target === this.box.input))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.open();
    this.box.input.focus();
    this.box.input.select();
  }

  inDialog(event) {
    if (event.key === "Escape" && !event.defaultPrevented && !event.isComposing) {
      event.preventDefault();
      this.close();
    } else if (event.key === "Tab") {
      this.turnRound(event);
    }
  }

  /** The dialog was closed: nobody waits for an answer any more. */
  left() {
    this.stop();
    if (this.view.dataset.state === "working") this.clear();
  }

  /** From the last stop to the first and back: the focus stays in the dialog. */
  turnRound(event) {
    const stops = [...this.dialog.querySelectorAll(FOCUSABLE)].filter((one) => one.getClientRects().length);
    const [from, to] = event.shiftKey ? [stops[0], stops[stops.length - 1]] : [stops[stops.length - 1], stops[0]];
    if (this.shadowRoot.activeElement !== from) return;
    event.preventDefault();
    to.focus();
  }
}

if (!customElements.get("nescio-ask")) customElements.define("nescio-ask", NescioAsk);
