"""The pipeline on one page: a question in, an answer or a refusal out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import TracebackType

from nescio.analysis.tokens import Analyzer
from nescio.answer.quoter import Quoter, Worth
from nescio.answer.quoting import has_typographic_flag
from nescio.domain.answers import Answer, AnswerWarning, Quote, Reason, Refusal, Related, Searched
from nescio.domain.candidates import Scope
from nescio.domain.reports import Explanation, HitExplanation, Ranked, SearchResult
from nescio.errors import NotFoundFault, QuestionFault, UsageFault
from nescio.protocols import Index, PassageAt
from nescio.retrieve.question import Reader, Understood
from nescio.retrieve.ranking import Hit, Ranking, is_about_changes, rank
from nescio.retrieve.refusing import message, missing, reason_to_refuse, reworded
from nescio.retrieve.typos import Spelling

# Of a quoted file (source, path, SHA-256 as indexed): what a reader should know, if it is not as it was.
Freshness = Callable[[str, str, str], AnswerWarning | None]

CORRECTED_CONFIDENCE = 0.6  # the most that is claimed when a word was read as another
MOST_RELATED = 3
MOST_EXPLAINED = 6  # passages whose working is shown, unless more is asked for
MOST_READINGS = 3  # other words as near as the one that an unknown word was read as: the one that makes most sense is taken
ONE_IS_ENOUGH = 0.1  # lead in evidence and preference with which a quote that covers every word is shown alone
COVERED = 0.99


@dataclass(frozen=True, slots=True)
class Rules:
    """What is asked of an answer unless the caller says otherwise. Lengths count code points."""

    floor: float = 0.5
    limit: int = 3
    longest_question: int = 2_000
    most_terms: int = 64
    longest_quote: int = 1_200


@dataclass(frozen=True, slots=True)
class _Found:
    """Everything known of a question before it is decided."""

    text: str
    understood: Understood
    ranking: Ranking
    floor: float
    under: str | None


class Engine:
    """Answers questions from one generation of an index. Use one for each thread; `close` it, or use it as a context."""

    def __init__(self, index: Index, rules: Rules | None = None, freshness: Freshness | None = None) -> None:
        self.index = index
        self.rules = rules or Rules()
        self._freshness = freshness or (lambda source, path, sha256: None)
        self._quoter = Quoter(index, self.rules.longest_quote)
        self._readers = [Reader(index, Analyzer(language), lambda: self._spelling) for language in index.languages]

    @cached_property
    def _spelling(self) -> Spelling:
        return Spelling(self.index.words())

    @property
    def index_id(self) -> str:
        """What the index was built from, as one name."""
        return self.index.index_id

    def ask(
        self, question: str, *, limit: int | None = None, floor: float | None = None, under: str | None = None
    ) -> Answer | Refusal:
        """The answer in the documents' own words, or the refusal. Raises QuestionFault when the question is over a limit."""
        return self._decided(self._found(question, floor, under), self._limit(limit))

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
        hits = found.ranking.hits[: max(depth, self._limit(limit))]
        best = max((hit.evidence.mean for hit in found.ranking.hits), default=0.0)
        explained = tuple(_explained(hit, self.index.passage(hit.key), missing(found.understood, hit)) for hit in hits)
        return Explanation(self._decided(found, self._limit(limit)), best, found.ranking.standout, explained)

    def search(self, query: str, *, limit: int = 10, under: str | None = None) -> SearchResult:
        """Passages in order of evidence and preference, whole, with no floor: not answers."""
        found = self._found(query, 0.0, under)
        hits = found.ranking.hits[: self._limit(limit)]
        ranked = tuple(Ranked(self._quoter.whole(hit.key, _worth(hit)), at) for at, hit in enumerate(hits, 1))
        return SearchResult(query, ranked, self.index.index_id)

    def show(self, passage_id: str) -> Quote:
        """The passage with an id. Raises NotFoundFault when the index has none with it."""
        key = self.index.find(passage_id.strip().lower())
        if key is None:
            raise NotFoundFault(
                "passage-not-found",
                f"No passage of this index has the id {passage_id!r}.",
                "An id dies with any edit of its file: ask again, or search for the text.",
            )
        return self._quoter.whole(key)

    def close(self) -> None:
        """Let go of the index."""
        self.index.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _found(self, text: str, floor: float | None, under: str | None) -> _Found:
        self._check(text, floor)
        scope = replace(self.index.scope(under) if under else Scope(), changelogs=is_about_changes(text))
        reader = max(self._readers, key=lambda one: one.known_words(text)) if len(self._readers) > 1 else self._readers[0]
        self._check_words(reader.content_words(text))
        understood = reader.read(text)
        ranking = rank(self.index, understood, scope)
        for other in understood.alternatives[:MOST_READINGS]:
            again = reader.read(text, {other.before: other.after})
            ranked = rank(self.index, again, scope)
            if ranked.best > ranking.best:
                understood, ranking = again, ranked
        return _Found(text, understood, ranking, self.rules.floor if floor is None else floor, under)

    def _limit(self, limit: int | None) -> int:
        if limit is None:
            return self.rules.limit
        if limit < 1:
            raise UsageFault("limit-out-of-range", f"The limit is {limit}.", "Ask for at least one quote.")
        return limit

    def _check_words(self, count: int) -> None:
        if count > self.rules.most_terms:
            raise QuestionFault(
                "question-too-many-terms",
                f"The question has {count} different words, and the limit is {self.rules.most_terms}.",
                "Ask for one thing at a time, or raise limits.max_question_terms.",
            )

    def _check(self, text: str, floor: float | None) -> None:
        if floor is not None and not 0 <= floor <= 1:
            raise UsageFault("floor-out-of-range", f"The floor is {floor}.", "Give a number from 0 to 1.")
        check_length(text, self.rules.longest_question)

    def _decided(self, found: _Found, limit: int) -> Answer | Refusal:
        reason = reason_to_refuse(self.index, found.understood, found.ranking, found.floor)
        return self._answer(found, limit) if reason is None else self._refusal(found, reason)

    def _answer(self, found: _Found, limit: int) -> Answer:
        qualified = found.ranking.qualified(found.floor)
        quotes, shown = self._quotes(found, _enough(qualified, limit), limit)
        best = max(hit.base.value for hit in qualified)
        return Answer(
            question=found.text,
            confidence=min(best, CORRECTED_CONFIDENCE) if found.understood.corrections else best,
            base=best,
            floor=found.floor,
            quotes=quotes,
            related=self._related(found),
            corrections=found.understood.corrections,
            suggestions=found.understood.suggestions,
            warnings=self._warnings(quotes),
            withheld=len(qualified) - shown,
            searched=self._searched(found),
        )

    def _refusal(self, found: _Found, reason: Reason) -> Refusal:
        best = found.ranking.best
        hidden = reason is Reason.HIDDEN_BY_FILTER
        return Refusal(
            question=found.text,
            reason=reason,
            message=message(reason, found.understood, found.ranking, found.floor),
            confidence=min(best, CORRECTED_CONFIDENCE) if found.understood.corrections else best,
            base=best,
            floor=found.floor,
            related=() if hidden else self._related(found),
            corrections=found.understood.corrections,
            suggestions=found.understood.suggestions,
            warnings=(),
            searched=self._searched(found),
            rewording=self._rewording(found),
        )

    def _rewording(self, found: _Found) -> str | None:
        """The question in the documents' words, where that finds better evidence."""
        other = reworded(found.text, found.understood.suggestions)
        if other is None or len(other) > self.rules.longest_question:
            return None
        return other if self._found(other, found.floor, found.under).ranking.best > found.ranking.best else None

    def _quotes(self, found: _Found, hits: Sequence[Hit], limit: int) -> tuple[tuple[Quote, ...], int]:
        """The quotes, each text once, and how many hits they come from. What leads into a quote goes where there is no room."""
        quotes: dict[str, Quote] = {}
        for shown, hit in enumerate(hits):
            room = limit - len(quotes)
            if not room:
                return tuple(quotes.values()), shown
            made = self._quoter.quotes(found.understood.question, hit.candidate, _worth(hit))
            new = [quote for quote in made if not any(map(quote.is_within, quotes.values()))]
            quotes.update((quote.quote_sha256, quote) for quote in new[-room:])
        return tuple(quotes.values()), len(hits)

    def _related(self, found: _Found) -> tuple[Related, ...]:
        near = found.ranking.near(found.floor)
        places = ((hit.key, hit.base.value, missing(found.understood, hit)) for hit in near)
        return self._quoter.related(places, MOST_RELATED)

    def _warnings(self, quotes: Sequence[Quote]) -> tuple[AnswerWarning, ...]:
        found: list[AnswerWarning] = []
        for quoted_file in dict.fromkeys((quote.source, quote.path, quote.document_sha256) for quote in quotes):
            warning = self._freshness(*quoted_file)
            if warning is not None:
                found.append(warning)
        if any(has_typographic_flag(quote.text) for quote in quotes):
            said = "The page shows an en dash (U+2013) where a command line needs two hyphens."
            found.append(AnswerWarning("dash", said))
        return tuple(dict.fromkeys(found))

    def _searched(self, found: _Found) -> Searched:
        understood = found.understood
        return Searched(
            documents=self.index.documents,
            passages=self.index.passages,
            terms=understood.terms,
            dropped=understood.dropped,
            unknown=understood.unknown,
            expanded=understood.expanded,
            floor=found.floor,
            best=found.ranking.best,
            filters=(f"under:{found.under}",) if found.under else (),
            versions=self.index.versions,
            index_id=self.index.index_id,
        )


