"""What is asked over HTTP: a real server, a real client, and results that keep to the schemas that are shipped."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")

import httpx2
from jsonschema import Draft202012Validator

from nescio.evaluate.gaps.log import GapLog
from nescio.surfaces import wire
from nescio.surfaces.web import caching
from nescio.surfaces.web.keyring import KeyRing, Scope
from nescio.surfaces.web.streaming import wants_events
from support.projects import TIMEOUT_SECONDS, Project
from support.serving import Served, served

PAGES = {
    "fruit.md": """# Fruit

How the kitchen keeps its fruit.

## Apples

Apples are kept in the cellar at four degrees, because warm apples go soft within a week.

## Pears

Pears ripen in a paper bag beside a banana.

```python
def ripen(pear):
    return pear.in_bag()
```
""",
    "tools/knives.md": "# Knives\n\nSharpen the bread knife with a rod, never with a stone.\n",
}
QUESTION = "Where are apples kept?"
UNCOVERED = "How do I fly a helicopter?"
PROBLEM = "application/problem+json"
JSON = "application/json"
Json = dict[str, Any]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Documents with their index."""
    project = Project(tmp_path_factory.mktemp("served")).write_all(PAGES)
    project.build()
    return project


@pytest.fixture(scope="module")
def server(built: Project) -> Iterator[Served]:
    """A server over them, which no test changes."""
    with served(built) as running:
        yield running


@pytest.fixture
def http(server: Served) -> httpx2.Client:
    return server.http


@pytest.fixture
def own(project: Project) -> Project:
    """Documents with their index, for tests that change them."""
    project.write_all(PAGES)
    project.build()
    return project


def checked(response: httpx2.Response, name: str) -> Json:
    """The JSON of a result, which keeps to its schema."""
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == JSON
    told: Json = response.json()
    Draft202012Validator(wire.schema(name)).validate(told)
    return told


def problem(response: httpx2.Response, status: int, code: str) -> Json:
    """A problem with that status and code, which keeps to its schema."""
    assert (response.status_code, response.headers["content-type"]) == (status, PROBLEM), response.text
    told: Json = response.json()
    Draft202012Validator(wire.schema("problem")).validate(told)
    assert (told["status"], told["code"], told["type"]) == (status, code, f"urn:nescio:error:{code}")
    assert told["request_id"] == response.headers["x-request-id"]
    return told


def post(http: httpx2.Client, body: object) -> httpx2.Response:
    return http.post("/v1/ask", json=body)


# Questions


def test_an_answer_is_what_the_engine_says(http: httpx2.Client, built: Project) -> None:
    with built.engine() as engine:
        expected = wire.answer_json(engine.ask(QUESTION))
    assert checked(http.get("/v1/ask", params={"q": QUESTION}), "answer") == expected
    assert checked(post(http, {"question": QUESTION}), "answer") == expected
    assert expected["status"] == "answered"


def test_a_refusal_is_a_result(http: httpx2.Client) -> None:
    told = checked(http.get("/v1/ask", params={"q": UNCOVERED}), "answer")
    assert (told["status"], told["quotes"]) == ("refused", [])
    assert told["reason"]


def test_an_empty_question_is_refused_and_no_question_is_a_problem(http: httpx2.Client) -> None:
    assert checked(http.get("/v1/ask", params={"q": ""}), "answer")["reason"] == "question_empty"
    assert "`q`" in problem(http.get("/v1/ask"), 422, "request-invalid")["detail"]
    assert "`question`" in problem(post(http, {}), 422, "request-invalid")["detail"]


