"""What does a new nescio.toml look like? Made from the settings' own descriptions and defaults, so that it cannot go stale."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from nescio.config.model import SECTIONS, Cards, Check, Gaps, Limits, Secrets, Settings, Source
from nescio.config.serving import Serve

_HEAD = (
    "# Settings of nescio. A line that starts with # and a space explains;",
    "# one that starts with # and a name shows a setting at its default (or an example): take the # away and change it.",
    "# A flag overrides an environment variable (NESCIO_FLOOR, NESCIO_LIMITS__MAX_FILES), and that overrides this file.",
)


def template(docs: str = "docs") -> str:
    """The text of a commented nescio.toml whose one source is the folder `docs`. It loads as the defaults."""
    general = [name for name in Settings.model_fields if name not in SECTIONS]
    sections = [
        "\n".join(_HEAD),
        _section("", Settings, general),
        _section("[limits]", Limits, list(Limits.model_fields)),
        _section("[gaps]", Gaps, list(Gaps.model_fields)),
        _section("[secrets]", Secrets, list(Secrets.model_fields)),
        _section("[check]", Check, list(Check.model_fields)),
        _section("[serve]", Serve, list(Serve.model_fields)),
        f"# {Settings.model_fields['sources'].description} Add a [[source]] for each.",
        _section("[[source]]", Source, list(Source.model_fields), {"path": docs}),
        _section("[cards]", Cards, list(Cards.model_fields)),
    ]
    return "\n\n".join(sections) + "\n"


def _section(header: str, model: type[BaseModel], names: list[str], values: dict[str, Any] | None = None) -> str:
    entries = [_entry(name, model.model_fields[name], values or {}) for name in names]
    return "\n".join([header, *entries] if header else entries)


def _entry(name: str, field: FieldInfo, values: dict[str, Any]) -> str:
    """A setting under its description; as a comment unless `values` has it."""
    if name in values:
        return f"# {field.description}\n{name} = {_toml(values[name])}"
    shown = field.examples[0] if field.examples else field.default
    return f"# {field.description}\n#{name} = {_toml(shown)}"


def _toml(value: Any) -> str:
    """A value in TOML. Its strings are JSON's, but for DEL, which TOML wants escaped."""
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(name)} = {_toml(inner)}" for name, inner in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
