"""Cuts text into terms, for documents and questions alike: words, and identifiers whole and in parts.

Text goes in, terms come out; a term holds no offset, and nothing here moves one. One white-space separated chunk of text
is analysed once and remembered, because documentation repeats itself (nine chunks of ten are met again).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence

import Stemmer

from nescio.analysis import lexicon

# A change of what this module makes of a text must change this name: an index says with which analyzer it was built. Stemmers
# change with their library.
ANALYZER = f"terms-1 snowball-{Stemmer.version()}"

CACHED_CHUNKS = 200_000  # distinct chunks remembered by one analyzer: about 40 MB at most
LONGEST_CACHED = 8  # words in a remembered chunk; a longer one (a sentence without spaces, minified code) hardly comes again
SHORTEST_WRITTEN = 4  # letters; a shorter word is too near to too many others to be meant by another
LONGEST_TERM = 80  # code points; what is longer is no word that anyone asks for (base64, minified code)

Token = tuple[str, ...]  # the term of one position; a compound's parts follow it

# Scripts written without spaces: Han, kana, Hangul, Thai, Lao, Khmer, Myanmar. Matched by single and by pairs of letters.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")

_FOLDED = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u201c": '"', "\u201d": '"',
        "\u2010": "-", "\u2011": "-", "\u2212": "-", "\u2013": "\u2013", "\u2014": "\u2013", "\u2015": "\u2013",
        "\u00ad": None, "\u200b": None, "\u200c": None, "\u200d": None, "\u2060": None, "\ufeff": None,
    }
)  # fmt: skip

_WORD = r"[^\W_](?:[\w\u0300-\u036f]*[^\W_])?|_+\w+"
_TOKEN = re.compile(
    rf"""
      \$\{{?(?P<variable>[A-Za-z_]\w*)\}}?              # $HOME, ${{HOME}}
    # --no-cache, -v, and a dash that typography made of two hyphens
    | (?<![\w\u0300-\u036f])(?P<flag>--?[A-Za-z][\w-]*|\u2013[A-Za-z][\w-]*)
    | (?P<symbol>[A-Za-z](?:\+\+|\#))(?![^\W\d])         # C++, C#, C++17
    | (?<!\w)(?P<dotted>\.[A-Za-z]\w*(?:[.-]\w+)*)       # .NET, .libPaths
    | (?P<word>(?:{_WORD})(?:(?:'|::|[-.:/@])(?:{_WORD}))*)
    | (?P<other>[\u2190-\u2bff\U0001f000-\U0001faff])    # arrows, symbols, emoji
    """,
    re.VERBOSE,
)
_JOINT = re.compile(r"::|[-._:/@']+")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+(?:[-.]?(?:a|b|rc|alpha|beta|dev|post)\.?\d*)?$")
_NUMBER = re.compile(r"[\d.,:/-]+$")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])\d*|[A-Z]+\d*(?![a-z])|[A-Z]?[a-z]+\d*|\d+[a-z]*|[^\W\dA-Za-z_]+")
_POSSESSIVE = re.compile(r"'s?$", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+(?:[-_.][^\W\d_]+)*$")
_PLAIN = re.compile(r"[^\W\d_]+(?:[\u0300-\u036f][^\W\d_]*)*$")


class Analyzer:
    """The terms of a text in one language (ISO code; an unknown one gets no stemmer and no stop words).

    Not safe for use by two threads at once: the stemmer keeps state. Make one for each.
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self.stop_words = lexicon.stop_words(language)
        self._lemmas = lexicon.lemmas() if language == "en" else {}
        name = lexicon.stemmer_language(language)
        self._stem: Callable[[str], str] = Stemmer.Stemmer(name, 0).stemWord if name else str
        self._chunks: dict[str, tuple[Token, ...]] = {}
        self._written: dict[str, tuple[str, ...]] = {}
        self._phrases = _by_pivot(lexicon.function_phrases(language), self.stop_words)
        self._pivotal: set[str] = set()  # chunks with the word that a function phrase is found by

    def tokens(self, text: str) -> list[Token]:
        """One entry a position, in order: the term, then the parts of a compound. A word of a function phrase is `()`."""
        known, chunks = self._chunks, text.split()
        found: list[Token] = []
        for chunk in chunks:
            try:
                found += known[chunk]
            except KeyError:
                found += self._remember(chunk)
        return found if self._pivotal.isdisjoint(chunks) else self._without_phrases(found)

    def words(self, text: str) -> list[tuple[str, Token]]:
        """As `tokens`, each with the word as written (lower case), without what function phrases make of no content."""
        found = [pair for chunk in text.split() for pair in self._cut(chunk)]
        tokens = [token for _, token in found]
        kept = self._without_phrases(tokens)
        return [(word, token) for (word, _), token in zip(found, kept, strict=True) if token]

    def is_stop_word(self, term: str) -> bool:
        """Whether `term`, as this analyzer makes terms, carries no topic."""
        return term in self.stop_words

    def word(self, word: str) -> str:
        """The term of one plain word: lower case, lemma, stem. A stop word stays as it is."""
        low = word.lower()
        if low in self.stop_words or len(low) < 3 or not _PLAIN.match(low):
            return low
        return self._stem(self._lemmas.get(low, low))

    def written(self, chunks: Iterable[str]) -> set[str]:
        """The words in white-space separated chunks as written, in lower case: what a reader may have meant to type. Only those
        of letters (and what joins names), at least SHORTEST_WRITTEN of them.
        """
        known = self._written
        found: set[str] = set()
        for chunk in chunks:
            words = known.get(chunk)
            if words is None:
                words = known[chunk] = tuple(_written_words(chunk))
            found.update(words)
        if len(known) >= CACHED_CHUNKS:
            known.clear()
        return found

    def _remember(self, chunk: str) -> tuple[Token, ...]:
        tokens = tuple(token for _, token in self._cut(chunk))
        if any(token[0] in self._phrases for token in tokens):
            self._pivotal.add(chunk)
        if len(tokens) > LONGEST_CACHED:
            return tokens
        if len(self._chunks) >= CACHED_CHUNKS:
            self._chunks.clear()
        self._chunks[chunk] = tokens
        return tokens

    def _cut(self, chunk: str) -> Iterator[tuple[str, Token]]:
        folded = unicodedata.normalize("NFKC", chunk.translate(_FOLDED))
        start = 0
        for run in _UNSPACED_RUN.finditer(folded):
            yield from self._spaced(folded[start : run.start()])
            yield from ((token[0], token) for token in _grams(run.group()))
            start = run.end()
        yield from self._spaced(folded[start:])

    def _spaced(self, text: str) -> Iterator[tuple[str, Token]]:
        for match in _TOKEN.finditer(text):
            token = self._token(match)
            if token and len(token[0]) <= LONGEST_TERM:
                yield match.group().lower(), token

    def _token(self, match: re.Match[str]) -> Token:
        kind, text = match.lastgroup, match.group()
        if kind == "variable":
            name = match.group("variable")
            return _distinct("$" + name.lower(), name.lower(), *self._parts(name))
        if kind == "flag":
            return self._flag(text.replace("\u2013", "--"))
        if kind in ("symbol", "other"):
            return (text.lower(),)
        if kind == "dotted":
            return _distinct(text.lower(), self._whole(text[1:]), *self._parts(text[1:]))
        word = _POSSESSIVE.sub("", text) if text.lower() not in self.stop_words else text
        return _distinct(self._whole(word), *self._parts(word)) if word else ()

    def _flag(self, text: str) -> Token:
        bare = text.lstrip("-")
        if len(bare) == 1:
            return (text,)
        return _distinct(text.lower(), self._whole(bare), *self._parts(bare))

    def _whole(self, word: str) -> str:
        return self.word(word) if _PLAIN.match(word) else word.lower().strip("_")

    def _parts(self, word: str) -> Sequence[str]:
        """The terms that a compound is made of; none for a plain word, a number or a version."""
        if _VERSION.match(word.lower()) or _NUMBER.match(word):
            return ()
        pieces = [piece for piece in _JOINT.split(word) if piece]
        small = [part for piece in pieces for part in _camel(piece)]
        names = pieces if len(small) > len(pieces) > 1 else []
        parts = [self.word(part) for part in (*names, *small)]
        return parts if len(parts) > 1 else ()

    def _without_phrases(self, tokens: list[Token]) -> list[Token]:
        for at, token in enumerate(tokens):
            for before, words in self._phrases.get(token[0] if token else "", ()):
                start = at - before
                if start >= 0 and _matches(tokens, start, words):
                    tokens[start : start + len(words)] = [() for _ in words]
        return tokens


def _written_words(chunk: str) -> list[str]:
    folded = _UNSPACED_RUN.sub(" ", unicodedata.normalize("NFKC", chunk.translate(_FOLDED)))
    words = (_POSSESSIVE.sub("", match.group("word") or "").lower() for match in _TOKEN.finditer(folded))
    return [word for word in words if SHORTEST_WRITTEN <= len(word) <= LONGEST_TERM and _LETTERS.match(word)]


def _matches(tokens: list[Token], start: int, words: tuple[str, ...]) -> bool:
    there = tokens[start : start + len(words)]
    return len(there) == len(words) and all(token and token[0] == word for token, word in zip(there, words, strict=True))


def _by_pivot(
    phrases: Iterable[tuple[str, ...]], stop_words: frozenset[str]
) -> dict[str, tuple[tuple[int, tuple[str, ...]], ...]]:
    """Phrases by their first word that is not a stop word, with the number of words before it."""
    found: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
    plain = Stemmer.Stemmer("english", 0).stemWord
    for phrase in phrases:
        terms = tuple(word if word in stop_words or len(word) < 3 else plain(word) for word in phrase)
        pivot = next((at for at, word in enumerate(phrase) if word not in stop_words), None)
        if pivot is not None:
            found.setdefault(terms[pivot], []).append((pivot, terms))
    return {pivot: tuple(sorted(entries, key=lambda entry: -len(entry[1]))) for pivot, entries in found.items()}


def _camel(piece: str) -> list[str]:
    """CamelCase and letters after digits, with a lone first letter kept on what follows it (OAuth2, eBPF)."""
    if piece.islower() or piece.isupper() or piece.isdigit():
        return [piece]
    cases = piece if piece.isascii() else "".join(map(_case, piece))
    parts = [piece[match.start() : match.end()] for match in _CAMEL.finditer(cases)]
    if len(parts) > 1 and len(parts[0]) == 1:
        parts[:2] = [parts[0] + parts[1]]
    return parts or [piece]


def _case(letter: str) -> str:
    """An ASCII letter of the same case, so that one expression serves every alphabet; what has no case stays."""
    if letter.isascii():
        return letter
    if letter.isupper():
        return "A"
    return "a" if letter.islower() or not letter.isalnum() else letter


def _grams(run: str) -> Iterable[Token]:
    """Pairs of letters, each followed by its first letter as a part; a lone letter is a term."""
    if len(run) == 1:
        yield (run,)
    for at in range(len(run) - 1):
        yield (run[at : at + 2], run[at]) if at < len(run) - 2 else (run[at : at + 2], run[at], run[at + 1])


def _distinct(*terms: str) -> Token:
    return tuple(dict.fromkeys(term for term in terms if term))
