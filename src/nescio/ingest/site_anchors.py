"""Which id has each of our headings on a page of the built site? Both have much the same headings in the same order."""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from nescio.ingest.parsers.html_rules import HEADINGS, VOID, is_dropped
from nescio.ingest.parsers.html_tokens import Token, tokens_of

LONGEST_HEADING = 8_000  # characters with all its tags
LONGEST_LEAD = 2_000  # characters of tags before a heading among which its id may be
MOST_SPLITS = 12  # how often what lies between two headings that occur once is looked at again
_OPENING = re.compile(r"<!--|<(script|style|template|h[1-6]|dt)(?=[\s>])", re.IGNORECASE)
_HIDDEN_ENDS = {"script": "</script", "style": "</style", "template": "</template", "": "-->"}
_MAIN = re.compile(r"<main(?=[\s>])|<(?:div|section|article)\s[^<>]{0,300}?role=[\"']?main[\"'\s>]", re.IGNORECASE)
_ARTICLE = re.compile(r"<article(?=[\s>])", re.IGNORECASE)
_SECTIONS = frozenset({"section", "div", "article"})  # whose id is that of the heading that they begin with
_MARKS = frozenset({"a", "span"})  # without words, they may stand between it and the heading
_BEFORE = _SECTIONS | _MARKS | {"header"}
_NUMBERS = frozenset({"section-number", "sectnum"})  # what Sphinx puts before a title
_SHORTCODE = re.compile(r":[a-z0-9][a-z0-9_+-]{0,40}:")


@dataclass(frozen=True, slots=True)
class SiteHeading:
    """A heading of a page of the site, or a term with an id. `key` is what headings are compared by; `ids` lead to it, that of
    its section or its own first.
    """

    key: str
    ids: tuple[str, ...]


def heading_key(title: str) -> str:
    """The letters and digits of a title in lower case, so that quotation marks, signs and white space make no difference."""
    plain = unicodedata.normalize("NFKC", _SHORTCODE.sub("", title)).casefold()
    return "".join(filter(str.isalnum, plain)) or "".join(title.split())


def site_headings(text: str) -> list[SiteHeading]:
    """The headings of the page's main content in order, in one pass; those in comments, scripts and templates are none."""
    return [SiteHeading(heading_key(words), ids) for words, ids in _headings(text, *_main(text))]


def anchors_on_site(text: str, ours: Sequence[tuple[str, str]]) -> dict[str, str]:
    """For each of our fragments the id that the page has for it, empty where it has none. `ours` are (title, fragment) in
    order; the fragment is empty for a heading that is only there to compare by.

    A heading that has our fragment among its ids keeps it. One that is not found by its words keeps its fragment where the
    page has that id for no other heading, and may be found by the end of a dotted name, as objects of programs have.
    """
    theirs = site_headings(text)
    pairs = _aligned(ours, theirs)
    found = {ours[at][1]: _best(ours[at][1], theirs[other].ids) for at, other in pairs.items() if ours[at][1]}
    matched = set(pairs.values())
    taken = {one for at in matched for one in theirs[at].ids}
    left = [anchor for _, anchor in ours if anchor and anchor not in found]
    by_tail = _once((_tail(one), one) for at, heading in enumerate(theirs) if at not in matched for one in heading.ids)
    own_tails = Counter(map(_tail, left))
    for anchor in left:
        if anchor not in taken and _has_id(text, anchor):
            found[anchor] = anchor
        else:
            found[anchor] = by_tail.get(_tail(anchor), "") if own_tails[_tail(anchor)] == 1 else ""
    return found


def _best(anchor: str, ids: Sequence[str]) -> str:
    return anchor if anchor in ids else next(iter(ids), "")


def _tail(name: str) -> str:
    """The last two parts of a dotted name; nothing of another."""
    return ".".join(name.split(".")[-2:]) if "." in name else ""


