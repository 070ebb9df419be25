"""How many questions does `nescio serve` answer over HTTP, and what happens to them while the index is built again and again?

Give a folder with a question set (see README.md). Needs `wrk`, which most systems have as a package of that name.

    python benchmarks/http_load.py SET                       questions a second beside bare FastAPI, from the same run
    python benchmarks/http_load.py SET --builds 20           answers, errors and memory during 20 builds of changed documents
"""

from __future__ import annotations

import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import quote as percent_encoded

from engines import Corpus, configuration, engine_for
from metrics import percentile
from processes import nescio_command, resident
from questions import QuestionSet, SetError, open_set
from reporting import ended, note, parser, table, write_json

HOST = "127.0.0.1"
PAGES_CHANGED = 10  # by each build of changed documents: as many as an edit that is to be searchable within a second
CLIENTS = 4  # threads that ask meanwhile: enough to always have one waiting
SAMPLE_SECONDS = 0.25
START_SECONDS = 60.0
MEGABYTE = 1_000_000
ADDRESS = re.compile(r"http://[^\s/]+:(\d+)")

# Asks for one path after the other, and says at the end what wrk itself would round.
LUA = """
local paths, at = {}, 0
for line in io.lines("%s") do paths[#paths + 1] = line end
request = function() at = at %% #paths + 1; return wrk.format("GET", paths[at]) end
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format("FIGURES %%d %%d %%d %%d %%d %%d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.status, e.connect + e.read + e.write + e.timeout))
end
"""

# What is compared with: the same framework and server, giving one answer that is always the same.
BARE = """
import sys, uvicorn
from fastapi import FastAPI, Response
app = FastAPI()
body = open(sys.argv[1], "rb").read()
@app.get("/v1/ask")
async def ask(q: str) -> Response:
    return Response(body, media_type="application/json")
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="error", access_log=False)
"""


@dataclass(frozen=True, slots=True)
class Load:
    """What one run of wrk saw. Latencies are in milliseconds."""

    per_second: float
    median: float
    p99: float
    not_ok: int
    broken: int


@dataclass(slots=True)
class Asked:
    """What the clients saw while the index was built again and again."""

    answered: int = 0
    refused: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    indexes: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)


def main() -> int:
    """Run it."""
    made = parser(__doc__)
    made.add_argument("set", type=Path, metavar="SET", help="a folder with docs/ and questions.jsonl")
    made.add_argument("--connections", type=int, default=32)
    made.add_argument("--seconds", type=float, default=10.0, help="of each run of wrk; of the whole load with --builds")
    made.add_argument("--runs", type=int, default=3)
    made.add_argument("--builds", type=int, default=0, metavar="N", help="build changed documents so many times meanwhile")
    given = made.parse_args()
    asked = open_set(given.set, given.work)
    if given.builds:
        return during_builds(asked, given)
    if shutil.which("wrk") is None:
        raise SetError("wrk was not found: install the package wrk")
    corpus = Corpus(asked.name, asked.docs)
    with engine_for(corpus, given.work) as engine:
        sample = _answer_bytes(engine.ask(asked.questions[0].text))
    file = configuration(corpus, given.work).root / "nescio.toml"
    index = next(file.parent.glob("index-*"))
    loads: dict[str, list[Load]] = {"asked before": [], "asked for the first time": [], "bare FastAPI, constant": []}
    for _ in range(given.runs):
        with served(file, index) as port:
            load(port, asked, given.connections, 2.0)
            loads["asked before"].append(load(port, asked, given.connections, given.seconds))
        with served(file, index, NESCIO_SERVE__CACHED_ANSWERS="0") as port:
            load(port, asked, given.connections, 2.0)
            loads["asked for the first time"].append(load(port, asked, given.connections, given.seconds))
        with bare(sample) as port:
            loads["bare FastAPI, constant"].append(load(port, asked, given.connections, given.seconds))
    rows = [["", "a second", "median ms", "99 % ms", "not 2xx", "broken"], *(_row(name, runs) for name, runs in loads.items())]
    print(f"{asked.name}: {len(asked.questions)} questions, {given.connections} connections, medians of {given.runs} runs")
    print(table(rows))
    write_json(given.json, {name: [asdict(one) for one in runs] for name, runs in loads.items()})
    return 0


