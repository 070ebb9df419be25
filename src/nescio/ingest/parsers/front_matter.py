"""Front matter tells a page's title, and swallows prose when it is guessed at: it is only front matter if it parses.

A block between `---` lines is YAML, between `+++` lines TOML, when it stands at the very top and holds a mapping.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from nescio.ingest.yaml_values import LOADER

MAX_FRONT_MATTER = 65_536  # characters; real ones hold a few hundred, and YAML is slow to load

_YAML_OPEN = re.compile(r"---[ \t]*\n")
_YAML_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_TOML_OPEN = re.compile(r"\+\+\+[ \t]*\n")
_TOML_CLOSE = re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE)
_KEY = re.compile(r"^[\"']?([A-Za-z_][\w.-]{0,63})[\"']?[ \t]*[:=]", re.MULTILINE)
UNREADABLE = ()  # no text, no number and no list: whoever needs such a value has none
# What the YAML library raises on text that is not YAML, or is YAML for something that cannot be built.
_LOADER_ERRORS = (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """`values` of the block and the offset after it (`end`), where the page's text starts.

    `problem` is a notice code when a block was fenced like front matter and is none: then `end` is where reading started
    and `rule` the offset of the closing line, which is to be read as a rule and not as the underline of a heading. What it
    seems to set is UNREADABLE then.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    end: int = 0
    problem: str | None = None
    rule: int | None = None


def read_front_matter(lines: str, start: int) -> FrontMatter:
    """The front matter of a page whose text starts at `start` (after a BOM). Lines end with LF or CR LF."""
    text = lines[start : start + MAX_FRONT_MATTER].replace("\r", " ")
    for opening, closing, load, problem in (
        (_YAML_OPEN, _YAML_CLOSE, _load_yaml, "front-matter-not-yaml"),
        (_TOML_OPEN, _TOML_CLOSE, _load_toml, "front-matter-not-toml"),
    ):
        opened = opening.match(text)
        closed = closing.search(text, opened.end()) if opened else None
        if opened is None or closed is None:
            continue
        values = load(text[opened.end() : closed.start()])
        if values is None:
            unread = _unread(text[opened.end() : closed.start()])
            return FrontMatter(unread, start, problem, start + closed.start())
        return FrontMatter(values, start + closed.end())
    is_unclosed = _YAML_OPEN.match(text) or _TOML_OPEN.match(text)
    return FrontMatter(_unread(text) if is_unclosed else {}, start)


def _unread(block: str) -> dict[str, Any]:
    """The keys at the start of lines, each without its value: who a page is marked for is nobody's guess."""
    return {match[1]: UNREADABLE for match in _KEY.finditer(block)}


def title_of(values: Mapping[str, Any]) -> str:
    """The page's title as front matter gives it, or an empty string."""
    title = values.get("title")
    return " ".join(str(title).split()) if isinstance(title, str | int | float) else ""


def _load_yaml(block: str) -> dict[str, Any] | None:
    """The mapping, empty for an empty block, None when it is something else. Aliases are refused: they can grow without end."""
    try:
        if "*" in block and any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(block, Loader=LOADER)):
            return None
        loaded = yaml.load(block, Loader=LOADER)  # noqa: S506  (a safe loader)
    except _LOADER_ERRORS:
        return None
    if loaded is None:
        return {}
    return {str(key): value for key, value in loaded.items()} if isinstance(loaded, dict) else None


def _load_toml(block: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(block)
    except (ValueError, RecursionError):
        return None
