"""What one client asks for never stops the others: turns, places, streams, connections, and work that ends in time."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")

import httpx2
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from nescio.citations.checking import check
from nescio.citations.library import Library
from nescio.citations.reading import read_citations
from nescio.config.serving import Serve
from nescio.errors import BusyFault
from nescio.surfaces.web.guards.connections import bounded_protocol
from nescio.surfaces.web.streaming import Changes
from nescio.surfaces.working import CLIENT, Worker, Workplace
from support.projects import Project
from support.serving import Served, served

PAGES = {
    "fruit.md": "# Fruit\n\nApples are kept in the cellar at four degrees, because warm apples go soft within a week.\n",
    "staff.md": "---\naudiences: [staff]\n---\n# Rota\n\nThe pager of the night shift rings after three misses.\n",
}
PROXIED = 'trusted_proxies = ["127.0.0.1"]\n'
QUESTION = "Where are apples kept?"
PATIENCE = 10.0
AGENT = {"accept": "application/json, text/event-stream"}


@pytest.fixture
def built(project: Project) -> Project:
    project.write_all(PAGES)
    project.build()
    return project


def of(client: str) -> dict[str, str]:
    """The header by which a trusted proxy says who asks."""
    return {"x-forwarded-for": client}


def eventually(served: Served, waiting: int) -> None:
    """Wait until so many requests have been answered."""
    end = time.monotonic() + PATIENCE
    while len(served.lines) < waiting:
        assert time.monotonic() < end
        time.sleep(0.01)


# Turns and places


def test_clients_take_turns() -> None:
    done: list[str] = []
    worker = Worker("turns")

    async def ask() -> None:
        for client in ("greedy", "greedy", "greedy", "modest", "greedy", "third"):
            CLIENT.set(client)
            worker.post(lambda client=client: done.append(client))  # type: ignore[misc]
        worker.start()
        await worker.call(lambda: None)

    asyncio.run(ask())
    worker.close(PATIENCE)
    assert done == ["greedy", "modest", "third", "greedy", "greedy", "greedy"]


def test_a_client_that_comes_while_another_is_served_is_next() -> None:
    done: list[str] = []
    begun, go = threading.Event(), threading.Event()
    worker = Worker("turns")

    def wait() -> None:
        begun.set()
        go.wait(PATIENCE)

    async def ask() -> None:
        CLIENT.set("greedy")
        first = asyncio.ensure_future(worker.call(wait))
        await asyncio.sleep(0)
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        for client in ("greedy", "greedy", "modest"):
            CLIENT.set(client)
            worker.post(lambda client=client: done.append(client))  # type: ignore[misc]
        go.set()
        await first

    worker.start()
    asyncio.run(ask())
    worker.close(PATIENCE)
    assert done == ["modest", "greedy", "greedy"]


def test_one_client_has_half_of_the_places_of_each_sort() -> None:
    async def asked(place: Workplace, client: str, sort: str) -> str:
        CLIENT.set(client)
        try:
            await getattr(place, sort)(lambda: time.sleep(0.05))
        except BusyFault as fault:
            return fault.code
        return "done"

    async def crowd() -> list[str]:
        with Workplace(Serve(max_requests=4)) as place:
            who = [*[("greedy", "work")] * 4, ("modest", "work"), ("greedy", "check"), ("third", "work"), ("late", "work")]
            results = await asyncio.gather(*(asyncio.create_task(asked(place, *one)) for one in who))
            assert await asked(place, "greedy", "work") == "done"  # places are given back
            return results

    assert asyncio.run(crowd()) == ["done", "done", "server-busy", "server-busy", "done", "done", "done", "server-busy"]


def test_what_is_completed_takes_no_place_of_a_question() -> None:
    async def typed(place: Workplace) -> str:
        CLIENT.set("typing")
        try:
            await place.suggest(lambda: time.sleep(0.01))
        except BusyFault as fault:
            return fault.code
        return "done"

    async def crowd() -> tuple[list[str], str]:
        CLIENT.set("typing")
        with Workplace(Serve(max_requests=2)) as place:
            typing = [asyncio.create_task(typed(place)) for _ in range(30)]
            await asyncio.sleep(0)
            answer = await place.work(lambda: "answer")
            return await asyncio.gather(*typing), answer

    results, answer = asyncio.run(crowd())
    assert answer == "answer"
    assert (results.count("done"), results.count("server-busy")) == (8, 22)


def test_a_flood_from_one_client_leaves_places_for_others(built: Project) -> None:
    with served(built, f"{PROXIED}max_requests = 4\n") as running, ThreadPoolExecutor(8) as threads:
        running.http.get("/v1/ask?q=apples", headers=of("192.0.2.1"))
        with running.following.engine():
            flood = [
                threads.submit(running.http.get, f"/v1/ask?q=apples{number}", headers=of("192.0.2.1")) for number in range(5)
            ]
            eventually(running, 4)  # three of them are turned away
            other = threads.submit(running.http.get, "/v1/ask", params={"q": QUESTION}, headers=of("192.0.2.2"))
            time.sleep(0.1)
        assert sorted(one.result().status_code for one in flood) == [200, 200, 503, 503, 503]
        assert other.result().json()["status"] == "answered"


def test_agents_wait_in_the_same_queue_and_no_longer_than_a_request_may_take(built: Project) -> None:
    call = {"name": "ask_docs", "arguments": {"question": QUESTION}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}

    def asked(running: Served) -> Any:
        return running.http.post("/mcp", json=body, headers=AGENT).json()["result"]["structuredContent"]

    with served(built, "request_seconds = 0.3\nmax_requests = 2\n") as running, ThreadPoolExecutor(2) as threads:
        assert asked(running)["status"] == "answered"
        with running.following.engine():
            results = [one.result() for one in [threads.submit(asked, running) for _ in range(2)]]
        assert sorted(one["error"]["code"] for one in results) == ["request-timeout", "server-busy"]
        assert all(one["error"]["hint"].startswith("Try again") for one in results)
        assert asked(running)["status"] == "answered"


# Streams and connections


def test_one_client_has_half_of_the_streams_however_fast_it_asks() -> None:
    async def opened() -> None:
        changes = Changes(lambda: "0123", 4)
        streams = [changes.events(None, "greedy") for _ in range(2)]
        with pytest.raises(BusyFault) as raised:
            changes.events(None, "greedy")
        assert raised.value.code == "too-many-streams"
        streams += [changes.events(None, client) for client in ("modest", "third")]
        with pytest.raises(BusyFault):
            changes.events(None, "fourth")
        changes.end()

        async def send(message: Any) -> None:
            await asyncio.sleep(0)

        async def receive() -> Any:
            await asyncio.Event().wait()

        for one in streams:
            await one({"type": "http", "asgi": {"spec_version": "2.4"}}, receive, send)
        changes.events(None, "greedy")  # a stream that is over gives its place back

    asyncio.run(opened())


def test_more_streams_at_one_moment_than_there_may_be_are_turned_away(built: Project) -> None:
    ask = b"GET /v1/events HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.%d\r\n\r\n"
    with served(built, f"{PROXIED}max_streams = 4\n") as running, ExitStack() as stack:
        connections = [stack.enter_context(socket.create_connection(("127.0.0.1", running.port), PATIENCE)) for _ in range(20)]
        for number, connection in enumerate(connections):
            connection.sendall(ask % number)
        statuses = [connection.recv(100)[9:12] for connection in connections]
    assert statuses.count(b"200") == 4
    assert statuses.count(b"503") == 16


class Listener(asyncio.Protocol):
    """Keeps a connection open."""


def test_one_client_has_half_of_the_connections_and_a_proxy_has_all() -> None:
    assert _open_of(20, lambda host: "192.0.2.1") == 10
    assert _open_of(20, lambda host: None) == 20


def _open_of(wanted: int, peer: Any) -> int:
    """How many connections of as many as are allowed stay open."""

    async def held() -> int:
        import uvicorn

        config = uvicorn.Config(lambda *_: None, log_config=None, lifespan="off")
        config.load()
        server = uvicorn.Server(config)
        kind: Any = bounded_protocol(AutoHTTPProtocol, seconds=PATIENCE, most=wanted, most_of_one=wanted // 2, peer=peer)
        loop = asyncio.get_running_loop()
        listening = await loop.create_server(
            lambda: kind(config=config, server_state=server.server_state, app_state={}), "127.0.0.1", 0
        )
        port = listening.sockets[0].getsockname()[1]
        made = [await loop.create_connection(Listener, "127.0.0.1", port) for _ in range(wanted)]
        await asyncio.sleep(0.2)
        count = sum(not transport.is_closing() for transport, _ in made)
        for transport, _ in made:
            transport.abort()
        listening.close()
        await asyncio.sleep(0.1)
        return count

    return asyncio.run(held())


# Citations


def changed(words: list[str], many: int) -> list[dict[str, str]]:
    """Citations of a page, each with some words that are not there."""
    step = len(words) // many
    return [{"text": " ".join(words[at * step : at * step + 40]).replace("7", "x"), "path": "long.md"} for at in range(many)]


@pytest.fixture
def long_words(project: Project) -> list[str]:
    words = [f"w{number * 7919 % 3001}" for number in range(60_000)]
    project.write("long.md", f"# Long\n\n{' '.join(words)}\n")
    return words


def test_many_citations_of_one_page_take_little_more_than_one(project: Project, long_words: list[str]) -> None:
    def seconds(many: int) -> float:
        cited = read_citations(json.dumps(changed(long_words, many)).encode(), "cited.json")
        started = time.process_time()
        checks = check(cited, Library.of(project.configuration()))
        assert {problem.value for one in checks for problem in one.problems} == {"text_changed"}
        return time.process_time() - started

    assert seconds(50) < 10 * seconds(1)


def test_citations_that_take_too_long_end_and_the_next_are_checked(project: Project, long_words: list[str]) -> None:
    project.build()
    cited = changed(long_words, 150)
    right = [{"text": " ".join(long_words[:20]), "path": "long.md"}]
    with served(project, "request_seconds = 0.4\n") as running:
        began = time.monotonic()
        told = running.http.post("/v1/cite", json=cited)
        assert (told.status_code, told.json()["code"]) == (503, "request-timeout")
        while running.http.post("/v1/cite", json=right).status_code != 200:
            assert time.monotonic() - began < PATIENCE
        again = {"name": "check_citations", "arguments": {"citations": cited}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": again}
        result = running.http.post("/mcp", json=body, headers=AGENT).json()["result"]
        assert result["structuredContent"]["error"]["code"] == "request-timeout"


def test_a_passage_id_alone_is_looked_for_where_the_index_has_it(built: Project) -> None:
    with served(built, 'reader_view = ["audience=customers"]\n') as running:

        def id_of(question: str, reader: str) -> str:
            answer = running.http.get("/v1/ask", params={"q": question, "reader_view": reader}).json()
            return str(answer["quotes"][0]["passage_id"])

        fruit, rota = id_of(QUESTION, "audience=customers"), id_of("When does the pager ring?", "audience=staff")

        def problems() -> list[list[str]]:
            cited = [{"passage_id": one} for one in (fruit, rota, "a" * 26, "\u00e9")]
            return [one["problems"] for one in running.http.post("/v1/cite", json=cited).json()["citations"]]

        unknown = ["id_unknown"]
        assert problems() == [[], unknown, unknown, unknown]
        built.write("fruit.md", f"{PAGES['fruit.md']}\nPears too.\n")
        assert problems() == [unknown] * 4


def test_words_are_found_elsewhere_as_they_are_shown_and_never_by_a_secret(project: Project) -> None:
    token = "gh" + "p_" + "9fK2mQ7xL4vB8nR1sT6wY3zC5dH0jGaE1pUo"
    project.write("a.md", f"# Keys\n\nThe token for every deployment is {token} until it is changed.\n")
    project.write("b.md", "# Other\n\nNothing.\n")
    library = Library.of(project.configuration(secrets__on_found="mask"))

    def found(text: str) -> tuple[str, ...]:
        return check(read_citations(json.dumps([{"text": text, "path": "b.md"}]).encode(), "cited.json"), library)[0].found_in

    shown = library.document(next(library.addresses()))
    assert shown is not None
    masked = shown.text.split("\n")[2]
    assert "*****" in masked
    assert found(masked) == ("docs/a.md",)
    assert found("token for every deployment is") == ("docs/a.md",)
    assert not found(f"every deployment is {token} until it")
    assert not found(token)


# Readers and words that are made up


def test_pages_are_listed_once_for_readers_whom_no_page_tells_apart(built: Project) -> None:
    with served(built) as running:

        def listed(*reader: str) -> httpx2.Response:
            return running.http.get("/llms.txt", params={"reader_view": list(reader)})

        made_up = [listed(f"audience=nobody{number}") for number in range(6)]
        assert {one.text for one in made_up} == {made_up[0].text}
        assert "fruit.md" in made_up[0].text
        assert "nobody" not in made_up[0].text
        assert "staff.md" not in made_up[0].text
        assert listed("audience=nobody", "audience=staff").text == listed("audience=staff").text
        assert "staff.md" in listed("audience=staff").text
        assert listed("colour=red").json()["code"] == "reader-view-not-indexed"
        assert listed("audience").json()["code"] == "reader-view-syntax"


def test_a_question_of_many_unknown_words_is_no_mistyped_one(project: Project) -> None:
    known = [f"{first}umber{last}" for first in "abcdefghij" for last in ("land", "wood")]
    project.write("words.md", f"# Words\n\n{' '.join(known)}\n")
    project.build()
    with project.engine() as engine:
        few = engine.ask(" ".join(word.replace("umber", "umbber") for word in known[:4]))
        many = engine.ask(" ".join(word.replace("umber", "umbber") for word in known))
    assert len(few.corrections) == 4
    assert len(many.corrections) == 8
    assert len(many.searched.unknown) == len(known) - 8
