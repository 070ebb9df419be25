"""Fact cards: what becomes a fact, how a card is written, and how each kind of drift is told."""

import json
import shutil
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.analysis.tokens import Analyzer
from nescio.assembly.carding import ask_cards, build_cards, check_cards
from nescio.cards.checking import FIX, Checked, Verdict
from nescio.cards.collecting import Collected, collect
from nescio.cards.extracting import facts
from nescio.cards.identifying import identifiers
from nescio.cards.naming import named, section_asked
from nescio.cards.rendering import data, markdown, place, rendered
from nescio.cards.sections import Sections
from nescio.cards.values import NO_SOURCE, Card, Fact, Origin, hash_of
from nescio.cards.values import Section as CardSection
from nescio.config.headings import problem
from nescio.config.loading import Configuration, load
from nescio.domain.answers import Answer, Reason, Refusal
from nescio.domain.documents import Block, BlockKind, Document, Run
from nescio.domain.findings import FindingKind
from nescio.domain.spans import Span
from nescio.errors import ConfigFault, IngestFault, NotFoundFault
from nescio.ingest.parsers.choice import parser_for

GOLDEN = Path(__file__).parent / "golden" / "cards"
SECTIONS = {"setup": ["setup"], "commands": ["commands"], "limits": ["limits"]}
SKILL = """# fetch

## Setup

Run `fetch init` once.

## Commands

```sh
fetch all
fetch one NAME
```

## Limits

- At most ten feeds.
- A feed has at most a hundred items.
"""


def origin_of(path: str, text: str) -> Origin:
    return Origin(Document.from_bytes("cards", path, text.encode()))


def facts_of(text: str, path: str = "page.md") -> list[Fact]:
    origin = origin_of(path, text)
    parse = parser_for(path, None, text)
    assert parse is not None
    return list(facts(parse(origin.document), origin, Sections(SECTIONS)))


def texts_of(text: str, path: str = "page.md") -> list[str]:
    return [fact.text for fact in facts_of(text, path)]


def written(root: Path, files: dict[str, str]) -> Configuration:
    """Files below a folder, and the configuration that is in force there."""
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    return load(root, environ={}, flags={}, needs_docs=False)


CONFIG = '[cards.sections]\nsetup = ["setup"]\ncommands = ["commands"]\nlimits = ["limits"]\n'


@pytest.fixture
def built(tmp_path: Path) -> Configuration:
    """One skill with its card."""
    configuration = written(tmp_path, {"nescio.toml": CONFIG, "skills/fetch/SKILL.md": SKILL})
    build_cards(configuration)
    return configuration


def edit(configuration: Configuration, old: str, new: str, path: str = "skills/fetch/SKILL.md") -> None:
    file = configuration.root / path
    content = file.read_bytes()
    assert old.encode() in content
    file.write_bytes(content.replace(old.encode(), new.encode()))


def only(configuration: Configuration) -> Checked:
    (checked,) = check_cards(configuration).checked
    return checked


# What is a fact


def test_each_list_item_paragraph_row_and_runnable_line_is_a_fact() -> None:
    text = "## Setup\n\nA paragraph\nof two lines.\n\n- one\n- two\n\n1. three\n\n```sh\nrun it\n```\n\n"
    text += "| a | b |\n|---|---|\n| 1 | 2 |\n"
    assert texts_of(text) == ["A paragraph\nof two lines.", "one", "two", "three", "run it", "| 1 | 2 |"]


def test_a_fact_is_its_slice_with_its_lines() -> None:
    text = "# x\n\n## Setup\n\n- one\n- two\n  goes on\n"
    found = facts_of(text)
    assert [place(fact) for fact in found] == ["page.md:5", "page.md:6-7"]
    assert all(fact.text == fact.block.span.of(text) for fact in found)


def test_what_is_under_no_section_is_no_fact() -> None:
    assert texts_of("# Fetch\n\nIntroduction.\n\n## Setup\n\nYes.\n\n## Other\n\nNo.\n") == ["Yes."]


def test_a_heading_below_a_section_belongs_to_it() -> None:
    (fact,) = facts_of("# Setup\n\n## Behind a proxy\n\nSet it.\n")
    assert (fact.section, fact.heading) == ("setup", "Behind a proxy")


