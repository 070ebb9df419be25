"""On a terminal a quote is shown as a reader of the page sees it; with --source, and in a pipe, as it stands in the file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from nescio.domain.display import ShownBlock, ShownRun
from nescio.domain.documents import BlockKind
from nescio.surfaces.cli.layout import Line, Mark, Part, Screen
from nescio.surfaces.cli.render_blocks import CODE_INDENT, WIDEST, blocks
from nescio.surfaces.cli.render_tables import table
from nescio.surfaces.cli.wrapping import wrapped

PLAIN, COLOURED = Screen(40, has_colours=False), Screen(40, has_colours=True)
PAGE = """# Tools

The *bread* knife is [sharpened](rod.md) with `rod --fine`, and never with a stone or against the grain of the board.

- Left hook
    - the ladle

```python
def sharpen(knife):
\treturn knife
```

| Tool | Hook |
|------|------|
| Ladle | *left* |
"""


def text_of(lines: Iterable[Line]) -> list[str]:
    return [" " * line.indent * bool(line.parts) + "".join(part.text for part in line.parts) for line in lines]


def shown(*found: ShownBlock, screen: Screen = PLAIN) -> list[str]:
    return text_of(blocks(found, screen))


def paragraph(*runs: ShownRun | str, level: int = 0) -> ShownBlock:
    whole = tuple(ShownRun(run) if isinstance(run, str) else run for run in runs)
    return ShownBlock(BlockKind.PARAGRAPH, whole, level=level)


def item(text: str, marker: str | None = "-", level: int = 0) -> ShownBlock:
    return ShownBlock(BlockKind.LIST_ITEM, (ShownRun(text),), level=level, marker=marker)


# Text


def test_text_is_wrapped_at_the_width_of_the_terminal_and_never_too_wide() -> None:
    words = "word " * 60
    assert max(map(len, shown(paragraph(words)))) <= 40
    assert 80 < max(map(len, shown(paragraph(words), screen=Screen(300, has_colours=False)))) <= WIDEST


def test_a_line_end_that_is_seen_is_kept() -> None:
    assert shown(paragraph("one\ntwo")) == ["one", "two"]


def test_inline_code_has_a_colour_or_its_backticks() -> None:
    block = paragraph("run ", ShownRun("a b", code=True), ShownRun("c", code=True, mark=True), " now")
    assert shown(block) == ["run `a bc` now"]
    (line,) = blocks([block], COLOURED)
    assert [(part.text, part.mark) for part in line.parts] == [
        ("run ", Mark.PLAIN),
        ("a b", Mark.CODE),
        ("c", Mark.CODE),
        (" now", Mark.PLAIN),
    ]


def test_what_is_marked_is_strong() -> None:
    (line,) = blocks([paragraph("one ", ShownRun("two", mark=True))], PLAIN)
    assert [(part.text, part.strong) for part in line.parts] == [("one ", False), ("two", True)]
    code = ShownBlock(BlockKind.CODE, code="a = 1\nb = 2", language="python", marked=(1,))
    first, second = blocks([code], COLOURED)
    assert not any(part.strong for part in first.parts)
    assert all(part.strong for part in second.parts)


def test_control_characters_are_written_out() -> None:
    code = ShownBlock(BlockKind.CODE, code="a\x1b[2J")
    rows = ((paragraph("h").runs,), (paragraph("\x1b]0;x").runs,))
    lines = shown(
        paragraph("x\x1b[31m\u202e"), item("\x07"), item("a", marker="\x1b-"), code, ShownBlock(BlockKind.TABLE, rows=rows)
    )
    assert not any(ord(character) < 32 or character == "\u202e" for line in lines for character in line)
    assert "x\\x1b[31m\\u202e" in lines


# Lists and code


def test_items_hang_by_their_level_and_marker() -> None:
    lines = shown(
        item("one " * 12, "10."),
        item("two", "-", 1),
        paragraph("three", level=2),
        item("four", "- [x]", 1),
        item("five", None),
    )
    assert lines == [
        "10. one one one one one one one one one",
        "    one one one",
        "    - two",
        "",
        "      three",
        "",
        "    [x] four",
        "- five",
    ]


def test_a_term_is_followed_by_its_definition_set_in() -> None:
    assert shown(item("term\n" + "word " * 9, ""), paragraph("more", level=1)) == [
        "term",
        "  word word word word word word word",
        "  word word",
        "",
        "  more",
    ]


def test_code_is_never_wrapped_and_keeps_its_tabs() -> None:
    code = "if x:\n\n\treturn '" + "y" * 80 + "'"
    lines = blocks([ShownBlock(BlockKind.CODE, code=code, language="python")], COLOURED)
    assert "\n".join("".join(part.text for part in line.parts) for line in lines) == code
    assert {(line.indent, line.exact) for line in lines} == {(CODE_INDENT, True)}
    assert Mark.KEYWORD in {part.mark for line in lines for part in line.parts}
    plain = blocks([ShownBlock(BlockKind.CODE, code=code, language="python")], PLAIN)
    assert {part.mark for line in plain for part in line.parts} == {Mark.PLAIN}


# Tables


def drawn(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    cells = [[(Part(cell),) if cell else () for cell in row] for row in rows]
    return [line.rstrip() for line in text_of(table(cells, width))]


def test_a_table_that_fits_has_columns() -> None:
    assert drawn([["Name", "Hook"], ["Ladle", "left"], ["Whisk"]], 40) == [
        "Name   Hook",
        "-----  ----",
        "Ladle  left",
        "Whisk",
    ]


def test_cells_are_wrapped_and_rows_then_stand_apart() -> None:
    assert drawn([["Name", "What it is for"], ["Ladle", "soup " * 8], ["Whisk", ""]], 30) == [
        "Name   What it is for",
        "-----  -----------------------",
        "Ladle  soup soup soup soup",
        "       soup soup soup soup",
        "",
        "Whisk",
    ]


def test_a_table_that_cannot_fit_is_shown_row_by_row() -> None:
    rows = [["Name", "", "Use"], ["ladle" * 4, "x", "soup " * 6], ["whisk", "", "eggs"]]
    assert drawn(rows, 30) == [
        "Name: ladleladleladleladle",
        "x",
        "Use: soup soup soup soup soup",
        "  soup",
        "",
        "Name: whisk",
        "Use: eggs",
    ]


def test_marked_rows_are_strong() -> None:
    lines = table([[(Part("a"),)], [(Part("b"),)], [(Part("c"),)]], 20, (2,))
    assert [line.parts[0].strong for line in lines] == [False, False, False, True]


@given(st.lists(st.lists(st.text(st.sampled_from("ab 有\n"), max_size=30), min_size=1, max_size=5), min_size=1, max_size=4))
def test_no_table_is_wider_than_it_may_be_and_no_word_is_lost(rows: list[list[str]]) -> None:
    lines = drawn(rows, 24)
    assert max(map(cell_len, lines), default=0) <= 24
    letters = sorted(character for row in rows[1:] for cell in row for character in cell if not character.isspace())
    found = sorted(character for line in lines for character in line if not character.isspace())
    assert all(found.count(letter) >= letters.count(letter) for letter in set(letters))


# Wrapping


@given(st.lists(st.text(st.sampled_from("ab 有\u0301🤝"), max_size=20).map(Part), max_size=6), st.integers(2, 30))
def test_lines_fit_and_hold_every_character_but_spaces(parts: list[Part], width: int) -> None:
    lines = wrapped(parts, width)
    assert all(cell_len("".join(part.text for part in line)) <= width for line in lines)
    whole = "".join(part.text for part in parts)
    assert "".join(part.text for line in lines for part in line).replace(" ", "") == whole.replace(" ", "")


def test_a_word_is_broken_only_where_it_is_longer_than_a_line() -> None:
    lines = wrapped([Part("ab cdefgh "), Part("ijk", Mark.CODE), Part("lm")], 5)
    assert ["".join(part.text for part in line) for line in lines] == ["ab", "cdefg", "h", "ijklm"]
    assert lines[-1] == (Part("ijk", Mark.CODE), Part("lm"))


# The command


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "tools.md").write_text(PAGE, encoding="utf-8")
    return tmp_path


def on_a_terminal(project: Path, *arguments: str, data: bytes = b"", **environment: str) -> str:
    """What a command writes to a terminal of 80 columns."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("NESCIO_")}
    surroundings |= {"TERM": "xterm-256color", "COLUMNS": "80", **environment}
    with subprocess.Popen(
        [sys.executable, "-m", "nescio", *arguments],
        cwd=project,
        env=surroundings,
        stdin=subprocess.PIPE,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    ) as process:
        os.close(theirs)
        assert process.stdin is not None
        process.stdin.write(data)
        process.stdin.close()
        written = bytearray()
        try:
            while chunk := os.read(ours, 65_536):
                written += chunk
        except OSError:  # how Linux says that nobody writes to it any more
            pass
    os.close(ours)
    return written.decode().replace("\r\n", "\n")


