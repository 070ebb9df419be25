"""Jupyter notebooks to blocks: the cells' text is decoded for reading, its ranges are those of the strings in the JSON file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NoReturn

from nescio.domain.documents import Block, BlockKind, Document, Notice, Page, Run
from nescio.domain.spans import Offsets, Span
from nescio.errors import IngestFault
from nescio.ingest.parsers.blobs import code_runs
from nescio.ingest.parsers.json_spans import JoinedStrings, JsonString, string_values
from nescio.ingest.parsers.markdown import markdown_blocks
from nescio.ingest.parsers.outline import first_title

BYTE_ORDER_MARK = "\ufeff"
# Where a cell is: at the top in format 4, in a worksheet in format 3. Two more keys lead to a line of its source.
CELL_DEPTH = {"cells": 2, "worksheets": 4}
DEEPEST_STRING = max(CELL_DEPTH.values()) + 2
SOURCES = frozenset({"source", "input"})  # format 3 has the code of a cell in `input`


def parse_notebook(document: Document) -> Page:
    """The blocks of a notebook's Markdown and code cells, in order; outputs and raw cells are left out.

    A block's `span` goes from its first to its last character in the file, `pieces` are the exact ranges of the JSON strings
    that hold it, `display` is its decoded text. Raises IngestFault `notebook-not-json` with the line where it is not.
    """
    _must_be_json(document)
    blocks: list[Block] = []
    notices: list[Notice] = []
    offsets = Offsets(document.text, document.encoding)
    for cell in _cells(document.text):
        joined = JoinedStrings(document.text, cell.source)
        if cell.kind == "code":
            blocks += _code(joined, document.text)
        elif cell.kind == "markdown":
            found, flaws = markdown_blocks(joined.text)
            blocks += [_in_file(block, joined, document.text) for block in found]
            notices += [Notice(f.code, document.path, offsets.line_of(joined.offset(f.offset)), f.message) for f in flaws]
    if not blocks:
        notices.append(Notice("notebook-without-text", document.path, 0, "no cell of this notebook holds text or code"))
    return Page(document, first_title(tuple(blocks)), tuple(blocks), notices=tuple(notices))


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell's type and the ranges of the strings that are its source."""

    kind: str
    source: tuple[Span, ...]


def _must_be_json(document: Document) -> None:
    text = document.text.removeprefix(BYTE_ORDER_MARK)
    try:
        json.loads(text, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        at = error.pos + len(document.text) - len(text)
        _refuse(document, f"{error.msg} on line {Offsets(document.text, document.encoding).line_of(at)}")
    except RecursionError:
        _refuse(document, "it is nested too deeply, from line 1 on")


def _refuse(document: Document, reason: str) -> NoReturn:
    message = f"{document.path} is no notebook: {reason}"
    raise IngestFault("notebook-not-json", message, "save the notebook again, or leave the file out with `exclude`") from None


def _cells(text: str) -> Iterator[_Cell]:
    """The cells in the order of the file."""
    for _, strings in groupby(string_values(text, DEEPEST_STRING), _cell_key):
        members = [(string.path[_depth(string) :], string.span) for string in strings]
        kind = next((span.of(text) for keys, span in members if keys == ("cell_type",)), "")
        yield _Cell(kind, tuple(span for keys, span in members if keys and keys[0] in SOURCES and len(keys) <= 2))


def _depth(string: JsonString) -> int:
    return CELL_DEPTH.get(str(string.path[0]), 0) if string.path else 0


def _cell_key(string: JsonString) -> tuple[str | int, ...]:
    return string.path[: _depth(string)]


def _code(joined: JoinedStrings, file_text: str) -> list[Block]:
    """The code of a cell as one block, blank lines at the ends left out; none when it is empty."""
    text = joined.text
    end = len(text.rstrip())
    start = text.rfind("\n", 0, end - len(text[:end].lstrip())) + 1
    runs = code_runs(text, [(start, end)]) if end > start else ()
    return [_in_file(Block(BlockKind.CODE, Span(start, end), runs), joined, file_text)] if runs else []


def _in_file(block: Block, joined: JoinedStrings, file_text: str) -> Block:
    """A block of a cell's text as a block of the file."""
    pieces = [span for span, _ in joined.spans(block.span)]
    whole = Span(pieces[0].start, pieces[-1].end)
    return replace(
        block,
        span=whole,
        runs=tuple(_within(run, whole) for found in block.runs for run in _runs_in_file(found, joined, file_text)),
        parts=tuple(_outer(part, joined) for part in block.parts),
        display=joined.text[block.span.start : block.span.end] if block.display is None else block.display,
        pieces=tuple(pieces),
        groups=tuple(replace(group, span=_outer(group.span, joined)) for group in block.groups),
        needs=tuple(_outer(span, joined) for span in block.needs),
    )


def _runs_in_file(run: Run, joined: JoinedStrings, file_text: str) -> Iterator[Run]:
    """The run, cut where the JSON strings end; one with a text of its own stays whole."""
    if run.text is not None:
        yield replace(run, span=_outer(run.span, joined))
        return
    for span, text in joined.spans(run.span):
        yield replace(run, span=span, text=None if span.of(file_text) == text else text)


def _within(run: Run, whole: Span) -> Run:
    """The run inside of its block: one without a range, at the end of a string, would stand at the start of the next string."""
    if run.span.is_within(whole):
        return run
    start, end = (min(max(at, whole.start), whole.end) for at in (run.span.start, run.span.end))
    return replace(run, span=Span(start, end))


def _outer(span: Span, joined: JoinedStrings) -> Span:
    """The range in the file from the first to the last character of `span`."""
    pieces = [piece for piece, _ in joined.spans(span)] or [Span(joined.offset(span.start), joined.offset(span.start))]
    return Span(pieces[0].start, pieces[-1].end)