def test_what_introduces_a_list_goes_with_its_facts() -> None:
    found = facts_of("## Setup\n\nRun these:\n\n- one\n- two\n\nThen stop.\n")
    assert [(fact.introduction, fact.text) for fact in found] == [
        ("Run these:", "one"),
        ("Run these:", "two"),
        ("", "Then stop."),
    ]


def test_the_label_of_a_box_goes_with_its_facts() -> None:
    found = facts_of('## Setup\n\n=== "Linux"\n\n    Run it.\n\n**Is it free?**\n\nYes.\n\nEnds with:\n\n- this\n')
    assert [(fact.introduction, fact.text) for fact in found] == [
        ("Linux", "Run it."),
        ("Is it free?", "Yes."),
        ("Ends with:", "this"),
    ]


def test_what_introduces_no_fact_is_one_itself() -> None:
    assert texts_of("## Setup\n\nWrite this file:\n\n```toml\na = 1\n```\n") == ["Write this file:"]


def test_a_row_goes_with_the_header_of_its_table() -> None:
    (fact,) = facts_of("## Limits\n\n| What | Most |\n|---|---|\n| feeds | ten |\n")
    assert (fact.introduction, fact.text) == ("| What | Most |", "| feeds | ten |")


def test_of_a_console_session_only_what_is_typed_is_a_fact() -> None:
    text = "## Setup\n\n```console\n$ pip install x\nDone\n$ x \\\n  --yes\nOk\n```\n"
    assert texts_of(text) == ["pip install x", "x \\\n  --yes"]
    assert texts_of(text.replace("\n", "\r\n")) == ["pip install x", "x \\\n  --yes"]


def test_comments_and_other_languages_are_not_run() -> None:
    assert texts_of("## Setup\n\n```bash\n# say\nx\n\n```\n\n```python\nprint(1)\n```\n\n```\nplain\n```\n") == ["x"]


def test_a_here_document_is_one_command() -> None:
    assert texts_of("## Setup\n\n```sh\ncat <<EOF > f\nline\nEOF\nrun\n```\n") == ["cat <<EOF > f\nline\nEOF", "run"]


def test_a_here_document_without_end_is_a_line() -> None:
    assert texts_of("## Setup\n\n```sh\ncat <<EOF\nrun\n```\n") == ["cat <<EOF", "run"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("page.rst", "Setup\n=====\n\nFirst.\n\n* one\n\n.. code-block:: sh\n\n   run it\n"),
        ("page.html", '<h2>Setup</h2><p>First.</p><ul><li>one</li></ul><pre><code class="language-sh">run it</code></pre>'),
    ],
)
def test_other_formats_have_facts_too(path: str, text: str) -> None:
    assert texts_of(text, path) == ["First.", "one", "run it"]


def test_html_is_read_and_not_shown_as_written() -> None:
    assert texts_of("<h2>Setup</h2><p>Run <b>a</b> &amp; b</p>", "page.html") == ["Run a & b"]


def test_front_matter_and_comments_are_no_facts() -> None:
    assert texts_of("---\nname: x\n---\n## Setup\n\n<!-- hidden -->\n\nShown.\n") == ["Shown."]


def test_there_is_no_fact_without_words_in_a_document() -> None:
    origin = origin_of("page.md", "ab  ")
    for span in (Span(0, 9), Span(2, 4), Span(1, 1)):
        with pytest.raises(ValueError, match="no words stand"):
            Fact("setup", origin, Block(BlockKind.PARAGRAPH, span))
    with pytest.raises(ValueError, match="no words stand"):
        Fact("setup", origin_of("", "ab"), Block(BlockKind.PARAGRAPH, Span(0, 2)))


@given(st.text(st.sampled_from("ab#-*|`>$\\: \n\r\t1.<&é\ufeff"), max_size=120))
def test_every_fact_of_any_text_is_a_slice_of_it(text: str) -> None:
    document = "## Setup\n\n" + text
    for fact in facts_of(document):
        assert fact.text.strip()
        assert fact.block.span.of(document).replace("\r\n", "\n").replace("\r", "\n") == fact.text
        assert 1 <= fact.start_line <= fact.end_line


