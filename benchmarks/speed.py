"""How long does it take, and how much memory: building, a build after one change, asking in process and from the command line.

DOCS is copied first, because a page is changed. Every figure is a median over --runs. Building and the command line are seconds
of the clock of whole processes; asking in process is CPU time, beside rank-bm25 and bare tantivy on the same passages and terms
in the same run.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from metrics import median
from processes import in_fresh_process, nescio_command, peak_of, timed
from questions import SetError, load
from reporting import ended, note, parser, table, write_json
from serving import compared, serve

SETTLING_SECONDS = 2.1  # a file younger than the coarsest clock's tick is read again by the next build
BUILT = (0, 3)  # 3: some file could not be read
ASKED = (0, 1)
MEGABYTE = 1024 * 1024

Row = list[str]
Figures = dict[str, Any]


class Bench:
    """A copy of the documents with its configuration, and an index beside it."""

    def __init__(self, docs: Path, work: Path) -> None:
        from engines import Corpus, configuration

        if not docs.is_dir():
            raise SetError(f"there is no folder {docs}")
        self.folder = work.absolute() / "speed"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.docs = self.folder / "docs"
        note(f"copying {docs} ...")
        shutil.copytree(docs, self.docs, symlinks=True)
        self.index = self.folder / "index"
        configured = configuration(Corpus("speed", self.docs), work)
        self.file = configured.root / "nescio.toml"
        time.sleep(SETTLING_SECONDS)

    def command(self, *words: str) -> list[str]:
        """A nescio command on this index."""
        return [*nescio_command(), *words, "--config", str(self.file), "--index", str(self.index)]

    def cold(self) -> None:
        """Forget the index."""
        shutil.rmtree(self.index, ignore_errors=True)

    def change(self, run: int) -> None:
        """Add a line to the page in the middle."""
        pages = sorted(
            path for path in self.docs.rglob("*") if path.suffix in (".md", ".rst", ".html", ".txt") and path.is_file()
        )
        if not pages:
            raise SetError(f"no page that could be changed in {self.docs}")
        with pages[len(pages) // 2].open("ab") as file:
            file.write(f"\nChanged {run + 1} times.\n".encode())


def built(bench: Bench, runs: int, jobs: int) -> Figures:
    """Cold builds with so many processes, 0 for one a core."""
    done = []
    for run in range(runs):
        bench.cold()
        done.append(timed(bench.command("build", "--json", "--jobs", str(jobs)), BUILT))
        note(f"cold build {run + 1} of {runs}, --jobs {jobs}: {done[-1].seconds:.2f} s")
    report = json.loads(done[-1].stdout)
    spent = {"seconds": median([one.seconds for one in done]), "cpu": median([one.cpu for one in done])}
    return {**spent, "files": report["files"], "passages": report["passages"]}


def building(bench: Bench, runs: int) -> Figures:
    """All about building. Leaves an index of the changed documents."""
    one_process = built(bench, runs, 1)
    default = built(bench, runs, 0)
    bench.cold()
    peak = peak_of(bench.command("build", "--json"), BUILT).peak
    nothing, changed = [], []
    for run in range(runs):
        nothing.append(timed(bench.command("build", "--json"), BUILT).seconds)
        bench.change(run)
        changed.append(timed(bench.command("build", "--json"), BUILT).seconds)
    sizes = {name: _size(folder) for name, folder in (("documents", bench.docs), ("index", bench.index))}
    return {
        "files": default["files"],
        "passages": default["passages"],
        "bytes": sizes,
        "cold build, one process for each core, s": default["seconds"],
        "cold build, one process, s": one_process["seconds"],
        "cold build, one process, CPU s": one_process["cpu"],
        "build after one changed page, s": median(changed),
        "build after no change, s": median(nothing),
        "most memory of a cold build, MB": _megabytes(peak),
    }


def command_line(bench: Bench, question: str, runs: int) -> Figures:
    """Whole processes, beside one that does nothing. The first of each is not counted."""
    commands = {
        "python -c pass, s": [sys.executable, "-c", "pass"],
        "nescio --version, s": [*nescio_command(), "--version"],
        "nescio ask, s": [*bench.command("ask"), "--", question],
        "nescio ask --json, s": [*bench.command("ask", "--json"), "--", question],
    }
    found: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(runs + 1):
        for name, command in commands.items():
            found[name].append(timed(command, ASKED).seconds)
    return {name: median(times[1:]) for name, times in found.items()}


def asking(bench: Bench, questions: list[str], arguments: argparse.Namespace) -> Figures:
    """In process: cold, warm, beside rivals, and the memory of a process that serves."""
    note(f"asking {len(questions)} questions ...")
    served = in_fresh_process(serve, bench.file, bench.index, questions)
    beside = in_fresh_process(compared, bench.file, bench.index, questions, arguments.runs, arguments.few)
    memory = served.memory
    return {
        "opening the index, CPU ms": served.opening,
        "nothing cached": asdict(served.first),
        **{name: times if isinstance(times, str) else asdict(times) for name, times in beside.items()},
        "memory of a serving process, resident, MB": _megabytes(memory.resident if memory else None),
        "memory of a serving process, private, MB": _megabytes(memory.private if memory else None),
    }


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _megabytes(size: int | None) -> float | None:
    return None if size is None else size / MEGABYTE


def rows(figures: Figures) -> list[Row]:
    """One row a number; times of questions also as multiples of nescio's."""
    own = figures.get("nescio")
    found: list[Row] = []
    for name, value in figures.items():
        if isinstance(value, dict) and "median" in value:
            ratio = value["median"] / own["median"] if isinstance(own, dict) else 1.0
            shown = f"{value['median']:.2f} (95 %: {value['tail']:.2f})"
            found.append([f"{name}, CPU ms a question", shown, f"{ratio:.3g} x"])
        elif isinstance(value, dict):
            found += [[f"{name}, {part}, MB", f"{size / MEGABYTE:.1f}", ""] for part, size in value.items()]
        elif value is None or isinstance(value, str):
            found.append([name, value or "not known on this system", ""])
        else:
            found.append([name, f"{value:,}" if isinstance(value, int) else f"{value:.3f}", ""])
    return found


def main() -> int:
    """Read the command line, measure, print."""
    made = parser(__doc__)
    made.add_argument("docs", type=Path, metavar="DOCS")
    made.add_argument("questions", type=Path, metavar="QUESTIONS", help="a questions.jsonl")
    made.add_argument("--runs", type=int, default=5, metavar="N", help="of everything (default 5)")
    made.add_argument("--build-runs", type=int, metavar="N", help="of cold and small builds (default: as --runs)")
    made.add_argument("--few", type=int, default=20, metavar="N", help="questions for rank-bm25 in each run (default 20)")
    arguments = made.parse_args()
    questions = [one.text for one in load(arguments.questions)]
    bench = Bench(arguments.docs, arguments.work)
    figures = {
        "building": building(bench, arguments.build_runs or arguments.runs),
        "asking": asking(bench, questions, arguments),
        "command line": command_line(bench, questions[0], 2 * arguments.runs),
    }
    for title, part in figures.items():
        print(f"{title}\n{table([['measure', 'median', 'beside nescio'], *rows(part)])}\n")
    write_json(arguments.json, figures)
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