def test_limit_floor_and_under_are_kept_to(http: httpx2.Client) -> None:
    asked = {"q": "apples pears kept ripen", "floor": 0.01}
    assert len(checked(http.get("/v1/ask", params={**asked, "limit": 2}), "answer")["quotes"]) == 2
    assert len(checked(http.get("/v1/ask", params={**asked, "limit": 1}), "answer")["quotes"]) == 1
    narrowed = checked(http.get("/v1/ask", params={"q": QUESTION, "under": "tools"}), "answer")
    assert (narrowed["status"], narrowed["searched"]["filters"]) == ("refused", ["under:tools"])
    assert checked(http.get("/v1/ask", params={"q": QUESTION, "floor": 0.999}), "answer")["floor"] == 0.999


def test_display_adds_blocks_that_hold_the_words_of_the_quote(http: httpx2.Client) -> None:
    told = checked(post(http, {"question": "How do pears ripen?", "display": True}), "answer")
    blocks = told["quotes"][0]["display"]
    code = next(block for block in blocks if block["kind"] == "code")
    assert "".join(text for _, text in code["tokens"]).strip("\n") == "def ripen(pear):\n    return pear.in_bag()"
    assert code["language"] == "python"
    assert "display" not in checked(post(http, {"question": "How do pears ripen?"}), "answer")["quotes"][0]


def test_an_answer_comes_as_events_where_they_are_asked_for(http: httpx2.Client) -> None:
    for response in (
        http.get("/v1/ask", params={"q": QUESTION}, headers={"Accept": "text/event-stream"}),
        http.post("/v1/ask", json={"question": QUESTION}, headers={"Accept": "text/event-stream"}),
    ):
        assert response.headers["content-type"].startswith("text/event-stream")
        told = dict(events(response.text))
        assert list(told) == ["answer", "done"]
        assert told["answer"] == checked(http.get("/v1/ask", params={"q": QUESTION}), "answer")
    wrong = http.get("/v1/ask", params={"q": QUESTION, "limit": 0}, headers={"Accept": "text/event-stream"})
    problem(wrong, 422, "request-invalid")


def events(text: str) -> list[tuple[str, Json]]:
    """The events of a stream, comments left out."""
    found = re.findall(r"^event: (\w+)\n(?:id: .*\n)?data: (.*)\n\n", text, re.MULTILINE)
    return [(name, json.loads(data)) for name, data in found]


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        (None, False),
        ("*/*", False),
        ("application/json", False),
        ("text/event-stream", True),
        ("application/json, text/event-stream", True),
        ("application/json;q=1, text/event-stream;q=0.5", False),
        ("application/json;q=0.5, text/event-stream", True),
        ("text/event-stream;q=0", False),
        ("text/event-stream;q=x", True),
    ],
)
def test_json_is_the_answer_unless_events_are_liked_as_well(accept: str | None, wanted: bool) -> None:
    assert wants_events(accept) is wanted


# Looking things up


def test_a_search_lists_passages(http: httpx2.Client) -> None:
    told = checked(http.get("/v1/search", params={"q": "apples", "limit": 1}), "search")
    assert [hit["path"] for hit in told["hits"]] == ["fruit.md"]


def test_what_is_typed_is_completed(http: httpx2.Client) -> None:
    by_query = checked(http.get("/v1/suggest", params={"q": "knives ", "limit": 3}), "suggest")
    by_body = checked(http.post("/v1/suggest", json={"typed": "knives ", "limit": 3}), "suggest")
    assert by_query == by_body
    assert (by_query["typed"], by_query["index_id"]) == ("knives ", checked(http.get("/v1/version"), "version")["index_id"])
    (one,) = by_query["suggestions"]
    assert (one["text"], one["kind"], one["path"], one["heading_path"]) == ("Knives", "title", "tools/knives.md", [])
    (pears,) = checked(http.get("/v1/suggest", params={"q": "pear"}), "suggest")["suggestions"]
    assert (pears["text"], pears["kind"], pears["title"]) == ("Pears", "heading", "Fruit")
    assert pears["heading_path"] == ["Fruit", "Pears"]
    assert checked(http.get("/v1/suggest", params={"q": ""}), "suggest")["suggestions"] == []


