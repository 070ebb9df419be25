"""How much of the question is in a stretch of text? What is shown, and marked, is chosen by it; whether to answer is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum

from nescio.analysis.tokens import Token
from nescio.domain.candidates import Question

# What a reader does not see: where a link leads.
_TARGET = re.compile(r"(?<=\])\([^()\s]{0,2000}\)|<https?://[^<>\s]{0,2000}>")
# What neighbouring words of the question are worth that are neighbours in the text too, all together: it tells stretches
# apart that hold the same words ("how long may a member wait").
IN_ORDER = 0.1
HINT = 3  # letters that a word of a text has in common with its term, but for a few that are bent (mice, ran)
OTHER_FORM = 0.6  # of a word that stands there in another form, as in `retrieve.evidence`
_OTHERWISE = "\0"  # stands before a term that was found in another form; no term begins so

Tokens = Callable[[str], Sequence[Token]]


@dataclass(frozen=True, slots=True)
class Seen:
    """The question's content words in a text, and what those add that stand side by side there too, at most IN_ORDER."""

    held: frozenset[str]
    in_order: float


NOTHING = Seen(frozenset(), 0.0)


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
        words = {*self._shares, *(word for term in sharing for form in term.forms for word in form[:1])}
        self._hints = tuple({word[:HINT] for word in words})

    def seen(self, text: str) -> Seen:
        """What of the question stands in a text. It is not cut into words where none begins as one of the question does."""
        low = text.lower()
        if not any(hint in low for hint in self._hints):
            return NOTHING
        tokens = [token for token in self._tokens(_TARGET.sub("", text) if "](" in text or "<http" in text else text) if token]
        there = {term for token in tokens for term in token}
        found = there & self._shares.keys()
        if self._forms:
            found |= {name for name, forms in self._forms.items() if any(map(there.issuperset, forms))}
        in_order = 0.0
        if found and self._pairs:
            pairs = self._pairs.intersection(pairwise(token[0] for token in tokens))
            in_order = IN_ORDER * len(pairs) / len(self._pairs)
        return Seen(frozenset(found), in_order)

    def held(self, text: str) -> frozenset[str]:
        """The question's content words that stand in a text, as terms; those that stand there in another form are marked."""
        return self.seen(text).held

    def share(self, held: frozenset[str]) -> float:
        """What these words are of the question's content, in [0, 1]; the same in whatever order a set has them."""
        exact = [self._shares[word] for word in held if word[0] != _OTHERWISE]
        others = (word[1:] for word in held if word[0] == _OTHERWISE)
        return fsum([*exact, *(OTHER_FORM * self._shares[word] for word in others if word not in held)])
