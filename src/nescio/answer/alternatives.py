"""Of tabs, dropdowns and questions side by side, which are asked for? Those that the question names, else all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nescio.answer.focus import Focus
from nescio.answer.section import Range, Section, only
from nescio.domain.documents import GroupKind

_NAMED = (GroupKind.BOX, GroupKind.ENTRY)  # an entry that begins with a question is named by it, as a box is by its label
_QUESTION = re.compile(r"[?\uff1f][*_\"'\s]*(?:</[a-z]+>\s*)*$")  # marks of emphasis and tags may end it


def named(section: Section, focus: Focus, above: frozenset[str]) -> Section:
    """The section without the boxes beside one whose label has more of the question. `above` are the words of its heading,
    which name none of them.
    """
    asking = [one for one in section.ranges if one.kind is not GroupKind.ENTRY or is_question(section.pieces[one.start].text)]
    unasked = {piece for run in runs(asking, _NAMED) for piece in _unasked(run, section, focus, above)}
    return only(section, [at for at in range(len(section)) if at not in unasked]) if unasked else section


def is_question(label: str) -> bool:
    """Whether a label asks: boxes side by side that ask are answers to different questions, others are alternatives."""
    return _QUESTION.search(label) is not None


def runs(ranges: Sequence[Range], kinds: Sequence[GroupKind] = (GroupKind.BOX,)) -> Iterator[list[Range]]:
    """Groups of these kinds that stand right behind each other, two and more, each with more than its label."""
    boxes = sorted((one for one in ranges if one.kind in kinds and one.end - one.start > 1), key=lambda one: one.start)
    run: list[Range] = []
    for box in boxes:
        if run and box.start < run[-1].end:  # inside of the one before
            continue
        if run and box.start > run[-1].end:
            if len(run) > 1:
                yield run
            run = []
        run.append(box)
    if len(run) > 1:
        yield run


def _unasked(run: Sequence[Range], section: Section, focus: Focus, above: frozenset[str]) -> Iterator[int]:
    """The pieces of the boxes whose labels have less of the question than the best one."""
    shares = [focus.share(focus.held(section.pieces[box.start].text) - above) for box in run]
    for box, share in zip(run, shares, strict=True):
        if share < max(shares):
            yield from range(box.start, box.end)
