"""Which of many documents have these words? Each document is read once, and most are passed over by their words alone."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from nescio.citations import folding
from nescio.citations.folding import View
from nescio.citations.library import Address, Library
from nescio.ingest.secrets.guarding import MASKS

MOST_TOLD = 3  # documents that are named for one citation
FEWEST_CHARACTERS = 8  # shorter words are in too many documents to say anything
_SPLIT = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Words that are looked for, composed and their white space made one, and those of them that stand between spaces.

    What may be the mask of a secret is not among those, since they are looked for where nothing is masked.
    """

    text: str
    whole: frozenset[str]
    may_be_masked: bool


def found_in(library: Library, texts: Iterable[str], but: Mapping[str, frozenset[Address]]) -> dict[str, list[Address]]:
    """For each text the first few documents that have its words, white space and the form of accents apart.

    `but` are the documents that it is not looked for in. Texts of a few characters are nowhere.
    """
    wanted = {text: _wanted(text) for text in texts if len(text.strip()) >= FEWEST_CHARACTERS}
    found: defaultdict[str, list[Address]] = defaultdict(list)
    for address in library.addresses() if wanted else ():
        looked_for = [text for text in wanted if len(found[text]) < MOST_TOLD and address not in but.get(text, ())]
        for text in _those_in(library, address, {text: wanted[text] for text in looked_for}):
            found[text].append(address)
    return {text: places for text, places in found.items() if places}


def _wanted(text: str) -> _Wanted:
    read = View(text.strip(), (folding.composed, folding.spaces)).text
    whole = frozenset(word for word in read.split(" ")[1:-1] if not MASKS.intersection(word))
    return _Wanted(read, whole, not MASKS.isdisjoint(read))


def _those_in(library: Library, address: Address, wanted: Mapping[str, _Wanted]) -> Iterator[str]:
    """Secrets are masked only where that can matter: looking for them takes longer than all else."""
    whole = library.unmasked(address) if wanted else None
    if whole is None:
        return
    words, read = _words(whole), cache(lambda: _one_spaced(whole))

    def may_be_here(one: _Wanted) -> bool:
        library.go_on()
        return one.whole <= words and (one.may_be_masked or one.text in read())

    likely = [(name, one) for name, one in wanted.items() if may_be_here(one)]
    document = library.document(address) if likely else None
    if document is None:
        return
    shown = _one_spaced(document.text)
    for name, one in likely:
        library.go_on()
        if one.text in shown:
            yield name


def _words(text: str) -> set[str]:
    return set((text if text.isascii() else unicodedata.normalize("NFC", text)).split())


def _one_spaced(text: str) -> str:
    return _SPLIT.sub(" ", unicodedata.normalize("NFC", text))
