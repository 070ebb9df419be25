"""Parser cases as documents: how the files of tests/golden are read, and how a page's blocks are written in them.

A file holds cases of `title`, `.`, input, `.`, expected blocks, `.`, each on lines of their own. In inputs ⟨BOM⟩, ⟨CR⟩, ⟨TAB⟩
and ⟨LS⟩ stand for these characters. A block is written as its kind, its lines, what is known of it, and its visible text, in
which ⏎ is a line end; `shows` is the text that stands for the slice, `pieces` are the exact ranges of a notebook's strings.
In files named *groups.txt a block has its groups before it, the outermost first, and what it needs of the page after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nescio.domain.documents import Block, Page
from nescio.domain.spans import LINE_END, Offsets, Span

GOLDEN = Path(__file__).parent / "golden"
NAMED = {"BOM": "\ufeff", "CR": "\r", "TAB": "\t", "LS": "\u2028"}


def cases(folder: str) -> Iterator[tuple[str, str, str]]:
    """Title, input and expected blocks of every case below tests/golden/`folder`."""
    for path in sorted((GOLDEN / folder).iterdir()):
        parts = path.read_text("utf-8").split("\n.\n")
        assert len(parts) % 3 == 1, f"{path.name} does not hold whole cases"
        assert parts[-1].strip() == "", f"{path.name} ends inside a case"
        for number in range(0, len(parts) - 1, 3):
            title, source, expected = parts[number : number + 3]
            yield f"{path.stem}: {title.strip()}", with_named(source), expected.strip("\n")


def is_grouped(title: str) -> bool:
    """Whether the case with this title is of a file that writes groups."""
    return title.partition(": ")[0].endswith("groups")


def with_named(source: str) -> str:
    """The input with the characters that cannot be seen in a file put in."""
    for name, character in NAMED.items():
        source = source.replace(f"⟨{name}⟩", character)
    return source


def described(page: Page, *, grouped: bool = False) -> str:
    """The page as the golden files write it, with groups and needs or without."""
    offsets = Offsets(page.document.text)
    lines = [f"title: {page.title}"]
    for block in page.blocks:
        groups = "".join(f"{group.kind.value} {_lines(offsets, group.span)}, " for group in block.groups if grouped)
        needs = "".join(f" (needs {span.of(page.document.text).strip()!r})" for span in block.needs if grouped)
        lines.append(groups + _described(block, page.document.text, offsets) + needs)
    lines += [f"notice {notice.code} on line {notice.line}" for notice in page.notices]
    return "\n".join(lines)


def visible(block: Block, text: str) -> str:
    """What a reader sees of the block."""
    return "".join(run.visible(text) for run in block.runs)


def _described(block: Block, text: str, offsets: Offsets) -> str:
    words = [block.kind.value + (f" {block.level}" if block.level else ""), _lines(offsets, block.span)]
    if not block.span:
        return f"{words[0]} goes on: {block.title}"
    words += [f"#{block.anchor}"] if block.anchor else []
    words += ["parts " + " ".join(_lines(offsets, part) for part in block.parts)] if block.parts else []
    if block.include:
        words += [f"includes {block.include.target}", *(f"{first}-{last}" for first, last in block.include.lines)]
        words += [f"[{block.include.anchor}]"] if block.include.anchor else []
    shown = [": " + _one_line(visible(block, text))] if block.runs else []
    shown += ["\n    shows: " + _one_line(block.display)] if block.display is not None else []
    shown += ["\n    pieces: " + " ".join(repr(piece.of(text)) for piece in block.pieces)] if block.pieces else []
    return " ".join(words) + "".join(shown)


def _lines(offsets: Offsets, span: Span) -> str:
    first, last = offsets.line_of(span.start), offsets.line_of(max(span.start, span.end - 1))
    return f"{first}-{last}" if last > first else str(first)


def _one_line(text: str) -> str:
    return LINE_END.sub("⏎", text).replace("\t", "⇥")
