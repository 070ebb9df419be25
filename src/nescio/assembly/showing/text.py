"""From the visible runs of a block to text as a reader sees it: white space collapsed, only the line ends that are seen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from nescio.domain.display import ShownRun
from nescio.domain.documents import Block, Run
from nescio.domain.spans import LINE_END, Span

# What browsers collapse; a no-break space stays.
_SPACE = re.compile(r"[ \t\r\n\f]+")
_MARKDOWN = ("markdown", "mdx", "notebook")
# How a line end is written in Markdown that is shown as one: after two spaces or a backslash (in JSON two), or as a tag.
_SHOWN_BREAKS = {"notebook": ("  ", "\\\\", "<")}
_SHOWN_BREAKS_ELSEWHERE = ("  ", "\\", "<")


@dataclass(frozen=True, slots=True)
class Written:
    """The text that the spans of blocks count in, and its format: one of the names of parsers."""

    text: str
    format: str

    @property
    def is_markdown(self) -> bool:
        """Whether blocks are written in Markdown, be it in the strings of a notebook."""
        return self.format in _MARKDOWN

    def of(self, block: Block) -> str:
        """The block as its author wrote it."""
        return block.display if self.format == "notebook" and block.display is not None else block.span.of(self.text)


def shown_runs(written: Written, block: Block, line_end: int | None = None) -> tuple[ShownRun, ...]:
    """What a reader sees of the block; empty when that is nothing. `line_end` is the one place where a line ends that is seen
    though the text flows on.
    """
    is_line_block = written.format == "rst" and block.span.of(written.text).lstrip().startswith("| ")
    runs = block.runs if line_end is None else _parted(block.runs, line_end)
    return flowing(ShownRun("\n") if run is None else _seen(written, run, is_line_block) for run in runs)


def _parted(runs: Iterable[Run], at: int) -> Iterator[Run | None]:
    """The runs with None at a place, which may stand in one of them."""
    is_before = True
    for run in runs:
        if is_before and run.span.end > at:
            is_before = False
            if run.text is None and run.span.start < at:
                yield replace(run, span=Span(run.span.start, at))
                run = replace(run, span=Span(at, run.span.end))
            yield None
        yield run


def _seen(written: Written, run: Run, is_line_block: bool) -> ShownRun:
    """A run with its white space collapsed, and a line feed where a line ends for the reader."""
    text = run.visible(written.text)
    if written.format == "text":
        return ShownRun(_SPACE.sub(_line_end_or_space, text), run.code, run.link)
    if run.text == "\n" or (is_line_block and text.isspace() and LINE_END.search(text)):
        return ShownRun("\n" if is_line_block or _is_shown_break(written, run) else " ", run.code, run.link)
    return ShownRun(collapsed(text), run.code, run.link)


def collapsed(text: str) -> str:
    """`text` with one space for any white space, also at its ends; a no-break space stays."""
    return _SPACE.sub(" ", text)


def _line_end_or_space(space: re.Match[str]) -> str:
    """Plain text is shown in the lines that it was written in."""
    return "\n" if LINE_END.search(space[0]) else space[0]


def _is_shown_break(written: Written, run: Run) -> bool:
    return run.span.of(written.text).startswith(_SHOWN_BREAKS.get(written.format, _SHOWN_BREAKS_ELSEWHERE))


def flowing(runs: Iterable[ShownRun]) -> tuple[ShownRun, ...]:
    """The runs joined: no white space at the ends of a line, one space where two would meet, neighbours of a sort made one."""
    trimmed: list[ShownRun] = []
    end = "\n"
    for run in runs:
        text = run.text.lstrip(" \n") if end == "\n" else run.text.lstrip(" ") if end == " " else run.text
        if text.startswith("\n"):
            _trim_end(trimmed, " ")
        if text:
            trimmed.append(replace(run, text=text))
            end = text[-1]
    _trim_end(trimmed, " \n")
    return tuple(_merged(trimmed))


def _trim_end(runs: list[ShownRun], characters: str) -> None:
    while runs:
        last = runs.pop()
        if text := last.text.rstrip(characters):
            runs.append(replace(last, text=text))
            return


def _merged(runs: Iterable[ShownRun]) -> Iterator[ShownRun]:
    texts: list[str] = []
    sort: ShownRun | None = None
    for run in runs:
        if sort is not None and (sort.code, sort.link) != (run.code, run.link):
            yield replace(sort, text="".join(texts))
            texts = []
        sort = run
        texts.append(run.text)
    if sort is not None:
        yield replace(sort, text="".join(texts))
