"""Which paths do gitignore-style patterns name? In time that grows evenly with pattern and path, since both may be hostile."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

# What a `[[:name:]]` class stands for, in ASCII as git has it.
_NAMED_CLASSES = (
    ("alnum", "0-9A-Za-z"),
    ("alpha", "A-Za-z"),
    ("digit", "0-9"),
    ("lower", "a-z"),
    ("space", r"\s"),
    ("upper", "A-Z"),
    ("xdigit", "0-9A-Fa-f"),
)
_NEVER = "(?!)"
_ANY_FOLDERS = "(?:[^/]++/)*"


@dataclass(frozen=True, slots=True)
class Glob:
    """One pattern. `matches` takes the last name of a path when `by_name`, the whole path otherwise."""

    matches: Callable[[str], object]
    by_name: bool
    folders_only: bool
    negated: bool


@dataclass(frozen=True, slots=True)
class Globs:
    """Patterns in the order that they are tried: the last one written comes first, because it decides."""

    rules: tuple[Glob, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.rules)

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """True when `path` is named, False when it is named by a negated pattern (`!`), None when by no pattern.

        `path` is POSIX, in NFC, relative to the folder that the patterns belong to, without a slash at its end. What is named
        is the entry itself: what lies in a folder that is named is the walk's to know.
        """
        name = path[path.rfind("/") + 1 :]
        for rule in self.rules:
            if (is_folder or not rule.folders_only) and rule.matches(name if rule.by_name else path):
                return not rule.negated
        return None


def compiled(lines: Iterable[str]) -> Globs:
    """The patterns of a .gitignore's lines, or of a setting. Empty lines and comments are none. Never raises."""
    rules = [rule for rule in map(_glob, lines) if rule is not None]
    return Globs(tuple(reversed(rules)))


def _glob(line: str) -> Glob | None:
    pattern = _without_end_spaces(unicodedata.normalize("NFC", line))
    if pattern.startswith("#"):
        return None
    negated = pattern.startswith("!")
    pattern = pattern[1:] if negated else pattern
    folders_only = pattern.endswith("/")
    pattern = pattern[:-1] if folders_only else pattern
    by_name = "/" not in pattern
    pattern = pattern[1:] if pattern.startswith("/") else pattern
    return Glob(_matcher(pattern, by_name), by_name, folders_only, negated) if pattern else None


def _without_end_spaces(line: str) -> str:
    """Without the spaces at the end, except one that a backslash keeps."""
    bare = line.rstrip(" \r\n")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if backslashes % 2 and len(bare) < len(line) and line[len(bare)] == " " else bare


def _matcher(pattern: str, by_name: bool) -> Callable[[str], object]:
    if not re.search(r"[*?\[\\]", pattern):
        return pattern.__eq__
    if by_name and re.fullmatch(r"\*[^*?\[\\]+", pattern):
        return _EndsWith(pattern[1:])
    return re.compile(_path_regex(pattern.split("/")), re.DOTALL).fullmatch


@dataclass(frozen=True, slots=True)
class _EndsWith:
    """The commonest pattern, `*.ext`, without a regular expression."""

    end: str

    def __call__(self, name: str) -> bool:
        return name.endswith(self.end)


def _path_regex(segments: list[str]) -> str:
    """Stretches of segments between `**`. The first place where a stretch fits is as good as any later one, so that each but
    the last can be atomic: nothing is ever tried twice."""
    stretches: list[list[str]] = [[]]
    for segment in segments:
        if segment == "**":
            stretches.append([])
        else:
            stretches[-1].append(segment)
    first, *rest = [_stretch_regex(stretch) for stretch in stretches]
    if not rest:
        return first
    middle = [f"(?>(?:[^/]++/)*?{stretch}/)" for stretch in rest[:-1] if stretch]
    head = f"(?>{first}/)" if first else ""
    return head + "".join(middle) + (_ANY_FOLDERS + rest[-1] if rest[-1] else ".+")


def _stretch_regex(segments: list[str]) -> str:
    return "/".join(f"(?>{_segment_regex(segment)}(?=/|\\Z))" for segment in segments)


def _segment_regex(segment: str) -> str:
    """The same argument as for `**`: what follows a star may be taken where it fits first, except at the end of the name."""
    pieces: list[str] = [""]
    position = 0
    while position < len(segment):
        if segment[position] == "*":
            pieces.append("")
            position += 1
            continue
        regex, position = _one_character(segment, position)
        pieces[-1] += regex
    first, *rest = pieces
    if not rest:
        return first
    return first + "".join(f"(?>[^/]*?{piece})" for piece in rest[:-1] if piece) + "[^/]*" + rest[-1]


def _one_character(segment: str, position: int) -> tuple[str, int]:
    """The regular expression of what stands at `position`, and where the next thing starts."""
    character = segment[position]
    if character == "?":
        return "[^/]", position + 1
    if character == "[":
        return _class_regex(segment, position + 1)
    if character == "\\":
        escaped = segment[position + 1 : position + 2]
        return (re.escape(escaped) if escaped else _NEVER), position + 2
    return re.escape(character), position + 1


def _class_regex(segment: str, position: int) -> tuple[str, int]:
    """`[abc]`, `[a-z]`, `[!a]`, `[[:digit:]]`. One that is not closed, or is empty, matches nothing."""
    negated = segment[position : position + 1] in ("!", "^")
    start = position = position + negated
    items = ""
    while position < len(segment) and (segment[position] != "]" or position == start):
        item, position = _class_item(segment, position)
        items += item
    if position >= len(segment):
        return _NEVER, len(segment)
    if negated:
        return f"[^/{items}]", position + 1
    return (f"(?!/)[{items}]" if items else _NEVER), position + 1


def _class_item(segment: str, position: int) -> tuple[str, int]:
    for name, members in _NAMED_CLASSES:
        if segment.startswith(f"[:{name}:]", position):
            return members, position + len(name) + 4
    low, position = _class_character(segment, position)
    if segment[position : position + 1] != "-" or segment[position + 1 : position + 2] in ("", "]"):
        return re.escape(low), position
    high, position = _class_character(segment, position + 1)
    return (f"{re.escape(low)}-{re.escape(high)}" if low <= high else ""), position


def _class_character(segment: str, position: int) -> tuple[str, int]:
    position += segment[position] == "\\" and position + 1 < len(segment)
    return segment[position], position + 1
