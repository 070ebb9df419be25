"""What is read: documents, the blocks that a parser finds in them, and the passages that they are cut into."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from nescio.domain.spans import Span

# File systems keep times no finer than this (FAT: two seconds): a file that was written so shortly before it was looked at may
# be written again and show the same times.
COARSEST_TIME_NS = 2_000_000_000
PASSAGE_ID_LENGTH = 26  # base32 characters: 130 bits, so that ids never meet by chance


class Basis(StrEnum):
    """How the text that is shown comes from the bytes that are cited."""

    VERBATIM = "verbatim"  # the bytes as they are
    DECODED = "decoded"  # entities and tags, JSON strings or UTF-16 undone
    EXTRACTED = "extracted"  # PDF, DOCX: taken out by a library


# What a text ends in that leads into the next block: code, a list, a table.
INTRODUCES = (":", "\uff1a")


class BlockKind(StrEnum):
    """What a block is. Blocks are leaves: a list is its items, a quotation or an admonition its paragraphs."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"  # the first paragraph of an item, with its marker; later ones are paragraphs
    CODE = "code"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Document:
    """One source file as given. `text` is `data` decoded with `encoding`, a BOM kept as U+FEFF, never rewritten.

    `source` is the name of the `[[source]]` it belongs to, `path` the POSIX path below that source's root as stored on disk.
    `sha256` is that of the file. Where secrets are masked, `data` and `text` are what is kept instead, of the same length in
    every unit; `masked` are the ranges, in order, and `stored_sha256` is that of `data`. Elsewhere both hashes are the same.
    """

    source: str
    path: str
    data: bytes
    text: str
    encoding: str
    sha256: str
    stored_sha256: str = ""  # left out: that of the file
    masked: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        if not self.stored_sha256:
            object.__setattr__(self, "stored_sha256", self.sha256)

    @classmethod
    def from_bytes(cls, source: str, path: str, data: bytes, encoding: str = "utf-8") -> Document:
        """Decode strictly (UnicodeDecodeError names the byte) and hash."""
        return cls(source, path, data, data.decode(encoding), encoding, hashlib.sha256(data).hexdigest())


