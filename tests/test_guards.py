"""The guards of the web server: a tiny application behind them on a real server, and clients that behave badly."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the extra serve is not installed")

import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families
from starlette.types import Message, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.http.h11_impl import H11Protocol

from nescio.config.serving import Serve
from nescio.errors import (
    BusyFault,
    ConfigFault,
    Fault,
    IndexFault,
    InternalFault,
    NotFoundFault,
    QuestionFault,
    StorageFault,
    UsageFault,
)
from nescio.surfaces.web import problems
from nescio.surfaces.web.guards import Guards, guarded
from nescio.surfaces.web.guards.clients import Clients
from nescio.surfaces.web.guards.connections import MOST_HEADER_BYTES, bounded_protocol
from nescio.surfaces.web.guards.headers import PART_BYTES
from nescio.surfaces.web.guards.hosts import Hosts, host_name
from nescio.surfaces.web.guards.logs import RequestLog
from nescio.surfaces.web.guards.metrics import IndexFigures, Metrics
from nescio.surfaces.web.guards.origins import Origins, normal
from nescio.surfaces.web.guards.rates import Rates, Windows
from nescio.surfaces.web.keyring import KeyRing
from nescio.surfaces.web.keyring import Scope as KeyScope
from nescio.surfaces.web.visits import Visit, begun, visit_of

PROBLEM = "application/problem+json"
SECOND = 1.0
PATIENCE = 10.0  # for what should come at once


# A tiny application


async def answering(scope: Scope, receive: Receive, send: Send) -> None:
    """Says how long the body was, and does as the path says."""
    body = b""
    while (message := await receive())["type"] == "http.request":
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    visit = visit_of(scope)
    _do(scope, visit)
    told = json.dumps({"length": len(body), "client": visit.client, "key": visit.key.name if visit.key else None})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(told)).encode())]
    if scope["path"] == "/v1/long":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"20000000")]})
        for _ in range(200):
            await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        return
    if scope["path"] == "/v1/large":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"20000000")]})
        await send({"type": "http.response.body", "body": b"0123456789" * 2_000_000})
        return
    if scope["path"] == "/page":
        headers.append((b"content-security-policy", b"default-src 'self'"))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": told.encode()})


def _do(scope: Scope, visit: Visit) -> None:
    if scope["path"] == "/v1/broken":
        raise ValueError("the secret question")
    if scope["path"] == "/v1/damaged":
        raise IndexFault("index-damaged", "The index in /srv/secret is damaged.", "Build /srv/secret again.")
    if scope["path"] == "/v1/ask":
        visit.status, visit.reason, visit.index_id = "refused", "too_weak", "0123abcd"
        visit.question, visit.from_cache = "what\nis \x1b[31mthis", False
        visit.route = "/v1/ask"


# A real server


@dataclass
class Served:
    """A server that runs."""

    port: int
    metrics: Metrics
    lines: list[str] = field(default_factory=list)

    def get(self, path: str = "/v1/x", *lines: str, method: str = "GET", body: bytes = b"", host: str = "") -> Answer:
        """The answer to one request with these header lines."""
        head = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}", *lines, "Connection: close"]
        if body:
            head.append(f"Content-Length: {len(body)}")
        return self.raw("\r\n".join([*head, "", ""]).encode("latin-1") + body)

    def raw(self, data: bytes) -> Answer:
        """The answer to some bytes."""
        with self.connection() as opened:
            opened.sendall(data)
            return read(opened)

    def connection(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)


@dataclass(frozen=True)
class Answer:
    """What came back; status 0 where nothing did."""

    status: int
    headers: dict[str, list[str]]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of a problem."""
        assert self.headers["content-type"] == [PROBLEM]
        assert self.json["status"] == self.status
        assert self.json["request_id"] == self.headers["x-request-id"][0]
        return str(self.json["code"])


def read(opened: socket.socket) -> Answer:
    """One answer, read until its length is there or the connection ends."""
    data = bytearray()
    with contextlib.suppress(ConnectionResetError):
        while not _is_whole(data) and (part := opened.recv(1_048_576)):
            data += part
    head, _, body = bytes(data).partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    headers: dict[str, list[str]] = {}
    for line in rest:
        name, _, value = line.partition(": ")
        headers.setdefault(name.lower(), []).append(value)
    return Answer(int(first.split()[1]) if first else 0, headers, body)


