"""An answer, a refusal and what explains them, as lines for people. How the words of a quote are shown is handed in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from nescio.domain.answers import Answer, Change, Quote, QuotedSpan, Reason, Refusal, Related, Searched, TermKind
from nescio.domain.reports import Explanation, HitExplanation, SearchResult
from nescio.errors import Fault
from nescio.surfaces.cli.layout import BLANK, Line, Mark, Part, columns, counted, exact, line
from nescio.surfaces.terminal import escape

# The least confidence that each word stands for; .6 is what a corrected word leaves at most.
_HIGH, _FAIR = 0.8, 0.6

PREVIEW_LINES = 3  # of a passage in a list of passages: enough to know it by

_SHOWN_APART = frozenset({TermKind.STOP, TermKind.EXPANSION, TermKind.UNKNOWN})
MOST_QUOTES = 20  # the largest value of the setting `limit`

_NOT_COVERED = "The documentation does not cover this, as far as its words show."
_SENTENCES = {
    Reason.QUESTION_EMPTY: "There is no question.",
    Reason.ONLY_STOP_WORDS: "The question has no word to search for.",
    Reason.CORPUS_EMPTY: "There is no text in the index to answer from.",
    Reason.HIDDEN_BY_FILTER: "The part of the documentation that was searched does not cover this.",
    Reason.OTHER_VERSION: "This version of the documentation does not cover this.",
}


# The lines of a quote's own words.
Body = Callable[[Quote], list[Line]]


def as_written(shown: Quote) -> list[Line]:
    """The words as they stand in the file, character by character."""
    return exact(escape(shown.text))


def answer(result: Answer, body: Body = as_written) -> list[Line]:
    """The quotes with their citations, then how sure it is, how the question was read, and what is not shown."""
    named = _several_sources(result.quotes)
    lines = [row for quote in result.quotes for row in (*_quoted(quote, body, named=named), BLANK)]
    lines += _corrections(result.corrections)
    lines += _warnings(result)
    lines.append(_confidence(result))
    return [*lines, *_more(result)]


def refusal(result: Refusal) -> list[Line]:
    """A clear sentence, the reason, what was searched, and where to look next."""
    lines = [line(_SENTENCES.get(result.reason, _NOT_COVERED), Mark.HEADING)]
    if result.message:
        lines.append(line(result.message))
    notes = _corrections(result.corrections) + _suggestions(result) + _warnings(result)
    if notes:
        lines += [BLANK, *notes]
    return [*lines, *_related(result.related), BLANK, *_searched(result.searched)]


def either(result: Answer | Refusal, body: Body = as_written) -> list[Line]:
    """The screen of whichever it is."""
    return answer(result, body) if isinstance(result, Answer) else refusal(result)


def explanation(shown: Explanation) -> list[Line]:
    """The working, to stand below the answer: terms with weights, then passages with the parts of their scores."""
    result = shown.result
    lines = [BLANK, line("How it was found", Mark.HEADING)]
    lines.append(line(f"evidence {shown.evidence:.3f}   stands out {shown.standout:.3f}   floor {result.floor:.3f}"))
    terms = [
        (t.term, t.kind.value, f"weight {t.weight:.3f}", f"in {counted(t.documents, 'passage')}") for t in result.searched.terms
    ]
    if terms:
        lines += [BLANK, line("Terms", Mark.HEADING), *columns(terms, indent=2)]
    if shown.hits:
        lines += [BLANK, line("Passages, in the order of preference", Mark.HEADING)]
    for rank, hit in enumerate(shown.hits, 1):
        lines += _hit(rank, hit, result.floor)
    return lines


def search(result: SearchResult, body: Body = as_written) -> list[Line]:
    """Ranked passages, their first lines only, marked as no answer."""
    if not result.hits:
        return [line("No passage has a word of this.")]
    lines = [line("Ranked passages, no floor applied: related text, not an answer.", Mark.HEADING)]
    named = _several_sources([hit.quote for hit in result.hits])
    for hit in result.hits:
        lines += [BLANK, _ranked(hit.rank, hit.quote), *_preview(body(hit.quote)), *_citation(hit.quote, named=named)]
        lines.append(line(f"id {hit.quote.passage_id}   base {hit.quote.base:.3f}", Mark.QUIET))
    return lines


def quote(shown: Quote, body: Body = as_written) -> list[Line]:
    """One passage, whole."""
    return [*_quoted(shown, body, named=True), line(f"sha256 {shown.document_sha256}", Mark.QUIET)]


def fault(shown: Fault) -> list[Line]:
    """What stopped the work, and what to do."""
    first, *rest = shown.message.split("\n")
    lines = [Line((Part("Error: ", Mark.FAULT), Part(first), Part(f" [{shown.code}]", Mark.QUIET)))]
    lines += [line(row, indent=2) for row in rest]
    return [*lines, line(shown.hint)] if shown.hint else lines


def _quoted(shown: Quote, body: Body, *, named: bool) -> list[Line]:
    heading = line(_heading(shown.title, shown.heading_path), Mark.HEADING)
    return [heading, BLANK, *body(shown), BLANK, *_citation(shown, named=named)]


def _citation(shown: Quote, *, named: bool) -> list[Line]:
    lines = [_place(shown, file.path, spans) for file, spans in _files(shown)]
    told = [Part(f"  version {shown.version}", Mark.QUIET)] if shown.version else []
    told += [Part(f"  source {shown.source}", Mark.QUIET)] if named and shown.source else []
    lines[0] = Line((*lines[0].parts, *told))
    is_published = "://" in (shown.url or "")  # else it says no more than the path
    return [*lines, Line((Part(shown.url or ""),), exact=True)] if is_published else lines


def _files(shown: Quote) -> list[tuple[QuotedSpan, tuple[QuotedSpan, ...]]]:
    """Each file once, with all that is shown of it: that of the page first."""
    files: dict[tuple[str, str], list[QuotedSpan]] = {}
    for span in shown.spans:
        files.setdefault((span.path, span.document_sha256), []).append(span)
    return sorted(((spans[0], tuple(spans)) for spans in files.values()), key=lambda file: file[0].path != shown.path)


def _place(shown: Quote, path: str, spans: Sequence[QuotedSpan]) -> Line:
    ranges = dict.fromkeys(_line_range(span.start_line, span.end_line) for span in spans)
    parts = [Part(f"{path}:{','.join(ranges)}", Mark.PLACE)]
    if path != shown.page_path:
        parts.append(Part(f"  on the page {shown.page_path}", Mark.QUIET))
    return Line(tuple(parts))


def _line_range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _heading(title: str, path: Sequence[str]) -> str:
    """`Page > Section > Part`; the page's first heading is often its title and is said once."""
    names = list(path) if path and path[0] == title else [title, *path]
    return " > ".join(name for name in names if name) or "(no heading)"


