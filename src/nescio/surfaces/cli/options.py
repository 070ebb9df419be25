"""The options that several commands share, each written once so that they read alike everywhere."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

HELP = {"help_option_names": ["-h", "--help"]}
IndexOption = Annotated[
    Path | None,
    typer.Option("--index", metavar="FOLDER", help="Folder of the index. Default: .nescio beside the configuration."),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Configuration file. Default: nescio.toml or pyproject.toml, here or above."),
]
DocsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--docs",
        metavar="FOLDER",
        help="Folder of documentation, instead of the configured ones; may be repeated.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text; errors are JSON on stderr.")]
SourceOption = Annotated[
    bool, typer.Option("--source", help="Show quotes as they stand in the file, markup and all, on a terminal too.")
]
FloorOption = Annotated[
    str | None,
    typer.Option(
        "--floor", metavar="SCORE", help="Least evidence of an answer, instead of the configured one: 0 to 1, or a name."
    ),
]
VersionOption = Annotated[
    str | None,
    typer.Option("--docs-version", metavar="VERSION", help="Ask this version of the documents, instead of the default one."),
]
ViewOption = Annotated[
    list[str] | None,
    typer.Option(
        "--reader-view", metavar="FACET=VALUE", help="Answer as for such a reader: audience=customers; may be repeated."
    ),
]
UnderOption = Annotated[str | None, typer.Option("--under", metavar="PATH", help="Search only pages below this path.")]


class Format(StrEnum):
    """How findings are told."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"
    JUNIT = "junit"
    GITLAB = "gitlab"
    MARKDOWN = "markdown"


FormatOption = Annotated[
    Format,
    typer.Option("--format", help="How what was found is told.", show_choices=True),
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Write what was found into this file. Default: standard output."),
]


def share(value: float | None) -> float | None:
    """The value of an option that is a share; what is none is wrong use, "not a number" among it."""
    if value is not None and not 0 <= value <= 1:
        raise typer.BadParameter(f"{value} is not between 0 and 1.")
    return value
