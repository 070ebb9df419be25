"""The lines around a quote, as they stand in the file. What is masked there is never shown."""

from __future__ import annotations

from nescio.domain.answers import Quote
from nescio.domain.documents import Document
from nescio.domain.spans import LINE_END, Offsets, Span, meeting
from nescio.domain.surroundings import Surroundings

MOST_LINES = 200  # in each direction: more is the file, not what surrounds a quote
MOST_CHARACTERS = 20_000  # in each direction, for files without lines


def surrounded(document: Document, quote: Quote, lines: int) -> Surroundings:
    """The quote with up to `lines` whole lines before its first and after its last span, at most MOST_LINES.

    A quote that starts inside of a line has the start of that line in `before` besides, and likewise its end. Text stops at a
    masked range, and where MOST_CHARACTERS is reached. A byte order mark is not shown. `document` is the file that holds the
    quote, as the index keeps it.
    """
    text = document.text
    count = max(0, min(lines, MOST_LINES))
    first, last = quote.spans[0].start, quote.spans[-1].end
    start, end = _start(text, first, count), _end(text, last, count)
    start = max([start, *(hole.end for hole in meeting(document.masked, Span(start, first)))])
    end = min([end, *(hole.start for hole in meeting(document.masked, Span(last, end)))])
    offsets = Offsets(text, document.encoding)
    return Surroundings(
        quote,
        before=text[start:first],
        after=text[last:end],
        start_line=offsets.line_of(start),
        end_line=offsets.line_of(max(start, end - 1)),
    )


def _start(text: str, first: int, count: int) -> int:
    """Where the line of `first` starts, or the one `count` lines above."""
    least = max(0, first - MOST_CHARACTERS, 1 if text.startswith("\ufeff") else 0)
    least = min(least, first)
    ends = [match.end() for match in LINE_END.finditer(text, least, first) if not _is_half(text, match.end(), first)]
    wanted = count + 1
    return ends[-wanted] if len(ends) >= wanted else least


def _is_half(text: str, end: int, first: int) -> bool:
    """Whether the search ended between the two characters of a line end."""
    return end == first and text[end - 1 : end + 1] == "\r\n"


def _end(text: str, last: int, count: int) -> int:
    """The end of the line that `last` stands in, or of the one `count` lines below, with its line end."""
    limit = min(len(text), last + MOST_CHARACTERS)
    wanted = count if last and _ends_line(text, last) else count + 1
    end = last
    for match in LINE_END.finditer(text, last, limit):
        if not wanted:
            break
        end, wanted = match.end(), wanted - 1
    return limit if wanted else end


def _ends_line(text: str, last: int) -> bool:
    return text[last - 1] in "\r\n" and text[last - 1 : last + 1] != "\r\n"
