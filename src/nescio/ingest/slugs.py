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


class Slugs:
    """Gives each heading of one page its fragment. A fragment once given is taken, also by a heading that is named like it."""

    def __init__(self, style: str) -> None:
        self._slug, self._joint = STYLES[style]
        self._taken: dict[str, int] = {}

    def take(self, title: str, explicit: str | None) -> str:
        """The fragment without `#`; empty when nothing of the title remains."""
        if explicit:
            self._taken.setdefault(explicit, 0)
            return explicit
        slug = self._slug(title)
        if not slug:
            return ""
        given = slug
        while given in self._taken:
            self._taken[slug] += 1
            given = f"{slug}{self._joint}{self._taken[slug]}"
        self._taken[given] = 0
        return given