class Signature(NamedTuple):
    """What tells a changed file from an unchanged one without reading it. Times are nanoseconds since 1970."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> Signature:
        """The four figures of a stat result."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)

    def is_settled(self, now_ns: int) -> bool:
        """Whether any write after `now_ns` must show in the times. If not, compare the content, not the signature."""
        return max(self.mtime_ns, self.ctime_ns) + COARSEST_TIME_NS < now_ns


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of visible text inside a block: what a reader sees and what is analysed. Markup between runs is masked.

    `text` is the visible text when it is not the slice itself (an entity, a JSON escape); None means the slice.
    """

    span: Span
    link: bool = False  # the text of a link
    code: bool = False  # inline code, or a code block's body
    text: str | None = None

    def visible(self, text: str) -> str:
        """What a reader sees, given the whole text that the span counts in."""
        return self.span.of(text) if self.text is None else self.text


@dataclass(frozen=True, slots=True)
class Include:
    """A directive that brings in part of another file. `target` is the path as written; `dialect` gives its base folder.

    Dialects: `fastapi` `{* *}`, `mdbook` `{{#include}}`, `snippets` `--8<--`, `sphinx` `literalinclude`/`include`.
    `lines` are 1-based inclusive pairs, empty for the whole file; `anchor` names a marked region of the file.
    """

    dialect: str
    target: str
    lines: tuple[tuple[int, int], ...] = ()
    anchor: str | None = None


class GroupKind(StrEnum):
    """What holds blocks together: what of it has to be shown where any of it is."""

    STEPS = "steps"  # an ordered list: shown from its first step
    LIST = "list"  # any other list: of bullets, definitions, options, fields
    ENTRY = "entry"  # one item of a list, or a term with its definition: all that stands in it; its first block names it
    BOX = "box"  # a label and what it is the label of: an admonition, a tab, a dropdown, a bold question, a caption


@dataclass(frozen=True, slots=True)
class Group:
    """Blocks that belong together. `span` goes from the first character of the first one to the last of the last one.

    The first block of a BOX is its label (a title, a summary, the name of a tab); it says nothing without what follows it.
    """

    kind: GroupKind
    span: Span


@dataclass(frozen=True, slots=True)
class Block:
    """A leaf of a page with its exact range.

    `span` covers whole lines from the first character of the block's first line (indentation and list marker included) to
    the last visible character (line end excluded). Inside one document, blocks are in order and do not overlap.
    `runs` are the visible stretches in order, all inside `span`.
    `parts` are the rows of a table (the first holds the header and its rule), the places where it may be cut.
    `display` is the text to show when the slice is not it (HTML, notebooks); None means the slice.
    `pieces` are the exact ranges that hold the content when the one span also covers what is not content (a notebook's JSON
    between source lines); empty means the span itself.
    `document` is the included file that the span counts in; None means the page itself.
    `groups` are those that the block stands in, the outermost first; they nest.
    `needs` are places elsewhere in the same file without which the block is not to be read: the footnotes that it refers to,
    the definition of a substitution, the header of a table that is written as an option. In order, apart, outside of `span`.
    """

    kind: BlockKind
    span: Span
    runs: tuple[Run, ...] = ()
    level: int = 0  # of a heading, 1 to 6; 0 otherwise
    title: str = ""  # of a heading: its visible words
    anchor: str | None = None  # explicit id of a heading
    parts: tuple[Span, ...] = ()
    display: str | None = None
    pieces: tuple[Span, ...] = ()
    include: Include | None = None
    document: Document | None = None
    groups: tuple[Group, ...] = ()
    needs: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """Something worth saying about a file that did not stop it from being read. `line` is 1-based, 0 for the whole file."""

    code: str
    path: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed document: its blocks in reading order. `title` is from front matter, else the first heading, else empty."""

    document: Document
    title: str
    blocks: tuple[Block, ...]
    front_matter: Mapping[str, Any] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


class PassageBlock(NamedTuple):
    """What is kept of a block to show it, or part of it.

    `rows` are the parts of a table, the first of which holds its header: it may stand before `span`, where the passage has a
    later piece of a long table. `needs` are those of the block.
    """

    kind: BlockKind
    span: Span
    rows: tuple[Span, ...] = ()
    needs: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrievable part of one document.

    `span` is the half-open range that the id is bound to; `spans` the exact ranges that make the text, in order: the span
    itself as a rule, a table's header row before it, a notebook's source lines. `blocks` are the blocks in it, in order, and
    `groups` those that they stand in, whole, in the order of their starts, the outer ones first. `path` is the file that holds
    the text, `page_path` the page that it is read on (they differ for an included file). `heading_path` goes from the page's
    first heading down to the passage's own.
    `shown` is the text to show of each block when it is not the slices joined; None means the slices.
    `place` is, of an included file, where the page includes it: an offset in the page.
    """

    source: str
    path: str
    page_path: str
    document_sha256: str
    span: Span
    spans: tuple[Span, ...]
    blocks: tuple[PassageBlock, ...]
    title: str
    heading_path: tuple[str, ...]
    anchor: str
    basis: Basis
    shown: tuple[str, ...] | None = None
    place: int | None = None
    groups: tuple[Group, ...] = ()

    @property
    def id(self) -> str:
        """Bound to source, path, content and place: any edit of the file makes another id."""
        return passage_id(self.source, self.path, self.document_sha256, self.span)


def passage_id(source: str, path: str, document_sha256: str, span: Span) -> str:
    """The first 26 characters of the base32 SHA-256 over the five parts, each ended by a NUL."""
    parts = (source, path, document_sha256, str(span.start), str(span.end))
    digest = hashlib.sha256("".join(part + "\0" for part in parts).encode("utf-8", "surrogatepass")).digest()
    return base64.b32encode(digest).decode("ascii")[:PASSAGE_ID_LENGTH].lower()
