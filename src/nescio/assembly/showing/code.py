"""The code of a block as a reader sees it, and the name of its language where the document gives one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile

from nescio.assembly.showing.text import Written
from nescio.domain.documents import Block
from nescio.domain.spans import LINE_END

MOST_LINES_ABOVE = 30  # looked at for the directive that leads into a block: more options than any directive has
MOST_CHARACTERS_ABOVE = 4_000  # the same, in characters
KERNEL_REACH = 4_000  # characters at the ends of a notebook, where its metadata stands

_FENCE = re.compile(r"(?P<lead>[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+)(?:`{3,}+|~{3,}+)(?P<info>[^\r\n]*+)")
# `python`, `{.python}`, `python {1,3}`, `rust,ignore`, `js:line-numbers`; of `{code-block} python` the second word.
_DIRECTIVE_FENCE = re.compile(r"\{(?:code|code-block|code-cell|sourcecode|literalinclude)\}[ \t]*+")
_NAME = re.compile(r"[ \t]*+\{?[ \t]*+\.?(?P<name>[A-Za-z][\w+#-]{0,39})")
_RST_DIRECTIVE = re.compile(r"[ \t]*+\.\.[ \t]++(?P<directive>[\w.:+-]+?)[ ]?::[ \t]*+(?P<argument>[\w+#-]{0,40})")
_NAMING = frozenset({"code", "code-block", "sourcecode", "highlight", "prompt", "highlight-block"})
_NAMED = {"doctest": "pycon", "testcode": "python", "ipython": "ipython", "console": "console"}
_HTML_LANGUAGE = re.compile(r"<[^<>]{0,300}?\bclass=[\"']?[^\"'<>]{0,200}?\b(?:language|lang|highlight)-(?P<name>[\w+#]{1,40})")
_KERNEL = re.compile(r'"(?:language|pygments_lexer)"\s*+:\s*+"(?P<name>[\w+#-]{1,40})"')
_HTML_START = 600  # characters of an HTML block that hold its opening tags


def shown_code(written: Written, block: Block) -> str:
    """The code with line feeds and without a line end after it, less the indentation that is its container's."""
    if written.format == "html" and block.display is not None:
        return block.display
    body = dropwhile(lambda run: not run.code, block.runs)  # what is no code before it is its title
    code = with_line_feeds("".join(run.visible(written.text) for run in body))
    if written.format in ("rst", "text"):
        fence = _FENCE.match(written.of(block)) if written.format == "text" else None
        code = outdented(code, len(fence["lead"]) if fence else None)
    return code.removesuffix("\n")


def with_line_feeds(text: str) -> str:
    """`text` with LF for every line end."""
    return LINE_END.sub("\n", text) if "\r" in text else text


def outdented(code: str, most: int | None = None) -> str:
    """`code` without the white space that all of its filled lines begin with, or without `most` characters of it."""
    lines = code.split("\n")
    margin = _margin([line for line in lines if line.strip()])
    margin = margin if most is None else min(margin, most)
    return "\n".join(line[margin:] if line.strip() else line.strip() for line in lines) if margin else code


def _margin(filled: Sequence[str]) -> int:
    if not filled:
        return 0
    first, last = min(filled), max(filled)  # what these two begin with, all do
    margin = 0
    for one, other in zip(first, last, strict=False):
        if one != other or one not in " \t":
            break
        margin += 1
    return margin


def language_of(written: Written, block: Block) -> str | None:
    """The language that the document names, as written; None where it names none."""
    if written.format == "html":
        match = _HTML_LANGUAGE.search(block.span.of(written.text)[:_HTML_START])
        return match["name"] if match else None
    if written.format == "rst":
        return _rst_language(written.text, block)
    fence = _FENCE.match(written.of(block))
    if fence is None and written.format == "notebook":
        kernel = _KERNEL.search(written.text[-KERNEL_REACH:]) or _KERNEL.search(written.text[:KERNEL_REACH])
        return kernel["name"] if kernel else None
    return _fence_language(fence["info"]) if fence else None


def _fence_language(info: str) -> str | None:
    info = info.strip()
    directive = _DIRECTIVE_FENCE.match(info)
    match = _NAME.match(info, directive.end() if directive else 0)
    return match["name"] if match else None


def _rst_language(text: str, block: Block) -> str | None:
    """That of the directive above the block, over its options and blank lines; a session at Python's prompt shows its own."""
    if block.span.of(text).lstrip().startswith(">>>"):
        return "pycon"
    above = text[max(0, block.span.start - MOST_CHARACTERS_ABOVE) : block.span.start]
    for line in LINE_END.split(above)[: -MOST_LINES_ABOVE - 2 : -1]:
        if not line.strip() or line.lstrip().startswith(":"):
            continue
        match = _RST_DIRECTIVE.match(line)
        name = match["directive"].lower() if match else ""
        return _NAMED.get(name) or (match["argument"] or None if match and name in _NAMING else None)
    return None