def _confidence(result: Answer) -> Line:
    percent = f"{result.confidence * 100:.0f} %"
    if result.confidence >= _HIGH:
        word, mark = "high", Mark.GOOD
    elif result.confidence >= _FAIR:
        word, mark = "fair", Mark.PLAIN
    else:
        word, mark = "low", Mark.CAUTION
    scores = f"   evidence {result.base:.2f}, floor {result.floor:.2f}"
    return Line((Part("Confidence "), Part(f"{percent} ({word})", mark), Part(scores, Mark.QUIET)))


def _more(result: Answer) -> list[Line]:
    """What answers too and is not shown."""
    if not result.more:
        return []
    lines = [BLANK, line("More in the documentation:", Mark.HEADING), *map(_named_place, result.more)]
    if result.withheld > len(result.more):
        most = min(len(result.quotes) + result.withheld, MOST_QUOTES)
        lines.append(line(f"... and {result.withheld - len(result.more):,} more: --limit {most} shows them.", indent=2))
    return lines


def _named_place(place: Related) -> Line:
    heading = Part("  " + _heading(place.title, place.heading_path))
    return Line((Part(f"{place.path}:{place.start_line}", Mark.PLACE), heading), indent=2)


def _corrections(changes: Sequence[Change]) -> list[Line]:
    return [line(f'Read "{change.before}" as "{change.after}".', Mark.CAUTION) for change in changes]


