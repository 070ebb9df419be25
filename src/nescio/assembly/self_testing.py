"""Does a check find what it is for? In a copy of the sources a quoted word is changed, and the check has to say so."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from nescio.assembly.building import Progress, build
from nescio.assembly.checking import GoldenFile, check, masking
from nescio.assembly.opening import open_index
from nescio.config.loading import Configuration
from nescio.config.model import Source
from nescio.domain.answers import Answer
from nescio.domain.documents import Document
from nescio.domain.findings import Finding, FindingKind
from nescio.drift.golden import Golden, is_kept
from nescio.drift.planting import other_word, word_to_change
from nescio.engine import Engine
from nescio.errors import InternalFault
from nescio.evaluate.measuring.places import Pages
from nescio.index.reading import open_stored
from nescio.ingest.files import include_top
from nescio.ingest.reader import read_inside
from nescio.ingest.source_files import walk_source

_DOCUMENTS, _INCLUDED, _INDEX = "documents", "included", "index"
_OF_AN_ANSWER = frozenset({FindingKind.GOLDEN_MOVED, FindingKind.GOLDEN_REFUSED})


@dataclass(frozen=True, slots=True)
class _Plant:
    """Words to change, and a document of the index that holds one; `path` is the document's, with its source before it.

    `golden` is whose answer shows them, if anybody's. The words are changed wherever they stand: else another quote could show
    what is pinned.
    """

    path: str
    document: Document
    words: tuple[str, ...]
    golden: Golden | None = None


def self_test(configuration: Configuration, golden: GoldenFile | None = None, progress: Progress | None = None) -> str:
    """Change a word in a copy of the sources, check the copy, and say in a sentence what was found. The copy goes again.

    Raises InternalFault (`self-test-failed`) where the check does not report the change, or where there is no word to change.
    """
    with tempfile.TemporaryDirectory(prefix="nescio-self-test-") as folder:
        top = Path(os.path.realpath(folder))
        copy = _copied(masking(configuration), top)
        build(copy, top / _INDEX, progress=progress)
        for _ in range(configuration.settings.limits.max_include_depth + 1):
            if not _copy_included(configuration, copy, top / _INDEX):
                break
            build(copy, top / _INDEX, progress=progress)
        with open_index(copy, top / _INDEX) as engine:
            plant = _plant(engine, golden.golden if golden else ())
        _edit(plant, top)
        return _judged(check(copy, top / _INDEX, golden, progress).findings, plant, has_golden=golden is not None)


def _copied(configuration: Configuration, top: Path) -> Configuration:
    """The configuration over a copy of each source's documents, which lie below the include root as they do."""
    sources = []
    for number, source in enumerate(configuration.settings.sources):
        folder = configuration.folder(source)
        included = top / _INCLUDED / str(number)
        below = Path(os.path.relpath(os.path.realpath(folder), os.path.realpath(_include_root(configuration, source))))
        target = top / _DOCUMENTS / str(number) if os.pardir in below.parts else included / below
        for place in (included, target):
            place.mkdir(parents=True, exist_ok=True)
        limits = configuration.settings.limits
        for found in walk_source(source, folder, limits).files:
            (target / found.path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(found.absolute, target / found.path)
        sources.append(source.model_copy(update={"path": str(target), "include_root": str(included)}))
    # Cards are compared with files that are not copied.
    return Configuration(configuration.settings.model_copy(update={"sources": tuple(sources), "card": ()}), {}, top)


def _include_root(configuration: Configuration, source: Source) -> Path:
    return include_top(configuration.folder(source), configuration.include_root(source))


def _copy_included(configuration: Configuration, copy: Configuration, index: Path) -> int:
    """Copy what pages of the copy include and is not there yet; how many files that are."""
    stored = open_stored(index)
    wanted = {(page.source, path) for page in stored.manifest.pages for path, sha256 in page.used.items() if sha256 is None}
    stored.close()
    copied = 0
    for source, other in zip(configuration.settings.sources, copy.settings.sources, strict=True):
        for path in sorted(path for name, path in wanted if name == source.name and os.pardir not in PurePosixPath(path).parts):
            document = read_inside(_include_root(configuration, source), path, source.name, configuration.settings.limits)
            if isinstance(document, Document):
                target = Path(str(other.include_root), path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(document.data)
                copied += 1
    return copied


def _plant(engine: Engine, golden: Sequence[Golden]) -> _Plant:
    """What to change: words of a golden answer that holds now, else a word of the first passage that has one."""
    located = Pages(engine.index).located
    for one in golden:
        plant = _golden_plant(engine, Golden(located(one.case), one.hashes)) if one.case.answerable else None
        if plant is not None:
            return plant
    for key in engine.index.keys():  # noqa: SIM118  (no dict)
        passage = engine.index.passage(key).passage
        document = engine.index.document(passage.document_sha256)
        word = word_to_change(" ".join(span.of(document.text) for span in passage.spans))
        if word is not None:
            return _Plant(f"{passage.source}/{passage.path}", document, (word,))
    raise _failed("No document holds a word that could be changed.")


def _golden_plant(engine: Engine, one: Golden) -> _Plant | None:
    """A word of all that is pinned; None where the answer is not as pinned, or has no such word as its document writes it."""
    result = engine.ask(one.case.question)
    kept = [quote for quote in result.quotes if is_kept(one, quote)] if isinstance(result, Answer) else []
    if not kept:
        return None
    pinned = [*one.words, *(quote.text for quote in kept if quote.quote_sha256 in one.hashes)]
    words = [word for word in (word_to_change(text, one.case.question) for text in pinned) if word is not None]
    document = engine.index.document(kept[0].document_sha256)
    shown = [document.text[place.start : place.end] for place in kept[0].spans]
    if len(words) < len(pinned) or not any(word in text for word in words for text in shown):
        return None
    return _Plant(f"{kept[0].source}/{kept[0].path}", document, tuple(dict.fromkeys(words)), one)


def _edit(plant: _Plant, top: Path) -> None:
    """Change the words in every file of the copy."""
    encodings = dict.fromkeys((plant.document.encoding, "utf-8"))
    pairs = [(word.encode(name), other_word(word).encode(name)) for name in encodings for word in plant.words]
    for folder in (top / _DOCUMENTS, top / _INCLUDED):
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            data = edited = file.read_bytes()
            for old, new in pairs:
                edited = edited.replace(old, new)
            if edited != data:
                file.write_bytes(edited)


def _judged(findings: Sequence[Finding], plant: _Plant, *, has_golden: bool) -> str:
    """The sentence of a self-test that passed."""
    words = " and ".join(f'"{word}"' for word in plant.words)
    where = f"{words} {'was' if len(plant.words) == 1 else 'were'} changed in a copy of {plant.path}"
    if not any(one.kind is FindingKind.INDEX_CHANGED and one.old == plant.document.sha256 for one in findings):
        raise _failed(f"{where}, and the check did not report it.")
    told = [FindingKind.INDEX_CHANGED]
    if plant.golden is not None:
        asked = f'"{plant.golden.case.question}"'
        answer = next((one.kind for one in findings if one.kind in _OF_AN_ANSWER and one.message.startswith(asked)), None)
        if answer is None:
            raise _failed(f"{where}, and the check did not report the golden answer {plant.golden.case.id!r}.")
        told.append(answer)
    rest = "; no golden answer holds that could be tried" if has_golden and plant.golden is None else ""
    return f"Self-test: {where} and reported as {' and '.join(told)}{rest}."


def _failed(message: str) -> InternalFault:
    return InternalFault(
        "self-test-failed", message, "Do not rely on this check. Report it with the output of `nescio config`."
    )
