// How is one quote shown? Where it stands, its words, and what can be done with it.

const CONTEXT_LINES = 12;

/** path:line-line of each file that something is shown of, the page's first, with every stretch. */
function places(quote) {
  const files = new Map([[quote.path, []]]);
  for (const { path, start_line: first, end_line: last } of quote.spans) {
    if (!files.has(path)) files.set(path, []);
    files.get(path).push(first === last ? `${first}` : `${first}-${last}`);
  }
  return [...files].map(([path, lines]) => `${path}:${lines.join(", ")}`);
}

/** The quote as Markdown with its citation, in the form that `nescio cite` checks. */
function citation(quote) {
  const own = quote.spans.filter((span) => span.path === quote.path);
  const { start_line: start } = own[0];
  const { end_line: end } = own[own.length - 1];
  const words = quote.text.split(/\r\n|\r|\n/).map((line) => `> ${line}`.trimEnd());
  const about = [quote.title, ...quote.heading_path].filter((part, at, all) => part && part !== all[at - 1]).join(" > ");
  const address = followable(quote.permalink) || followable(quote.url);
  const rest = [about, quote.version && `Version: ${quote.version}`, address, `quote_sha256: ${quote.quote_sha256}`];
  return [...words, "", `— ${quote.path}:${start === end ? start : `${start}-${end}`}`, "", ...rest.filter(Boolean)].join("\n") + "\n";
}

/** Page and headings, outermost first, each told once. */
function trail(at, words) {
  const steps = [at.title, ...at.heading_path].filter((part, index, all) => part && part !== all[index - 1]);
  const names = (steps.length ? steps : [at.path]).map((step) => said(step, words));
  return between(names, () => make("span", { class: "step", "aria-hidden": "true" }, " › "));
}

class QuoteView {
  constructor(quote, desk, origin = "") {
    Object.assign(this, { quote, desk, origin, words: desk.words });
    this.plain = make("div", { class: "words" }, shownBlocks(quote, this.words));
    this.exact = make("div", { class: "words", hidden: true }, verbatim(quote.text, this.words));
    this.around = make("div", { class: "around", hidden: true });
    this.element = this.draw();
  }

  draw() {
    const { quote, words } = this;
    const name = `quote-${quote.quote_sha256.slice(0, 12)}`;
    const steps = trail(quote, words);
    const version = quote.version && make("span", { class: "version" }, words.parts("version", { version: said(quote.version, words) }));
    return make(
      "article",
      { class: "quote", tabindex: "0", "aria-labelledby": name, keydown: (event) => this.key(event) },
      make("header", {}, make("h3", { id: name }, steps), version, this.switch()),
      make("blockquote", { class: "paper" }, this.plain, this.exact),
      make("div", { class: "foot" }, this.places(), this.actions()),
      this.around,
    );
  }

  /** Where it stands, a line for each file. */
  places() {
    const { quote, words } = this;
    return make("div", {}, places(quote).map((one) => make("p", { class: "place" }, said(one + this.origin, words))));
  }

  /** Enter on the quote itself opens its page, or its surroundings where it has no address. */
  key(event) {
    if (event.key !== "Enter" || event.target !== event.currentTarget) return;
    event.preventDefault();
    const open = this.element.querySelector("a.open") || this.toggle;
    open.click();
  }

  /** Two buttons of which one is pressed: as on the page, or to the letter. */
  switch() {
    const choose = (exact) => () => {
      this.exact.hidden = !exact;
      this.plain.hidden = exact;
      read.setAttribute("aria-pressed", String(!exact));
      source.setAttribute("aria-pressed", String(exact));
    };
    const read = button(this.words.text("reading"), choose(false), { "aria-pressed": "true" });
    const source = button(this.words.text("source"), choose(true), { "aria-pressed": "false" });
    return make("div", { class: "switch", role: "group", "aria-label": this.words.text("view") }, read, source);
  }

  actions() {
    const { quote, words } = this;
    const page = followable(quote.text_url) || followable(quote.url);
    const lines = followable(quote.permalink);
    const copy = button([icon("copy"), make("span", {}, words.text("copy"))], () => this.copy(copy), { class: "copy" });
    this.toggle = button([icon("context"), make("span", {}, words.text("context"))], () => this.context(), {
      class: "context",
      "aria-expanded": "false",
    });
    const open = page && link(page, [icon("open"), words.text("open")], { class: "open" });
    return make("div", { class: "actions" }, copy, open, lines && link(lines, [icon("link"), words.text("permalink")]), this.toggle);
  }

  async copy(control) {
    const text = this.words.text((await copied(citation(this.quote), this.desk.root)) ? "copied" : "not_copied");
    control.lastChild.textContent = text;
    this.desk.announce(text);
    setTimeout(() => (control.lastChild.textContent = this.words.text("copy")), 2000);
  }

  async context() {
    const { around, toggle, words } = this;
    around.hidden = !around.hidden;
    toggle.setAttribute("aria-expanded", String(!around.hidden));
    toggle.lastChild.textContent = words.text(around.hidden ? "context" : "hide_context");
    if (around.hidden || around.firstChild) return;
    try {
      this.surround(await this.desk.service.context(this.quote.passage_id, CONTEXT_LINES, this.desk.view));
    } catch (problem) {
      around.replaceChildren(make("p", { class: "note" }, [problem.message, problem.hint].filter(Boolean).join(" ")));
    }
  }

  surround(found) {
    const { words } = this;
    const lines = words.text("lines", { start: words.number(found.start_line), end: words.number(found.end_line) });
    const passage = [];
    let at = 0;
    for (const [start, end] of quotedParts(found, this.quote)) {
      passage.push(visible(found.text.slice(at, start), words), make("mark", {}, visible(found.text.slice(start, end), words)));
      at = end;
    }
    passage.push(visible(found.text.slice(at), words));
    const page = make("pre", { class: "verbatim", dir: "auto" }, visible(found.before, words), ...passage, visible(found.after, words));
    this.around.replaceChildren(make("p", { class: "note" }, lines), scroller(page, lines));
    page.scrollTop = page.querySelector("mark").offsetTop - page.offsetTop - page.clientHeight / 4;
  }
}

/** Which parts of the passage answer, or are quoted, as pairs of start and end in the passage's text. The offsets of a text that
 * is no exact slice of its file say nothing of places in it: there the words are looked for, and without them all is marked. */
function quotedParts(passage, quote) {
  const marks = quote.highlights && quote.highlights.length ? quote.highlights : quote.spans;
  const parts = [];
  let at = 0;
  for (const outer of passage.spans) {
    for (const inner of marks) {
      if (inner.path !== outer.path) continue;
      const start = Math.max(outer.start_utf16, inner.start_utf16) - outer.start_utf16;
      const end = Math.min(outer.end_utf16, inner.end_utf16) - outer.start_utf16;
      if (start < end) parts.push([at + start, at + end]);
    }
    at += outer.end_utf16 - outer.start_utf16;
  }
  if (parts.length && passage.basis === "verbatim" && at === passage.text.length) return parts;
  const found = passage.text.indexOf(quote.text);
  return found < 0 ? [[0, passage.text.length]] : [[found, found + quote.text.length]];
}
