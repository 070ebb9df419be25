"""The JSON Schemas of what tools give back: those of the wire format, each with room for a fault instead."""

from __future__ import annotations

from nescio.surfaces import wire
from nescio.surfaces.wire import Json

_ERROR = "error"


def output_schema(name: str) -> Json:
    """The schema of a tool whose result is the one called so in the wire format, or a fault."""
    told = wire.schema(name)
    return or_fault({key: told[key] for key in ("properties", "required", "$defs") if key in told})


def or_fault(told: Json) -> Json:
    """A schema of an object that is as told, or has a fault under `error`: clients check faults against it too."""
    error = wire.schema("fault")["properties"][_ERROR]
    rest = {"$defs": told["$defs"]} if "$defs" in told else {}
    return {
        "type": "object",
        "properties": {**told["properties"], _ERROR: error},
        "anyOf": [{"required": told["required"]}, {"required": [_ERROR]}],
        **rest,
    }
