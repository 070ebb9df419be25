"""Citations in an answer that is written in Markdown: quoted words, each with a link to the file that they are from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from nescio.citations.claims import Citation, Piece, Range
from nescio.citations.measure import Unit
from nescio.domain.spans import LINE_END

_QUOTED_LINE = re.compile(r"[ \t]{0,3}>[ \t]?")
_FENCE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})")
# [label](target) with a target of one word; "words" or curly quotation marks before it, a bracket between.
_LINK = re.compile(r"\[([^\[\]\n]{0,300})\]\(<?([^\s()<>]{1,1000})>?(?:[ \t]+\"[^\"\n]{0,300}\")?\)")
_INLINE = re.compile(r"(?:\"([^\"\n]{1,5000})\"|\u201c([^\u201c\u201d\n]{1,5000})\u201d)[\s,.:]{0,8}[(\[]?(?=\[)")
_BARE = re.compile(r"^[ \t(\u2014-]{0,20}([\w./ @+-]{1,500}\.\w{1,10}):(\d{1,9})(?:-(\d{1,9}))?[)]?[ \t]*$")
_LINES = re.compile(r"^L(\d{1,9})(?:C\d{1,9})?(?:-L?(\d{1,9})(?:C\d{1,9})?)?$")
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class _Target:
    path: str | None
    lines: tuple[int, int] | None = None


def citations(text: str, name: str) -> Iterator[Citation]:
    """The citations of an answer in their order: block quotes, with the link in them or on the next line that has words, and
    words in quotation marks with a link right after. `name` is what the answer is called.

    A block quote without a link is taken to be from any document; quotation marks without one are only words.
    """
    lines = LINE_END.split(text)
    number = 0
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        if fence:
            number = _after_fence(lines, number, fence[1])
        elif _QUOTED_LINE.match(lines[number]):
            end = _after_quote(lines, number)
            yield from _block(lines, number, end, name)
            number = end
        else:
            yield from _inline(lines[number], f"{name}, line {number + 1}")
            number += 1


def _after_fence(lines: Sequence[str], start: int, fence: str) -> int:
    for number in range(start + 1, len(lines)):
        if lines[number].strip().startswith(fence) and not lines[number].strip().strip(fence[0]):
            return number + 1
    return len(lines)


def _after_quote(lines: Sequence[str], start: int) -> int:
    number = start
    while number < len(lines) and _QUOTED_LINE.match(lines[number]):
        number += 1
    return number


def _block(lines: Sequence[str], start: int, end: int, name: str) -> Iterator[Citation]:
    words = [line[match.end() :] for line in lines[start:end] if (match := _QUOTED_LINE.match(line))]
    target = None
    if words and (last := _only_target(words[-1])) is not None:
        target, words = last, words[:-1]
    if target is None:
        after = next((line for line in lines[end : end + 3] if line.strip()), "")
        target = None if _QUOTED_LINE.match(after) else _target_in(after)
    text = "\n".join(words).strip()
    if text:
        yield _citation(text, target or _Target(None), f"{name}, line {start + 1}")


def _only_target(line: str) -> _Target | None:
    """The target of a line that has nothing but a link."""
    link = _LINK.search(line)
    rest = line if link is None else line[: link.start()] + line[link.end() :]
    if link is not None and not re.sub(r"(?i)\bsource\b|\W", "", rest):
        return _target(link[2])
    return _bare(line)


def _target_in(line: str) -> _Target | None:
    link = _LINK.search(line)
    return _target(link[2]) if link is not None else _bare(line)


def _bare(line: str) -> _Target | None:
    match = _BARE.match(line)
    return None if match is None else _Target(match[1].strip(), (int(match[2]), int(match[3] or match[2])))


def _inline(line: str, where: str) -> Iterator[Citation]:
    for match in _INLINE.finditer(line):
        link = _LINK.match(line, match.end())
        if link is not None and (target := _target(link[2])).path is not None:
            yield _citation(match[1] or match[2], target, where)


def _target(link: str) -> _Target:
    """The file that a link leads to. One to another site names none."""
    address, _, fragment = link.partition("#")
    lines = _LINES.match(fragment)
    if _SCHEME.match(address) or not address:
        return _Target(None)
    path = unquote(address.partition("?")[0])
    return _Target(path, (int(lines[1]), int(lines[2] or lines[1])) if lines else None)


def _citation(text: str, target: _Target, where: str) -> Citation:
    ranges = (Range(Unit.LINES, *target.lines),) if target.lines else ()
    return Citation(where, (Piece(ranges, text),), text, path=target.path, is_loose=True)
