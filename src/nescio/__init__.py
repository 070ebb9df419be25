"""Answers from documentation in its own words, with a citation that anyone can check, or an honest refusal.

    import nescio

    nescio.build("docs")
    with nescio.open() as engine:
        result = engine.ask("how do I add CORS")
        if isinstance(result, nescio.Answer):
            print(result.quotes[0].text)
        else:
            print(result.message)

Importing this is cheap: a name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from nescio.domain.release import VERSION

if TYPE_CHECKING:
    from nescio.assembly.api import build, cite, open  # noqa: A004
    from nescio.citations.chunking import chunk
    from nescio.domain.answers import Answer, Change, Quote, Reason, Refusal, Related, Searched
    from nescio.domain.reports import BuildReport, SearchResult
    from nescio.domain.spans import Place
    from nescio.domain.suggestions import Suggestion
    from nescio.engine import Engine
    from nescio.errors import Fault

__version__ = VERSION

__all__ = [
    "Answer",
    "BuildReport",
    "Change",
    "Engine",
    "Fault",
    "Place",
    "Quote",
    "Reason",
    "Refusal",
    "Related",
    "SearchResult",
    "Searched",
    "Suggestion",
    "__version__",
    "build",
    "chunk",
    "cite",
    "open",
]

_HOMES = {
    "nescio.assembly.api": ("build", "cite", "open"),
    "nescio.citations.chunking": ("chunk",),
    "nescio.domain.answers": ("Answer", "Change", "Quote", "Reason", "Refusal", "Related", "Searched"),
    "nescio.domain.reports": ("BuildReport", "SearchResult"),
    "nescio.domain.spans": ("Place",),
    "nescio.domain.suggestions": ("Suggestion",),
    "nescio.engine": ("Engine",),
    "nescio.errors": ("Fault",),
}


def __getattr__(name: str) -> object:
    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'nescio' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
