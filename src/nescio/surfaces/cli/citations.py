"""The commands about citations, `chunk`, `cite` and `verify`, with their options."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from nescio.surfaces.cli.options import ConfigOption, Format, FormatOption, JsonOption, OutOption

AgainstOption = Annotated[
    Path | None,
    typer.Option("--against", metavar="DOCS", help="Folder of documentation, or one file, instead of the configured ones."),
]


class Unit(StrEnum):
    """What the size of a passage is counted in."""

    CHARACTERS = "characters"
    WORDS = "words"
    SENTENCES = "sentences"
    TOKENS = "tokens"
    BLOCKS = "blocks"


def chunk(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to cut; - reads standard input.")],
    unit: Annotated[Unit, typer.Option("--unit", help="What the size counts.")] = Unit.WORDS,
    size: Annotated[int, typer.Option("--size", metavar="N", help="Units of each passage.")] = 200,
    overlap: Annotated[
        int | None, typer.Option("--overlap", metavar="N", help="Units that neighbours share. Default: a tenth of the size.")
    ] = None,
    tokenizer: Annotated[
        str | None,
        typer.Option("--tokenizer", metavar="NAME", help="For tokens: module:function, or a file of the library tokenizers."),
    ] = None,
    max_passages: Annotated[
        int, typer.Option("--max-passages", metavar="N", min=1, help="Most passages; more are refused before any is cut.")
    ] = 20_000,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Cut a file into passages with exact places, a line of JSON each.

    Exit code: 0 cut, 2 wrong use or nothing to cut, 3 a secret was found, 5 reading failed.
    """
    from nescio.surfaces.cli import citing, workspace

    wanted = citing.Cutting(unit.value, size, overlap, tokenizer, max_passages)
    return citing.chunk(workspace.Named(config_file), file, wanted, as_json=as_json)


def cite(
    citations: Annotated[
        str, typer.Argument(metavar="CITATIONS", help="Citations in JSON, JSON lines or Markdown; - reads standard input.")
    ],
    against: AgainstOption = None,
    format: FormatOption = Format.TEXT,  # noqa: A002
    out: OutOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Check citations that somebody holds: are their words where they say?

    Exit code: 0 all match, 1 one does not, 2 wrong use or no citation, 5 reading failed.
    """
    from nescio.surfaces.cli import citing, workspace

    return citing.cite(workspace.Named(config_file), citations, against, citing.Told(format, out, as_json))


def verify(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="Files of passages that nescio wrote; several may be named.")
    ],
    against: AgainstOption = None,
    fix: Annotated[bool, typer.Option("--fix", help="Write the new places of moved passages into the files.")] = False,
    format: FormatOption = Format.TEXT,  # noqa: A002
    out: OutOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Read stored passages again: are they the same, moved, changed or gone?

    Exit code: 0 all are the same (or were moved, and fixed), 1 others, 2 wrong use or no passage, 5 reading or writing failed.
    """
    from nescio.surfaces.cli import citing, workspace

    told = citing.Told(format, out, as_json)
    return citing.verify(workspace.Named(config_file), files, against, told, fix=fix)
