"""Is a place that was found one that the question file names? Pages go by their paths, sections by their headings."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from nescio.domain.answers import Quote
from nescio.domain.reports import HitExplanation
from nescio.evaluate.measuring.outcomes import Outcome
from nescio.evaluate.questions.cases import Case, Expected
from nescio.protocols import Index

MOST_FOLDERS = 64  # of an expected path: file systems have no deeper ones that anyone names
Section = tuple[str, tuple[str, ...]]  # the page's path, and the headings down to the section


class Pages:
    """The pages of an index by their paths."""

    def __init__(self, index: Index) -> None:
        self._addresses: dict[str, tuple[str, ...]] = {}
        passages = (index.passage(key).passage for key in index.keys() if not key.number)  # noqa: SIM118  (no dict)
        for source, path in dict.fromkeys((passage.source, passage.page_path) for passage in passages):
            address = f"{source}/{path}"
            for name in (path, address):
                self._addresses[name] = (*self._addresses.get(name, ()), address)

    def located(self, case: Case) -> Case:
        """The case, its expected places with the pages that their paths name."""
        return replace(case, expect=tuple(replace(one, pages=self.named(one.path)) for one in case.expect))

    def named(self, path: str) -> tuple[str, ...]:
        """The `source/path` of the pages that a path names: below its source, with the source's name before it, or counted from
        a folder further up, as a repository's root is. Of several the longest: `a/index.md` is not `index.md` where both are.
        """
        parts = _parts(path)[-MOST_FOLDERS:]
        shorter = ("/".join(parts[start:]) for start in range(len(parts)))
        return next((self._addresses[name] for name in shorter if name in self._addresses), ())


def is_right_page(expected: Expected, paths: Iterable[str], source: str | None = None) -> bool:
    """Whether one of `paths` (a page's, or a file's that is included in it) is the one that is expected.

    `source` is theirs; None leaves it open. Where no page of the index has the expected path, the longer of two paths may
    have folders in front of the other.
    """
    if expected.pages:
        return any(_is_address(page, path, source) for page in expected.pages for path in paths)
    wanted = "/".join(_parts(expected.path))
    return any(
        _ends_alike(wanted, path if source is None else f"{source}/{path}") or _ends_alike(wanted, path) for path in paths
    )


def _is_address(address: str, path: str, source: str | None) -> bool:
    return address == f"{source}/{path}" if source is not None else address.partition("/")[2] == path


def _ends_alike(one: str, other: str) -> bool:
    return one == other or one.endswith("/" + other) or other.endswith("/" + one)


def _parts(path: str) -> list[str]:
    return [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]


def is_from_right_page(case: Case, quote: Quote) -> bool:
    """Whether a quote is of a page that the case names, or of a file that is included there."""
    return any(is_right_page(one, (quote.page_path, quote.path), quote.source) for one in case.expect)


def quotes_right_page(outcome: Outcome) -> bool:
    """Whether any quote is from a right page."""
    return any(is_from_right_page(outcome.case, quote) for quote in outcome.quotes)


def is_right_hit(case: Case, hit: HitExplanation) -> bool:
    """Whether a ranked passage is of a page that the case names."""
    return any(is_right_page(one, (hit.page_path, hit.path), hit.source) for one in case.expect)


def pages(outcome: Outcome) -> tuple[str, ...]:
    """The pages of what was ranked, each once, in order."""
    return tuple(dict.fromkeys(hit.page_path for hit in outcome.hits))


def right_pages(outcome: Outcome) -> frozenset[str]:
    """Those of `pages` that the case names."""
    return frozenset(hit.page_path for hit in outcome.hits if is_right_hit(outcome.case, hit))


def rank_of_right_page(outcome: Outcome) -> int | None:
    """From 1, among `pages`; None when it is not there."""
    right = right_pages(outcome)
    return next((rank for rank, page in enumerate(pages(outcome), 1) if page in right), None)


def sections(outcome: Outcome) -> tuple[Section, ...]:
    """The sections of what was ranked, each once, in order."""
    return tuple(dict.fromkeys(map(_section, outcome.hits)))


def right_sections(outcome: Outcome) -> frozenset[Section]:
    """Those of `sections` that the case names: on a right page and below the expected heading, anywhere where there is none."""
    return frozenset(
        _section(hit)
        for hit in outcome.hits
        for one in outcome.case.expect
        if is_right_page(one, (hit.page_path, hit.path), hit.source) and _is_below(one.heading, hit.heading_path)
    )


def _section(hit: HitExplanation) -> Section:
    return hit.page_path, hit.heading_path


def _is_below(heading: str | None, above: Iterable[str]) -> bool:
    return heading is None or _visible(heading) in map(_visible, above)


def _visible(heading: str) -> str:
    """The words of a heading as they compare: without the marks of code, case and spaces apart."""
    return " ".join(unicodedata.normalize("NFC", heading.replace("`", "")).casefold().split())