@pytest.mark.parametrize("line", ["- ", "cat <<EOF\n", "a:\n\n", "$ x \\\n", "| a ", "# ", "`"])
def test_hostile_pages_take_time_in_proportion(line: str) -> None:
    times = []
    for count in (1_000, 8_000):
        text = "## Setup\n\n```sh\n" + line * count
        started = time.perf_counter()
        facts_of(text)
        times.append(time.perf_counter() - started)
    assert times[1] < 40 * times[0] + 0.2


# Headings


@pytest.mark.parametrize("heading", ["Setup", "SETUP", "1. Setup", "2.3 Setup:", "**Setup**", "\U0001f680 Setup", " set  up "])
def test_a_heading_is_compared_as_it_is_read(heading: str) -> None:
    assert Sections({"setup": ["set ?up"]}).of(heading) == "setup"


@pytest.mark.parametrize("heading", ["Setup of tests", "No setup", "", "x" * 1_000])
def test_a_pattern_is_for_the_whole_heading(heading: str) -> None:
    assert Sections({"setup": ["set ?up"]}).of(heading) is None


def test_the_first_section_that_fits_has_a_heading() -> None:
    assert Sections({"a": ["x"], "b": ["x", "y"]}).of("x") == "a"


@pytest.mark.parametrize("pattern", ["setup", "(a|b)( .*)?", "what .* never", r"\w+ing", "[a-z]+ [0-9]*"])
def test_plain_patterns_are_taken(pattern: str) -> None:
    assert problem(pattern) is None


@pytest.mark.parametrize("pattern", ["(a+)+", "(a|b)*", "(", "a{2,}", r"(a)\1", "(?=a)", "a*b*c*d", "a?" * 9, "x" * 301])
def test_patterns_that_may_take_long_are_refused(pattern: str) -> None:
    assert problem(pattern) is not None


def test_a_pattern_that_is_refused_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigFault) as caught:
        written(tmp_path, {"nescio.toml": '[cards.sections]\nsetup = ["(a+)+"]\n'})
    assert caught.value.code == "config-wrong-value"
    assert "cards.sections" in caught.value.message
    assert "repeats no group" in caught.value.message


def test_a_glob_needs_a_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigFault, match="a glob makes one card"):
        written(tmp_path, {"nescio.toml": '[[card]]\nunit = "glob"\n'})


# Identifiers


def names(path: str, text: str) -> list[tuple[str, str, int]]:
    return [(one.kind.value, one.name, one.line) for one in identifiers(origin_of(path, text))]


def test_python_gives_public_names_flags_and_variables() -> None:
    text = "import os\n\ndef go(): ...\ndef _no(): ...\nclass A:\n    def b(self): ...\n"
    text += 'os.environ["TOKEN_FILE"]\nx = "--dry-run"\n'
    assert names("a.py", text) == [
        ("name", "go", 3),
        ("name", "A", 5),
        ("name", "A.b", 6),
        ("environment", "TOKEN_FILE", 7),
        ("flag", "--dry-run", 8),
    ]


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("a.ts", "export async function go() { process.env.HOME_DIR }", ["HOME_DIR", "go"]),
        ("a.go", "func (s *S) Go() {}\nfunc no() {}\ntype T struct{}", ["Go", "T"]),
        ("a.rs", 'pub fn go() {}\nfn no() {}\nlet x = env::var("SET_ME");', ["go", "SET_ME"]),
        ("a.sh", "go() {\n  run --fast ${SET_ME}\n}", ["go", "SET_ME", "--fast"]),
        ("a.py", "this is no python --yes", ["--yes"]),
    ],
)
def test_other_sources_give_theirs_by_simple_rules(path: str, text: str, found: list[str]) -> None:
    assert sorted(name for _, name, _ in names(path, text)) == sorted(found)


def test_no_line_of_a_source_file_is_in_a_card(tmp_path: Path) -> None:
    source = "def go():\n    return 'the words of a line'\n"
    configuration = written(tmp_path, {"SKILL.md": "# x\n", "go.py": source})
    (card,) = collect(configuration).cards
    assert [one.name for one in card.identifiers] == ["go"]
    assert all(b"the words of a line" not in content for content in rendered(card).values())


# Units


def cards_of(configuration: Configuration) -> dict[str, Card]:
    return {card.name: card for card in collect(configuration).cards}


