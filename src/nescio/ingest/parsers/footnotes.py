"""A block that refers to a footnote is not to be read without it: which footnotes there are, and who needs them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from nescio.domain.documents import Block
from nescio.domain.spans import Span


@dataclass(frozen=True, slots=True)
class Footnotes:
    """What is defined in a page, by label, and what its blocks refer to, by their number. Labels are matched without case."""

    defined: dict[str, Span] = field(default_factory=dict)
    referred: dict[int, set[str]] = field(default_factory=dict)

    def define(self, label: str, blocks: Sequence[Block]) -> None:
        """Take the blocks for the definition of `label`; the first one counts, as far as there is one."""
        if blocks:
            self.defined.setdefault(_key(label), Span(blocks[0].span.start, blocks[-1].span.end))

    def refer(self, number: int, labels: Iterable[str]) -> None:
        """Note what the block with this number refers to."""
        self.referred.setdefault(number, set()).update(map(_key, labels))


def with_footnotes(blocks: Sequence[Block], notes: Footnotes) -> list[Block]:
    """The blocks, each with the definitions that it needs."""
    found = list(blocks)
    for number, labels in notes.referred.items():
        spans = [notes.defined[label] for label in labels if label in notes.defined]
        found[number] = with_needs(found[number], spans)
    return found


def with_needs(block: Block, spans: Iterable[Span]) -> Block:
    """The block with what it needs of `spans`: in order, apart, and nothing that meets the block itself."""
    own = block.span
    needed: list[Span] = []
    for span in sorted({*block.needs, *spans}):
        is_own = span.start < own.end and own.start < span.end
        if not is_own and (not needed or span.start >= needed[-1].end):
            needed.append(span)
    return replace(block, needs=tuple(needed)) if needed else block


def _key(label: str) -> str:
    return " ".join(label.split()).casefold()
