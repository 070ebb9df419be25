"""Whatever proposes passages, the hits are the same: the search index, a look at every page, and the definitions agree."""

from __future__ import annotations

import random
from contextlib import closing
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nescio.domain.candidates import Scope
from nescio.domain.terms import PassageTerms
from nescio.engine import Engine
from nescio.index.corpus import POOL
from nescio.index.memory import MemorySearcher
from nescio.index.reading import StoredIndex
from support.corpora import pages, questions
from support.projects import Project, said_by
from support.synthetic import Naive, asked, by_memory, commit, made_page, opened, plain

SIZES = (1, 2, 7, 40, 150, 400)
PATHS = ("a/{}.md", "a/b/{}.md", "changelog/{}.md", "c/release-notes-{}.md", "z{}.md")
WORDS = [f"w{rank}" for rank in range(200)]
WEIGHTS = list(accumulate(1 / (rank + 1) for rank in range(len(WORDS))))
SCOPES = (
    Scope(),
    Scope(changelogs=False),
    Scope(("docs/a",)),
    Scope(("docs/a/b", "docs/z1.md"), changelogs=False),
    Scope(("docs/changelog",)),
    Scope(("docs/nowhere",)),
)


def made_corpus(seed: int, size: int) -> dict[str, list[PassageTerms]]:
    """Pages of made-up words; every eighth is a copy of another."""
    chance = random.Random(seed)
    found: dict[str, list[PassageTerms]] = {}
    for number in range(size):
        copied = chance.choice(list(found.values())) if found and number % 8 == 0 else None
        found[chance.choice(PATHS).format(number)] = copied or made_page(chance, WORDS, WEIGHTS)
    return found


def all_questions(stored: StoredIndex, seed: int, count: int) -> list[tuple[list[str], list[str], float]]:
    chance = random.Random(seed)
    return [
        (
            chance.choices(WORDS, cum_weights=WEIGHTS, k=chance.randint(1, 8)),
            chance.choices(WORDS, k=chance.randint(0, 2)),
            chance.choice((0.0, 3.0)),
        )
        for _ in range(count)
    ]


def assert_agrees(stored: StoredIndex, seed: int, count: int = 40) -> None:
    """Hit for hit, in every scope."""
    for words, extra, missing in all_questions(stored, seed, count):
        question = asked(stored, words, extra, missing)
        for scope in SCOPES:
            found = [plain(one) for one in stored.candidates(question, scope)]
            assert found == [plain(one) for one in by_memory(stored, question, scope)], (words, scope)


@pytest.mark.parametrize("size", SIZES)
def test_the_search_index_gives_the_hits_of_looking_at_every_page(tmp_path: Path, size: int) -> None:
    commit(tmp_path, made_corpus(size, size))
    with opened(tmp_path) as stored:
        assert_agrees(stored, size, 15 if size > 100 else 40)


