"""What is written of a page and of all words is what is read again, whatever the words are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from nescio.domain.documents import Basis, BlockKind, Group, GroupKind, Passage, PassageBlock
from nescio.domain.spans import Span
from nescio.domain.terms import MAX_POSITION, PassageTerms, Sentence
from nescio.index import facts
from nescio.index.records import ABSENT, MAX_PAGE_TERMS, PageRecord, encode, id_key, term_hash, texts
from nescio.index.vocabulary import Tally, Vocabulary

# Anything that can stand between spaces: lone surrogates too, which JSON strings of a notebook can hold.
odd_terms = st.text(
    st.characters(exclude_categories=("Zs", "Zl", "Zp", "Cc")) | st.sampled_from("\ud800\udfff"), min_size=1, max_size=12
)
terms = odd_terms | st.sampled_from(["the", "of", "数据", "🤝", "c++", "--no-cache", "a", "e\u0301", "ß"])
occurrences = st.lists(st.integers(0, 2 * MAX_POSITION + 1), min_size=1, max_size=8, unique=True).map(sorted)
NOTHING = [None] * 9  # facts, where they do not matter
unique_terms = st.lists(terms, max_size=5, unique=True).map(tuple)


@st.composite
def passage_terms(draw: st.DrawFn, title: tuple[str, ...]) -> PassageTerms:
    positions = st.lists(st.integers(0, MAX_POSITION), max_size=6).map(sorted)
    return PassageTerms(
        draw(st.dictionaries(terms, occurrences, max_size=12)),
        tuple(Sentence(at, draw(st.booleans()), draw(st.booleans())) for at in draw(positions)),
        tuple(draw(positions)),
        draw(unique_terms),
        draw(unique_terms),
        title,
    )


@st.composite
def page_terms(draw: st.DrawFn) -> list[PassageTerms]:
    title = draw(unique_terms)
    return draw(st.lists(passage_terms(title), max_size=5))


def words_of(record: PageRecord, known: Sequence[str], locals_: Sequence[int]) -> set[str]:
    return {known[local] for local in locals_}


@given(page_terms())
def test_a_record_gives_back_the_words_of_each_passage(page: list[PassageTerms]) -> None:
    encoded = encode(page, [f"id{at}" for at in range(len(page))], (), NOTHING[: len(page)])
    record = PageRecord(memoryview(encoded.record))
    assert [record.local(term_hash(term)) for term in encoded.terms] == list(range(len(encoded.terms)))
    assert len(record) == len(page)
    for number, said in enumerate(page):
        passage = record.passage(number)
        for local, term in enumerate(encoded.terms):
            assert list(passage.places(local)) == said.places.get(term, [])
        assert {encoded.terms[local]: count for local, count in passage.counts()} == {
            term: len(places) for term, places in said.places.items()
        }
        assert list(passage.sentences) == [one.packed for one in said.sentences]
        assert list(passage.paragraphs) == list(said.paragraphs)
        assert words_of(record, encoded.terms, passage.heading) == set(said.heading)
        assert words_of(record, encoded.terms, passage.path) == set(said.path)
        assert record.lengths[number] == sum(map(len, said.places.values())) + len(said.heading) + len(said.path)
    assert words_of(record, encoded.terms, record.title) == (set(page[0].title) if page else set())


@given(page_terms())
def test_a_record_counts_the_words_of_the_page(page: list[PassageTerms]) -> None:
    encoded = encode(page, [str(at) for at in range(len(page))], (), NOTHING[: len(page)])
    record = PageRecord(memoryview(encoded.record))
    counts: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    for said in page:
        counts.update({term: len(places) for term, places in said.places.items()})
        counts.update(said.heading)
        spread.update({*said.places, *said.heading, *said.path})
    assert record.length == counts.total()
    assert {term: count for term, count in zip(encoded.terms, record.page_tf, strict=True) if count} == counts
    assert {term: count for term, count in zip(encoded.terms, record.spread(), strict=True) if count} == spread


@given(page_terms(), st.sets(odd_terms, max_size=6))
def test_a_record_gives_back_ids_and_words_as_written_and_facts(page: list[PassageTerms], written: set[str]) -> None:
    ids = [f"passage-{at}" for at in range(len(page))]
    said = [["\ud83d – 数据", number, None, {"\u2028": "\n"}] for number in range(len(page))]
    encoded = encode(page, ids, written, said)
    record = PageRecord(memoryview(encoded.record))
    assert list(record.ids) == [id_key(one) for one in ids]
    assert set(encoded.written) == written
    assert list(record.written) == sorted(map(term_hash, written))
    assert [record.facts(number) for number in range(len(page))] == said


@given(page_terms())
def test_what_the_search_index_is_given_agrees_with_the_counts(page: list[PassageTerms]) -> None:
    encoded = encode(page, [str(at) for at in range(len(page))], (), NOTHING[: len(page)])
    record = PageRecord(memoryview(encoded.record))
    passages, whole = texts(record, encoded.terms)
    assert len(passages) == len(page)
    for text, said in zip(passages, page, strict=True):
        expected = Counter({term: len(places) for term, places in said.places.items()})
        expected.update(said.heading)
        expected.update(said.path)
        assert Counter(text.split(" ") if text else []) == expected
    expected = Counter({term: count for term, count in zip(encoded.terms, record.page_tf, strict=True) if count})
    assert Counter(whole.split(" ") if whole else []) == expected


@given(page_terms())
def test_the_postings_of_a_record_are_the_words_of_its_passages(page: list[PassageTerms]) -> None:
    encoded = encode(page, [str(at) for at in range(len(page))], (), NOTHING[: len(page)])
    record = PageRecord(memoryview(encoded.record))
    for local, term in enumerate(encoded.terms):
        at = slice(record.starts[local], record.starts[local + 1])
        found = dict(zip(record.numbers[at], record.frequencies[at], strict=True))
        twice = {
            number: 2 * len(said.places.get(term, [])) + 2 * (term in said.heading) + (term in said.path)
            for number, said in enumerate(page)
        }
        assert found == {number: count for number, count in twice.items() if count}


def test_a_term_that_the_page_lacks_is_absent() -> None:
    page = [PassageTerms({"here": [0]}, (), (), (), (), ())]
    record = PageRecord(memoryview(encode(page, ["x"], (), [None]).record))
    assert record.local(term_hash("elsewhere")) == ABSENT
    assert list(record.passage(0).places(5)) == []


def test_a_page_with_more_words_than_there_are_numbers_keeps_the_first() -> None:
    many = [f"w{at}" for at in range(MAX_PAGE_TERMS + 500)]
    half = len(many) // 2
    page = [
        PassageTerms({term: [0] for term in many[:half]}, (), (), (), (), ()),
        PassageTerms({term: [0] for term in many[half:]}, (), (), (many[0],), (many[-1],), ()),
    ]
    encoded = encode(page, ["a", "b"], (), [None, None])
    record = PageRecord(memoryview(encoded.record))
    assert set(encoded.terms) == set(many[:MAX_PAGE_TERMS])
    assert list(record.passage(1).places(record.local(term_hash(many[half])))) == [0]
    assert record.local(term_hash(many[-1])) == ABSENT
    assert sum(count for _, count in record.passage(1).counts()) == MAX_PAGE_TERMS - half


def test_a_word_that_stands_on_every_position_is_counted_in_full() -> None:
    places = [2 * at + at % 2 for at in range(MAX_POSITION + 1)]
    page = [PassageTerms({"so": places}, (), (), ("so",), (), ())] * 5
    encoded = encode(page, list("abcde"), (), [None] * 5)
    record = PageRecord(memoryview(encoded.record))
    assert list(record.passage(2).places(0)) == places
    assert record.length == 5 * (len(places) + 1)
    assert record.page_tf[0] == 65_535  # as many as fit


SPANS = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda pair: Span(min(pair), max(pair)))
SEVERAL_SPANS = st.lists(SPANS, max_size=3).map(tuple)


@given(
    st.lists(st.builds(PassageBlock, st.sampled_from(BlockKind), SPANS, SEVERAL_SPANS, SEVERAL_SPANS), max_size=4).map(tuple),
    st.lists(st.builds(Group, st.sampled_from(GroupKind), SPANS), max_size=3).map(tuple),
    st.text(max_size=9),
    st.none() | st.lists(st.text(max_size=9), max_size=3).map(tuple),
    st.none() | st.integers(0, 9),
)
def test_the_facts_of_a_passage_are_given_back(
    blocks: tuple[PassageBlock, ...], groups: tuple[Group, ...], heading: str, shown: tuple[str, ...] | None, place: int | None
) -> None:
    basis = Basis.VERBATIM if shown is None else Basis.DECODED
    places = Span(3, 9), (Span(1, 2), Span(3, 9)), blocks
    passage = Passage("docs", "a.py", "p.md", "ab" * 32, *places, "Titel", (heading,), "a", basis, shown, place, groups)
    page = [PassageTerms({}, (), (), (), (), ())]
    encoded = encode(page, [passage.id], (), facts.encoded([passage], [7]))
    record = PageRecord(memoryview(encoded.record))
    assert facts.decoded(record.facts(0), "docs", "p.md") == (passage, 7)


counted = st.dictionaries(odd_terms, st.integers(1, 9), max_size=8)


def add(tally: Tally, page: dict[str, int]) -> None:
    tally.add(map(term_hash, page), page, page.values())


def read(tally: Tally) -> Vocabulary:
    return Vocabulary(memoryview(tally.encode()))


@given(st.lists(counted, max_size=6), st.data())
def test_a_tally_that_pages_left_is_one_they_never_met(pages: list[dict[str, int]], data: st.DataObject) -> None:
    stays = [data.draw(st.booleans()) for _ in pages]
    fresh, before = Tally(), Tally()
    for page, stay in zip(pages, stays, strict=True):
        add(before, page)
        if stay:
            add(fresh, page)
    worn = Tally(read(before), going_on=True)
    for page, stay in zip(pages, stays, strict=True):
        if not stay:
            worn.remove(map(term_hash, page), page.values())
    assert worn.encode() == fresh.encode()


@given(counted, counted)
def test_a_tally_that_starts_anew_knows_the_words_of_before_and_none_of_their_counts(
    before: dict[str, int], after: dict[str, int]
) -> None:
    first, fresh = Tally(), Tally()
    add(first, before)
    second = Tally(read(first))
    assert second.words(map(term_hash, before)) == tuple(before)
    add(second, after)
    add(fresh, after)
    assert second.encode() == fresh.encode()


@given(counted)
def test_a_vocabulary_is_read_as_it_was_written(words: dict[str, int]) -> None:
    tally = Tally()
    add(tally, words)
    found = read(tally)
    assert dict(zip(found.terms(), found.counts, strict=True)) == words
    assert len(found) == len(words)
    assert list(found.hashes) == sorted(map(term_hash, words))
    assert [found.count(term_hash(word)) for word in words] == list(words.values())
    assert found.count(term_hash("no such word, for it has spaces")) == 0
