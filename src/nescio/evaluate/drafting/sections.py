"""The sections of a page as sentences: each as written, to be quoted, and as read, to make a question of."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nescio.domain.candidates import Key
from nescio.domain.documents import BlockKind, Passage
from nescio.protocols import Index

LONGEST_BLOCK = 4_000  # code points; a longer paragraph is data, or hostile
LONGEST_SENTENCE = 400  # nobody reviews a longer quote
SHORTEST_SECTION = 50  # code points of prose: less is a stub that leads elsewhere
READ = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)

_MARKER = re.compile(r"[ \t>]*(?:(?:[-*+\u2022]|\d{1,3}[.)])[ \t]+)?")
_SENTENCE_END = re.compile(r"""[.!?]["')\]*]*\s+(?=[A-Z`"'(*\[<:])""")
_ABBREVIATIONS = ("e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "resp.", "no.")
_CODE_SPAN = re.compile(r"(`[^`]+`)")
_SPACE = re.compile(r"\s+")
# Markdown, reStructuredText and HTML in one: a text in one of them hardly has the marks of another.
_TIDYING = (
    (re.compile(r"!\[[^\]]{0,300}\]\([^()]{0,500}\)"), ""),
    (re.compile(r"\[([^\[\]]{1,300})\]\([^()\s]{0,500}(?:\s+\"[^\"]{0,200}\")?\)"), r"\1"),
    (re.compile(r"\[([^\[\]]{1,300})\]\[[^\[\]]{0,300}\]"), r"\1"),
    (re.compile(r"\[\^[^\[\]]{1,60}\]"), ""),
    (re.compile(r":(?:ref|doc|term|rfc|pep|wiki|commit):`~?([^`<>]{1,300}?)(?:\s*<[^<>`]{1,300}>)?`"), r"\1"),
    (re.compile(r":[a-z][a-z:+-]{0,40}:`~(?:[\w-]+\.)*([\w-]+(?:\(\))?)`"), r"`\1`"),
    (re.compile(r":[a-z][a-z:+-]{0,40}:`!?([^`<>]{1,300}?)(?:\s*<[^<>`]{1,300}>)?`"), r"`\1`"),
    (re.compile(r"``([^`]{1,300})``"), r"`\1`"),
    (re.compile(r"`([^`<>]{1,300}?)\s*<[^<>`]{1,500}>`__?"), r"\1"),
    (re.compile(r"`([^`<>]{1,300})`__?(?!\w)"), r"\1"),
)
_OUTSIDE_CODE = (
    (re.compile(r"</?[A-Za-z][^<>]{0,1000}>"), ""),
    (re.compile(r"\{[#:.%=][^{}]{0,200}\}"), ""),
    (re.compile(r"\*{1,3}"), ""),
    (re.compile(r"(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)"), ""),
    (re.compile(r"\\(?=[^\w\s])"), ""),
)
# Templates and directives that were left in the text.
_UNREAD = re.compile(r"\{\{|\{%|\}\}|%\}|::\s|\.\. |:::|\ufffd")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence. `quote` is the slice of the page, `text` what a reader sees on one line, code between backticks.

    `opens` is set on the first of a block; `listed` on those of a list's entry.
    """

    quote: str
    text: str
    opens: bool
    listed: bool


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading. `page` is the rank of its page; `source` and `path` name it."""

    page: int
    source: str
    path: str
    title: str
    headings: tuple[str, ...]
    sentences: tuple[Sentence, ...]

    @property
    def heading(self) -> str:
        """Its own heading; empty above a page's first."""
        return self.headings[-1] if self.headings else ""


def sections_of(index: Index, keys: Sequence[Key]) -> Iterator[Section]:
    """The sections of one page that have prose enough to ask of, in order. `keys` are all passages of the page."""
    group: list[Sentence] = []
    last: Passage | None = None
    for key in keys:
        passage = index.passage(key).passage
        if passage.path != passage.page_path:
            continue
        if last is not None and passage.heading_path != last.heading_path:
            yield from _section(keys[0].page, last, group)
            group = []
        group.extend(_sentences(index, passage))
        last = passage
    if last is not None:
        yield from _section(keys[0].page, last, group)


def _section(page: int, passage: Passage, sentences: Sequence[Sentence]) -> Iterator[Section]:
    if sum(len(sentence.text) for sentence in sentences) >= SHORTEST_SECTION:
        yield Section(page, passage.source, passage.page_path, passage.title, passage.heading_path, tuple(sentences))


def _sentences(index: Index, passage: Passage) -> Iterator[Sentence]:
    for kind, text in _blocks(index, passage):
        if kind not in READ or len(text) > LONGEST_BLOCK:
            continue
        listed = kind is BlockKind.LIST_ITEM
        for number, quote in enumerate(split(text)):
            if len(quote) <= LONGEST_SENTENCE and not _UNREAD.search(quote):
                yield Sentence(quote, tidy(quote), number == 0, listed)


def _blocks(index: Index, passage: Passage) -> Iterator[tuple[BlockKind, str]]:
    """Each block with its text: the slice, or what is shown for it."""
    if passage.shown is not None:
        kinds = [block.kind for block in passage.blocks]
        if len(kinds) == len(passage.shown):
            yield from zip(kinds, passage.shown, strict=True)
        return
    text = index.document(passage.document_sha256).text
    yield from ((block.kind, block.span.of(text)) for block in passage.blocks)


def split(text: str) -> Iterator[str]:
    """The sentences of a block, each an exact slice without white space, list marker or quotation mark around it."""
    start = _MARKER.match(text).end()  # type: ignore[union-attr]  # it matches the empty text
    for match in _SENTENCE_END.finditer(text, start):
        before = text[start : match.start() + 1]
        if not before.lower().endswith(_ABBREVIATIONS):
            yield from _stripped(text[start : match.end()])
            start = match.end()
    yield from _stripped(text[start:])


def _stripped(text: str) -> Iterator[str]:
    if text.strip():
        yield text.strip()


def tidy(text: str) -> str:
    """A sentence as read: markup gone, white space single, code between single backticks."""
    for pattern, instead in _TIDYING:
        text = pattern.sub(instead, text)
    parts = _CODE_SPAN.split(text)
    parts[::2] = map(_tidied, parts[::2])
    return _SPACE.sub(" ", "".join(parts)).strip()


def _tidied(text: str) -> str:
    for pattern, instead in _OUTSIDE_CODE:
        text = pattern.sub(instead, text)
    return html.unescape(text)