def test_a_folder_with_the_marker_is_a_unit_and_keeps_its_files(tmp_path: Path) -> None:
    files = {
        "a/SKILL.md": "# a\n",
        "a/more/x.md": "# Setup\n\nIn a.\n",
        "a/b/SKILL.md": "# Setup\n\nIn b.\n",
        "c/x.md": "# c\n",
    }
    found = cards_of(written(tmp_path, files))
    assert {name: [fact.text for fact in card.facts()] for name, card in found.items()} == {"a": ["In a."], "b": ["In b."]}


def test_a_page_can_be_a_unit(tmp_path: Path) -> None:
    files = {
        "nescio.toml": '[[card]]\nunit = "page"\npath = "docs"\n',
        "docs/a.md": "# Setup\n\nYes.\n",
        "docs/b.rst": "B\n=\n",
    }
    assert list(cards_of(written(tmp_path, files))) == ["a", "b"]


def test_a_glob_is_one_unit(tmp_path: Path) -> None:
    config = '[[card]]\nunit = "glob"\nname = "all"\ninclude = ["docs/x*.md"]\n'
    files = {
        "nescio.toml": config,
        "docs/x1.md": "# Setup\n\nOne.\n",
        "docs/x2.md": "# Setup\n\nTwo.\n",
        "docs/y.md": "# Setup\n\nNo.\n",
    }
    found = cards_of(written(tmp_path, files))
    assert [fact.text for fact in found["all"].facts()] == ["One.", "Two."]


def test_units_of_one_name_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    files = {"a/x/SKILL.md": "# x\n", "b/X/SKILL.md": "# x\n", "c/SKILL.md": "# c\n"}
    assert list(cards_of(written(tmp_path, files))) == ["a-x", "b-X", "c"]


def test_watched_files_belong_to_the_unit_that_they_name(tmp_path: Path) -> None:
    files = {
        "nescio.toml": '[[card]]\npath = "skills"\nwatch = ["docs/{name}.md", "docs/{name}/**"]\n',
        "skills/a/SKILL.md": "# a\n",
        "skills/b/SKILL.md": "# b\n",
        "docs/a.md": "# Setup\n\nOf a.\n",
        "docs/b/deep/x.md": "# Setup\n\nOf b.\n",
    }
    found = cards_of(written(tmp_path, files))
    assert {name: [fact.path for fact in card.facts()] for name, card in found.items()} == {
        "a": ["docs/a.md"],
        "b": ["docs/b/deep/x.md"],
    }


def test_cards_are_no_sources_of_cards(tmp_path: Path) -> None:
    configuration = written(tmp_path, {"nescio.toml": '[[card]]\nunit = "page"\n', "a.md": "# Setup\n\nYes.\n"})
    build_cards(configuration)
    assert list(cards_of(configuration)) == ["a"]


@pytest.mark.parametrize("folder", [".", "./", "..", "/"])
def test_cards_have_a_folder_of_their_own(tmp_path: Path, folder: str) -> None:
    with pytest.raises(ConfigFault, match=r"cards\.folder"):
        written(tmp_path, {"nescio.toml": f'[cards]\nfolder = "{folder}"\n'})


def test_nothing_to_make_a_card_of_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(NotFoundFault) as caught:
        check_cards(written(tmp_path, {"docs/a.md": "# Setup\n\nYes.\n"}))
    assert caught.value.code == "cards-none"


def test_a_folder_of_units_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(NotFoundFault) as caught:
        collect(written(tmp_path, {"nescio.toml": '[[card]]\npath = "none"\n'}))
    assert caught.value.code == "card-source-missing"


def test_a_source_that_cannot_be_read_stops_the_build_unless_it_may_be_left_out(tmp_path: Path) -> None:
    configuration = written(tmp_path, {"a/SKILL.md": SKILL})
    (tmp_path / "a" / "bad.md").write_bytes(b"# Setup\n\n\xff\n")
    with pytest.raises(IngestFault) as caught:
        build_cards(configuration)
    assert (caught.value.code, "a/bad.md" in caught.value.message) == ("card-source-unreadable", True)
    assert not (tmp_path / "cards").exists()
    allowed = load(tmp_path, environ={}, flags={"allow_skips": True}, needs_docs=False)
    assert [notice.path for notice in build_cards(allowed).collected.skipped] == ["a/bad.md"]


SECRET = "ghp_" + "x7Kq9ZtB4mWv2LpRs8YcNd3HfJ6gTa1uEw5Q"