def test_what_is_typed_is_limited_and_kept_nowhere(http: httpx2.Client) -> None:
    problem(http.get("/v1/suggest", params={"q": "x" * 201}), 422, "request-invalid")
    problem(http.get("/v1/suggest", params={"q": "x", "limit": 21}), 422, "request-invalid")
    problem(http.get("/v1/suggest"), 422, "request-invalid")
    problem(http.get("/v1/suggest", params={"q": "x", "version": "none"}), 404, "version-not-found")
    response = http.get("/v1/suggest", params={"q": "a"})
    assert response.headers["cache-control"] == "no-store"
    assert "etag" not in response.headers


def test_suggestions_stand_in_no_log_and_push_no_answer_out(own: Project) -> None:
    with served(own, "cached_answers = 1\nlog_questions = true\n") as running:
        first = running.http.get("/v1/ask", params={"q": QUESTION})
        for typed in ("secretword", "apples", "p"):
            running.http.post("/v1/suggest", json={"typed": typed})
            running.http.get("/v1/suggest", params={"q": typed})
        assert running.http.get("/v1/ask", params={"q": QUESTION}).headers["etag"] == first.headers["etag"]
        figures = running.http.get("/metrics").text
    assert 'nescio_answer_cache_total{result="hit"} 1.0' in figures
    assert "secretword" not in "".join(running.lines)


def test_suggestions_are_within_the_view_of_the_server_s_readers(own: Project) -> None:
    own.write("staff.md", "---\naudiences: staff\n---\n# Pager of the night shift\n\nIt rings.\n")
    own.build()
    with served(own, 'reader_view = ["audience=customers"]\n') as running:
        asked = {"q": "pager"}
        assert running.http.get("/v1/suggest", params=asked).json()["suggestions"] == []
        seen = running.http.get("/v1/suggest", params={**asked, "reader_view": "audience=staff"}).json()["suggestions"]
    assert [one["text"] for one in seen] == ["Pager of the night shift"]


def test_a_passage_is_shown_with_the_lines_around_it(http: httpx2.Client) -> None:
    quote = checked(http.get("/v1/ask", params={"q": QUESTION}), "answer")["quotes"][0]
    alone = checked(http.get(f"/v1/passages/{quote['passage_id']}"), "passage")
    assert (alone["before"], alone["after"]) == ("", "")
    around = checked(http.get(f"/v1/passages/{quote['passage_id']}", params={"context": 2}), "passage")
    text = around["before"] + around["text"] + around["after"]
    assert text in PAGES["fruit.md"]
    assert around["start_line"] == alone["start_line"] - 2
    assert around["end_line"] == around["start_line"] + text.rstrip("\n").count("\n")
    shown = checked(http.get(f"/v1/passages/{quote['passage_id']}", params={"display": "true"}), "passage")
    assert shown["display"]


def test_an_unknown_passage_is_a_problem(http: httpx2.Client) -> None:
    problem(http.get("/v1/passages/nothing"), 404, "passage-not-found")


def test_sources_and_version_tell_what_is_there(http: httpx2.Client, server: Served) -> None:
    told = checked(http.get("/v1/sources"), "sources")
    assert [(source["name"], source["documents"]) for source in told["sources"]] == [("docs", 2)]
    version = checked(http.get("/v1/version"), "version")
    assert (version["name"], version["index_id"]) == ("nescio", told["index_id"])
    assert version["generation"] == server.following.generation
    assert (version["feedback"], version["watching"]) == (False, False)


