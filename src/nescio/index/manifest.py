"""The table of contents of one generation: which pages it has, and where their records and bytes are kept."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from operator import attrgetter
from typing import Any, NamedTuple

from nescio.domain.documents import Signature
from nescio.domain.views import DocsVersion
from nescio.errors import IndexFault
from nescio.index.checks import Check, damaged

FORMAT = 5  # of everything below the index folder; a change that older code cannot read makes it one more

INDEX_ID_LENGTH = 32  # hexadecimal digits: 128 bits


class Blob(NamedTuple):
    """The bytes of a file, kept once however many pages use them. `pack` names the file, `offset` and `length` are bytes.

    `stored` is their own SHA-256 where secrets are masked in them, else empty: they have the file's. `masked` are the ranges.
    """

    pack: str
    offset: int
    length: int
    encoding: str
    stored: str = ""
    masked: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PageRow:
    """One page. `slot` is unique among all pages that this index ever had; `pack`, `offset`, `length` find its record.

    `tokens` is the sum of its passages' lengths in terms, `page_length` its own. `used` maps the files that it includes, by
    path below the include root, to their SHA-256, or to None for one that was not there. Where `is_settled`, the same signature
    again means the same bytes; else the file was written within a clock's tick of being read. `notices` are (code, line,
    message). `version` is None for a page of all versions; `marks` are what it is meant for, see `domain.views`. `site_path` is
    where the site has it by its generator's rule, below the source's `site_url`; `site_name` is what its front matter says.
    """

    source: str
    path: str
    sha256: str
    slot: int
    pack: str
    offset: int
    length: int
    passages: int
    tokens: int
    page_length: int
    signature: Signature
    is_settled: bool
    used: Mapping[str, str | None]
    notices: tuple[tuple[str, int, str], ...]
    version: str | None = None
    marks: Mapping[str, Sequence[str]] = field(default_factory=dict)
    site_path: str = ""
    site_name: str = ""

    @property
    def address(self) -> tuple[str, str]:
        """Source and path: what a page is told apart by, and what the order of pages is by."""
        return self.source, self.path


_CHECK = b',"check":'  # the last entry
PAGE_FIELDS = tuple(one.name for one in fields(PageRow))
_PAGE_VALUES = attrgetter(*PAGE_FIELDS)


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source as it was configured when the index was built. `path` is relative to the configuration's folder if it can be."""

    name: str
    path: str
    version: str | None
    site_url: str | None
    edit_uri: str | None
    slug: str
    language: str
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """A generation. `pages` are in order of address. `dead` counts passages that the search index still holds though their
    pages went; `configuration` is the fingerprint of what was configured; `next_slot` has never been given; `files` are the
    checks of the other files of the generation; `facets` are those that pages may be marked for.
    """

    format: int
    analyzer: str
    configuration: str
    sources: tuple[SourceRow, ...]
    pages: tuple[PageRow, ...]
    blobs: Mapping[str, Blob]
    dead: int
    next_slot: int
    files: Mapping[str, Check]
    index_id: str
    facets: tuple[str, ...] = ()
    docs_versions: tuple[DocsVersion, ...] = ()

    @property
    def packs(self) -> frozenset[str]:
        """The names of the packs that hold its records and bytes."""
        return frozenset({row.pack for row in self.pages} | {blob.pack for blob in self.blobs.values()})

    def encode(self) -> bytes:
        """JSON: pages as rows without their names, because there are many; at the end a CRC-32 of what it is without that."""
        said = {
            "format": self.format,
            "analyzer": self.analyzer,
            "configuration": self.configuration,
            "index_id": self.index_id,
            "sources": [asdict(source) for source in self.sources],
            "pages": list(map(_PAGE_VALUES, self.pages)),
            "blobs": self.blobs,
            "dead": self.dead,
            "next_slot": self.next_slot,
            "files": self.files,
            "facets": self.facets,
            "docs_versions": [asdict(version) for version in self.docs_versions],
        }
        told = json.dumps(said, ensure_ascii=True, separators=(",", ":")).encode("ascii")
        return told[:-1] + _CHECK + b"%d}" % zlib.crc32(told)

    @classmethod
    def decode(cls, data: bytes) -> Manifest:
        """Read `encode`'s bytes. Raises IndexFault for another format and for what is no manifest."""
        try:
            said = json.loads(data)
            if said["format"] != FORMAT:
                raise IndexFault(
                    "index-format",
                    f"The index has format {said['format']}, and this nescio reads format {FORMAT}.",
                    "Build it again: nescio build.",
                )
            _verify(data)
            return cls(
                said["format"],
                said["analyzer"],
                said["configuration"],
                tuple(SourceRow(**row) for row in said["sources"]),
                tuple(map(_page, said["pages"])),
                {sha256: _blob(*row) for sha256, row in said["blobs"].items()},
                said["dead"],
                said["next_slot"],
                {name: (size, checksum) for name, (size, checksum) in said["files"].items()},
                said["index_id"],
                tuple(said["facets"]),
                tuple(DocsVersion(row["name"], tuple(row["aliases"]), row["is_default"]) for row in said["docs_versions"]),
            )
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
            raise damaged(f"its manifest cannot be read ({error})") from error


def _verify(data: bytes) -> None:
    told, mark, ending = data.rpartition(_CHECK)
    if not mark or ending != b"%d}" % zlib.crc32(told + b"}"):
        raise damaged("its manifest is not as it was written")


def identity(header: tuple[str, str], versions: Iterable[DocsVersion], pages: Iterable[PageRow]) -> str:
    """The index_id: the same for the same documents, configuration, analyzer and format, wherever and however they were built.

    `header` are the analyzer and the configuration's fingerprint, `pages` in order of address. Which versions there are counts,
    since a file beside the pages may name them.
    """
    named = (part for version in versions for part in (version.name, *version.aliases, str(version.is_default)))
    digest = hashlib.sha256("".join(part + "\0" for part in (str(FORMAT), *header, *named)).encode())
    for page in pages:
        used = sorted((path, sha256 or "") for path, sha256 in page.used.items())
        parts = (page.source, page.path, page.sha256, *(part for pair in used for part in pair))
        digest.update("".join(part + "\0" for part in parts).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:INDEX_ID_LENGTH]


def _blob(pack: str, offset: int, length: int, encoding: str, stored: str, masked: list[list[int]]) -> Blob:
    return Blob(pack, offset, length, encoding, stored, tuple((start, end) for start, end in masked))


def _page(row: list[Any]) -> PageRow:
    *plain, signature, is_settled, used, notices, version, marks, site_path, site_name = row
    made: Callable[..., PageRow] = PageRow  # by position: there are many
    site = site_path, site_name
    return made(*plain, Signature(*signature), is_settled, used, tuple(map(tuple, notices)), version, marks, *site)


def ordered(pages: Iterable[PageRow]) -> tuple[PageRow, ...]:
    """Pages in order of address."""
    return tuple(sorted(pages, key=lambda page: page.address))
