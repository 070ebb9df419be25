"""Fact cards, from a configuration: made, checked, and asked by the same engine and the same floor as everything else."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from nescio.analysis.passages import passage_terms, written_words
from nescio.analysis.tokens import ANALYZER, Analyzer
from nescio.assembly.opening import rules_of
from nescio.cards.checking import Checked
from nescio.cards.checking import check as compared
from nescio.cards.collecting import Collected, collect
from nescio.cards.naming import named, section_asked
from nescio.cards.values import SOURCE, Card, Fact, Section
from nescio.cards.writing import Written, write
from nescio.config.loading import Configuration
from nescio.domain.answers import Answer, Refusal
from nescio.domain.documents import Basis, Block, BlockKind, Document, Passage, PassageBlock, Signature
from nescio.domain.rules import check_length
from nescio.domain.spans import Span
from nescio.engine import Engine
from nescio.errors import NotFoundFault
from nescio.index import facts as kept
from nescio.index.manifest import SourceRow
from nescio.index.reading import open_stored
from nescio.index.records import PageRecord, encode, texts
from nescio.index.store import Store
from nescio.index.writing import GenerationWriter, Header, NewPage
from nescio.ingest.splitter import quotable

LANGUAGE = "en"  # the words of sections are English
NO_SIGNATURE = Signature(0, 0, 0, 0)  # an index of cards lives for one question: nothing is compared with it


@dataclass(frozen=True, slots=True)
class BuiltCards:
    """The cards, and what was done with their files."""

    collected: Collected
    files: Written


@dataclass(frozen=True, slots=True)
class CheckedCards:
    """The cards as the sources make them, and how those on disk compare."""

    collected: Collected
    checked: tuple[Checked, ...]


@dataclass(frozen=True, slots=True)
class CardReply:
    """What cards say to a question.

    `card` is the one that the question names, to which the search was narrowed. `section` is set where it asks for a section of
    that, or of the only card, and for nothing else: then it is listed, and there is no `result`. Otherwise `result` is what the
    engine says. `cards` and `facts` count everything that there is.
    """

    question: str
    cards: int
    facts: int
    card: Card | None
    section: Section | None
    result: Answer | Refusal | None

    @property
    def is_answered(self) -> bool:
        """Whether there is something to read: quotes, or a section with facts."""
        return bool(self.section.facts) if self.section else isinstance(self.result, Answer)


def cards_folder(configuration: Configuration) -> Path:
    """Where the cards of a configuration are, absolute."""
    return configuration.root / configuration.settings.cards.folder


def build_cards(configuration: Configuration) -> BuiltCards:
    """Write all cards. Raises the faults of `collect`, before anything is written, and OSError."""
    collected = collect(configuration)
    return BuiltCards(collected, write(collected.cards, cards_folder(configuration)))


def check_cards(configuration: Configuration) -> CheckedCards:
    """Compare the cards on disk with the sources. Raises the faults of `collect`, and OSError."""
    collected = collect(configuration)
    folder, shown = cards_folder(configuration), configuration.settings.cards.folder.replace("\\", "/")
    return CheckedCards(collected, tuple(compared(collected.cards, folder, shown)))


def card_named(configuration: Configuration, name: str) -> Card:
    """The card of a unit, in any case of letters. Raises NotFoundFault (`card-not-found`) and the faults of `collect`."""
    cards = collect(configuration).cards
    found = next((card for card in cards if card.name.casefold() == name.casefold()), None)
    if found is None:
        raise NotFoundFault("card-not-found", f"There is no card {name}.", "Run `nescio cards list` to see which there are.")
    return found


def ask_cards(configuration: Configuration, question: str, *, limit: int | None = None) -> CardReply:
    """What the facts say to a question, as the sources have them now; the configuration's floor is the floor.

    Raises QuestionFault, and the faults of `collect`.
    """
    cards = collect(configuration).cards
    check_length(question, configuration.settings.limits.max_question_characters)
    analyzer = Analyzer(LANGUAGE)
    by_name = {card.name: card for card in cards}
    name = named(question, by_name, analyzer)
    card = by_name[name] if name else None
    only = card or (cards[0] if len(cards) == 1 else None)
    section = _asked_for(question, only, analyzer) if only else None
    result = None if section else _asked(configuration, cards, question, card, limit)
    facts = sum(1 for one in cards for _ in one.facts())
    return CardReply(question, len(cards), facts, only if section else card, section, result)


def _asked_for(question: str, card: Card, analyzer: Analyzer) -> Section | None:
    name = section_asked(question, card.name, [section.name for section in card.sections], analyzer)
    return next((section for section in card.sections if section.name == name), None)


def _asked(
    configuration: Configuration, cards: tuple[Card, ...], question: str, card: Card | None, limit: int | None
) -> Answer | Refusal:
    with engine_of(configuration, cards) as engine:
        result = engine.ask(question, limit=limit or engine.rules.limit, under=card.name if card else None)
    # The engine tells a place that is only related by its page, which is a card here; a reader wants the file.
    more = result.more if isinstance(result, Answer) else ()
    paths = {_passage(one, fact).id: fact.path for one in cards for fact in one.facts()} if result.related or more else {}
    related, more = (tuple(replace(one, path=paths[one.passage_id]) for one in some) for some in (result.related, more))
    return replace(result, related=related, more=more) if isinstance(result, Answer) else replace(result, related=related)


@contextmanager
def engine_of(configuration: Configuration, cards: tuple[Card, ...]) -> Iterator[Engine]:
    """An engine over cards: each is a page, each of its facts a passage. Its index is in a folder that goes afterwards."""
    with tempfile.TemporaryDirectory(prefix="nescio-cards-", ignore_cleanup_errors=True) as folder:
        store = Store(Path(folder))
        store.prepare()
        header = Header(ANALYZER, configuration.fingerprint(), (SourceRow(SOURCE, ".", None, None, None, "github", LANGUAGE),))
        analyzer = Analyzer(LANGUAGE)
        with GenerationWriter(store, header, None) as writer:
            for card in cards:
                writer.add(_page(card, analyzer))
            writer.commit()
        stored = open_stored(Path(folder))
        stored.open_search()
        with Engine(stored, rules_of(configuration)) as engine:
            yield engine


def _page(card: Card, analyzer: Analyzer) -> NewPage:
    """A card as a page of an index. A page needs a file of its own: that is the card's name, which is never quoted."""
    facts = list(card.facts())
    own = Document.from_bytes(SOURCE, card.name, card.name.encode("utf-8"))
    passages = [_passage(card, fact) for fact in facts]
    said = [_blocks(fact) for fact in facts]
    titles = {card.name, *(heading for passage in passages for heading in passage.heading_path)}
    words = written_words(analyzer, ((block, fact.origin.document.text) for fact in facts for block in _blocks(fact)))
    encoded = encode(
        [
            passage_terms(
                analyzer,
                [(block, fact.origin.document.text) for block in blocks],
                (fact.heading,) if fact.heading else (),  # a section's own heading is no evidence: it says the same of all
                card.name,
                card.name,
            )
            for fact, blocks in zip(facts, said, strict=True)
        ],
        [passage.id for passage in passages],
        words | analyzer.written(" ".join(titles).split()),
        kept.encoded(passages, [fact.start_line for fact in facts]),
    )
    documents = {origin.document.sha256: origin.document for origin in card.origins}
    return NewPage(
        SOURCE,
        card.name,
        encoded,
        texts(PageRecord(memoryview(encoded.record)), encoded.terms),
        (own, *documents.values()),
        NO_SIGNATURE,
        False,
        {origin.path: origin.document.sha256 for origin in card.origins},
        (),
    )


