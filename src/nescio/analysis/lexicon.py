"""What is known of words before any document is read: stop words, irregular forms, synonyms, acronyms.

The tables are data files of the package. Each is read at its first use and kept for the life of the process; nothing is read at
import. All words are lower case; an apostrophe is the ASCII one, but a stop word is known with the typographic one as well.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

import Stemmer

# A curated pair is surer than a pair of general English; neither is as good as the word that was asked for.
THESAURUS_WEIGHT = 0.5
WORDNET_WEIGHT = 0.3

REMEMBERED = 4_096  # words of questions whose relatives are kept at hand: base forms are looked for in several tables

# A safe file name, so that a language from a configuration can't name a path.
LANGUAGE_CODE = re.compile(r"[a-z]{2,3}")
# Written forms of Norwegian that share its list and its stemmer.
LANGUAGE_ALIASES = MappingProxyType({"nb": "no", "nn": "no"})
PHRASE_LANGUAGE = "en"

STEMMERS = MappingProxyType(
    {
        "ar": "arabic",
        "ca": "catalan",
        "cs": "czech",
        "da": "danish",
        "de": "german",
        "el": "greek",
        "en": "english",
        "eo": "esperanto",
        "es": "spanish",
        "et": "estonian",
        "eu": "basque",
        "fa": "persian",
        "fi": "finnish",
        "fr": "french",
        "ga": "irish",
        "hi": "hindi",
        "hu": "hungarian",
        "hy": "armenian",
        "id": "indonesian",
        "it": "italian",
        "lt": "lithuanian",
        "ne": "nepali",
        "nl": "dutch",
        "no": "norwegian",
        "pl": "polish",
        "pt": "portuguese",
        "ro": "romanian",
        "ru": "russian",
        "sr": "serbian",
        "st": "sesotho",
        "sv": "swedish",
        "ta": "tamil",
        "tr": "turkish",
        "yi": "yiddish",
    }
)

# Ending -> what may have stood there before the inflection, the likeliest first.
INFLECTIONS = (
    ("ies", ("y",)),
    ("es", ("e", "")),
    ("s", ("",)),
    ("ied", ("y",)),
    ("ed", ("", "e")),
    ("ing", ("", "e")),
)
# What is left of a shorter word is no stem: "red" is no form of "re".
SHORTEST_STEM = 2
# "logging", "stopped"; plurals double nothing.
DOUBLED = re.compile(r"([bdgklmnprtvz])\1(?:ed|ing)$")


@lru_cache(maxsize=64)
def stop_words(language: str) -> frozenset[str]:
    """Returns the words of a language that carry no content; empty where there is no list.

    `language` is an ISO 639 code or a tag that starts with one ("pt", "pt-BR").
    """
    code = _code(language)
    words = _lines(f"stopwords/{code}.txt") if LANGUAGE_CODE.fullmatch(code) else []
    return frozenset(spelling for word in words for spelling in (word, word.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")))


@lru_cache(maxsize=64)
def function_phrases(language: str) -> tuple[tuple[str, ...], ...]:
    """Returns the phrases whose words carry no content where they stand together, the longest first, then by alphabet.

    Empty where there is no list.
    """
    if _code(language) != PHRASE_LANGUAGE:
        return ()
    phrases = (tuple(line.split(" ")) for line in _lines("function_phrases.txt"))
    return tuple(sorted(phrases, key=lambda phrase: (-len(phrase), phrase)))


@lru_cache(maxsize=64)
def frame_words(language: str) -> frozenset[str]:
    """Returns the words that frame a question and name no topic ("show", "mean"), as written; empty where there is no list."""
    return frozenset(_lines("frame_words.txt")) if _code(language) == PHRASE_LANGUAGE else frozenset()


@lru_cache(maxsize=1)
def lemmas() -> Mapping[str, str]:
    """Returns the English forms that the stemmer does not bring together with their lemma: form -> lemma."""
    return MappingProxyType(dict(line.split("\t") for line in _lines("lemmas.tsv")))


@lru_cache(maxsize=REMEMBERED)
def synonyms(word: str) -> tuple[tuple[str, float], ...]:
    """Returns other words for an English word or phrase, each with its weight, the surest first; empty where none is known.

    `word` is lower case; a phrase has its words apart by spaces or hyphens, and some of the answers are phrases ("sign in").
    An inflected form has the synonyms of its base form ("deleting" those of "delete"), and they are base forms. What the
    thesaurus of software says of a word or its base form stands alone; general English speaks only of other words.
    """
    key = word.replace("-", " ")
    for table, weight in ((_thesaurus(), THESAURUS_WEIGHT), (_wordnet(), WORDNET_WEIGHT)):
        base = next((base for base in _base_phrases(key) if base in table), None)
        if base is not None:
            return tuple((other, weight) for other in table[base] if other != key)
    return ()


@lru_cache(maxsize=REMEMBERED)
def derivations(word: str) -> tuple[str, ...]:
    """Returns words that an English word is made of or that are made of it ("reduction" for "reduce"), the most used first.

    `word` is lower case. An inflected form has those of its base form ("reducing" those of "reduce").
    """
    table = _derivations()
    return next((table[base] for base in (word, *_base_forms(word)) if base in table), ())


def acronym(word: str) -> tuple[tuple[str, ...], ...]:
    """Returns what a lower-case acronym stands for, a tuple of words for each meaning; empty where it is none.

    A plural is known by its singular ("apis").
    """
    expansions = _acronyms()
    return expansions.get(word) or expansions.get(word.removesuffix("s"), ())


def acronym_of(words: Sequence[str]) -> str | None:
    """Returns the acronym of exactly these lower-case words, the first by alphabet where there are two, or None.

    Hyphens count as spaces, and the last word may be a plural ("json web tokens").
    """
    phrase = " ".join(words).replace("-", " ")
    known = _acronyms_by_expansion()
    return known.get(phrase) or known.get(phrase.removesuffix("s"))


@lru_cache(maxsize=64)
def stemmer_language(language: str) -> str | None:
    """Returns the Snowball name of a language's stemmer, or None where the installed PyStemmer has none for it."""
    name = STEMMERS.get(_code(language))
    return name if name in Stemmer.algorithms() else None


