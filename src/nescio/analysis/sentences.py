"""Where do the sentences of a paragraph stand? Ranges in the text as given, white space around them left out."""

from __future__ import annotations

from collections.abc import Iterator

from sentencex import segment

from nescio.domain.spans import Span

LONGEST_PARAGRAPH = 20_000  # code points given to the segmenter at once; longer text is cut at a space before


def sentence_spans(text: str, language: str = "en") -> Iterator[Span]:
    """The sentences of `text` in order, none of them empty."""
    at = 0
    for sentence in sentences(text, language):
        kept = trimmed(text, Span(at, at + len(sentence)))
        if kept:
            yield kept
        at += len(sentence)


def sentences(text: str, language: str) -> Iterator[str]:
    """Sentences that joined give `text` again; what the segmenter would not give back whole stays one sentence."""
    start = 0
    while start < len(text):
        part = _next_part(text, start)
        found = segment(language, part)
        yield from found if "".join(found) == part else [part]
        start += len(part)


def trimmed(text: str, span: Span) -> Span:
    """`span` without white space at its ends; an empty span where there is nothing else."""
    words = span.of(text)
    start = span.start + len(words) - len(words.lstrip())
    return Span(start, max(start, span.start + len(words.rstrip())))


def _next_part(text: str, start: int) -> str:
    if len(text) - start <= LONGEST_PARAGRAPH:
        return text[start:]
    stop = text.rfind(" ", start, start + LONGEST_PARAGRAPH) + 1
    return text[start : stop if stop > start else start + LONGEST_PARAGRAPH]
