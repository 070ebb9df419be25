"""Markdown with what it includes in the place of each directive: source code as a fenced block, Markdown as it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from nescio.assembly.showing.code import outdented, with_line_feeds
from nescio.assembly.showing.markdown_blocks import fenced, indented, markdown_of, runs_of_documents
from nescio.assembly.showing.text import Written
from nescio.domain.documents import Block, BlockKind, Document, Include
from nescio.domain.spans import LINE_END, Span, clipped, meeting
from nescio.ingest.parsers.front_matter import read_front_matter
from nescio.ingest.parsers.include_lines import include_on, snippet
from nescio.ingest.parsers.included_lines import selected_spans
from nescio.ingest.parsers.markdown_feed import readable

BOM = "\ufeff"
MARKDOWN = ("markdown", "mdx")
# The names that fences use where the end of a file's name is not one.
_LANGUAGES = {
    "py": "python",
    "pyi": "python",
    "js": "javascript",
    "mjs": "javascript",
    "ts": "typescript",
    "rs": "rust",
    "rb": "ruby",
    "sh": "bash",
    "yml": "yaml",
    "md": "markdown",
    "kt": "kotlin",
    "cs": "csharp",
    "h": "c",
    "hpp": "cpp",
    "cc": "cpp",
    "ps1": "powershell",
}
_LEAD = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")
_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:`{3}|~{3})")
_MYST = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:`{3,}|~{3,})\{(?:literal)?include\}")
_LITERAL = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:`{3,}|~{3,})\{literalinclude\}")
_FENCE_END = re.compile(r"(?:\r\n|\n|\r)[ \t>]*(?:`{3,}|~{3,})[ \t]*\Z")
_MARKER = re.compile(r"[^ \t>]")
_LANGUAGE_OPTION = re.compile(r"^[ \t>]*:language:[ \t]*([\w+#-]{1,40})", re.MULTILINE)
_SNIPPETS_MARK = re.compile(r"^[ \t]*-+8<-+[ \t]*(?:\r\n|\n|\r|\Z)", re.MULTILINE)

FormatOf = Callable[[Document], str | None]


@dataclass(frozen=True, slots=True)
class _Edit:
    """What stands in the place of a range."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class _Directive:
    """A directive, where it stands in its document, and the blocks that it brought in."""

    span: Span
    include: Include
    is_in_fence: bool
    inner: list[Block]


@dataclass(frozen=True, slots=True)
class Splicer:
    """Writes documents out. `format_of` tells the format of an included file, None for source code."""

    format_of: FormatOf

    def page(self, document: Document, blocks: Sequence[Block]) -> str:
        """The text of a Markdown page without its front matter, with LF, given its blocks with those of its includes.

        A directive that brought in nothing stays as it is written.
        """
        text = self._text(document, [Span(_start(document), len(document.text))], blocks)
        return with_line_feeds(text).strip("\n")

    def _text(self, document: Document, spans: Sequence[Span], blocks: Sequence[Block]) -> str:
        """The `spans` of a Markdown document, with the includes among its `blocks` in their places."""
        found = list(_directives(document, blocks))
        edits = [self._edit(document, one) for one in found if one.inner]
        if any(one.include.dialect == "snippets" for one in found):
            edits = _without_marks(document.text, edits)
        return "\n".join(_edited(document.text, span, edits) for span in spans)

    def _edit(self, document: Document, one: _Directive) -> _Edit:
        if one.is_in_fence:
            span = _line_of(document.text, one.span, one.include)
            line = span.of(document.text)
            return _Edit(span, indented(_code_of(one.inner, outdent=False), line[: len(line) - len(line.lstrip())]))
        written = one.span.of(document.text)
        lead = _LEAD.match(written)
        first = lead[0] if lead else ""
        rest = _MARKER.sub(" ", first)
        return _Edit(one.span, first + indented(self._included(written, one), rest).removeprefix(rest))

    def _included(self, written: str, one: _Directive) -> str:
        """What a directive outside of code brought in."""
        document = one.inner[0].document
        if document is None:
            return ""
        name = self.format_of(document)
        spans = selected_spans(document.text, one.include)
        if name is None or _LITERAL.match(written) or _is_literal(one.inner, spans):
            option = _LANGUAGE_OPTION.search(written)
            return fenced(_code_of(one.inner, outdent=True), option[1] if option else language_of_path(document.path))
        if name in MARKDOWN:
            inside = clipped(spans, Span(_start(document), len(document.text)))
            return with_line_feeds(self._text(document, inside, one.inner)).strip("\n")
        return self.other(one.inner)

    def other(self, blocks: Sequence[Block], own: Written | None = None) -> str:
        """Blocks of any formats as Markdown, where nothing better is known; `own` is what those without a document stand in."""
        parts = []
        for stretch in runs_of_documents([block for block in blocks if block.include is None or block.runs]):
            document = stretch[0].document
            name = self.format_of(document) if document else None
            if document is None:
                parts.append(markdown_of(own, stretch) if own else "")
            elif name is None or all(block.kind is BlockKind.CODE and _is_bare(block, document) for block in stretch):
                parts.append(fenced(_code_of(stretch, outdent=True), language_of_path(document.path)))
            else:
                parts.append(markdown_of(Written(document.text, name), stretch))
        return "\n\n".join(part for part in parts if part)


