"""Derives src/nescio/analysis/data/synonyms.tsv from WordNet 3.0, so that the file can be made again and its rule be read.

Two words are synonyms here when one synset is the dominant sense of both. A sense is dominant when it is the first one that
WordNet lists for the word in that part of speech, it was tagged at least once in WordNet's texts, and it makes up at least
two fifths of all that was tagged for the word in any part of speech. Words that were not are too rare for documentation;
words that live by several senses ("strike", "draw") mislead more often than they help.

Synsets that WordNet marks by their usage (slang, slurs, obscenity, figures of speech) are left out.

Only single words of lower-case letters are kept, and no stop words. A word of the curated thesaurus gets no entry: what it
means in software is said there. A word that software uses in a sense of its own ("thread" is no yarn) appears on neither side.

    python scripts/build_synonyms.py --wordnet /usr/share/wordnet --out src/nescio/analysis/data/synonyms.tsv

The folder is that of Debian's package `wordnet-base`. The output depends on the input files alone.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "src" / "nescio" / "analysis" / "data"
PARTS_OF_SPEECH = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
# Sense keys number the parts of speech; 5 is a satellite adjective, which lives in the files of the adjectives.
KEY_PARTS_OF_SPEECH = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
# Shorter words are mostly abbreviations, symbols of elements and letters.
WORD = re.compile(r"[a-z]{3,}")
SYNTACTIC_MARKER = re.compile(r"\((?:a|p|ip)\)$")
# The pointer from a synset to the domain of its usage.
USAGE = ";u"
MINIMUM_TAGS = 1
DOMINANT_SHARE = 0.4
# More than four alternatives of one word outweigh the question's other words.
MAXIMUM_SYNONYMS = 4
HEADER = """\
# Derived from WordNet 3.0 by scripts/build_synonyms.py; do not edit. See NOTICE for the licence of WordNet.
# A word, then the words that share its dominant sense, the most used first.
"""

# Words that software uses in a sense WordNet does not know, or not as the first one.
SOFTWARE_SENSES = """
abstract accepted access account action active actor adapter address agent aggregate alarm alert alias allocation anchor
annotation app application apply architecture archive area argument arm array aspect assembly assert assertion asset assign
associate attach attempt attribute audience author axis back backend balance band bank bar bare base batch beacon bean
binary bind binding bit blame blob block board body bot bound box branch break bridge broker browser bucket budget buffer
bug bulk bundle bus button cache call callback canvas capacity capture card cargo case cast catalog cell center chain change
channel character chart chat check child chunk claim class clean client clock clone closure cloud cluster code collect
collection color column command comment commit compiler component composer compound compute computer concern condition
conduct connection console constant container content context contract control controller convention cookie copy core
counter coverage crate crawler create crop cross cursor cut cycle daemon data date deck default definition degree delegate
delivery demand dependency derive descriptor design developer device diff digest dimension direct directive discount disk
dispatch display distribution dock docker doctor document dollar domain draft draw drift drive driver drop duck dump dust
echo edge edit editor effect elastic element email embed encoder end endpoint engine enter entity entry environment epoch
equal escape event exchange expand expect export expose expression extend extension face fact factor factory fail family
feature feed fetch field figure file filter fire firm fixed flag flash flat fleet float floor flow flush focus folder font
foot footer force fork form format forward frame framework free front fuel function gate gateway gem general generator ghost
glob global glue goal grade graph green grid group guard guest guide handle handler hard harness hash head header heap heart
helm hit hold home hook host hub icon identity image implement implementation import incident index inherit input insert
inspect instance instruction instrument integration interface internal interval issue item job join journal jump just kernel
key kill kind label lambda language launch layer layout lead leader leaf leak lease level library license lift limit line
link list listener literal live load loader local lock log logic loop machine macro mail main manager manifest map mapping
mark markup mask master match matrix maven mean measure media member memory menu merge mesh message metal method metric
migration minute mirror mixed mock mode model module monitor mount mouse move mutation name native neighbor nest net network
node normal note notebook notice null number object observer offset open operand operation operator optic option oracle
order organ origin output owner pack package packet page pane panel parallel parameter parcel parent parse parser part
partial partition partner party pass patch path pattern payload peer pending performance permission persist phase phone
physician pick pin ping pipe pipeline pixel place plain plan plane plant platform play plot plug plugin point pointer policy
pool port post power practice predicate prefix present pressure primitive print private probe problem procedure process
processor product production profile program project promise prompt proof property protocol provider provision proxy public
publish pull pump push python quantum query question queue race rack rail random range rank rate raw react read reader ready
real reason recall receiver record recovery redirect reduce reference reflection region register registry regular relation
release remote render rent repeat replica report repository request require resolution resolve resource response rest result
return review ring role roll root rotate round route router routine row ruby rule run runner runtime rust safe sample
sanitize scale scan scene schema scheme scope score screen script search second secret section sector secure security seed
select selector semaphore send sense sensor sentinel sequence serial server service session set shade shadow shape share
shared sheet shell shield shift short shot show sidecar sign signal signature sink site size skeleton skip slack slave slice
slot snap snapshot socket solution sort source space span spark spawn special split spring square stack staff stage stale
stamp stand standard star start state statement static statistics status step stick stock stop storage store story stream
strict string strip structure stub style subject submit subnet subscribe subscription suit suite sum summary super supply
support suppress surface swap swarm swift switch symbol sync syntax system tab table tag tagged tail target task team
template tenant term terminal test text theme theory thread threshold throw ticket tie tile time timer title token tool
toolkit topic total touch track traffic train trait transaction transfer transform transit transport trap tree trend trial
trigger triple trunk trust tunnel tuple turn type union unit universal unlock user utility valid value variable variant
vector vendor verb version vertex view virtual visitor volume wall watch wave web weight well wheel white widget width
window wire wizard word work worker workspace world wrap wrapper write yarn yield zone zoom
"""
# Words that hurt and that WordNet does not mark.
OFFENSIVE = "bedamn damn damned darned goddam goddamn goddamned prostitute queer whore"
EXCLUDED_WORDS = frozenset(f"{SOFTWARE_SENSES} {OFFENSIVE}".split())


@dataclass(frozen=True, slots=True)
class Sense:
    """A word in one part of speech, at its first synset, with how often that sense and the whole word were tagged."""

    word: str
    part: str
    offset: str
    tags: int
    tags_of_word: int

    def is_dominant(self) -> bool:
        return self.tags >= MINIMUM_TAGS and self.tags >= DOMINANT_SHARE * self.tags_of_word


def rows(path: Path) -> Iterator[list[str]]:
    """Yields the fields of a WordNet file's lines, without its licence, which is indented."""
    with path.open(encoding="ascii", newline="\n") as lines:
        for line in lines:
            if not line.startswith(" "):
                yield line.split()


