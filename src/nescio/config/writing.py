"""How does a calibrated floor, or an allowed secret, get into the configuration file? All else is left as it stands."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from nescio.config.layers import PROJECT_NAME, table_of
from nescio.config.loading import CONFIG_NAME, Configuration
from nescio.config.model import Calibration
from nescio.config.template import template
from nescio.errors import ConfigFault
from nescio.files import write_whole

_BOM = "\ufeff"
_COMMENTED_FLOOR = "#floor = "  # as the template shows it
_PROJECT_TABLE = re.compile(r"\[ *tool *\. *nescio *\]")


def write_floor(configuration: Configuration, floor: float, evidence: Calibration) -> Path:
    """Set `floor` and the table `calibration` in the file in force, and return its path.

    Comments, order and line ends stay. Where there is no file, `nescio.toml` is made of the commented template. The file is
    replaced as a whole or not at all. Raises ConfigFault (`config-not-written`) where it is written in a way that cannot be
    edited, and the faults of reading a configuration.
    """
    file = configuration.file or configuration.root / CONFIG_NAME
    found = _read(file) if configuration.file else _new(configuration)
    values, in_project = evidence.model_dump(exclude_none=True), file.name == PROJECT_NAME
    text = _edited(found, floor, values, in_project=in_project)
    if text is None or not _says(text, _wanted(found, floor, values, in_project=in_project)):
        raise ConfigFault(
            "config-not-written",
            f"The floor could not be added to {file} without touching the rest of it.",
            f"Write it yourself: floor = {floor:g}",
        )
    write_whole(file, text.encode("utf-8"))
    return file


def write_allowed(configuration: Configuration, key: str, allow: Sequence[str]) -> Path:
    """Set `secrets.allow` and, unless it is empty, `secrets.key` in the file in force. As `write_floor` otherwise."""
    file = configuration.file or configuration.root / CONFIG_NAME
    found = _read(file) if configuration.file else _new(configuration)
    text = _with_secrets(found, key, allow, in_project=file.name == PROJECT_NAME)
    wanted = _parsed(found)
    holder = wanted["tool"]["nescio"] if file.name == PROJECT_NAME else wanted
    holder["secrets"] = {**holder.get("secrets", {}), **({"key": key} if key else {}), "allow": list(allow)}
    if text is None or not _says(text, wanted):
        raise ConfigFault(
            "config-not-written",
            f"The fingerprint could not be added to {file} without touching the rest of it.",
            f"Write it yourself, under [secrets]: key = {json.dumps(key)} and allow = {json.dumps(list(allow))}",
        )
    write_whole(file, text.encode("utf-8"))
    return file


def _with_secrets(text: str, key: str, allow: Sequence[str], *, in_project: bool) -> str | None:
    """The text with the key and one fingerprint a line; None where tomlkit cannot do it."""

    def change(document: Any) -> None:
        holder = document["tool"]["nescio"] if in_project else document
        if "secrets" not in holder:
            holder["secrets"] = tomlkit.table()
        listed = tomlkit.array()
        listed.extend(allow)
        if key:
            holder["secrets"]["key"] = key
        holder["secrets"]["allow"] = listed.multiline(True)

    return _changed(text, change, lambda plain: plain)


def _read(file: Path) -> str:
    table_of(file)  # raises what is wrong with it
    return file.read_bytes().decode("utf-8")


def _new(configuration: Configuration) -> str:
    """The template with the sources in force: what was asked is what will be asked."""
    sources = configuration.settings.sources
    text = template(sources[0].path) if sources else template()
    document = tomlkit.parse(text)
    for source in sources[1:]:
        document["source"].append(tomlkit.item({"path": source.path}))
    return tomlkit.dumps(document)


def _edited(text: str, floor: float, values: Mapping[str, Any], *, in_project: bool) -> str | None:
    """The text with the floor and its evidence; None where tomlkit cannot do it."""

    def change(document: Any) -> None:
        holder = document["tool"]["nescio"] if in_project else document
        holder["floor"] = floor
        _fill(holder, values)

    return _changed(text, change, lambda plain: _with_line(plain, floor, in_project=in_project))


def _changed(text: str, change: Callable[[Any], None], prepared: Callable[[str], str]) -> str | None:
    """The text as `prepared` makes it of lines that end in LF, then as `change` leaves it; its BOM and line ends stay."""
    has_bom, is_windows = text.startswith(_BOM), "\r\n" in text and "\n" not in text.replace("\r\n", "")
    plain = text.removeprefix(_BOM).replace("\r\n", "\n") if is_windows else text.removeprefix(_BOM)
    plain += "\n" if plain and not plain.endswith("\n") else ""
    try:
        document = tomlkit.parse(prepared(plain))
        change(document)
        edited = tomlkit.dumps(document)
        edited = edited if plain.endswith("\n\n") else edited.rstrip("\n") + "\n"
    except (TOMLKitError, LookupError, TypeError, ValueError, AttributeError):
        return None
    return (_BOM if has_bom else "") + (edited.replace("\n", "\r\n") if is_windows else edited)


def _fill(holder: Any, values: Mapping[str, Any]) -> None:
    """Set the table `calibration`. One that is there keeps its place and comments, and loses what is not said any more."""
    if "calibration" in holder:
        table = holder["calibration"]
        for key in [key for key in table if key not in values]:
            del table[key]
        table.update(values)
        return
    table = tomlkit.table()
    table.update(values)
    table.add(tomlkit.nl())  # what follows stands apart
    holder["calibration"] = table


def _with_line(text: str, floor: float, *, in_project: bool) -> str:
    """The text with a line for the floor where a person would write it, if there is none yet and a line there makes a floor.

    That is the template's commented line, else after the last value, before the next table's comment. Else tomlkit finds a
    place.
    """
    lines = text.split("\n")
    start = next((at + 1 for at, row in enumerate(lines) if _PROJECT_TABLE.match(row.strip())), None) if in_project else 0
    if start is None:
        return text
    end = next((at for at in range(start, len(lines)) if lines[at].lstrip().startswith("[")), len(lines))
    shown = next((at for at in range(start, end) if lines[at].startswith(_COMMENTED_FLOOR)), None)
    line = f"floor = {floor}"
    if shown is not None:
        placed = [*lines[:shown], line, *lines[shown + 1 :]]
    else:
        at = _after_values(lines, start, end)
        placed = [*lines[:at], line, *([""] if at < len(lines) and lines[at].strip() else []), *lines[at:]]
    made = "\n".join(placed)
    return made if _makes_floor(made, text, floor, in_project=in_project) else text


def _after_values(lines: Sequence[str], start: int, end: int) -> int:
    """Where the values of lines `start` to `end` are over: before the empty lines and the comment that lead to what follows."""
    at = end
    while end < len(lines) and at > start and lines[at - 1].lstrip().startswith("#"):
        at -= 1
    while at > start and not lines[at - 1].strip():
        at -= 1
    return at


def _makes_floor(made: str, text: str, floor: float, *, in_project: bool) -> bool:
    """Whether the only difference between two texts is a floor that one of them has."""
    before = _parsed(text)
    holder = before["tool"]["nescio"] if in_project else before
    if "floor" in holder:
        return False
    holder["floor"] = floor
    return _says(made, before)


def _wanted(text: str, floor: float, values: Mapping[str, Any], *, in_project: bool) -> dict[str, Any]:
    table = _parsed(text)
    holder = table["tool"]["nescio"] if in_project else table
    holder |= {"floor": floor, "calibration": dict(values)}
    return table


def _says(text: str, table: dict[str, Any]) -> bool:
    try:
        return _parsed(text) == table
    except tomllib.TOMLDecodeError:
        return False


def _parsed(text: str) -> dict[str, Any]:
    return tomllib.loads(text.removeprefix(_BOM).replace("\r\n", "\n"))