def test_a_secret_stops_the_build_before_anything_is_written(tmp_path: Path) -> None:
    configuration = written(tmp_path, {"a/SKILL.md": f"# Setup\n\nUse {SECRET} here.\n\nOther.\n"})
    with pytest.raises(IngestFault) as caught:
        build_cards(configuration)
    assert caught.value.code == "card-secret"
    assert "line 3" in caught.value.message
    assert SECRET[4:12] not in caught.value.message + caught.value.hint
    assert not (tmp_path / "cards").exists()


def test_where_a_secret_is_masked_there_is_no_fact(tmp_path: Path) -> None:
    config = '[secrets]\non_found = "mask"\n'
    configuration = written(tmp_path, {"nescio.toml": config, "a/SKILL.md": f"# Setup\n\nUse {SECRET} here.\n\nOther.\n"})
    (card,) = build_cards(configuration).collected.cards
    assert [(fact.text, fact.start_line) for fact in card.facts()] == [("Other.", 5)]
    reply = ask_cards(configuration, "which other")
    assert reply.result is not None
    assert all(SECRET[4:12].encode() not in file.read_bytes() for file in (tmp_path / "cards").iterdir())


# How a card is written


def golden(root: Path) -> dict[str, bytes]:
    cards = collect(load(root, environ={}, flags={}, needs_docs=False)).cards
    return {name: content for card in cards for name, content in rendered(card).items()}


def expected() -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted((GOLDEN / "expected").iterdir())}


def test_the_golden_cards_are_what_the_extractor_makes() -> None:
    assert golden(GOLDEN / "sources") == expected()


def test_a_word_that_is_edited_in_the_golden_sources_is_seen(tmp_path: Path) -> None:
    shutil.copytree(GOLDEN / "sources", tmp_path / "copy")
    assert golden(tmp_path / "copy") == expected()
    skill = tmp_path / "copy" / "skills" / "gmailtriage" / "SKILL.md"
    skill.write_bytes(skill.read_bytes().replace(b"older than an hour", b"older than a day"))
    assert [name for name, content in golden(tmp_path / "copy").items() if content != expected()[name]] == [
        "gmailtriage.md",
        "gmailtriage.json",
    ]


def test_checkouts_with_other_line_ends_have_the_same_cards(tmp_path: Path) -> None:
    shutil.copytree(GOLDEN / "sources", tmp_path / "copy")
    for file in (tmp_path / "copy").rglob("*"):
        if file.is_file():
            file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert golden(tmp_path / "copy") == expected()


def test_a_card_names_no_folder_of_this_machine_and_has_lf() -> None:
    for content in golden(GOLDEN / "sources").values():
        assert b"\r" not in content
        assert str(GOLDEN).encode() not in content


def test_every_section_is_there_and_the_empty_ones_say_so() -> None:
    card = Card("x", "x", (CardSection("setup", ()), CardSection("usage", ())))
    assert markdown(card).count(f"_{NO_SOURCE}_") == 2
    assert [one["note"] for one in json.loads(data(card))["sections"]] == [NO_SOURCE, NO_SOURCE]


@pytest.mark.parametrize("text", ["# no heading", "- no list", "1. no list", "---", "```", "> no quote", "<!-- no comment"])
def test_no_fact_becomes_markup_of_the_card(text: str) -> None:
    origin = origin_of("page.txt", text)
    fact = Fact("setup", origin, Block(BlockKind.PARAGRAPH, Span(0, len(text)), (Run(Span(0, len(text))),)))
    page = markdown(Card("x", "x", (CardSection("setup", (fact,)), CardSection("usage", ()))))
    parse = parser_for("x.md", None, page)
    assert parse is not None
    blocks = parse(Document.from_bytes("", "x.md", page.encode())).blocks
    assert [block.title for block in blocks if block.kind is BlockKind.HEADING] == ["x", "setup", "usage"]
    assert sum(block.kind is BlockKind.LIST_ITEM for block in blocks) == 1


def test_a_build_writes_only_what_is_not_there_yet(built: Configuration) -> None:
    before = {file.name: file.stat().st_mtime_ns for file in (built.root / "cards").iterdir()}
    again = build_cards(built).files
    assert (again.written, again.unchanged) == ((), ("fetch.md", "fetch.json"))
    assert {file.name: file.stat().st_mtime_ns for file in (built.root / "cards").iterdir()} == before