def _is_whole(data: bytearray) -> bool:
    end = data.find(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", data[: max(end, 0)], re.IGNORECASE)
    return bool(length and len(data) >= end + 4 + int(length[1]))


Start = Callable[..., Served]


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for tests that need nothing of their own."""
    with served(tmp_path_factory.mktemp("guards"), origins=("https://docs.example.org",)) as server:
        yield server


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Start]:
    """Starts servers with some settings; they end with the test."""
    with contextlib.ExitStack() as stack:
        yield lambda **settings: stack.enter_context(served(tmp_path, **settings))


@contextlib.contextmanager
def served(
    folder: Path, *, protocol: type[asyncio.Protocol] = AutoHTTPProtocol, most: int = 100, **settings: Any
) -> Iterator[Served]:
    values = {"rate": "off", "log": "json", **settings}
    chosen = Serve(**values)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        made = Served(listening.getsockname()[1], Metrics())
        guards = Guards(chosen, KeyRing(folder / "keys.json"), made.metrics, RequestLog(chosen, made.lines.append))
        config = uvicorn.Config(
            guarded(answering, guards),
            http=bounded_protocol(protocol, seconds=chosen.receive_seconds, most=most, unread_seconds=0.3),
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            lifespan="off",
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield made
        finally:
            server.should_exit = True
            thread.join()


def eventually(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.01)


def asked(**values: Any) -> Scope:
    """The scope of a request, for what looks at nothing else."""
    headers = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in values.pop("headers", ())]
    return {
        "type": "http",
        "method": "GET",
        "path": "/v1/x",
        "raw_path": b"/v1/x",
        "query_string": b"",
        "client": ("203.0.113.7", 4711),
        "headers": headers,
        **values,
    }


# Request ids


@pytest.mark.parametrize("given", ["abc", "A-b_c.9", "x" * 64])
def test_a_plain_request_id_is_kept(usual: Served, given: str) -> None:
    assert usual.get("/v1/x", f"X-Request-ID: {given}").headers["x-request-id"] == [given]
    eventually(lambda: any(json.loads(line)["request_id"] == given for line in usual.lines))


@pytest.mark.parametrize("given", ["", "a b", "x" * 65, "a\tb", "é", "a;b", "../x"])
def test_any_other_request_id_is_made_anew(usual: Served, given: str) -> None:
    told = usual.get("/v1/x", f"X-Request-ID: {given}").headers["x-request-id"]
    assert len(told) == 1
    assert re.fullmatch(r"[0-9a-f]{24}", told[0])


# Hosts and origins


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1", "127.9.9.9:1", "[::1]", "[::1]:8808", "localhost."])
def test_a_local_server_answers_to_local_names(host: str) -> None:
    assert Hosts(Serve()).has(host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.test",
        "evil.test:8808",
        "localhost.evil.test",
        "evil.localhost",
        "192.168.0.1",
        "0.0.0.0",
        "[::2]",
        "[::1",
        "[::1]x",
        "",
        ":80",
        "localhost:80:80",
        "localhost:x",
        "127.0.0.1.evil.test",
        "2130706433",
        "a" * 300,
    ],
)
def test_a_local_server_answers_to_no_other_name(host: str) -> None:
    assert not Hosts(Serve()).has(host)


def test_a_server_that_others_reach_answers_to_addresses_and_to_its_names() -> None:
    hosts = Hosts(Serve(host="0.0.0.0", hosts=("docs.example.org", "*.example.com", "Other.example.net:443")))
    for name in ("10.0.0.7:8808", "[2001:db8::1]", "localhost", "docs.example.org.", "a.example.com", "a.b.example.com:1"):
        assert hosts.has(name), name
    assert hosts.has("other.example.net")
    for name in ("example.com", "evilexample.com", "evil.test", "docs.example.org.evil.test"):
        assert not hosts.has(name), name


@pytest.mark.parametrize("name", ["", "*", "*.", "https://docs.example.org", "docs.*.org", "docs.example.org/x", "a:b:c"])
def test_a_host_that_is_none_is_a_wrong_setting(name: str) -> None:
    with pytest.raises(ConfigFault):
        Hosts(Serve(hosts=(name,)))


@given(st.text(max_size=300))
def test_no_host_header_stops_the_check(text: str) -> None:
    assert Hosts(Serve()).has(text) in (True, False)
    assert host_name(text) == host_name(text).lower()


def test_dns_rebinding_is_turned_away_before_any_handler(serve: Start) -> None:
    server = serve()
    both = server.get("/v1/ask", "Origin: http://evil.test", method="POST", body=b"{}", host=f"evil.test:{server.port}")
    name = server.get("/v1/ask", host="evil.test")
    origin = server.get("/v1/ask", "Origin: http://evil.test", method="POST", body=b"{}")
    assert (both.status, both.code) == (421, "host-not-allowed")
    assert (name.status, name.code) == (421, "host-not-allowed")
    assert (origin.status, origin.code) == (403, "origin-not-allowed")
    assert "access-control-allow-origin" not in both.headers | origin.headers
    assert "nescio_answers_total" not in server.metrics.text().decode().replace("# HELP nescio_answers_total", "").replace(
        "# TYPE nescio_answers_total", ""
    )


def test_two_hosts_or_none_are_turned_away(serve: Start) -> None:
    server = serve(protocol=AutoHTTPProtocol)
    assert server.raw(b"GET /v1/x HTTP/1.0\r\n\r\n").status == 421
    assert server.raw(b"GET /v1/x HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\n\r\n").status in (400, 421)


@pytest.mark.parametrize("origin", ["null", "http://evil.test", "file://", "https://docs.example.org.evil.test", "x", ""])
def test_pages_of_other_sites_may_not_ask(usual: Served, origin: str) -> None:
    answer = usual.get("/v1/x", f"Origin: {origin}")
    assert (answer.status, answer.code) == (403, "origin-not-allowed")
    assert "access-control-allow-origin" not in answer.headers


def test_a_page_of_the_server_itself_may_ask(serve: Start) -> None:
    server = serve()
    answer = server.get("/v1/x", f"Origin: http://127.0.0.1:{server.port}")
    assert answer.status == 200
    assert "access-control-allow-origin" not in answer.headers
    assert "vary" not in answer.headers
    assert server.get("/v1/x", "Origin: http://127.0.0.1:1").status == 403


def test_behind_a_proxy_that_speaks_tls_a_page_of_the_server_may_ask(serve: Start) -> None:
    server = serve(hosts=("ask.example.org",))
    assert server.get("/v1/x", "Origin: https://ask.example.org", host="ask.example.org").status == 200
    assert server.get("/v1/x", "Origin: https://ask.example.org", host="ask.example.org:443").status == 200
    assert server.get("/v1/x", "Origin: https://other.example.org", host="ask.example.org").status == 403


def test_a_listed_site_may_ask_and_read_the_answer_and_problems_too(serve: Start) -> None:
    server = serve(origins=("https://docs.example.org",))
    for path, status in (("/v1/x", 200), ("/v1/damaged", 500)):
        answer = server.get(path, "Origin: https://docs.example.org")
        assert answer.status == status
        assert answer.headers["access-control-allow-origin"] == ["https://docs.example.org"]
        assert "ETag" in answer.headers["access-control-expose-headers"][0]
        assert "X-Request-ID" in answer.headers["access-control-expose-headers"][0]
        assert answer.headers["vary"] == ["Origin"]
        assert "access-control-allow-credentials" not in answer.headers
    assert server.get("/v1/x").headers["vary"] == ["Origin"]


def test_a_browser_that_asks_first_is_told_what_it_may_send(serve: Start) -> None:
    server = serve(origins=("https://docs.example.org",), anonymous=False)
    wanted = ("Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type")
    answer = server.get("/v1/ask", "Origin: https://docs.example.org", *wanted, method="OPTIONS")
    assert answer.status == 204  # it never has a key with it, so none can be asked for
    assert answer.headers["access-control-allow-origin"] == ["https://docs.example.org"]
    assert "POST" in answer.headers["access-control-allow-methods"][0]
    assert "Content-Type" in answer.headers["access-control-allow-headers"][0]
    refused = server.get("/v1/ask", "Origin: http://evil.test", *wanted, method="OPTIONS")
    assert (refused.status, refused.code) == (403, "origin-not-allowed")
    assert "access-control-allow-methods" not in refused.headers


@pytest.mark.parametrize("origin", ["docs.example.org", "https://docs.example.org/", "null", "*", "ftp://x", "https://a b"])
def test_an_origin_that_is_none_is_a_wrong_setting(origin: str) -> None:
    with pytest.raises(ConfigFault):
        Origins(Serve(origins=(origin,)))


def test_an_origin_has_one_form() -> None:
    assert normal("HTTPS://Docs.Example.org:443") == "https://docs.example.org"
    assert normal("http://docs.example.org:443") == "http://docs.example.org:443"
    assert normal("http://[::1]:80") == "http://[::1]"


# Clients and rates


def client(settings: Serve, peer: str, *forwarded: str) -> str:
    scope = asked(client=(peer, 1), headers=[("x-forwarded-for", value) for value in forwarded])
    visit = begun(scope)
    Clients(settings).check(scope, visit)
    return visit.client


PROXIED = Serve(trusted_proxies=("10.0.0.0/8", "2001:db8:ffff::/48"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        ("203.0.113.7", (), "203.0.113.7"),
        ("203.0.113.7", ("1.2.3.4",), "203.0.113.7"),
        ("10.0.0.1", (), "10.0.0.1"),
        ("10.0.0.1", ("1.2.3.4",), "1.2.3.4"),
        ("10.0.0.1", ("9.9.9.9, 1.2.3.4",), "1.2.3.4"),
        ("10.0.0.1", ("9.9.9.9, 1.2.3.4, 10.0.0.2",), "1.2.3.4"),
        ("10.0.0.1", ("9.9.9.9", "1.2.3.4,10.0.0.2"), "1.2.3.4"),
        ("10.0.0.1", ("10.0.0.3, 10.0.0.2",), "10.0.0.3"),
        ("10.0.0.1", ("1.2.3.4:5678",), "1.2.3.4"),
        ("10.0.0.1", ("[2001:db8::1]:5678",), "2001:db8::/64"),
        ("10.0.0.1", ("2001:db8:1:2:3:4:5:6",), "2001:db8:1:2::/64"),
        ("10.0.0.1", ("::ffff:1.2.3.4",), "1.2.3.4"),
        ("::ffff:10.0.0.1", ("1.2.3.4",), "1.2.3.4"),
        ("2001:db8:ffff::1", ("1.2.3.4",), "1.2.3.4"),
        ("10.0.0.1", ("garbage",), "10.0.0.1"),
        ("10.0.0.1", ("1.2.3.4, garbage",), "10.0.0.1"),
        ("10.0.0.1", ("1.2.3.4, ",), "10.0.0.1"),
        ("10.0.0.1", ("garbage, 1.2.3.4",), "1.2.3.4"),
        ("10.0.0.1", ("unknown",), "10.0.0.1"),
        ("10.0.0.1", (",".join(["10.0.0.9"] * 9_000),), "10.0.0.9"),
        ("fe80::1%eth0", (), "fe80::/64"),
    ],
)
def test_the_client_is_the_right_most_hop_that_is_not_trusted(peer: str, forwarded: tuple[str, ...], expected: str) -> None:
    assert client(PROXIED, peer, *forwarded) == expected


@given(st.text(st.characters(max_codepoint=255), max_size=200))
def test_whatever_is_forwarded_the_client_is_an_address(text: str) -> None:
    assert re.fullmatch(r"[0-9.]+|[0-9a-f:]+/64", client(PROXIED, "10.0.0.1", text))


def test_a_proxy_that_is_no_network_is_a_wrong_setting() -> None:
    with pytest.raises(ConfigFault):
        Clients(Serve(trusted_proxies=("proxy",)))


def test_a_client_cannot_change_its_name_to_ask_more_often(serve: Start) -> None:
    server = serve(rate="20/hour")
    answers = [server.get("/v1/x", f"X-Forwarded-For: 198.51.100.{number}") for number in range(200)]
    assert [answer.status for answer in answers].count(200) in (20, 21)  # an hour may begin in between
    last = answers[-1]
    assert (last.status, last.code) == (429, "too-many-requests")
    assert 1 <= int(last.headers["retry-after"][0]) <= 3600
    assert last.headers["ratelimit-policy"] == ['"client";q=20;w=3600']
    assert last.headers["ratelimit"][0].startswith('"client";r=0;t=')
    assert {json.loads(line)["client"] for line in server.lines} == {"127.0.0.1"}


def test_behind_a_trusted_proxy_each_client_has_its_own_rate(serve: Start) -> None:
    server = serve(rate="3/hour", trusted_proxies=("127.0.0.1",))
    fresh = [server.get("/v1/x", f"X-Forwarded-For: 9.9.9.9, 198.51.100.{number}").status for number in range(100)]
    assert fresh == [200] * 100
    # What the client itself wrote stands further left, and makes no new one of it.
    same = [server.get("/v1/x", f"X-Forwarded-For: 198.51.{number}.1, 198.51.100.250").status for number in range(100)]
    assert same.count(200) in (3, 4)
    # Nor do the addresses of one network.
    network = [server.get("/v1/x", f"X-Forwarded-For: 2001:db8:1:2::{number:x}").status for number in range(20)]
    assert network.count(200) in (3, 4)
    assert server.get("/v1/x", "X-Forwarded-For: 2001:db8:1:3::1").status == 200


def test_pages_health_and_figures_have_no_rate(serve: Start) -> None:
    server = serve(rate="1/hour")
    for path in ("/livez", "/readyz", "/metrics", "/", "/nescio-ask.js", "/assets/page.css"):
        assert [server.get(path).status for _ in range(3)] == [200] * 3, path


@pytest.mark.parametrize("path", ["/v1/x", "/mcp", "/mcp/search-fetch", "/llms.txt", "/llms-full.txt", "/pages/docs/a.md"])
def test_what_costs_work_has_a_rate(serve: Start, path: str) -> None:
    server = serve(rate="1/hour")
    assert [server.get(path).status for _ in range(2)] == [200, 429]


def test_what_is_typed_is_counted_apart_from_questions(serve: Start) -> None:
    server = serve(rate="1/hour", suggest_rate="3/hour")
    assert [server.get("/v1/suggest").status for _ in range(4)] == [200, 200, 200, 429]
    assert [server.get("/v1/x").status for _ in range(2)] == [200, 429]


def test_a_window_slides(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000_020.0  # a third of a minute has gone
    monkeypatch.setattr(time, "time", lambda: now)
    rates = Rates(Serve(rate="60/minute"))

    def taken(times: int) -> int:
        count = 0
        for _ in range(times):
            scope = asked()
            visit = begun(scope)
            visit.client = "x"
            with contextlib.suppress(problems.RequestFault):
                rates.check(scope, visit)
                count += 1
        return count

    start = now - now % 60
    now = start + 20
    assert taken(100) == 60
    now = start + 59
    assert taken(100) == 0
    now = start + 90  # half of the window before counts
    assert taken(100) == 30
    now = start + 300
    assert taken(100) == 60


@pytest.mark.parametrize("start", [1_000_020.0, 1_000_041.5, 1_000_079.999])
def test_after_the_time_that_was_told_there_is_room(monkeypatch: pytest.MonkeyPatch, start: float) -> None:
    now = start
    monkeypatch.setattr(time, "time", lambda: now)
    rates = Rates(Serve(rate="5/minute"))
    for _ in range(40):
        scope = asked()
        try:
            rates.check(scope, begun(scope))
        except problems.RequestFault as fault:
            now += int(dict(fault.headers)["retry-after"])
            scope = asked()
            rates.check(scope, begun(scope))


def test_no_number_of_clients_fills_the_memory() -> None:
    windows = Windows(most_clients=100)
    for number in range(10_000):
        windows.acquire_sliding_window_entry(str(number), 5, 60)
        windows.acquire_sliding_window_entry("always there", 1_000_000, 60)
    assert len(windows) == 100
    assert windows.get("always there") > 0


# Bodies


def test_a_body_up_to_the_limit_arrives_whole(serve: Start) -> None:
    server = serve(max_body_bytes=100_000)
    assert server.get(method="POST", body=b"x" * 100_000).json["length"] == 100_000
    assert server.get(method="POST", body=b"x" * 100_001).code == "body-too-large"


@pytest.mark.parametrize("protocol", [AutoHTTPProtocol, H11Protocol])
def test_a_large_body_is_refused_at_once_and_its_sender_reads_so(serve: Start, protocol: type[asyncio.Protocol]) -> None:
    server = serve(protocol=protocol)
    begun_at = time.monotonic()
    answer = server.get(method="POST", body=b"x" * 10_000_000)
    assert (answer.status, answer.code) == (413, "body-too-large")
    assert time.monotonic() - begun_at < 2


def test_whoever_is_turned_away_while_sending_reads_why(serve: Start) -> None:
    server = serve(rate="1/hour")
    assert server.get().status == 200
    for _ in range(2):  # an hour may begin in between
        limited = server.get(method="POST", body=b"x" * 5_000_000)
    assert limited.code == "too-many-requests"
    assert server.get(method="POST", body=b"x" * 5_000_000, host="evil.test").code == "host-not-allowed"


def test_a_length_that_is_too_large_is_refused_before_anything_of_it_came(serve: Start) -> None:
    server = serve()
    for length in ("100000000000", "9" * 18):
        head = f"POST /v1/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n"
        assert server.raw(head.encode()).code == "body-too-large"
    expecting = "POST /v1/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n"
    assert server.raw(expecting.encode()).status == 413


def chunked(size: int, count: int) -> bytes:
    chunk = f"{size:x}\r\n".encode() + b"x" * size + b"\r\n"
    return b"POST /v1/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk * count


def test_a_body_in_chunks_is_counted(serve: Start) -> None:
    server = serve()
    assert server.raw(chunked(1_000, 60) + b"0\r\n\r\n").json["length"] == 60_000
    assert server.raw(chunked(1_000, 70) + b"0\r\n\r\n").code == "body-too-large"
    assert server.raw(chunked(1, 70_000)).code == "body-too-large"


def send_for_ever(opened: socket.socket, until: float) -> None:
    head, _, chunk = chunked(60_000, 1).partition(b"\r\n\r\n")
    opened.sendall(head + b"\r\n\r\n")
    while time.monotonic() < until:
        opened.sendall(chunk)


def test_a_body_without_an_end_does_not_keep_the_server(serve: Start) -> None:
    server = serve(receive_seconds=0.3)
    with server.connection() as opened, contextlib.suppress(OSError):
        opened.sendall(chunked(1_000, 10))
        assert read(opened).code == "request-too-slow"
    with server.connection() as opened:
        begun_at = time.monotonic()
        with pytest.raises(OSError):
            send_for_ever(opened, begun_at + PATIENCE)
        assert time.monotonic() - begun_at < 5


@pytest.mark.parametrize("protocol", [AutoHTTPProtocol, H11Protocol])
def test_a_slow_body_is_ended_in_time_while_others_are_answered(serve: Start, protocol: type[asyncio.Protocol]) -> None:
    server = serve(receive_seconds=0.6, protocol=protocol)
    head = b"POST /v1/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
    with contextlib.ExitStack() as stack:
        slow = [stack.enter_context(server.connection()) for _ in range(50)]
        begun_at = time.monotonic()
        for opened in slow:
            opened.sendall(head + b"x")
        for _ in range(4):
            assert server.get().status == 200
            for opened in slow:
                opened.sendall(b"x")
            time.sleep(0.05)
        answers = [read(opened) for opened in slow]
        took = time.monotonic() - begun_at
    assert {(answer.status, answer.code) for answer in answers} == {(408, "request-too-slow")}
    assert 0.5 < took < 3


@pytest.mark.parametrize("protocol", [AutoHTTPProtocol, H11Protocol])
@pytest.mark.parametrize("sent", [b"", b"GET /v1/x HTTP/1.1\r\nHost: local"], ids=["nothing", "half a header"])
def test_a_connection_that_does_not_ask_is_ended(serve: Start, protocol: type[asyncio.Protocol], sent: bytes) -> None:
    server = serve(receive_seconds=0.5, protocol=protocol)
    with server.connection() as opened:
        begun_at = time.monotonic()
        opened.settimeout(0.1)
        opened.sendall(sent)
        while time.monotonic() < begun_at + PATIENCE:
            with contextlib.suppress(TimeoutError):
                try:
                    if opened.recv(1) == b"":
                        break
                except ConnectionResetError:
                    break
            if sent:
                with contextlib.suppress(OSError):
                    opened.sendall(b"h")  # a byte of a header now and then
        assert 0.4 < time.monotonic() - begun_at < 3


@pytest.mark.parametrize("protocol", [AutoHTTPProtocol, H11Protocol])
def test_the_second_request_of_a_connection_is_waited_for_no_longer(serve: Start, protocol: type[asyncio.Protocol]) -> None:
    server = serve(receive_seconds=0.5, protocol=protocol)
    with server.connection() as opened:
        for _ in range(3):
            opened.sendall(b"GET /v1/x HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert read(opened).status == 200
            time.sleep(0.2)  # longer than the limit together
        opened.sendall(b"GET /v1/x HTTP/1.1\r\nHo")
        begun_at = time.monotonic()
        assert read(opened).status == 0
        assert 0.4 < time.monotonic() - begun_at < 3


@pytest.mark.parametrize("protocol", [AutoHTTPProtocol, H11Protocol])
def test_headers_without_an_end_are_refused(serve: Start, protocol: type[asyncio.Protocol]) -> None:
    server = serve(protocol=protocol)
    with server.connection() as opened:
        with contextlib.suppress(OSError):
            opened.sendall(b"GET /v1/x HTTP/1.1\r\nHost: localhost\r\n")
            for _ in range(40):
                opened.sendall(b"X-A: " + b"x" * (MOST_HEADER_BYTES // 16) + b"\r\n")
                time.sleep(0.001)
        assert read(opened).status in (400, 431, 0)
    assert server.get().status == 200


@pytest.mark.parametrize("protocol", [AutoHTTPProtocol, H11Protocol])
def test_what_is_no_http_is_a_problem(serve: Start, protocol: type[asyncio.Protocol]) -> None:
    server = serve(protocol=protocol)
    answer = server.raw(b"\x16\x03\x01\x02\x00 what is this\r\n\r\n")
    assert answer.status == 400
    assert answer.json["code"] == "request-syntax"


HIDDEN = b"GET /v1/hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.parametrize("protocol", [AutoHTTPProtocol, H11Protocol])
@pytest.mark.parametrize(
    ("lines", "body"),
    [
        ([b"Content-Length: 4", b"Transfer-Encoding: chunked"], b"0\r\n\r\n" + HIDDEN),
        ([b"Transfer-Encoding: chunked", b"Content-Length: %d" % (5 + len(HIDDEN))], b"0\r\n\r\n" + HIDDEN),
        ([b"Content-Length: 0", b"Content-Length: %d" % len(HIDDEN)], HIDDEN),
        ([b"Content-Length: +5"], b"hello" + HIDDEN),
        ([b"Content-Length: -1"], HIDDEN),
        ([b"Transfer-Encoding: xchunked"], b"0\r\n\r\n" + HIDDEN),
        ([b"Transfer-Encoding: chunked, identity"], b"0\r\n\r\n" + HIDDEN),
        ([b"Transfer-Encoding : chunked"], b"0\r\n\r\n" + HIDDEN),
    ],
)
def test_no_request_is_hidden_in_another(
    serve: Start, protocol: type[asyncio.Protocol], lines: list[bytes], body: bytes
) -> None:
    server = serve(protocol=protocol, receive_seconds=0.5)
    server.raw(b"\r\n".join([b"POST /v1/x HTTP/1.1", b"Host: localhost", *lines, b"", b""]) + body)
    server.get("/v1/last")
    eventually(lambda: any('"/v1/last"' in line for line in server.lines))
    assert not any("hidden" in line for line in server.lines)


def test_no_more_connections_are_open_than_are_allowed(serve: Start) -> None:
    server = serve(most=20)
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(server.connection()) for _ in range(20)]
        for opened in held:
            opened.sendall(b"GET /v1/x HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert read(opened).status == 200
        assert server.get().status == 0
    eventually(lambda: server.get().status == 200)


@pytest.mark.parametrize("protocol", [AutoHTTPProtocol, H11Protocol])
def test_a_client_that_does_not_read_is_given_up(serve: Start, protocol: type[asyncio.Protocol]) -> None:
    server = serve(protocol=protocol)
    with server.connection() as opened:
        opened.sendall(b"GET /v1/long HTTP/1.1\r\nHost: localhost\r\n\r\n")
        eventually(lambda: bool(server.lines))
        assert json.loads(server.lines[0])["path"] == "/v1/long"
    whole = server.raw(b"GET /v1/long HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert len(whole.body) == 20_000_000


# Keys


@pytest.mark.parametrize("protocol", [AutoHTTPProtocol, H11Protocol])
def test_what_a_client_does_not_read_is_not_held_in_memory(serve: Start, protocol: type[asyncio.Protocol]) -> None:
    largest = 0

    class Watched(protocol):  # type: ignore[valid-type,misc]
        def pause_writing(self) -> None:
            nonlocal largest
            largest = max(largest, self.transport.get_write_buffer_size())
            super().pause_writing()

    server = serve(protocol=Watched)
    with server.connection() as opened:
        opened.sendall(b"GET /v1/large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        eventually(lambda: largest > 0)
        answer = read(opened)
    assert answer.body == b"0123456789" * 2_000_000
    assert largest < 2 * PART_BYTES


def test_without_anonymous_questions_need_a_key(serve: Start, tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys.json")
    server = serve(anonymous=False)
    missing = server.get("/v1/ask")
    assert (missing.status, missing.code) == (401, "key-needed")
    assert missing.headers["www-authenticate"] == ['Bearer realm="nescio"']
    assert server.get("/mcp").status == 401
    assert server.get("/livez").status == 200
    _, text = ring.add("docs-site", [KeyScope.ASK], "2026-01-01T00:00:00Z")
    assert server.get("/v1/ask", f"Authorization: Bearer {text}").json["key"] == "docs-site"
    assert server.get("/v1/ask", f"authorization: bearer  {text}").json["key"] == "docs-site"
    assert server.get("/v1/ask", f"X-API-Key: {text}").json["key"] == "docs-site"
    lacking = server.get("/v1/feedback", f"X-API-Key: {text}")
    assert (lacking.status, lacking.code) == (403, "key-not-allowed")
    assert server.get("/v1/reload", f"X-API-Key: {text}").status == 403
    wrong = server.get("/v1/ask", f"Authorization: Bearer {text[:-1]}{'0' if text[-1] != '0' else '1'}")
    assert (wrong.status, wrong.code) == (401, "key-unknown")
    ring.revoke("docs-site")
    assert server.get("/v1/ask", f"X-API-Key: {text}").code == "key-unknown"
    assert text not in "".join(server.lines)
    assert text[13:] not in "".join(server.lines)


@pytest.mark.parametrize("path", ["/docs/v1/reload", "/v1/reload", "/v1/%72eload", "/v1/reload/", "/docs/mcp"])
def test_no_way_to_write_a_path_leads_past_the_keys(serve: Start, path: str) -> None:
    assert serve(root_path="/docs", anonymous=False).get(path).code == "key-needed"


def test_everybody_asks_where_it_is_open_and_an_administrator_still_needs_a_key(serve: Start, tmp_path: Path) -> None:
    server = serve()
    assert server.get("/v1/ask").status == 200
    assert server.get("/v1/feedback", method="POST", body=b"{}").status == 200
    assert server.get("/v1/reload", method="POST").code == "key-needed"
    _, text = KeyRing(tmp_path / "keys.json").add("admin", [KeyScope.ADMIN], "2026-01-01T00:00:00Z")
    assert server.get("/v1/reload", f"Authorization: Bearer {text}", method="POST").json["key"] == "admin"
    # What a proxy has let in with a password or a token of its own is no key of ours.
    assert server.get("/v1/ask", "Authorization: Basic eDp5").status == 200
    assert server.get("/v1/ask", "Authorization: Bearer eyJhbGciOiJub25lIn0").status == 200


def test_keys_that_cannot_be_read_let_nobody_in_and_tell_no_path(serve: Start, tmp_path: Path) -> None:
    server = serve(anonymous=False)
    (tmp_path / "keys.json").write_text("{", encoding="utf-8")
    answer = server.get("/v1/ask", f"X-API-Key: nsc_{'0' * 8}_{'0' * 64}")
    assert (answer.status, answer.code) == (500, "keys-unreadable")
    assert str(tmp_path) not in answer.body.decode()


# Headers


def test_every_answer_is_closed_to_browsers_unless_it_says_otherwise(serve: Start) -> None:
    server = serve()
    for path in ("/v1/x", "/v1/damaged"):
        headers = server.get(path).headers
        assert headers["content-security-policy"][0].startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in headers["content-security-policy"][0]
        assert headers["x-content-type-options"] == ["nosniff"]
        assert headers["referrer-policy"] == ["same-origin"]
        assert headers["cross-origin-resource-policy"] == ["same-origin"]
        assert "permissions-policy" in headers
        assert "server" not in headers
    assert server.get("/page").headers["content-security-policy"] == ["default-src 'self'"]
    assert server.get("/nescio-ask.js").headers["cross-origin-resource-policy"] == ["cross-origin"]


# Problems


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (QuestionFault("question-too-long", "Too long."), 422),
        (UsageFault("request-invalid", "Wrong."), 422),
        (UsageFault("request-syntax", "Wrong."), 400),
        (UsageFault("reader-view-not-indexed", "Wrong."), 400),
        (NotFoundFault("passage-not-found", "Not there."), 404),
        (NotFoundFault("no-index", "There is none in /srv."), 503),
        (UsageFault("media-type-unsupported", "Not this."), 415),
        (BusyFault("server-busy", "Full."), 503),
        (BusyFault("index-busy", "/srv is busy."), 503),
        (ConfigFault("config-wrong-value", "/srv/nescio.toml is wrong."), 500),
        (StorageFault("io-error", "/srv broke."), 500),
        (InternalFault("internal-error", "KeyError: '/srv'"), 500),
        (Fault("something", "/srv"), 500),
    ],
)
def test_a_fault_has_a_status_and_nothing_of_the_inside(fault: Fault, status: int) -> None:
    told = problems.problem_json(fault, instance="/v1/x", request_id="abc")
    assert told["status"] == status == problems.status_of(fault)
    assert told["type"] == f"urn:nescio:error:{fault.code}"
    assert told["code"] == fault.code
    assert "/srv" not in json.dumps(told)
    assert told["detail"]
    response = problems.problem_response(fault, instance="/v1/x", request_id="abc")
    assert response.media_type == PROBLEM
    assert ("retry-after" in response.headers) == (status == 503)
    assert json.loads(bytes(response.body)) == told


def test_what_breaks_inside_is_a_problem_and_its_place_is_in_the_log(serve: Start) -> None:
    server = serve()
    answer = server.get("/v1/broken")
    assert (answer.status, answer.code) == (500, "internal-error")
    assert b"secret" not in answer.body
    eventually(lambda: len(server.lines) == 2)
    failed, seen = (json.loads(line) for line in server.lines)
    assert failed["error"] == "ValueError"
    assert "test_guards.py:" in failed["where"]
    assert failed["request_id"] == seen["request_id"] == answer.json["request_id"]
    assert seen["fault"] == "internal-error"
    assert "secret" not in "".join(server.lines)


def test_a_fault_can_be_handed_to_another_process() -> None:
    import pickle

    fault = problems.RequestFault("too-many-requests", "m", "h", (("retry-after", "3"),))
    again = pickle.loads(pickle.dumps(fault))
    assert (again.code, again.message, again.hint, again.headers) == (fault.code, "m", "h", fault.headers)


# The log


def test_a_line_says_what_was_asked_of_whom_and_not_the_question(serve: Start) -> None:
    server = serve()
    answer = server.get("/v1/ask?q=secret")
    eventually(lambda: bool(server.lines))
    told = json.loads(server.lines[0])
    assert told["path"] == "/v1/ask"
    assert (told["method"], told["status"], told["client"]) == ("GET", 200, "127.0.0.1")
    assert told["request_id"] == answer.headers["x-request-id"][0]
    assert told["bytes"] == len(answer.body)
    assert (told["answer"], told["reason"], told["index_id"]) == ("refused", "too_weak", "0123abcd")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", told["time"])
    assert 0 <= told["ms"] < 1_000
    assert "secret" not in server.lines[0]
    assert "question" not in told


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_line_is_one_line_whatever_was_asked(serve: Start, form: str) -> None:
    server = serve(log=form, log_questions=True)
    server.get("/v1/ask")
    server.get("/v1/%0Ax%1B")
    eventually(lambda: len(server.lines) == 2)
    for line in server.lines:
        assert line.count("\n") == 1
        assert line.endswith("\n")
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", line)
    assert "this" in server.lines[0]


def test_a_log_that_is_off_or_cannot_be_written_stops_nothing(serve: Start) -> None:
    server = serve(log="off")
    assert server.get().status == 200
    assert server.lines == []

    def full(_: str) -> None:
        raise OSError("no space")

    scope = asked()
    RequestLog(Serve(), full).seen(scope, begun(scope), 200, 1)


# The figures


def figures(metrics: Metrics) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    families = text_string_to_metric_families(metrics.text().decode())
    return {(one.name, tuple(sorted(one.labels.items()))): one.value for family in families for one in family.samples}


def test_the_figures_count_requests_answers_and_faults_without_their_words(serve: Start) -> None:
    server = serve()
    server.get("/v1/ask?q=secret")
    server.get("/v1/damaged")
    for number in range(30):
        server.get(f"/made-up-{number}", method="GET" if number else "BREW")
    eventually(lambda: ("nescio_http_request_seconds_count", (("route", "other"),)) in figures(server.metrics))
    told = figures(server.metrics)
    labels = (("method", "GET"), ("route", "/v1/ask"), ("status", "200"))
    assert told["nescio_http_requests_total", labels] == 1
    assert told["nescio_answers_total", (("reason", "too_weak"), ("status", "refused"))] == 1
    assert told["nescio_answer_cache_total", (("result", "miss"),)] == 1
    assert told["nescio_faults_total", (("code", "index-damaged"),)] == 1
    assert told["nescio_http_request_seconds_count", (("route", "/v1/ask"),)] == 1
    text = server.metrics.text().decode()
    assert not re.search("secret|made-up|BREW|this", text)


def test_the_figures_tell_which_index_answers() -> None:
    metrics = Metrics()
    metrics.answers_from(IndexFigures("old", "g1", 1, 2, time.time()))
    metrics.answers_from(IndexFigures("new", "g2", 10, 20, time.time() - 100))
    metrics.built(succeeded=True)
    metrics.built(succeeded=False)
    told = figures(metrics)
    assert told["nescio_index_info", (("generation", "g2"), ("index_id", "new"))] == 1
    assert not any(("index_id", "old") in labels for _, labels in told)
    assert (told["nescio_index_documents", ()], told["nescio_index_passages", ()]) == (10, 20)
    assert 99 < told["nescio_index_age_seconds", ()] < 200
    assert told["nescio_builds_total", (("result", "failed"),)] == 1
    assert figures(Metrics()).keys() >= {("nescio_index_documents", ())}  # two servers in one process do not meet


# All together


def test_the_guards_cost_little(tmp_path: Path) -> None:
    """Less than 100 microseconds of a request on the machine this was written on; five times that fails here."""

    async def quick(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
        await send({"type": "http.response.body", "body": b"x"})

    async def nowhere(message: Message) -> None:
        pass

    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    settings = Serve(rate="100000/minute", trusted_proxies=("10.0.0.0/8",), origins=("https://docs.example.org",))
    lines: list[str] = []
    app = guarded(quick, Guards(settings, KeyRing(tmp_path / "k"), Metrics(), RequestLog(settings, lines.append)))
    headers = [("host", "localhost"), ("user-agent", "x"), ("accept", "*/*"), ("origin", "https://docs.example.org")]

    async def many(count: int) -> float:
        begun_at = time.process_time()
        for _ in range(count):
            await app(asked(headers=headers), nothing, nowhere)
        return (time.process_time() - begun_at) / count

    took = min(asyncio.run(many(300)) for _ in range(5))
    assert took < 500e-6, f"{took * 1e6:.0f} microseconds"
    assert len(lines) == 1_500


def test_other_protocols_are_let_through_or_closed(tmp_path: Path) -> None:
    told: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        told.append({"type": scope["type"]})

    async def send(message: Message) -> None:
        told.append(message)

    async def receive() -> Message:
        return {"type": "lifespan.startup"}

    settings = Serve()
    behind = guarded(app, Guards(settings, KeyRing(tmp_path / "k"), Metrics(), RequestLog(settings, str)))
    asyncio.run(behind({"type": "lifespan"}, receive, send))  # type: ignore[arg-type]
    asyncio.run(behind({"type": "websocket"}, receive, send))  # type: ignore[arg-type]
    assert told == [{"type": "lifespan"}, {"type": "websocket.close", "code": 1000}]
