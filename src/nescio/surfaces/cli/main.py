"""The command line: its commands and options, and the one place where faults become messages and exit codes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from nescio.domain.answers import Detail
from nescio.errors import UsageFault
from nescio.surfaces.cli import cards, citations, evaluation, gaps, llms_writing, mcp_serving, secrets, serving
from nescio.surfaces.cli.options import (
    HELP,
    ConfigOption,
    DocsOption,
    FloorOption,
    Format,
    FormatOption,
    IndexOption,
    JsonOption,
    OutOption,
    SourceOption,
    UnderOption,
    VersionOption,
    ViewOption,
)

_ANSWERS = """
Exit code: 0 answered, 1 refused, 2 wrong use, 4 index busy, 5 reading or writing failed.
"""

app = typer.Typer(
    name="nescio",
    help="Answers from your documentation in its own words, with a citation anyone can check, or an honest refusal.",
    context_settings=HELP,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from nescio.domain.release import VERSION

        typer.echo(f"nescio {VERSION}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def overview(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Answers from your documentation in its own words, with a citation anyone can check, or an honest refusal."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to write nescio.toml.", show_default=False)] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Replace a nescio.toml that is there.")] = False,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> int:
    """Write a commented nescio.toml."""
    from nescio.surfaces.cli import commands

    return commands.init(folder, force=force, index=index, as_json=as_json)


@app.command()
def config(
    docs: DocsOption = None,
    index: IndexOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Show every setting and where its value comes from."""
    from nescio.surfaces.cli import commands, workspace

    return commands.config(workspace.Named(config_file, index, tuple(docs or ())), as_json=as_json)


@app.command()
def build(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="DOCS", help="Folders of documentation, instead of the configured ones.", show_default=False),
    ] = None,
    docs: Annotated[
        list[Path] | None, typer.Option("--docs", metavar="FOLDER", help="The same as naming the folder; may be repeated.")
    ] = None,
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Let a folder that had documents and is now empty or gone empty its index.")
    ] = False,
    allow_skips: Annotated[bool, typer.Option("--allow-skips", help="Exit with 0 though files could not be read.")] = False,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="N", min=0, help="Processes that read files; 0: one for each core.")
    ] = None,
    wait: Annotated[
        float | None, typer.Option("--wait", metavar="SECONDS", min=0, help="How long to wait for another build to end.")
    ] = None,
    site: Annotated[
        Path | None, typer.Option("--site", metavar="FOLDER", help="The built site, whose URLs and anchors are then used.")
    ] = None,
    commit: Annotated[
        str | None, typer.Option("--commit", metavar="SHA", help="The commit that links into the repository lead to.")
    ] = None,
    index: IndexOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Bring the index up to date with the documentation.

    Only new and changed files are read again. Exit code: 0 built, 2 wrong use, 3 a file was skipped or a folder refused, 4
    another build is running, 5 reading or writing failed.
    """
    from nescio.surfaces.cli import commands, workspace

    flags = {"allow_skips": allow_skips or None, "jobs": jobs}
    named = workspace.Named(config_file, index, (*(folders or ()), *(docs or ())), flags, site=site, commit=commit)
    return commands.build(named, allow_empty=allow_empty, wait=wait, as_json=as_json)


@app.command(epilog=_ANSWERS)
def ask(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="QUESTION", help="The question; - reads one question per line from standard input.", show_default=False
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="Most quotes to show.")] = None,
    floor: FloorOption = None,
    under: UnderOption = None,
    docs_version: VersionOption = None,
    reader_view: ViewOption = None,
    detail: Annotated[
        Detail, typer.Option("--detail", help="Show the section that answers, or only the sentences in it that do.")
    ] = Detail.SECTION,
    explain: Annotated[bool, typer.Option("--explain", help="Show terms, weights and scores too.")] = False,
    source: SourceOption = False,
    docs: DocsOption = None,
    index: IndexOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Print one line of JSON for each question.")] = False,
) -> int:
    """Answer a question in the documentation's own words, or say that it is not covered.

    Builds the index first where there is none; with --docs, brings it up to date first. Without a question, a terminal gets a
    prompt.
    """
    from nescio.surfaces.cli import asking, gap_logging, prompting, showing, workspace

    if not words and not prompting.is_possible():
        raise UsageFault("usage", "Missing argument 'QUESTION'.", "Run `nescio ask --help` to see how it is used.")
    flags = {"floor": floor, "limit": limit, "docs_version": docs_version}
    named = workspace.Named(config_file, index, tuple(docs or ()), flags, tuple(reader_view or ()))
    keep = gap_logging.Recorder(named).keep
    with workspace.ready_engine(named) as engine:
        body = showing.body(engine, named, source=source)
        request = asking.Request(asking.Wanted(under, limit, detail), explain, as_json, jsonl, keep, body)
        if not words:
            return prompting.ask_on(engine, request)
        return asking.ask_each(engine, request) if words == ["-"] else asking.ask_one(engine, " ".join(words), request)


@app.command()
def search(
    words: Annotated[list[str], typer.Argument(metavar="QUERY", help="Words to look for.")],
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="Most passages to show.")] = 10,
    under: UnderOption = None,
    docs_version: VersionOption = None,
    reader_view: ViewOption = None,
    source: SourceOption = False,
    docs: DocsOption = None,
    index: IndexOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """List ranked passages, with no floor: related text, not answers."""
    from nescio.surfaces.cli import commands, workspace

    named = workspace.Named(config_file, index, tuple(docs or ()), {"docs_version": docs_version}, tuple(reader_view or ()))
    return commands.search(named, " ".join(words), limit=limit, under=under, source=source, as_json=as_json)


@app.command()
def show(
    passage_id: Annotated[str, typer.Argument(metavar="ID", help="The passage's id, as in --json or search.")],
    source: SourceOption = False,
    index: IndexOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Show a passage by its id."""
    from nescio.surfaces.cli import commands, workspace

    return commands.show(workspace.Named(config_file, index), passage_id, source=source, as_json=as_json)