QUESTION = "how is the bread knife sharpened"
AS_READ = """\
The bread knife is sharpened with `rod --fine`, and never with a stone or
against the grain of the board.
"""


def test_a_terminal_shows_the_page_and_with_source_the_file(project: Path) -> None:
    assert AS_READ in on_a_terminal(project, "ask", QUESTION, NO_COLOR="1")
    assert "The *bread* knife is [sharpened](rod.md)" in on_a_terminal(project, "ask", QUESTION, "--source", NO_COLOR="1")
    assert "\x1b[1;36mrod --fine\x1b[0m" in on_a_terminal(project, "ask", QUESTION, NO_COLOR="")


def test_many_questions_and_the_working_are_shown_alike(project: Path) -> None:
    told = on_a_terminal(project, "ask", "-", "--explain", data=f"{QUESTION}\n".encode(), NO_COLOR="1")
    assert AS_READ in told
    assert "How it was found" in told


def test_passages_are_shown_as_read_too(project: Path) -> None:
    told = on_a_terminal(project, "search", "bread knife", NO_COLOR="1")
    assert AS_READ + "- Left hook\n...\n" in told
    passage_id = told.partition("\nid ")[2].split()[0]
    whole = on_a_terminal(project, "show", passage_id, NO_COLOR="1")
    assert "- Left hook\n  - the ladle\n\n    def sharpen(knife):\n    \treturn knife\n\n" in whole
    assert "Tool   Hook\n-----  ----\nLadle  left\n" in whole
    assert "| Ladle | *left* |" in on_a_terminal(project, "show", passage_id, "--source", NO_COLOR="1")


