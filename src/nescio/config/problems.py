"""How is a wrong setting told? With its key, its value, what was expected, where it was set, and the nearest that exists."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from nescio.config.model import CardUnit, Settings, Source, scalar_kinds, tables
from nescio.domain.floors import FLOORS
from nescio.errors import ConfigFault

PREFIX = "NESCIO_"
# Variables of ours that are no settings: where the index and the configuration are is for the surfaces to know.
OTHER_VARIABLES = frozenset({"NESCIO_CONFIG", "NESCIO_INDEX"})
DEFAULT = "default"
_EXPECTED = {
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "text in quotes",
    "tuple_type": "a list",
    "model_type": "a table",
}
_EXPECTED_OF = {
    "serve.rate": "off, or a number in a second, minute, hour or day, as 120/minute",
    "serve.root_path": "a path that begins with a slash and ends without one, as /ask",
}
_FLOOR = "a number from 0 to 1, or strict, balanced or lenient"
_SHOWN_CHARACTERS = 80  # of a value, in a message


def wrong_value(error: Any, origins: Mapping[str, str]) -> ConfigFault:
    """What is wrong with one value, in words: the key, the value, what was expected, and where it was set."""
    place = tuple(error["loc"])
    if error["type"] == "extra_forbidden":
        return unknown_key(str(place[-1]), place, origins)
    if place[0] == "floor":
        return _wrong_floor(error["input"], _origin(place, origins))
    key, origin = _shown_key(place), _origin(place, origins)
    if error["type"] == "missing":
        return ConfigFault("config-missing-key", f"{key} is missing ({origin}).", "Every [[source]] needs it.")
    said = error["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
    expected = _EXPECTED.get(error["type"], _EXPECTED_OF.get(key, said))
    hint = f"Write [[{key}]], with two brackets." if place in (("sources",), ("card",)) else ""
    # Somebody may have put there what was to be kept out.
    value = "(not shown)" if place[:1] == ("secrets",) and place != ("secrets", "on_found") else _shown_value(error["input"])
    return ConfigFault("config-wrong-value", f"{key} = {value} ({origin}); expected: {expected}.", hint)


def _wrong_floor(given: Any, origin: str) -> ConfigFault:
    """A floor may be of two kinds: both are told, whichever was meant."""
    hint = _nearest(given, [floor.name for floor in FLOORS]) if isinstance(given, str) else ""
    return ConfigFault("config-wrong-value", f"floor = {_shown_value(given)} ({origin}); expected: {_FLOOR}.", hint)


def unknown_key(key: str, place: tuple[Any, ...], origins: Mapping[str, str]) -> ConfigFault:
    """A key that is no setting, with the nearest that is."""
    message = f"There is no setting {_shown_key(place)} ({_origin(place, origins)})."
    siblings = [_known_name(name) for name in _model_at(place).model_fields]
    elsewhere = {name.rpartition(".")[2]: name for name in scalar_kinds()}
    hint = f"Did you mean {elsewhere[key]}?" if key in elsewhere and key not in siblings else _nearest(key, siblings)
    return ConfigFault("config-unknown-key", message, hint)


def _nearest(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"Did you mean {near[0]}?" if near else f"Known are: {', '.join(known)}."


def _model_at(place: tuple[Any, ...]) -> type[BaseModel]:
    """The model that the last part of `place` is a field of."""
    if len(place) < 2:
        return Settings
    holders: dict[str, type[BaseModel]] = {**tables(), "card": CardUnit}
    return holders.get(place[0], Source)


def _known_name(field: str) -> str:
    return "source" if field == "sources" else field


def _shown_key(place: tuple[Any, ...]) -> str:
    """`limits.max_files`, or `path of [[source]] 2`, counted from one."""
    if len(place) > 1 and place[0] in ("sources", "card"):
        inner, table = ".".join(str(part) for part in place[2:]), f"[[{_known_name(place[0])}]] {place[1] + 1}"
        return f"{inner} of {table}" if inner else table
    return ".".join(str(part) for part in place) if place != ("sources",) else "source"


def _shown_value(value: Any) -> str:
    """A value as short as a message can bear."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "..."


def _origin(place: tuple[Any, ...], origins: Mapping[str, str]) -> str:
    keys = [".".join(str(part) for part in place[:length]) for length in range(len(place), 0, -1)]
    return next((origins[_known_name(key)] for key in keys if _known_name(key) in origins), DEFAULT)


def unknown_variable(variable: str, known: Mapping[str, Any]) -> ConfigFault:
    """A variable with our prefix that is no setting, with the nearest that is."""
    names = sorted({PREFIX + key.upper().replace(".", "__") for key in known} | OTHER_VARIABLES)
    message = f"The environment variable {variable} is no setting of nescio."
    return ConfigFault("config-unknown-variable", message, _nearest(variable, names))
