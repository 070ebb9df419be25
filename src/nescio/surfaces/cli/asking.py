"""The `ask` command: one question, or a stream of them, each with its answer or its refusal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from nescio.domain.answers import Answer, Detail, Refusal
from nescio.engine import Engine
from nescio.errors import QuestionFault
from nescio.surfaces import wire
from nescio.surfaces.cli import output, render_answers
from nescio.surfaces.cli.layout import BLANK, Line, Mark, line, shortened
from nescio.surfaces.faults import exit_code

ANSWERED, REFUSED = 0, 1
LONGEST_ECHO = 200  # characters of a question that are printed over its answer: enough to tell answers apart
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of the engine beside the question."""

    under: str | None = None
    limit: int | None = None
    detail: Detail = Detail.SECTION


@dataclass(frozen=True, slots=True)
class Request:
    """How a question is asked, how its answer is to be printed, and who is told of a refusal before that. `body` shows the
    words of a quote to people.
    """

    wanted: Wanted = Wanted()
    explain: bool = False
    as_json: bool = False
    as_lines: bool = False
    refused: Callable[[Refusal], None] = lambda refusal: None
    body: render_answers.Body = render_answers.as_written


@dataclass(frozen=True, slots=True)
class Reply:
    """A result with both of its faces; `result` is None where the question could not be asked."""

    result: Answer | Refusal | None
    json: wire.Json
    lines: list[Line]


def ask_one(engine: Engine, question: str, request: Request) -> int:
    """Print the answer (0) or the refusal (1). Raises QuestionFault."""
    reply = _reply(engine, question, request)
    if request.as_json or request.as_lines:
        output.write_result(wire.encode(reply.json, indented=not request.as_lines))
    else:
        output.print_result(reply.lines)
    return ANSWERED if isinstance(reply.result, Answer) else REFUSED


def ask_each(engine: Engine, request: Request) -> int:
    """Answer standard input line by line, one result for each, in order.

    A line that cannot be asked (too long, not text) yields its error in its place. 0 when there was none, else its exit code.
    """
    code = ANSWERED
    whole: list[wire.Json] = []
    for question in _questions():
        try:
            reply = _reply(engine, question, request)
        except QuestionFault as fault:
            code = exit_code(fault)
            reply = Reply(None, wire.fault_json(fault), render_answers.fault(fault))
        if request.as_json and not request.as_lines:
            whole.append(reply.json)
        elif request.as_lines:
            output.write_result(wire.encode(reply.json))
        else:
            asked = line(f"Question: {shortened(question, LONGEST_ECHO)}", Mark.HEADING)
            output.print_result([asked, BLANK, *reply.lines, BLANK])
    if request.as_json and not request.as_lines:
        output.write_result(wire.encode(whole, indented=True))
    return code


def _reply(engine: Engine, question: str, request: Request) -> Reply:
    if request.explain:
        working = engine.explain(question, under=request.wanted.under, limit=request.wanted.limit)
        _record(working.result, request)
        lines = _lines(working.result, request) + render_answers.explanation(working)
        return Reply(working.result, wire.explanation_json(working), lines)
    wanted = request.wanted
    result = engine.ask(question, under=wanted.under, limit=wanted.limit, detail=wanted.detail)
    _record(result, request)
    return Reply(result, wire.answer_json(result), _lines(result, request))


def _lines(result: Answer | Refusal, request: Request) -> list[Line]:
    return [] if request.as_json or request.as_lines else render_answers.either(result, request.body)


def _record(result: Answer | Refusal, request: Request) -> None:
    if isinstance(result, Refusal):
        request.refused(result)


def _questions() -> Iterator[str]:
    """The lines of standard input without their ends, as they come. UTF-8; bytes that are not become lone surrogates."""
    if sys.stdin is None:  # closed by whoever started us
        return
    for number, raw in enumerate(sys.stdin.buffer):
        text = raw.decode("utf-8", "surrogateescape").removesuffix("\n").removesuffix("\r")
        yield text.removeprefix(_BOM) if number == 0 else text
