"""Which secrets may stay? Those whose keyed fingerprint is in the configuration; their values are written down nowhere."""

from __future__ import annotations

import hashlib
import hmac
import secrets as chance

from nescio.config.model import Secrets
from nescio.domain.spans import LINE_END, Span
from nescio.ingest.secrets.scanning import Secret, secrets

KEY_BYTES = 32


def new_key() -> str:
    """A key drawn by chance, in hexadecimal."""
    return chance.token_hex(KEY_BYTES)


def fingerprint(key: str, secret: str) -> str:
    """HMAC-SHA-256 over the secret's UTF-8, in hexadecimal. Line ends count as LF, so that all checkouts are alike."""
    said = LINE_END.sub("\n", secret).encode("utf-8", "surrogatepass")
    return hmac.new(bytes.fromhex(key), said, hashlib.sha256).hexdigest()


def unwanted(text: str, policy: Secrets) -> tuple[Secret, ...]:
    """The secrets in a text that are not allowed, in order."""
    found = secrets(text)
    if not (policy.allow and policy.key):
        return found
    allowed = frozenset(policy.allow)
    return tuple(one for one in found if fingerprint(policy.key, one.span.of(text)) not in allowed)


def fingerprints(text: str, found: tuple[Secret, ...], key: str) -> tuple[str, ...]:
    """The fingerprints of secrets that were found in a text, each once, in order."""
    return tuple(dict.fromkeys(fingerprint(key, one.span.of(text)) for one in found))


def on_lines(text: str, found: tuple[Secret, ...], lines: Span) -> tuple[Secret, ...]:
    """Those of `found` that have something on some lines, given as the span of these lines."""
    return tuple(one for one in found if one.span.start < max(lines.end, lines.start + 1) and lines.start < one.span.end)