def test_pages_for_other_readers_stay_out(project: Project) -> None:
    project.write("all.md", "# Ladle\n\nThe ladle hangs on the left hook.\n")
    project.write("staff.md", "---\naudiences: [staff]\n---\n# Safe\n\nThe safe stands behind the piano.\n")
    project.build()
    asked = {"q": "Where does the safe stand?"}
    with served(project, 'reader_view = ["audience=customers"]\n') as running:
        hidden = running.http.get("/v1/ask", params=asked)
        assert checked(hidden, "answer")["reason"] == "hidden_by_filter"
        assert hidden.headers["cache-control"] == "private, no-cache"
        assert checked(hidden, "answer")["searched"]["documents"] == 1
        staff = checked(running.http.get("/v1/ask", params={**asked, "reader_view": "audience=staff"}), "answer")
        assert staff["status"] == "answered"
        assert checked(running.http.get("/v1/sources"), "sources")["sources"][0]["documents"] == 1
        problem(running.http.get("/v1/ask", params={**asked, "reader_view": "x"}), 400, "reader-view-syntax")
        wrong = running.http.get("/v1/ask", params={**asked, "reader_view": "colour=red"})
        problem(wrong, 400, "reader-view-not-indexed")


def test_an_unknown_version_is_a_problem(http: httpx2.Client) -> None:
    problem(http.get("/v1/ask", params={"q": QUESTION, "version": "9"}), 404, "version-not-found")


# Requests that are wrong


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("q=a&limit=0", "limit"),
        ("q=a&limit=99", "limit"),
        ("q=a&limit=two", "limit"),
        ("q=a&limit=1&limit=2", "limit"),
        ("q=a&floor=nan", "floor"),
        ("q=a&floor=inf", "floor"),
        ("q=a&floor=2", "floor"),
        ("q=a&display=perhaps", "display"),
        ("q=a&colour=red", "colour"),
        ("q=a&under=", "under"),
        ("q=a&limit=1" + "0" * 5000, "limit"),
    ],
)
def test_a_wrong_parameter_is_named(http: httpx2.Client, query: str, field: str) -> None:
    assert f"`{field}`" in problem(http.get(f"/v1/ask?{query}"), 422, "request-invalid")["detail"]


@pytest.mark.parametrize("query", ["q=%ff", "q=%ED%A0%80", "&".join(["q=a"] * 100)])
def test_a_query_that_cannot_be_read_is_a_problem(http: httpx2.Client, query: str) -> None:
    problem(http.get(f"/v1/ask?{query}"), 422, "request-invalid")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"question": 3}, "question"),
        ({"question": None}, "question"),
        ({"question": "a", "limit": "2"}, "limit"),
        ({"question": "a", "limit": 1.5}, "limit"),
        ({"question": "a", "limit": True}, "limit"),
        ({"question": "a", "display": 1}, "display"),
        ({"question": "a", "reader_view": "x=y"}, "reader_view"),
        ({"question": "a", "reader_view": [1]}, "reader_view.0"),
        ({"question": "a", "q": "a"}, "q"),
        ({"question": "a", "x" * 10_000: 1}, "x" * 60 + "..."),
    ],
)
def test_a_wrong_field_is_named(http: httpx2.Client, body: Json, field: str) -> None:
    response = http.post("/v1/ask", content=json.dumps(body), headers={"Content-Type": JSON})
    assert f"`{field}`" in problem(response, 422, "request-invalid")["detail"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff",
        b"[" * 60_000,
        b'{"question": ' * 4_000,
        b'{"question": "a", "floor": NaN}',
        b'{"question": "a", "floor": Infinity}',
        b'{"question": "a", "question": "b"}',
        b'{"question": "a", "limit": ' + b"9" * 5_000 + b"}",
        b'{"question": "a"} {}',
        b'{"question": "a\x00"}',
        '{"question": "a"}'.encode("utf-16"),
        b'{"question": "\\ud800"}',
    ],
    ids=range(13),
)
def test_a_body_that_is_no_json_is_a_problem(http: httpx2.Client, body: bytes) -> None:
    problem(http.post("/v1/ask", content=body, headers={"Content-Type": JSON}), 400, "request-syntax")


