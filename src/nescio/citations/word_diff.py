"""What changed between two short texts, word by word: `[-old-]{+new+}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

MOST_WORDS = 2_000  # of either text that are compared; beyond, one stands whole beside the other
_WORD = re.compile(r"\w+|[^\w\s]|\s+")


def word_diff(old: str, new: str) -> str:
    """Both texts as one: words that are gone as `[-old-]`, words that are new as `{+new+}`."""
    return "".join(_parts(old, new))


def _parts(old: str, new: str) -> Iterator[str]:
    before, after = _WORD.findall(old), _WORD.findall(new)
    if max(len(before), len(after)) > MOST_WORDS:
        yield from (f"[-{old}-]", f"{{+{new}+}}")
        return
    for kind, first, last, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            yield "".join(before[first:last])
            continue
        if last > first:
            yield f"[-{''.join(before[first:last])}-]"
        if end > start:
            yield f"{{+{''.join(after[start:end])}+}}"
