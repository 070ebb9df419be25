"""Derives src/nescio/analysis/data/derivations.tsv from WordNet 3.0: words that are made of one another (reduce, reduction).

WordNet links senses of such words. A link is kept when it joins two single words of lower-case letters that begin alike,
neither is a stop word, and at least one of the two senses was tagged in WordNet's texts: links between rare senses bring
together words that readers keep apart. Pairs that the stemmer brings together anyway are left out: they are one term.

    python scripts/build_derivations.py --wordnet /usr/share/wordnet

The folder is that of Debian's package `wordnet-base`. The output depends on the input files and the stemmer alone.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from build_synonyms import DATA, PARTS_OF_SPEECH, SYNTACTIC_MARKER, WORD, listed_words, rows, tag_counts
from nescio.analysis.tokens import Analyzer

DERIVATION = "+"
ALIKE = 3  # letters that both begin with: "sing" and "song" are left out, and so is "civil" beside "state"
MOST = 4  # related words of one word, the most used first
HEADER = """\
# Derived from WordNet 3.0 by scripts/build_derivations.py; do not edit. See NOTICE for the licence of WordNet.
# A word, then words that it is made of or that are made of it, the most used first.
"""


def sense_numbers(folder: Path) -> dict[tuple[str, str, str], int]:
    """The number of the sense that a synset is of a word: (word, part of speech, offset) -> number from 1."""
    numbers = {}
    for part, name in PARTS_OF_SPEECH.items():
        for fields in rows(folder / f"index.{name}"):
            synsets = fields[-int(fields[2]) :]
            numbers |= {(fields[0], part, offset): number for number, offset in enumerate(synsets, 1)}
    return numbers


def links(folder: Path) -> Iterator[tuple[str, str, int]]:
    """Two words that WordNet derives from each other, with how often the less rare of the two senses was tagged."""
    numbers, counts = sense_numbers(folder), tag_counts(folder)
    synsets = {}
    for part, name in PARTS_OF_SPEECH.items():
        for fields in rows(folder / f"data.{name}"):
            synsets[part, fields[0]] = fields
    for (part, offset), fields in synsets.items():
        end = 4 + 2 * int(fields[3], 16)
        for at in range(end + 1, end + 1 + 4 * int(fields[end]), 4):
            symbol, to, to_part, places = fields[at : at + 4]
            if symbol != DERIVATION or not int(places[:2], 16):
                continue
            other = synsets["a" if to_part == "s" else to_part, to]
            one, two = _word(fields, int(places[:2], 16)), _word(other, int(places[2:], 16))
            tags = max(
                counts.get((one, part, numbers.get((one, part, offset), 0)), 0),
                counts.get((two, to_part, numbers.get((two, to_part, to), 0)), 0),
            )
            yield one, two, tags


def _word(fields: list[str], number: int) -> str:
    return SYNTACTIC_MARKER.sub("", fields[4 + 2 * (number - 1)])


def derivations(folder: Path, stop_words: frozenset[str]) -> dict[str, list[str]]:
    """For each word its relatives, the most often tagged first, ties by alphabet."""
    term = Analyzer("en").word
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for one, two, tags in links(folder):
        is_plain = WORD.fullmatch(one) and WORD.fullmatch(two) and one[:ALIKE] == two[:ALIKE]
        if tags and is_plain and term(one) != term(two) and not stop_words & {one, two}:
            for word, other in ((one, two), (two, one)):
                found[word][other] = max(tags, found[word].get(other, 0))
    return {word: sorted(others, key=lambda other: (-others[other], other))[:MOST] for word, others in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Derive the derivations from WordNet 3.0.")
    parser.add_argument("--wordnet", type=Path, required=True, help="folder of WordNet's index, data and cntlist.rev files")
    parser.add_argument("--stop-words", type=Path, default=DATA / "stopwords" / "en.txt", help="the English stop words")
    parser.add_argument("--out", type=Path, default=DATA / "derivations.tsv", help="file to write")
    chosen = parser.parse_args()
    entries = derivations(chosen.wordnet, listed_words(chosen.stop_words))
    lines = ["\t".join([word, *entries[word]]) for word in sorted(entries)]
    chosen.out.write_text(HEADER + "".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
