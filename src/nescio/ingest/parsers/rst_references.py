"""What a block of reStructuredText refers to in its own file: footnotes, citations, and substitutions with their text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nescio.domain.documents import Block, BlockKind, Run
from nescio.domain.spans import Span
from nescio.ingest.parsers.footnotes import with_needs
from nescio.ingest.parsers.grouping import content_start
from nescio.ingest.parsers.rst_inline import inline_runs, title_of

_REFERENCE = re.compile(r"\[(?P<label>[#*]|#?[\w.:+-]{1,100})\]_(?![_\w])")
_SUBSTITUTION = re.compile(
    r"^[ \t]*\.\.[ \t]+\|(?P<name>[^|\s](?:[^|\r\n]{0,200}[^|\s])?)\|[ \t]+replace::[ \t]*(?P<value>[^\r\n]*)", re.MULTILINE
)
_CONTINUED = re.compile(r"(?:\r\n|\n|\r)[ \t]+[^\s.][^\r\n]*")


class References:
    """Notes what blocks refer to as they are read; `resolved` gives them what they need."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._substitutions = _substitutions(text)
        self._notes: list[tuple[str, int, int]] = []  # labels of definitions with the range of each

    def read(self, block: Block) -> Block:
        """The block with its substitutions as they read, and their definitions among what it needs."""
        if not self._substitutions or block.kind is BlockKind.CODE:
            return block
        names = [self._name(run) for run in block.runs]
        if not any(names):
            return block
        runs = tuple(self._filled(run, name) for run, name in zip(block.runs, names, strict=True))
        return with_needs(replace(block, runs=runs), {self._substitutions[name][0] for name in names if name})

    def _filled(self, run: Run, name: str) -> Run:
        return replace(run, text=self._substitutions[name][1]) if name else run

    def _name(self, run: Run) -> str:
        """The name of the substitution that the run is, or nothing."""
        span = run.span
        is_barred = self._text[span.start - 1 : span.start] == "|" and self._text[span.end : span.end + 1] == "|"
        name = _key(span.of(self._text)) if is_barred and not run.code and run.text is None else ""
        return name if name in self._substitutions else ""

    def define(self, label: str, start: int, end: int) -> None:
        """A footnote or citation whose blocks stand in a range."""
        self._notes.append((label, start, end))

    def resolved(self, blocks: Sequence[Block]) -> tuple[Block, ...]:
        """The blocks with the notes that they refer to. A label of `#` or `*` stands for the next one of these."""
        if not self._notes:
            return tuple(blocks)
        defined = self._defined(blocks)
        taken = dict.fromkeys("#*", 0)
        return tuple(self._with_notes(block, defined, taken) for block in blocks)

    def _with_notes(self, block: Block, defined: dict[str, list[Span]], taken: dict[str, int]) -> Block:
        if block.kind is BlockKind.CODE:
            return block
        needed = []
        for match in _REFERENCE.finditer(self._text, block.span.start, block.span.end):
            label = _key(match["label"])
            at = taken.get(label, 0)
            if label in taken:
                taken[label] += 1
            needed += defined.get(label, [])[at : at + 1]
        return with_needs(block, needed) if needed else block

    def _defined(self, blocks: Sequence[Block]) -> dict[str, list[Span]]:
        found: dict[str, list[Span]] = {}
        at = 0
        for label, start, end in self._notes:
            while at < len(blocks) and content_start(blocks[at]) < start:
                at += 1
            last = at
            while last < len(blocks) and content_start(blocks[last]) < end:
                last += 1
            if last > at:
                found.setdefault(_key(label), []).append(Span(blocks[at].span.start, blocks[last - 1].span.end))
                at = last
        return found


def _substitutions(text: str) -> dict[str, tuple[Span, str]]:
    """The definition and the visible text of each substitution of the file, by name."""
    found: dict[str, tuple[Span, str]] = {}
    for match in _SUBSTITUTION.finditer(text) if "replace::" in text else ():
        end = match.end()
        while goes_on := _CONTINUED.match(text, end):
            end = goes_on.end()
        first = match.start() + len(match[0]) - len(match[0].lstrip())
        shown = title_of(text, inline_runs(text, match.start("value"), end))
        if shown:
            found.setdefault(_key(match["name"]), (Span(first, first + len(text[first:end].rstrip())), shown))
    return found


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()
