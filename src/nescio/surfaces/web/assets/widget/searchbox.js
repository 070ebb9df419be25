// How is a question typed? In a combobox: an input with a list of questions to choose from, by the ARIA practices.

const REMEMBERED = "nescio-ask:asked"; // questions of this tab: they are gone when it is closed
const MOST_REMEMBERED = 8;
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
  /** `acts` has `ask(question)`, and `onward()`, which is called for the arrow that leaves the box downwards. */
  constructor(words, placeholder, examples, acts) {
    Object.assign(this, { words, examples, acts, at: -1, options: [] });
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
      input: () => this.typed(),
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

  typed() {
    this.clear.hidden = !this.input.value;
    this.propose();
  }

  empty() {
    this.value = "";
    this.input.focus();
    this.propose();
  }

  submit() {
    this.close();
    if (this.input.value.trim()) this.acts.ask(this.input.value);
    else this.input.focus();
  }

  /** Open the list with what was asked before and the site's examples, as far as they hold what is typed. */
  propose() {
    const typed = this.input.value.trim().toLowerCase();
    const before = remembered();
    const kinds = [...before.map((text) => [text, "recent"]), ...this.examples.filter((one) => !before.includes(one)).map((text) => [text, "example"])];
    const found = kinds.filter(([text]) => text.toLowerCase().includes(typed) && text.toLowerCase() !== typed).slice(0, MOST_REMEMBERED);
    this.options = found.map(([text, kind], at) => this.option(text, kind, at));
    this.list.replaceChildren(...this.options);
    this.list.hidden = !found.length;
    this.input.setAttribute("aria-expanded", String(found.length > 0));
    this.choose(-1);
  }

  option(text, kind, at) {
    const choose = (event) => {
      event.preventDefault(); // the input keeps the focus
      this.value = text;
      this.submit();
    };
    const attributes = { id: `suggestion-${at}`, role: "option", "aria-selected": "false", pointerdown: (event) => event.preventDefault(), click: choose };
    return make("li", attributes, make("span", { class: "text" }, visible(text, this.words)), make("small", {}, this.words.text(kind)));
  }

  get isOpen() {
    return !this.list.hidden;
  }

  close() {
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
