"""Text of documents and questions is untrusted; a terminal obeys control characters. Here they are made visible instead."""

from __future__ import annotations

import re

# Controls (C0 but tab and line feed, DEL, C1), line separators, surrogates, and every code point that Unicode calls default
# ignorable, bidirectional controls among them: what moves a cursor, reorders a line or hides words from a reader.
# The joiners (U+200C, U+200D) and variation selectors have rules of their own below.
_HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Scripts in which a joiner is spelling, and emoji, stand above Hebrew; general punctuation is no neighbour of a joiner.
_JOINED = "[\u0600-\u1fff\u2070-\U0010ffff]"
_UNSAFE = re.compile(
    f"[{_HIDDEN}]"
    f"|(?<!{_JOINED})[\u200c\u200d]|[\u200c\u200d](?!{_JOINED})"
    # one selector after a visible character picks its form; a run of them can only carry something unseen
    f"|(?<![^{_HIDDEN}\ufe00-\ufe0f])[\ufe00-\ufe0f]"
)
_LINE_END = re.compile(r"\r\n|\r")
_BMP_END = 0xFFFF
_BYTE_END = 0xFF


def escape(text: str) -> str:
    """`text` with everything invisible or obeyed by a terminal written out, such as `\\x1b` or `\\u202e`.

    Line ends become a line feed, tabs stay. Printable text comes back as it is, and the result can always be encoded as UTF-8.
    """
    return _UNSAFE.sub(_written_out, _LINE_END.sub("\n", text))


def escape_line(text: str) -> str:
    """As `escape`, for a place that has one line: line ends and tabs are written out too."""
    return _UNSAFE.sub(_written_out, text).replace("\n", "\\n").replace("\t", "\\t")


def escape_json(encoded: str) -> str:
    """JSON text with the same characters as JSON escapes: it parses to the same values and is safe to look at.

    Only strings can hold such characters in JSON, apart from the line feeds of indented output, which stay.
    """
    return _UNSAFE.sub(_json_escape, encoded)


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code > _BMP_END:
        return f"\\U{code:08x}"
    return f"\\x{code:02x}" if code <= _BYTE_END else f"\\u{code:04x}"


def _json_escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code <= _BMP_END:
        return f"\\u{code:04x}"
    high, low = divmod(code - _BMP_END - 1, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