def tag_counts(folder: Path) -> dict[tuple[str, str, int], int]:
    """Returns how often (word, part of speech, number of the sense) was tagged."""
    counts: dict[tuple[str, str, int], int] = defaultdict(int)
    for key, number, count in rows(folder / "cntlist.rev"):
        word, _, rest = key.partition("%")
        counts[word, KEY_PARTS_OF_SPEECH[rest[0]], int(number)] += int(count)
    return counts


def first_senses(folder: Path) -> Iterator[Sense]:
    """Yields the first sense of every single word, in the order of the index files."""
    counts = tag_counts(folder)
    totals: dict[str, int] = defaultdict(int)
    for (word, _, _), count in counts.items():
        totals[word] += count
    for part, name in PARTS_OF_SPEECH.items():
        for fields in rows(folder / f"index.{name}"):
            word, synsets = fields[0], int(fields[2])
            if WORD.fullmatch(word):
                yield Sense(word, part, fields[-synsets], counts.get((word, part, 1), 0), totals[word])


def members(folder: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    """Returns the words of every synset without a mark of usage as written there, by part of speech and offset."""
    synsets = {}
    for part, name in PARTS_OF_SPEECH.items():
        for fields in rows(folder / f"data.{name}"):
            end = 4 + 2 * int(fields[3], 16)
            pointers = fields[end + 1 : end + 1 + 4 * int(fields[end]) : 4]
            if USAGE in pointers:
                continue
            words = fields[4:end:2]
            synsets[part, fields[0]] = tuple(SYNTACTIC_MARKER.sub("", word) for word in words)
    return synsets


def synonyms(folder: Path, curated: frozenset[str], banned: frozenset[str]) -> dict[str, list[str]]:
    """Returns for each word the words that share its dominant sense, the most often tagged first, ties by alphabet.

    Words of `curated` get no entry, but may be another word's synonym; words of `banned` are neither.
    """
    synsets = members(folder)
    groups: dict[tuple[str, str], list[Sense]] = defaultdict(list)
    for sense in first_senses(folder):
        # The index folds case: the synset tells "turkey" from "Turkey".
        if sense.is_dominant() and sense.word not in banned and sense.word in synsets.get((sense.part, sense.offset), ()):
            groups[sense.part, sense.offset].append(sense)
    ranked: dict[str, dict[str, int]] = defaultdict(dict)
    for group in groups.values():
        for sense in group:
            ranked[sense.word] |= {other.word: other.tags for other in group if other.word != sense.word}
    return {word: most_used(others) for word, others in ranked.items() if others and word not in curated}


def most_used(tags: Mapping[str, int]) -> list[str]:
    return sorted(tags, key=lambda word: (-tags[word], word))[:MAXIMUM_SYNONYMS]


def listed_words(path: Path) -> frozenset[str]:
    """Returns every single word of one of our own lists, whose members stand apart by tabs or line ends."""
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]
    return frozenset(member for line in lines for member in line.split("\t") if " " not in member)


def main() -> None:
    parser = argparse.ArgumentParser(description="Derive the synonyms from WordNet 3.0.")
    parser.add_argument("--wordnet", type=Path, required=True, help="folder of WordNet's index, data and cntlist.rev files")
    parser.add_argument("--thesaurus", type=Path, default=DATA / "thesaurus.tsv", help="the curated thesaurus")
    parser.add_argument("--stop-words", type=Path, default=DATA / "stopwords" / "en.txt", help="the English stop words")
    parser.add_argument("--out", type=Path, default=DATA / "synonyms.tsv", help="file to write")
    chosen = parser.parse_args()
    banned = EXCLUDED_WORDS | listed_words(chosen.stop_words)
    entries = synonyms(chosen.wordnet, listed_words(chosen.thesaurus), banned)
    lines = ["\t".join([word, *entries[word]]) for word in sorted(entries)]
    chosen.out.write_text(HEADER + "".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
