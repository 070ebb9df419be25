"""Small inputs of kinds on which tools of this sort fail: is each one answered, or refused, as its folder says?

CASES_FOLDER holds cases.json and a folder for each case. A case is copied, built and asked through the command line, with its
steps in a simple form; the answer's bytes, lines, hashes and anchors are compared with the file. Ends with 1 when a case fails.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import case_doors
import case_faults
import case_steps
from case_files import Case, Stage, cases
from questions import SetError
from reporting import FAILED, ended, note, parser, write_json

KINDS = ("parsing", "offsets", "reading", "queries", "index", "secrets", "security", "doors")
READABLE = 0o755  # the copies are read by another user in one of the cases

# How a case with steps is played; any other is only built and asked.
STEPS: dict[str, Callable[[Stage], list[str]]] = {
    "G54-path-traversal": case_steps.link_out,
    "G55-secret": case_steps.secret,
    "G56-symlink-loop": case_steps.link_loops,
    "G57-vanished-file": case_steps.vanished,
    "G59-empty-root": case_steps.emptied,
    "G60-branch-switch": case_steps.branches,
    "G61-two-writers": case_faults.two_writers,
    "G63-read-only-index": case_faults.read_only,
    "G64-kill-during-write": case_faults.killed,
    "G65-disk-full": case_faults.disk_full,
    "G66-fsync-not-supported": case_faults.no_folder_sync,
    "G67-search-during-reindex": case_doors.search_during_reindex,
    "G76-console-encoding": case_steps.console,
}


def played(case: Case, folder: Path) -> list[str] | None:
    """What differs; None when the case needs steps that are not known here."""
    if case.has_steps and case.id not in STEPS:
        return None
    stage = Stage.of(case, folder)
    try:
        return STEPS.get(case.id, case_steps.plain)(stage)
    except Exception as error:  # one case must not hide the others
        note(f"{case.id}: {type(error).__name__}")
        return [f"{type(error).__name__}: {error}"]


def wanted(found: list[Case], arguments: argparse.Namespace) -> list[Case]:
    """The cases of the kinds, or of the ids, that were asked for. Raises SetError when there is none."""
    kinds = set(arguments.kind.split(","))
    only = tuple(arguments.only or ())
    chosen = [case for case in found if (case.id.startswith(only) if only else case.kind in kinds)]
    if not chosen:
        known = ", ".join(sorted({case.kind for case in found}))
        raise SetError(f"there is no such case; kinds with a folder: {known}")
    return chosen


def main() -> int:
    """Read the command line, play each case, print what differs."""
    made = parser(__doc__)
    made.add_argument("folder", type=Path, metavar="CASES_FOLDER")
    made.add_argument("--kind", default=",".join(KINDS), metavar="KINDS", help="kinds, with commas (default: %(default)s)")
    made.add_argument("--only", action="append", metavar="ID", help="cases whose id starts so, of any kind; may be repeated")
    arguments = made.parse_args()
    results: dict[str, list[str] | None] = {}
    arguments.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=arguments.work) as work:
        Path(work).chmod(READABLE)
        for case in wanted(cases(arguments.folder), arguments):
            wrong = results[case.id] = played(case, Path(work) / case.id)
            verdict = "not played: its steps are not known here" if wrong is None else "FAIL" if wrong else "ok"
            print(f"{case.id} ({case.kind}): {verdict}", *(f"    {one}" for one in wrong or ()), sep="\n", flush=True)
    failed = sum(bool(wrong) for wrong in results.values())
    played_count = sum(wrong is not None for wrong in results.values())
    print(f"{played_count - failed} of {played_count} right, {len(results) - played_count} not played")
    write_json(arguments.json, results)
    return FAILED if failed else 0


if __name__ == "__main__":
    sys.exit(ended(main))