def language_of_path(path: str) -> str | None:
    """The name of the language of a source file, by the end of its name."""
    suffix = PurePosixPath(path).suffix[1:].lower()
    return _LANGUAGES.get(suffix, suffix) or None


def _start(document: Document) -> int:
    """Where the text begins, after a byte order mark and front matter."""
    start = 1 if document.text.startswith(BOM) else 0
    return read_front_matter(readable(document.text), start).end


def _directives(holder: Document, blocks: Iterable[Block]) -> Iterator[_Directive]:
    """The directives that stand in `holder`, in order, each with all blocks that it brought in."""
    open_one: _Directive | None = None
    fence_ends = -1  # where the last directive in a fence ends that goes on after it
    for block in blocks:
        if block.document is not None and block.document.sha256 != holder.sha256:
            if open_one is not None:
                open_one.inner.append(block)
            continue
        if open_one is not None:
            yield open_one
        open_one = None
        if block.include is not None:
            written = block.span.of(holder.text)
            goes_on = fence_ends >= 0 and not holder.text[fence_ends : block.span.start].strip()
            is_in_fence = goes_on or (_FENCE.match(written) is not None and _MYST.match(written) is None)
            fence_ends = block.span.end if is_in_fence and not _FENCE_END.search(written) else -1
            open_one = _Directive(block.span, block.include, is_in_fence, [])
    if open_one is not None:
        yield open_one


def _without_marks(text: str, edits: Sequence[_Edit]) -> list[_Edit]:
    """The edits, and the lines gone that begin and end a block of snippets."""
    marks = (Span(*match.span()) for match in _SNIPPETS_MARK.finditer(text))
    taken = [edit.span for edit in edits]
    return sorted([*edits, *(_Edit(mark, "") for mark in marks if not meeting(taken, mark))], key=lambda edit: edit.span)


def _edited(text: str, span: Span, edits: Iterable[_Edit]) -> str:
    parts, at = [], span.start
    for edit in edits:
        if at <= edit.span.start and edit.span.end <= span.end:
            parts += [text[at : edit.span.start], edit.text]
            at = edit.span.end
    return "".join([*parts, text[at : span.end]])


def _line_of(text: str, span: Span, include: Include) -> Span:
    """The line of a code block that is the directive; the whole block where none is found."""
    at = span.start
    for line in LINE_END.split(span.of(text)):
        end = at + len(line)
        if include_on(line) == include or (include.dialect == "snippets" and line.strip() and snippet(line.strip()) == include):
            return Span(at, at + len(line.rstrip()))
        at = end + (2 if text[end : end + 2] == "\r\n" else 1)
    return span


def _is_literal(inner: Sequence[Block], spans: Sequence[Span]) -> bool:
    """Whether what was brought in are lines as they are, and not what a parser made of them."""
    document = inner[0].document
    return (
        document is not None
        and [block.span for block in inner] == list(spans)
        and all(block.kind is BlockKind.CODE and _is_bare(block, document) for block in inner)
    )


def _is_bare(block: Block, document: Document) -> bool:
    """Whether a block of code is nothing but code: no fence around it, and not told by its indentation."""
    return (
        _FENCE.match(block.span.of(document.text)) is None
        and len(block.runs) > 0
        and block.runs[0].span.start == block.span.start
    )


def _code_of(blocks: Iterable[Block], *, outdent: bool) -> str:
    """The lines of included source code; stretches that do not follow on each other are parted by a blank line."""
    parts = [block.span.of(block.document.text) for block in blocks if block.document is not None]
    code = with_line_feeds("\n\n".join(part.rstrip() for part in parts))
    return outdented(code) if outdent else code
