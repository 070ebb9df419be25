"""The one door for text that is kept: a document comes through without its secrets, or does not come through."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from nescio.config.model import Secrets
from nescio.domain.documents import Document, Notice
from nescio.domain.spans import Offsets, Span
from nescio.ingest.secrets.allowing import unwanted
from nescio.ingest.secrets.scanning import Secret, secrets

# What stands for a character that takes so many bytes in UTF-8 (and so in UTF-16), and is no word to any analyzer.
_MASKS = {1: "*", 2: "\u00a4", 3: "\u2022", 4: "\U0001fbaf"}
MASKS = frozenset(_MASKS.values())  # what a masked text has in place of a secret


@dataclass(frozen=True, slots=True)
class SecretFound:
    """A secret that is not allowed. Where it is and what kind it is, and nothing of what it says."""

    path: str
    line: int
    rule: str

    def notice(self) -> Notice:
        """The same, to be reported."""
        return Notice("secret-found", self.path, self.line, f"A secret is written here ({self.rule}).")


def secured(document: Document, policy: Secrets) -> Document | tuple[SecretFound, ...]:
    """The document as it may be kept: as it is without secrets, masked where the policy says so, else what was found in it."""
    found = unwanted(document.text, policy)
    if not found:
        return document
    if policy.on_found == "mask":
        return masked(document, found)
    return told(document.path, document.text, found)


def told(path: str, text: str, found: Iterable[Secret]) -> tuple[SecretFound, ...]:
    """Where secrets of a text are, in order."""
    offsets = Offsets(text)
    return tuple(SecretFound(path, offsets.line_of(one.span.start), one.rule) for one in found)


def masked(document: Document, found: Iterable[Secret]) -> Document:
    """The document with secrets masked: as many bytes, code points, UTF-16 units and lines. `sha256` stays the file's."""
    spans = tuple(one.span for one in found)
    text = _masked(document.text, spans)
    data = text.encode(document.encoding)
    return replace(document, data=data, text=text, stored_sha256=hashlib.sha256(data).hexdigest(), masked=spans)


def masked_text(text: str) -> str:
    """A text with whatever looks like a secret masked at the same length."""
    return _masked(text, tuple(one.span for one in secrets(text)))


def _masked(text: str, spans: Iterable[Span]) -> str:
    """The text with ranges masked, which are in order and apart. Line ends stay."""
    parts, at = [], 0
    for span in spans:
        parts += [text[at : span.start], "".join(map(_mask, span.of(text)))]
        at = span.end
    return "".join([*parts, text[at:]])


def _mask(character: str) -> str:
    if character in "\r\n":
        return character
    return _MASKS[len(character.encode("utf-8", "surrogatepass"))]
