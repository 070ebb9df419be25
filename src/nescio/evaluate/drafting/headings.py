"""How a heading becomes a question in plain English. Text in, text out; what makes no good question gives None."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from nescio.analysis import lexicon
from nescio.evaluate.drafting.words import generic_headings, verbs, words_that_are

Written = Callable[[str], int]  # how often a word stands in the page's prose like this, apart from the start of a sentence

LONGEST_HEADING, MOST_WORDS = 90, 12
LONGEST_QUESTION = 140
SHORTEST_TITLE_WORD = 4  # letters; shorter words have no capital in many titles

_NUMBERING = re.compile(r"(?:(?:step|part|chapter|section) +)?(?:\d{1,3}|[A-Z])(?:\.\d{1,3}){0,4}[.:)] +", re.IGNORECASE)
_AFTERTHOUGHT = re.compile(r" \((?:optional|advanced|recommended|experimental|deprecated|beta|new)\)$", re.IGNORECASE)
_UNASKABLE = re.compile(r"[<>{}\[\]|=;:\\^~\u2026]|\.\.|-- | [-/\u2013\u2014] |\bvs\b|\be\.g\b", re.IGNORECASE)
_WORD = re.compile(r"[\w']+")
_FINAL = ".,;! "
_PERSONS = (
    (re.compile(r"\byourself\b", re.IGNORECASE), "myself"),
    (re.compile(r"\b(?:your|our)\b", re.IGNORECASE), "my"),
    (re.compile(r"\b(?:you|we)\b", re.IGNORECASE), "I"),
)
_DONE_WITH = ("comply", "integrate", "start", "work")  # what needs no object but what stands after "with"
_THE_ONE = re.compile(r"the \S+(?: \S+)?$")  # which one only the page knows
_PLAIN_QUESTION = re.compile(r"(?:is|are|does|do|can|should) ")


def from_heading(heading: str, written: Written) -> str | None:
    """The question that a heading answers: one as it stands, "How do I ...?" from an imperative or a gerund, and the like."""
    text = _AFTERTHOUGHT.sub("", _NUMBERING.sub("", " ".join(heading[: 2 * LONGEST_HEADING].split()), count=1)).rstrip(_FINAL)
    if not _is_askable(text):
        return None
    if text.split(" ")[0].lower() in words_that_are("asking"):
        asked = _interrogative(text, written)
    else:
        told = _told(in_sentence_case(text, written))
        asked = f"How do I {told}?" if told else None
    return asked if asked and len(asked) <= LONGEST_QUESTION else None


def _is_askable(text: str) -> bool:
    words = text.rstrip("?").split()
    if not (len(text) <= LONGEST_HEADING and text.isprintable() and 2 <= len(words) <= MOST_WORDS):
        return False
    if text.rstrip("?").lower() in generic_headings() or _UNASKABLE.search(text):
        return False
    if not words_that_are("pointing").isdisjoint(_WORD.findall(text.lower())):
        return False
    return text.count("(") == text.count(")") and text.count('"') % 2 == 0 and "/" not in words[0]


def _interrogative(text: str, written: Written) -> str | None:
    """A heading that asks. Statements that open with the same word ("When errors happen") give None."""
    first, _, rest = _as_asker(in_sentence_case(text.rstrip("?"), written)).partition(" ")
    low = first.lower()
    if text.endswith("?"):
        return f"{first[:1].upper()}{first[1:]} {rest}?" if " " in rest else None
    if rest.startswith("to ") and low in ("how", "when", "where"):
        verb = "do" if low == "how" else "should"
        told = rest.removeprefix("to ")
        return f"{first.capitalize()} {verb} I {told[0].lower()}{told[1:]}?" if told else None
    if low == "what" and _PLAIN_QUESTION.match(rest):
        return f"What {rest}?"
    if low == "how" and rest.endswith((" works", " work")) and not _PLAIN_QUESTION.match(rest):
        subject = rest.rpartition(" ")[0]
        return f"How {'do' if is_plural(subject) else 'does'} {subject} work?"
    return None


def _told(text: str) -> str | None:
    """What is done, in the words of who asks, verb first; None where the heading opens with no verb, or lacks its object."""
    words = _as_asker(text).split(" ")
    first, rest = words[0].lower(), " ".join(words[1:])
    gerund_of = base_of_gerund(first)
    base = gerund_of or first
    is_sure = verbs().get(base)
    if words[0].isupper() or is_sure is None or _lacks_object(base, words[1].lower()) or _THE_ONE.match(rest):
        return None
    is_unsure = first in words_that_are("noun-gerund") if gerund_of else not is_sure
    if (is_unsure or base in words_that_are("frame")) and words[1].lower() not in words_that_are("leading"):
        return None
    later = [_also_base(words, at) if gerund_of else words[at] for at in range(1, len(words))]
    return " ".join([base, *later]) if all(later) else None


def _lacks_object(verb: str, following: str) -> bool:
    return following in words_that_are("objectless") or (following == "with" and verb not in _DONE_WITH)


def _also_base(words: Sequence[str], at: int) -> str:
    """A later word of a gerund's heading: of a gerund beside the first its base ("creating and deleting"), if it has one."""
    is_joined = words[at - 1].lower() in ("and", "or") or (at > 1 and words[at - 1].endswith(","))
    if not (is_joined and words[at].lower().endswith("ing")):
        return words[at]
    return base_of_gerund(words[at].lower()) or ""


def base_of_gerund(word: str) -> str | None:
    """`creating` gives `create`; None for what is no gerund of a verb that is known."""
    if not word.endswith("ing"):
        return None
    stem = word.removesuffix("ing")
    undoubled = stem[:-1] if len(stem) > 2 and stem[-1] == stem[-2] else stem
    return next((base for base in (stem + "e", stem, undoubled) if base in verbs()), None)


def _as_asker(text: str) -> str:
    for pattern, instead in _PERSONS:
        text = pattern.sub(instead, text)
    return text


def in_sentence_case(text: str, written: Written) -> str:
    """Words that have a capital only for standing in a heading, without it: the first, and those of a title."""
    first, *rest = text.split(" ")
    is_title = all(not word[:1].islower() for word in rest if len(word) >= SHORTEST_TITLE_WORD)
    shown = [word.lower() if is_title and _is_common(word, written) else word for word in rest]
    return " ".join([first.lower() if first.istitle() else first, *shown])


def _is_common(word: str, written: Written) -> bool:
    """Whether a word with a capital is no name: the page has it without one mostly, or has neither and English has it."""
    low = word.lower()
    return word.istitle() and (written(low) > written(word) or (not written(word) and bool(lexicon.synonyms(low))))


def is_plural(noun: str) -> bool:
    """Whether a noun looks like a plural."""
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is"))
