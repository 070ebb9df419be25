// Which words of ours are shown? A site gives its own in the attribute `strings`; {name} stands for a value.
// A key that ends in .one, .few, .other ... is chosen by the number it speaks of, in the element's language.

const WORDS = {
  label: "Ask the docs",
  title: "Ask the documentation",
  placeholder: "Ask in words the documentation would use",
  promise: "The answer is the documentation’s own words, or an honest “not covered”.",
  ask: "Ask",
  clear: "Clear",
  close: "Close",
  recent: "Asked before",
  example: "Example",
  page: "Page",
  suggestions: "Suggestions",
  "suggestions.said.one": "{n} suggestion.",
  "suggestions.said.other": "{n} suggestions.",
  working: "Looking through the documentation …",
  answered: "The documentation says",
  "answered.said.one": "Answered: {n} quote.",
  "answered.said.other": "Answered: {n} quotes.",
  refused: "Not covered",
  "refused.said": "Not covered by the documentation.",
  read_as: "Read {from} as {to}.",
  use_word: "Did you mean {to} where you wrote {from}?",
  stale: "Changed",
  warning: "Mind",
  "withheld.one": "{n} more passage has enough evidence and is not shown.",
  "withheld.other": "{n} more passages have enough evidence and are not shown.",
  confidence: "Confidence",
  confidence_covered: "Confidence it is covered",
  high: "high",
  fair: "fair",
  low: "low",
  about: "About {n} in 10 questions with evidence like this are covered by the documentation.",
  most: "More than 9 in 10 questions with evidence like this are covered by the documentation.",
  fewest: "Fewer than 1 in 10 questions with evidence like this are covered by the documentation.",
  floor: "The evidence is {base}, and an answer needs {floor}.",
  corrected: "A word was read as another, so no more than 60 % is claimed.",
  version: "Version {version}",
  language: "Code: {language}",
  code: "Code",
  table: "Table",
  reading: "As read",
  source: "As in the source",
  view: "How the quote is shown",
  copy: "Copy with citation",
  copied: "Copied",
  not_copied: "The browser does not allow copying",
  open: "Open the page",
  permalink: "Lines in the repository",
  context: "See in context",
  hide_context: "Hide context",
  lines: "Lines {start} to {end}",
  invisible: "Invisible character {code}",
  helpful_question: "Did this answer the question?",
  helpful: "Yes",
  unhelpful: "No",
  noted: "Thank you, noted.",
  gap: "Report this gap",
  gap_noted: "Reported, thank you.",
  related: "Related, not an answer",
  nearest: "Nearest places, not an answer",
  more: "More in the documentation",
  has: "has {words}",
  lacks: "says nothing of {words}",
  reword: "Ask instead: {question}",
  in_version: "Ask in version {version}",
  other_versions: "Another version of the documentation answers this.",
  searched: "What was searched",
  "documents.one": "{n} document",
  "documents.other": "{n} documents",
  "passages.one": "{n} passage",
  "passages.other": "{n} passages",
  "in.one": "in {n} passage",
  "in.other": "in {n} passages",
  nowhere: "in none",
  left_out: "Left out: {words}",
  in_force: "In force: {filters}",
  question_empty: "There is no question yet.",
  only_stop_words: "Only words that every text has.",
  corpus_empty: "There is nothing to answer from.",
  unknown_words: "The documentation does not use these words.",
  below_floor: "No passage says enough about this.",
  hidden_by_filter: "The answer lies outside of what was searched.",
  other_version: "Not in this version.",
  retry: "Try again",
  offline: "The documentation server cannot be reached.",
  offline_hint: "Check the connection, then try again.",
  slow: "The answer took too long.",
  slow_hint: "The server may be busy: try again in a moment.",
  busy: "Too many questions at once.",
  unreadable: "The server sent something that is no answer.",
  "wait.one": "Try again in {n} second.",
  "wait.other": "Try again in {n} seconds.",
};

class Words {
  constructor(own, language) {
    this.table = Object.assign(Object.create(null), WORDS, own);
    this.language = language || undefined;
    try {
      this.rules = new Intl.PluralRules(this.language);
    } catch (error) {
      this.language = undefined; // no language tag: the browser's own
      this.rules = new Intl.PluralRules();
    }
  }

  /** A sentence as a list of texts and of the nodes given for its {names}. */
  parts(key, values = {}) {
    const pieces = String(this.table[key]).split(/\{(\w+)\}/);
    return pieces.map((piece, at) => (at % 2 ? values[piece] ?? "" : piece)).filter((piece) => piece !== "");
  }

  text(key, values) {
    return this.parts(key, values).join("");
  }

  /** The form of `key` for a number, with {n} filled in. */
  count(key, n) {
    const form = `${key}.${this.rules.select(n)}`;
    return this.text(form in this.table ? form : `${key}.other`, { n: this.number(n) });
  }

  number(n, options) {
    return n.toLocaleString(this.language, options);
  }

  /** A score with two places, as the messages of the server have it. */
  score(n) {
    return this.number(n, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  }
}
