"""A question in other words than the documents', so that the file asks for more than their own wording."""

from __future__ import annotations

import re

from nescio.analysis import lexicon
from nescio.evaluate.drafting.headings import is_plural
from nescio.evaluate.drafting.words import words_that_are

_PARTS = re.compile(r"(`[^`]*`|\s+)")
_NO_PLURAL_IN_S = ("s", "x", "y", "ch", "sh")


def reworded(question: str) -> str | None:
    """The question with one word replaced by one that means the same in software; None where there is none to replace."""
    parts = _PARTS.split(question)
    for at, part in enumerate(parts):
        word = part.rstrip("?,")
        other = _other_word(word) if word.isalpha() and word.islower() else None
        if other and other not in parts and not (at > 1 and _clashes(parts[at - 2], word, other)):
            return "".join([*parts[:at], other + part[len(word) :], *parts[at + 1 :]])
    return None


def _other_word(word: str) -> str | None:
    if word in words_that_are("not-reworded") or word.endswith(("ed", "ing")):
        return None
    sure = (other for other, weight in lexicon.synonyms(word) if weight >= lexicon.THESAURUS_WEIGHT)
    plain = [other for other in sure if other.isalpha() and other not in words_that_are("not-wanted")]
    if is_plural(word):
        return next((other + "s" for other in plain if not other.endswith(_NO_PLURAL_IN_S)), None)
    return next(iter(plain), None)


def _clashes(article: str, word: str, other: str) -> bool:
    return article.lower() in ("a", "an") and (word[0] in "aeiou") != (other[0] in "aeiou")
