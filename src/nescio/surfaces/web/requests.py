"""Reads what a request asks for: a query string or a JSON body becomes one checked value, or a fault that names the field."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

from nescio.domain.suggestions import LONGEST_TYPED, MOST_SUGGESTED, SUGGESTED
from nescio.errors import UsageFault

MOST_QUOTES = 20  # as the setting `limit` allows
MOST_PASSAGES = 100  # of a search: more is a dump of the documents
MOST_LINES = 200  # around a passage: enough to read on, too few to fetch a book
MOST_PARAMETERS = 64  # of a query string: more than any request has use for
MOST_DIGITS = 40  # of a number: reading a longer one takes time in proportion to its square
MOST_TOLD = 3  # problems of one request that are told at once
READER = r"^[a-z][a-z0-9_-]{0,59}=[^\s=,]{1,100}$"  # told to programs; what is wrong is told by what reads it
_LISTS = frozenset({"reader_view"})  # what may be given several times

T = TypeVar("T", bound="Parameters")


class Parameters(BaseModel):
    """What one operation takes: nothing unknown, nothing twice."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, hide_input_in_errors=True)


ReaderView = Annotated[
    tuple[Annotated[str, Field(max_length=200, json_schema_extra={"pattern": READER})], ...],
    Field(max_length=20, description="What the reader is, FACET=VALUE each; pages for others stay out."),
]


class Viewed(Parameters):
    """Which part of the documents is asked."""

    version: str | None = Field(
        default=None, min_length=1, max_length=200, description="The version of the documents, or an alias of it."
    )
    reader_view: ReaderView | None = None


class Found(Viewed):
    """What is looked for, and below which path."""

    under: str | None = Field(default=None, min_length=1, max_length=1_000, description="Only pages below this path.")


class AskBody(Found):
    """A question in a body."""

    question: str = Field(description="The question, as a person would ask it.")
    limit: int | None = Field(default=None, ge=1, le=MOST_QUOTES, description="Most quotes in the answer.")
    floor: float | None = Field(default=None, ge=0, le=1, description="Least evidence of an answer.")
    detail: Literal["section", "highlights"] = Field(
        default="section", description="Quote the section, or only the sentences that answer."
    )
    display: bool = Field(default=False, description="Whether each quote comes with blocks to render safely too.")


class AskQuery(AskBody):
    """A question in a query string."""

    question: str = Field(alias="q", description="The question, as a person would ask it.")


class SearchQuery(Found):
    """Words to look for."""

    query: str = Field(alias="q", description="Words to look for.")
    limit: int = Field(default=10, ge=1, le=MOST_PASSAGES, description="Most passages in the list.")


class SuggestBody(Viewed):
    """What is typed so far, in a body."""

    typed: str = Field(max_length=LONGEST_TYPED, description="What is typed so far.")
    limit: int = Field(default=SUGGESTED, ge=1, le=MOST_SUGGESTED, description="Most suggestions in the list.")


class SuggestQuery(SuggestBody):
    """The same in a query string."""

    typed: str = Field(alias="q", max_length=LONGEST_TYPED, description="What is typed so far.")


class PassageQuery(Viewed):
    """How much is shown around a passage."""

    context: int = Field(default=0, ge=0, le=MOST_LINES, description="Whole lines of the file before and after the passage.")
    display: bool = Field(default=False, description="Whether the passage comes with blocks to render safely too.")


class SourcesQuery(Viewed):
    """Which sources are listed."""


class EventsQuery(Parameters):
    """From where on events are wanted."""

    since: str | None = Field(
        default=None, max_length=200, description="The index_id that is known: another one is told of at once."
    )


class Nothing(Parameters):
    """An operation without parameters."""


