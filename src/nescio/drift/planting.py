"""Which edit has a check to find? A word of a quote becomes another of the same length."""

from __future__ import annotations

import re
from codecs import encode

_WORD = re.compile(r"[A-Za-z]{3,40}")


def word_to_change(words: str, question: str = "") -> str | None:
    """The longest word of some words that the question does not have, the first of several; then any; None without a word."""
    found = _WORD.findall(words)
    asked = question.casefold()
    free = [word for word in found if word.casefold() not in asked]
    return max(free or found, key=len, default=None)


def other_word(word: str) -> str:
    """A word of ASCII letters with each letter thirteen further, so that none stays."""
    return encode(word, "rot13")
