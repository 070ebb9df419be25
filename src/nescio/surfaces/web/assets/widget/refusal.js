// How is a refusal shown? With its reason, what was searched, and what may help: never as if it were an answer.

function refusalView(result, desk) {
  const { words } = desk;
  return [
    make("header", { class: "verdict" }, make("h2", { tabindex: "-1" }, words.text("refused")), confidence(result, words)),
    make(
      "div",
      { class: "reason" },
      make("p", { class: "lead" }, words.text(result.reason in WORDS ? result.reason : "below_floor")),
      make("p", {}, said(result.message, words, "span")),
      ...readings(result, words),
      instead(result, desk),
    ),
    relatedPlaces(result, "nearest", words),
    searched(result, words),
    feedback(result, desk, null, ["gap"], "gap_noted"),
  ];
}

/** What to ask instead, as buttons that ask it. */
function instead(result, desk) {
  const { words } = desk;
  const reword = result.rewording && button(words.parts("reword", { question: said(result.rewording, words) }), () => desk.ask(result.rewording));
  const versions = (result.other_versions || []).map((version) =>
    button(words.parts("in_version", { version: said(version, words) }), () => desk.ask(result.question, version)),
  );
  if (!reword && !versions.length) return null;
  return make(
    "div",
    { class: "instead" },
    reword && make("div", { class: "actions" }, reword),
    versions.length > 0 && [make("p", {}, words.text("other_versions")), make("div", { class: "actions" }, versions)],
  );
}

function searched(result, words) {
  const { documents, passages, terms, dropped, filters, versions } = result.searched;
  const size = `${words.count("documents", documents)}, ${words.count("passages", passages)}`;
  const force = [...versions.map((version) => words.text("version", { version })), ...filters];
  return make(
    "section",
    { class: "searched" },
    make("h3", {}, words.text("searched")),
    make("p", { class: "note" }, size),
    terms.length ? make("ul", { class: "terms", role: "list" }, asked(terms, dropped).map((term) => counted(term, words))) : null,
    dropped.length ? make("p", { class: "note" }, words.parts("left_out", { words: said(dropped.join(", "), words) })) : null,
    force.length ? make("p", { class: "note" }, words.parts("in_force", { filters: said(force.join(", "), words) })) : null,
  );
}

/** The question's own words, each once: not what was left out, not the parts of a word, not what was added to help the order. */
function asked(terms, dropped) {
  const seen = new Set(dropped);
  return terms.filter((term) => {
    const word = term.word || term.term;
    if (term.kind === "expansion" || term.kind === "part" || seen.has(word)) return false;
    return seen.add(word);
  });
}

function counted(term, words) {
  const found = term.documents ? words.count("in", term.documents) : words.text("nowhere");
  return make("li", { class: `term ${term.documents ? term.kind : "unknown"}` }, said(term.word || term.term, words), " ", make("small", {}, found));
}

/** Something went wrong: what, what to do, and a button to do it again. */
function problemView(problem, again, words) {
  return [
    make(
      "div",
      { class: "problem" },
      make("h2", { tabindex: "-1" }, visible(problem.message, words)),
      problem.hint ? make("p", {}, visible(problem.hint, words)) : null,
      make("div", { class: "actions" }, button(words.text("retry"), again, { class: "primary" })),
    ),
  ];
}
