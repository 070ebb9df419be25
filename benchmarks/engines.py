"""Which index does a benchmark ask? One a corpus, built with the default configuration, kept while the code is the same."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nescio
from nescio.assembly.building import build
from nescio.assembly.opening import open_index
from nescio.config.loading import Configuration, load
from nescio.engine import Engine
from questions import SetError
from reporting import note

# What decides what stands in an index. A change in what only reads it does not make it another one.
ROOMS_OF_THE_INDEX = ("analysis", "assembly", "config", "domain", "index", "ingest")
CODE_AND_DATA = (".py", ".tsv", ".txt")
_SPECIAL, _ESCAPED = r"([*?\[\\])", r"\\\1"  # what means something in a pattern, and how it is taken as it is


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents under a name. `left_out` are folders and pages below `docs` that are not read; `only`, pages that alone are."""

    name: str
    docs: Path
    left_out: tuple[str, ...] = ()
    only: tuple[str, ...] = ()


def configuration(corpus: Corpus, work: Path) -> Configuration:
    """The defaults, with the corpus as the one source; written as a file, so that the command line can be given the same."""
    folder = work.absolute() / corpus.name
    folder.mkdir(parents=True, exist_ok=True)
    included, excluded = _patterns(corpus.only), _patterns(corpus.left_out)
    file = folder / "nescio.toml"
    path = _quoted(str(corpus.docs.absolute()))
    # Some documentation prints whole keys as samples: nothing is to be measured of those.
    masking = '[secrets]\non_found = "mask"\n'
    source = f'[[source]]\nname = "docs"\npath = {path}\ninclude = {included}\nexclude = {excluded}\n'
    file.write_text(masking + source, encoding="utf-8")
    return load(folder, environ={}, flags={}, file=file)


def engine_for(corpus: Corpus, work: Path) -> Engine:
    """An engine over the corpus, its index built first unless the same code built it before.

    Raises SetError when there is no document in it.
    """
    configured = configuration(corpus, work)
    index = configured.root / f"index-{_code()}"
    for old in configured.root.glob("index-*"):
        if old != index:
            shutil.rmtree(old)
    if not index.exists():
        note(f"{corpus.name}: building ...")
    report = build(configured, index)
    if not report.files:
        raise SetError(f"no document was found in {corpus.docs} (is it ignored by git?)")
    for skipped in report.skipped:
        note(f"{corpus.name}: skipped {skipped.path}: {skipped.message}")
    note(
        f"{corpus.name}: {report.files} files, {report.passages} passages, {report.seconds:.1f} s, index {report.index_id[:12]}"
    )
    return open_index(configured, index)


def _patterns(paths: Iterable[str]) -> str:
    """Patterns that name these paths and nothing else, as a list of TOML."""
    return f"[{', '.join(_quoted('/' + re.sub(_SPECIAL, _ESCAPED, path)) for path in paths)}]"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@cache
def _code() -> str:
    """A digest of the code that an index depends on."""
    top = Path(nescio.__file__).parent
    files = sorted(file for room in ROOMS_OF_THE_INDEX for file in (top / room).rglob("*") if file.suffix in CODE_AND_DATA)
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.relative_to(top)}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:10]
