"""What a tool may be called with: one table that is both its JSON Schema and what calls are checked against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nescio.errors import UsageFault
from nescio.surfaces.wire import Json

SHOWN = 40  # characters of a name that is not known: enough to find it, too few to fill an answer with


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument. `schema` has a `type` of text, whole number, number, or a list of texts or objects, and its bounds."""

    name: str
    schema: Json
    is_needed: bool = False


def input_schema(arguments: Sequence[Argument]) -> Json:
    """The JSON Schema of a tool's arguments."""
    return {
        "type": "object",
        "properties": {argument.name: argument.schema for argument in arguments},
        "required": [argument.name for argument in arguments if argument.is_needed],
        "additionalProperties": False,
    }


def read(arguments: Sequence[Argument], given: Mapping[str, Any]) -> Json:
    """The value of every argument, None where it is left out or null. Raises UsageFault (`tool-arguments`)."""
    names = [argument.name for argument in arguments]
    unknown = sorted(set(given) - set(names))
    if unknown:
        raise _wrong(f"The argument {unknown[0][:SHOWN]!r} is not known.", f"There are: {', '.join(names)}.")
    return {argument.name: _value(argument, given.get(argument.name)) for argument in arguments}


def _value(argument: Argument, value: Any) -> Any:
    if value is None:
        if argument.is_needed:
            raise _wrong(f"The argument {argument.name} is missing.", _told(argument))
        return None
    if isinstance(value, float) and argument.schema["type"] == "integer" and value.is_integer():
        value = int(value)  # JSON knows one sort of numbers, and some clients write 3.0
    if not _is_of(argument.schema, value):
        raise _wrong(f"The argument {argument.name} is not what it has to be.", _told(argument))
    return value


def _is_of(schema: Json, value: Any) -> bool:
    """Whether a value has the type and the bounds of a schema. How long a question may be is for the engine to say."""
    match schema["type"]:
        case "string":
            return isinstance(value, str) and len(value) >= schema.get("minLength", 0)
        case "integer":
            return isinstance(value, int) and _is_within(schema, value)
        case "number":
            return isinstance(value, int | float) and _is_within(schema, value)
        case "array":
            return isinstance(value, list) and all(_is_of(schema["items"], entry) for entry in value)
    return isinstance(value, dict)


def _is_within(schema: Json, value: float) -> bool:
    return not isinstance(value, bool) and schema.get("minimum", value) <= value <= schema.get("maximum", value)


def _told(argument: Argument) -> str:
    return f"{argument.name}: {argument.schema['description']}"


def _wrong(message: str, hint: str) -> UsageFault:
    return UsageFault("tool-arguments", message, hint)
