"""From one entry of a question file to a case: which keys it may have, and what is wrong with it in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nescio.errors import UsageFault
from nescio.evaluate.questions.cases import Case, Expected

MUST_REFUSE = "!"  # in front of a question that is written without more
_SHOWN_CHARACTERS = 60  # of a value, in a message


@dataclass(frozen=True, slots=True)
class Entry:
    """A value as read, with its place: the number of a line, or of an entry in a list (`unit`), from 1."""

    path: str
    unit: str
    number: int
    value: Any

    @property
    def where(self) -> str:
        """The place in words."""
        return f"{self.path}, {self.unit} {self.number}"


def case_of(entry: Entry) -> Case:
    """The case. A text is a question, `!` in front of it says that it must be refused; a map has `question`, and may have `id`,
    `answerable` (true unless given), `expect` and anything else. Raises UsageFault.
    """
    value = entry.value
    if isinstance(value, str):
        must_refuse = value.lstrip().startswith(MUST_REFUSE)
        question = value.lstrip().removeprefix(MUST_REFUSE).strip() if must_refuse else value.strip()
        return _checked(entry, Case(f"line-{entry.number}", question, not must_refuse, (), entry.number))
    if not isinstance(value, Mapping):
        raise _wrong(entry, "the entry", value, "an object with a question, or a text")
    answerable = value.get("answerable")
    if answerable is not None and not isinstance(answerable, bool):
        raise _wrong(entry, "answerable", answerable, "true or false")
    expect = tuple(_expected(entry, one) for one in _listed(entry, "expect", value.get("expect")))
    question = _text(entry, "question", value.get("question"))
    return _checked(entry, Case(_id(entry, value.get("id")), question, answerable is not False, expect, entry.number))


def _checked(entry: Entry, case: Case) -> Case:
    if not case.question.strip():
        hint = "Write the question, or remove the entry."
        raise UsageFault("questions-empty-question", f"{entry.where}: the question is empty.", hint)
    if case.expect and not case.answerable:
        raise UsageFault(
            "questions-refused-with-place",
            f"{entry.where}: {case.id!r} is not answerable and expects an answer from {case.expect[0].path!r}.",
            "Remove `expect`, or set `answerable` to true.",
        )
    return case


def _id(entry: Entry, value: Any) -> str:
    """Numbers are ids too: many sets count their questions."""
    if value is None:
        return f"line-{entry.number}"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _named(entry, "id", value)


def _expected(entry: Entry, value: Any) -> Expected:
    if not isinstance(value, Mapping):
        raise _wrong(entry, "an entry of expect", value, "an object with a path")
    path, heading = _named(entry, "path", value.get("path")), value.get("heading")
    quotes = [*_listed(entry, "quotes", value.get("quotes")), value.get("quote")]
    texts = tuple(_text(entry, "quote", one) for one in quotes if one is not None)
    found = None if heading is None else _text(entry, "heading", heading).strip()
    return Expected(path, found or None, tuple(dict.fromkeys(text for text in texts if text.strip())))


def _named(entry: Entry, key: str, value: Any) -> str:
    text = _text(entry, key, value).strip()
    if not text:
        raise _wrong(entry, key, value, "a text that is not empty")
    return text


def _text(entry: Entry, key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise _wrong(entry, key, value, "a text")
    return value


def _listed(entry: Entry, key: str, value: Any) -> list[Any]:
    if value is not None and not isinstance(value, list):
        raise _wrong(entry, key, value, "a list")
    return value or []


def _wrong(entry: Entry, key: str, value: Any, expected: str) -> UsageFault:
    hint = 'An entry is like {"question": "...", "answerable": true, "expect": [{"path": "page.md"}]}.'
    return UsageFault("questions-wrong-value", f"{entry.where}: {key} {_shown(value)}; expected: {expected}.", hint)


def _shown(value: Any) -> str:
    """What is there, as short as a message can bear. Of a list or an object only that it is one: it may be deep."""
    if value is None:
        return "is missing"
    if isinstance(value, list | Mapping):
        return "is a list" if isinstance(value, list) else "is an object"
    text = repr(value)
    return f"is {text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + '...'}"