def _suggestions(result: Refusal) -> list[Line]:
    asked = [line(f'Did you mean "{change.after}" where you wrote "{change.before}"?') for change in result.suggestions]
    return [*asked, line(f"Try: {result.rewording}")] if result.rewording else asked


def _warnings(result: Answer | Refusal) -> list[Line]:
    return [line(f"Warning: {warning.message} [{warning.code}]", Mark.CAUTION) for warning in result.warnings]


def _related(places: Sequence[Related]) -> list[Line]:
    if not places:
        return []
    lines = [BLANK, line("Nearest places, not an answer:", Mark.HEADING)]
    for place in places:
        lines.append(_named_place(place))
        if place.first_words:
            lines.append(line(place.first_words, indent=4))
        words = [("has: ", place.present), ("has not: ", place.missing)]
        told = "; ".join(name + ", ".join(some) for name, some in words if some)
        lines.append(line(told, Mark.QUIET, indent=4))
    return lines


def _searched(searched: Searched) -> list[Line]:
    where = f"Searched {counted(searched.documents, 'document')}, {counted(searched.passages, 'passage')}."
    rows = [(name, value) for name, value in _searched_rows(searched) if value]
    return [line(where), *columns(rows, indent=2, marks=(Mark.QUIET,))]


def _searched_rows(searched: Searched) -> list[tuple[str, str]]:
    words = [term for term in searched.terms if term.kind not in _SHOWN_APART]
    scores = f"{searched.best:.2f}, and an answer needs {searched.floor:.2f}" if searched.passages else ""
    return [
        ("words", ", ".join(f"{term.term} ({term.documents:,})" for term in words)),
        ("in no page", ", ".join(searched.unknown)),
        ("also tried", ", ".join(searched.expanded)),
        ("left out", ", ".join(searched.dropped)),
        ("filters", ", ".join(searched.filters)),
        ("versions", ", ".join(searched.versions)),
        ("best match", scores),
    ]


def _hit(rank: int, hit: HitExplanation, floor: float) -> list[Line]:
    over = ("over the floor", Mark.GOOD) if hit.base >= floor else ("under the floor", Mark.CAUTION)
    scores = Line((Part(f"base {hit.base:.3f} "), Part(*over), Part(f"   preference {hit.preference:.3f}")), indent=4)
    parts = f"evidence {hit.evidence:.3f}: passage {hit.passage_bm25:.3f}, page {hit.page_bm25:.3f}, "
    parts += f"sentence {hit.sentence:.3f}, window {hit.window:.3f}"
    where = " > ".join(hit.heading_path)
    heading = [line(where, indent=4)] if where else []
    lacking = [line(f"has not: {', '.join(hit.missing)}", Mark.QUIET, indent=4)] if hit.missing else []
    return [
        Line((Part(f"{rank:>2}  "), Part(hit.path, Mark.PLACE))),
        *heading,
        scores,
        line(parts, Mark.QUIET, indent=4),
        *lacking,
        line(f"id {hit.passage_id}", Mark.QUIET, indent=4),
    ]


def _ranked(rank: int, shown: Quote) -> Line:
    return Line((Part(f"{rank}. ", Mark.QUIET), Part(_heading(shown.title, shown.heading_path), Mark.HEADING)))


def _preview(body: Iterable[Line]) -> list[Line]:
    rows = [row for row in body if any(part.text.strip() for part in row.parts)]
    more = [line("...", Mark.QUIET)] if len(rows) > PREVIEW_LINES else []
    return rows[:PREVIEW_LINES] + more


def _several_sources(quotes: Iterable[Quote]) -> bool:
    return len({shown.source for shown in quotes}) > 1
