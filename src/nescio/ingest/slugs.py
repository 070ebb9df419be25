"""The fragment that a site's generator gives to a heading."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

_NOT_GITHUB = re.compile(r"[^\w\- ]")
_NOT_PYTHON = re.compile(r"[^\w\s-]", re.ASCII)
_SPACES = re.compile(r"[-\s]+")


def _github(title: str) -> str:
    return _NOT_GITHUB.sub("", title.strip().lower()).replace(" ", "-")


def _python_markdown(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii")
    return _SPACES.sub("-", _NOT_PYTHON.sub("", plain).strip().lower())


def _docutils(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii").lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


# style -> (slug of a title, what stands between a slug and the number that tells it from an earlier one)
STYLES: dict[str, tuple[Callable[[str], str], str]] = {
    "github": (_github, "-"),
    "python-markdown": (_python_markdown, "_"),
    "docutils": (_docutils, "-"),
}
# Python-Markdown counts on from a number that is there (setup_1, setup_2), also where nothing of the title remains (_1, _2).
COUNTS_ON = "python-markdown"
_NUMBERED = re.compile(r"(.*)_(\d{1,9})$", re.ASCII | re.DOTALL)


class Slugs:
    """Gives each heading of one page its fragment. A fragment once given is taken, also by a heading that is named like it."""

    def __init__(self, style: str) -> None:
        self._slug, self._joint = STYLES[style]
        self._counts_on = style == COUNTS_ON
        self._taken: set[str] = set()
        self._last: dict[str, int] = {}  # by slug, the last number that it was given

    def take(self, title: str, explicit: str | None) -> str:
        """The fragment without `#`; empty when nothing of the title remains and the style has no name for that."""
        given = explicit or self._free(self._slug(title))
        self._taken.add(given)
        return given

    def _free(self, slug: str) -> str:
        numbered = _NUMBERED.match(slug) if self._counts_on else None
        base, number = (numbered.group(1), int(numbered.group(2))) if numbered else (slug, 0)
        given = slug
        while given in self._taken if given else self._counts_on:
            self._last[slug] = self._last.get(slug, number) + 1
            given = f"{base}{self._joint}{self._last[slug]}"
        return given
