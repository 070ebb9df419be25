"""How a case is played: build and ask, with what its steps.txt asks for before, between and after, in a simple form."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from unittest import mock

from case_checks import differences
from case_files import DONE, SKIPPED, SOURCE, Stage, parsed
from tokens import make

BRANCH_PAGES = 20
SECRET_SEED = 55
SHORTEST_PART = 8  # characters of a secret that nobody may see
CODE_PAGE = {"PYTHONIOENCODING": "cp1252"}


def plain(stage: Stage) -> list[str]:
    """Build, ask, compare. A build that skipped files is none the worse here."""
    return [*stage.build(SOURCE, codes=(DONE, SKIPPED)), *asked(stage)]


def asked(stage: Stage) -> list[str]:
    """Ask and compare."""
    answer, wrong = stage.ask()
    return [*wrong, *differences(stage, answer)]


def still_answers(stage: Stage, when: str) -> list[str]:
    """Ask and compare, with the moment told."""
    return [f"{when}: {one}" for one in asked(stage)]


def link_out(stage: Stage) -> list[str]:
    """A link that leaves the root."""
    (stage.docs / "escape.md").symlink_to("../outside.txt")
    return plain(stage)


def link_loops(stage: Stage) -> list[str]:
    """Links to themselves, to their folder and to the root."""
    (stage.docs / "self").symlink_to("self")
    (stage.docs / "loop").symlink_to(".")
    (stage.docs / "a").mkdir()
    (stage.docs / "a" / "b").symlink_to("../../docs")
    wrong = plain(stage)
    if stage.report.get("files") != 1:
        wrong.append(f"{stage.report.get('files')} files were read, expected 1")
    return wrong


def vanished(stage: Stage) -> list[str]:
    """A file goes between the walk and the reading."""
    from nescio.assembly.building import build
    from nescio.config.loading import load
    from nescio.ingest.source_files import walk_source

    gone = stage.docs / "tmp.md"
    gone.write_text("# Gone\n\nThis page goes.\n", encoding="utf-8")

    def then_gone(*given: Any, **named: Any) -> Any:
        found = walk_source(*given, **named)
        gone.unlink()
        return found

    with mock.patch("nescio.assembly.building.walk_source", then_gone):
        report = build(load(stage.folder, environ={}, flags={}, docs=[stage.docs]), stage.index)
    wrong = [] if (report.files, report.skipped) == (1, ()) else [f"{report.files} files, skipped {report.skipped}"]
    return [*wrong, *asked(stage)]


def secret(stage: Stage) -> list[str]:
    """A token and a key are in a page: the build refuses and says where, then masks them; nothing of them is to be found."""
    chance = Random(SECRET_SEED)
    token, key = make("github", chance).secret, make("private-key", chance).secret
    page = stage.docs / "s.md"
    text = page.read_text("utf-8").replace("@@A_WELL_FORMED_GITHUB_TOKEN@@", token).replace("@@A_SHORT_PEM_PRIVATE_KEY@@", key)
    page.write_text(text, encoding="utf-8")
    run = stage.run("build", "--json", SOURCE)
    told = parsed(run.stderr).get("error", {})
    wrong = [] if (run.returncode, told.get("code")) == (SKIPPED, "secrets-found") else [f"exit {run.returncode}, {told}"]
    wrong += [] if "s.md:5: " in told.get("message", "") and "s.md:7: " in told["message"] else [f"no file and line: {told}"]
    (stage.folder / "nescio.toml").write_text(f'[secrets]\non_found = "mask"\n[[source]]\npath = "{SOURCE}"\n', "utf-8")
    wrong += [*stage.build(SOURCE), *asked(stage)]
    said = run.stdout + run.stderr + b"".join(path.read_bytes() for path in stage.index.rglob("*") if path.is_file())
    parts = {
        part[at : at + SHORTEST_PART] for part in (token[4:], *key.split("\n")[1:-1]) for at in range(len(part) - SHORTEST_PART)
    }
    return wrong + ["a part of a secret is in the index or in a message" for part in parts if part.encode() in said][:1]


def emptied(stage: Stage) -> list[str]:
    """All documents are gone: the old index stands."""
    wrong = stage.build(SOURCE)
    (stage.docs / "base.md").rename(stage.folder / "base.md")
    if not stage.build(SOURCE):
        wrong.append("a build of an emptied folder succeeded")
    (stage.folder / "base.md").rename(stage.docs / "base.md")
    return [*wrong, *still_answers(stage, "after the refused build")]


def like_cold(stage: Stage) -> list[str]:
    """The index has the id that a cold build of the same documents has."""
    wrong = stage.build(SOURCE)
    warm = stage.report.get("index_id")
    cold = stage.run("build", "--json", "--index", str(stage.folder / "cold"), SOURCE)
    cold_id = parsed(cold.stdout).get("index_id")
    return wrong if warm and warm == cold_id else [*wrong, f"index_id {warm}, of a cold build {cold_id}"]


def branches(stage: Stage) -> list[str]:
    """The documents change to another branch's and back, a build after each."""
    pages = [stage.docs / f"page{number}.md" for number in range(BRANCH_PAGES)]
    wrong: list[str] = []
    for branch in ("main", "other", "main"):
        for number, page in enumerate(pages):
            beside = page.with_suffix(".new")
            beside.write_text(f"# Page {number}\n\nWritten on the branch {branch}.\n", encoding="utf-8")
            beside.replace(page)
        if branch == "other":
            pages[0].unlink()
        wrong += stage.build(SOURCE)
    return [*wrong, *asked(stage), *like_cold(stage)]


def console(stage: Stage) -> list[str]:
    """Output in a code page that lacks the characters; JSON is UTF-8 all the same."""
    wrong = plain(stage)
    for_people = stage.run("ask", stage.case.question, environ=CODE_PAGE)
    for_programs = stage.run("ask", "--json", stage.case.question, environ=CODE_PAGE)
    wrong += [f"ended with {one.returncode}" for one in (for_people, for_programs) if one.returncode != DONE]
    try:
        return [*wrong, *differences(stage, json.loads(for_programs.stdout.decode("utf-8")))]
    except ValueError as error:
        return [*wrong, f"--json is not UTF-8 JSON: {error}"]