def _row(name: str, runs: Sequence[Load]) -> list[str]:
    middle = [statistics.median(getattr(one, figure) for one in runs) for figure in ("per_second", "median", "p99")]
    wrong = [sum(getattr(one, figure) for one in runs) for figure in ("not_ok", "broken")]
    return [name, f"{middle[0]:,.0f}", f"{middle[1]:.1f}", f"{middle[2]:.1f}", *map(str, wrong)]


def _answer_bytes(result: object) -> bytes:
    from nescio.surfaces import wire

    return wire.encode(wire.answer_json(result))  # type: ignore[arg-type]


@contextmanager
def served(file: Path, index: Path, *options: str, **environment: str) -> Iterator[int]:
    """`nescio serve` on a free port, without a limit for one client."""
    with running(file, index, *options, **environment) as (port, _):
        yield port


@contextmanager
def running(file: Path, index: Path, *options: str, **environment: str) -> Iterator[tuple[int, int]]:
    """The port and the process id."""
    import os

    settings = {"NESCIO_SERVE__RATE": "off", "NESCIO_SERVE__LOG": "off", **environment}
    command = [*nescio_command(), "serve", "--port", "0", "--config", str(file), "--index", str(index), *options]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **settings}, text=True
    )
    try:
        yield _port(process), process.pid
    finally:
        process.terminate()
        process.wait(START_SECONDS)


def _port(process: subprocess.Popen[str]) -> int:
    said = []
    for line in process.stdout or ():
        said.append(line)
        if found := ADDRESS.search(line):
            port = int(found[1])
            threading.Thread(target=lambda: [None for _ in process.stdout or ()], daemon=True).start()
            _wait_for(port, "/readyz")
            return port
    raise SetError(f"nescio serve did not start: {''.join(said)}")


@contextmanager
def bare(body: bytes) -> Iterator[int]:
    """The peer that is compared with."""
    with tempfile.TemporaryDirectory() as folder:
        program, answer = Path(folder, "bare.py"), Path(folder, "answer.json")
        program.write_text(BARE, encoding="utf-8")
        answer.write_bytes(body)
        port = _free_port()
        process = subprocess.Popen([sys.executable, str(program), str(answer), str(port)])
        try:
            _wait_for(port, "/v1/ask?q=x")
            yield port
        finally:
            process.terminate()
            process.wait(START_SECONDS)


def _free_port() -> int:
    import socket

    with socket.socket() as free:
        free.bind((HOST, 0))
        return int(free.getsockname()[1])


def _wait_for(port: int, path: str) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        connection = HTTPConnection(HOST, port, timeout=START_SECONDS)
        try:
            connection.request("GET", path)
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        finally:
            connection.close()
        time.sleep(0.05)
    raise SetError(f"nothing answers on port {port}")


def load(port: int, asked: QuestionSet, connections: int, seconds: float) -> Load:
    """All questions of the set in turn, as fast as they are answered."""
    with tempfile.TemporaryDirectory() as folder:
        paths, script = Path(folder, "paths.txt"), Path(folder, "ask.lua")
        paths.write_text("".join(f"{_path(one.text)}\n" for one in asked.questions), encoding="ascii")
        script.write_text(LUA % paths, encoding="ascii")
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds:g}s", "--timeout", "30s", "-s", str(script)]
        done = subprocess.run([*command, f"http://{HOST}:{port}"], capture_output=True, text=True, check=True)
    found = re.search(r"^FIGURES (.*)$", done.stdout, re.MULTILINE)
    if found is None:
        raise SetError(f"wrk said nothing of use: {done.stdout}{done.stderr}")
    requests, micros, median, p99, not_ok, broken = map(int, found[1].split())
    return Load(requests / micros * 1e6, median / 1e3, p99 / 1e3, not_ok, broken)


def _path(question: str) -> str:
    return f"/v1/ask?q={percent_encoded(question, safe='')}"


# While the index is built


