// How is a question typed? In a combobox: an input with a list to choose from, by the ARIA practices. In the list are questions
// of before and of the site, and what the documents have that completes what is typed.

const REMEMBERED = "nescio-ask:asked"; // questions of this tab: they are gone when it is closed
const MOST_REMEMBERED = 8;
const MOST_SHOWN = 8; // in the list
const MOST_BEFORE = 3; // of them asked before, where the documents have something too
const PAUSE_MS = 80; // of typing, after which the documents are asked: shorter than a pause is felt, longer than between two keys
const LONGEST_TYPED = 200; // characters that the server completes
const COMPOSING = 229; // the key code of every key that an input method takes for itself, also where isComposing is late

function remembered() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(REMEMBERED));
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string").slice(0, MOST_REMEMBERED) : [];
  } catch (error) {
    return [];
  }
}

function remember(question) {
  const kept = [question, ...remembered().filter((one) => one !== question)].slice(0, MOST_REMEMBERED);
  try {
    sessionStorage.setItem(REMEMBERED, JSON.stringify(kept));
  } catch (error) {
    // A site may keep nothing: then nothing is proposed.
  }
}

class SearchBox {
  /**
   * `acts` has `ask(question)`; `onward()`, which is called for the arrow that leaves the box downwards; `suggest(typed, signal)`,
   * a promise of what the documents have; and `announce(text)`.
   */
  constructor(words, placeholder, examples, acts) {
    Object.assign(this, { words, examples, acts, at: -1, options: [], found: [], foundFor: "", turn: null });
    this.list = make("ul", { id: "suggestions", role: "listbox", "aria-label": words.text("suggestions"), hidden: true });
    this.input = make("input", {
      type: "text",
      role: "combobox",
      part: "input",
      "aria-label": words.text("title"),
      "aria-autocomplete": "list",
      "aria-controls": "suggestions",
      "aria-expanded": "false",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      enterkeyhint: "search",
      placeholder,
      keydown: (event) => this.key(event),
      input: (event) => this.typed(event.isComposing),
      compositionend: () => this.typed(false), // no browser says more of the text that was composed
      blur: () => this.close(),
    });
    this.clear = button(icon("close"), () => this.empty(), { class: "clear", "aria-label": words.text("clear"), hidden: true });
    const go = button(words.text("ask"), () => this.submit(), { class: "primary go" });
    this.element = make("div", { class: "search", role: "search" }, icon("search"), this.input, this.clear, go, this.list);
  }

  set value(text) {
    this.input.value = text;
    this.clear.hidden = !text;
  }

  /** While a word is composed, the list of the input method is the one to see. */
  typed(isComposing) {
    this.clear.hidden = !this.input.value;
    if (isComposing) return this.close();
    this.propose();
    return this.complete(this.input.value.trim());
  }

  empty() {
    this.value = "";
    this.input.focus();
    this.drop();
    this.propose();
  }

  submit() {
    this.close();
    if (this.input.value.trim()) this.acts.ask(this.input.value);
    else this.input.focus();
  }

  /** Ask the documents once the typing pauses. What comes too late, or cannot be had, changes nothing. */
  complete(typed) {
    this.drop();
    if (/^[ -~]?$/.test(typed) || typed.length > LONGEST_TYPED) return; // one letter is the start of everything
    const turn = new AbortController();
    this.turn = turn;
    setTimeout(async () => {
      if (turn.signal.aborted) return;
      const found = await this.acts.suggest(typed, turn.signal).catch(() => null);
      if (!found || turn.signal.aborted || this.at >= 0) return; // nothing moves under a choice
      Object.assign(this, { found, foundFor: typed.toLowerCase() });
      this.propose();
      if (this.isOpen) this.acts.announce(this.words.count("suggestions.said", this.options.length));
    }, PAUSE_MS);
  }

  /** Nothing that was asked of the documents is waited for any more. */
  drop() {
    if (this.turn) this.turn.abort();
    this.turn = null;
  }

  /** Open the list with what holds what is typed: asked before, the site's examples, and what the documents have. */
  propose() {
    const typed = this.input.value.trim().toLowerCase();
    const holds = (text) => text.toLowerCase().includes(typed);
    const words = typed.split(/\s+/);
    const before = remembered();
    const own = [...before.map((text) => [text, this.words.text("recent")]), ...this.examples.map((text) => [text, this.words.text("example")])];
    // What came for fewer letters stays as long as it fits, so that the list does not flicker.
    const fits = ({ text }) => typed === this.foundFor || words.every((word) => text.toLowerCase().includes(word));
    const found = typed ? this.found.filter(fits) : [];
    const shown = new Map();
    for (const [text, aside] of own.filter(([text]) => holds(text)).slice(0, found.length ? MOST_BEFORE : MOST_REMEMBERED)) {
      if (!shown.has(text.toLowerCase())) shown.set(text.toLowerCase(), [text, aside]);
    }
    for (const one of found) {
      if (!shown.has(one.text.toLowerCase())) shown.set(one.text.toLowerCase(), [one.text, this.aside(one)]);
    }
    shown.delete(typed);
    this.options = [...shown.values()].slice(0, MOST_SHOWN).map(([text, aside], at) => this.option(text, aside, at));
    this.list.replaceChildren(...this.options);
    this.list.hidden = !this.options.length;
    this.input.setAttribute("aria-expanded", String(this.isOpen));
    this.choose(-1);
  }

  /** Where a suggestion is from: a page, or the page that it stands on. */
  aside(one) {
    return one.kind === "title" || !one.title ? this.words.text("page") : one.title;
  }

  option(text, aside, at) {
    const choose = (event) => {
      event.preventDefault(); // the input keeps the focus
      this.value = text;
      this.submit();
    };
    const attributes = { id: `suggestion-${at}`, role: "option", "aria-selected": "false", pointerdown: (event) => event.preventDefault(), click: choose };
    return make("li", attributes, said(text, this.words, "span"), make("small", { dir: "auto" }, visible(aside, this.words)));
  }

  get isOpen() {
    return !this.list.hidden;
  }

  close() {
    this.drop();
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.choose(-1);
  }

  choose(at) {
    this.at = at;
    this.options.forEach((option, index) => option.setAttribute("aria-selected", String(index === at)));
    const chosen = this.isOpen && this.options[at];
    if (!chosen) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", chosen.id);
    return chosen.scrollIntoView({ block: "nearest" });
  }

  key(event) {
    if (event.isComposing || event.keyCode === COMPOSING) return;
    const act = { Enter: () => this.enter(), ArrowDown: () => this.down(), ArrowUp: () => this.up(), Escape: () => this.escape() }[event.key];
    if (act && act() !== false) event.preventDefault();
  }

  enter() {
    if (this.isOpen && this.at >= 0) this.options[this.at].click();
    else this.submit();
  }

  down() {
    if (this.isOpen) return this.choose(this.at + 1 < this.options.length ? this.at + 1 : -1);
    return this.acts.onward() || this.propose();
  }

  up() {
    return this.isOpen ? this.choose(this.at < 0 ? this.options.length - 1 : this.at - 1) : false;
  }

  /** Close the list; false where it is closed, so that the dialog around it may close. */
  escape() {
    if (!this.isOpen) return false;
    this.close();
    return true;
  }
}