def check_length(text: str, longest: int) -> None:
    """Raises QuestionFault (`question-too-long`) for a question of more than `longest` code points."""
    if len(text) > longest:
        raise QuestionFault(
            "question-too-long",
            f"The question has {len(text)} characters, and the limit is {longest}.",
            "Ask in fewer words, or raise limits.max_question_characters.",
        )


def _worth(hit: Hit) -> Worth:
    return Worth(hit.base.value, hit.preference.value)


def _enough(qualified: Sequence[Hit], limit: int) -> Sequence[Hit]:
    """The hits to quote: one where it covers every word in one sentence and leads clearly, else up to `limit`."""
    if len(qualified) > 1 and qualified[0].evidence.sentence >= COVERED:
        lead = qualified[1].order[0] - qualified[0].order[0]
        if lead >= ONE_IS_ENOUGH:
            return qualified[:1]
    return qualified[:limit]


def _explained(hit: Hit, at: PassageAt, lacking: tuple[str, ...]) -> HitExplanation:
    found = hit.evidence
    return HitExplanation(
        at.passage.id,
        at.passage.source,
        at.passage.path,
        at.passage.page_path,
        at.passage.heading_path,
        found.passage_bm25,
        found.page_bm25,
        found.sentence,
        found.window,
        found.mean,
        hit.base.value,
        hit.preference.value,
        lacking,
    )