def during_builds(asked: QuestionSet, given: object) -> int:
    """Ask all the time while changed documents are built, and look at each answer and at the server's memory."""
    builds, seconds, work = (getattr(given, name) for name in ("builds", "seconds", "work"))
    with ExitStack() as stack:
        copy = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=work)))
        shutil.copytree(asked.docs, copy / "docs")
        corpus = Corpus("docs", copy / "docs")
        engine_for(corpus, copy).close()
        file = configuration(corpus, copy).root / "nescio.toml"
        index = next(file.parent.glob("index-*"))
        port, process = stack.enter_context(running(file, index))
        seen, stop = Asked(), threading.Event()
        clients = [threading.Thread(target=_client, args=(port, asked, seen, stop)) for _ in range(CLIENTS)]
        memory: list[tuple[float, int]] = []
        started = time.monotonic()
        for client in (*clients, threading.Thread(target=_sample, args=(process, memory, stop, started))):
            client.start()
            stack.callback(client.join)
        stack.callback(stop.set)
        ids = [_rebuilt(corpus, file, index, number, started + seconds * number / builds) for number in range(1, builds + 1)]
        time.sleep(max(0.0, started + seconds - time.monotonic()))
        stop.set()
        for client in clients:
            client.join()
        return _told(asked, seen, memory, ids, given)


def _rebuilt(corpus: Corpus, file: Path, index: Path, number: int, until: float) -> str:
    """The id of the index of documents that were changed a little, as another process builds it; returns not before `until`."""
    pages = sorted(path for path in corpus.docs.rglob("*.md"))
    for page in pages[number * PAGES_CHANGED :][:PAGES_CHANGED]:
        page.write_text(page.read_text(encoding="utf-8") + f"\nChanged for build number {number}.\n", encoding="utf-8")
    command = [*nescio_command(), "build", "--config", str(file), "--index", str(index), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    time.sleep(max(0.0, until - time.monotonic()))
    return str(json.loads(done.stdout)["index_id"])


def _client(port: int, asked: QuestionSet, seen: Asked, stop: threading.Event) -> None:
    connection = HTTPConnection(HOST, port, timeout=START_SECONDS)
    at = 0
    while not stop.is_set():
        at = (at + 1) % len(asked.questions)
        started = time.perf_counter()
        try:
            connection.request("GET", _path(asked.questions[at].text))
            response = connection.getresponse()
            body = response.read()
        except (OSError, HTTPException) as error:
            seen.errors[type(error).__name__] += 1
            connection.close()
            continue
        seen.seconds.append(time.perf_counter() - started)
        if response.status != 200:
            seen.errors[str(response.status)] += 1
            continue
        _look(json.loads(body), seen)


def _look(answer: dict[str, object], seen: Asked) -> None:
    """An answer has quotes, a refusal none and a reason."""
    is_answered = answer["status"] == "answered"
    seen.indexes[str(answer["searched"]["index_id"])] += 1  # type: ignore[index]
    if bool(answer["quotes"]) is not is_answered or bool(answer["reason"]) is is_answered:
        seen.errors["empty"] += 1
    seen.answered += is_answered
    seen.refused += not is_answered


def _sample(process: int, memory: list[tuple[float, int]], stop: threading.Event, started: float) -> None:
    while not stop.wait(SAMPLE_SECONDS):
        memory.append((time.monotonic() - started, resident(process)))


def _told(asked: QuestionSet, seen: Asked, memory: list[tuple[float, int]], ids: list[str], given: object) -> int:
    half = memory[len(memory) // 4 : len(memory) // 2], memory[-len(memory) // 4 :]
    early, late = (statistics.median(size for _, size in part) / MEGABYTE for part in half)
    unknown = sum(count for name, count in seen.indexes.items() if name not in ids)
    figures = {
        "questions": seen.answered + seen.refused,
        "answered": seen.answered,
        "refused": seen.refused,
        "errors": dict(seen.errors),
        "indexes_seen": len(seen.indexes),
        "indexes_built": len(set(ids)) + 1,
        "of_the_first_index": unknown,
        "p50_ms": percentile(seen.seconds, 0.5) * 1e3,
        "p99_ms": percentile(seen.seconds, 0.99) * 1e3,
        "memory_second_quarter_mb": early,
        "memory_last_quarter_mb": late,
        "memory_most_mb": max(size for _, size in memory) / MEGABYTE,
    }
    print(f"{asked.name}: {len(ids)} builds while {CLIENTS} clients ask")
    print(
        table(
            [
                ["", "figure"],
                *([name, f"{value:,.1f}" if isinstance(value, float) else str(value)] for name, value in figures.items()),
            ]
        )
    )
    write_json(getattr(given, "json", None), figures)
    if seen.errors:
        note("there were errors")
    return 1 if seen.errors else 0


if __name__ == "__main__":
    sys.exit(ended(main))
