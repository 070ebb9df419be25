"""Secrets are found by their shapes, whatever they stand in; stand-ins are not, and no text takes long."""

from __future__ import annotations

import base64
import json
import time
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nescio.config.model import Secrets
from nescio.domain.documents import Document
from nescio.domain.spans import Offsets, Span, meeting, remaining
from nescio.ingest.secrets import checks
from nescio.ingest.secrets.allowing import fingerprint, fingerprints, new_key, on_lines, unwanted
from nescio.ingest.secrets.guarding import masked, masked_text, secured
from nescio.ingest.secrets.placeholders import is_placeholder
from nescio.ingest.secrets.rules import rules
from nescio.ingest.secrets.scanning import Secret, secrets
from test_benchmarks import module

tokens: Any = module("tokens")

KINDS = tuple(tokens.KINDS)
MANY = 20_000
LONGEST_SECONDS = 6.0  # for a text of a megabyte, on a busy machine; a quadratic search would take minutes


def drawn(kind: str, seed: int = 3) -> Any:
    return tokens.make(kind, Random(seed))


def found_in(text: str) -> list[tuple[str, str]]:
    return [(one.rule, one.span.of(text)) for one in secrets(text)]


# What is found


def test_nearly_all_planted_secrets_are_found_whole() -> None:
    planted = tokens.planted(500, 1)
    spans = [(text.index(made.secret), len(made.secret), secrets(text)) for made, _, text in planted]
    hits = [any(one.span == Span(at, at + length) for one in found) for at, length, found in spans]
    assert sum(hits) >= 0.97 * len(planted)
    assert len(KINDS) >= 40


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_found_in_a_fence_with_the_exact_range(kind: str) -> None:
    made = drawn(kind)
    text = tokens.page(made, "fence")
    assert [value for _, value in found_in(text)] == [made.secret]


def test_names_of_rules_are_unique_and_kebab_case() -> None:
    names = [rule.name for rule in rules()]
    assert len(set(names)) == len(names) >= 40
    assert all(name == name.lower() and " " not in name and "_" not in name for name in names)


@pytest.mark.parametrize(
    "around", ['"{}"', "'{}'", "`{}`", "({})", "Bearer {}", "<b>{}</b>", "key={}&x=1", "a\\n{}\\nb", "x%3D{}"]
)
def test_what_stands_around_a_token_does_not_hide_it(around: str) -> None:
    token = drawn("github").secret
    assert found_in(around.format(token)) == [("github-token", token)]


def test_a_token_inside_of_a_longer_word_is_none() -> None:
    token = drawn("github").secret
    assert found_in(f"x{token}") == found_in(f"{token[:20]}") == []


def test_a_known_shape_goes_before_the_assignment_that_holds_it() -> None:
    token = drawn("npm").secret
    assert found_in(f'password = "{token}"') == [("npm-token", token)]


def test_a_private_key_is_one_secret_from_the_first_dash_to_the_last() -> None:
    key = drawn("private-key").secret
    assert found_in(f"before\n{key}\nafter\n{key}") == [("private-key", key), ("private-key", key)]
    indented = key.replace("\n", "\n    ")
    assert found_in(indented) == [("private-key", indented)]


def test_a_private_key_without_its_end_is_found_as_far_as_it_goes() -> None:
    key = drawn("private-key").secret.partition("\n-----END")[0]
    assert found_in(f"{key}\n\nThat was it.") == [("private-key", key)]


@pytest.mark.parametrize("body", ["...", "MIIE...\n", "<your key>", "\n", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
def test_a_private_key_that_holds_none_is_none(body: str) -> None:
    assert not secrets("-----BEGIN " + f"PRIVATE KEY-----\n{body}\n-----END " + "PRIVATE KEY-----")


def test_a_token_of_three_parts_is_a_secret_only_with_the_header_of_one() -> None:
    made = drawn("jwt").secret
    header = base64.urlsafe_b64encode(json.dumps({"kind": "other"}).encode()).decode().rstrip("=")
    assert found_in(made) == [("jwt", made)]
    assert found_in(".".join([header, *made.split(".")[1:]])) == []


def test_only_the_password_of_an_address_is_the_secret() -> None:
    made = drawn("url-password")
    assert found_in(made.written) == [("url-password", made.secret)]


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://user:password@localhost/db",
        "postgres://user:${DB_PASSWORD}@host/db",
        "redis://:changeme123@localhost",
        "http://example.com:8080/@scope/name",
        "https://docs.example.org/a:b@2",
    ],
)
def test_an_address_without_a_real_password_is_none(text: str) -> None:
    assert not secrets(text)


