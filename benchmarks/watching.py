"""How soon is an edit searchable while files are watched, and where does the time go?

DOCS is copied first, because pages are changed. Each edit adds a sentence to some pages, to the last of them one with a word
of its own; the clock runs from the first write until a `Following` answers with that. Beside it, in the same run, what that is
made of: a build and the opening of what was built, with nothing else at work.
"""

from __future__ import annotations

import random
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from engines import Corpus, configuration
from metrics import median
from nescio.assembly.building import build
from nescio.assembly.live.following import Following
from nescio.assembly.live.watching import Watcher
from nescio.assembly.opening import open_index
from nescio.config.loading import Configuration
from nescio.domain.answers import Answer
from nescio.index.writing import Carry
from questions import SetError
from reporting import ended, note, parser, table, write_json

PATIENCE_SECONDS = 60.0
SETTLING_SECONDS = 2.5  # a file younger than the coarsest clock's tick is read again by the next build
PAUSE_SECONDS = 1.5  # between edits, as people make them
LOOK_SECONDS = 0.005
LETTERS = "bcdfghklmnprstvz"  # a word of its own for each edit is made of four of them

Times = dict[str, list[float]]


class Pages:
    """The pages of a copy of the documents, and edits of them."""

    def __init__(self, docs: Path) -> None:
        self._pages = sorted(path for path in docs.rglob("*") if path.suffix in (".md", ".rst", ".txt") and path.is_file())
        if not self._pages:
            raise SetError(f"no page that could be changed in {docs}")
        self._chance = random.Random(1)
        self._count = 0

    def edit(self, count: int) -> str:
        """Change so many pages; the sentence that the last of them has now, and no other page."""
        self._count += 1
        word = "quo" + "".join(LETTERS[self._count >> shift & 15] + "a" for shift in (0, 4, 8, 12))
        said = f"The {word} sings at dawn."
        chosen = self._chance.sample(self._pages, min(count, len(self._pages)))
        for page in chosen:
            with page.open("a", encoding="utf-8", newline="") as file:
                file.write(f"\n\n{said if page == chosen[-1] else f'This is edit {self._count}.'}\n")
        return said


def followed(pages: Pages, configured: Configuration, index: Path, edits: int, files: int) -> Times:
    """Seconds from an edit until it is built and until it is answered from."""
    built: list[float] = []
    searchable: list[float] = []
    with Watcher(configured, index) as watcher, Following(configured, index) as following:
        _until(lambda: watcher.state.state == "watching" and following.index_id == watcher.state.index_id)
        for edit in range(edits):
            time.sleep(PAUSE_SECONDS)
            before = following.index_id
            started = time.perf_counter()
            said = pages.edit(files)
            _until(lambda before=before: watcher.state.index_id not in (before, None))  # type: ignore[misc]
            built.append(time.perf_counter() - started)
            _until(lambda said=said: _is_said(following, said))  # type: ignore[misc]
            searchable.append(time.perf_counter() - started)
            note(f"edit {edit + 1} of {edits}: {searchable[-1]:.2f} s")
    return {"built": built, "searchable": searchable}


def alone(pages: Pages, configured: Configuration, index: Path, edits: int, files: int) -> Times:
    """Seconds of a build after an edit, of one that goes on from memory as a watcher's does, of one after no edit, and of
    opening what was built, with nothing else at work.
    """
    times: Times = {"build": [], "build from memory": [], "build of nothing": [], "opening": []}
    carry = Carry(is_urgent=True)
    for _ in range(edits):
        pages.edit(files)
        _timed(times["build"], lambda: build(configured, index))
        pages.edit(files)
        build(configured, index, carry=carry)
        pages.edit(files)
        _timed(times["build from memory"], lambda: build(configured, index, carry=carry))
        _timed(times["opening"], lambda: open_index(configured, index).close())
    time.sleep(SETTLING_SECONDS)
    build(configured, index)
    for _ in range(edits):
        _timed(times["build of nothing"], lambda: build(configured, index))
    return times


def _timed(times: list[float], work: Callable[[], object]) -> None:
    started = time.perf_counter()
    work()
    times.append(time.perf_counter() - started)


def _is_said(following: Following, said: str) -> bool:
    with following.engine() as engine:
        answer = engine.ask(said)
    return isinstance(answer, Answer) and any(said in quote.text for quote in answer.quotes)


def _until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        if time.monotonic() > end:
            raise SetError(f"an edit was not seen within {PATIENCE_SECONDS:g} seconds")
        time.sleep(LOOK_SECONDS)


def rows(times: Times) -> list[list[str]]:
    """One row a figure, seconds."""
    return [["seconds", "median", "most"], *([name, f"{median(all_):.2f}", f"{max(all_):.2f}"] for name, all_ in times.items())]


def main(given: Sequence[str] | None = None) -> int:
    """See the top of the file."""
    arguments = parser(__doc__)
    arguments.add_argument("docs", type=Path, metavar="DOCS", help="the folder of documents")
    arguments.add_argument("--edits", type=int, default=20, help="how many edits (default 20)")
    arguments.add_argument("--files", type=int, default=10, help="pages that one edit changes (default 10)")
    asked = arguments.parse_args(given)
    if not asked.docs.is_dir():
        raise SetError(f"there is no folder {asked.docs}")
    folder = asked.work.absolute() / "watching"
    shutil.rmtree(folder, ignore_errors=True)
    note(f"copying {asked.docs} ...")
    shutil.copytree(asked.docs, folder / "docs", symlinks=True)
    configured = configuration(Corpus("watching", folder / "docs"), asked.work)
    note("building ...")
    build(configured, folder / "index")
    time.sleep(SETTLING_SECONDS)
    pages = Pages(folder / "docs")
    times = followed(pages, configured, folder / "index", asked.edits, asked.files)
    times |= alone(pages, configured, folder / "index", min(asked.edits, 5), asked.files)
    print(table(rows(times)))
    write_json(asked.json, times)
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
