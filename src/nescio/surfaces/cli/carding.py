"""What the `cards` commands do once their options are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nescio.assembly import carding
from nescio.cards.collecting import collect
from nescio.surfaces import wire, wire_cards
from nescio.surfaces.cli import findings, output, render_cards, workspace
from nescio.surfaces.cli.layout import Line, counted
from nescio.surfaces.cli.options import Format

if TYPE_CHECKING:
    from nescio.config.loading import Configuration

DONE, DRIFT, REFUSED = 0, 1, 1
COMMAND = "nescio cards check"


def build(config_file: Path | None, *, as_json: bool) -> int:
    """Write the cards. Raises the faults of collecting them, before anything is written."""
    configuration = _configuration(config_file)
    built = carding.build_cards(configuration)
    folder = configuration.settings.cards.folder
    return _tell(wire_cards.cards_build_json(built, folder), render_cards.built(built, folder), as_json=as_json)


def check(config_file: Path | None, form: Format, out: Path | None, *, as_json: bool) -> int:
    """Compare the cards with their sources. 0 where all are ok, else 1."""
    configuration = _configuration(config_file)
    checked = carding.check_cards(configuration)
    found = [finding for one in checked.checked for finding in one.findings]
    summary = _summary(checked)
    if as_json:
        _tell(wire_cards.cards_check_json(checked, found, summary), [], as_json=True)
        return DRIFT if found else DONE
    if form is Format.TEXT and out is None:
        output.print_result(render_cards.verdicts(checked.checked))
    return findings.report(found, form, out, command=COMMAND, root=configuration.root, summary=summary)


def ask(config_file: Path | None, question: str, flags: Mapping[str, Any], *, as_json: bool) -> int:
    """Answer from the cards. 0 where there is something to read, else 1. Raises QuestionFault."""
    reply = carding.ask_cards(_configuration(config_file, flags), question)
    _tell(wire_cards.cards_ask_json(reply), render_cards.reply(reply), as_json=as_json)
    return DONE if reply.is_answered else REFUSED


def list_cards(config_file: Path | None, *, as_json: bool) -> int:
    """List the cards."""
    cards = collect(_configuration(config_file)).cards
    return _tell(wire_cards.cards_list_json(cards), render_cards.listed(cards), as_json=as_json)


def show(config_file: Path | None, name: str, *, as_json: bool) -> int:
    """Show one card. Raises NotFoundFault."""
    card = carding.card_named(_configuration(config_file), name)
    return _tell(wire_cards.cards_show_json(card), render_cards.card(card), as_json=as_json)


def _configuration(config_file: Path | None, flags: Mapping[str, Any] | None = None) -> Configuration:
    return workspace.find(workspace.Named(config_file, flags=flags or {}), needs_docs=False).configuration


def _summary(checked: carding.CheckedCards) -> str:
    counts = Counter(one.verdict.value for one in checked.checked)
    said = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.items())
    facts = sum(1 for card in checked.collected.cards for _ in card.facts())
    return f"Checked {counted(len(checked.checked), 'card')} with {counted(facts, 'fact')}: {said}."


def _tell(result: wire.Json, lines: list[Line], *, as_json: bool) -> int:
    if as_json:
        output.write_result(wire.encode(result, indented=True))
    else:
        output.print_result(lines)
    return DONE