def test_basic_credentials_are_found() -> None:
    said = base64.b64encode(f"service:{drawn('url-password').secret}".encode()).decode()
    assert found_in(f"Authorization: Basic {said}") == [("basic-auth", said)]
    assert not secrets("Basic " + base64.b64encode(b"user:password").decode())


# What is not


@pytest.mark.parametrize(
    "value",
    [
        "AKIA" + "IOSFODNN7EXAMPLE",
        "ghp_" + "x" * 36,
        "ghp_" + "1234567890abcdefghijklmnopqrstuvwxyz",
        "sk-" + "a" * 48,
        "glpat-" + "your-token-goes-here",
        "hf_" + "abcdefghijklmnopqrstuvwxyzABCDEFGH",
        "SK" + "0" * 32,
        "npm_" + "0123456789" * 3 + "012345",
        "sk_live_" + "*" * 24,
    ],
)
def test_a_stand_in_is_no_secret(value: str) -> None:
    assert not secrets(f"Use the key {value} here.")


@pytest.mark.parametrize(
    "text",
    [
        'password = "changeme-changeme-1"',
        "API_KEY=${API_KEY}",
        "token: {{ secrets.DEPLOY_TOKEN }}",
        "secret = os.environ['APP_SECRET_VALUE_1']",
        "password: correct horse battery staple",
        "token = get_token_for_user(user_id=42)",
        'next_token = "kq4gihvszzgn1p0r7781"',
        "secret_name: kq4gihvszzgn1p0r7781",
        "access_key_id: kq4gihvszzgn1p0r7781",
        "private_key = /etc/ssl/private/server.key2024",
        "token_url = https://login.site.org/v2/token",
        "The token is short-lived and refreshed every 3600 seconds.",
        'api_key = "<your api key>"',
        "secretKeyRef: name-of-the-secret-2",
    ],
)
def test_an_assignment_of_something_else_is_none(text: str) -> None:
    assert not secrets(text)


def test_words_and_sequences_are_stand_ins_and_random_characters_are_not() -> None:
    assert is_placeholder("1a2b3c4d5e6f7g8h")
    assert is_placeholder("${TOKEN}")
    assert not is_placeholder(drawn("assignment").secret)


def test_entropy_and_changes_of_sort_are_as_worked_out_by_hand() -> None:
    assert checks.entropy("aabb") == 1
    assert checks.entropy("") == 0
    assert checks.changes("aB1-") == 1
    assert checks.changes("aaaa") == 0


# Time


