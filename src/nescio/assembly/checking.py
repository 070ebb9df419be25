"""Index, cards, golden answers and documents against the sources as they are now. What is written goes again."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from nescio.analysis.tokens import ANALYZER
from nescio.assembly import building
from nescio.assembly.building import Progress
from nescio.assembly.carding import cards_folder, check_cards
from nescio.assembly.checked_sources import look
from nescio.assembly.opening import open_index
from nescio.cards.checking import Checked as CheckedCard
from nescio.config.loading import Configuration
from nescio.domain.findings import Finding
from nescio.domain.release import VERSION
from nescio.drift import indexed
from nescio.drift.golden import Golden, golden_findings, golden_of
from nescio.drift.golden_hashes import pinned_hashes
from nescio.errors import IndexFault, NotFoundFault
from nescio.evaluate.questions.reading import read_cases
from nescio.index.manifest import Manifest
from nescio.index.reading import StoredIndex, open_stored

OTHER_FORMAT = "index-format"


@dataclass(frozen=True, slots=True)
class GoldenFile:
    """The golden answers of a question file. `shown` is its path as findings show it."""

    path: Path
    shown: str
    golden: tuple[Golden, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found, in order of path and line, and what it looked at; `cards` is None where there are none to look at."""

    findings: tuple[Finding, ...]
    documents: int
    golden: int
    cards: int | None = None


def read_golden(configuration: Configuration, path: Path) -> GoldenFile:
    """The golden answers of a file. Raises the faults of question files, `golden-none` and `golden-wrong-hash`."""
    questions = read_cases(path)
    hashes = pinned_hashes(str(path), path.read_bytes())
    return GoldenFile(path, configuration.shown(path.absolute()), golden_of(questions, hashes))


def check(
    configuration: Configuration, index: Path, golden: GoldenFile | None = None, progress: Progress | None = None
) -> Checked:
    """Compare everything. Raises what opening an index, reading the sources and a build raise, IndexFault where it is damaged.

    Golden answers are asked of the index where it is current, else of one that is built for that in a folder of its own.
    """
    with ExitStack() as held:
        stored, states = _stored(configuration, index)
        folder = index
        if stored is None:
            folder = held.enter_context(_built(configuration, progress))
            stored = open_stored(folder)
        held.callback(stored.close)
        looked = look(configuration, stored)
        pages = indexed.page_findings(looked.standings)
        cards = _checked_cards(configuration)
        found = [*states, *pages, *looked.contents, *(finding for card in cards or () for finding in card.findings)]
        if golden is not None:
            if folder == index and (states or pages):
                folder = held.enter_context(_built(configuration, progress))
            with open_index(configuration, folder) as engine:
                found += golden_findings(engine, golden.golden, golden.shown)
        asked = len(golden.golden) if golden else 0
        return Checked(_ordered(found), looked.documents, asked, None if cards is None else len(cards))


def masking(configuration: Configuration) -> Configuration:
    """The configuration with secrets masked: what is built of it goes again, and a check tells of them itself."""
    settings = configuration.settings
    secrets = settings.secrets.model_copy(update={"on_found": "mask"})
    return replace(configuration, settings=settings.model_copy(update={"secrets": secrets}))


def _checked_cards(configuration: Configuration) -> tuple[CheckedCard, ...] | None:
    """The cards as they compare; None where no cards are configured and none were written. Raises the faults of cards."""
    configured = bool(configuration.settings.card)
    if not configured and not cards_folder(configuration).is_dir():
        return None
    try:
        return check_cards(configuration).checked
    except NotFoundFault:
        if configured:
            raise
        return None  # a folder of that name that has nothing to do with cards


def _stored(configuration: Configuration, index: Path) -> tuple[StoredIndex | None, tuple[Finding, ...]]:
    """The index, where it is there and can be read, with what is wrong with it as a whole."""
    shown = configuration.shown(configuration.file or index.absolute())
    try:
        stored = open_stored(index)
    except NotFoundFault as fault:
        if fault.code != "no-index":
            raise
        return None, (indexed.no_index(shown, configuration.shown(index.absolute())),)
    except IndexFault as fault:
        if fault.code != OTHER_FORMAT:
            raise
        return None, (indexed.other_format(shown, fault.message),)
    now = indexed.BuiltWith(ANALYZER, configuration.fingerprint(), VERSION)
    return stored, indexed.outdated(shown, _built_with(stored.manifest), now)


def _built_with(manifest: Manifest) -> indexed.BuiltWith:
    """What a build wrote down of its surroundings: the configuration's fingerprint and the release, a space between them."""
    configuration, _, release = manifest.configuration.partition(" ")
    return indexed.BuiltWith(manifest.analyzer, configuration, release)


@contextmanager
def _built(configuration: Configuration, progress: Progress | None) -> Iterator[Path]:
    """An index of the sources as they are now, in a folder that goes again."""
    with tempfile.TemporaryDirectory(prefix="nescio-check-") as folder:
        index = Path(folder) / "index"
        building.build(masking(configuration), index, progress=progress)
        yield index


def _ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda one: (one.path, one.start_line, one.kind, one.message)))
