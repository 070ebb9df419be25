"""What each command does once its options are read: init, config, build, search, show and status."""

from __future__ import annotations

from pathlib import Path

from nescio.errors import ConfigFault
from nescio.files import write_whole
from nescio.surfaces import wire
from nescio.surfaces.cli import output, render_answers, render_reports, showing, workspace
from nescio.surfaces.cli.layout import Mark, line
from nescio.surfaces.cli.workspace import Named

CONFIG_FILE = "nescio.toml"
DONE, SKIPPED = 0, 3


def init(folder: Path, *, force: bool, index: Path | None, as_json: bool) -> int:
    """Write a commented configuration file. Raises ConfigFault where one is there, unless forced."""
    from nescio.config.template import template

    path = folder / CONFIG_FILE
    if path.exists() and not force:
        raise ConfigFault("config-exists", f"{path} is there already.", "Edit it, or add --force to write it anew.")
    write_whole(path, template().encode("utf-8"))
    if as_json:
        output.write_result(wire.encode(wire.init_json(str(path)), indented=True))
    else:
        build_it = f"nescio build --index {index}" if index else "nescio build"
        output.print_result([line(f"Wrote {path}.", Mark.GOOD), line(f"Next: look at its sources, then run `{build_it}`.")])
    return DONE


def config(named: Named, *, as_json: bool) -> int:
    """Show every setting with its origin."""
    place = workspace.find(named, needs_docs=False)
    if as_json:
        output.write_result(wire.encode(wire.config_json(place.configuration, str(place.index)), indented=True))
    else:
        output.print_result(render_reports.config(place.configuration, str(place.index)))
    return DONE


def build(named: Named, *, allow_empty: bool, wait: float | None, as_json: bool) -> int:
    """Bring the index up to date. 3 when a file was skipped and that is not allowed; the rest is committed all the same."""
    place = workspace.find(named, needs_docs=not allow_empty)
    allow_skips = place.configuration.settings.allow_skips
    report = workspace.build(place, allow_empty=allow_empty, wait=wait)
    if as_json:
        output.write_result(wire.encode(wire.build_json(report), indented=True))
    else:
        output.print_result(render_reports.build(report, str(place.index)))
    if not report.skipped or allow_skips:
        return DONE
    hint = "Everything else is in the index. Exclude these files, or add --allow-skips to exit with 0."
    output.print_note([line(hint, Mark.CAUTION)])
    return SKIPPED


def search(named: Named, query: str, *, limit: int, under: str | None, source: bool, as_json: bool) -> int:
    """Show ranked passages, no floor applied."""
    with workspace.ready_engine(named) as engine:
        result = engine.search(query, limit=limit, under=under)
        if as_json:
            output.write_result(wire.encode(wire.search_json(result), indented=True))
        else:
            output.print_result(render_answers.search(result, showing.body(engine, named, source=source)))
    return DONE


def show(named: Named, passage_id: str, *, source: bool, as_json: bool) -> int:
    """Show one passage. Raises NotFoundFault."""
    with workspace.engine(named) as engine:
        quote = engine.show(passage_id)
        if as_json:
            output.write_result(wire.encode(wire.quote_json(quote), indented=True))
        else:
            output.print_result(render_answers.quote(quote, showing.body(engine, named, source=source)))
    return DONE


def status(named: Named, *, as_json: bool) -> int:
    """Show the state of the index."""
    from nescio.assembly import opening

    place = workspace.find(named, needs_docs=False)
    state = opening.status(place.configuration, place.index)
    if as_json:
        output.write_result(wire.encode(wire.status_json(state), indented=True))
    else:
        output.print_result(render_reports.status(state))
    return DONE
