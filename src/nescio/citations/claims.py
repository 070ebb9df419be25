"""What somebody says stands somewhere: a citation as it is held, before anything is known of its truth."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from nescio.citations.measure import Unit


@dataclass(frozen=True, slots=True)
class Range:
    """A half-open range from 0, or lines from 1 with the last one included."""

    unit: Unit
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Piece:
    """One stretch of a file: where it is said to stand, in units that should agree, and its words if they are told."""

    ranges: tuple[Range, ...] = ()
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation. `where` says where it was read, `keys` the way to it in the JSON value on that `line` (from 1; of a file
    that is one value the first); `text` are its words as shown.

    `pieces` has one, or one for each span of a quote that is made of several. `is_loose` marks words from prose, in which
    line breaks mean nothing. `is_shown` marks text that a parser took out of markup: only its hash can be compared.
    Of a quote of several files each file's part is a citation: its ranges are those of the quote from `first_span` on, and one
    `is_aside` where the quote itself, by its path, is of another file.
    """

    where: str
    pieces: tuple[Piece, ...] = ()
    text: str | None = None
    source: str | None = None
    path: str | None = None
    page_path: str | None = None
    passage_id: str | None = None
    document_sha256: str | None = None
    quote_sha256: str | None = None
    is_loose: bool = False
    is_shown: bool = False
    line: int = 1
    keys: tuple[str | int, ...] = ()
    first_span: int = 0
    is_aside: bool = False


class Problem(StrEnum):
    """What is wrong with a citation, and why as far as that can be told. The names are stable."""

    OFF_BY_ONE = "off_by_one"  # it stands one place (one line) before or after
    MOVED = "moved"  # it stands elsewhere in its document
    UTF16_UNITS = "utf16_units"  # UTF-16 units were given as code points
    BYTES_AS_CHARACTERS = "bytes_as_characters"  # bytes were given as code points
    OTHER_UNITS = "other_units"  # the offsets are right in another unit than they say
    UNITS_DISAGREE = "units_disagree"  # right in one unit and wrong in another
    CRLF_NORMALISED = "crlf_normalised"  # line ends were made one line feed first
    BOM_DROPPED = "bom_dropped"  # the byte order mark was not counted
    NFC_NFD = "nfc_nfd"  # accents were composed or decomposed first
    WHITESPACE_CHANGED = "whitespace_changed"  # the words are right, the white space between them is not
    ELLIPSIS_DROPS_WORDS = "ellipsis_drops_words"  # its parts stand in order, with words between them
    NUMBER_CHANGED = "number_changed"  # the same but for numbers
    NEGATION_CHANGED = "negation_changed"  # the same but for not, no, never
    TEXT_CHANGED = "text_changed"  # most of its words stand there, others do not
    NOT_FOUND = "not_found"  # its words are nowhere
    OTHER_VERSION = "other_version"  # the document's hash is another now
    OTHER_SOURCE = "other_source"  # its words are in another document
    SOURCE_MISSING = "source_missing"  # there is no such document
    RANGE_OUTSIDE = "range_outside"  # the document is shorter, or a character would be cut
    ID_UNKNOWN = "id_unknown"  # no passage has this id


@dataclass(frozen=True, slots=True)
class Located:
    """Where the words of a piece are in one document.

    `found_at` is where they are, in code points, exactly or but for what `problems` say of line ends, marks, accents and white
    space; `like_at` where words stand that are nearly these. `count` is how often they are there. `distance` is how far the
    claim is from them, in its own unit, positive when it is too late. `details` are what was left out or changed, in words.
    """

    problems: tuple[Problem, ...] = ()
    found_at: tuple[int, int] | None = None
    count: int = 0
    distance: int | None = None
    like_at: tuple[int, int] | None = None
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitationCheck:
    """What became of one citation. `source` and `path` are the document that it was compared with, None where there is none.

    `found_at` is the occurrence nearest to the claim, half-open in code points, None where its words are not there; `count`
    how many there are. `found_in` names other documents that have its words, at most a few. `like_at` and `like` are where
    and what the document says instead. `lines` are those of `found_at`, else of `like_at`. `pieces_at` is where each piece of
    the citation is, empty where one is not there.
    """

    citation: Citation
    problems: tuple[Problem, ...]
    source: str | None = None
    path: str | None = None
    found_at: tuple[int, int] | None = None
    count: int = 0
    distance: int | None = None
    lines: tuple[int, int] | None = None
    found_in: tuple[str, ...] = ()
    like_at: tuple[int, int] | None = None
    like: str | None = None
    details: tuple[str, ...] = ()
    pieces_at: tuple[tuple[int, int], ...] = ()

    @property
    def is_ok(self) -> bool:
        """Whether everything that it says is so."""
        return not self.problems