@pytest.mark.parametrize(
    "piece",
    [
        "ghp_",
        "sk-ant-",
        " eyJ",
        "eyJaaaaaaaaaa.",
        "://a:",
        "://" + "a" * 120,
        "-----BEGIN " + "PRIVATE KEY-----\n",
        "password=",
        "token" + "_" * 40,
        "AKIA",
        '"private_key":"',
        "1234567890:AA",
        "MTAA",
        "Basic ",
        "/sntrys_",
        "aws_secret ",
        "s.heroku api key ",
        "Q~",
        "a" * 50,
        "A1" * 20,
    ],
)
def test_hostile_text_takes_no_longer_than_its_length(piece: str) -> None:
    text = (piece * (1_000_000 // len(piece) + 1))[:1_000_000]
    started = time.process_time()
    secrets(text)
    assert time.process_time() - started < LONGEST_SECONDS


# Masking


hostile = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@st.composite
def pages(draw: st.DrawFn) -> str:
    kinds = draw(st.lists(st.sampled_from(KINDS), max_size=3))
    parts = [draw(hostile)]
    for kind in kinds:
        parts += [tokens.make(kind, Random(draw(st.integers(0, 99)))).written, draw(hostile)]
    return "\n".join(parts)


@given(pages(), st.sampled_from(["utf-8", "utf-16-le", "utf-16-be"]))
def test_a_mask_is_as_long_as_what_it_hides_in_every_unit(text: str, encoding: str) -> None:
    document = Document.from_bytes("docs", "a.md", text.encode(encoding), encoding)
    kept = secured(document, Secrets(on_found="mask"))
    assert isinstance(kept, Document)
    assert (len(kept.text), len(kept.data), kept.sha256) == (len(text), len(document.data), document.sha256)
    assert kept.data.decode(encoding) == kept.text
    before, after = Offsets(text, encoding), Offsets(kept.text, encoding)
    assert [before.place(span) for span in kept.masked] == [after.place(span) for span in kept.masked]
    assert all(not any(map(str.isalnum, span.of(kept.text))) for span in kept.masked)
    outside = remaining((Span(0, len(text)),), kept.masked)
    assert [span.of(text) for span in outside] == [span.of(kept.text) for span in outside]
    assert (kept.stored_sha256 == kept.sha256) == (not kept.masked)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_any_character_can_be_masked(text: str) -> None:
    document = Document.from_bytes("docs", "a.md", text.encode())
    kept = masked(document, [Secret("any", Span(0, len(text)))])
    assert (len(kept.text), len(kept.data)) == (len(text), len(document.data))
    assert len(kept.text.encode("utf-16-le")) == len(text.encode("utf-16-le"))
    assert [c for c in kept.text if c in "\r\n"] == [c for c in text if c in "\r\n"]


def test_without_secrets_the_document_is_the_same_object() -> None:
    document = Document.from_bytes("docs", "a.md", b"# Nothing\n")
    assert secured(document, Secrets()) is document
    assert document.stored_sha256 == document.sha256


def test_what_is_told_of_a_secret_is_its_place_and_its_rule() -> None:
    made = drawn("github")
    document = Document.from_bytes("docs", "a.md", f"# T\r\n\r\nx\r\nTOKEN={made.secret}\r\n".encode())
    told = secured(document, Secrets())
    assert isinstance(told, tuple)
    assert [(one.path, one.line, one.rule) for one in told] == [("a.md", 4, "github-token")]
    assert made.secret[4:12] not in repr(told)
    assert made.secret[4:12] not in told[0].notice().message


def test_a_text_is_masked_at_the_same_length() -> None:
    made = drawn("slack")
    text = f"why is {made.secret} refused?"
    assert masked_text(text) == f"why is {'*' * len(made.secret)} refused?"
    assert masked_text("why?") == "why?"


# What is allowed


def test_an_allowed_secret_stays_and_another_does_not() -> None:
    one, other, key = drawn("github", 1).secret, drawn("github", 2).secret, new_key()
    text = f"{one}\n{other}\n"
    policy = Secrets(key=key, allow=(fingerprint(key, one),))
    assert [found.span.of(text) for found in unwanted(text, policy)] == [other]
    assert unwanted(text, Secrets(key=new_key(), allow=policy.allow)) == secrets(text)


def test_a_fingerprint_says_nothing_without_the_key_and_the_same_for_every_line_end() -> None:
    key = new_key()
    assert key != new_key()
    assert fingerprint(key, "a\nb") == fingerprint(key, "a\r\nb") != fingerprint(key, "ab")
    assert len(fingerprint(key, "x")) == 64


def test_secrets_are_on_every_line_that_they_reach() -> None:
    key = drawn("private-key").secret
    text = f"one\n{key}\nlast"
    found = secrets(text)
    lines = Offsets(text)
    assert [len(on_lines(text, found, lines.line_span(line))) for line in range(1, lines.line_count + 1)] == [0, *[1] * 6, 0]
    assert len(fingerprints(text, (*found, *found), new_key())) == 1


# Ranges


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 5)), max_size=6), st.integers(0, 40), st.integers(0, 20))
def test_what_remains_of_a_range_is_what_no_hole_covers(holes: list[tuple[int, int]], start: int, length: int) -> None:
    apart: list[Span] = []
    for at, size in sorted(holes):
        if not apart or at >= apart[-1].end:
            apart.append(Span(at, at + size))
    whole = Span(start, start + length)
    hidden = {point for hole in apart for point in range(hole.start, hole.end)}
    left = [point for span in remaining((whole,), apart) for point in range(span.start, span.end)]
    assert left == [point for point in range(whole.start, whole.end) if point not in hidden]
    assert list(meeting(apart, whole)) == [hole for hole in apart if hole.start < whole.end and whole.start < hole.end]
