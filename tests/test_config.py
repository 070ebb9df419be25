"""Every setting has one value with one origin, and what is wrong is told so that it can be put right."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from nescio.config.loading import Configuration, find_configuration, load
from nescio.config.model import SECTIONS, Limits, Settings, Source, scalar_kinds
from nescio.config.template import template
from nescio.errors import ConfigFault, Fault, NotFoundFault

A_FLOOR = "a number from 0 to 1, or strict, balanced or lenient"

KNOWN = ", ".join("source" if name == "sources" else name for name in Settings.model_fields)


def loaded(
    root: Path,
    text: str | None = None,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
    docs: tuple[Path, ...] = (),
) -> Configuration:
    (root / "docs").mkdir(exist_ok=True)
    if text is not None:
        (root / "nescio.toml").write_text(text, encoding="utf-8")
    return load(root, environ=environ or {}, flags=flags or {}, docs=docs)


def fault(root: Path, text: str | None = None, **given: Any) -> Fault:
    with pytest.raises(ConfigFault) as caught:
        loaded(root, text, **given)
    return caught.value


def names_of(configuration: Configuration) -> list[str]:
    return [source.name for source in configuration.settings.sources]


def test_with_nothing_said_everything_has_its_default(tmp_path: Path) -> None:
    configuration = loaded(tmp_path)
    assert configuration.settings == Settings(sources=(Source(path="docs", name="docs"),))
    assert (configuration.root, configuration.file) == (tmp_path, None)
    assert {setting.origin for setting in configuration.listing()} == {"default"}


def test_a_flag_beats_the_environment_which_beats_the_file(tmp_path: Path) -> None:
    text = "floor = 0.1\nlimit = 4\njobs = 2\n[limits]\nmax_files = 7\nlock_seconds = 1\n"
    environ = {"NESCIO_FLOOR": "0.2", "NESCIO_LIMIT": "5", "NESCIO_LIMITS__MAX_FILES": "8", "HOME": "/"}
    configuration = loaded(tmp_path, text, environ, {"floor": 0.3, "limit": None, "allow_skips": True})
    settings = configuration.settings
    assert (settings.floor, settings.limit, settings.jobs, settings.allow_skips) == (0.3, 5, 2, True)
    assert (settings.limits.max_files, settings.limits.lock_seconds, settings.limits.max_include_depth) == (8, 1.0, 5)
    origins = {setting.key: setting.origin for setting in configuration.listing()}
    assert origins["floor"] == "flag --floor"
    assert origins["allow_skips"] == "flag --allow-skips"
    assert origins["limit"] == "environment NESCIO_LIMIT"
    assert origins["limits.max_files"] == "environment NESCIO_LIMITS__MAX_FILES"
    assert origins["jobs"] == origins["limits.lock_seconds"] == "nescio.toml"
    assert origins["limits.max_include_depth"] == origins["source.docs.path"] == "default"


@pytest.mark.parametrize(("text", "value"), [("1", True), ("true", True), ("YES", True), ("0", False), ("off", False)])
def test_a_variable_says_yes_or_no_in_the_usual_words(tmp_path: Path, text: str, value: bool) -> None:
    assert loaded(tmp_path, environ={"NESCIO_ALLOW_SKIPS": text}).settings.allow_skips is value


def test_variables_that_are_empty_or_not_settings_are_let_be(tmp_path: Path) -> None:
    environ = {"NESCIO_FLOOR": "", "NESCIO_INDEX": "/x", "NESCIO_CONFIG": "/y", "NESCIOUS": "1"}
    assert loaded(tmp_path, environ=environ).settings.floor == "balanced"


def test_a_source_is_read_with_all_that_it_says(tmp_path: Path) -> None:
    text = """
    [[source]]
    path = "docs"
    include = ["*.md"]
    audiences = ["admins"]
    version = "1.2"
    [[source]]
    name = "api"
    path = "docs/../docs"
    format = "rst"
    """
    configuration = loaded(tmp_path, text)
    assert configuration.settings.sources == (
        Source(name="docs", path="docs", include=("*.md",), audiences=("admins",), version="1.2"),
        Source(name="api", path="docs/../docs", format="rst"),
    )
    assert configuration.folder(configuration.settings.sources[1]) == tmp_path / "docs"
    origins = {setting.key: setting.origin for setting in configuration.listing()}
    assert origins["source.docs.include"] == "nescio.toml"
    assert origins["source.docs.exclude"] == "default"


def test_sources_without_a_name_get_one_of_their_own(tmp_path: Path) -> None:
    for folder in ("a/guide", "b/guide", "My Docs é"):
        (tmp_path / folder).mkdir(parents=True)
    text = "".join(f'[[source]]\npath = "{path}"\n' for path in ("a/guide", "b/guide", "My Docs é", "."))
    assert names_of(loaded(tmp_path, text)) == ["guide", "guide-2", "My-Docs", "docs"]


def test_folders_given_stand_in_for_the_sources_of_the_file(tmp_path: Path) -> None:
    for folder in ("one/docs", "two/docs"):
        (tmp_path / folder).mkdir(parents=True)
    text = '[[source]]\npath = "docs"\nname = "main"\nversion = "2"\n[[source]]\npath = "one"\n'
    given = (Path("two/docs"), Path("docs"), tmp_path / "one" / "docs", Path("./docs"))
    configuration = loaded(tmp_path, text, docs=given)
    assert names_of(configuration) == ["docs", "main", "docs-2"]
    assert [source.path for source in configuration.settings.sources] == ["two/docs", "docs", "one/docs"]
    assert configuration.settings.sources[1].version == "2"
    origins = {setting.key: setting.origin for setting in configuration.listing()}
    assert origins["source.docs.path"] == "argument"
    assert origins["source.main.path"] == "nescio.toml"


def test_a_folder_given_from_below_counts_from_where_it_was_given(tmp_path: Path) -> None:
    (tmp_path / "sub" / "pages").mkdir(parents=True)
    (tmp_path / "nescio.toml").write_text("")
    configuration = load(tmp_path / "sub", environ={}, flags={}, docs=[Path("pages")])
    assert configuration.root == tmp_path
    assert configuration.settings.sources == (Source(path="sub/pages", name="pages"),)
    outside = load(tmp_path / "sub" / "pages", environ={}, flags={}, docs=[tmp_path.parent])
    assert outside.folder(outside.settings.sources[0]) == tmp_path.parent


def test_with_no_documents_anywhere_the_fault_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigFault) as caught:
        load(tmp_path, environ={}, flags={})
    assert caught.value.code == "no-docs"
    assert "nescio init" in caught.value.hint
    assert load(tmp_path, environ={}, flags={}, needs_docs=False).settings.sources == ()


def test_a_folder_that_is_not_there_is_a_fault_when_it_is_needed(tmp_path: Path) -> None:
    (tmp_path / "nescio.toml").write_text('[[source]]\npath = "gone"\n')
    with pytest.raises(NotFoundFault, match="gone is not there") as caught:
        load(tmp_path, environ={}, flags={})
    assert caught.value.code == "docs-not-found"
    assert len(load(tmp_path, environ={}, flags={}, needs_docs=False).settings.sources) == 1
    with pytest.raises(NotFoundFault, match=r"nescio\.toml is not a folder"):
        load(tmp_path, environ={}, flags={}, docs=[Path("nescio.toml")], needs_docs=False)


def test_the_nearest_configuration_is_found_up_to_the_top_of_the_repository(tmp_path: Path) -> None:
    deep = tmp_path / "repo" / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "nescio.toml").write_text("")
    assert find_configuration(deep) == tmp_path / "nescio.toml"
    (tmp_path / "repo" / ".git").mkdir()
    assert find_configuration(deep) is None
    project = tmp_path / "repo" / "pyproject.toml"
    project.write_text("[tool.other]\nx = 1\n")
    assert find_configuration(deep) is None
    project.write_text("[tool.nescio]\nfloor = 0.4\n")
    assert find_configuration(deep) == project
    (tmp_path / "repo" / "nescio.toml").write_text("")
    assert find_configuration(deep) == tmp_path / "repo" / "nescio.toml"


def test_pyproject_is_read_under_its_tool_table(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pyproject.toml").write_text('[tool.nescio]\nfloor = 0.4\n[[tool.nescio.source]]\npath = "pages"\n')
    configuration = load(tmp_path, environ={}, flags={})
    assert (configuration.settings.floor, names_of(configuration)) == (0.4, ["pages"])
    assert configuration.origins["floor"] == "pyproject.toml"


def test_somebody_elses_broken_pyproject_does_not_matter_but_ours_does(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.black\n# nescio")
    assert find_configuration(tmp_path) is None
    (tmp_path / "pyproject.toml").write_text("[tool.nescio\n")
    assert fault(tmp_path).code == "config-syntax"


def test_a_file_named_outright_is_read_and_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "conf" / "docs").mkdir(parents=True)
    file = tmp_path / "conf" / "other.toml"
    file.write_text("floor = 0.7\n")
    configuration = load(tmp_path, environ={}, flags={}, file=file)
    assert (configuration.settings.floor, configuration.root, configuration.file) == (0.7, tmp_path / "conf", file)
    with pytest.raises(NotFoundFault) as caught:
        load(tmp_path, environ={}, flags={}, file=tmp_path / "gone.toml")
    assert caught.value.code == "config-not-found"


def test_a_file_with_a_byte_order_mark_and_windows_line_ends_is_read(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "nescio.toml").write_bytes(b"\xef\xbb\xbffloor = 0.7\r\nlimit = 2\r\n")
    assert load(tmp_path, environ={}, flags={}).settings.limit == 2


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("floor = 0.5\nlimit = = 3\n", "line 2, column 9"),
        ("floor = ", "line 1, column 9"),
        ("floor = 1\nfloor = 2\n", "line 2"),
    ],
)
def test_a_syntax_error_is_told_with_line_and_column(tmp_path: Path, text: str, where: str) -> None:
    told = fault(tmp_path, text)
    assert told.code == "config-syntax"
    assert f"nescio.toml, {where}" in told.message


def test_a_file_that_is_not_utf8_or_nested_too_deep_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "nescio.toml").write_bytes(b"floor = 0.5 # \x96\n")
    told = fault(tmp_path)
    assert told.code == "config-syntax"
    assert "byte 14" in told.message
    assert fault(tmp_path, "floor = " + "[" * 5000 + "]" * 5000).code == "config-syntax"


@pytest.mark.parametrize(
    ("text", "shown", "hint"),
    [
        ("flor = 0.5", "flor (nescio.toml)", "Did you mean floor?"),
        ("max_files = 5", "max_files (nescio.toml)", "Did you mean limits.max_files?"),
        ("[limits]\nmax_file = 5", "limits.max_file (nescio.toml)", "Did you mean max_files?"),
        ('[[source]]\npath = "docs"\nexlude = []', "exlude of [[source]] 1 (nescio.toml)", "Did you mean exclude?"),
        ('[[sources]]\npath = "docs"', "sources (nescio.toml)", "Did you mean source?"),
        ("zzz = 1", "zzz (nescio.toml)", f"Known are: {KNOWN}."),
    ],
)
def test_an_unknown_key_is_told_with_the_nearest_known_one(tmp_path: Path, text: str, shown: str, hint: str) -> None:
    told = fault(tmp_path, text)
    assert (told.code, told.hint) == ("config-unknown-key", hint)
    assert shown in told.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('floor = "high"', f'floor = "high" (nescio.toml); expected: {A_FLOOR}.'),
        ("floor = true", f"floor = true (nescio.toml); expected: {A_FLOOR}."),
        ("floor = 2", f"floor = 2 (nescio.toml); expected: {A_FLOOR}."),
        ("limit = 3.5", "limit = 3.5 (nescio.toml); expected: a whole number."),
        ("allow_skips = 1", "allow_skips = 1 (nescio.toml); expected: true or false."),
        ("limits = 3", "limits = 3 (nescio.toml); expected: a table."),
        ("[limits]\nmax_files = 0", "limits.max_files = 0 (nescio.toml); expected: greater than or equal to 1."),
        ("floor = nan", f"floor = NaN (nescio.toml); expected: {A_FLOOR}."),
        ("floor = 2020-01-01", f'floor = "2020-01-01" (nescio.toml); expected: {A_FLOOR}.'),
        ("[limits]\nlock_seconds = nan", "limits.lock_seconds = NaN (nescio.toml); expected: a finite number."),
        ("[calibration]\nanswerable = 0.5", "calibration.answerable = 0.5 (nescio.toml); expected: a whole number."),
        (
            '[serve]\nrate = "fast"',
            'serve.rate = "fast" (nescio.toml); expected: off, or a number in a second, minute, hour or day, as 120/minute.',
        ),
        ('[source]\npath = "docs"', 'source = {"path": "docs"} (nescio.toml); expected: a list.'),
        ("source = [3]", "[[source]] 1 = 3 (nescio.toml); expected: a table."),
        ('[[source]]\npath = "docs"\ninclude = "x"', 'include of [[source]] 1 = "x" (nescio.toml); expected: a list.'),
        ('[[source]]\npath = "docs"\ninclude = [3]', "include.0 of [[source]] 1 = 3 (nescio.toml); expected: text in quotes."),
        ('[[source]]\npath = "docs"\nversion = 1.2', "version of [[source]] 1 = 1.2 (nescio.toml); expected: text in quotes."),
    ],
)
def test_a_wrong_value_is_told_with_what_was_expected_and_where_it_was_set(tmp_path: Path, text: str, message: str) -> None:
    told = fault(tmp_path, text)
    assert (told.code, told.message) == ("config-wrong-value", message)


@pytest.mark.parametrize(
    "line", ['name = "a b"', 'name = "../x"', 'name = ".hidden"', 'site_url = "ftp://x"', 'path = ""', 'slug = "x"']
)
def test_a_source_with_a_value_that_cannot_be_is_a_fault(tmp_path: Path, line: str) -> None:
    path = "" if line.startswith("path") else 'path = "docs"\n'
    assert fault(tmp_path, f"[[source]]\n{path}{line}\n").code == "config-wrong-value"


def test_a_wrong_variable_or_flag_is_told_as_such(tmp_path: Path) -> None:
    told = fault(tmp_path, environ={"NESCIO_LIMITS__MAX_FILES": "many"})
    assert told.message == 'limits.max_files = "many" (environment NESCIO_LIMITS__MAX_FILES); expected: a whole number.'
    told = fault(tmp_path, flags={"limit": 50})
    assert told.message == "limit = 50 (flag --limit); expected: less than or equal to 20."
    told = fault(tmp_path, environ={"NESCIO_ALLOW_SKIPS": "maybe"})
    assert told.message == 'allow_skips = "maybe" (environment NESCIO_ALLOW_SKIPS); expected: true or false.'


@pytest.mark.parametrize(
    ("variable", "nearest"), [("NESCIO_FLOR", "NESCIO_FLOOR"), ("NESCIO_MAX_FILE_BYTES", "NESCIO_LIMITS__MAX_FILE_BYTES")]
)
def test_an_unknown_variable_is_told_with_the_nearest_known_one(tmp_path: Path, variable: str, nearest: str) -> None:
    told = fault(tmp_path, environ={variable: "1"})
    assert (told.code, told.hint) == ("config-unknown-variable", f"Did you mean {nearest}?")


def test_a_file_with_a_value_where_a_table_should_be_is_a_fault_whatever_else_is_set(tmp_path: Path) -> None:
    assert fault(tmp_path, "limits = 3", environ={"NESCIO_LIMITS__MAX_FILES": "4"}).code == "config-wrong-value"


def test_a_source_without_a_path_or_two_of_one_name_are_faults(tmp_path: Path) -> None:
    assert fault(tmp_path, '[[source]]\nname = "x"\n').message == "path of [[source]] 1 is missing (nescio.toml)."
    twice = '[[source]]\nname = "x"\npath = "docs"\n' * 2
    assert fault(tmp_path, twice).code == "config-duplicate-source"


def test_a_long_value_is_cut_in_the_message(tmp_path: Path) -> None:
    assert len(fault(tmp_path, f'floor = "{"x" * 5000}"').message) < 200


def test_settings_cannot_be_changed_and_know_no_other_names() -> None:
    with pytest.raises(ValidationError):
        Settings().floor = 1.0  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Source(path="docs", nam="x")  # type: ignore[call-arg]


def test_every_setting_is_described_and_can_be_set_by_a_variable(tmp_path: Path) -> None:
    for model in (Settings, Limits, Source):
        assert all(field.description for field in model.model_fields.values())
    values = {key: attrgetter(key)(Settings()) for key in scalar_kinds()}
    values = {key: value for key, value in values.items() if value != ""}  # an empty variable sets nothing
    environ = {f"NESCIO_{key.upper().replace('.', '__')}": str(value) for key, value in values.items()}
    configuration = loaded(tmp_path, environ=environ)
    assert configuration.settings.model_copy(update={"sources": ()}) == Settings()
    assert set(configuration.origins) >= set(values)


def test_the_template_loads_as_the_defaults(tmp_path: Path) -> None:
    configuration = loaded(tmp_path, template())
    assert configuration.settings == Settings(sources=(Source(path="docs", name="docs"),))
    assert template().count("\n[[source]]\n") == 1


def test_the_template_shows_every_setting_at_its_default(tmp_path: Path) -> None:
    optional = {name for name, field in Source.model_fields.items() if field.default is None}
    text = template()
    for name in optional:
        text = re.sub(rf"^#{name} = ", f"# {name} = ", text, flags=re.MULTILINE)
    configuration = loaded(tmp_path, re.sub(r"^#(?=\S)", "", text, flags=re.MULTILINE))
    assert configuration.settings == Settings(sources=(Source(path="docs", name="docs"),))
    from_file = {setting.key for setting in configuration.listing() if setting.origin == "nescio.toml"}
    assert from_file == {setting.key for setting in configuration.listing()} - {f"source.docs.{name}" for name in optional}


def test_the_examples_of_the_template_can_be_taken_as_they_are(tmp_path: Path) -> None:
    configuration = loaded(tmp_path, re.sub(r"^#(?=\S)", "", template(), flags=re.MULTILINE))
    assert configuration.settings.sources[0].version == "1.2"
    assert configuration.include_root(configuration.settings.sources[0]) == tmp_path
    assert not set(SECTIONS) & {setting.key for setting in configuration.listing()}


@pytest.mark.parametrize("name", ['we "quote"', "back\\slash", "é 🎉", "tab\tdel\x7f"])
def test_the_template_holds_any_folder(tmp_path: Path, name: str) -> None:
    if os.name != "posix":
        pytest.skip("such names need POSIX")
    (tmp_path / name).mkdir()
    assert loaded(tmp_path, template(name)).settings.sources[0].path == name


def test_the_fingerprint_is_the_same_in_another_place_and_order(tmp_path: Path) -> None:
    text = '[[source]]\nname = "a"\npath = "docs"\n[[source]]\nname = "b"\npath = "more"\n'
    other = '[[source]]\nname = "b"\npath = "elsewhere"\n[[source]]\nname = "a"\npath = "docs"\n'
    prints = []
    for place, content in (("one", text), ("two", other)):
        for folder in ("docs", "more", "elsewhere"):
            (tmp_path / place / folder).mkdir(parents=True)
        prints.append(loaded(tmp_path / place, content).fingerprint())
    assert prints[0] == prints[1]
    assert re.fullmatch("[0-9a-f]{64}", prints[0])


def test_the_fingerprint_tells_what_changes_the_index_and_nothing_else(tmp_path: Path) -> None:
    base = loaded(tmp_path, '[[source]]\npath = "docs"\n').fingerprint()
    changes = ["exclude = ['x']", "language = 'de'", "version = '2'", "format = 'rst'", "include_root = '.'", "name = 'x'"]
    prints = [loaded(tmp_path, f'[[source]]\npath = "docs"\n{line}\n').fingerprint() for line in changes]
    prints.append(loaded(tmp_path, '[limits]\nmax_file_bytes = 5\n[[source]]\npath = "docs"\n').fingerprint())
    assert len({base, *prints}) == len(changes) + 2
    calm = 'floor = 0.9\njobs = 2\nlimit = 1\n[limits]\nmax_file_seconds = 1.0\nlock_seconds = 3.0\n[[source]]\npath = "docs"\n'
    assert loaded(tmp_path, calm).fingerprint() == base


def test_a_folder_given_by_an_absolute_path_makes_no_other_fingerprint(tmp_path: Path) -> None:
    prints = []
    for place in ("one", "two"):
        (tmp_path / place / "docs").mkdir(parents=True)
        prints.append(load(tmp_path, environ={}, flags={}, docs=[tmp_path / place / "docs"]).fingerprint())
        shutil.rmtree(tmp_path / place)
    assert prints[0] == prints[1]
