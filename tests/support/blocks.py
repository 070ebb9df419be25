"""What holds for the groups of blocks, and for what they need, whatever the text."""

from __future__ import annotations

from collections.abc import Sequence

from nescio.domain.documents import Block, Group, GroupKind
from nescio.domain.spans import Span


def assert_needed(block: Block, end: int) -> None:
    """What a block needs is in order and apart, in the file, and outside of the block."""
    last = 0
    for span in block.needs:
        assert last <= span.start < span.end <= end, f"out of order: {span} of {block}"
        assert span.end <= block.span.start or block.span.end <= span.start, f"a block that needs itself: {block}"
        last = span.end


def assert_groups_nest(blocks: Sequence[Block]) -> None:
    """Every group goes from the start of its first block to the end of its last one, and holds all that stands in it."""
    members: dict[tuple[Group, ...], list[int]] = {}
    for at, block in enumerate(blocks):
        around = Span(0, blocks[-1].span.end)
        for depth, group in enumerate(block.groups, 1):
            assert group.span.is_within(around), f"not within the one around: {group} of {block}"
            assert block.span.is_within(group.span), f"out of its group: {block}"
            around = group.span
            members.setdefault(block.groups[:depth], []).append(at)
    for path, held in members.items():
        assert held == list(range(held[0], held[-1] + 1)), f"with a gap: {path}"
        assert path[-1].span == Span(blocks[held[0]].span.start, blocks[held[-1]].span.end), f"not exact: {path}"
        assert path[-1].kind is not GroupKind.BOX or len(held) > 1, f"a label of nothing: {path}"
