"""Is every quote exact? Each one is compared with the file on disk: bytes, lines, code points, UTF-16 units, hashes and text.

Each DOCS is a folder of documentation. Checked are every passage of its index, and every quote of the answers to questions:
those of --questions, else questions made of the documentation's own headings. Ends with 1 when anything is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from engines import Corpus, engine_for
from nescio.answer.quoting import quoted
from nescio.answer.section import passage_alone
from nescio.domain.answers import Answer
from nescio.domain.candidates import Key
from nescio.engine import Engine
from nescio.errors import QuestionFault
from nescio.index.reading import StoredIndex
from nescio.protocols import PassageAt
from nescio.surfaces import wire
from questions import load
from quote_checks import failures, passage_id
from reporting import FAILED, ended, note, parser, table, write_json

MOST_FAILURES_SHOWN = 20
WAYS_TO_ASK = ("{}", "what is {}", "how do I use {}")


@dataclass
class Counts:
    """What was checked of one folder, and what was wrong."""

    files: int = 0
    passages: int = 0
    asked: int = 0
    answered: int = 0
    quotes: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def exact(self) -> float:
        """The share of passages and quotes without a failure, in per cent."""
        checked = self.passages + self.quotes
        return 100 * (checked - len(self.wrong)) / checked if checked else 100.0

    def take(self, found: Sequence[str]) -> None:
        """Keep what is wrong with one quote."""
        if found:
            self.wrong.append("; ".join(found))


def passages(engine: Engine) -> Iterator[PassageAt]:
    """Every passage of the index, in order."""
    index = engine.index
    if not isinstance(index, StoredIndex):
        raise TypeError(f"an index in a folder is needed, this is a {type(index).__name__}")
    for rank, page in enumerate(index.manifest.pages):
        for number in range(page.passages):
            yield index.passage(Key(rank, number))


def check_passages(engine: Engine, root: Path, counts: Counts) -> list[str]:
    """Check every passage as a whole. Returns the headings that were met, each once."""
    headings: dict[str, None] = {}
    for at in passages(engine):
        one = at.passage
        quote = wire.quote_json(quoted(at, passage_alone(engine.index, at.key).pieces))
        found = failures(quote, root)
        if one.id != passage_id(one.source, one.path, one.document_sha256, one.span.start, one.span.end):
            found.append(f"{one.path}: the passage's id is not that of its place")
        counts.take(found)
        counts.passages += 1
        headings.update(dict.fromkeys(one.heading_path[-1:]))
    return list(headings)


def check_answers(engine: Engine, root: Path, questions: Iterable[str], counts: Counts) -> None:
    """Ask everything and check every quote that comes back."""
    for question in questions:
        counts.asked += 1
        try:
            result = engine.ask(question)
        except QuestionFault as fault:
            note(f"{fault.code}: {question[:60]!r}")
            continue
        if isinstance(result, Answer):
            counts.answered += 1
            counts.quotes += len(result.quotes)
            for quote in result.quotes:
                counts.take(failures(wire.quote_json(quote), root))


def from_headings(headings: Sequence[str], most: int) -> list[str]:
    """Questions that use headings' words, spread over all of them."""
    step = max(1, -(-len(headings) // most)) if most else len(headings) + 1
    chosen = [heading for heading in headings[::step] if heading.strip()][:most]
    return [WAYS_TO_ASK[at % len(WAYS_TO_ASK)].format(heading) for at, heading in enumerate(chosen)]


def check(docs: Path, arguments: argparse.Namespace) -> Counts:
    """Build, then check all of one folder."""
    name = "-".join(docs.absolute().parts[-2:])
    counts = Counts()
    with engine_for(Corpus(name, docs), arguments.work) as engine:
        counts.files = engine.index.documents
        note(f"{name}: checking passages ...")
        headings = check_passages(engine, docs, counts)
        asked = [one.text for file in arguments.questions or () for one in load(file)] or from_headings(
            headings, arguments.most
        )
        note(f"{name}: asking {len(asked)} questions ...")
        check_answers(engine, docs, asked, counts)
    for wrong in counts.wrong[:MOST_FAILURES_SHOWN]:
        note(f"{name}: {wrong}")
    return counts


def main() -> int:
    """Read the command line, check each folder, print the counts."""
    made = parser(__doc__)
    made.add_argument("docs", nargs="+", type=Path, metavar="DOCS")
    made.add_argument(
        "--questions", action="append", type=Path, metavar="FILE", help="a questions.jsonl to ask; may be repeated"
    )
    made.add_argument("--most", type=int, default=500, metavar="N", help="most questions to make of headings (default 500)")
    arguments = made.parse_args()
    found = {str(docs): check(docs, arguments) for docs in arguments.docs}
    rows = [["documents", "files", "passages", "asked", "answered", "quotes", "wrong", "exact"]]
    for name, one in found.items():
        numbers = (one.files, one.passages, one.asked, one.answered, one.quotes, len(one.wrong))
        rows.append([name, *map(str, numbers), f"{one.exact:.3f} %"])
    print(table(rows, indent=0))
    write_json(arguments.json, {name: asdict(one) | {"exact": one.exact} for name, one in found.items()})
    return FAILED if any(one.wrong for one in found.values()) else 0


if __name__ == "__main__":
    sys.exit(ended(main))
