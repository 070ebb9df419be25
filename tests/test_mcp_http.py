"""Agents ask over HTTP: a real server, the protocol's own client and plain requests, with nothing kept between two of them."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import anyio
import httpx2
import pytest
import uvicorn
from mcp import Client
from starlette.applications import Starlette

from nescio.assembly.live.following import Following
from nescio.config.serving import Serve
from nescio.domain.answers import Refusal
from nescio.surfaces import wire
from nescio.surfaces.mcp.http import mounted, transport_security
from nescio.surfaces.working import Workplace
from support.agents import NEW, OLD, ask, call
from support.projects import Project

PAGES = {
    "guide/limits.md": "# Limits\n\nAn upload may have at most 40 megabytes.\n",
    "escalation.md": "---\naudiences: [staff]\n---\n# Escalation\n\nThe pager of the night shift rings after three misses.\n",
}
COVERED = "how large may an upload be"
STAFF_ONLY = "when does the pager of the night shift ring"
SECONDS = 20
MODES = pytest.mark.parametrize("mode", [OLD, NEW])


@contextmanager
def serving(project: Project, kept: list[Refusal] | None = None) -> Iterator[str]:
    """A web server with the routes of agents; its address."""
    configuration = project.configuration()
    with Following(configuration, project.index) as following, Workplace(configuration.settings.serve) as workplace:
        agents = mounted(configuration, following, workplace, None if kept is None else kept.append)

        @asynccontextmanager
        async def lifespan(_: Starlette) -> Any:
            async with agents.lifespan():
                yield

        app = Starlette(routes=list(agents.routes), lifespan=lifespan)
        with running(app) as address:
            yield address


@contextmanager
def running(app: Starlette) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on"))
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        until = time.monotonic() + SECONDS
        while not server.started and time.monotonic() < until:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join(SECONDS)
            assert not thread.is_alive()


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project(tmp_path_factory.mktemp("documented"))
    project.root.joinpath("nescio.toml").write_text(
        '[serve]\nreader_view = ["audience=customers"]\nhosts = ["docs.example.org"]\norigins = ["https://site.example.org"]\n'
    )
    project.write_all(PAGES).build()
    return project


@pytest.fixture(scope="module")
def address(documented: Project) -> Iterator[str]:
    with serving(documented) as found:
        yield found


def initialize(version: str = "2025-06-18") -> dict[str, Any]:
    client = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}


def post(address: str, body: Any, path: str = "/mcp", **headers: str) -> httpx2.Response:
    sent = {"accept": "application/json, text/event-stream", "content-type": "application/json", **headers}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return httpx2.post(address + path, content=content, headers=sent, timeout=SECONDS)


@MODES
def test_the_same_tools_and_answers_are_there_over_http(documented: Project, address: str, mode: str) -> None:
    result = call(f"{address}/mcp", "ask_docs", mode, question=COVERED)
    with documented.engine() as engine:
        seen = engine.within(reader_view=["audience=customers"])
        assert result.structured_content == wire.answer_json(seen.ask(COVERED))
    tools = ask(f"{address}/mcp", lambda client: client.list_tools(), mode).tools
    assert tools[0].name == "ask_docs"
    pages = ask(f"{address}/mcp", lambda client: client.list_resources(), mode).resources
    assert [page.uri for page in pages] == ["docs://-/docs/guide/limits.md"]


def test_requests_that_name_no_reader_view_get_that_of_the_settings(address: str) -> None:
    assert call(f"{address}/mcp", "ask_docs", question=STAFF_ONLY).structured_content["status"] == "refused"
    named = call(f"{address}/mcp", "ask_docs", question=STAFF_ONLY, reader_view=["audience=staff"])
    assert named.structured_content["status"] == "answered"


@MODES
def test_the_pair_for_connectors_has_a_path_of_its_own(address: str, mode: str) -> None:
    pair = f"{address}/mcp/search-fetch"
    assert [tool.name for tool in ask(pair, lambda client: client.list_tools(), mode).tools] == ["search", "fetch"]
    found = call(pair, "search", mode, query=COVERED).structured_content["results"]
    assert "40 megabytes" in call(pair, "fetch", mode, id=found[0]["id"]).structured_content["text"]


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_an_answer_is_one_json_object_and_no_session_is_begun(address: str, version: str) -> None:
    begun = post(address, initialize(version))
    assert begun.status_code == 200
    assert begun.headers["content-type"] == "application/json"
    assert "mcp-session-id" not in begun.headers
    assert begun.json()["result"]["protocolVersion"] == version
    asked = {"name": "ask_docs", "arguments": {"question": COVERED}}
    answered = post(
        address,
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": asked},
        **{"mcp-protocol-version": version},
    )
    assert answered.json()["result"]["structuredContent"]["status"] == "answered"


def test_nothing_but_post_is_taken(address: str) -> None:
    for method in ("GET", "DELETE", "PUT"):
        answered = httpx2.request(method, f"{address}/mcp", headers={"accept": "text/event-stream"}, timeout=SECONDS)
        assert answered.status_code == 405
        assert answered.headers["allow"] == "POST"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.test"}, 421),
        ({"host": "docs.example.org"}, 200),
        ({"host": "docs.example.org:8443"}, 200),
        ({"origin": "http://evil.test"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://site.example.org"}, 200),
        ({"host": "docs.example.org", "origin": "https://docs.example.org"}, 200),
        ({"host": "docs.example.org", "origin": "http://evil.test"}, 403),
    ],
)
def test_requests_for_other_names_or_from_other_sites_are_turned_away(
    address: str, headers: dict[str, str], status: int
) -> None:
    assert post(address, initialize(), **headers).status_code == status


def test_names_below_a_name_are_left_to_the_guards_of_the_web_server() -> None:
    assert transport_security(Serve()).enable_dns_rebinding_protection
    assert transport_security(Serve(host="::1")).enable_dns_rebinding_protection
    assert not transport_security(Serve(hosts=("*.example.org",))).enable_dns_rebinding_protection
    assert not transport_security(Serve(host="0.0.0.0")).enable_dns_rebinding_protection


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no JSON",
        b"[]",
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "\xff"}}',
        b"[" * 20_000,
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 5}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x", "arguments": {"query": "\\ud800"}}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "ask_docs"}',
    ],
)
@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28", "1999-01-01"])
def test_what_is_no_request_is_an_error_and_never_one_of_the_server(address: str, body: bytes, version: str) -> None:
    answered = post(address, body, **{"mcp-protocol-version": version})
    assert answered.status_code < 500
    assert answered.status_code != 200 or "error" in answered.json()


def test_a_body_over_the_limit_is_turned_away(address: str) -> None:
    assert post(address, b'"' + b"x" * 70_000 + b'"').status_code == 413


def test_many_agents_at_once_all_get_their_own_answer(address: str) -> None:
    async def one(number: int, found: list[str]) -> None:
        async with Client(f"{address}/mcp", mode=NEW) as client:
            result = await client.call_tool("ask_docs", {"question": f"{COVERED} {'?' * number}"})
            found.append(result.structured_content["question"])

    async def many() -> list[str]:
        found: list[str] = []
        async with anyio.create_task_group() as group:
            for number in range(12):
                group.start_soon(one, number, found)
        return found

    assert sorted(anyio.run(many)) == sorted(f"{COVERED} {'?' * number}" for number in range(12))


def test_without_an_index_calls_say_so_and_no_folder_is_told(project: Project) -> None:
    kept: list[Refusal] = []
    with serving(project, kept) as found:
        error = call(f"{found}/mcp", "ask_docs", question=COVERED)
        assert error.is_error
        assert error.structured_content["error"]["code"] == "no-index"
        assert str(project.root) not in error.model_dump_json()
        project.write_all(PAGES).build()
        assert not call(f"{found}/mcp", "ask_docs", question=COVERED).is_error
        call(f"{found}/mcp", "ask_docs", question="how do I bake sourdough bread")
    assert [refusal.question for refusal in kept] == ["how do I bake sourdough bread"]