def test_a_build_removes_cards_of_units_that_are_gone_and_nothing_else(built: Configuration) -> None:
    folder = built.root / "cards"
    (folder / "README.md").write_text("mine")
    (folder / "other.json").write_text("{}")
    written(built.root, {"skills/next/SKILL.md": SKILL})
    shutil.rmtree(built.root / "skills" / "fetch")
    assert build_cards(built).files.removed == ("fetch.json", "fetch.md")
    assert sorted(file.name for file in folder.iterdir()) == ["README.md", "next.json", "next.md", "other.json"]


# Drift


def test_cards_that_were_just_built_are_ok(built: Configuration) -> None:
    assert only(built) == Checked("fetch", Verdict.OK)


def test_an_edit_that_changes_no_fact_is_no_drift(built: Configuration) -> None:
    edit(built, "- A feed has at most a hundred items.\n", "- A feed has at most a hundred items.\n\n## Thanks\n\nTo all.\n")
    edit(built, "# fetch", "# Fetch, again")
    assert only(built).verdict is Verdict.OK


def test_cards_with_other_line_ends_are_no_drift(built: Configuration) -> None:
    for file in (*(built.root / "cards").iterdir(), built.root / "skills" / "fetch" / "SKILL.md"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert only(built).verdict is Verdict.OK


def test_a_fact_in_new_words_is_told_with_the_old_ones(built: Configuration) -> None:
    edit(built, "At most ten feeds.", "At most twenty feeds.")
    checked = only(built)
    (finding,) = checked.findings
    assert (checked.verdict, finding.kind) == (Verdict.WOULD_CHANGE, FindingKind.CARD_CHANGED)
    assert (finding.path, finding.start_line, finding.fix) == ("skills/fetch/SKILL.md", 16, FIX)
    assert (finding.old, finding.new) == ("At most ten feeds.", "At most twenty feeds.")


def test_a_new_fact_is_told(built: Configuration) -> None:
    edit(built, "fetch one NAME", "fetch one NAME\nfetch none")
    told = [(finding.old, finding.new) for finding in only(built).findings]
    assert ("", "fetch none") in told


def test_facts_that_stand_on_other_lines_are_told_with_both_places(built: Configuration) -> None:
    edit(built, "# fetch\n", "# fetch\n\nNew.\n")
    checked = only(built)
    assert checked.verdict is Verdict.WOULD_CHANGE
    assert ("skills/fetch/SKILL.md:5", "skills/fetch/SKILL.md:7") in [(one.old, one.new) for one in checked.findings]
    assert len(checked.findings) == 5


def test_a_fact_whose_words_are_gone_is_ungrounded(built: Configuration) -> None:
    edit(built, "- A feed has at most a hundred items.\n", "")
    checked = only(built)
    (finding,) = checked.findings
    assert (checked.verdict, finding.kind) == (Verdict.UNGROUNDED, FindingKind.CARD_UNGROUNDED)
    assert (finding.old, finding.start_line) == ("A feed has at most a hundred items.", 17)


def test_a_fact_that_was_invented_in_the_card_is_ungrounded(built: Configuration) -> None:
    edit(built, "At most ten feeds.", "At most a million feeds.", "cards/fetch.json")
    checked = only(built)
    assert checked.verdict is Verdict.UNGROUNDED
    assert [(one.kind, one.old) for one in checked.findings] == [(FindingKind.CARD_UNGROUNDED, "At most a million feeds.")]


def test_a_fact_that_lost_its_heading_would_go(built: Configuration) -> None:
    edit(built, "## Limits", "## Thanks")
    checked = only(built)
    assert checked.verdict is Verdict.WOULD_CHANGE
    assert [one.old for one in checked.findings] == ["At most ten feeds.", "A feed has at most a hundred items."]


@pytest.mark.parametrize("name", ["fetch.md", "fetch.json"])
def test_a_card_that_is_not_there_is_missing(built: Configuration, name: str) -> None:
    (built.root / "cards" / name).unlink()
    checked = only(built)
    assert checked.verdict is Verdict.MISSING
    assert [(one.kind, one.path) for one in checked.findings] == [(FindingKind.CARD_MISSING, f"cards/{name}")]


def test_a_card_without_one_of_the_sections_is_incomplete(built: Configuration) -> None:
    more = written(built.root, {"nescio.toml": CONFIG + 'usage = ["usage"]\n'})
    checked = only(more)
    assert checked.verdict is Verdict.INCOMPLETE
    assert {one.path for one in checked.findings} == {"cards/fetch.md", "cards/fetch.json"}


def test_a_card_whose_unit_is_gone_is_orphaned(built: Configuration) -> None:
    written(built.root, {"skills/next/SKILL.md": SKILL})
    build_cards(built)
    shutil.rmtree(built.root / "skills" / "next")
    written(built.root, {"skills/fetch/SKILL.md": SKILL})
    build_cards(built)
    shutil.copy(built.root / "cards" / "fetch.md", built.root / "cards" / "gone.md")
    checked = check_cards(built).checked
    assert [(one.name, one.verdict) for one in checked] == [("fetch", Verdict.OK), ("gone", Verdict.ORPHANED)]
    assert [one.kind for one in checked[1].findings] == [FindingKind.CARD_ORPHANED]


def test_a_page_that_was_edited_by_hand_is_told_with_its_line(built: Configuration) -> None:
    edit(built, "At most ten feeds.", "At most eleven feeds.", "cards/fetch.md")
    (finding,) = only(built).findings
    assert (finding.path, finding.old, finding.new) == ("cards/fetch.md", "- At most eleven feeds.", "- At most ten feeds.")
    assert finding.start_line == 1 + (built.root / "cards" / "fetch.md").read_text().split("\n").index(
        "- At most eleven feeds."
    )


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'{"card": "x"}', b"[" * 100_000])
def test_a_card_that_is_no_card_would_change(built: Configuration, content: bytes) -> None:
    (built.root / "cards" / "fetch.json").write_bytes(content)
    assert only(built).verdict is Verdict.WOULD_CHANGE


