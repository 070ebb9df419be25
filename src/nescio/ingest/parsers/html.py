"""HTML to blocks with exact ranges: the main content of a page, its tags and entities undone for reading."""

from __future__ import annotations

import html
from dataclasses import replace
from itertools import pairwise

from nescio.domain.documents import Block, BlockKind, Document, Notice, Page
from nescio.ingest.parsers.html_reader import Reader
from nescio.ingest.parsers.html_rules import main_content
from nescio.ingest.parsers.html_tokens import Token, tokens_of
from nescio.ingest.parsers.outline import first_title, visible_words

TITLE_SEPARATORS = (" — ", " – ", " | ", " · ", " :: ", " - ")  # between a page's title and its site's


def parse_html(document: Document) -> Page:
    """The blocks of an HTML document's main content, navigation left out.

    A block's span goes from its start tag to its end tag; `display` is its text without tags and entities, a table's with
    one line for each of its `parts`. A `<dt>` with an id of its own is a heading one level below its section, titled with
    the term, and its `<dd>` is its section; any other term makes one block with the first paragraph of its definition. Where
    the section around a list of such definitions goes on, an empty heading block repeats its title (see `Outline`). Never
    raises.
    """
    text = document.text
    tokens = list(tokens_of(text))
    start, end, is_named = main_content(text, tokens)
    blocks = _read(text, tokens[start:end], is_in_content=is_named)
    if not blocks and is_named:
        blocks = _read(text, tokens, is_in_content=False)
    notices = () if blocks else (Notice("html-without-text", document.path, 0, "no visible text was found in this page"),)
    name = _title_element(text, tokens)
    blocks = _first_heading_on_top(blocks, name)
    return Page(document, _title(name, blocks), blocks, notices=notices)


def _first_heading_on_top(blocks: tuple[Block, ...], name: str) -> tuple[Block, ...]:
    """DocBook begins a page with an h2: where no h1 is and the first heading repeats the page's name, it is level 1."""
    headings = [block for block in blocks if block.kind is BlockKind.HEADING]
    if not headings or headings[0].title != name or any(block.level == 1 for block in headings):
        return blocks
    top = (headings[0].level, headings[0].title, headings[0].anchor)
    return tuple(replace(block, level=1) if (block.level, block.title, block.anchor) == top else block for block in blocks)


def _read(text: str, tokens: list[Token], *, is_in_content: bool) -> tuple[Block, ...]:
    reader = Reader(text, is_in_content=is_in_content)
    for token in tokens:
        reader.read(token)
    return reader.finish()


def _title(name: str, blocks: tuple[Block, ...]) -> str:
    """The first h1, else the page's name, else the first heading."""
    headings = (block for block in blocks if block.kind is BlockKind.HEADING and block.span)
    heading = next((block.title for block in headings if block.level == 1), "")
    return heading or name or first_title(blocks)


def _title_element(text: str, tokens: list[Token]) -> str:
    """What `<title>` says, without the site's name."""
    for tag, content in pairwise(tokens):
        if tag.name == "title" and tag.opens and not content.name:
            title = visible_words(html.unescape(text[content.start : content.end]))
            parts = (title.rpartition(separator)[0].strip() for separator in TITLE_SEPARATORS)
            return next(filter(None, parts), title)
    return ""
