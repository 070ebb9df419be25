// How does a quote look as on its page? From the blocks that the server read in it: no markup is parsed here.

const DEEPEST = 5; // levels of a list, or of a heading, that look different

/** The nodes of a quote's blocks. Where the server sent none, its text as it stands. */
function shownBlocks(quote, words) {
  if (!quote.display || !quote.display.length) return [verbatim(quote.text, words)];
  return listed(quote.display).map((group) => (Array.isArray(group) ? list(group, words) : shownBlock(group, words)));
}

/** The quote's text to the letter, line for line. */
function verbatim(text, words) {
  return scroller(make("pre", { class: "verbatim", dir: "auto" }, visible(text, words)), words.text("source"));
}

/** Blocks in order, list items that follow one another together. */
function listed(blocks) {
  const groups = [];
  for (const block of blocks) {
    const last = groups[groups.length - 1];
    if (block.kind !== "list_item") groups.push(block);
    else if (Array.isArray(last)) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

function shownBlock(block, words) {
  if (block.kind === "heading") return heading(block, words);
  const shown =
    block.kind === "code" ? code(block, words)
    : block.kind === "table" ? table(block, words)
    : make("p", { class: "paragraph", dir: "auto" }, runs(block.runs, words));
  shown.classList.add(level(block));
  return shown;
}

/** No heading of the page, in whose order it would have no place, but a paragraph that looks like one. */
function heading(block, words) {
  return make("p", { class: `heading heading-${Math.min(block.level || 1, DEEPEST)}`, dir: "auto" }, runs(block.runs, words));
}

/** The class for what stands so deep in lists. */
function level(block) {
  return `level-${Math.min(block.level || 0, DEEPEST)}`;
}

function runs(all, words) {
  return (all || []).map((run) => {
    const text = visible(run.text, words);
    const shown = run.code ? make("code", { class: "run" }, text) : make("span", run.link ? { class: "was-link" } : {}, text);
    return run.mark ? make("mark", {}, shown) : shown;
  });
}

function list(items, words) {
  const entries = items.map((item) => {
    const mark = make("span", { class: "marker" }, visible(item.marker === "" ? "" : marker(item.marker || ""), words));
    return make("li", { class: level(item) }, mark, make("span", { class: "item", dir: "auto" }, runs(item.runs, words)));
  });
  return make("ul", { class: "list", role: "list" }, entries);
}

/** A bullet for every sign that is one, a box for a task; numbers and letters as they are written. */
function marker(written) {
  const [, bullet, box] = /^([-*+•]?)\s*(\[[ xX]\])?$/.exec(written) || [];
  if (box) return box === "[ ]" ? "☐" : "☑";
  return bullet === undefined ? written : "•";
}

function code(block, words) {
  const tokens = block.tokens && block.tokens.length ? block.tokens : [["", (block.runs || []).map((run) => run.text).join("")]];
  const shown = codeLines(tokens, words).map((line, at) => ((block.marked || []).includes(at) ? make("mark", {}, line) : line));
  const name = block.language ? words.text("language", { language: block.language }) : words.text("code");
  return scroller(make("pre", { class: "code", dir: "ltr" }, make("code", {}, shown)), name);
}

/** The tokens of code line by line, each line with its end. */
function codeLines(tokens, words) {
  const lines = [[]];
  for (const [look, text] of tokens) {
    text.split(/(?<=\n)/).forEach((piece, at) => {
      if (at) lines.push([]);
      lines[lines.length - 1].push(make("span", look ? { class: `token-${look}` } : {}, visible(piece, words)));
    });
    if (text.endsWith("\n")) lines.push([]);
  }
  return lines;
}

function table(block, words) {
  const [head = [], ...body] = block.rows || [];
  const row = (cells, tag, at = 0) =>
    make("tr", (block.marked || []).includes(at) ? { class: "marked" } : {}, cells.map((cell) => make(tag, { dir: "auto", scope: tag === "th" ? "col" : null }, runs(cell, words))));
  const rows = make("table", {}, make("thead", {}, row(head, "th")), make("tbody", {}, body.map((cells, at) => row(cells, "td", at + 1))));
  return scroller(make("div", { class: "table" }, rows), words.text("table"));
}

/** Something that may be wider than the page. It is a stop for the keyboard only while it can be scrolled. */
function scroller(element, name) {
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", name);
  new ResizeObserver(() => {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  }).observe(element);
  return element;
}