def test_a_name_that_a_source_file_lost_is_told(tmp_path: Path) -> None:
    configuration = written(tmp_path, {"a/SKILL.md": "# a\n", "a/go.py": "def go(): ...\n\ndef stay(): ...\n"})
    build_cards(configuration)
    edit(configuration, "def go(): ...\n", "", "a/go.py")
    told = [(one.old, one.new) for one in only(configuration).findings]
    assert told == [("a/go.py:3", "a/go.py:2"), ("go", "")]


def test_what_a_build_writes_is_what_the_check_wants(built: Configuration) -> None:
    edit(built, "At most ten feeds.", "Any number of feeds.")
    assert only(built).verdict is not Verdict.OK
    build_cards(built)
    assert only(built).verdict is Verdict.OK


def test_a_hostile_card_is_compared_in_time_in_proportion(built: Configuration) -> None:
    file = built.root / "cards" / "fetch.json"
    card = json.loads(file.read_text("utf-8"))
    fact = card["sections"][2]["facts"][0]
    times = []
    for count in (1_000, 8_000):
        false = [{**fact, "text": f"No {at}.", "end_line": 17} for at in range(count)]
        gone = [{**one, "sha256": hash_of(one["text"])} for one in false]
        card["sections"][2]["facts"] = [*false, *gone]
        file.write_text(json.dumps(card), "utf-8")
        started = time.perf_counter()
        assert len(only(built).findings) >= 2 * count
        times.append(time.perf_counter() - started)
    assert times[1] < 40 * times[0] + 0.5


# Questions


@pytest.fixture
def skills() -> Configuration:
    return load(GOLDEN / "sources", environ={}, flags={}, needs_docs=False)


def counts(collected: Collected) -> dict[str, dict[str, int]]:
    return {card.name: {one.name: len(one.facts) for one in card.sections} for card in collected.cards}


def test_gmailtriage_has_five_sections_and_one_of_them_is_empty(skills: Configuration) -> None:
    found = counts(collect(skills))["gmailtriage"]
    assert found == {"setup": 2, "commands": 3, "architecture": 1, "refusals": 2, "troubleshooting": 0}


def test_how_to_set_up_gmailtriage_is_answered_with_its_line(skills: Configuration) -> None:
    reply = ask_cards(skills, "how do I set up gmailtriage")
    assert isinstance(reply.result, Answer)
    quote = reply.result.quotes[0]
    assert quote.text.startswith("To set up gmailtriage, run `gmailtriage auth` once")
    assert (quote.path, quote.spans[0].start_line) == ("skills/gmailtriage/SKILL.md", 12)
    assert reply.card is not None
    assert reply.card.name == "gmailtriage"
    assert reply.result.searched.filters == ("under:gmailtriage",)


