"""What is written is true: commands, options, settings, codes, JSON fields, links, paths and test names in the documents."""

from __future__ import annotations

import ast
import inspect
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import nescio
from nescio.assembly.building import build
from nescio.assembly.opening import open_index
from nescio.config.loading import load
from nescio.config.model import (
    SECTIONS,
    Calibration,
    Cards,
    CardUnit,
    Check,
    Gaps,
    Limits,
    Secrets,
    Settings,
    Source,
    scalar_kinds,
)
from nescio.config.problems import OTHER_VARIABLES, PREFIX
from nescio.config.serving import Serve
from nescio.domain.answers import Answer, Reason, Refusal, TermKind
from nescio.engine import Engine
from nescio.ingest.slugs import Slugs
from nescio.surfaces import wire
from nescio.surfaces.cli.main import app

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "nescio"
PAGES = (
    *sorted(DOCS.glob("*.md")),
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")),
)
FENCE = re.compile(r"^```.*?^```[ \t]*$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#{1,6}) (.+)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
# Who makes something with a code: its first argument. `_say` and its like are the walk's and the includes' short hands.
CODED = re.compile(r"\w*Fault|AnswerWarning|Skip|Notice|Flaw|_say|_could_not_look|_note|notice")
# Codes that are made otherwise: a table of the front matter's formats.
CODE_PREFIX = re.compile(r"front-matter-[a-z-]+")


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def sections(page: Path) -> dict[str, str]:
    """The text of each section by its heading, the text of its subsections included; headings without backticks."""
    text = FENCE.sub(lambda match: re.sub(r"(?m)^#", " ", match[0]), text_of(page))
    headings = list(HEADING.finditer(text))
    found = {}
    for number, match in enumerate(headings):
        after = (later.start() for later in headings[number + 1 :] if len(later[1]) <= len(match[1]))
        found[match[2].replace("`", "")] = text[match.end() : next(after, len(text))]
    return found


def words(text: str) -> str:
    """Text as a reader takes it: without markup and line ends."""
    return " ".join(text.replace("`", "").split())


def anchors(page: Path) -> set[str]:
    slugs = Slugs("github")
    return {slugs.take(title.replace("`", ""), None) for _, title in HEADING.findall(FENCE.sub("", text_of(page)))}


# The command line


def commands() -> dict[str, Any]:
    """The click command of `nescio` and of all that is below it, by how it is called."""
    return dict(_called("nescio", get_command(app)))


def _called(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    for word, below in getattr(command, "commands", {}).items():
        yield from _called(f"{name} {word}", below)


def flags_of(command: Any) -> set[str]:
    return {flag for parameter in command.params for flag in parameter.opts if flag.startswith("--")}


def test_every_command_and_option_is_documented() -> None:
    documented = sections(DOCS / "cli.md")
    for name, command in commands().items():
        section = documented[name]
        for parameter in command.params:
            shown = next((flag for flag in parameter.opts if flag.startswith("--")), parameter.metavar)
            lines = [line for line in section.split("\n") if re.match(rf"- `{re.escape(str(shown))}[ `]", line)]
            assert lines, f"{name}: {shown} is not documented"
            assert words(lines[0].partition(": ")[2]).startswith(words(parameter.help)), f"{name} {shown}: {parameter.help}"


def test_no_option_is_documented_that_is_not_there() -> None:
    documented = sections(DOCS / "cli.md")
    for name, command in commands().items():
        shown = re.findall(r"^- `(--[a-z-]+)", documented[name], re.MULTILINE)
        assert set(shown) <= flags_of(command) | {"--help"}, name
    assert [name for name in documented if name.startswith("nescio")] == list(commands())


def test_the_real_help_lists_what_is_documented() -> None:
    for name, command in commands().items():
        arguments = name.split()[1:]
        shown = CliRunner().invoke(app, [*arguments, "--help"], env={"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"})
        assert shown.exit_code == 0
        assert flags_of(command) <= set(re.findall(r"--[a-z-]+", shown.output)), name


def test_examples_name_only_options_that_exist() -> None:
    known = set().union(*(flags_of(command) for command in commands().values())) | {"--help"}
    for page in PAGES:
        for line in re.findall(r"(?:^|\| |`)(?:\S*/)?nescio ([^`\n|]*)", text_of(page), re.MULTILINE):
            used = re.findall(r"(?<![\w-])--[a-z][a-z-]*", line.partition(" -- ")[0])
            assert set(used) <= known, f"{page.name}: nescio {line}"


# Settings


def fields() -> Iterator[tuple[str, Any]]:
    yield from ((name, field) for name, field in Settings.model_fields.items() if name not in SECTIONS)
    yield from ((f"limits.{name}", field) for name, field in Limits.model_fields.items())
    yield from ((f"gaps.{name}", field) for name, field in Gaps.model_fields.items())
    yield from ((f"secrets.{name}", field) for name, field in Secrets.model_fields.items())
    yield from ((f"check.{name}", field) for name, field in Check.model_fields.items())
    yield from ((f"serve.{name}", field) for name, field in Serve.model_fields.items())
    yield from Source.model_fields.items()
    yield from ((f"cards.{name}", field) for name, field in Cards.model_fields.items())
    yield from ((f"card.{name}", field) for name, field in CardUnit.model_fields.items())
    yield from ((f"calibration.{name}", field) for name, field in Calibration.model_fields.items())


@pytest.mark.parametrize(("name", "field"), [pytest.param(*pair, id=pair[0]) for pair in fields()])
def test_every_setting_is_documented_with_its_default(name: str, field: Any) -> None:
    section = sections(DOCS / "configuration.md")[name]
    if field.is_required():
        assert "Needed." in section
    elif name == "name":
        assert "Default: the folder's name." in section
    elif field.default is None:
        assert "Default: none." in section
    else:
        default = list(field.default) if isinstance(field.default, tuple) else field.default
        assert f"Default: `{json.dumps(default)}`." in section
    if name in scalar_kinds():
        assert f"Environment: `{PREFIX}{name.upper().replace('.', '__')}`." in section


def test_no_setting_is_documented_that_is_not_there() -> None:
    known = {name for name, _ in fields()}
    titles = re.findall(r"^### `([^`]+)`$", text_of(DOCS / "configuration.md"), re.MULTILINE)
    assert titles == [name for name, _ in fields()]
    assert set(titles) == known


def test_the_variables_that_are_no_settings_are_documented() -> None:
    page = text_of(DOCS / "configuration.md")
    assert all(f"| `{name}` |" in page for name in (*OTHER_VARIABLES, "NESCIO_DEBUG", "NO_COLOR"))


def test_every_example_of_a_setting_is_one_that_loads() -> None:
    import tomllib

    from nescio.config.layers import checked, merged

    for block in re.findall(r"^```toml\n(.*?)^```", text_of(DOCS / "configuration.md"), re.MULTILINE | re.DOTALL):
        values, origins = merged(tomllib.loads(block), "nescio.toml", {}, {})
        assert checked(values, origins).sources


# Codes


def codes() -> set[str]:
    """Every code in the source: of faults, skips, notices and warnings."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(text_of(path))):
            if isinstance(node, ast.Call) and node.args and CODED.fullmatch(_name(node.func)):
                found.update(_constants(node.args[0]))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE_PREFIX.fullmatch(node.value):
                found.add(node.value)
    return found


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""


def _constants(argument: ast.expr) -> set[str]:
    texts = {node.value for node in ast.walk(argument) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {text for text in texts if re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", text)}


def test_every_code_in_the_source_is_documented() -> None:
    documented = set(re.findall(r"^### `([^`]+)`$", text_of(DOCS / "errors.md"), re.MULTILINE))
    assert codes() - documented == set(), "in the source and not in docs/errors.md"
    assert documented - codes() == set(), "in docs/errors.md and not in the source"


def test_every_reason_and_kind_of_term_is_documented() -> None:
    refusing = re.findall(r"^### `([^`]+)`$", text_of(DOCS / "how-refusal-works.md"), re.MULTILINE)
    assert set(refusing) == {reason.value for reason in Reason}
    kinds = sections(DOCS / "json.md")["The kinds of terms"]
    assert all(f"`{kind.value}`" in kinds for kind in TermKind)


def test_the_order_of_the_reasons_is_the_one_in_which_they_are_tried() -> None:
    tried = re.findall(r"Reason\.([A-Z_]+)", text_of(SOURCE / "retrieve" / "refusing.py").partition("def _has_known")[0])
    documented = re.findall(r"^### `([^`]+)`$", text_of(DOCS / "how-refusal-works.md"), re.MULTILINE)
    last = [Reason.OTHER_VERSION.value]  # the engine looks at other versions once there is a reason in this one
    assert [name.lower() for name in dict.fromkeys(tried)] + last == documented


# JSON


def fields_of(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for value in schema.values():
            yield from fields_of(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from fields_of(value)


@pytest.mark.parametrize("name", wire.SCHEMAS)
def test_every_field_of_the_schemas_is_documented(name: str) -> None:
    documented = set(CODE.findall(text_of(DOCS / "json.md")))
    assert set(fields_of(wire.schema(name))) - documented == set()
    assert f"`{name}`" in text_of(DOCS / "json.md")


# The Python interface


def test_every_public_name_is_documented() -> None:
    documented = re.findall(r"^### `nescio\.([^`]+)`$", text_of(DOCS / "python.md"), re.MULTILINE)
    assert sorted(documented) == sorted(nescio.__all__)


def test_every_parameter_is_documented() -> None:
    page = words(text_of(DOCS / "python.md"))
    for name, called in (("build", nescio.build), ("open", nescio.open)):
        assert f"nescio.{name}({_parameters(called)})" in page
    for method in ("ask", "explain", "search", "suggest", "show", "close"):
        assert f"{method}({_parameters(getattr(nescio.Engine, method))})" in page


def _parameters(called: Callable[..., object]) -> str:
    """The parameters as the page writes them: without types, and without the star after which names are needed."""
    shown = []
    for parameter in inspect.signature(called).parameters.values():
        star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
        shown.append(f"{star}{parameter.name}{default}")
    return ", ".join(name for name in shown if name != "self")


def test_the_examples_of_the_python_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(DOCS, tmp_path / "docs")
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"^```python\n(.*?)^```", text_of(DOCS / "python.md"), re.MULTILINE | re.DOTALL):
        exec(compile(block, "docs/python.md", "exec"), {})


# The constants that are told in words


def test_the_score_is_told_as_it_is_computed() -> None:
    from nescio.retrieve import evidence, ranking

    page = words(text_of(DOCS / "how-refusal-works.md"))
    assert f"exp({evidence.OFFSET:g} - {evidence.EVIDENCE:g} e - {evidence.STANDOUT:g} D)" in page
    assert f"an evidence of at least {ranking.NEAR:g}" in page
    numbers = {3: "three", 12: "twelve"}
    assert f"the mean of the next {numbers[evidence.NEXT_PAGES]} pages" in page
    assert f"within {numbers[evidence.WINDOW_WORDS]} words in a row" in page
    for worth in (evidence.ELSEWHERE, evidence.REFERRING, evidence.NO_NUMBER, evidence.WINDOW_HEADING, evidence.LEAST_NEXT):
        assert f"{worth:g}" in page


def test_the_named_floors_are_told_with_what_was_measured() -> None:
    from nescio.domain.floors import FLOORS

    told = sections(DOCS / "how-refusal-works.md")["Named floors"]
    rows = re.findall(r"^\| `(\w+)` \| ([\d.]+) \| (\d+) % \| (\d+) % \|$", told, re.MULTILINE)
    assert rows == [
        (floor.name, f"{floor.value:g}", f"{100 * floor.wrongly_answered:.0f}", f"{100 * floor.wrongly_refused:.0f}")
        for floor in FLOORS
    ]


def test_what_a_calibration_needs_is_told_as_it_is() -> None:
    from nescio.evaluate.calibrating.choosing import FEWEST, FOLDS
    from nescio.evaluate.calibrating.values import Aim
    from nescio.evaluate.metrics.binomial import least_of

    told = words(sections(DOCS / "how-refusal-works.md")["Choosing the floor on your own questions"])
    assert f"at least {FEWEST} of each" in told
    assert f"the confidence {Aim().confidence:g}" in told
    assert FOLDS == 5
    assert f"at least {least_of(0.1, Aim().confidence)} questions" in words(text_of(DOCS / "how-refusal-works.md"))


def test_the_length_of_a_passage_is_told() -> None:
    from nescio.ingest.splitter import LONGEST_PASSAGE
    from nescio.ingest.walk import DOCUMENT_SUFFIXES

    page = words(text_of(DOCS / "formats.md"))
    assert f"longer than {LONGEST_PASSAGE:,} characters" in page
    assert all(suffix in page for suffix in DOCUMENT_SUFFIXES)


# The documents as the first corpus

ANSWERED = (
    ("how does the floor work", "how-refusal-works.md"),
    ("how does nescio decide to refuse", "how-refusal-works.md"),
    ("what does index-busy mean", "errors.md"),
    ("what does exit code 3 mean", "errors.md"),
    ("which encodings are supported", "formats.md"),
    ("is markdown front matter supported", "formats.md"),
    ("can I copy an index to another machine", "index-folder.md"),
    ("what happens when a build is killed", "index-folder.md"),
    ("does nescio send anything over the network", "install.md"),
    ("how do I install without a network", "install.md"),
    ("how do I keep the index up to date", "quick-start.md"),
    ("how can I check a quote", "json.md"),
    ("how do I exclude a folder", "configuration.md"),
    ("where is the configuration file looked for", "configuration.md"),
    ("what is a passage", "glossary.md"),
)
REFUSED = (
    "how do I run it on Kubernetes",
    "how do I add CORS",
    "what is a prime number",
    "what is the price of the enterprise plan",
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine over docs/."""
    index = tmp_path_factory.mktemp("documentation") / "index"
    configuration = load(ROOT, environ={}, flags={}, docs=[DOCS])
    build(configuration, index)
    with open_index(configuration, index) as opened:
        yield opened


@pytest.mark.parametrize(("question", "page"), ANSWERED)
def test_the_documents_answer_what_users_ask(engine: Engine, question: str, page: str) -> None:
    result = engine.ask(question)
    assert isinstance(result, Answer)
    assert page in {quote.path for quote in result.quotes}


@pytest.mark.parametrize("question", REFUSED)
def test_what_the_documents_do_not_cover_is_refused(engine: Engine, question: str) -> None:
    assert isinstance(engine.ask(question), Refusal)


def test_the_readme_shows_what_its_command_prints(engine: Engine) -> None:
    readme = text_of(ROOT / "README.md")
    asked = re.search(r"""printf '%s\\n' "([^"]+)" "([^"]+)" """, readme)
    assert asked is not None
    answer, refusal = (engine.ask(question) for question in asked.groups())
    assert isinstance(answer, Answer)
    assert isinstance(refusal, Refusal)
    shown = sections(ROOT / "README.md")["Try it"]
    assert answer.quotes[0].text.partition(". ")[0] in shown
    assert f"{answer.quotes[0].path}:{answer.quotes[0].spans[0].start_line}" in shown
    assert all(f"Question: {question}" in shown for question in asked.groups())


# Links, paths, names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(FENCE.sub("", text_of(page))):
        if "://" in target:
            continue
        path, _, fragment = target.partition("#")
        aim = (page.parent / path).resolve() if path else page
        assert aim.exists(), target
        if fragment:
            assert fragment in anchors(aim), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_is_named_exists(page: Path) -> None:
    named = (text.strip() for text in CODE.findall(FENCE.sub("", text_of(page))))
    paths = [text for text in named if re.fullmatch(r"(?:src|tests|scripts|docs|benchmarks|\.ci)/[\w./-]+", text)]
    examples = {"src/nescio/ingest/parsers/yours.py"}
    assert [path for path in paths if not (ROOT / path).exists() and path not in examples] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_test_that_is_named_exists(page: Path) -> None:
    there = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^ *def (test_\w+)", text_of(path), re.MULTILINE)
    }
    named = set(re.findall(r"`(test_\w+)`", text_of(page))) - {"test_a_weak_match_is_refused"}  # an example of a good name
    assert named - there == set()


def test_every_invariant_names_a_test() -> None:
    invariants = sections(ROOT / "ARCHITECTURE.md")["Invariants"]
    numbered = re.split(r"^\d+\. ", invariants, flags=re.MULTILINE)[1:]
    assert len(numbered) >= 8
    assert all("`test_" in invariant for invariant in numbered)


def test_every_room_is_in_the_table_of_rooms() -> None:
    rooms = {path.name for path in SOURCE.iterdir() if path.name[0] not in "_." and path.name != "py.typed"}
    table = sections(ROOT / "ARCHITECTURE.md")["Rooms"]
    assert {room for room in rooms if f"(src/nescio/{room})" not in table} == set()


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_every_section_can_be_quoted(page: Path) -> None:
    """Each section of the user's pages begins with a sentence: nescio answers from them, and they are its first corpus."""
    for title, text in sections(page).items():
        first = text.strip().partition("\n\n")[0]
        assert re.match(r"[A-Za-z`*]", first), f"{page.name}: {title} begins with {first[:40]!r}"


def test_every_page_is_linked_from_the_readme() -> None:
    readme = text_of(ROOT / "README.md")
    assert [page.name for page in DOCS.glob("*.md") if f"(docs/{page.name})" not in readme] == []


def test_ci_runs_the_command_of_the_readme() -> None:
    fences = re.findall(r"^```sh\n(.*?)^```", text_of(ROOT / "README.md"), re.MULTILINE | re.DOTALL)
    assert "scripts/check\n" in fences
    assert text_of(ROOT / ".ci" / "run").rstrip().endswith("exec scripts/check")


def test_code_blocks_of_python_compile() -> None:
    for page in PAGES:
        for block in re.findall(r"^```python\n(.*?)^```", text_of(page), re.MULTILINE | re.DOTALL):
            compile(block, page.name, "exec")