app.add_typer(evaluation.app, name="eval")
app.command()(evaluation.calibrate)


@app.command()
def status(index: IndexOption = None, config_file: ConfigOption = None, as_json: JsonOption = False) -> int:
    """Show what is in the index and whether it is up to date."""
    from nescio.surfaces.cli import commands, workspace

    return commands.status(workspace.Named(config_file, index), as_json=as_json)


@app.command()
def check(
    golden: Annotated[
        Path | None,
        typer.Option("--golden", metavar="FILE", help="Question file whose pinned answers are asked again."),
    ] = None,
    self_test: Annotated[
        bool, typer.Option("--self-test", help="First change a word in a copy of the documents: the check must find it.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings fail the check too.")] = False,
    format: FormatOption = Format.TEXT,  # noqa: A002
    out: OutOption = None,
    docs: DocsOption = None,
    index: IndexOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Check that index, golden answers and documents are as they should be.

    Exit code: 0 nothing at error level, 1 something is, 2 wrong use, 4 index busy, 5 reading or writing failed.
    """
    from nescio.surfaces.cli import checking, workspace

    told = Format.JSON if as_json else format
    wanted = checking.Wanted(golden, self_test, strict, told, out)
    return checking.check(workspace.Named(config_file, index, tuple(docs or ())), wanted)


app.add_typer(serving.app, name="serve")
app.add_typer(gaps.app, name="gaps")
app.command()(citations.chunk)
app.command()(citations.cite)
app.command()(citations.verify)
app.command("mcp")(mcp_serving.mcp)
app.command()(llms_writing.llms)
app.add_typer(secrets.app, name="secrets")
app.add_typer(cards.app, name="cards")


def main(arguments: list[str]) -> int:
    """Run one command and return its exit code."""
    from nescio.surfaces.cli import ending

    return ending.finish(app, arguments)


def run() -> NoReturn:
    """The entry point of the `nescio` command."""
    from nescio.surfaces.cli import output

    output.prepare_streams()
    code = main(sys.argv[1:])
    output.let_go()
    sys.exit(code)
