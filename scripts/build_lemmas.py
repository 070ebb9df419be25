"""Derives src/nescio/analysis/data/lemmas.tsv from lemminflect's lookup table, so that the file can be made again.

The table holds the inflected forms of English that the Snowball stemmer does not bring together with their lemma ("mice",
"thrown", "indices", "fastest"), and nothing else. A form is kept when

- it and its lemma are single words of lower-case letters, and their stems differ;
- all of its readings that are in use lead to one and the same stem, so that nothing has to be guessed;
- it is no word of its own: not itself a lemma, except an adjective made of the verb's participle ("broken", "hidden");
- the lemma is in use: WordNet's tagged texts hold it, or it is a technical word named below.

    python scripts/build_lemmas.py --wordnet /usr/share/wordnet --out src/nescio/analysis/data/lemmas.tsv

lemminflect must be installed (only its data files are read); the folder is that of Debian's package `wordnet-base`, PyStemmer
is the project's own dependency. The output depends on these alone.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path

import Stemmer

DATA = Path(__file__).resolve().parent.parent / "src" / "nescio" / "analysis" / "data"
FORM = re.compile(r"[a-z]{3,}")
LEMMA = re.compile(r"[a-z]{2,}")
OPEN_CLASSES = ("verb", "noun", "adj")
# Words of software that WordNet's texts, older than most of it, do not use.
TECHNICAL_LEMMAS = """
alias canvas codec corpus datum enum formula hyperlink lemma mutex override overwrite prefix rebuild redo redraw regex
reread rerun resend rethrow rewrite schema suffix unbind undo unfreeze vertex virus withhold
"""
# Forms with a meaning of their own that lemminflect does not list as a lemma, forms that name something in software, and
# forms that nobody should meet.
OWN_MEANING = """
ani axed bespoke best better bit born calli damndest damneder damnedest data elder eldest exes felt fewer fewest found gamer
gayer greater greatest ground later latest latter least leaves led left lit lives lower lowest media people pros queerer
queerest regalia reis riales saw selves shat shot stuck tared taring worse worst wound
"""
# Their forms are stop words.
AUXILIARIES = frozenset({"be", "can", "do", "have", "may", "shall", "will"})
# Where two readings compete and documentation knows only one.
DECIDED = {"analyses": "analysis", "axes": "axis"}
HEADER = """\
# Derived from lemminflect's lookup table by scripts/build_lemmas.py; do not edit. See NOTICE for its licence.
# An inflected form that the Snowball stemmer does not bring together with its lemma, then the lemma.
"""

Readings = dict[str, dict[str, tuple[str, ...]]]


def lookup_table(path: Path) -> Readings:
    """Returns form -> part of speech -> lemmas from lemminflect's `lemma_lu.csv.gz`."""
    readings: Readings = defaultdict(dict)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            form, part, lemmas = line.rstrip("\n").split(",")
            readings[form][part] = tuple(lemmas.split("/"))
    return readings


def base_forms(path: Path) -> dict[str, frozenset[str]]:
    """Returns lemma -> its parts of speech from lemminflect's `infl_lu.csv.gz`."""
    parts: dict[str, set[str]] = defaultdict(set)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            lemma, part = line.rstrip("\n").split(",")[:2]
            parts[lemma].add(part)
    return {lemma: frozenset(found) for lemma, found in parts.items()}


def used_words(folder: Path) -> frozenset[str]:
    """Returns the words that WordNet's tagged texts use at least once, and the technical ones, without auxiliaries."""
    lines = (folder / "cntlist.rev").read_text(encoding="ascii").split("\n")
    return (frozenset(line.partition("%")[0] for line in lines) | frozenset(TECHNICAL_LEMMAS.split())) - AUXILIARIES


def is_own_word(form: str, readings: Mapping[str, tuple[str, ...]], bases: Mapping[str, frozenset[str]]) -> bool:
    """Says whether the form is a word of its own, beside being an inflection."""
    own_parts = bases.get(form, frozenset())
    is_participle = "verb" in readings and own_parts <= {"adj"}
    return form in OWN_MEANING.split() or bool(own_parts and not is_participle)


def only_lemma(readings: Mapping[str, tuple[str, ...]], form: str, used: Collection[str]) -> str | None:
    """Returns the lemma when all that are in use share one stem, other than the form's; verbs first, then nouns."""
    stem = Stemmer.Stemmer("english").stemWord
    found = [lemma for part in OPEN_CLASSES for lemma in readings.get(part, ()) if lemma != form]
    known = [lemma for lemma in found if lemma in used and LEMMA.fullmatch(lemma)]
    stems = {stem(lemma) for lemma in known}
    return known[0] if len(stems) == 1 and stem(form) not in stems else None


def lemmas(readings: Readings, bases: Mapping[str, frozenset[str]], used: Collection[str]) -> dict[str, str]:
    """Returns the table form -> lemma."""
    table = dict(DECIDED)
    for form, found in readings.items():
        if form in table or not FORM.fullmatch(form) or is_own_word(form, found, bases):
            continue
        lemma = only_lemma(found, form, used)
        if lemma is not None:
            table[form] = lemma
    return table


def resources() -> Path:
    """Returns the folder of lemminflect's data files, without importing the package (which loads them all)."""
    spec = importlib.util.find_spec("lemminflect")
    if spec is None or spec.origin is None:
        raise SystemExit("lemminflect is not installed: pip install lemminflect, or give its folder with --lemminflect")
    return Path(spec.origin).parent / "resources"


def main() -> None:
    parser = argparse.ArgumentParser(description="Derive the table of lemmas from lemminflect.")
    parser.add_argument("--wordnet", type=Path, required=True, help="folder with WordNet's cntlist.rev")
    parser.add_argument("--lemminflect", type=Path, help="folder of lemminflect's data files (default: the installed one's)")
    parser.add_argument("--out", type=Path, default=DATA / "lemmas.tsv", help="file to write")
    chosen = parser.parse_args()
    source = chosen.lemminflect or resources()
    table = lemmas(lookup_table(source / "lemma_lu.csv.gz"), base_forms(source / "infl_lu.csv.gz"), used_words(chosen.wordnet))
    lines = [f"{form}\t{table[form]}\n" for form in sorted(table)]
    chosen.out.write_text(HEADER + "".join(lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
