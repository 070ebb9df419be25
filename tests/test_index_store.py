"""The index folder: what stands in it, and that damage of any sort is a clear fault and never a wrong quote."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from nescio.errors import Fault, IndexFault, NotFoundFault, UsageFault
from nescio.index.manifest import Manifest
from nescio.index.packs import Packs, PackWriter
from nescio.index.store import Store
from support.corpora import pages, questions
from support.processes import bound_by_modes
from support.projects import Json, Project, command, fault_code

SEED = 21
ASKED = questions(SEED, 8)


@pytest.fixture
def made(project: Project) -> Project:
    project.write_all(pages(SEED, 25)).build()
    return project


def generation(project: Project) -> Path:
    return project.index / "generations" / (project.index / "CURRENT").read_text("ascii").strip()


def pack(project: Project) -> Path:
    return next((project.index / "packs").iterdir())


def replaced(path: Path, data: bytes) -> None:
    """Put other bytes in the place of a file that may be mapped."""
    beside = path.with_name("beside")
    beside.write_bytes(data)
    beside.replace(path)


def flipped(data: bytes, at: int, bit: int = 0) -> bytes:
    return data[:at] + bytes([data[at] ^ (1 << bit)]) + data[at + 1 :]


def outcome(call: Callable[[], Any]) -> Any:
    """What a call returns, or the code of the fault that it raises."""
    try:
        return call()
    except Fault as fault:
        return fault.code


# Packs


def test_what_is_packed_is_read_again(tmp_path: Path) -> None:
    chance = random.Random(3)
    entries = [chance.randbytes(chance.choice((0, 1, 7, 8, 1000))) for _ in range(50)]
    writer = PackWriter(tmp_path, "g000001-00000000")
    places = [writer.append(entry) for entry in entries]
    writer.finish()
    packs = Packs(tmp_path, [writer.name])
    assert all(place % 8 == 0 for place in places)
    assert [bytes(packs.read(writer.name, at, len(entry))) for at, entry in zip(places, entries, strict=True)] == entries


def read_entry(packs: Packs, name: str, place: int, length: int) -> bytes:
    return bytes(packs.read(name, place, length))


def test_any_flipped_bit_of_a_pack_is_noticed(tmp_path: Path) -> None:
    writer = PackWriter(tmp_path, "g000001-00000000")
    entries = [b"the first entry", b"and the second one"]
    places = [writer.append(entry) for entry in entries]
    writer.finish()
    padding = range(places[0] + len(entries[0]), places[1] - 8)  # holds nothing
    path = tmp_path / writer.name
    whole = path.read_bytes()
    for at in range(len(whole)):
        replaced(path, flipped(whole, at, at % 8))
        packs = Packs(tmp_path, [writer.name])
        found = [
            outcome(partial(read_entry, packs, writer.name, place, len(entry)))
            for place, entry in zip(places, entries, strict=True)
        ]
        assert all(one in (entry, "index-damaged") for one, entry in zip(found, entries, strict=True))
        assert "index-damaged" in found or padding.start <= at < padding.stop


# Damage


def damage_current_garbage(project: Project) -> str:
    (project.index / "CURRENT").write_bytes(b"\xff\xfe\x00../../etc")
    return "index-damaged"


def damage_current_empty(project: Project) -> str:
    (project.index / "CURRENT").write_bytes(b"")
    return "index-damaged"


def damage_current_names_nothing(project: Project) -> str:
    (project.index / "CURRENT").write_text("g000099-0123abcd\n", encoding="ascii")
    return "index-damaged"


def damage_current_missing(project: Project) -> str:
    (project.index / "CURRENT").unlink()
    return "no-index"


def damage_generation_is_a_file(project: Project) -> str:
    folder = generation(project)
    shutil.rmtree(folder)
    folder.write_bytes(b"")
    return "index-damaged"


def damage_manifest_missing(project: Project) -> str:
    (generation(project) / "manifest.json").unlink()
    return "index-damaged"


def damage_manifest_garbage(project: Project) -> str:
    replaced(generation(project) / "manifest.json", b"\x00\xff not json {")
    return "index-damaged"


def damage_manifest_empty(project: Project) -> str:
    replaced(generation(project) / "manifest.json", b"")
    return "index-damaged"


def damage_manifest_of_another_kind(project: Project) -> str:
    replaced(generation(project) / "manifest.json", b"[1, 2]")
    return "index-damaged"


def damage_manifest_nested(project: Project) -> str:
    replaced(generation(project) / "manifest.json", b"[" * 200_000)
    return "index-damaged"


def damage_manifest_truncated(project: Project) -> str:
    path = generation(project) / "manifest.json"
    replaced(path, path.read_bytes()[:-200])
    return "index-damaged"


def damage_manifest_altered(project: Project) -> str:
    path = generation(project) / "manifest.json"
    replaced(path, path.read_bytes().replace(b'"next_slot":26', b'"next_slot":27'))
    return "index-damaged"


def damage_format(project: Project) -> str:
    path = generation(project) / "manifest.json"
    replaced(path, json.dumps({**json.loads(path.read_bytes()), "format": 9_999}).encode("ascii"))
    return "index-format"


def damage_pack_missing(project: Project) -> str:
    pack(project).unlink()
    return "index-damaged"


def damage_pack_truncated(project: Project) -> str:
    path = pack(project)
    replaced(path, path.read_bytes()[: path.stat().st_size // 10])
    return "index-damaged"


def damage_pack_empty(project: Project) -> str:
    replaced(pack(project), b"")
    return "index-damaged"


def damage_vocabulary_truncated(project: Project) -> str:
    path = generation(project) / "vocabulary.bin"
    replaced(path, path.read_bytes()[:-9])
    return "index-damaged"


def damage_vocabulary_empty(project: Project) -> str:
    replaced(generation(project) / "vocabulary.bin", b"")
    return "index-damaged"


def damage_written_words(project: Project) -> str:
    path = generation(project) / "written.bin"
    replaced(path, flipped(path.read_bytes(), 40))
    return "index-damaged"


def damage_search_index(project: Project) -> str:
    for path in (generation(project) / "passages").glob("*.term"):
        replaced(path, flipped(path.read_bytes(), path.stat().st_size // 2))
    return "index-damaged"


def damage_search_index_meta(project: Project) -> str:
    replaced(generation(project) / "passages" / "meta.json", b"{}")
    return "index-damaged"


DAMAGES = [value for name, value in sorted(globals().items()) if name.startswith("damage_")]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__.removeprefix("damage_"))
def test_damage_is_a_fault_that_says_what_to_do(made: Project, damage: Callable[[Project], str]) -> None:
    code = damage(made)
    with pytest.raises(Fault) as caught:
        made.answers(ASKED)
    assert caught.value.code == code
    assert isinstance(caught.value, NotFoundFault if code == "no-index" else IndexFault)
    assert "nescio build" in caught.value.hint


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__.removeprefix("damage_"))
def test_what_the_hint_says_mends_the_damage(made: Project, damage: Callable[[Project], str]) -> None:
    said = made.answers(ASKED)
    damage(made)
    shutil.rmtree(made.index)
    made.build()
    assert made.answers(ASKED) == said


@pytest.mark.parametrize(
    "damage",
    [one for one in DAMAGES if not one.__name__.startswith(("damage_pack_trunc", "damage_pack_empty", "damage_search"))],
    ids=lambda damage: damage.__name__.removeprefix("damage_"),
)
def test_a_build_over_an_index_that_cannot_be_opened_makes_it_anew(made: Project, damage: Callable[[Project], str]) -> None:
    said = made.answers(ASKED)
    damage(made)
    made.build()
    assert made.answers(ASKED) == said
    assert made.strays() == []


@pytest.mark.parametrize("code", ["index-damaged", "index-format"])
def test_the_command_tells_damage_without_a_traceback(made: Project, code: str) -> None:
    damage_format(made) if code == "index-format" else damage_pack_truncated(made)
    for arguments in (["ask", "--json", *ASKED[0].split()], ["search", "--json", *ASKED[0].split()]):
        done = command(made.root, *arguments)
        assert (done.returncode, fault_code(done)) == (5, code)


def test_an_index_of_another_analyzer_says_what_to_do(made: Project) -> None:
    path = generation(made) / "manifest.json"
    manifest = replace(Manifest.decode(path.read_bytes()), analyzer="of-long-ago")
    replaced(path, manifest.encode())
    with pytest.raises(IndexFault) as caught:
        made.engine()
    assert caught.value.code == "index-analyzer"
    assert "of-long-ago" in caught.value.message
    assert "nescio build" in caught.value.hint
    made.build()
    assert made.answers(ASKED)


def test_a_flipped_byte_anywhere_gives_the_same_answer_or_a_fault(made: Project) -> None:
    """Of every file of the index, at chance places: never another answer, never an exception that is not ours."""
    chance = random.Random(7)
    said = made.answers(ASKED[:3])
    paths = [path for path in made.index.rglob("*") if path.is_file() and path.stat().st_size]
    noticed = 0
    for path in paths:
        whole = path.read_bytes()
        for _ in range(40 if path.suffix == ".pack" else 8):
            replaced(path, flipped(whole, chance.randrange(len(whole)), chance.randrange(8)))
            found = outcome(lambda: made.answers(ASKED[:3]))
            assert found in (said, "index-damaged", "index-format", "no-index")
            noticed += found != said
        replaced(path, whole)
    assert noticed > 50
    assert made.answers(ASKED[:3]) == said


def test_a_stored_file_whose_bytes_were_exchanged_is_caught_by_its_hash(made: Project) -> None:
    """Even with every checksum right: what is shown is hashed."""
    path = generation(made) / "manifest.json"
    with closing(made.stored()) as stored:
        manifest = stored.manifest
    names = list(manifest.blobs)
    blobs = {name: manifest.blobs[other] for name, other in zip(names, [*names[1:], names[0]], strict=True)}
    replaced(path, replace(manifest, blobs=blobs).encode())
    with closing(made.stored()) as stored:
        for name in names:
            with pytest.raises(IndexFault) as caught:
                stored.document(name)
            assert caught.value.code == "index-damaged"


# Places that are no index


def test_an_index_path_that_is_a_file_is_refused(project: Project) -> None:
    project.write("a.md", "# A\n\nWords.\n")
    file = project.root / "file"
    file.write_text("precious", encoding="utf-8")
    with pytest.raises(UsageFault) as caught:
        project.build(file)
    assert caught.value.code == "index-not-a-folder"
    assert file.read_text(encoding="utf-8") == "precious"
    for path in (file, file / "below"):
        with pytest.raises(Fault) as caught_below:
            project.engine(path)
        assert caught_below.value.code == "no-index"


def test_the_command_refuses_an_index_path_that_is_a_file_or_below_one(project: Project) -> None:
    project.write("a.md", "# A\n\nWords.\n")
    (project.root / "file").write_text("", encoding="utf-8")
    done = command(project.root, "build", "--json", "--index", "file")
    assert (done.returncode, fault_code(done)) == (2, "index-not-a-folder")
    below = command(project.root, "build", "--json", "--index", "file/index")
    assert (below.returncode, fault_code(below)) == (5, "io-error")


def test_a_folder_with_other_files_is_refused_and_left_alone(project: Project) -> None:
    project.write("a.md", "# A\n\nWords.\n")
    mine = project.root / "mine"
    (mine / "generations").mkdir(parents=True)
    (mine / "packs").mkdir()
    (mine / "generations" / "grandparents.txt").write_text("precious", encoding="utf-8")
    (mine / "thesis.txt").write_text("precious", encoding="utf-8")
    with pytest.raises(UsageFault) as caught:
        project.build(mine)
    assert caught.value.code == "index-folder-in-use"
    assert (mine / "thesis.txt").exists()
    (mine / "thesis.txt").unlink()
    project.build(mine)
    assert (mine / "generations" / "grandparents.txt").exists()


@pytest.mark.parametrize("there", [["packs"], ["generations"], ["packs", "generations"], [".gitignore"], ["lock", "packs"]])
def test_a_folder_whose_first_build_was_cut_off_is_an_index(project: Project, there: list[str]) -> None:
    project.write("a.md", "# A\n\nWords.\n")
    for name in there:
        if "." in name or name == "lock":
            (project.index / name).parent.mkdir(exist_ok=True)
            (project.index / name).write_bytes(b"")
        else:
            (project.index / name).mkdir(parents=True)
    assert project.build().files == 1


@pytest.mark.skipif(os.name == "nt", reason="modes are a matter of POSIX")
def test_a_place_where_nothing_may_be_made_is_a_fault(project: Project) -> None:
    project.write("a.md", "# A\n\nWords.\n")
    closed = project.root / "closed"
    closed.mkdir()
    closed.chmod(0o555)
    done = bound_by_modes(project.root, "build", "--json", "--index", "closed/index")
    assert (done.returncode, fault_code(done)) == (5, "permission-denied")
    closed.chmod(0o000)
    done = bound_by_modes(project.root, "build", "--json", "--index", "closed/index")
    assert (done.returncode, fault_code(done)) == (5, "permission-denied")
    done = bound_by_modes(project.root, "status", "--json", "--index", "closed/index")
    assert (done.returncode, fault_code(done)) == (5, "permission-denied")


@pytest.mark.skipif(os.name == "nt", reason="modes are a matter of POSIX")
def test_an_index_that_may_not_be_read_is_a_fault(made: Project) -> None:
    (generation(made) / "manifest.json").chmod(0)
    done = bound_by_modes(made.root, "status", "--json")
    assert (done.returncode, fault_code(done)) == (5, "index-unreadable")
    assert (made.index / "CURRENT").exists()
    (generation(made) / "manifest.json").chmod(0o644)
    pack(made).chmod(0)
    done = bound_by_modes(made.root, "ask", "--json", "what")
    assert done.returncode == 5
    assert fault_code(done) in ("index-unreadable", "permission-denied")


def test_an_index_that_may_not_be_read_is_not_replaced(made: Project) -> None:
    """Whoever may not look must not sweep."""
    if os.name == "nt":
        pytest.skip("modes are a matter of POSIX")
    before = (made.index / "CURRENT").read_bytes()
    (generation(made) / "manifest.json").chmod(0)
    done = bound_by_modes(made.root, "build", "--json")
    assert done.returncode == 5
    (generation(made) / "manifest.json").chmod(0o644)
    assert (made.index / "CURRENT").read_bytes() == before
    assert made.answers(ASKED)


# Generations


def test_generations_have_names_of_their_own(tmp_path: Path) -> None:
    store = Store(tmp_path / "ix")
    store.prepare()
    names = []
    for _ in range(5):
        names.append(store.new_name())
        (store.generations / names[-1]).mkdir()
    assert names == sorted(set(names))


def test_what_is_swept_is_ours(tmp_path: Path) -> None:
    store = Store(tmp_path / "ix")
    store.prepare()
    (store.generations / "g000001-0123abcd").mkdir()
    (store.packs / "g000001-0123abcd.pack").write_bytes(b"")
    (store.packs / "README").write_bytes(b"")
    (store.folder / "CURRENT.0123abcd.tmp").write_bytes(b"")
    store.sweep(set(), set())
    assert sorted(path.name for path in store.folder.rglob("*")) == [".gitignore", "README", "generations", "packs"]


def test_a_discarded_build_leaves_nothing_but_never_takes_what_is_current(tmp_path: Path) -> None:
    store = Store(tmp_path / "ix")
    store.prepare()
    for name in ("g000001-0123abcd", "g000002-0123abcd"):
        (store.generations / name).mkdir()
        (store.packs / f"{name}.pack").write_bytes(b"x")
    store.point_to("g000002-0123abcd")
    store.discard("g000001-0123abcd")
    store.discard("g000002-0123abcd")
    assert [path.name for path in store.generations.iterdir()] == ["g000002-0123abcd"]
    assert [path.name for path in store.packs.iterdir()] == ["g000002-0123abcd.pack"]


def test_the_state_of_an_index_is_told_by_the_command(made: Project) -> None:
    state: Json = json.loads(command(made.root, "status", "--json").stdout)
    assert (state["documents"], state["sources"][0]["changed"], state["sources"][0]["missing"]) == (25, 0, 0)
    made.write(sorted(pages(SEED, 25))[0], "# Changed altogether\n")
    (made.docs / sorted(pages(SEED, 25))[1]).unlink()
    state = json.loads(command(made.root, "status", "--json").stdout)
    assert (state["sources"][0]["changed"], state["sources"][0]["missing"]) == (1, 1)
