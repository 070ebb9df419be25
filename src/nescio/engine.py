"""The pipeline on one page: a question in, an answer or a refusal out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import groupby, islice
from types import TracebackType

from nescio.analysis.tokens import Analyzer
from nescio.answer.focus import Focus
from nescio.answer.gathering import Gathering
from nescio.answer.pointing import suggestion
from nescio.answer.quoter import Amount, Near, Quoter
from nescio.answer.quoting import Worth
from nescio.answer.surroundings import surrounded
from nescio.answer.warning import Freshness, warnings
from nescio.domain.answers import Answer, Quote, Reason, Refusal, Related, Searched
from nescio.domain.candidates import Scope, is_changelog
from nescio.domain.reports import Explanation, Ranked, SearchResult, SourceInView
from nescio.domain.rules import Rules, Wanted, check_length, detail_of
from nescio.domain.suggestions import SUGGESTED, Suggestion
from nescio.domain.surroundings import Surroundings
from nescio.domain.views import EVERYTHING, DocsVersion, View, check_facets, chosen_version, reader_of
from nescio.errors import NotFoundFault
from nescio.protocols import Index
from nescio.retrieve.completing import Completion, Completions
from nescio.retrieve.explaining import explained
from nescio.retrieve.question import Reader, Understood
from nescio.retrieve.ranking import Hit, Ranking, covered_terms, is_about_changes, rank
from nescio.retrieve.refusing import Told, message, missing, present, reason_to_refuse, reworded
from nescio.retrieve.searching import Looked, searched
from nescio.retrieve.typos import Spelling

CORRECTED_CONFIDENCE = 0.6  # the most that is claimed when a word was read as another
MOST_RELATED = 3
MOST_MORE = 3  # places that answer too and are not quoted
MOST_EXPLAINED = 6  # passages whose working is shown, unless more is asked for
MOST_READINGS = 3  # other words as near as the one that an unknown word was read as: the one that makes most sense is taken
MOST_VERSIONS = 8  # other versions that are looked at before a refusal: each takes as long as a question of its own
KEPT_VIEWS = 8  # engines over other views that are kept at hand, with the words counted for them
KEPT_SUGGESTIONS = 1_024  # with where they lead: some hundred bytes each
COULD_BE_ELSEWHERE = frozenset({Reason.BELOW_FLOOR, Reason.UNKNOWN_WORDS, Reason.CORPUS_EMPTY})


@dataclass(frozen=True, slots=True)
class _Found:
    """Everything known of a question before it is decided."""

    text: str
    understood: Understood
    ranking: Ranking
    floor: float
    under: str | None
    reader: Reader

    @property
    def focus(self) -> Focus:
        """The question as it is looked for in what is shown."""
        return Focus(self.understood.question, self.text, self.reader.tokens)


class Engine:
    """Answers questions from one generation of an index. Use one for each thread; `close` it, or use it as a context.

    It answers from the documents of its `view`: unless made by `within`, those of the version that is asked by default, as
    every reader sees them.
    """

    def __init__(
        self, index: Index, rules: Rules | None = None, freshness: Freshness | None = None, view: View | None = None
    ) -> None:
        self._whole = index
        self.rules = rules or Rules()
        self._freshness = freshness or (lambda source, path, sha256: None)
        self.view = view or View(chosen_version(index.docs_versions, self.rules.docs_version))
        self._seen: dict[View, Engine] = {}  # the one asked last is the last; none points back here

    def within(self, *, docs_version: str | None = None, reader_view: Iterable[str] = ()) -> Engine:
        """An engine over the documents of a version (a name or an alias; None: the one asked by default) as a reader sees them.

        `reader_view` are FACET=VALUE texts: pages that are marked for other values of those facets are not there, nor are they
        counted. Whatever this engine sees, it is chosen from all documents. Both engines are closed by closing one.
        Raises NotFoundFault (`version-not-found`), UsageFault (`reader-view-syntax`, `reader-view-not-indexed`).
        """
        version = chosen_version(self._whole.docs_versions, docs_version or self.rules.docs_version)
        reader = reader_of(reader_view)
        check_facets(self._whole.facets, reader)
        return self._within(View(version, reader))

    def _within(self, view: View) -> Engine:
        if view == self.view:
            return self
        engine = self._seen.pop(view, None) or Engine(self._whole, self.rules, self._freshness, view)
        self._seen[view] = engine
        if len(self._seen) > KEPT_VIEWS:
            del self._seen[next(iter(self._seen))]
        return engine

    @cached_property
    def index(self) -> Index:
        """The index of the documents in view."""
        return self._whole.view(self.view)

    @cached_property
    def _quoter(self) -> Quoter:
        return Quoter(self.index, self.rules.longest_quote)

    @cached_property
    def _readers(self) -> Sequence[Reader]:
        index = self.index
        spelling = cache(lambda: Spelling(index.words()))
        return [Reader(index, Analyzer(language), spelling) for language in index.languages]

    @cached_property
    def _completions(self) -> Completions:
        pages = enumerate(self.index.pages_in_view())
        return Completions(self.index.headings(), frozenset(rank for rank, page in pages if is_changelog(page.path)))

    @cached_property
    def _suggestion(self) -> Callable[[Completion], Suggestion]:
        """Where a completion leads. Most are the same from one letter to the next."""
        passage = self.index.passage

        def made(one: Completion) -> Suggestion:
            return suggestion(one.text, one.kind, one.depth, passage(one.key))

        return lru_cache(maxsize=KEPT_SUGGESTIONS)(made)

    @property
    def index_id(self) -> str:
        """What the index was built from, as one name."""
        return self._whole.index_id

    @property
    def versions(self) -> tuple[DocsVersion, ...]:
        """The versions of the documents, newest first; none where they have none."""
        return self._whole.docs_versions

    @property
    def facets(self) -> tuple[str, ...]:
        """What pages may be marked for: the facets that a reader view may name."""
        return self._whole.facets

    def sources(self) -> tuple[SourceInView, ...]:
        """What of each source is in view, by name."""
        pages = self.index.pages_in_view()
        named = [version.name for version in self.versions]
        return tuple(SourceInView.of(name, list(found), named) for name, found in groupby(pages, key=lambda page: page.source))

    def ask(
        self,
        question: str,
        *,
        limit: int | None = None,
        floor: float | None = None,
        under: str | None = None,
        detail: str = "section",
    ) -> Answer | Refusal:
        """The answer in the documents' own words, or the refusal. Raises QuestionFault when the question is over a limit.

        With a `limit` so many quotes are given as there are, up to it; without, one where one is enough. `detail` is a value
        of `Detail`; raises UsageFault (`detail-unknown`) for another one.
        """
        return self._decided(self._found(question, floor, under), Wanted(limit, detail_of(detail)))

    def explain(
        self,
        question: str,
        *,
        limit: int | None = None,
        floor: float | None = None,
        under: str | None = None,
        depth: int = MOST_EXPLAINED,
    ) -> Explanation:
        """What `ask` gives, with the working: the first `depth` passages in order of preference, no floor applied."""
        found = self._found(question, floor, under)
        hits = found.ranking.hits[: max(depth, self.rules.limit_of(limit))]
        best = max((hit.evidence.mean for hit in found.ranking.hits), default=0.0)
        working = tuple(explained(hit, self.index.passage(hit.key), missing(found.understood, hit)) for hit in hits)
        return Explanation(self._decided(found, Wanted(limit)), best, found.ranking.standout, working)

    def search(self, query: str, *, limit: int = 10, under: str | None = None) -> SearchResult:
        """Passages in order of evidence and preference, whole, with no floor: not answers."""
        found = self._found(query, 0.0, under)
        hits = found.ranking.hits[: self.rules.limit_of(limit)]
        ranked = tuple(Ranked(self._quoter.whole(hit.key, _worth(hit)), at) for at, hit in enumerate(hits, 1))
        return SearchResult(query, ranked, self.index.index_id)

    def suggest(self, typed: str, *, limit: int = SUGGESTED) -> tuple[Suggestion, ...]:
        """Titles, headings and names that may be meant by what is typed so far, best first: see `retrieve.completing`.

        The first call takes longer (a tenth of a second for 20,000 headings), each further one less than a millisecond.
        """
        return tuple(map(self._suggestion, self._completions.find(typed, limit)))

    def show(self, passage_id: str) -> Quote:
        """The passage with an id, of whatever version. Raises NotFoundFault when the reader sees none with it."""
        readable = self._whole.view(View(None, self.view.reader))
        key = readable.find(passage_id.strip().lower())
        if key is None:
            raise NotFoundFault(
                "passage-not-found",
                f"No passage of this index has the id {passage_id!r}.",
                "An id dies with any edit of its file: ask again, or search for the text.",
            )
        return Quoter(readable, self.rules.longest_quote).whole(key)

    def surroundings(self, passage_id: str, lines: int) -> Surroundings:
        """The passage with an id, with at most so many lines before and after it. Raises NotFoundFault as `show` does."""
        quote = self.show(passage_id)
        return surrounded(self._whole.document(quote.document_sha256), quote, lines)

    def close(self) -> None:
        """Let go of the index."""
        self._seen.clear()
        self._whole.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _found(self, text: str, floor: float | None, under: str | None) -> _Found:
        wanted = self.rules.floor_of(floor)
        check_length(text, self.rules.longest_question)
        scope = replace(self.index.scope(under) if under else Scope(), changelogs=is_about_changes(text))
        reader = max(self._readers, key=lambda one: one.known_words(text)) if len(self._readers) > 1 else self._readers[0]
        self.rules.check_words(reader.content_words(text))
        understood = reader.read(text)
        ranking = rank(self.index, understood, scope)
        for other in understood.alternatives[:MOST_READINGS]:
            again = reader.read(text, {other.before: other.after})
            ranked = rank(self.index, again, scope)
            if ranked.best > ranking.best:
                understood, ranking = again, ranked
        return _Found(text, understood, ranking, wanted, under, reader)

    def _decided(self, found: _Found, wanted: Wanted) -> Answer | Refusal:
        reason = self._reason(found)
        if reason is None:
            return self._answer(found, wanted)
        if self.view == EVERYTHING or reason not in COULD_BE_ELSEWHERE:
            return self._refusal(found, reason)
        if self.view.reader and self._answers(found, View(self.view.version)):
            return self._refusal(found, Reason.HIDDEN_BY_FILTER)
        others = self._other_versions(found)
        return self._refusal(found, Reason.OTHER_VERSION if others else reason, others)

    def _reason(self, found: _Found) -> Reason | None:
        return reason_to_refuse(self.index, found.understood, found.ranking, found.floor)

    def _answers(self, found: _Found, view: View) -> bool:
        """Whether another view has an answer."""
        other = self._within(view)
        try:
            return other._reason(other._found(found.text, found.floor, found.under)) is None
        except NotFoundFault:  # it has nothing of the part that was asked for
            return False

    def _other_versions(self, found: _Found) -> tuple[str, ...]:
        """The first few versions that have an answer, newest first."""
        others = (version.name for version in self.versions if version.name != self.view.version)
        looked_at = islice(others, MOST_VERSIONS)
        return tuple(name for name in looked_at if self._answers(found, View(name, self.view.reader)))

    def _answer(self, found: _Found, wanted: Wanted) -> Answer:
        qualified = found.ranking.qualified(found.floor)
        quotes, rest = self._quotes(found, qualified, wanted)
        best = max(hit.base.value for hit in qualified)
        return Answer(
            question=found.text,
            confidence=min(best, CORRECTED_CONFIDENCE) if found.understood.corrections else best,
            base=best,
            floor=found.floor,
            quotes=quotes,
            related=() if rest else self._related(found),
            corrections=found.understood.corrections,
            suggestions=found.understood.suggestions,
            warnings=warnings(quotes, self._freshness),
            withheld=len(rest),
            searched=self._searched(found),
            more=self._places(found, rest, MOST_MORE, with_words=False),
        )

    def _refusal(self, found: _Found, reason: Reason, others: tuple[str, ...] = ()) -> Refusal:
        best = found.ranking.best
        hidden = reason is Reason.HIDDEN_BY_FILTER
        said = Told(found.understood, found.ranking, found.floor, self.view.version, others)
        return Refusal(
            question=found.text,
            reason=reason,
            message=message(reason, said),
            confidence=min(best, CORRECTED_CONFIDENCE) if found.understood.corrections else best,
            base=best,
            floor=found.floor,
            related=() if hidden else self._related(found),
            corrections=found.understood.corrections,
            suggestions=found.understood.suggestions,
            warnings=(),
            searched=self._searched(found),
            rewording=self._rewording(found),
            other_versions=others,
        )

    def _rewording(self, found: _Found) -> str | None:
        """The question in the documents' words, where that finds better evidence."""
        other = reworded(found.text, found.understood.suggestions)
        if other is None or len(other) > self.rules.longest_question:
            return None
        return other if self._found(other, found.floor, found.under).ranking.best > found.ranking.best else None

    def _quotes(self, found: _Found, hits: Sequence[Hit], wanted: Wanted) -> tuple[tuple[Quote, ...], list[Hit]]:
        """The quotes, each text once, and the hits that none of them shows."""
        focus = found.focus
        gathering = Gathering(focus, self.rules.limit_of(wanted.limit), all_of_them=wanted.limit is not None)
        rest: list[Hit] = []
        pages: set[int] = set()
        for hit in hits:
            held = covered_terms(found.understood.question, hit.candidate)
            if gathering.wants(held):
                gathering.take(self._quoter.quote(hit.key, focus, _worth(hit), Amount.of(wanted)), held)
                pages.add(hit.key.page)
            else:
                rest.append(hit)
        quotes = tuple(gathering.quotes)
        return quotes, [hit for hit in rest if hit.key.page not in pages or not self._quoter.is_shown(hit.key, quotes)]

    def _related(self, found: _Found) -> tuple[Related, ...]:
        return self._places(found, found.ranking.near(found.floor), MOST_RELATED, with_words=True)

    def _places(self, found: _Found, hits: Sequence[Hit], most: int, *, with_words: bool) -> tuple[Related, ...]:
        words = found.understood
        near = (Near(hit.key, hit.base.value, present(words, hit), missing(words, hit)) for hit in hits)
        return self._quoter.related(near, most, with_words=with_words)

    def _searched(self, found: _Found) -> Searched:
        under = (f"under:{found.under}",) if found.under else ()
        filters = (*under, *(f"reader_view:{one}" for one in self.view.reader_view))
        looked = Looked(self.index, filters, self.view.version)
        return searched(found.understood, found.ranking, found.floor, looked)


def _worth(hit: Hit) -> Worth:
    return Worth(hit.base.value, hit.preference.value)
