"""What a word becomes: identifiers whole and in parts, forms brought together, and what must stay apart."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.analysis import tokens as tokens_module
from nescio.analysis.tokens import LONGEST_TERM, Analyzer, Token

ENGLISH = Analyzer()
ANY_TEXT = st.text(max_size=200)
PIECES = [
    "C++",
    "don't",
    "--no-cache",
    "数据库",
    "a number of",
    "${HOME}",
    "foo::bar",
    "1.2.3",
    "–x",
    "é",
    "e\u0301",
    "🚀",
    "\u200b",
    "_",
    ".",
    "'",
    "-",
    " ",
]
MIXED = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


def terms(text: str, language: str = "en") -> list[Token]:
    return (ENGLISH if language == "en" else Analyzer(language)).tokens(text)


def first_terms(text: str, language: str = "en") -> list[str]:
    return [token[0] for token in terms(text, language) if token]


# --- Identifiers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C++", ("c++",)),
        ("C#", ("c#",)),
        ("C", ("c",)),
        (".NET", (".net", "net")),
        (".libPaths", (".libpaths", "libpath", "lib", "path")),
        ("--no-cache", ("--no-cache", "no-cache", "no", "cach")),
        ("-v", ("-v",)),
        ("-Wall", ("-wall", "wall")),
        ("X-Forwarded-For", ("x-forwarded-for", "x", "forward", "for")),
        ("1.2.3", ("1.2.3",)),
        ("v1.2.3", ("v1.2.3",)),
        ("1.2.3-rc.1", ("1.2.3-rc.1",)),
        ("2024-01-31", ("2024-01-31",)),
        ("E0277", ("e0277",)),
        ("$HOME", ("$home", "home")),
        ("${HOME}", ("$home", "home")),
        ("$JAVA_HOME", ("$java_home", "java_home", "java", "home")),
        ("don't", ("don't", "don", "t")),
        ("HTTP/3", ("http/3", "http", "3")),
        ("response_model", ("response_model", "respons", "model")),
        ("long-term", ("long-term", "long", "term")),
        ("GroundTruth", ("groundtruth", "ground", "truth")),
        ("HTTPServer", ("httpserver", "http", "server")),
        ("OAuth2PasswordBearer", ("oauth2passwordbearer", "oauth2", "password", "bearer")),
        ("eBPF", ("ebpf",)),
        ("os.path.join", ("os.path.join", "os", "path", "join")),
        ("src/main.py", ("src/main.py", "src", "main", "py")),
        ("foo::bar", ("foo::bar", "foo", "bar")),
        ("user@example.com", ("user@example.com", "user", "exampl", "com")),
        ("__init__", ("init",)),
        ("S3", ("s3",)),
        ("16GB", ("16gb",)),
        ("🚀", ("🚀",)),
        ("→", ("→",)),
    ],
)
def test_an_identifier_is_one_term_followed_by_its_parts(text: str, expected: Token) -> None:
    assert terms(text) == [expected]


def test_a_call_is_the_name_and_its_arguments() -> None:
    assert terms("app:setTimeout(callback, delay)") == [
        ("app:settimeout", "app", "settimeout", "set", "timeout"),
        ("callback",),
        ("delay",),
    ]


@pytest.mark.parametrize(
    "one", ["C", "C++", "C#", "F#", "1.2.3", "1.2.4", "v1.2.3", "E0277", "E0278", "HTTP/2", "HTTP/3", "-v", "-V"]
)
def test_names_that_differ_by_one_sign_share_no_whole_term(one: str) -> None:
    others = {"C", "C++", "C#", "F#", "1.2.3", "1.2.4", "v1.2.3", "E0277", "E0278", "HTTP/2", "HTTP/3", "-v", "-V"} - {one}
    assert not {first_terms(other)[0] for other in others} & set(first_terms(one))


@pytest.mark.parametrize(("text", "name"), [("C++17", "c++"), ("C++,", "c++"), ("(C#)", "c#"), ("C#7", "c#"), ("C++.", "c++")])
def test_the_sign_of_a_language_stays_on_its_letter(text: str, name: str) -> None:
    assert first_terms(text)[0] == name


@pytest.mark.parametrize("dash", ["\u2013", "\u2014", "\u2015"])
def test_a_dash_that_typography_made_of_two_hyphens_is_read_as_them(dash: str) -> None:
    assert terms(f"{dash}no-cache") == terms("--no-cache")


@pytest.mark.parametrize("hyphen", ["\u2010", "\u2011", "\u2212"])
def test_a_typographic_hyphen_joins_like_the_plain_one(hyphen: str) -> None:
    assert terms(f"no{hyphen}cache") == terms("no-cache")


@pytest.mark.parametrize(("text", "count"), [("word\u2013another", 2), ("word\u2014another", 2), ("1\u20132", 2), ("a - b", 2)])
def test_a_dash_between_words_makes_no_flag(text: str, count: int) -> None:
    assert len(terms(text)) == count
    assert not any(term.startswith("-") for term in first_terms(text))


@pytest.mark.parametrize(("dotted", "bare"), [(".NET", "NET"), (".libPaths", "libPaths"), (".gitignore", "gitignore")])
def test_a_leading_dot_may_be_left_out(dotted: str, bare: str) -> None:
    assert terms(bare)[0][0] in terms(dotted)[0]


def test_a_value_stands_apart_from_its_flag() -> None:
    assert terms("--workers=4") == [("--workers", "worker"), ("4",)]


@pytest.mark.parametrize(
    ("language", "word"),
    [("de", "Größe"), ("de", "Straße"), ("de", "Für"), ("es", "Señor"), ("fr", "Édition"), ("en", "Naïve"), ("ru", "Привет")],
)
def test_a_capitalised_word_with_letters_beyond_ascii_is_no_compound(language: str, word: str) -> None:
    assert terms(word, language) == terms(word.lower(), language)
    assert len(terms(word, language)[0]) == 1


@pytest.mark.parametrize(
    ("text", "parts"), [("ПриветМир", ["привет", "мир"]), ("ÜberSicht", ["über", "sicht"]), ("HTTPСервер", ["http", "сервер"])]
)
def test_camel_case_has_its_parts_in_any_alphabet(text: str, parts: list[str]) -> None:
    assert list(terms(text, "xx")[0][1:]) == parts


# --- What is written in more than one way ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("café", "cafe\u0301"),
        ("don't", "don\u2019t"),
        ("don't", "don\u02bct"),
        ("“quoted”", '"quoted"'),
        ("documentation", "docu\u00admentation"),
        ("documentation", "docu\u200bmentation"),
        ("documentation", "\ufeffdocumentation"),
        ("full", "ｆｕｌｌ"),
        ("file", "ﬁle"),
        ("１２３", "123"),
        ("データ", unicodedata.normalize("NFD", "データ")),
        ("데이터", unicodedata.normalize("NFD", "데이터")),
        ("Response", "RESPONSE"),
    ],
)
def test_two_ways_to_write_a_word_give_the_same_terms(one: str, other: str) -> None:
    assert terms(one) == terms(other)


@given(ANY_TEXT)
def test_composed_and_decomposed_text_gives_the_same_terms(text: str) -> None:
    assert ENGLISH.tokens(unicodedata.normalize("NFC", text)) == ENGLISH.tokens(unicodedata.normalize("NFD", text))


@pytest.mark.parametrize("written", ["user's", "users'", "user\u2019s", "users"])
def test_a_possessive_is_the_word_itself(written: str) -> None:
    assert terms(written) == [("user",)]


# --- Scripts without spaces ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("数", [("数",)]),
        ("数据", [("数据", "数", "据")]),
        ("数据库", [("数据", "数"), ("据库", "据", "库")]),
        ("한글", [("한글", "한", "글")]),
        ("ไทย", [("ไท", "ไ"), ("ทย", "ท", "ย")]),
        ("カナ", [("カナ", "カ", "ナ")]),
    ],
)
def test_text_without_spaces_is_matched_by_letters_and_pairs(text: str, expected: list[Token]) -> None:
    assert terms(text) == expected


def test_a_name_in_the_middle_of_chinese_text_is_found() -> None:
    assert ("fastapi",) in terms("使用FastAPI构建") or ("fastapi", "fast", "api") in terms("使用FastAPI构建")
    assert terms("参数--no-cache表示")[1][0] == "--no-cache"


@given(st.text(alphabet="数据库索引用户", min_size=1, max_size=12))
def test_every_letter_of_chinese_text_is_a_term(text: str) -> None:
    assert {term for token in ENGLISH.tokens(text) for term in token} >= set(text)


# --- Languages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "installing", "installed"),
        ("en", "mice", "mouse"),
        ("en", "indices", "index"),
        ("en", "ran", "running"),
        ("de", "Häuser", "Haus"),
        ("fr", "installations", "installation"),
        ("es", "instalaciones", "instalación"),
        ("ru", "документы", "документов"),
    ],
)
def test_forms_of_a_word_meet_in_their_language(language: str, one: str, other: str) -> None:
    assert terms(one, language) == terms(other, language)


def test_the_table_of_english_forms_serves_english_alone() -> None:
    assert terms("mice", "fr") != terms("mouse", "fr")


@pytest.mark.parametrize("language", ["xx", "zh", "tlh"])
def test_a_language_without_a_stemmer_keeps_words_as_they_are(language: str) -> None:
    assert terms("Installing mice", language) == [("installing",), ("mice",)]
    assert Analyzer(language).stop_words == frozenset()


def test_a_stop_word_is_not_stemmed() -> None:
    analyzer = Analyzer()
    assert all(analyzer.word(word) == word for word in analyzer.stop_words)
    assert all(analyzer.is_stop_word(word) for word in ("the", "was", "don't"))


# --- Phrases without content -----------------------------------------------------------------------------------------


def test_a_function_phrase_gives_no_content_but_keeps_its_places() -> None:
    assert terms("a number of workers") == [(), (), (), ("worker",)]
    assert [word for word, _ in ENGLISH.words("a number of workers")] == ["workers"]


def test_the_same_words_with_a_meaning_are_content() -> None:
    assert ("number",) in terms("the number of workers")


def test_a_phrase_at_the_end_of_the_text_is_whole_or_it_stays() -> None:
    assert terms("a number") == [("a",), ("number",)]


# --- Promises for any text -------------------------------------------------------------------------------------------


def test_a_word_longer_than_any_name_is_dropped() -> None:
    assert terms("x" * (LONGEST_TERM + 1)) == []
    assert terms("x" * LONGEST_TERM) != []


@pytest.mark.parametrize("text", ["", " ", "--", "...", "—", "\u200b", "'", "()", "\x00\x1f", "\ud800"])
def test_text_without_words_has_no_terms(text: str) -> None:
    assert terms(text) == []


@given(ANY_TEXT | MIXED, st.sampled_from(["en", "de", "ru", "xx"]))
def test_terms_are_not_empty_and_hold_no_white_space(text: str, language: str) -> None:
    for token in Analyzer(language).tokens(text):
        assert all(term and term == "".join(term.split()) for term in token)
        assert len(set(token)) == len(token)


@given(ANY_TEXT | MIXED)
def test_words_and_tokens_agree(text: str) -> None:
    assert [token for _, token in ENGLISH.words(text)] == [token for token in ENGLISH.tokens(text) if token]
    assert all(word == word.lower() for word, _ in ENGLISH.words(text))


@given(st.lists(MIXED | ANY_TEXT, max_size=6))
def test_what_was_analysed_before_changes_nothing(texts: list[str]) -> None:
    used = Analyzer()
    assert [used.tokens(text) for text in [*texts, *texts]] == [Analyzer().tokens(text) for text in [*texts, *texts]]


@given(st.lists(MIXED, min_size=1, max_size=6))
def test_a_full_memory_changes_nothing(texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens_module, "CACHED_CHUNKS", 2)
        small = Analyzer()
        assert [small.tokens(text) for text in texts] == [ENGLISH.tokens(text) for text in texts]
        assert [small.written(text.split()) for text in texts] == [ENGLISH.written(text.split()) for text in texts]


@given(MIXED, MIXED)
def test_text_apart_by_spaces_is_analysed_apart(one: str, other: str) -> None:
    plain = Analyzer("xx")
    assert plain.tokens(f"{one} \n {other}") == plain.tokens(one) + plain.tokens(other)


def test_hostile_text_is_analysed_in_linear_time() -> None:
    for text in ("a-" * 20_000, "_" * 40_000, "'" * 40_000, "a_" * 20_000, "-" * 40_000, "${" * 20_000, "Aa" * 20_000):
        assert all(len(term) <= LONGEST_TERM for token in terms(text)[:10] for term in token[:1])


# --- Words as written ------------------------------------------------------------------------------------------------


def test_words_as_written_are_those_that_someone_may_have_meant() -> None:
    said = ["The", "response_model's", "Users,", "--no-cache", "HTTP/3", "E0277", "cat", "naïve", "数据库索引文档", "and/or"]
    assert ENGLISH.written(said) == {"response_model", "users", "naïve"}


def test_chinese_sentences_are_not_words_that_someone_may_have_meant() -> None:
    assert ENGLISH.written(["使用FastAPI构建应用程序"]) == {"fastapi"}