def _blocks(fact: Fact) -> list[Block]:
    """The blocks of a fact with what introduces it. A table's row is one with its header, so that it is shown whole."""
    lead, block = fact.lead, fact.block
    if lead is None:
        return [block]
    if block.kind is not BlockKind.TABLE:
        return [lead, block]
    display = None if block.display is None else f"{lead.display}\n{block.display}"
    header = lead.pieces or lead.parts  # with the rule below it
    parts, runs, pieces = (*header, *block.parts), (*lead.runs, *block.runs), (*lead.pieces, block.span)
    return [replace(block, parts=parts, runs=runs, pieces=pieces, display=display)]


def _passage(card: Card, fact: Fact) -> Passage:
    """A fact as a passage, cited where the document says it; what introduces it is a part of it."""
    document, blocks = fact.origin.document, _blocks(fact)
    has_display = any(block.display is not None for block in blocks)
    return Passage(
        source=SOURCE,
        path=fact.path,
        page_path=card.name,
        document_sha256=document.sha256,
        span=_whole(blocks),
        spans=quotable(blocks, document.text),
        blocks=tuple(PassageBlock(block.kind, block.span, block.parts) for block in blocks),
        title=card.name,
        heading_path=(fact.section, fact.heading) if fact.heading else (fact.section,),
        anchor="",
        basis=Basis.DECODED if has_display or document.encoding != "utf-8" else Basis.VERBATIM,
        shown=tuple(block.display or block.span.of(document.text) for block in blocks) if has_display else None,
    )


def _whole(blocks: list[Block]) -> Span:
    return Span(blocks[0].span.start, blocks[-1].span.end)
