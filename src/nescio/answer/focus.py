"""How much of the question is in a stretch of text? What is shown, and marked, is chosen by it; whether to answer is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from nescio.analysis.tokens import Token
from nescio.domain.candidates import Question

# What a reader does not see: where a link leads.
_TARGET = re.compile(r"(?<=\])\([^()\s]{0,2000}\)|<https?://[^<>\s]{0,2000}>")
# What neighbouring words of the question are worth that are neighbours in the text too, all together: it tells stretches
# apart that hold the same words ("how long may a member wait").
IN_ORDER = 0.1
OTHER_FORM = 0.6  # of a word that stands there in another form, as in `retrieve.evidence`
_OTHERWISE = "\0"  # stands before a term that was found in another form; no term begins so

Tokens = Callable[[str], Sequence[Token]]


class Focus:
    """The question's content words with their shares, looked for in text as the same analyzer cuts it."""

    def __init__(self, question: Question, text: str, tokens: Tokens) -> None:
        self._tokens = tokens
        total = question.share_total or 1.0
        sharing = [term for term in question.terms if term.share]
        self._shares = {term.term: term.share / total for term in sharing}
        self._forms = {_OTHERWISE + term.term: term.forms for term in sharing if term.forms}
        asked = [token[0] for token in tokens(text) if token]
        self._pairs = frozenset(pairwise(asked))

    def held(self, text: str) -> frozenset[str]:
        """The question's content words that stand in a text, as terms; those that stand there in another form are marked."""
        there = {term for token in self._tokens(_TARGET.sub("", text)) for term in token}
        found = there & self._shares.keys()
        found.update(name for name, forms in self._forms.items() if any(map(there.issuperset, forms)))
        return frozenset(found)

    def share(self, held: Iterable[str]) -> float:
        """What these words are of the question's content, in [0, 1]."""
        words = frozenset(held)
        exact = sum(self._shares[word] for word in words if word[0] != _OTHERWISE)
        others = (word[1:] for word in words if word[0] == _OTHERWISE)
        return exact + OTHER_FORM * sum(self._shares[word] for word in others if word not in words)

    def in_order(self, text: str) -> float:
        """What the question's neighbouring words that are neighbours in the text add, at most IN_ORDER."""
        if not self._pairs:
            return 0.0
        there = frozenset(pairwise(token[0] for token in self._tokens(text) if token))
        return IN_ORDER * len(self._pairs & there) / len(self._pairs)
