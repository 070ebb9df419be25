"""The only JSON of a quote's blocks, as browsers show them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from nescio.domain.display import ShownBlock, ShownRun
from nescio.surfaces.wire import Json

# Code and the name of its language to (class, text) in order; the texts joined are the code.
Tokens = Callable[[str, str | None], Sequence[tuple[str, str]]]


def plain_tokens(code: str, language: str | None) -> list[tuple[str, str]]:
    """The code as one token without a class."""
    return [("", code)]


def display_json(blocks: Iterable[ShownBlock], tokens: Tokens = plain_tokens) -> list[Json]:
    """The blocks of one quote, every key there in each; `tokens` cuts code for colours."""
    return [_block(block, tokens) for block in blocks]


def _block(block: ShownBlock, tokens: Tokens) -> Json:
    return {
        "kind": block.kind.value,
        "runs": _runs(block.runs),
        "language": block.language,
        "tokens": [[name, text] for name, text in tokens(block.code, block.language)] if block.code else [],
        "rows": [[_runs(cell) for cell in row] for row in block.rows],
        "level": block.level,
        "marker": block.marker,
        "marked": list(block.marked),
    }


def _runs(runs: Iterable[ShownRun]) -> list[Json]:
    return [{"text": run.text, "code": run.code, "link": run.link, "mark": run.mark} for run in runs]