def _code(language: str) -> str:
    primary = language.lower().replace("_", "-").partition("-")[0]
    return LANGUAGE_ALIASES.get(primary, primary)


def _lines(name: str) -> list[str]:
    """Returns the lines of a data file without comments and empty ones; none where there is no such file."""
    try:
        data = pkgutil.get_data("nescio.analysis", f"data/{name}") or b""
    except FileNotFoundError:
        return []
    lines = data.decode("utf-8").replace("\r", "").split("\n")
    return [line for line in lines if line and not line.startswith("#")]


@lru_cache(maxsize=1)
def _thesaurus() -> Mapping[str, tuple[str, ...]]:
    others: dict[str, dict[str, None]] = {}
    for group in (line.split("\t") for line in _lines("thesaurus.tsv")):
        for member in group:
            others.setdefault(member, {}).update(dict.fromkeys(other for other in group if other != member))
    return MappingProxyType({member: tuple(found) for member, found in others.items()})


@lru_cache(maxsize=1)
def _wordnet() -> Mapping[str, tuple[str, ...]]:
    entries = (line.split("\t") for line in _lines("synonyms.tsv"))
    return MappingProxyType({word: tuple(others) for word, *others in entries})


@lru_cache(maxsize=1)
def _derivations() -> Mapping[str, tuple[str, ...]]:
    entries = (line.split("\t") for line in _lines("derivations.tsv"))
    return MappingProxyType({word: tuple(others) for word, *others in entries})


@lru_cache(maxsize=1)
def _acronyms() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    meanings: dict[str, list[tuple[str, ...]]] = {}
    for short, expansion in (line.split("\t") for line in _lines("acronyms.tsv")):
        meanings.setdefault(short, []).append(tuple(expansion.split(" ")))
    return MappingProxyType({short: tuple(found) for short, found in meanings.items()})


@lru_cache(maxsize=1)
def _acronyms_by_expansion() -> Mapping[str, str]:
    known: dict[str, str] = {}
    for short, meanings in _acronyms().items():
        for meaning in meanings:
            known.setdefault(" ".join(meaning), short)
    return MappingProxyType(known)


def _base_phrases(phrase: str) -> Iterator[str]:
    """Yields the phrase, then with its first word in a base form ("logging in"), then its last ("rate limits")."""
    yield phrase
    first, *rest = phrase.split(" ")
    for base in _base_forms(first):
        yield " ".join([base, *rest])
    if rest:
        for base in _base_forms(rest[-1]):
            yield " ".join([first, *rest[:-1], base])


def _base_forms(word: str) -> Iterator[str]:
    """Yields what an English word may be an inflection of: what the table of lemmas says, then what its ending allows."""
    lemma = lemmas().get(word)
    if lemma is not None:
        yield lemma
    if DOUBLED.search(word):
        yield DOUBLED.sub(r"\1", word)
    for ending, originals in INFLECTIONS:
        stem = word.removesuffix(ending)
        if SHORTEST_STEM <= len(stem) < len(word) and not word.endswith("ss"):
            yield from (stem + original for original in originals)