def test_json_on_a_terminal_is_exact(project: Path) -> None:
    told = json.loads(on_a_terminal(project, "ask", QUESTION, "--json"))
    assert told["quotes"][0]["text"].startswith("The *bread* knife is [sharpened](rod.md)")


def test_a_quote_that_cannot_be_taken_apart_is_shown_as_it_stands(project: Path) -> None:
    """A fault anywhere on the way costs the looks, and never the words."""
    from nescio.assembly import building, opening
    from nescio.config.loading import load
    from nescio.domain.answers import Answer, Quote
    from nescio.surfaces.cli import showing
    from nescio.surfaces.cli.render_answers import as_written

    configuration = load(project, environ={}, flags={"jobs": 1}, needs_docs=True)
    building.build(configuration, project / ".nescio")
    with opening.open_index(configuration, project / ".nescio") as engine:
        answer = engine.ask(QUESTION)
        assert isinstance(answer, Answer)
        quote: Quote = answer.quotes[0]

        class Broken:
            def blocks(self, *_: object) -> tuple[ShownBlock, ...]:
                raise RecursionError

        assert showing.as_read_or_written(quote, engine, Broken(), PLAIN) == as_written(quote)  # type: ignore[arg-type]


def test_a_quote_is_read_in_the_format_that_is_set_for_its_source(project: Path) -> None:
    (project / "nescio.toml").write_text('[[source]]\npath = "docs"\nformat = "text"\n', encoding="utf-8")
    told = on_a_terminal(project, "ask", QUESTION, NO_COLOR="1")
    assert "The *bread* knife is [sharpened](rod.md) with `rod --fine`, and never with a\nstone" in told
