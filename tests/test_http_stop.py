"""How `nescio serve` starts and stops, as a process of its own: what it says, and that nobody's request is lost."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")

import httpx2

from nescio.errors import UsageFault
from nescio.surfaces.web.listening import listen
from support.projects import Project, command, environment
from support.serving import process

PATIENCE = 20.0
# Slow enough that ten of them are still in flight when the signal comes: each pear is a page that has to be looked at.
SETTINGS = """[serve]
drain_seconds = 0.3
grace_seconds = 5.0
rate = "off"
cached_answers = 0
"""

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture
def built(project: Project) -> Project:
    """Documents that take a moment to be searched, with their index."""
    words = " ".join(f"word{number}" for number in range(300))
    pages = {f"p{number}.md": f"# Pear {number}\n\nThe pear {number} ripens. {words}\n" for number in range(60)}
    project.write_all(pages)
    (project.root / "nescio.toml").write_text(SETTINGS, encoding="utf-8")
    project.build()
    return project


@posix
def test_requests_in_flight_end_and_streams_are_closed(built: Project) -> None:
    question = " ".join(f"word{number}" for number in range(60))
    with process(built.root) as server, ThreadPoolExecutor(13) as threads:
        streamed = threading.Event()
        stream = threads.submit(_read_stream, server.url, streamed)
        assert streamed.wait(PATIENCE)
        begun = threading.Barrier(11)
        asked = [threads.submit(_ask, server.url, f"{question} {index}", begun) for index in range(10)]
        answer = threads.submit(_stream_answer, server.url, question)
        begun.wait(PATIENCE)
        server.popen.terminate()
        sent = time.monotonic()
        assert answer.result(PATIENCE).rstrip().endswith("event: done\ndata: {}")
        results = [one.result(PATIENCE) for one in asked]
        assert {result.status_code for result in results} == {200}
        assert all(result.json()["question"].startswith("word0") for result in results)
        assert stream.result(PATIENCE) >= 1
        assert server.popen.wait(PATIENCE) == 0
        assert time.monotonic() - sent < 5.0 + 2.0
        assert "Traceback" not in server.said


def _read_stream(url: str, begun: threading.Event) -> int:
    """How many lines a stream has until the server ends it."""
    with httpx2.stream("GET", f"{url}v1/events", timeout=PATIENCE) as stream:
        count = 0
        for _ in stream.iter_lines():
            count += 1
            begun.set()
        return count


def _stream_answer(url: str, question: str) -> str:
    """An answer as events, whole."""
    asked = {"q": question}
    return httpx2.get(f"{url}v1/ask", params=asked, headers={"accept": "text/event-stream"}, timeout=PATIENCE).text


def _ask(url: str, question: str, begun: threading.Barrier) -> httpx2.Response:
    with httpx2.Client(timeout=PATIENCE) as http:
        http.get(f"{url}livez")  # the connection is open
        begun.wait(PATIENCE)
        return http.post(f"{url}v1/ask", json={"question": question})


@posix
def test_a_stopping_server_is_not_ready_and_still_answers_for_a_while(built: Project) -> None:
    (built.root / "nescio.toml").write_text(SETTINGS.replace("0.3", "1.5"), encoding="utf-8")
    with process(built.root) as server, httpx2.Client(base_url=server.url, timeout=PATIENCE) as http:
        assert http.get("/readyz").status_code == 200
        server.popen.send_signal(signal.SIGINT)
        told = http.get("/readyz")
        while told.status_code == 200:
            told = http.get("/readyz")
        assert (told.status_code, told.json()["code"]) == (503, "server-stopping")
        with httpx2.Client(base_url=server.url, timeout=PATIENCE) as new:
            assert new.get("/v1/ask", params={"q": "pear 3 ripens"}).status_code == 200
        assert server.popen.wait(PATIENCE) == 0


@posix
def test_a_second_signal_ends_it_at_once(built: Project) -> None:
    (built.root / "nescio.toml").write_text(SETTINGS.replace("0.3", "60.0"), encoding="utf-8")
    with process(built.root) as server:
        server.popen.terminate()
        time.sleep(0.6)
        assert server.popen.poll() is None
        server.popen.terminate()
        assert server.popen.wait(3.0) != 0


@posix
def test_a_request_that_does_not_end_is_not_waited_for_longer_than_the_grace(built: Project) -> None:
    (built.root / "nescio.toml").write_text(SETTINGS.replace("5.0", "1.0"), encoding="utf-8")
    with process(built.root) as server, _half_a_request(server.url):
        server.popen.terminate()
        sent = time.monotonic()
        assert server.popen.wait(PATIENCE) == 0
        assert time.monotonic() - sent < 1.0 + 2.0


def _half_a_request(url: str) -> socket.socket:
    host, _, port = url.removeprefix("http://").rstrip("/").partition(":")
    opened = socket.create_connection((host, int(port)))
    head = f"POST /v1/ask HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
    opened.sendall(head.encode() + b"{")
    return opened


# A server that watches


@posix
def test_a_watching_server_answers_from_what_was_just_written_and_says_when_it_cannot(project: Project) -> None:
    page = project.write("a.md", "# Ladle\n\nThe ladle hangs on the left hook.\n")
    (project.root / "nescio.toml").write_text(SETTINGS, encoding="utf-8")
    with process(project.root, "--watch") as server, httpx2.Client(base_url=server.url, timeout=PATIENCE) as http:
        assert http.get("/v1/version").json()["watching"] is True
        until(lambda: 'nescio_builds_total{result="ok"}' in http.get("/metrics").text)
        page.write_text("# Ladle\n\nThe ladle lies in the third drawer.\n", encoding="utf-8")
        asked = {"q": "In which drawer does the ladle lie?"}
        until(lambda: http.get("/v1/ask", params=asked).json()["status"] == "answered")
        page.unlink()
        until(lambda: http.get("/readyz").json() == {"status": "degraded", "problems": ["source-empty"]})
        assert http.get("/v1/ask", params=asked).json()["status"] == "answered"
        server.popen.terminate()
        assert server.popen.wait(PATIENCE) == 0


def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


# How it starts


def test_it_builds_first_and_tells_its_address(project: Project) -> None:
    project.write("a.md", "# Ladle\n\nThe ladle hangs on the left hook.\n")
    with process(project.root) as server:
        assert server.url.startswith("http://127.0.0.1:")
        answer = httpx2.get(f"{server.url}v1/ask", params={"q": "Where does the ladle hang?"}).json()
        assert answer["status"] == "answered"
        assert "Indexed 1 file" in server.said
        assert "Other machines" not in server.said


def test_it_warns_where_other_machines_may_ask_without_a_key(project: Project) -> None:
    project.write("a.md", "# Ladle\n\nThe ladle hangs on the left hook.\n")
    project.build()
    with process(project.root, "--host", "0.0.0.0") as server:
        assert "Other machines can reach this address" in server.said
        assert httpx2.get(f"{server.url}livez").status_code == 200


def test_it_warns_where_nobody_can_ask(project: Project) -> None:
    project.write("a.md", "# Ladle\n\nThe ladle hangs on the left hook.\n")
    project.build()
    (project.root / "nescio.toml").write_text("[serve]\nanonymous = false\n", encoding="utf-8")
    with process(project.root) as server:
        assert "there is no key. Make one: nescio serve keys add NAME." in server.said
    (project.root / ".nescio-keys.json").write_text("{", encoding="utf-8")
    with process(project.root) as server:
        assert "Nobody can ask" in server.said
        assert "keys-unreadable" in server.said
    (project.root / ".nescio-keys.json").unlink()
    command(project.root, "serve", "keys", "add", "a")
    with process(project.root) as server:
        assert "Nobody can ask" not in server.said


def test_a_reader_view_that_the_index_does_not_know_is_a_fault_at_once(project: Project) -> None:
    project.write("a.md", "# Ladle\n\nThe ladle hangs on the left hook.\n")
    project.build()
    (project.root / "nescio.toml").write_text('[serve]\nreader_view = ["edition=pro"]\n', encoding="utf-8")
    done = command(project.root, "serve", "--port", "0")
    assert done.returncode == 2
    assert "reader-view-not-indexed" in done.stderr


def test_an_address_that_is_taken_is_a_fault(built: Project) -> None:
    with process(built.root) as server:
        port = server.url.rstrip("/").rpartition(":")[2]
        assert "address-not-usable" in command(built.root, "serve", "--port", port).stderr


@pytest.mark.parametrize("host", ["256.1.1.1", "no.such.name.invalid", "x" * 300, "a..b", "203.0.113.7"])
def test_an_address_that_is_not_ours_is_a_fault(host: str) -> None:
    with pytest.raises(UsageFault, match="cannot listen on") as raised:
        listen(host, 0)
    assert raised.value.code == "address-not-usable"


def test_documents_that_are_not_there_are_a_fault(project: Project) -> None:
    project.docs.rmdir()
    done = command(project.root, "serve", "--port", "0")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_without_the_extra_it_says_what_to_install(built: Project) -> None:
    hidden = (
        "import sys\n"
        "sys.modules.update(dict.fromkeys(('fastapi', 'uvicorn', 'starlette', 'limits', 'prometheus_client')))\n"
        "from nescio.surfaces.cli.main import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", hidden, "serve", "--port", "0"],
        cwd=built.root,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 2
    assert "extra-missing" in done.stderr
    assert 'pip install "nescio[serve]"' in done.stderr