def _once(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What each key stands for, where that is one thing."""
    values: dict[str, set[str]] = defaultdict(set)
    for key, value in pairs:
        values[key].add(value)
    return {key: next(iter(found)) for key, found in values.items() if key and len(found) == 1}


def _main(text: str) -> tuple[int, int]:
    """The range of the main content; all of the text where none is marked."""
    if match := _MAIN.search(text):
        end = text.rfind("</main", match.end()) if match[0].lower().startswith("<main") else -1
    elif match := _ARTICLE.search(text):
        end = text.rfind("</article", match.end())
    else:
        return 0, len(text)
    return match.start(), len(text) if end < 0 else end


def _headings(text: str, start: int, end: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    endings = _Endings(text, end)
    position = start
    while match := _OPENING.search(text, position, end):
        written = match[1] or ""
        name = written.lower()
        closing = endings.after(_HIDDEN_ENDS.get(name, f"</{written}"), match.end())
        position = max(match.end(), closing) if name in _HIDDEN_ENDS else match.end()
        if name in _HIDDEN_ENDS or not 0 <= closing - match.start() <= LONGEST_HEADING:
            continue
        position = closing
        words, (own, *inside) = _read(text[match.start() : closing])
        lead = _lead_ids(text, match.start()) if name in HEADINGS else []
        ids = tuple(dict.fromkeys(filter(None, (own, *lead, *inside))))
        if ids or name in HEADINGS:
            yield words, ids


class _Endings:
    """Where in a text something comes next. Asked with positions that ascend, it looks at no stretch twice."""

    def __init__(self, text: str, end: int) -> None:
        self._text = text
        self._end = end
        self._next: dict[str, int] = {}

    def after(self, wanted: str, position: int) -> int:
        """The first place at or after a position, -1 for none."""
        known = self._next.get(wanted, 0)
        if 0 <= known < position or wanted not in self._next:
            known = self._next[wanted] = self._text.find(wanted, position, self._end)
        return known


def _read(heading: str) -> tuple[str, list[str]]:
    """The words of a heading from its start tag on, and the ids: its own, which may be empty, and those inside."""
    words: list[str] = []
    dropped: list[str] = []
    ids: list[str] = []
    for number, token in enumerate(tokens_of(heading)):
        if not token.name:
            if not dropped:
                words.append(html.unescape(heading[token.start : token.end]))
        elif token.opens:
            attributes = token.attributes(heading)
            if number == 0 or not dropped:
                ids.append(_id_of(token.name, attributes))
            is_open = token.name not in VOID and not token.closes_itself(heading)
            if is_open and (dropped or (number and _is_dropped(token.name, attributes))):
                dropped.append(token.name)
        elif dropped and dropped[-1] == token.name:
            dropped.pop()
    return "".join(words), ids


def _is_dropped(name: str, attributes: dict[str, str]) -> bool:
    classes = attributes.get("class", "").split()
    return is_dropped(name, attributes, is_in_content=True) or not _NUMBERS.isdisjoint(classes)


def _id_of(name: str, attributes: Mapping[str, str]) -> str:
    return attributes.get("id", "") or (attributes.get("name", "") if name == "a" else "")


def _lead_ids(text: str, start: int) -> list[str]:
    """The id of the section that a heading begins, and those of marks before it, with nothing but tags in between."""
    sections: list[str] = []
    marks: list[str] = []
    for name, attributes in _tags_before(text, start):
        if name not in _BEFORE or (sections and name not in _MARKS):
            break
        (sections if name in _SECTIONS and attributes.get("id") else marks).append(_id_of(name, attributes))
    return [*sections, *marks]


def _tags_before(text: str, start: int) -> Iterator[tuple[str, dict[str, str]]]:
    """The start tags right before an offset, the nearest first, and past the ends of marks."""
    least = max(0, start - LONGEST_LEAD)
    while start > least:
        lead = text[least:start].rstrip()
        opened = lead.rfind("<") if lead.endswith(">") else -1
        token = next(tokens_of(lead[opened:]), None) if opened >= 0 else None
        if token is None or not token.name or (not token.opens and token.name not in _MARKS):
            return
        if token.opens:
            yield token.name, token.attributes(lead[opened:])
        start = least + opened


def _has_id(text: str, wanted: str) -> bool:
    """Whether a tag has this id, or is an `a` with this name."""
    needle = html.escape(wanted)
    for quotation in ('"', "'", ""):
        for name in (" id=", " name="):
            at = text.find(f"{name}{quotation}{needle}{quotation}")
            while at >= 0:
                tag = _tag_around(text, at)
                if tag and wanted == _id_of(*tag):
                    return True
                at = text.find(f"{name}{quotation}{needle}{quotation}", at + 1)
    return False


def _tag_around(text: str, at: int) -> tuple[str, dict[str, str]] | None:
    """The start tag that the offset is in."""
    start = text.rfind("<", max(0, at - LONGEST_LEAD), at)
    if start < 0 or text.rfind(">", start, at) >= 0:
        return None
    token: Token | None = next(tokens_of(text[start : start + LONGEST_HEADING]), None)
    whole = text[start : start + LONGEST_HEADING]
    return (token.name, token.attributes(whole)) if token and token.name and token.opens else None


def _aligned(ours: Sequence[tuple[str, str]], theirs: Sequence[SiteHeading]) -> dict[int, int]:
    """Which of their headings each of ours is, as pairs in order.

    Headings that occur once on both sides are fixed points; between two of them what occurs once there is one again. What is
    left is paired where both sides have it equally often, or where theirs has the very id that ours would have.
    """
    own = [heading_key(title) for title, _ in ours]
    pairs: dict[int, int] = {}
    waiting = [(0, len(own), 0, len(theirs), MOST_SPLITS)]
    while waiting:
        first, last, start, end, splits = waiting.pop()
        fixed = _fixed_points(own, theirs, (first, last, start, end)) if splits else []
        if not fixed:
            pairs.update(_in_order(ours, own, theirs, (first, last, start, end)))
            continue
        pairs.update(fixed)
        borders = [(first - 1, start - 1), *fixed, (last, end)]
        waiting.extend((a + 1, b, x + 1, y, splits - 1) for (a, x), (b, y) in pairwise(borders) if a + 1 < b and x + 1 < y)
    return pairs


_Range = tuple[int, int, int, int]  # of ours, and of theirs


def _fixed_points(own: Sequence[str], theirs: Sequence[SiteHeading], within: _Range) -> list[tuple[int, int]]:
    first, last, start, end = within
    here = Counter(own[first:last])
    there = Counter(heading.key for heading in theirs[start:end])
    places = {heading.key: at for at, heading in enumerate(theirs[start:end], start) if there[heading.key] == 1}
    once = [(at, places[own[at]]) for at in range(first, last) if here[own[at]] == 1 and own[at] in places]
    return _ascending(once)


def _ascending(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of the pairs, ascending in the first number, that ascends in the second too."""
    ends: list[int] = []  # the least second number that a part of each length ends in
    tails: list[int] = []  # and which pair has it
    before: list[int] = []
    for number, (_, other) in enumerate(pairs):
        length = bisect_left(ends, other)
        before.append(tails[length - 1] if length else -1)
        if length == len(ends):
            ends.append(other)
            tails.append(number)
        else:
            ends[length], tails[length] = other, number
    found: list[tuple[int, int]] = []
    number = tails[-1] if tails else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


def _in_order(
    ours: Sequence[tuple[str, str]], own: Sequence[str], theirs: Sequence[SiteHeading], within: _Range
) -> Iterator[tuple[int, int]]:
    first, last, start, end = within
    here: dict[str, list[int]] = defaultdict(list)
    there: dict[str, list[int]] = defaultdict(list)
    for at in range(first, last):
        here[own[at]].append(at)
    for at in range(start, end):
        there[theirs[at].key].append(at)
    for key, places in here.items():
        others = there.get(key, [])
        if len(places) == len(others):
            yield from zip(places, others, strict=True)
            continue
        by_id = {one: at for at in others for one in theirs[at].ids}
        yield from ((at, by_id[ours[at][1]]) for at in places if ours[at][1] in by_id)
