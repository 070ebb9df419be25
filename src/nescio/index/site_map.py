"""Where a built site has the pages of a generation: a file beside its manifest, there only where a site was read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from nescio.index.checks import damaged

SITE_MAP = "site.json"


@dataclass(frozen=True, slots=True)
class SitePlace:
    """A page on the site: its HTML file below the site's folder, its path below the site's address, the ids of headings.

    `anchors` maps fragments of ours to the page's ids where these differ, to nothing where the page has none. `signature` is
    the file's size, times and inode when it was read; empty where it may have changed since without showing it.
    """

    file: str
    path: str
    anchors: Mapping[str, str]
    signature: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SiteMap:
    """The places by the slots of the pages that were found."""

    places: Mapping[int, SitePlace] = field(default_factory=dict)

    def encode(self) -> bytes:
        """JSON in order of slot; nothing at all where no page was found."""
        if not self.places:
            return b""
        rows = [
            [slot, place.file, place.path, dict(sorted(place.anchors.items())), list(place.signature)]
            for slot, place in sorted(self.places.items())
        ]
        return json.dumps(rows, ensure_ascii=True, separators=(",", ":")).encode("ascii")

    @classmethod
    def decode(cls, data: bytes) -> SiteMap:
        """Read `encode`'s bytes. Raises IndexFault for what is none."""
        try:
            rows = json.loads(data) if data else []
            return cls({int(slot): SitePlace(file, path, ids, tuple(signed)) for slot, file, path, ids, signed in rows})
        except (ValueError, TypeError, RecursionError) as error:
            raise damaged(f"what it says of the built site cannot be read ({error})") from error