class FeedbackBody(Parameters):
    """What a reader says of an answer."""

    question: str = Field(min_length=1, max_length=2_000, description="The question as it was asked.")
    verdict: Literal["helpful", "unhelpful", "gap"] = Field(
        description="helpful or unhelpful: of an answer; gap: the documents should cover the question and do not."
    )
    comment: str = Field(default="", max_length=2_000, description="What the reader has to say.")
    index_id: str | None = Field(default=None, max_length=200, description="The index that gave the answer.")
    passage_id: str | None = Field(default=None, max_length=200, description="The passage that is spoken of.")


def from_query(request: Request, kind: type[T]) -> T:
    """The parameters in the query string. Raises UsageFault (`request-invalid`)."""
    try:
        raw = request.scope["query_string"].decode("ascii")
        pairs = parse_qsl(raw, keep_blank_values=True, errors="strict", max_num_fields=MOST_PARAMETERS) if raw else []
    except ValueError:
        raise _invalid("The query string is not percent-encoded UTF-8, or has too many parameters.") from None
    given: dict[str, Any] = {}
    for name, value in pairs:
        if name in _LISTS:
            given.setdefault(name, []).append(value)
        elif name in given:
            raise _invalid(f"`{_short(name)}` is given more than once.")
        else:
            given[name] = value
    return _checked(kind, given, strict=False)


async def from_body(request: Request, kind: type[T]) -> T:
    """The JSON object in the body. Raises UsageFault: `media-type-unsupported`, `request-syntax`, `request-invalid`."""
    if request.scope["query_string"]:
        raise _invalid("A request with a body takes no parameters in its query string.")
    media_type(request, "application/json")
    return _checked(kind, decoded(await request.body()), strict=True)


def media_type(request: Request, *allowed: str) -> str:
    """The media type of the body, without parameters. Raises UsageFault (`media-type-unsupported`)."""
    said = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if said not in allowed:
        raise UsageFault(
            "media-type-unsupported",
            f"The body is said to be {_short(said)!r}." if said else "The body has no Content-Type.",
            f"Send it as {' or '.join(allowed)}.",
        )
    return said


def decoded(data: bytes) -> Any:
    """The JSON value in some bytes: UTF-8, no name twice in an object. Raises UsageFault (`request-syntax`)."""
    try:
        text = data.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant, parse_int=_int, parse_float=_float)
        if "\\u" in text:  # half of a pair can only be written so, and is no text
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value
    except UnicodeEncodeError:
        raise _syntax("The body has an escape that is no character: half of a surrogate pair.") from None
    except UnicodeDecodeError as error:
        raise _syntax(f"The body is not UTF-8: byte {error.start} is 0x{data[error.start]:02X}.") from None
    except RecursionError:
        raise _syntax("The body is nested too deeply.") from None
    except ValueError as error:
        raise _syntax(f"The body is no JSON: {error}.") from None


def _checked(kind: type[T], given: Any, *, strict: bool) -> T:
    if not isinstance(given, dict):
        raise _invalid("The body is no object.")
    try:
        return kind.model_validate({**given, **_as_tuples(given)}, strict=strict)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)
    told = "; ".join(f"`{_place(problem['loc'])}`: {problem['msg']}" for problem in problems[:MOST_TOLD])
    raise _invalid(f"{told}.")


def _as_tuples(given: dict[str, Any]) -> dict[str, Any]:
    """Lists where the operation takes a list: JSON has no tuples."""
    return {name: tuple(given[name]) for name in _LISTS if isinstance(given.get(name), list)}


def _place(place: tuple[int | str, ...]) -> str:
    return ".".join(_short(str(part)) for part in place)


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[:most] + "..."


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("an object has a name twice")
    return made


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _int(text: str) -> int:
    return int(_number(text))


def _float(text: str) -> float:
    return float(_number(text))


def _number(text: str) -> str:
    if len(text) > MOST_DIGITS:
        raise ValueError("a number has too many digits")
    return text


def _invalid(message: str) -> UsageFault:
    return UsageFault("request-invalid", message, "See /docs for what this operation takes.")


def _syntax(message: str) -> UsageFault:
    return UsageFault("request-syntax", message, "Send one JSON object in UTF-8.")
