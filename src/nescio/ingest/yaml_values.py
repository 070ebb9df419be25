"""YAML as the plain values that people write by hand: lists, maps, texts, true and false. Nothing is shared, nothing is built.

Read event by event, so that depth costs no stack and an alias, which can make a small file grow without end, is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # in C where there is one
# YAML 1.1, as the loaders of today still read it.
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("true", "yes", "on"), True),
    **dict.fromkeys(("false", "no", "off"), False),
    **dict.fromkeys(("null", "~", ""), None),
}


class YamlError(ValueError):
    """The text is not YAML of this sort. The message says what is wrong, with its line."""


def yaml_values(text: str) -> Any:
    """The one document in `text` as lists, dicts with texts as keys, texts, booleans and None; None where there is none.

    A number or a date stays the text that was written. A local tag (`!word rest`, and a lone `!` before a text) stays in
    front of its text: somebody who writes no quotes means the exclamation mark. Raises YamlError.
    """
    try:
        return _built(yaml.parse(text, Loader=LOADER))
    except yaml.MarkedYAMLError as error:
        raise YamlError(f"{_where(error.problem_mark)}: {error.problem or error.context or 'no YAML'}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise YamlError(str(error)) from error


def _built(events: Iterator[yaml.Event]) -> Any:
    documents = 0
    root: list[Any] = []
    open_ones: list[_Open] = [_Open(root)]
    for event in events:
        if isinstance(event, yaml.AliasEvent):
            raise YamlError(f"{_where(event.start_mark)}: an alias (*{event.anchor}); write it out")
        documents += isinstance(event, yaml.DocumentStartEvent)
        if documents > 1:
            raise YamlError(f"{_where(event.start_mark)}: a second document; one is read")
        if isinstance(event, yaml.ScalarEvent):
            open_ones[-1].take(_scalar(event), event)
        elif isinstance(event, yaml.CollectionStartEvent):
            value: list[Any] | dict[str, Any] = [] if isinstance(event, yaml.SequenceStartEvent) else {}
            open_ones[-1].take(value, event)
            open_ones.append(_Open(value))
        elif isinstance(event, yaml.CollectionEndEvent):
            open_ones.pop()
    return root[0] if root else None


class _Open:
    """A list or map that is being filled."""

    def __init__(self, value: list[Any] | dict[str, Any]) -> None:
        self._value = value
        self._key: str | None = None

    def take(self, value: Any, event: yaml.Event) -> None:
        """The next item; in a map a key, then what it stands for."""
        if isinstance(self._value, list):
            self._value.append(value)
        elif self._key is not None:
            self._value[self._key] = value
            self._key = None
        elif not isinstance(event, yaml.ScalarEvent):
            raise YamlError(f"{_where(event.start_mark)}: a key that is no text")
        else:
            self._key = event.value


def _scalar(event: yaml.ScalarEvent) -> str | bool | None:
    text: str = event.value
    if event.tag is not None and event.tag.startswith("!"):
        return f"!{event.tag[1:]} {text}" if event.tag != "!" else f"!{text}"
    is_plain = event.implicit[0] and event.style in (None, "")
    return _WORDS[text.lower()] if is_plain and text.lower() in _WORDS else text


def _where(mark: Any) -> str:
    return "line ?" if mark is None else f"line {mark.line + 1}"
