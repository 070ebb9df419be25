"""Puts cards on disk: what is already there as it should be is left alone, cards of units that are gone go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nescio.cards.rendering import rendered
from nescio.cards.stored import bytes_of, strangers
from nescio.cards.values import Card
from nescio.files import write_whole


@dataclass(frozen=True, slots=True)
class Written:
    """What a build of cards did, by the names of files in the cards' folder, in order."""

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]


def write(cards: Sequence[Card], folder: Path) -> Written:
    """Write the files of cards, each whole. Only files that are cards by their content are removed. Raises OSError."""
    files = {name: content for card in cards for name, content in rendered(card).items()}
    stale = [name for name, content in files.items() if bytes_of(folder, name) != content]
    for name in stale:
        write_whole(folder / name, files[name])
    gone = tuple(strangers(folder, frozenset(files)))
    for name in gone:
        (folder / name).unlink(missing_ok=True)
    return Written(tuple(stale), tuple(name for name in files if name not in stale), gone)