@pytest.mark.parametrize("body", [b"[]", b'"a"', b"null", b"1e999"])
def test_a_body_that_is_no_object_is_a_problem(http: httpx2.Client, body: bytes) -> None:
    problem(http.post("/v1/ask", content=body, headers={"Content-Type": JSON}), 422, "request-invalid")


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_body_of_another_type_is_a_problem(http: httpx2.Client, kind: str) -> None:
    headers = {"Content-Type": kind} if kind else {}
    problem(http.post("/v1/ask", content=b'{"question": "a"}', headers=headers), 415, "media-type-unsupported")


def test_too_long_a_question_is_a_problem_and_no_refusal(http: httpx2.Client) -> None:
    problem(post(http, {"question": "apple " * 2_000}), 422, "question-too-long")
    problem(http.get("/v1/ask", params={"q": "é" * 2_001}), 422, "question-too-long")
    many = " ".join(f"w{number}x" for number in range(200))
    problem(post(http, {"question": many}), 422, "question-too-many-terms")
    problem(post(http, {"question": "a" * 70_000}), 413, "body-too-large")


def test_an_unknown_path_and_a_wrong_method_are_problems(http: httpx2.Client) -> None:
    for path in ("/v1", "/v1/", "/v1/asks", "/v1/ask/", "/nothing", "/v1/passages/", "/%2e%2e/etc"):
        problem(http.get(path), 404, "not-found")
    wrong = http.delete("/v1/ask")
    problem(wrong, 405, "method-not-allowed")
    assert wrong.headers["allow"] == "GET, HEAD, POST"
    problem(http.post("/v1/search"), 405, "method-not-allowed")


# Caches


def test_a_result_that_is_still_the_same_is_not_sent_again(http: httpx2.Client) -> None:
    for path in ("/v1/ask?q=apples", "/v1/search?q=apples", "/v1/sources", "/openapi.json", "/docs"):
        first = http.get(path)
        assert first.headers["cache-control"] == "no-cache"
        again = http.get(path, headers={"If-None-Match": f'"other", W/{first.headers["etag"]}'})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert http.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_every_difference_in_what_is_asked_makes_another_etag(http: httpx2.Client) -> None:
    asked = ("q=apples", "q=pears", "q=apples&limit=1", "q=apples&floor=0.9", "q=apples&under=tools", "q=apples&display=true")
    tags = [http.get(f"/v1/ask?{query}").headers["etag"] for query in asked]
    assert len({*tags}) >= len(asked) - 1  # a limit that changes nothing changes no byte


def test_another_index_makes_other_answers_and_etags(own: Project) -> None:
    with served(own) as running:
        first = running.http.get("/v1/ask", params={"q": QUESTION})
        own.write("more.md", "# More\n\nMelons lie on straw.\n")
        index_id = own.build().index_id
        until(lambda: running.following.index_id == index_id)
        second = running.http.get("/v1/ask", params={"q": QUESTION}, headers={"If-None-Match": first.headers["etag"]})
        assert checked(second, "answer")["searched"]["index_id"] == index_id
        assert checked(running.http.get("/v1/ask", params={"q": "Where do melons lie?"}), "answer")["status"] == "answered"


def test_a_kept_answer_is_given_again(own: Project) -> None:
    with served(own) as running:
        texts = {running.http.get("/v1/ask", params={"q": QUESTION}).text for _ in range(3)}
        assert len(texts) == 1
        figures = running.http.get("/metrics").text
        assert 'nescio_answer_cache_total{result="hit"} 2.0' in figures
        assert "nescio_index_documents 2.0" in figures
    with served(own, "cached_answers = 0\n") as running:
        for _ in range(2):
            running.http.get("/v1/ask", params={"q": QUESTION})
        assert 'result="hit"' not in running.http.get("/metrics").text


