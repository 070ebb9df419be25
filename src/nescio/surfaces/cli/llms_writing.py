"""The command `nescio llms`: the documents as files that language models read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nescio.surfaces.cli.options import ConfigOption, DocsOption, IndexOption, JsonOption, VersionOption, ViewOption

if TYPE_CHECKING:
    from nescio.surfaces.cli.layout import Line
    from nescio.surfaces.cli.workspace import Workspace
    from nescio.surfaces.wire_llms import WrittenFiles

DONE, DIFFERENT = 0, 1
MOST_SHOWN = 20  # files of a kind that a screen names


def llms(
    folder: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write into: that of the built site, or any.")],
    name: Annotated[
        str | None, typer.Option("--name", metavar="TEXT", help="The project's name. Default: the setting title.")
    ] = None,
    summary: Annotated[
        str | None, typer.Option("--summary", metavar="TEXT", help="What the project is, in a sentence. Default: the setting.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit with 1 where something would be.")] = False,
    docs_version: VersionOption = None,
    reader_view: ViewOption = None,
    docs: DocsOption = None,
    index: IndexOption = None,
    config_file: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Write the documents for language models: llms.txt, llms-full.txt and a Markdown file beside each page.

    Builds the index first where there is none; with --docs, brings it up to date first. Exit code: 0 written or as it should
    be, 1 with --check where it is not, 2 wrong use, 5 reading or writing failed.
    """
    from nescio.assembly.showing.page_texts import PageTexts
    from nescio.surfaces.cli import workspace
    from nescio.surfaces.llms import editions, writing
    from nescio.surfaces.llms.texts import name_of
    from nescio.surfaces.wire_llms import WrittenFiles

    named = workspace.Named(config_file, index, tuple(docs or ()))
    with workspace.ready_engine(named) as engine:
        place = workspace.find(named, needs_docs=False)
        _warn(place, folder)
        title = name or name_of(place.configuration)
        said = place.configuration.settings.summary if summary is None else summary
        wanted = editions.Wanted(title, said, docs_version, tuple(reader_view or ()))
        made = editions.files(engine, PageTexts(place.configuration), wanted)
    plan = writing.planned(folder, made.contents)
    if not check:
        writing.apply(folder, plan, made.contents)
    told = WrittenFiles(str(folder), made.pages, made.versions, plan.written, plan.unchanged, plan.removed)
    _tell(told, check=check, as_json=as_json)
    return DIFFERENT if check and (plan.written or plan.removed) else DONE


def _tell(told: WrittenFiles, *, check: bool, as_json: bool) -> None:
    from nescio.surfaces import wire, wire_llms
    from nescio.surfaces.cli import output

    if as_json:
        output.write_result(wire.encode(wire_llms.llms_json(told), indented=True))
    else:
        output.print_result(_lines(told, check=check))


def _lines(told: WrittenFiles, *, check: bool) -> list[Line]:
    from nescio.surfaces.cli.layout import columns, counted, line

    versions = f" of {counted(len(told.versions), 'version')}" if told.versions else ""
    pages = counted(told.pages, "page") + versions
    if not check:
        counts = ("written", told.written), ("unchanged", told.unchanged), ("removed", told.removed)
        rows = [(name, f"{len(paths):,}") for name, paths in counts if paths]
        return [line(f"{pages} in {told.folder}."), *columns(rows, indent=2)]
    if not told.written and not told.removed:
        return [line(f"{pages} in {told.folder}: all as they should be.")]
    rows = [*_named("differs", told.written), *_named("is left over", told.removed)]
    return [
        line(f"{told.folder} is not what would be written."),
        *columns(rows, indent=2),
        line("Write it: the same command without --check."),
    ]


def _named(what: str, paths: tuple[str, ...]) -> list[tuple[str, str]]:
    rows = [(what, path) for path in paths[:MOST_SHOWN]]
    return [*rows, (what, f"... and {len(paths) - MOST_SHOWN} more")] if len(paths) > MOST_SHOWN else rows


def _warn(place: Workspace, folder: Path) -> None:
    """Say so where the next build would read what is written now."""
    from nescio.surfaces.cli import output
    from nescio.surfaces.cli.layout import Mark, line

    real = Path(os.path.realpath(folder))
    for source in place.configuration.settings.sources:
        if real.is_relative_to(os.path.realpath(place.configuration.folder(source))):
            said = f"{folder} lies in the source {source.name}: leave it out there (exclude), or it is indexed too."
            output.print_note([line(said, Mark.CAUTION)])
