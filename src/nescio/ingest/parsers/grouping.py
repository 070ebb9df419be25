"""Which blocks belong together: from the ranges that hold them to the groups that each block says it stands in."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from nescio.domain.documents import Block, BlockKind, Group, GroupKind
from nescio.domain.spans import Span

DEEPEST = 24  # groups in each other; real pages have fewer than ten, and what is deeper would cost its square


@dataclass(frozen=True, slots=True)
class Region:
    """A range that holds the blocks whose visible text starts in it.

    `label` is, of a box, the range of the markup that its label stands in (a tag, the line of a directive): a box whose
    first block is not there is none. `closed` is False where nothing says where it ends: it ends before the next heading.
    """

    kind: GroupKind
    start: int
    end: int
    label: Span | None = None
    closed: bool = True


@dataclass(frozen=True, slots=True)
class _Held:
    """The blocks from `first` up to `last` that a region holds."""

    first: int
    last: int
    region: Region


def grouped(blocks: Sequence[Block], regions: Sequence[Region], text: str) -> list[Block]:
    """The blocks with the groups that the regions make. The range of a label reaches over the markup that it stands in.

    Groups nest: what crosses the end of the group around it ends there. Of regions that hold the same blocks the one that
    is longer, then the one that is named first, is around the other. A box that holds nothing but its label is no group,
    and neither is what stands deeper than DEEPEST.
    """
    if not regions:
        return list(blocks)
    held = _held(blocks, regions)
    reaching = _with_whole_labels(blocks, held, text)
    paths = _paths(reaching, held)
    return [replace(block, groups=path) if path else block for block, path in zip(reaching, paths, strict=True)]


def regrouped(blocks: Sequence[Block]) -> list[Block]:
    """Some of the blocks of a page with their groups cut to them. A box that lost its label, or has only that, is none."""
    held: dict[tuple[Group, ...], Span] = {}
    sizes: Counter[tuple[Group, ...]] = Counter()
    for block in blocks:
        for path in _prefixes(block.groups):
            held[path] = Span(held.get(path, block.span).start, block.span.end)
            sizes[path] += 1
    kept = {
        path: replace(path[-1], span=span)
        for path, span in held.items()
        if path[-1].kind is not GroupKind.BOX or (span.start == path[-1].span.start and sizes[path] > 1)
    }
    return [replace(one, groups=tuple(kept[path] for path in _prefixes(one.groups) if path in kept)) for one in blocks]


def _prefixes(path: tuple[Group, ...]) -> list[tuple[Group, ...]]:
    return [path[:depth] for depth in range(1, len(path) + 1)]


def content_start(block: Block) -> int:
    """Where the visible text of a block starts."""
    return block.runs[0].span.start if block.runs else block.span.start


def _held(blocks: Sequence[Block], regions: Iterable[Region]) -> list[_Held]:
    """What each region holds, the outer ones first."""
    starts = [content_start(block) for block in blocks]
    headings = [at for at, block in enumerate(blocks) if block.kind is BlockKind.HEADING]
    found = []
    for region in regions:
        first, last = bisect_left(starts, region.start), bisect_left(starts, region.end)
        if not region.closed:
            heading = bisect_left(headings, first)
            last = min(last, headings[heading]) if heading < len(headings) else last
        while first < last and not blocks[first].span:
            first += 1  # a heading that only says that a section goes on
        if last > first and _has_label(region, starts[first]):
            found.append(_Held(first, last, region))
    return sorted(found, key=lambda one: (one.first, -one.last, one.region.start, -one.region.end))


def _has_label(region: Region, at: int) -> bool:
    return region.label is None or region.label.start <= at < region.label.end


def _with_whole_labels(blocks: Sequence[Block], held: Iterable[_Held], text: str) -> list[Block]:
    found = list(blocks)
    for one in held:
        label = one.region.label
        if label is None or found[one.first].pieces:
            continue
        floor = found[one.first - 1].span.end if one.first else 0
        limit = blocks[one.first + 1].span.start if one.first + 1 < len(blocks) else len(text)
        span = found[one.first].span
        start = max(floor, min(span.start, label.start))
        end = max(span.end, min(limit, label.end))
        found[one.first] = replace(found[one.first], span=Span(start, span.end + len(text[span.end : end].rstrip())))
    return found


def _paths(blocks: Sequence[Block], held: Sequence[_Held]) -> Iterator[tuple[Group, ...]]:
    """The groups of each block, in order."""
    opened: list[tuple[int, tuple[Group, ...]]] = []  # where each open group ends, and its path
    at = 0
    for number in range(len(blocks)):
        while opened and opened[-1][0] <= number:
            opened.pop()
        while at < len(held) and held[at].first == number:
            _open(opened, held[at], blocks)
            at += 1
        yield opened[-1][1] if opened else ()


def _open(opened: list[tuple[int, tuple[Group, ...]]], one: _Held, blocks: Sequence[Block]) -> None:
    around, path = opened[-1] if opened else (len(blocks), ())
    last = min(one.last, around)
    is_empty_box = one.region.kind is GroupKind.BOX and last - one.first == 1
    if len(opened) < DEEPEST and not is_empty_box:
        span = Span(blocks[one.first].span.start, blocks[last - 1].span.end)
        opened.append((last, (*path, Group(one.region.kind, span))))
