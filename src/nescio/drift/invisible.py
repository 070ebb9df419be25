"""Which characters of a text does its reader not see? Zero-width ones, bidirectional controls, tags and their like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nescio.domain.spans import LINE_END, Offsets

# Unicode's default ignorable and bidirectional format characters. Soft hyphens are left out: publishing tools set them.
_NAMES = {
    "\u034f": "combining grapheme joiner",
    "\u061c": "Arabic letter mark",
    "\u115f": "Hangul filler",
    "\u1160": "Hangul filler",
    "\u180e": "Mongolian vowel separator",
    "\u200b": "zero width space",
    "\u200c": "zero width non-joiner",
    "\u200d": "zero width joiner",
    "\u200e": "left-to-right mark",
    "\u200f": "right-to-left mark",
    "\u202a": "left-to-right embedding",
    "\u202b": "right-to-left embedding",
    "\u202c": "pop directional formatting",
    "\u202d": "left-to-right override",
    "\u202e": "right-to-left override",
    "\u2060": "word joiner",
    "\u2061": "function application",
    "\u2062": "invisible times",
    "\u2063": "invisible separator",
    "\u2064": "invisible plus",
    "\u2066": "left-to-right isolate",
    "\u2067": "right-to-left isolate",
    "\u2068": "first strong isolate",
    "\u2069": "pop directional isolate",
    "\u3164": "Hangul filler",
    "\ufeff": "zero width no-break space",
    "\uffa0": "Hangul filler",
}
_TAG, _SELECTOR = "tag character", "variation selector"
_SINGLE = "".join(_NAMES)
# Joiners and marks are spelling beside scripts that join or run from right to left, and in emoji; a flag's tags follow the
# black flag; one variation selector picks the form of what stands before it, and a run of them can only carry something unseen.
_SPELLED = "\u0590-\u1fff\u2070-\u2bff\ua840-\uabff\ufb00-\ufdff\ufe0e\ufe0f\U00010a00-\U0001faff"
_HIDDEN = re.compile(
    f"(?P<flag>\U0001f3f4[\U000e0020-\U000e007e]{{1,8}}\U000e007f)"
    f"|(?P<spelled>(?<=[{_SPELLED}])[\u200c-\u200f\u061c]|[\u200c-\u200f\u061c](?=[{_SPELLED}]))"
    f"|[\U000e0000-\U000e007f]|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{{2,}}|[{_SINGLE}]"
)
_ANY = re.compile(f"[{_SINGLE}\ufe00-\ufe0f\U000e0000-\U000e01ef\xad]")
_BOM = "\ufeff"
_TAGS_END = 0xE007F
_LAST_OF_TWO_BYTES = 0xFFFF


@dataclass(frozen=True, slots=True)
class Hidden:
    """A line with characters that nobody sees. `names` say which, each once, in order: `U+200B zero width space`."""

    line: int
    count: int
    names: tuple[str, ...]


def hidden(text: str) -> Iterator[Hidden]:
    """The lines of a text that hold such characters, in order: no byte order mark, nor what scripts and emoji need."""
    if text.isascii():
        return
    offsets = Offsets(text)
    at = 0
    found: list[str] = []
    for match in _HIDDEN.finditer(text, text.startswith(_BOM)):
        if match["flag"] or match["spelled"]:
            continue
        line = offsets.line_of(match.start())
        if found and line != at:
            yield _line(at, found)
            found = []
        at = line
        found.append(match[0])
    if found:
        yield _line(at, found)


def visible(text: str) -> str:
    """The text without what nobody sees, its lines as many as before: their ends become LF, for a CR and an LF could meet."""
    return text if text.isascii() else _ANY.sub("", LINE_END.sub("\n", text))


def _line(line: int, found: list[str]) -> Hidden:
    characters = "".join(found)
    return Hidden(line, len(characters), tuple(dict.fromkeys(map(_name, characters))))


def _name(character: str) -> str:
    code = ord(character)
    name = _NAMES.get(character) or (_TAG if _LAST_OF_TWO_BYTES < code <= _TAGS_END else _SELECTOR)
    return f"U+{code:04X} {name}"
