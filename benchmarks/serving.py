"""What asking costs in one process: CPU time of each question, cold and warm, beside rivals in the same run, and memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from metrics import median, percentile
from processes import Memory, own_memory

if TYPE_CHECKING:
    from nescio.engine import Engine

Asked = TypeVar("Asked")

MILLISECONDS = 1_000
TAIL = 0.95


@dataclass(frozen=True, slots=True)
class Times:
    """CPU milliseconds a question, each the median over the runs of one run's figure."""

    median: float
    tail: float


@dataclass(frozen=True, slots=True)
class Served:
    """A process that opened an index and was asked everything twice. `opening` is in CPU milliseconds, without imports."""

    opening: float
    first: Times
    memory: Memory | None


def opened(file: Path, index: Path) -> Engine:
    """An engine over an index that is there. Imports here, so that a process that only measures others stays small."""
    from nescio.assembly.opening import open_index
    from nescio.config.loading import load

    return open_index(load(file.parent, environ={}, flags={}, file=file), index)


def serve(file: Path, index: Path, questions: Sequence[str]) -> Served:
    """Open, ask all with nothing cached, ask all again, look at the memory. To be run in a fresh process."""
    opened(file, index).close()  # imports
    started = time.process_time()
    with opened(file, index) as engine:
        opening = (time.process_time() - started) * MILLISECONDS
        first = _pass(engine.ask, questions)
        _pass(engine.ask, questions)
        return Served(opening, _times([first]), own_memory())


def compared(file: Path, index: Path, questions: Sequence[str], runs: int, few: int) -> dict[str, Times | str]:
    """nescio, tantivy alone and rank-bm25 by turns, `runs` times after a warm-up.

    rank-bm25, the slowest by far, is asked only the first `few` questions. What is not installed has a reason instead of times.
    """
    import rivals
    from nescio.index.reading import StoredIndex

    with opened(file, index) as engine:
        if not isinstance(engine.index, StoredIndex):
            raise TypeError("an index in a folder is needed")
        given = list(rivals.passages(engine.index))
        terms = [rivals.terms_of(engine, question) for question in questions]
        _pass(engine.ask, questions)
        passes: dict[str, Callable[[], list[float]]] = {
            "nescio": lambda: _pass(engine.ask, questions),
            "bare tantivy": _turn(rivals.bare_tantivy(given), terms),
        }
        missing: dict[str, Times | str] = {}
        try:
            passes["rank-bm25"] = _turn(rivals.rank_bm25(given), terms[:few])
        except ImportError as error:
            missing["rank-bm25"] = f"not installed ({error}): pip install rank-bm25"
        found: dict[str, list[list[float]]] = {name: [] for name in passes}
        for _ in range(runs):
            for name, one in passes.items():
                found[name].append(one())
        return {name: _times(times) for name, times in found.items()} | missing


def _turn(search: Callable[[Sequence[str]], object], terms: Sequence[Sequence[str]]) -> Callable[[], list[float]]:
    return lambda: _pass(search, terms)


def _pass(ask: Callable[[Asked], object], given: Sequence[Asked]) -> list[float]:
    """CPU milliseconds of each, all threads of the process counted."""
    found = []
    for one in given:
        started = time.process_time()
        ask(one)
        found.append((time.process_time() - started) * MILLISECONDS)
    return found


def _times(passes: Sequence[Sequence[float]]) -> Times:
    return Times(median([median(one) for one in passes]), median([percentile(one, TAIL) for one in passes]))
