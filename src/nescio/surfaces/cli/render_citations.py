"""Citations and stored passages as lines for people: what is wrong first, in words, with the place to look at."""

from __future__ import annotations

from collections.abc import Sequence

from nescio.citations.claims import CitationCheck
from nescio.citations.telling import SENTENCES
from nescio.citations.verifying import Standing, StoredPassage, said
from nescio.surfaces.cli.layout import BLANK, Line, Mark, Part, counted, line, shortened

LONGEST_SHOWN = 300  # characters of words that are shown for a citation: enough to know it again

_MARKS = {
    Standing.SAME: Mark.GOOD,
    Standing.MOVED: Mark.CAUTION,
    Standing.CHANGED: Mark.FAULT,
    Standing.GONE: Mark.FAULT,
}


def checks(found: Sequence[CitationCheck]) -> list[Line]:
    """Each citation that is wrong, then how many are right."""
    lines: list[Line] = []
    for one in found:
        if not one.is_ok:
            lines += [*_check(one), BLANK]
    wrong = sum(not one.is_ok for one in found)
    if not wrong:
        return [line(f"{counted(len(found), 'citation')}: all match.", Mark.GOOD)]
    return [*lines, line(f"{counted(len(found), 'citation')}: {len(found) - wrong} match, {wrong} do not.", Mark.FAULT)]


def _check(one: CitationCheck) -> list[Line]:
    path = one.path or one.citation.path or ""
    lines = [Line((Part(one.citation.where, Mark.HEADING), Part(f"  {path}" if path else "", Mark.PLACE)))]
    if one.citation.text:
        lines.append(line(_shown(one.citation.text), Mark.QUIET, indent=2))
    lines += [
        Line((Part(SENTENCES[problem] + ". ", Mark.FAULT), Part(f"[{problem.value}]", Mark.QUIET)), 2)
        for problem in one.problems
    ]
    if one.distance:
        lines.append(line(f"It is cited {abs(one.distance)} too {'late' if one.distance > 0 else 'early'}.", indent=2))
    if one.found_at is not None:
        others = f", the nearest of {one.count}" if one.count > 1 else ""
        lines.append(line(f"Found at {one.found_at[0]} to {one.found_at[1]}{_lines(one)}{others}.", indent=2))
    if one.like is not None:
        lines.append(line(f"The document says{_lines(one)}: {_shown(one.like)}", indent=2))
    lines += [line(_shown(detail), indent=2) for detail in one.details]
    return [*lines, *(Line((Part("Found in "), Part(other, Mark.PLACE)), 2) for other in one.found_in)]


def _lines(one: CitationCheck) -> str:
    if one.lines is None:
        return ""
    first, last = one.lines
    return f" (line {first})" if first == last else f" (lines {first}-{last})"


def _shown(text: str) -> str:
    return shortened(" ".join(text.split()), LONGEST_SHOWN)


def verified(files: Sequence[tuple[str, Sequence[StoredPassage], bool]]) -> list[Line]:
    """Each passage that is not the same, then how many are."""
    lines: list[Line] = []
    for _, stored, fixed in files:
        for one in stored:
            if one.standing is not Standing.SAME:
                lines += [*_stored(one, fixed=fixed), BLANK]
    return [*lines, _summary([one.standing for _, stored, _ in files for one in stored])]


def _stored(one: StoredPassage, *, fixed: bool) -> list[Line]:
    first, last = one.lines
    told = "" if not first else f":{first}" if first == last else f":{first}-{last}"
    head = Line((Part(f"{one.standing.value}  ", _MARKS[one.standing]), Part(f"{one.path}{told}", Mark.PLACE)))
    what = said(one) + (" Written into the file." if fixed and one.renewed is not None else "")
    diff = [line(shortened(" ".join(one.diff.split()), 2 * LONGEST_SHOWN), indent=2)] if one.diff else []
    return [head, line(f"{one.citation.where}: {what}", Mark.QUIET, indent=2), *diff]


def _summary(standings: Sequence[Standing]) -> Line:
    counts = ", ".join(f"{standings.count(one)} {one.value}" for one in Standing if one in standings)
    worst = max(standings, key=list(Standing).index)
    return line(f"{counted(len(standings), 'passage')}: {counts}.", _MARKS[worst])
