"""What the tables of words promise: their shape, pairs that must be known, traps that must be absent, and how they are made."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import Stemmer

from nescio.analysis import lexicon

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "src" / "nescio" / "analysis" / "data"
STOP_WORD_FILES = sorted(DATA.joinpath("stopwords").glob("*.txt"))
LANGUAGES = ("da", "de", "en", "es", "fi", "fr", "hu", "it", "nl", "no", "pt", "ro", "ru", "sv", "tr")
THESAURUS_MEMBER = re.compile(r"[a-z0-9]+(?: [a-z0-9]+)*")


def lines(name: str) -> list[str]:
    return [line for line in DATA.joinpath(name).read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]


def words(text: str) -> list[str]:
    return text.split()


def pairs(text: str) -> list[tuple[str, str]]:
    """Reads "one: other, one: other"."""
    return [(one, other) for one, other in (pair.strip().split(": ") for pair in text.split(","))]


# --- Shape -----------------------------------------------------------------------------------------------------------


def test_each_language_with_a_list_is_shipped() -> None:
    assert tuple(path.stem for path in STOP_WORD_FILES) == LANGUAGES


@pytest.mark.parametrize("path", STOP_WORD_FILES, ids=lambda path: path.stem)
def test_a_list_of_stop_words_is_sorted_lower_case_single_words(path: Path) -> None:
    words = lines(f"stopwords/{path.name}")
    assert len(words) > 100
    assert words == sorted(set(words))
    assert all(word == word.lower() and not re.search(r"\s|\d", word) for word in words)


@pytest.mark.parametrize("name", ["function_phrases.txt", "lemmas.tsv", "synonyms.tsv", "acronyms.tsv"])
def test_a_table_is_sorted_without_duplicates_in_lower_case(name: str) -> None:
    found = lines(name)
    assert found == sorted(set(found))
    assert all(line == line.lower() and line.isascii() for line in found)


def test_a_function_phrase_has_a_word_that_is_content_elsewhere() -> None:
    stop = lexicon.stop_words("en")
    idle = [phrase for phrase in lexicon.function_phrases("en") if len(phrase) < 2 or all(word in stop for word in phrase)]
    assert idle == []


def test_a_lemma_is_a_single_word_and_no_form_of_another() -> None:
    table = lexicon.lemmas()
    assert len(table) == len(lines("lemmas.tsv"))
    assert all(re.fullmatch(r"[a-z]{2,}", word) for pair in table.items() for word in pair)
    assert not set(table) & set(table.values())


def test_a_lemma_is_listed_only_where_the_stemmer_fails() -> None:
    stem = Stemmer.Stemmer("english").stemWord
    assert [form for form, lemma in lexicon.lemmas().items() if stem(form) == stem(lemma)] == []


def test_wordnet_entries_are_single_words_and_go_both_ways() -> None:
    entries = {word: others for word, *others in (line.split("\t") for line in lines("synonyms.tsv"))}
    assert all(re.fullmatch(r"[a-z]{3,}", word) for word, others in entries.items() for word in (word, *others))
    assert all(len(set(others)) == len(others) and word not in others for word, others in entries.items())
    assert "purchase" in entries["buy"]
    assert "buy" in entries["purchase"]


def test_derivations_are_single_words_that_begin_alike() -> None:
    entries = {word: others for word, *others in (line.split("\t") for line in lines("derivations.tsv"))}
    assert all(re.fullmatch(r"[a-z]{3,}", word) for word, others in entries.items() for word in (word, *others))
    assert all(word[:3] == other[:3] and word != other for word, others in entries.items() for other in others)
    assert all(1 <= len(others) <= 4 for others in entries.values())


@pytest.mark.parametrize(("word", "other"), [("reduce", "reduction"), ("failing", "failure"), ("stores", "storage")])
def test_words_that_are_made_of_one_another_are_known(word: str, other: str) -> None:
    assert other in lexicon.derivations(word)


def test_a_word_without_relatives_has_none() -> None:
    assert lexicon.derivations("response_model") == ()


def test_a_thesaurus_group_has_two_members_or_more_and_none_twice() -> None:
    groups = [line.split("\t") for line in lines("thesaurus.tsv")]
    assert all(len(group) >= 2 and len(set(group)) == len(group) for group in groups)
    assert all(THESAURUS_MEMBER.fullmatch(member) for group in groups for member in group)
    assert len({tuple(sorted(group)) for group in groups}) == len(groups)


def test_an_acronym_and_its_expansion_stand_apart_by_one_tab() -> None:
    assert all(re.fullmatch(r"[a-z0-9]{2,6}\t[a-z]+(?: [a-z]+)*", line) for line in lines("acronyms.tsv"))


def test_the_tables_stay_small() -> None:
    assert DATA.joinpath("lemmas.tsv").stat().st_size < 100_000
    assert DATA.joinpath("synonyms.tsv").stat().st_size < 400_000
    assert DATA.joinpath("derivations.tsv").stat().st_size < 200_000


# --- Stop words and phrases ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "word",
    words("the what how often may must not if for while anyone somehow please thanks hi want don't isn't i'm what's dont"),
)
def test_words_that_frame_a_question_carry_no_content(word: str) -> None:
    assert word in lexicon.stop_words("en")


@pytest.mark.parametrize(
    "word",
    words("use need make get mean work off down number none let except outside behind id shell shed"),
)
def test_words_that_may_be_the_point_of_a_question_are_content(word: str) -> None:
    assert word not in lexicon.stop_words("en")


def test_a_contraction_is_a_stop_word_with_either_apostrophe() -> None:
    assert {"don't", "don\N{RIGHT SINGLE QUOTATION MARK}t"} <= lexicon.stop_words("en")


@pytest.mark.parametrize(
    ("language", "word"),
    pairs(
        "da: hvordan, de: wie, es: cómo, fi: miten, fr: est, hu: hogyan, it: come, nl: hoe, no: hvordan, pt: como, "
        "ro: cum, ru: как, sv: hur, tr: nasıl"
    ),
)
def test_the_word_for_how_carries_no_content(language: str, word: str) -> None:
    assert word in lexicon.stop_words(language)


@pytest.mark.parametrize("language", ["zh", "ja", "xx", "", "../en", "stopwords/en", "en\x00"])
def test_a_language_without_a_list_has_no_stop_words(language: str) -> None:
    assert lexicon.stop_words(language) == frozenset()
    assert lexicon.function_phrases(language) == ()


@pytest.mark.parametrize(("tag", "code"), [("en-US", "en"), ("EN", "en"), ("pt_BR", "pt"), ("nb", "no"), ("nn-NO", "no")])
def test_a_language_tag_is_read_by_its_first_part(tag: str, code: str) -> None:
    assert lexicon.stop_words(tag) == lexicon.stop_words(code) != frozenset()


def test_function_phrases_come_longest_first() -> None:
    lengths = [len(phrase) for phrase in lexicon.function_phrases("en")]
    assert lengths == sorted(lengths, reverse=True)


@pytest.mark.parametrize(
    "phrase", ["a number of", "is it possible to", "what is the best way to", "in order to", "for example"]
)
def test_a_known_function_phrase_is_listed(phrase: str) -> None:
    assert tuple(phrase.split()) in lexicon.function_phrases("en")


@pytest.mark.parametrize("phrase", ["the number of", "number of", "get started", "at the same time", "by default", "less than"])
def test_a_phrase_that_says_something_is_not_listed(phrase: str) -> None:
    assert tuple(phrase.split()) not in lexicon.function_phrases("en")


# --- Lemmas ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "lemma"),
    pairs(
        "mice: mouse, ran: run, indices: index, children: child, wrote: write, written: write, went: go, thrown: "
        "throw, overridden: override, rebuilt: rebuild, vertices: vertex, axes: axis, parentheses: parenthesis, "
        "hidden: hide, fastest: fast, aliases: alias"
    ),
)
def test_an_irregular_form_has_its_lemma(form: str, lemma: str) -> None:
    assert lexicon.lemmas()[form] == lemma


@pytest.mark.parametrize(
    "form",
    words("left found saw felt ground bound wound lay bore data media led latest lower better least was did tared files"),
)
def test_a_form_with_a_meaning_of_its_own_stays_as_it_is(form: str) -> None:
    assert form not in lexicon.lemmas()


def test_the_lemmas_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        lexicon.lemmas()["cat"] = "dog"  # type: ignore[index]


# --- Synonyms --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "other"),
    pairs(
        "folder: directory, delete: remove, remove: erase, login: sign in, sign in: log in, turn off: disable, "
        "deactivate: turn off, turn on: enable, start: launch, stop: shut down, config: settings, configuration: "
        "preferences, repo: repository, docs: documentation, env: environment, param: argument, rate limit: throttle, "
        "pricing: cost, backup: snapshot, restore: recover, password: passphrase, upgrade: update, error: exception, "
        "colour: color"
    ),
)
def test_words_of_software_that_mean_the_same_are_known(word: str, other: str) -> None:
    assert (other, lexicon.THESAURUS_WEIGHT) in lexicon.synonyms(word)


def test_general_english_weighs_less_than_the_thesaurus() -> None:
    assert lexicon.synonyms("buy") == (("purchase", lexicon.WORDNET_WEIGHT),)
    assert lexicon.WORDNET_WEIGHT < lexicon.THESAURUS_WEIGHT < 1


@pytest.mark.parametrize(
    ("form", "base"),
    pairs(
        "deleting: delete, directories: directory, stopped: stop, logging in: log in, log-in: log in, rate limits: "
        "rate limit, ran: run, used: use, buying: buy, classes: class"
    ),
)
def test_an_inflected_form_has_the_synonyms_of_its_base(form: str, base: str) -> None:
    assert lexicon.synonyms(form) == lexicon.synonyms(base)


@pytest.mark.parametrize(
    "word",
    words("doctor physician thread yarn kernel token python branch partner doing bring during xyzzy ss s"),
)
def test_a_word_that_software_uses_otherwise_has_no_synonyms(word: str) -> None:
    assert lexicon.synonyms(word) == ()


def test_no_word_is_its_own_synonym() -> None:
    words = {member for line in lines("thesaurus.tsv") + lines("synonyms.tsv") for member in line.split("\t")}
    assert [word for word in words if word in dict(lexicon.synonyms(word))] == []


def test_a_word_of_the_thesaurus_has_no_entry_of_general_english() -> None:
    curated = {member for line in lines("thesaurus.tsv") for member in line.split("\t")}
    assert not curated & {line.partition("\t")[0] for line in lines("synonyms.tsv")}


def test_a_stop_word_is_nowhere_a_synonym_of_general_english() -> None:
    assert not lexicon.stop_words("en") & {word for line in lines("synonyms.tsv") for word in line.split("\t")}


# --- Acronyms --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "short",
    words("cors jwt api csrf xss orm sse tls ssl sql cli gui ui url dns ssh rbac mfa sso k8s i18n db"),
)
def test_an_acronym_of_the_field_is_known_both_ways(short: str) -> None:
    meanings = lexicon.acronym(short)
    assert meanings
    assert {lexicon.acronym_of(meaning) for meaning in meanings} == {short}


def test_an_acronym_with_two_meanings_has_both() -> None:
    assert lexicon.acronym("sse") == (("server", "sent", "events"), ("server", "side", "encryption"))


def test_plurals_and_hyphens_do_not_hide_an_acronym() -> None:
    assert lexicon.acronym("apis") == lexicon.acronym("api")
    assert lexicon.acronym_of(["json", "web", "tokens"]) == "jwt"
    assert lexicon.acronym_of(["cross-origin", "resource", "sharing"]) == "cors"
    assert lexicon.acronym_of(["cross", "origin"]) == "cors"


def test_unknown_words_are_no_acronym() -> None:
    assert lexicon.acronym("folder") == lexicon.acronym("") == ()
    assert lexicon.acronym_of([]) is lexicon.acronym_of(["cross"]) is None


# --- Stemmers --------------------------------------------------------------------------------------------------------


def test_every_named_stemmer_of_a_language_with_stop_words_exists() -> None:
    names = [lexicon.stemmer_language(language) for language in LANGUAGES]
    assert set(names) <= set(Stemmer.algorithms())
    assert lexicon.stemmer_language("en-GB") == "english"


@pytest.mark.parametrize("language", ["zh", "ja", "", "english", "../en"])
def test_a_language_without_a_stemmer_has_none(language: str) -> None:
    assert lexicon.stemmer_language(language) is None


# --- The scripts, on a small WordNet and a small lemminflect ---------------------------------------------------------

# Synset 1 {buy, purchase}, 2 {thread, yarn}, 3 {doc (slang), medic}, 4 {remove, take}, 5 {rare, uncommon}, 6 {City, town}.
WORDNET = {
    "index.verb": "buy v 2 1 @ 2 1 00000001 00000009\npurchase v 1 0 1 1 00000001\nremove v 1 0 1 1 00000004\n"
    "take v 1 0 1 1 00000004\ntake_out v 1 0 1 0 00000004\n",
    "index.noun": "city n 1 0 1 1 00000006\ndoc n 1 0 1 1 00000003\nmedic n 1 0 1 1 00000003\nthread n 1 0 1 1 00000002\n"
    "town n 1 0 1 1 00000006\nyarn n 1 0 1 1 00000002\n",
    "index.adj": "rare a 1 0 1 1 00000005\nuncommon a 1 0 1 0 00000005\n",
    "index.adv": "",
    "data.verb": "00000001 40 v 02 buy 0 purchase 0 001 @ 00000009 v 0000 00 | to pay\n"
    "00000004 30 v 03 remove 0 take 0 take_out 0 000 00 | to take away\n00000009 30 v 01 buy 1 000 00 | to bribe\n",
    "data.noun": "00000002 06 n 02 thread 0 yarn 0 000 | a cord\n00000003 18 n 02 doc 0 medic 0 001 ;u 00000099 n 0000\n"
    "00000006 15 n 02 City 0 town 0 000 | a place\n",
    "data.adj": "00000005 00 a 02 rare(a) 0 uncommon 0 000 | seldom\n",
    "data.adv": "",
    "cntlist.rev": "buy%2:40:00:: 1 9\nbuy%2:30:01:: 2 1\ncity%1:15:00:: 1 8\ndoc%1:18:00:: 1 3\nmedic%1:18:00:: 1 3\n"
    "mouse%1:05:00:: 1 4\npurchase%2:40:00:: 1 5\nrare%3:00:00:: 1 5\nremove%2:30:00:: 1 9\nrun%2:38:00:: 1 9\n"
    "take%2:30:00:: 1 9\nthread%1:06:00:: 1 5\ntown%1:15:00:: 1 6\nyarn%1:06:00:: 1 5\n",
}
LICENCE = "  1 This software and database is being provided to you, the LICENSEE.\n"
LEMMA_TABLE = (
    "mice,noun,mouse\nran,verb,run\nruns,verb,run\nsaw,noun,saw\nsaw,verb,see\nliceish,noun,lice-ish\nGeese,noun,goose\n"
    "geese,noun,goose\nwas,aux,be\nwas,verb,be\noverran,verb,overrun/over-run\n"
)
BASE_TABLE = "mouse,noun,mice\nrun,verb,ran,run,running,runs\nsaw,noun,saws\n"


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    folder = tmp_path / "wordnet"
    folder.mkdir()
    for name, text in WORDNET.items():
        folder.joinpath(name).write_text(text if name == "cntlist.rev" else LICENCE + text, encoding="ascii", newline="\n")
    return folder


@pytest.fixture
def lemminflect(tmp_path: Path) -> Path:
    folder = tmp_path / "lemminflect"
    folder.mkdir()
    folder.joinpath("lemma_lu.csv.gz").write_bytes(gzip.compress(LEMMA_TABLE.encode()))
    folder.joinpath("infl_lu.csv.gz").write_bytes(gzip.compress(BASE_TABLE.encode()))
    return folder


def run(script: str, out: Path, *options: str | Path, seed: str = "0") -> str:
    command = [sys.executable, ROOT / "scripts" / script, *options, "--out", out]
    subprocess.run([str(part) for part in command], check=True, env=os.environ | {"PYTHONHASHSEED": seed})
    return out.read_bytes().decode("utf-8")


def rows(text: str) -> list[str]:
    return [line for line in text.split("\n") if line and not line.startswith("#")]


def test_synonyms_are_the_words_whose_dominant_sense_is_the_same(wordnet: Path, tmp_path: Path) -> None:
    thesaurus = tmp_path / "thesaurus.tsv"
    thesaurus.write_text("# Ours\ndelete\tremove\tget rid of\n", encoding="utf-8")
    text = run("build_synonyms.py", tmp_path / "out.tsv", "--wordnet", wordnet, "--thesaurus", thesaurus)
    assert rows(text) == ["buy\tpurchase", "purchase\tbuy", "take\tremove"]


def test_lemmas_are_the_irregular_forms_of_common_words(wordnet: Path, lemminflect: Path, tmp_path: Path) -> None:
    text = run("build_lemmas.py", tmp_path / "out.tsv", "--wordnet", wordnet, "--lemminflect", lemminflect)
    assert rows(text) == ["analyses\tanalysis", "axes\taxis", "mice\tmouse", "ran\trun"]


def test_the_scripts_write_the_same_bytes_each_time(wordnet: Path, lemminflect: Path, tmp_path: Path) -> None:
    for script, options in (("build_synonyms.py", ()), ("build_lemmas.py", ("--lemminflect", lemminflect))):
        written = {run(script, tmp_path / seed, "--wordnet", wordnet, *options, seed=seed) for seed in ("0", "1", "2")}
        assert len(written) == 1
