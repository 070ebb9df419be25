"""What a shape alone cannot say: whether the characters look drawn by chance, and whether a token holds what it must."""

from __future__ import annotations

import base64
import json
import math
import re
from collections import Counter
from itertools import pairwise

from nescio.ingest.secrets.placeholders import is_placeholder

LEAST_ENTROPY = 3.4  # bits a character; 20 random letters and digits have 4.1 on average
LEAST_OF_HEX = 3.0  # 32 random hexadecimal digits have 3.7 on average, hardly any less than 3.2
LEAST_CHANGES = 0.27  # share of neighbours that are of different sorts: words have few, random tokens 0.4 and more
LEAST_DIGITS = 2
SHORTEST_PASSWORD = 8
_SAMPLE_CLAIMS = re.compile(r"1234567890|john\s?doe|jane\s?doe|example|johndoe|test[-_ ]?user|alice|admin@", re.IGNORECASE)
_WORDY = re.compile(r"pass|secret|user|admin|root|pwd|token|login|hunter2|letmein|mypw|guest|test|demo|local", re.IGNORECASE)
_CERTIFICATE = "MII"  # how a certificate in Base64 begins: what is public
_HEX = re.compile(r"[0-9a-fA-F]+")
_IDENTIFIER = re.compile(r"[A-Za-z_]{2,}[.][A-Za-z_]|[/.]{2}|::|->|==|&&|\$[A-Za-z]|^[./~@]|@[A-Za-z-]+\.[a-z]")


def is_no_placeholder(value: str) -> bool:
    """Whether a value of a shape that nothing else has is one at all."""
    return not is_placeholder(value)


def is_mixed(value: str) -> bool:
    """No placeholder, and letters of both cases in it, as a name in code has not in this way."""
    body = value.rpartition("_")[2]
    return is_no_placeholder(value) and any(map(str.isupper, body)) and any(map(str.islower, body))


def is_random(value: str) -> bool:
    """Whether a value without a mark of its own looks drawn by chance."""
    return (
        not is_placeholder(value)
        and any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and entropy(value) >= (LEAST_OF_HEX if _HEX.fullmatch(value) else LEAST_ENTROPY)
        and changes(value) >= LEAST_CHANGES
    )


def is_assigned_secret(value: str) -> bool:
    """Whether what is assigned to a password, token or key is a secret and not a name, a path, a word or an expression."""
    return (
        not _IDENTIFIER.search(value)
        and not value.startswith(_CERTIFICATE)
        and not is_placeholder(value)
        and _is_nothing_known(_decoded(value))
        and sum(map(str.isdigit, value)) >= LEAST_DIGITS
        and sum(map(str.isalpha, value)) >= LEAST_DIGITS
        and entropy(value) >= (LEAST_OF_HEX if _HEX.fullmatch(value) else LEAST_ENTROPY)
        and changes(value) >= LEAST_CHANGES
    )


def is_password(value: str) -> bool:
    """Whether a password in a URL is one that somebody uses, and no word of an example."""
    sorts = (str.isdigit, str.islower, str.isupper)
    return (
        len(value) >= SHORTEST_PASSWORD
        and not is_placeholder(value)
        and not _WORDY.search(value)
        and not value.startswith(("$", "%", "*"))
        and sum(any(map(sort, value)) for sort in sorts) >= 2
        and changes(value) >= LEAST_CHANGES
    )


def is_basic_credentials(value: str) -> bool:
    """Whether it is the Base64 of a user's name, a colon and a password."""
    try:
        said = base64.b64decode(value, validate=True).decode("utf-8")
    except ValueError:
        return False
    _, colon, password = said.partition(":")
    return bool(colon) and said.isprintable() and is_password(password)


def is_token_of_claims(value: str) -> bool:
    """Whether it is a JWT: its header is JSON with `alg`, and its claims are no sample's."""
    header, claims = (_decoded(part) for part in value.split(".")[:2])
    try:
        said = json.loads(header)
    except (ValueError, RecursionError):
        return False
    is_token = isinstance(said, dict) and "alg" in said
    return is_token and not _SAMPLE_CLAIMS.search(claims) and not is_placeholder(value)


def is_discord(value: str) -> bool:
    """Whether the first part is a number in Base64, as the id of a bot is."""
    return _decoded(value.partition(".")[0]).isdigit() and not is_placeholder(value)


def _is_nothing_known(said: str) -> bool:
    """Whether what a value says in Base64 is no text, or a text that may be a secret itself."""
    return not said or not said.isascii() or not said.isprintable() or is_password(said)


def entropy(value: str) -> float:
    """Shannon's, in bits a character."""
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in Counter(value).values()) if total else 0.0


def changes(value: str) -> float:
    """The share of neighbouring characters of different sorts: digit, capital, small letter, other."""
    sorts = ["d" if char.isdigit() else "u" if char.isupper() else "l" if char.islower() else "o" for char in value]
    return sum(a != b for a, b in pairwise(sorts)) / max(1, len(sorts) - 1)


def _decoded(part: str) -> str:
    try:
        return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)).decode("utf-8", "replace")
    except ValueError:
        return ""