def test_what_apply_refuses_is_answered_with_its_row(skills: Configuration) -> None:
    reply = ask_cards(skills, "what does apply refuse")
    assert isinstance(reply.result, Answer)
    quote = reply.result.quotes[0]
    assert "| `apply` | refuses a plan that is older than an hour" in quote.text
    assert (quote.path, quote.spans[-1].start_line) == ("skills/gmailtriage/SKILL.md", 32)


def test_a_quote_is_the_bytes_that_it_cites(skills: Configuration) -> None:
    for question in (
        "what does apply refuse",
        "how do I set up gmailtriage",
        "what is paused after an error",
        "what does E2 mean",
    ):
        result = ask_cards(skills, question).result
        assert isinstance(result, Answer), question
        for quote in result.quotes:
            stored = (skills.root / quote.path).read_bytes()
            assert "".join(stored[one.start_byte : one.end_byte].decode() for one in quote.spans) == quote.text


def test_a_section_lifts_no_fact_over_the_floor(skills: Configuration) -> None:
    reply = ask_cards(skills, "what is the retry limit and timeout for this command")
    assert isinstance(reply.result, Refusal)
    assert reply.result.reason is Reason.BELOW_FLOOR
    assert (reply.cards, reply.facts) == (2, sum(sum(one.values()) for one in counts(collect(skills)).values()))
    searched = reply.result.searched
    assert (searched.documents, searched.passages) == (reply.cards, reply.facts)
    assert {"retri", "limit", "timeout"} <= {term.term for term in searched.terms}
    assert searched.floor == skills.settings.floor_value > searched.best


def test_words_of_a_section_s_heading_alone_answer_nothing(skills: Configuration) -> None:
    reply = ask_cards(skills, "what is the architecture")
    assert isinstance(reply.result, Refusal)


def test_a_section_of_a_named_card_is_listed(skills: Configuration) -> None:
    reply = ask_cards(skills, "what are the commands of gmailtriage")
    assert reply.section is not None
    assert [fact.text for fact in reply.section.facts] == [
        "gmailtriage plan --since 7d",
        "gmailtriage apply --plan plan.json",
        "gmailtriage undo --last",
    ]
    assert reply.is_answered


def test_an_empty_section_of_a_named_card_is_told(skills: Configuration) -> None:
    reply = ask_cards(skills, "list troubleshooting of gmailtriage")
    assert reply.section == CardSection("troubleshooting", ())
    assert not reply.is_answered


def test_a_named_card_is_the_only_one_that_is_asked(skills: Configuration) -> None:
    everywhere = ask_cards(skills, "what is paused after an error three times")
    assert isinstance(everywhere.result, Answer)
    elsewhere = ask_cards(skills, "what of gmailtriage is paused after an error three times")
    assert isinstance(elsewhere.result, Refusal)


def test_related_places_name_the_file(skills: Configuration) -> None:
    reply = ask_cards(skills, "when is a paused feed deleted for ever by somebody else")
    assert reply.result is not None
    assert all((skills.root / one.path).is_file() for one in reply.result.related)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("what is gmail-triage", "gmail-triage"),
        ("what is GMAIL TRIAGE for", "gmail-triage"),
        ("what does gmail do", "gmail"),
        ("gmail or news", None),
        ("what is this", None),
        ("gmails", None),
    ],
)
def test_a_card_is_named_word_for_word(question: str, name: str | None) -> None:
    assert named(question, ["gmail", "gmail-triage", "news", "this"], Analyzer()) == name


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("what are the commands of x", "commands"),
        ("show the command list of x", "commands"),
        ("x setup", "setup"),
        ("x", None),
        ("which commands of x delete mail", None),
        ("setup or commands of x", None),
    ],
)
def test_a_section_is_asked_for_when_nothing_else_is(question: str, section: str | None) -> None:
    assert section_asked(question, "x", ["setup", "commands"], Analyzer()) == section


def test_asking_leaves_nothing_behind(skills: Configuration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = sorted(skills.root.rglob("*"))
    ask_cards(skills, "what does apply refuse")
    assert list(tmp_path.iterdir()) == []
    assert sorted(skills.root.rglob("*")) == before
