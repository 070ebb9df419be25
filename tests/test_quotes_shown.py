"""How many quotes an answer has: one where one is enough, another that adds to it; what else answers is listed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from nescio.domain.answers import Answer
from nescio.engine import Engine
from nescio.surfaces import wire
from support.projects import Project

PAGES = {
    "lions.md": "# Lions\n\nThe lion sleeps all day in the shade of a tree.\n",
    "night.md": "# Night\n\nThe lion sleeps all day and hunts in the night.\n",
    "zebras.md": "# Zebras\n\nThe zebra grazes in the morning near the river.\n",
    "other.md": "# Other\n\nSomething else is told here of the weather.\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    project = Project(tmp_path_factory.mktemp("shown")).write_all(PAGES)
    project.build()
    with project.engine() as opened:
        yield opened


def answered(engine: Engine, question: str, **options: object) -> Answer:
    result = engine.ask(question, **options)  # type: ignore[arg-type]
    assert isinstance(result, Answer), result
    return result


def paths(result: Answer) -> list[str]:
    return [quote.path for quote in result.quotes]


def test_one_quote_is_shown_where_another_adds_nothing(engine: Engine) -> None:
    found = answered(engine, "when does the lion sleep", floor=0.1)
    assert len(found.quotes) == 1
    assert found.withheld == 1


def test_another_quote_is_shown_where_it_has_words_that_the_first_has_not(engine: Engine) -> None:
    found = answered(engine, "when does the lion sleep and the zebra graze", floor=0.1)
    assert len(found.quotes) == 2
    assert "zebras.md" in paths(found)


def test_with_a_limit_so_many_are_shown(engine: Engine) -> None:
    found = answered(engine, "when does the lion sleep", floor=0.1, limit=2)
    assert sorted(paths(found)) == ["lions.md", "night.md"]
    assert (found.withheld, found.more) == (0, ())


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_no_more_are_shown_than_the_limit(engine: Engine, limit: int) -> None:
    assert len(answered(engine, "lion sleep zebra graze", floor=0.0, limit=limit).quotes) == limit


def test_what_answers_too_is_listed_without_its_words(engine: Engine) -> None:
    found = answered(engine, "when does the lion sleep", floor=0.1)
    (place,) = found.more
    assert {place.path, *paths(found)} == {"lions.md", "night.md"}
    assert (place.missing, place.first_words) == ((), "")
    told = wire.answer_json(found)["more"]
    assert [one["path"] for one in told] == [place.path]
    assert not {"text", "spans", "quote_sha256", "document_sha256"} & set(told[0])


def test_what_is_listed_is_in_no_quote_and_reaches_the_floor(engine: Engine) -> None:
    for question in ("lion", "when does the lion sleep", "the lion and the zebra in the day and the night"):
        found = answered(engine, question, floor=0.1)
        ids = [place.passage_id for place in found.more]
        assert len(ids) == len(set(ids)) == min(found.withheld, 5)
        assert all(place.base >= found.floor for place in found.more)
        assert set(ids).isdisjoint(quote.passage_id for quote in found.quotes)


def test_a_part_of_a_section_that_is_shown_is_not_listed(project: Project) -> None:
    project.write("code.py", "zebra = Zebra(stripes=4)\n")
    project.write("a.md", "# Zebra stripes\n\nThe zebra has stripes, as here:\n\n{* code.py *}\n")
    project.build()
    with project.engine() as engine:
        found = answered(engine, "zebra stripes", floor=0.0)
        assert len(found.quotes) == 1
        assert {span.path for span in found.quotes[0].spans} == {"a.md", "code.py"}
        assert (found.withheld, found.more) == (0, ())


def test_the_longest_quote_is_what_the_rules_say(project: Project) -> None:
    parts = "\n\n".join(f"The part {number} is plain and says nothing of it at all." for number in range(60))
    project.write("a.md", f"# Lions\n\n{parts}\n\nThe lion sleeps in the shade.\n\n{parts}\n")
    project.build()
    with project.engine() as engine:
        for longest in (200, 2_000):
            with Engine(engine.index, replace(engine.rules, longest_quote=longest)) as narrow:
                (quote,) = answered(narrow, "where does the lion sleep", floor=0.1).quotes
                assert "The lion sleeps in the shade." in quote.text
                assert len(quote.text) <= longest * 1.1
                (mark,) = quote.highlights
                page = (project.docs / "a.md").read_text("utf-8")
                assert page[mark.start : mark.end] == "The lion sleeps in the shade."
                break  # an engine closes its index


def test_only_the_sentences_that_answer_are_quoted_where_they_are_asked_for(engine: Engine) -> None:
    (quote,) = answered(engine, "when does the lion sleep", floor=0.1, limit=1, detail="highlights").quotes
    assert [quote.text] == [quote.text.strip()]
    assert [(mark.start, mark.end) for mark in quote.highlights] == [(span.start, span.end) for span in quote.spans]
