"""How a case of the kind doors is played: a server that is asked while its index is built again and again."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote as percent_encoded

from case_files import SOURCE, Json, Stage
from case_steps import asked
from http_load import HOST, running

REBUILDS = 20
ASKS_PER_SECOND = 100  # as the case says
FACTS = ("41", "42")


def search_during_reindex(stage: Stage) -> list[str]:
    """Rebuilds flip a fact while questions are asked: each answer is wholly of one index, and none is empty."""
    page = next(stage.docs.glob("*.md"))
    before = page.read_text(encoding="utf-8")
    wrong = [*stage.build(SOURCE), *asked(stage)]
    facts = {str(stage.report["index_id"]): FACTS[0]}
    file = Path(stage.configure())
    answers: list[Json] = []
    stop = threading.Event()
    with running(file, stage.index) as (port, _):
        client = threading.Thread(target=_ask, args=(port, stage.case.question, answers, stop))
        client.start()
        for number in range(1, REBUILDS + 1):
            page.write_text(before.replace(FACTS[0], FACTS[number % 2]), encoding="utf-8")
            wrong += stage.build("--config", str(file))
            facts[str(stage.report["index_id"])] = FACTS[number % 2]
        _built_half(stage, page)
        time.sleep(1.0)
        stop.set()
        client.join()
    return [*wrong, *_differences(answers, facts)]


def _built_half(stage: Stage, page: Path) -> None:
    """A build that fails half way: the root is emptied, which is refused."""
    text = page.read_bytes()
    page.unlink()
    stage.build(SOURCE, codes=(3,))
    page.write_bytes(text)


def _ask(port: int, question: str, answers: list[Json], stop: threading.Event) -> None:
    connection = HTTPConnection(HOST, port, timeout=60)
    while not stop.wait(1 / ASKS_PER_SECOND):
        connection.request("GET", f"/v1/ask?q={percent_encoded(question, safe='')}")
        response = connection.getresponse()
        answers.append({"code": response.status, **json.loads(response.read())})


def _differences(answers: list[Json], facts: dict[str, str]) -> list[str]:
    return list(dict.fromkeys(_told(answers, facts)))


def _told(answers: list[Json], facts: dict[str, str]) -> Iterator[str]:
    if len({answer["searched"]["index_id"] for answer in answers if "searched" in answer}) < len(FACTS):
        yield f"the server stayed with one index over {len(answers)} answers"
    for answer in answers:
        if answer["code"] != 200 or answer.get("status") != "answered" or not answer["quotes"]:
            yield f"an answer was {answer['code']} {answer.get('status')}"
            continue
        fact = facts.get(answer["searched"]["index_id"])
        if fact is None or any(other in answer["quotes"][0]["text"] for other in FACTS if other != fact):
            yield f"an answer of index {answer['searched']['index_id']} says {answer['quotes'][0]['text']!r}"
