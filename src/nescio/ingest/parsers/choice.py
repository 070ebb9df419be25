"""Which parser reads which file: by the format that is configured for it, else by its name, a `.txt` also by its look."""

from __future__ import annotations

import re
from collections.abc import Callable

from nescio.domain.documents import Document, Page
from nescio.ingest.parsers.html import parse_html
from nescio.ingest.parsers.markdown import parse_markdown
from nescio.ingest.parsers.notebook import parse_notebook
from nescio.ingest.parsers.plain import parse_plain
from nescio.ingest.parsers.rst import parse_rst

Parser = Callable[[Document], Page]


def parse_mdx(document: Document) -> Page:
    """Markdown with JavaScript mixed in."""
    return parse_markdown(document, mdx=True)


PARSERS: dict[str, Parser] = {
    "markdown": parse_markdown,
    "mdx": parse_mdx,
    "rst": parse_rst,
    "html": parse_html,
    "text": parse_plain,
    "notebook": parse_notebook,
}
AUTO = "auto"
FORMATS = (AUTO, *PARSERS)
DOCUMENT_EXTENSIONS = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "mdx",
    ".rst": "rst",
    ".txt": "text",
    ".html": "html",
    ".htm": "html",
    ".ipynb": "notebook",
}
SPHINX_SOURCE = ".rst.txt"  # how Sphinx publishes the sources of its pages

LOOKED_AT = 60_000  # characters of a `.txt` from its start: enough to tell, and little to read
DIRECTIVE_OR_TARGET = re.compile(
    r"^[ \t]*\.\. (?:[A-Za-z][\w.+:-]*::(?:[ \t]|$)|_[^:\r\n]{1,200}:(?:[ \t]|$)|\|[^|\r\n]+\| \w)", re.MULTILINE
)
ROLE = re.compile(r":[a-z][a-z:+-]{0,30}:`[^`\s]")
WEAK_SIGNS = (
    re.compile(r"\S::[ \t]*$", re.MULTILINE),  # a literal block follows
    re.compile(r"``[^`\r\n]+``"),
    re.compile(r"`[^`<\r\n]{1,200}<[^>\r\n]{1,300}>`__?"),
    re.compile(r"^(\S[^\r\n]{2,200})(?:\r\n|\n|\r)(?:={3,}|-{3,}|~{3,}|\*{3,}|\^{3,})[ \t]*$", re.MULTILINE),
)
OVERLINED = re.compile(r"(?:\A|[\r\n])([=*#~-])\1{3,}[ \t]*(?:\r\n|\n|\r)[^\r\n]{2,200}(?:\r\n|\n|\r)\1{4,}[ \t]*(?:[\r\n]|\Z)")
STRONG_SIGNS = (DIRECTIVE_OR_TARGET, ROLE, OVERLINED)
# A fence or a `# heading` to begin with is Markdown's way: a text with one is no reStructuredText, whatever else it looks like.
MARKDOWN_SIGN = re.compile(r"\A\s*#{1,6} \S|^ {0,3}```", re.MULTILINE)
WEAK_SIGNS_NEEDED = 2


def parser_for(path: str, format_name: str | None, text: str) -> Parser | None:
    """The parser of the file at `path`; None when it is no document.

    `format_name` is one of `FORMATS`; "auto" or None goes by the extension, in any case of letters. A `.txt` is
    reStructuredText when it looks like it, else plain text. An explicit format holds for every extension that is a document's.
    """
    name = path.rpartition("/")[2].lower()
    by_name = DOCUMENT_EXTENSIONS.get(name[name.rfind(".") :] if "." in name[1:] else "")
    if by_name is None:
        return None
    if format_name is not None and format_name != AUTO:
        return PARSERS[format_name]
    is_rst = by_name == "text" and (name.endswith(SPHINX_SOURCE) or looks_like_rst(text))
    return parse_rst if is_rst else PARSERS[by_name]


def looks_like_rst(text: str) -> bool:
    """Whether a text reads as reStructuredText: a directive, target, role or overlined title, or two of its lesser signs."""
    start = text[:LOOKED_AT]
    if MARKDOWN_SIGN.search(start):
        return False
    if any(sign.search(start) for sign in STRONG_SIGNS):
        return True
    return sum(1 for sign in WEAK_SIGNS if sign.search(start)) >= WEAK_SIGNS_NEEDED
