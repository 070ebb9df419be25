"""API keys: made once, kept as hashes, found again, and taken away from a server that runs."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.errors import NotFoundFault, StorageFault, UsageFault
from nescio.surfaces.cli.ending import finish
from nescio.surfaces.cli.keys import app
from nescio.surfaces.web.keyring import KeyRing, Scope

WHEN = "2026-01-02T03:04:05Z"


@pytest.fixture
def ring(tmp_path: Path) -> KeyRing:
    return KeyRing(tmp_path / "keys.json")


def run(capsysbinary: pytest.CaptureFixture[bytes], *arguments: str) -> tuple[int, str, str]:
    code = finish(app, [*arguments])
    out, err = capsysbinary.readouterr()
    return code, out.decode(), err.decode()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "nescio.toml").write_text('[serve]\nkeys_file = "kept/keys.json"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Alone


def test_without_a_command_the_commands_are_shown(project: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, err = run(capsysbinary)
    assert (code, err) == (0, "")
    assert "revoke" in out


# The ring


def test_a_key_is_found_again_and_nothing_of_it_is_kept(ring: KeyRing) -> None:
    key, text = ring.add("docs-site", [Scope.FEEDBACK, Scope.ASK, Scope.ASK], WHEN)
    assert re.fullmatch(r"nsc_[0-9a-f]{8}_[0-9a-f]{64}", text)
    assert ring.find(text) == key
    assert (key.name, key.scopes, key.created) == ("docs-site", (Scope.ASK, Scope.FEEDBACK), WHEN)
    assert text.startswith(f"nsc_{key.id}_")
    kept = ring.path.read_text(encoding="utf-8")
    assert text[13:] not in kept
    assert hashlib.sha256(text.encode()).hexdigest() in kept


@pytest.mark.skipif(sys.platform == "win32", reason="modes are those of POSIX")
def test_only_the_owner_may_read_the_file(ring: KeyRing) -> None:
    for name in ("a", "b"):
        ring.add(name, [Scope.ASK], WHEN)
        assert stat.S_IMODE(ring.path.stat().st_mode) == 0o600


def test_what_is_no_key_is_not_found(ring: KeyRing) -> None:
    assert ring.find("nsc_" + "0" * 8 + "_" + "0" * 64) is None
    _, text = ring.add("a", [Scope.ASK], WHEN)
    for other in ("", "nsc_", text[:-1], text + "0", text.upper(), f"{text}\n", text[:-1] + ("0" if text[-1] != "0" else "1")):
        assert ring.find(other) is None, other


@given(st.text(max_size=100))
def test_no_text_opens_by_chance(text: str) -> None:
    assert KeyRing(Path("/nowhere/at/all")).find(text) is None


def test_a_running_server_sees_keys_come_and_go(ring: KeyRing) -> None:
    served = KeyRing(ring.path)
    _, first = ring.add("first", [Scope.ASK], WHEN)
    assert served.find(first) is not None
    _, second = ring.add("second", [Scope.ADMIN], WHEN)
    assert served.find(second) is not None
    ring.revoke("first")
    assert served.find(first) is None
    assert served.find(second) is not None
    ring.path.unlink()
    assert served.find(second) is None


def test_a_file_that_cannot_be_read_lets_nobody_in_until_it_can(ring: KeyRing) -> None:
    served = KeyRing(ring.path)
    _, text = ring.add("a", [Scope.ASK], WHEN)
    assert served.find(text) is not None
    kept = ring.path.read_bytes()
    for damaged in (
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"nescio_keys":2,"keys":[]}',
        kept.replace(b'"ask"', b'"all"'),
        b"[" * 100_000,
    ):
        ring.path.write_bytes(damaged)
        with pytest.raises(StorageFault) as raised:
            served.find(text)
        assert raised.value.code == "keys-unreadable"
        with pytest.raises(StorageFault):
            ring.add("b", [Scope.ASK], WHEN)
        assert ring.path.read_bytes() == damaged  # never written over
    ring.path.write_bytes(kept)
    assert served.find(text) is not None


def test_a_name_is_taken_once_and_a_plain_one(ring: KeyRing) -> None:
    ring.add("a", [Scope.ASK], WHEN)
    with pytest.raises(UsageFault) as raised:
        ring.add("a", [Scope.ADMIN], WHEN)
    assert raised.value.code == "key-exists"
    for name in ("", "-a", "a b", "a\n", "a" * 61, "\x1b", "é"):
        with pytest.raises(UsageFault) as raised:
            ring.add(name, [Scope.ASK], WHEN)
        assert raised.value.code == "key-name"
    with pytest.raises(NotFoundFault) as missing:
        ring.revoke("b")
    assert missing.value.code == "key-not-found"
    assert [key.name for key in ring.kept()] == ["a"]


def add_some(path: str, first: int) -> None:
    for number in range(first, first + 5):
        KeyRing(Path(path)).add(f"key-{number}", [Scope.ASK], WHEN)


def test_no_key_is_lost_where_several_are_added_at_once(ring: KeyRing) -> None:
    context = multiprocessing.get_context("spawn")
    adding = [context.Process(target=add_some, args=(str(ring.path), 10 * number)) for number in range(2)]
    for process in adding:
        process.start()
    for process in adding:
        process.join()
    assert [process.exitcode for process in adding] == [0, 0]
    assert len(ring.kept()) == 10
    assert [path.name for path in ring.path.parent.iterdir() if path.name.endswith(".new")] == []


# The commands


def test_a_key_is_shown_once(project: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, _ = run(capsysbinary, "add", "docs-site")
    assert code == 0
    text = next(line for line in out.split("\n") if line.startswith("nsc_"))
    found = KeyRing(project / "kept" / "keys.json").find(text)
    assert found is not None
    assert found.scopes == (Scope.ASK, Scope.FEEDBACK)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", found.created)
    code, out, _ = run(capsysbinary, "list")
    assert code == 0
    assert "docs-site" in out
    assert text[:13] in out
    assert text[13:] not in out


def test_the_commands_speak_json(project: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    _, out, _ = run(capsysbinary, "add", "site", "--scope", "admin", "--scope", "ask", "--json")
    added = json.loads(out)
    ring = KeyRing(project / "kept" / "keys.json")
    assert ring.find(added["key"]) == ring.kept()[0]
    assert added["keys"][0]["scopes"] == ["admin", "ask"]
    assert added["file"] == str(ring.path)
    _, out, _ = run(capsysbinary, "list", "--json")
    listed = json.loads(out)
    assert listed["keys"] == added["keys"]
    assert listed["key"] is None
    assert "sha256" not in out
    _, out, _ = run(capsysbinary, "revoke", "site", "--json")
    assert json.loads(out)["keys"] == added["keys"]
    assert ring.kept() == ()


def test_wrong_use_of_the_commands_is_told(project: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(capsysbinary, "list")[1] == "There are no keys.\n"
    code, _, err = run(capsysbinary, "revoke", "nobody")
    assert code == 2
    assert "key-not-found" in err
    assert run(capsysbinary, "add", "a", "--scope", "everything")[0] == 2
    (project / "kept").mkdir(exist_ok=True)
    (project / "kept" / "keys.json").write_text("{", encoding="utf-8")
    code, _, err = run(capsysbinary, "list")
    assert code == 5
    assert "keys-unreadable" in err


def test_keys_are_made_without_the_extra_packages(project: Path) -> None:
    hidden = ("fastapi", "starlette", "uvicorn", "limits", "prometheus_client", "anyio")
    program = (
        f"import sys; sys.modules.update(dict.fromkeys({hidden!r}))\n"
        "from nescio.surfaces.cli.keys import app\n"
        "from nescio.surfaces.cli.ending import finish\n"
        "sys.exit(finish(app, ['add', 'a']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=project, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "nsc_" in done.stdout