@settings(max_examples=8)
@given(st.integers(0, 2**32), st.integers(1, 60))
def test_they_agree_after_pages_came_and_went(tmp_path_factory: pytest.TempPathFactory, seed: int, size: int) -> None:
    folder = tmp_path_factory.mktemp("index")
    chance = random.Random(seed)
    whole = made_corpus(seed, size)
    commit(folder, whole)
    for round_ in range(3):
        gone = frozenset(chance.sample(sorted(whole), min(len(whole) - 1, len(whole) // 4)))
        fresh = {f"a/new{round_}-{at}.md": made_page(chance, WORDS, WEIGHTS) for at in range(chance.randint(0, 3))}
        fresh |= {path: made_page(chance, WORDS, WEIGHTS) for path in sorted(set(whole) - gone)[:2]}
        commit(folder, fresh, gone)
        whole = {path: page for path, page in whole.items() if path not in gone} | fresh
    with opened(folder) as stored:
        assert [row.path for row in stored.manifest.pages] == sorted(whole)
        assert_agrees(stored, seed, 10)


def test_deleting_the_short_pages_leaves_no_hit_behind(tmp_path: Path) -> None:
    """Deleted pages still count in the search engine's mean length: its bounds must allow for that."""
    chance = random.Random(5)
    long = {f"long{at}.md": [made_page_of(chance, 120)] for at in range(60)}
    short = {f"short{at}.md": [made_page_of(chance, 2)] for at in range(11)}
    commit(tmp_path, long | short)
    commit(tmp_path, {}, frozenset(short))
    with opened(tmp_path) as stored:
        assert stored.manifest.dead == len(short)
        assert_agrees(stored, 5)


def made_page_of(chance: random.Random, length: int) -> PassageTerms:
    places: dict[str, list[int]] = {}
    for position, word in enumerate(chance.choices(WORDS, cum_weights=WEIGHTS, k=length)):
        places.setdefault(word, []).append(2 * position)
    return PassageTerms(places, (), (0,), (), (), ())


@pytest.mark.parametrize("count", [60, 500])
def test_of_equal_passages_the_first_by_key_are_taken(tmp_path: Path, count: int) -> None:
    same = [PassageTerms({"license": [0], "text": [2]}, (), (0,), (), (), ())]
    others = {f"o{at:04d}.md": [PassageTerms({"other": [0]}, (), (0,), (), (), ())] for at in range(10)}
    commit(tmp_path, others | {f"p{at:04d}.md": same for at in range(count)})
    commit(tmp_path, {"p0003.md": same, "a.md": same})
    with opened(tmp_path) as stored:
        question = asked(stored, ["license"])
        found = stored.candidates(question, Scope())
        assert [plain(one) for one in found] == [plain(one) for one in by_memory(stored, question, Scope())]
        paths = [stored.manifest.pages[one.key.page].path for one in found]
        assert paths == ["a.md", *(f"p{at:04d}.md" for at in range(POOL - 1))]


@pytest.mark.parametrize("size", [3, 40, 150])
def test_the_scores_are_those_of_the_definitions(tmp_path: Path, size: int) -> None:
    whole = made_corpus(size + 1, size)
    commit(tmp_path, whole)
    naive = Naive(whole)
    with opened(tmp_path) as stored:
        for words, extra, missing in all_questions(stored, size, 15):
            question = asked(stored, words, extra, missing)
            if not question.terms:
                continue
            scores = naive.scores(question)
            found = stored.candidates(question, Scope())
            assert [one.passage_bm25 + one.page_bm25 for one in found] == pytest.approx(naive.pool(question))
            for one in found:
                assert (one.passage_bm25, one.page_bm25, one.extra_bm25) == pytest.approx(scores[one.key])
                passage = whole[stored.manifest.pages[one.key.page].path][one.key.number]
                asked_for = [term.term for term in question.terms]
                assert [list(places) for places in one.places] == [passage.places.get(term, []) for term in asked_for]
                assert list(one.in_heading) == [term in passage.heading for term in asked_for]
                assert list(one.in_path) == [term in passage.path for term in asked_for]


@pytest.mark.parametrize("size", [0, 3, 150])
def test_every_passage_is_listed_and_every_word_is_on_the_pages_that_have_it(tmp_path: Path, size: int) -> None:
    whole = made_corpus(size + 2, size)
    commit(tmp_path, whole)
    paths = sorted(whole)
    with opened(tmp_path) as stored:
        assert list(stored.keys()) == [(rank, at) for rank, path in enumerate(paths) for at in range(len(whole[path]))]
        for word in (*WORDS[:20], "nowhere"):
            holding = [rank for rank, path in enumerate(paths) if any(_has(passage, word) for passage in whole[path])]
            assert stored.pages_with(word) == frozenset(holding)


def _has(passage: PassageTerms, word: str) -> bool:
    return any(word in part for part in (passage.places, passage.heading, passage.path, passage.title))


@pytest.mark.parametrize("size", [1, 20, 120])
def test_whole_answers_agree(project: Project, size: int) -> None:
    project.write_all(pages(size, size)).build()
    asked_for = questions(size, 30)
    with project.engine() as engine:
        by_search = said_by(engine, asked_for)
    with closing(project.stored()) as stored:
        engine = Engine(_Looking(stored))
        assert said_by(engine, asked_for) == by_search


class _Looking(StoredIndex):
    """The same generation, every page looked at."""

    def __init__(self, stored: StoredIndex) -> None:
        self.__dict__.update(stored.__dict__)
        self.__dict__["_searchers"] = MemorySearcher(stored.corpus, pages=False), MemorySearcher(stored.corpus, pages=True)


def test_an_index_without_a_passage_gives_no_hit(tmp_path: Path) -> None:
    commit(tmp_path, {"empty.md": []})
    with opened(tmp_path) as stored:
        assert (stored.documents, stored.passages, stored.words()) == (1, 0, [])
        assert stored.candidates(asked(stored, ["anything"]), Scope()) == []


def test_no_pages_at_all_make_an_index(tmp_path: Path) -> None:
    commit(tmp_path, {})
    with opened(tmp_path) as stored:
        assert (stored.documents, stored.passages) == (0, 0)
        assert stored.candidates(asked(stored, ["anything"]), Scope()) == []


words_of_any_sort = st.text(min_size=1, max_size=9).filter(lambda word: not any(letter.isspace() for letter in word))


@given(st.lists(words_of_any_sort, max_size=5, unique=True))
@settings(max_examples=12)
def test_whatever_the_words_are_they_are_found(tmp_path_factory: pytest.TempPathFactory, words: list[str]) -> None:
    folder = tmp_path_factory.mktemp("index")
    commit(folder, {f"p{at}.md": [PassageTerms({word: [0]}, (), (0,), (), (), ())] for at, word in enumerate(words)})
    with opened(folder) as stored:
        for at, word in enumerate(words):
            found = stored.candidates(asked(stored, [word]), Scope())
            assert [one.key.page for one in found] == [at]
