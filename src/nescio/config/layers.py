"""What was set, and where? File, environment and flags in one plain mapping, the stronger over the weaker, checked once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from nescio.config.model import Settings, scalar_kinds
from nescio.config.problems import OTHER_VARIABLES, PREFIX, unknown_variable, wrong_value
from nescio.errors import ConfigFault, NotFoundFault

PROJECT_NAME = "pyproject.toml"
_WORDS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


def table_of(file: Path) -> dict[str, Any]:
    """The settings in a file, as plain values."""
    try:
        text = file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        table = tomllib.loads(text)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFoundFault("config-not-found", f"There is no configuration file {file}.", "Run `nescio init`.") from error
    except OSError as error:
        raise ConfigFault("config-unreadable", f"{file} could not be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        message = f"{file} is not UTF-8: byte {error.start} cannot be read."
        raise ConfigFault("config-syntax", message, "Save the file as UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise _syntax_fault(file, text, str(error)) from error
    except RecursionError as error:
        raise ConfigFault("config-syntax", f"{file} is nested too deep.") from error
    if file.name != PROJECT_NAME:
        return table
    tool = table.get("tool", {})
    ours = tool.get("nescio", {}) if isinstance(tool, dict) else {}
    return ours if isinstance(ours, dict) else {"tool.nescio": ours}


def _syntax_fault(file: Path, text: str, told: str) -> ConfigFault:
    where = re.search(r"\s*\(at line (\d+), column (\d+)\)|\s*\(at end of document\)", told)
    lines = text.split("\n")
    line, column = (where[1], where[2]) if where and where[1] else (len(lines), len(lines[-1]) + 1)
    what = told[: where.start()] if where else told
    return ConfigFault("config-syntax", f"{file}, line {line}, column {column}: {what}.", "Settings are written in TOML.")


def merged(
    table: Mapping[str, Any], name: str, environ: Mapping[str, str], flags: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The values of all layers in one mapping, and where each dotted key comes from."""
    values = {key: dict(value) if isinstance(value, dict) else value for key, value in table.items()}
    origins: dict[str, str] = {}
    for key, value in values.items():
        inner = value if isinstance(value, dict) else {}
        origins |= {key: name} | {f"{key}.{deeper}": name for deeper in inner}
    for key, value, origin in (*_from_environment(environ), *_from_flags(flags)):
        section, _, field = key.rpartition(".")
        holder = values.setdefault(section, {}) if section else values
        if isinstance(holder, dict):  # else the file has something else there, which is told when all is checked
            holder[field] = value
            origins[key] = origin
    return values, origins


def _from_environment(environ: Mapping[str, str]) -> list[tuple[str, Any, str]]:
    known = scalar_kinds()
    found = []
    for variable in sorted(environ):
        if not variable.startswith(PREFIX) or variable in OTHER_VARIABLES or environ[variable] == "":
            continue
        key = variable.removeprefix(PREFIX).lower().replace("__", ".")
        if key not in known:
            raise unknown_variable(variable, known)
        found.append((key, _parsed(environ[variable], known[key]), f"environment {variable}"))
    return found


def _from_flags(flags: Mapping[str, Any]) -> list[tuple[str, Any, str]]:
    known = scalar_kinds()
    given = [
        (key, _parsed(value, known[key]) if isinstance(value, str) else value)
        for key, value in flags.items()
        if value is not None
    ]
    return [(key, value, f"flag --{key.rpartition('.')[2].replace('_', '-')}") for key, value in given]


def _parsed(text: str, kind: Any) -> Any:
    """A variable's text as what it should be; the text itself when it is not, for the check to tell."""
    try:
        if kind is bool:
            return _WORDS.get(text.lower(), text)
        return kind(text) if isinstance(kind, type) else float(text)  # a number, or else a name
    except ValueError:
        return text


def checked(values: dict[str, Any], origins: Mapping[str, str]) -> Settings:
    """The values as settings. Raises ConfigFault for the first that is wrong."""
    if "sources" in values:  # what the model calls it, and no key of the file
        message = f"There is no setting sources ({origins['sources']})."
        raise ConfigFault("config-unknown-key", message, "Did you mean source?")
    told = dict(values)
    if "source" in told:
        told["sources"] = told.pop("source")
    try:
        return Settings.model_validate(_with_tuples(told))
    except ValidationError as error:
        raise wrong_value(error.errors(include_url=False)[0], origins) from error


def _with_tuples(value: Any) -> Any:
    """Lists as tuples, since the models are strict. As deep as the settings go, no deeper."""
    if isinstance(value, dict):
        return {key: _shallow(inner) for key, inner in value.items()}
    return value


def _shallow(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return tuple(
        {key: tuple(inner) if isinstance(inner, list) else inner for key, inner in item.items()}
        if isinstance(item, dict)
        else item
        for item in value
    )
