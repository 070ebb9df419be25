"""Collects the blocks of a page in order, and lets a section go on after a definition inside it has ended."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nescio.domain.documents import Block, BlockKind
from nescio.domain.spans import Span

DEEPEST_LEVEL = 6  # what a heading block can say


@dataclass(frozen=True, slots=True)
class Section:
    """What a block stands under: a heading, or a definition that reads as one. Level 0 is the page before any heading."""

    level: int
    title: str = ""
    anchor: str | None = None

    def below(self, title: str, anchor: str | None) -> Section:
        """A definition inside this section, one level down as far as levels go."""
        return Section(min(self.level + 1, DEEPEST_LEVEL), title, anchor)


PAGE = Section(0)


class Outline:
    """The blocks so far.

    Markup can end a definition (`.. function::`, `<dt id>`) and go on with the section around it, which headings cannot
    say. The first block that follows is then led by an empty heading block (no characters, no runs) that repeats the
    title of the section around, so that it is found under the heading that it belongs to.
    """

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._open = PAGE

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks, in order."""
        return tuple(self._blocks)

    def open(self, section: Section, heading: Block) -> None:
        """Begin `section` with its heading; its level, title and anchor are put into the block."""
        self._open = section
        self._blocks.append(replace(heading, level=section.level, title=section.title, anchor=section.anchor))

    def add(self, section: Section, block: Block) -> None:
        """Put a block under `section`, going on with it where a definition in between was open."""
        if section != self._open:
            self._resume(section, block.span.start)
        self._blocks.append(block)

    def _resume(self, section: Section, at: int) -> None:
        self._open = section
        if section.level:
            span = Span(at, at)
            self._blocks.append(Block(BlockKind.HEADING, span, level=section.level, title=section.title, anchor=section.anchor))


def first_title(blocks: tuple[Block, ...]) -> str:
    """The title of the first heading, or nothing."""
    return next((block.title for block in blocks if block.kind is BlockKind.HEADING and block.title), "")


def visible_words(block_text: str) -> str:
    """White space of any sort collapsed to single spaces, none at the ends."""
    return " ".join(block_text.split())
