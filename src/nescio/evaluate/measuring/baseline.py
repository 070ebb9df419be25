"""What an evaluation said last time, from the JSON that it wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nescio.errors import NotFoundFault, UsageFault
from nescio.evaluate.metrics.shares import Share
from nescio.files import read_at_most

MAX_BYTES = 512 * 1024 * 1024  # an evaluation of a hundred thousand cases with their workings
_HINT = "Name the output of an earlier `nescio eval --json`, or make it anew."


@dataclass(frozen=True, slots=True)
class Baseline:
    """The figures that must not get worse (`of` nothing where the file had none), and each case's verdict by its id."""

    path: str
    wrongly_answered: Share
    wrongly_refused: Share
    page_at_1: Share
    verdicts: Mapping[str, str]


def read_baseline(path: Path) -> Baseline:
    """Reads what an evaluation wrote. Raises NotFoundFault (`baseline-not-found`), UsageFault (`baseline-syntax`)."""
    try:
        data = read_at_most(path, MAX_BYTES)
    except FileNotFoundError as error:
        raise NotFoundFault("baseline-not-found", f"There is no file {path}.", _HINT) from error
    try:
        if data is None:
            raise ValueError(f"it has more than {MAX_BYTES} bytes")
        return _baseline(str(path), json.loads(data.decode("utf-8-sig")))
    except (ValueError, RecursionError, LookupError, TypeError) as error:
        raise UsageFault("baseline-syntax", f"{path} is not the JSON of an evaluation ({_said(error)}).", _HINT) from error


def _baseline(path: str, value: Any) -> Baseline:
    """Raises LookupError, TypeError or ValueError when it is something else."""
    figures, cases = value["figures"], value["cases"]
    verdicts = {str(case["id"]): str(case["verdict"]) for case in cases}
    first_page = figures["page_at"].get("1") if isinstance(figures["page_at"], dict) else None
    return Baseline(
        path,
        _share(figures["wrongly_answered"]),
        _share(figures["wrongly_refused"]),
        _share(first_page) if first_page is not None else Share(0, 0),
        verdicts,
    )


def _share(value: Any) -> Share:
    hits, of = value["hits"], value["of"]
    if not (type(hits) is int and type(of) is int and 0 <= hits <= of):
        raise ValueError(f"{hits!r} of {of!r} is no share")
    return Share(hits, of)


def _said(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error.args[0]!r}"
    return "it is nested too deep" if isinstance(error, RecursionError) else str(error)
