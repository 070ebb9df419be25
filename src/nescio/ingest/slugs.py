"""The fragment that a site's generator gives to a heading."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

_NOT_PYTHON = re.compile(r"[^\w\s-]", re.ASCII)
_SPACES = re.compile(r"[-\s]+")
_NOT_DOCUTILS = re.compile(r"[^a-z0-9]+")
_DOCUTILS_ENDS = re.compile(r"^[-0-9]+|-+$")
# Letters that Unicode does not take apart, as docutils writes them.
_DOCUTILS_LETTERS = str.maketrans(
    {"ß": "sz", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ħ": "h", "ı": "i", "ł": "l", "ŧ": "t", "ƀ": "b", "ȷ": "j"}
)
# What GitHub takes for a part of a word: letters, marks, digits and connectors (`\p{Word}`), beside the space and the hyphen.
_WORD_CATEGORIES = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc"})
_CIRCLED_LETTERS = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))  # symbols, and alphabetic


@lru_cache(maxsize=4096)
def _is_of_a_word(character: str) -> bool:
    code = ord(character)
    in_circle = any(first <= code <= last for first, last in _CIRCLED_LETTERS)
    return character in " -" or in_circle or unicodedata.category(character) in _WORD_CATEGORIES


def _github(title: str) -> str:
    return "".join(filter(_is_of_a_word, title.strip().lower())).replace(" ", "-")


def _python_markdown(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii")
    return _SPACES.sub("-", _NOT_PYTHON.sub("", plain).strip().lower())


def _docutils(title: str) -> str:
    letters = title.lower().translate(_DOCUTILS_LETTERS)
    plain = unicodedata.normalize("NFKD", letters).encode("ascii", "ignore").decode("ascii")
    return _DOCUTILS_ENDS.sub("", _NOT_DOCUTILS.sub("-", plain))


@dataclass(frozen=True, slots=True)
class Style:
    """How a generator makes fragments.

    `joint` stands between a slug and the number that tells it from an earlier one. A generator may number instead all that
    have no slug of their own (`shared`, which the number follows), go on from a number that is there (`counts_on`), number
    also where nothing of the title remains (`numbers_empty`), not see that a fragment given by hand is taken
    (`ignores_explicit`), or see those of the whole page before it makes one (`reserves_explicit`).
    """

    slug: Callable[[str], str]
    joint: str = "-"
    shared: str = ""
    counts_on: bool = False
    numbers_empty: bool = False
    ignores_explicit: bool = False
    reserves_explicit: bool = False


STYLES: dict[str, Style] = {
    "github": Style(_github),
    "python-markdown": Style(_python_markdown, joint="_", counts_on=True, numbers_empty=True, reserves_explicit=True),
    "sphinx": Style(_docutils, shared="id", numbers_empty=True),
    "docusaurus": Style(_github, ignores_explicit=True),
}
_NUMBERED = re.compile(r"(.*)_(\d{1,9})$", re.ASCII | re.DOTALL)


class Slugs:
    """Gives each heading of one page its fragment. A fragment once given is taken, also by a heading that is named like it.

    `explicit` are the fragments that are given by hand anywhere on the page.
    """

    def __init__(self, style: str, explicit: Iterable[str] = ()) -> None:
        self._style = STYLES[style]
        self._taken = set(explicit) if self._style.reserves_explicit else set()
        self._last: dict[str, int] = {}  # by what is numbered, the last number that it was given

    def take(self, title: str, explicit: str | None) -> str:
        """The fragment without `#`; empty when nothing of the title remains and the style has no name for that."""
        if explicit:
            if not self._style.ignores_explicit:
                self._taken.add(explicit)
            return explicit
        given = self._free(self._style.slug(title))
        self._taken.add(given)
        return given

    def _free(self, slug: str) -> str:
        style = self._style
        numbered = _NUMBERED.match(slug) if style.counts_on else None
        base, number = (numbered.group(1), int(numbered.group(2))) if numbered else (slug, 0)
        before = style.shared or f"{base}{style.joint}"
        counted = style.shared or slug
        given = slug
        while given in self._taken or (not given and style.numbers_empty):
            self._last[counted] = self._last.get(counted, number) + 1
            given = f"{before}{self._last[counted]}"
        return given