def test_an_answer_that_is_due_is_given_once_more_and_made_again(own: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caching, "DUE_SECONDS", 0.0)
    with served(own) as running:
        first = checked(running.http.get("/v1/ask", params={"q": QUESTION}), "answer")
        path = first["quotes"][0]["path"]
        own.write(path, "# Nothing\n\nThe page says something else by now.\n")
        again = checked(running.http.get("/v1/ask", params={"q": QUESTION}), "answer")
        assert again == first
        until = time.monotonic() + TIMEOUT_SECONDS
        while not checked(running.http.get("/v1/ask", params={"q": QUESTION}), "answer")["warnings"]:
            assert time.monotonic() < until, "nobody looked at the file again"


def test_head_is_get_without_the_body(http: httpx2.Client) -> None:
    for path in ("/v1/ask?q=apples", "/v1/search?q=apples", "/v1/sources", "/livez", "/openapi.json"):
        head, get = http.head(path), http.get(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == get.headers["content-length"]


def until(is_so: Any, seconds: float = 10.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


# Limits


def test_more_requests_than_are_taken_at_once_are_turned_away(own: Project) -> None:
    with served(own, "max_requests = 1\nrequest_seconds = 1.0\n") as running, ThreadPoolExecutor(4) as threads:
        with running.following.engine():
            results = list(threads.map(lambda number: running.http.get(f"/v1/ask?q=apples{number}"), range(4)))
            assert running.http.get("/livez").status_code == 200
        waited = [one for one in results if one.json()["code"] == "request-timeout"]
        turned_away = [one for one in results if one not in waited]
        assert len(waited) == 1
        problem(waited[0], 503, "request-timeout")
        for one in turned_away:
            problem(one, 503, "server-busy")
            assert int(one.headers["retry-after"]) >= 1


def test_the_same_question_is_worked_on_once_for_all_who_ask_it(own: Project) -> None:
    with served(own, "max_requests = 1\n") as running, ThreadPoolExecutor(5) as threads:
        until(lambda: running.following.index_id is not None)
        with running.following.engine():
            asked = [threads.submit(running.http.get, "/v1/ask?q=apples") for _ in range(5)]
            time.sleep(0.2)
        assert len({checked(one.result(), "answer")["question"] for one in asked}) == 1


def test_what_timed_out_is_over_and_the_next_is_answered(own: Project) -> None:
    with served(own, "request_seconds = 0.2\n") as running:
        with running.following.engine():
            problem(running.http.get("/v1/ask?q=apples"), 503, "request-timeout")
        checked(running.http.get("/v1/ask?q=apples"), "answer")


# Citations


def test_citations_are_checked_as_the_command_does(http: httpx2.Client) -> None:
    answer = http.get("/v1/ask", params={"q": QUESTION})
    good = checked(http.post("/v1/cite", content=answer.content, headers={"Content-Type": JSON}), "cite")
    assert (good["ok"], good["checked"]) == (True, 1)
    changed = answer.text.replace("four degrees", "nine degrees")
    bad = checked(http.post("/v1/cite", content=changed, headers={"Content-Type": JSON}), "cite")
    assert (bad["ok"], bad["wrong"]) == (False, 1)
    markdown = "> Pears ripen in a paper bag beside a banana.\n\n[Fruit](docs/fruit.md)\n"
    told = checked(http.post("/v1/cite", content=markdown, headers={"Content-Type": "text/markdown"}), "cite")
    assert told["ok"]
    problem(http.post("/v1/cite", content=b"[]", headers={"Content-Type": JSON}), 400, "cite-none")
    problem(http.post("/v1/cite", content=b"[" * 60_000, headers={"Content-Type": JSON}), 400, "cite-syntax")
    problem(http.post("/v1/cite", content=b"x", headers={"Content-Type": "image/png"}), 415, "media-type-unsupported")


def test_no_file_but_an_indexed_one_is_looked_at_for_citations(own: Project) -> None:
    own.write(".env", "PASSPHRASE = 'tell nobody of this'\n")
    own.write("staff.md", "---\naudiences: staff\n---\n# Pager\n\nThe pager rings at midnight in the cellar.\n")
    own.build()
    cited = [
        {"text": "PASSPHRASE = 'tell everybody of this'", "path": ".env"},
        {"text": "The pager rings at noon in the cellar.", "path": "staff.md"},
        {"text": "root:x:0:0:root", "path": "../../../../etc/passwd"},
    ]
    with served(own, 'reader_view = ["audience=customers"]\n') as running:
        found = checked(running.http.post("/v1/cite", json=cited), "cite")["citations"]
    assert not any(check["ok"] or check["like"] or check["found_in"] for check in found)


def test_citations_never_hold_up_questions(own: Project) -> None:
    words = " ".join(f"word{number}" for number in range(60_000))
    own.write("long.md", f"# Long\n\n{words}\n")
    own.build()
    changed = [{"text": words[start : start + 400].replace("9", "x"), "path": "long.md"} for start in range(0, 400_000, 3_000)]
    with served(own, "request_seconds = 1.0\n") as running, ThreadPoolExecutor(1) as threads:
        checked(running.http.get("/v1/ask", params={"q": QUESTION}), "answer")
        checking = threads.submit(running.http.post, "/v1/cite", json=changed)
        answered = 0
        while not checking.done():
            checked(running.http.get("/v1/ask", params={"q": f"Where are apples kept in box {answered}?"}), "answer")
            answered += 1
        told = checking.result()
        if told.status_code == 200:
            assert checked(told, "cite")["checked"] == len(changed)
        else:
            problem(told, 503, "request-timeout")
        assert answered > 3


# Feedback, refused questions, reloading


def test_feedback_is_off_until_there_is_a_place_for_it(http: httpx2.Client, own: Project) -> None:
    said = {"question": QUESTION, "verdict": "helpful", "comment": "Thanks", "index_id": None, "passage_id": None}
    problem(http.post("/v1/feedback", json=said), 403, "feedback-off")
    with served(own, 'feedback_file = "feedback.jsonl"\n') as running:
        assert checked(running.http.post("/v1/feedback", json=said), "feedback")["kept"] is True
        assert checked(running.http.get("/v1/version"), "version")["feedback"] is True
        wrong = running.http.post("/v1/feedback", json={**said, "verdict": "fine"})
        assert "`verdict`" in problem(wrong, 422, "request-invalid")["detail"]
    kept = (own.root / "feedback.jsonl").read_text("utf-8")
    assert "Thanks" in kept


def test_refused_questions_are_kept_where_the_configuration_says_so(own: Project) -> None:
    with served(own, '[gaps]\nlog = "text"\n') as running:
        for _ in range(2):
            checked(running.http.get("/v1/ask", params={"q": UNCOVERED}), "answer")
        checked(running.http.get("/v1/ask", params={"q": QUESTION}), "answer")
    kept = GapLog(own.root / ".nescio-gaps.jsonl").read(time.time()).entries
    assert [entry.question for entry in kept] == [UNCOVERED, UNCOVERED]


def test_a_reload_needs_the_key_of_an_administrator(own: Project) -> None:
    ring = KeyRing(own.root / ".nescio-keys.json")
    _, asking = ring.add("asker", [Scope.ASK], "2026-01-01T00:00:00Z")
    _, admin = ring.add("boss", [Scope.ADMIN], "2026-01-01T00:00:00Z")
    with served(own) as running:
        problem(running.http.post("/v1/reload"), 401, "key-needed")
        problem(running.http.post("/v1/reload", headers={"X-API-Key": asking}), 403, "key-not-allowed")
        running.http.get("/v1/version")
        own.write("more.md", "# More\n\nMelons lie on straw.\n")
        index_id = own.build().index_id
        told = checked(running.http.post("/v1/reload", headers={"Authorization": f"Bearer {admin}"}), "reload")
        assert (told["index_id"], told["reconciling"]) == (index_id, False)
        keyed = running.http.get("/v1/ask", params={"q": QUESTION}, headers={"X-API-Key": asking})
        assert keyed.headers["cache-control"] == "private, no-cache"


# Events


def test_a_stream_tells_of_each_new_index(own: Project) -> None:
    with served(own, "max_streams = 1\n") as running, running.http.stream("GET", "/v1/events") as stream:
        lines = stream.iter_lines()
        assert next(lines).startswith("retry: ")
        problem(running.http.get("/v1/events"), 503, "too-many-streams")
        own.write("more.md", "# More\n\nMelons lie on straw.\n")
        index_id = own.build().index_id
        told = [next(line for line in lines if line) for _ in range(3)]
        assert told == ["event: index", f"id: {index_id}", f'data: {{"index_id": "{index_id}"}}']


def test_a_stream_tells_at_once_of_an_index_that_is_not_known(own: Project) -> None:
    with served(own) as running:
        known = checked(running.http.get("/v1/version"), "version")["index_id"]
        for asked in ({"params": {"since": "older"}}, {"headers": {"Last-Event-ID": "older"}}):
            with running.http.stream("GET", "/v1/events", **asked) as stream:
                told = list(islice(filter(None, stream.iter_lines()), 4))
                assert told[-1] == f'data: {{"index_id": "{known}"}}'


# Health


def test_a_server_without_an_index_lives_and_is_not_ready_until_there_is_one(project: Project) -> None:
    project.write_all(PAGES)
    with served(project) as running:
        assert checked(running.http.get("/livez"), "live")["status"] == "live"
        problem(running.http.get("/readyz"), 503, "no-index")
        problem(running.http.get("/v1/ask", params={"q": QUESTION}), 503, "no-index")
        assert checked(running.http.get("/v1/version"), "version")["index_id"] is None
        project.build()
        until(lambda: running.http.get("/readyz").status_code == 200)
        assert checked(running.http.get("/v1/ask", params={"q": QUESTION}), "answer")["status"] == "answered"
        until(lambda: "nescio_index_documents 2.0" in running.http.get("/metrics").text)


def test_a_server_whose_newest_index_cannot_be_opened_is_degraded_and_answers(own: Project) -> None:
    with served(own) as running:
        assert checked(running.http.get("/readyz"), "ready") == {"status": "ready", "problems": []}
        (own.index / "CURRENT").write_text("g999999-00000000\n", encoding="ascii")
        until(lambda: running.following.fault is not None)
        told = checked(running.http.get("/readyz"), "ready")
        assert (told["status"], len(told["problems"])) == ("degraded", 1)
        assert checked(running.http.get("/v1/ask", params={"q": QUESTION}), "answer")["status"] == "answered"


def test_what_breaks_inside_is_not_told_outside(own: Project) -> None:
    with served(own) as running:
        until(lambda: running.following.index_id is not None)
        for pack in (own.index / "packs").iterdir():
            pack.write_bytes(bytes(len(pack.read_bytes())))
        response = running.http.get("/v1/ask", params={"q": QUESTION})
        assert response.status_code == 500
        assert str(own.root) not in response.text
        assert "Traceback" not in response.text
        until(lambda: any(response.headers["x-request-id"] in line for line in running.lines))


# The page of the API


def test_the_page_of_the_api_loads_nothing_from_elsewhere(http: httpx2.Client) -> None:
    page = http.get("/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//|<style|<script(?! src)|\son\w+=""", page.text)
    for path in re.findall(r'(?:src|href)="([\w.]+)"', page.text):
        assert http.get(f"/{path}").status_code == 200


def test_the_page_of_the_api_has_every_operation(http: httpx2.Client) -> None:
    text = http.get("/docs").text
    for path, methods in http.get("/openapi.json").json()["paths"].items():
        for operation in methods.values():
            assert f'<section id="{operation["operationId"]}"' in text
            assert path in text
