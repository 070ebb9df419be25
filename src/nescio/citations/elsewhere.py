"""Which of many documents have these words? Each document is read once, and most are passed over by their words alone."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nescio.citations import folding
from nescio.citations.folding import View
from nescio.citations.library import Address, Library

MOST_TOLD = 3  # documents that are named for one citation
FEWEST_CHARACTERS = 8  # shorter words are in too many documents to say anything
_SPLIT = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Words that are looked for, composed and their white space made one, and those of them that stand between spaces."""

    text: str
    whole: frozenset[str]


def found_in(library: Library, texts: Iterable[str], but: Mapping[str, frozenset[Address]]) -> dict[str, list[Address]]:
    """For each text the first few documents that have its words, white space and the form of accents apart.

    `but` are the documents that it is not looked for in. Texts of a few characters are nowhere.
    """
    wanted = {text: _wanted(text) for text in texts if len(text.strip()) >= FEWEST_CHARACTERS}
    found: defaultdict[str, list[Address]] = defaultdict(list)
    for address in library.addresses() if wanted else ():
        document = library.document(address)
        if document is None:
            continue
        looked_for = [text for text in wanted if len(found[text]) < MOST_TOLD and address not in but.get(text, ())]
        for text in _those_in(document.text, {text: wanted[text] for text in looked_for}):
            found[text].append(address)
    return {text: places for text, places in found.items() if places}


def _wanted(text: str) -> _Wanted:
    read = View(text.strip(), (folding.composed, folding.spaces)).text
    return _Wanted(read, frozenset(read.split(" ")[1:-1]))


def _those_in(text: str, wanted: Mapping[str, _Wanted]) -> list[str]:
    words = set((text if text.isascii() else unicodedata.normalize("NFC", text)).split())
    likely = [name for name, one in wanted.items() if one.whole <= words]
    if not likely:
        return []
    read = _SPLIT.sub(" ", unicodedata.normalize("NFC", text))
    return [name for name in likely if wanted[name].text in read]
