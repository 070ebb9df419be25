"""The JSON of fact cards: what a build, a check and a question said of them. Fields are added, never renamed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nescio.cards.rendering import fact_values, identifier_values
from nescio.cards.values import NO_SOURCE
from nescio.surfaces.wire import SCHEMA_VERSION, Json, answer_json
from nescio.surfaces.wire_findings import findings_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nescio.assembly.carding import BuiltCards, CardReply, CheckedCards
    from nescio.cards.values import Card, Section
    from nescio.domain.findings import Finding


def cards_build_json(built: BuiltCards, folder: str) -> Json:
    """What a build of cards did. Files are named within `folder`."""
    return {
        "schema_version": SCHEMA_VERSION,
        "folder": folder,
        "cards": len(built.collected.cards),
        "facts": sum(1 for card in built.collected.cards for _ in card.facts()),
        "written": list(built.files.written),
        "unchanged": list(built.files.unchanged),
        "removed": list(built.files.removed),
        "empty": [{"card": card.name, "section": name} for card in built.collected.cards for name in card.empty],
        "skipped": [{"code": one.code, "path": one.path, "message": one.message} for one in built.collected.skipped],
    }


def cards_check_json(checked: CheckedCards, findings: Sequence[Finding], summary: str) -> Json:
    """What a check of cards found: findings as everywhere, and the verdict on each card."""
    told = findings_json(findings, command="nescio cards check", passed=not findings, summary=summary)
    return {**told, "cards": [{"card": one.name, "verdict": one.verdict.value} for one in checked.checked]}


def cards_list_json(cards: Sequence[Card]) -> Json:
    """Which cards there are, with how much each section has."""
    return {
        "schema_version": SCHEMA_VERSION,
        "cards": [
            {
                "card": card.name,
                "path": card.path,
                "facts": sum(1 for _ in card.facts()),
                "identifiers": len(card.identifiers),
                "sections": [{"name": section.name, "facts": len(section.facts)} for section in card.sections],
            }
            for card in cards
        ],
    }


def cards_show_json(card: Card) -> Json:
    """One card as its sources make it now."""
    return {
        "schema_version": SCHEMA_VERSION,
        "card": card.name,
        "path": card.path,
        "sections": [section_json(section) for section in card.sections],
        "identifiers": [identifier_values(one) for one in card.identifiers],
    }


def cards_ask_json(reply: CardReply) -> Json:
    """What cards say to a question. Either `section` or `result` is null."""
    return {
        "schema_version": SCHEMA_VERSION,
        "question": reply.question,
        "status": "answered" if reply.is_answered else "refused",
        "cards": reply.cards,
        "facts": reply.facts,
        "card": reply.card.name if reply.card else None,
        "section": section_json(reply.section) if reply.section else None,
        "empty": list(reply.card.empty) if reply.card else [],
        "result": answer_json(reply.result) if reply.result else None,
    }


def section_json(section: Section) -> Json:
    """A section with its facts; `note` says that it has none."""
    return {
        "name": section.name,
        "note": None if section.facts else NO_SOURCE,
        "facts": [fact_values(fact) for fact in section.facts],
    }
