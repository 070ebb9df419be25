"""The description of the API is true: it is valid, has every operation, and whatever it allows is answered as it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")

import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import checks
from schemathesis.specs.openapi import checks as openapi_checks

from nescio.surfaces import wire
from nescio.surfaces.web.operations import OPERATIONS, Operation
from support.projects import Project
from support.serving import Served, served

EXAMPLES = 12  # of each operation and way: more are for `schemathesis run`, as docs/http-api.md tells
STREAM = "/v1/events"  # has no end to wait for
CHECKED = [
    checks.not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_schema_conformance,
    openapi_checks.response_headers_conformance,
    openapi_checks.negative_data_rejection,
]
MODES = (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    project = Project(tmp_path_factory.mktemp("described"))
    project.write_all({"a.md": "# Ladle\n\nThe ladle hangs on the left hook.\n"}).build()
    with served(project) as running:
        yield running


@pytest.fixture(scope="module")
def described(server: Served) -> dict[str, Any]:
    told: dict[str, Any] = server.http.get("/openapi.json").json()
    return told


def test_it_has_every_operation_once(described: dict[str, Any]) -> None:
    told = [(method.upper(), path) for path, methods in described["paths"].items() for method in methods]
    assert sorted(told) == sorted((one.method, one.path) for one in OPERATIONS)
    names = [one["operationId"] for methods in described["paths"].values() for one in methods.values()]
    assert len(names) == len(set(names))


def test_its_schemas_are_those_that_are_shipped(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    for name in ("answer", "search", "passage", "cite", "sources", "version", "problem"):
        assert schemas[name]["properties"].keys() == wire.schema(name)["properties"].keys()
    references = list(_references(described))
    assert references
    assert all(one.startswith("#/components/schemas/") and one.rpartition("/")[2] in schemas for one in references)


def test_a_passage_has_all_that_is_shown_of_one() -> None:
    shown, passage = wire.schema("show"), wire.schema("passage")
    assert all(passage["properties"][name] == told for name, told in shown["properties"].items())
    assert set(shown["required"]) < set(passage["required"])


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from ([value["$ref"]] if isinstance(value.get("$ref"), str) else [])
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _references(one)


def test_a_proxy_s_path_is_told(project: Project) -> None:
    project.write_all({"a.md": "# Ladle\n\nThe ladle hangs on the left hook.\n"}).build()
    with served(project, 'root_path = "/ask"\n') as running:
        assert running.http.get("/openapi.json").json()["servers"] == [{"url": "/ask"}]
        for path in ("/ask/v1/version", "/v1/version"):
            assert running.http.get(path).status_code == 200


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("one", [one for one in OPERATIONS if one.path != STREAM], ids=lambda one: one.name)
def test_whatever_is_sent_is_answered_as_described(server: Served, described: dict[str, Any], one: Operation) -> None:
    base = f"http://127.0.0.1:{server.port}"
    operation = schemathesis.openapi.from_dict(described)[one.path][one.method]
    for mode in MODES if one.takes.model_fields or one.body_types else MODES[:1]:
        _send_many(operation, mode, base)


def _send_many(operation: Any, mode: schemathesis.GenerationMode, base: str) -> None:
    @given(operation.as_strategy(generation_mode=mode))
    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    def sent(case: schemathesis.Case) -> None:
        case.validate_response(case.call(base_url=base), checks=CHECKED)

    sent()
