"""What should a reader of quotes know of them? That a file has changed since, that a dash is not what a command line takes,
that the site fills in a value which the file does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from nescio.answer.quoting import has_typographic_flag
from nescio.domain.answers import AnswerWarning, Quote

# Of a quoted file (source, path, SHA-256 as indexed): what a reader should know, if it is not as it was.
Freshness = Callable[[str, str, str], AnswerWarning | None]

_DASH = AnswerWarning("dash", "The page shows an en dash (U+2013) where a command line needs two hyphens.")


def warnings(quotes: Sequence[Quote], freshness: Freshness) -> tuple[AnswerWarning, ...]:
    """Each warning once, those of the files first, in the order of the quotes."""
    files = dict.fromkeys((quote.source, span.path, span.document_sha256) for quote in quotes for span in quote.spans)
    found = [warning for file in files if (warning := freshness(*file)) is not None]
    if any(has_typographic_flag(quote.text) for quote in quotes):
        found.append(_DASH)
    found += _unfilled(value for quote in quotes for value in quote.unfilled)
    return tuple(dict.fromkeys(found))


def _unfilled(values: Iterable[str]) -> Iterator[AnswerWarning]:
    named = ", ".join(dict.fromkeys(values))
    if named:
        yield AnswerWarning("unfilled", f"The site fills in a value here that the file does not hold: {named}.")
