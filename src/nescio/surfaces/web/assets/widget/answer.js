// How is an answer shown? The quotes first; then what a reader should know of them.

// The least confidence that each word stands for, as on the command line.
const HIGH = 0.8;
const FAIR = 0.6;

function oftenness(confidence, words) {
  const tenths = Math.round(confidence * 10);
  return tenths > 9 ? words.text("most") : tenths < 1 ? words.text("fewest") : words.text("about", { n: tenths });
}

/** Confidence as words, ten dots and a number, which open to say what they mean. */
function confidence(result, words) {
  const filled = Math.round(result.confidence * 10);
  const dots = Array.from({ length: 10 }, (_, at) => make("i", { class: at < filled ? "dot on" : "dot" }));
  const means = [oftenness(result.confidence, words), words.text("floor", { floor: words.score(result.floor), base: words.score(result.base) })];
  if (result.corrections.length && result.status === "answered") means.push(words.text("corrected"));
  return make(
    "details",
    { class: "confidence" },
    make(
      "summary",
      {},
      words.text(result.status === "answered" ? "confidence" : "confidence_covered"),
      make("span", { class: "dots", "aria-hidden": "true" }, dots),
      make("span", { class: "number" }, words.number(result.confidence, { style: "percent" })),
      make("span", {}, words.text(result.confidence >= HIGH ? "high" : result.confidence >= FAIR ? "fair" : "low")),
    ),
    make("p", { class: "note" }, means.join(" ")),
  );
}

/** How the question was read where that is not how it was typed. */
function readings(result, words) {
  const change = (key) => (one) => make("p", { class: "note reading" }, words.parts(key, { from: said(one.from, words, "em"), to: said(one.to, words, "em") }));
  return [...result.corrections.map(change("read_as")), ...result.suggestions.map(change("use_word"))];
}

function warnings(result, words) {
  return result.warnings.map((one) =>
    make("p", { class: "warning" }, make("strong", {}, words.text(one.code === "stale" ? "stale" : "warning")), " ", said(one.message, words, "span")),
  );
}

/** What is said after a place: its source, where what is shown comes from several. */
function origins(result) {
  const several = new Set([...result.quotes, ...result.related, ...(result.more || [])].map((at) => at.source)).size > 1;
  return (at) => (several ? ` · ${at.source}` : "");
}

/** A place as a link to it, with its file and line. */
function placeItem(at, origin, words, ...more) {
  const address = followable(at.url);
  const name = address ? link(address, trail(at, words)) : make("span", {}, trail(at, words));
  return make("li", {}, name, make("span", { class: "place" }, said(`${at.path}:${at.start_line}${origin(at)}`, words)), more);
}

/** Places near the question. They are under a heading that says that they do not answer it. */
function relatedPlaces(result, heading, words) {
  if (!result.related.length) return null;
  const listed = (key, all) =>
    all.length
      ? [" ", make("span", { class: key }, words.parts(key, { words: made(between(all.map((word) => said(word, words, "em")), () => ", ")) }))]
      : [];
  const places = result.related.map((at) => {
    const first = at.first_words ? make("p", { class: "first" }, said(at.first_words, words)) : null;
    return placeItem(at, origins(result), words, first, listed("has", at.present || []), listed("lacks", at.missing));
  });
  return make("section", { class: "related" }, make("h3", {}, words.text(heading)), make("ul", { role: "list" }, places));
}

/** What answers too and is not shown: places without their text, and how many more there are. */
function morePlaces(result, words) {
  const more = result.more || [];
  if (!more.length) return result.withheld ? make("p", { class: "note" }, words.count("withheld", result.withheld)) : null;
  const left = result.withheld - more.length;
  return make(
    "section",
    { class: "related more" },
    make("h3", {}, words.text("more")),
    make("ul", { role: "list" }, more.map((at) => placeItem(at, origins(result), words))),
    left > 0 ? make("p", { class: "note" }, words.count("withheld", left)) : null,
  );
}

/** Several nodes as one value of a sentence. */
function made(nodes) {
  return make("span", {}, nodes);
}

function answerView(result, desk) {
  const { words } = desk;
  const quotes = result.quotes.map((quote) => new QuoteView(quote, desk, origins(result)(quote)).element);
  return [
    make("header", { class: "verdict" }, make("h2", { tabindex: "-1" }, words.text("answered")), confidence(result, words)),
    ...readings(result, words),
    result.message ? make("p", { class: "note reading" }, said(result.message, words, "span")) : null,
    ...warnings(result, words),
    ...quotes,
    feedback(result, desk, "helpful_question", ["helpful", "unhelpful"], "noted"),
    morePlaces(result, words),
    relatedPlaces(result, "related", words),
  ];
}

/** Buttons that send a verdict. They appear when the server says that it keeps feedback. */
function feedback(result, desk, question, verdicts, thanks) {
  const { words } = desk;
  const box = make("div", { class: "feedback", hidden: true }, question && make("span", {}, words.text(question)));
  const send = async (verdict) => {
    const quoted = result.quotes[0];
    const report = { question: result.question, verdict, index_id: result.searched.index_id };
    try {
      await desk.service.feedback(quoted ? { ...report, passage_id: quoted.passage_id } : report);
      box.replaceChildren(make("span", {}, words.text(thanks)));
      desk.announce(words.text(thanks));
    } catch (problem) {
      box.append(make("span", { class: "note" }, problem.message));
    }
  };
  box.append(...verdicts.map((verdict) => button(words.text(verdict), () => send(verdict))));
  desk.service.version().then((about) => (box.hidden = !about.feedback));
  return box;
}
