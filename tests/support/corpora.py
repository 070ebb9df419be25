"""Made-up documentation, the same for the same seed: words by Zipf's law, so that some are everywhere and most are rare."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

SYLLABLES = ("ba", "ce", "do", "fu", "gi", "ka", "lo", "mi", "nu", "pe", "ra", "so", "ti", "vu", "xe", "zo")
ODD_WORDS = ("--no-cache", "C++", "E0277", "HTTP/3", "response_model", "数据库", "索引", "naïve", "🤝", "v1.2.3", "std::vector")
FOLDERS = ("", "guide/", "guide/start/", "reference/", "changelog/", "Ω/")


@dataclass
class Words:
    """A vocabulary with a frequency for each word."""

    seed: int
    size: int = 300
    words: list[str] = field(init=False)
    weights: list[float] = field(init=False)

    def __post_init__(self) -> None:
        chance = random.Random(self.seed)
        made = {"".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(self.size)}
        self.words = [*sorted(made), *ODD_WORDS]
        chance.shuffle(self.words)
        self.weights = list(accumulate(1 / (rank + 1) for rank in range(len(self.words))))

    def some(self, chance: random.Random, count: int) -> list[str]:
        return chance.choices(self.words, cum_weights=self.weights, k=count)


def page(chance: random.Random, words: Words) -> str:
    """A Markdown page of a few sections with paragraphs, a list, a link, code, at times a table."""
    lines = [f"# {' '.join(words.some(chance, 2)).title()}", ""]
    for _ in range(chance.randint(0, 4)):
        lines += [f"## {' '.join(words.some(chance, chance.randint(1, 3)))}", ""] if chance.random() < 0.8 else []
        for _ in range(chance.randint(0, 3)):
            lines += [*_block(chance, words), ""]
    return "\n".join(lines)


def _block(chance: random.Random, words: Words) -> list[str]:
    kind = chance.randrange(5)
    if kind == 0:
        return [f"- {' '.join(words.some(chance, 5))}" for _ in range(3)]
    if kind == 1:
        return ["```", *(" ".join(words.some(chance, 4)) for _ in range(2)), "```"]
    if kind == 2:
        row = " | ".join(words.some(chance, 3))
        return [f"| {row} |", "|---|---|---|", *(f"| {' | '.join(words.some(chance, 3))} |" for _ in range(2))]
    sentences = (" ".join(words.some(chance, chance.randint(3, 12))).capitalize() + "." for _ in range(chance.randint(1, 4)))
    text = " ".join(sentences)
    return [f"{text} See [{' '.join(words.some(chance, 2))}](other.md)."] if kind == 3 else [text]


def pages(seed: int, count: int) -> dict[str, str]:
    """`count` pages by path, some of them duplicates of others, in several folders."""
    chance = random.Random(seed)
    words = Words(seed)
    found: dict[str, str] = {}
    for number in range(count):
        path = f"{chance.choice(FOLDERS)}p{number:03d}.md"
        copied = chance.choice(list(found.values())) if found and chance.random() < 0.1 else None
        found[path] = copied if copied is not None else page(chance, words)
    return found


def questions(seed: int, count: int) -> list[str]:
    """Questions in the words of the corpus with the same seed: short and long, some with a word that nobody knows."""
    chance = random.Random(seed + 1)
    words = Words(seed)
    found = []
    for _ in range(count):
        asked = words.some(chance, chance.randint(1, 7))
        if chance.random() < 0.2:
            asked.append("quixotry")
        if chance.random() < 0.2:
            asked.append(f"changed in {chance.randint(1, 9)}.0")
        found.append(" ".join(("how", "do", "I", *asked)) + "?")
    return found


@dataclass(frozen=True)
class Edit:
    """One change of a page: `text` None removes it; `to` moves it."""

    path: str
    text: str | None = None
    to: str | None = None


def edits(seed: int, paths: Sequence[str], count: int) -> Iterator[Edit]:
    """A sequence of edits, removals, moves and additions that fit together, beginning with pages at `paths`."""
    chance = random.Random(seed + 2)
    words = Words(seed)
    known = list(paths)
    for number in range(count):
        kind = chance.random()
        if kind < 0.4 and known:
            yield Edit(chance.choice(known), page(chance, words))
        elif kind < 0.55 and len(known) > 1:
            yield Edit(known.pop(chance.randrange(len(known))))
        elif kind < 0.75 and known:
            old = known.pop(chance.randrange(len(known)))
            known.append(f"{chance.choice(FOLDERS)}m{number:03d}.md")
            yield Edit(old, to=known[-1])
        else:
            known.append(f"{chance.choice(FOLDERS)}n{number:03d}.md")
            yield Edit(known[-1], page(chance, words))
