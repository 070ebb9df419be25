"""What a reader sees of a line of reStructuredText: the words without their roles, stars, ticks and targets."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nescio.domain.documents import Run
from nescio.domain.spans import Span

# Anchored or bounded everywhere, so that a search costs time in proportion to the text.
TOKEN = re.compile(r"\\|``|`|\*\*|\*|\||:[A-Za-z][\w.:+-]{0,60}:(?=`)|(?<=[A-Za-z0-9\]])__?(?=[\s'\")\]}>.,;:!?/-]|$)")
SUFFIX_ROLE = re.compile(r":[A-Za-z][\w.:+-]{0,60}:|__?(?!\w)")
BEFORE_MARKUP = frozenset("'\"([{<-/:‘’“”«»¡¿–—|")  # what may stand before a start-string, beside white space


def name_set(text: str) -> frozenset[str]:
    """The names in a text, parted by white space."""
    return frozenset(text.split())


CODE_ROLES = name_set(
    """
    attr c class code command const data dec djadmin djadminopt envvar exc file func keyword kbd label literal
    lookup makevar macro member meth mimetype mod obj opcode option pdbcmd program regexp samp setting source struct
    tfilter token ttag type var
    """
)
LINK_ROLES = name_set(
    """
    any bpo cve cwe doc download gh issue numref pep ref rfc source term ticket
    """
)
NUMBERED_ROLES = {"pep": "PEP ", "rfc": "RFC ", "bpo": "bpo-", "issue": "bpo-", "gh": "gh-", "ticket": "#"}


def inline_runs(text: str, start: int, end: int) -> list[Run]:
    """The visible runs of `text[start:end]`, in order. Markup is left out, white space between words is kept.

    What a reader sees is the runs' texts joined with nothing between them; the first and the last are more than white space.
    """
    runs = _Scanner(text, start, end).runs()
    while runs and not runs[-1].visible(text).strip():
        runs.pop()
    return runs


def title_of(text: str, runs: Iterable[Run]) -> str:
    """The visible words of `runs` in one line."""
    return " ".join("".join(run.visible(text) for run in runs).split())


class _Scanner:
    def __init__(self, text: str, start: int, end: int) -> None:
        self._text, self._start, self._end = text, start, end
        self._plain = start  # where the text that is not yet in a run starts
        self._missing: set[str] = set()  # end-strings that do not occur any more: never searched twice
        self._runs: list[Run] = []

    def runs(self) -> list[Run]:
        position = self._start
        while match := TOKEN.search(self._text, position, self._end):
            position = self._sign(match.group(), match.start(), match.end())
        self._flush(self._end)
        return self._runs

    def _sign(self, sign: str, at: int, after: int) -> int:
        """Deal with the token; returns where to go on."""
        if sign == "\\":
            return self._escape(at)
        if sign[0] == "_":
            return self._reference(at, after)
        if not self._may_start(at, after, sign):
            return after
        if sign[0] == ":":
            return self._interpreted(at, after, sign[1:-1])
        if sign == "`":
            return self._interpreted(at, at, "")
        close = self._closing(sign, after)
        if close < 0:
            return after
        return self._marked(at, Span(after, close), close + len(sign), code=sign == "``")

    def _may_start(self, at: int, after: int, sign: str) -> bool:
        """Whether a start-string may stand here: not inside a word, and not before white space."""
        before = self._text[at - 1] if at > self._start else " "
        follows = self._text[after] if after < self._end else " "
        if sign == "`" and before == "_" and not self._text[max(at - 2, 0) : at - 1].isalnum():
            return True  # an inline target: _`words`
        return (before.isspace() or before in BEFORE_MARKUP) and not follows.isspace()

    def _closing(self, sign: str, after: int) -> int:
        """Where the end-string of `sign` stands, -1 when there is none. It follows a visible character and ends a word."""
        if sign in self._missing:
            return -1
        position = after + 1
        while (position := self._text.find(sign, position, self._end)) >= 0:
            position = self._last_of_row(sign, position)
            if not self._text[position - 1].isspace() and not self._is_word_at(position + len(sign)):
                return position
            position += len(sign)
        self._missing.add(sign)
        return -1

    def _is_word_at(self, position: int) -> bool:
        return position < self._end and self._text[position].isalnum()

    def _last_of_row(self, sign: str, position: int) -> int:
        """In a row of ticks or stars the last ones close."""
        limit = self._end - len(sign)
        while position < limit and self._text[position + len(sign)] == sign[0]:
            position += 1
        return position

    def _interpreted(self, at: int, tick: int, role: str) -> int:
        """Text in single ticks, with a role before or after it or none."""
        close = self._closing("`", tick + 1)
        if close < 0:
            return tick + 1
        after = close + 1
        suffix = SUFFIX_ROLE.match(self._text, after, self._end)
        if suffix and not role:
            after = suffix.end()
            role = suffix.group().strip(":_")
        link = bool(suffix and suffix.group()[0] == "_")
        begin = at - 1 if at > self._start and self._text[at - 1] == "_" and not role else at
        visible = _visible_part(self._text, tick + 1, close, bool(role) or link)
        name = role.rpartition(":")[2].lower()
        prefix = NUMBERED_ROLES.get(name) if self._text[visible.start : visible.start + 1].isdecimal() else None
        run = Run(
            visible,
            link=link or name in LINK_ROLES,
            code=name in CODE_ROLES or (":" in role and name not in LINK_ROLES),
            text=prefix + visible.of(self._text) if prefix else None,
        )
        return self._put(begin, run, after)

    def _marked(self, at: int, span: Span, after: int, *, code: bool) -> int:
        return self._put(at, Run(span, code=code), after)

    def _put(self, at: int, run: Run, after: int) -> int:
        self._flush(at)
        if run.span.of(self._text).strip():
            self._runs.append(run)
        self._plain = after
        return after

    def _escape(self, at: int) -> int:
        """A backslash takes the meaning from the character after it; before white space both vanish."""
        self._flush(at)
        follows = self._text[at + 1 : at + 2]
        self._plain = min(at + (2 if follows.isspace() else 1), self._end)
        return min(at + 2, self._end)

    def _reference(self, at: int, after: int) -> int:
        """`word_` is a link to elsewhere; its underscore is markup."""
        word = at
        while word > self._plain and not self._text[word - 1].isspace() and self._text[word - 1] not in BEFORE_MARKUP:
            word -= 1
        self._flush(word)
        return self._put(word, Run(Span(word, at), link=True), after) if at > word else after

    def _flush(self, end: int) -> None:
        if end > self._plain and (self._runs or not self._text[self._plain : end].isspace()):
            self._runs.append(Run(Span(self._plain, end)))
        self._plain = max(self._plain, end)


def _visible_part(text: str, start: int, end: int, is_reference: bool) -> Span:
    """Of `title <target>` the title, of `~a.b.c` the `c`, of `!name` the name."""
    if is_reference and text[end - 1] == ">":
        opening = text.rfind("<", start, end)
        if opening >= 0:
            title_end = start + len(text[start:opening].rstrip())
            return Span(start, title_end) if title_end > start else Span(opening + 1, end - 1)
    if is_reference and text[start] == "~":
        return Span(max(text.rfind(".", start, end), start) + 1, end)
    if is_reference and text[start] == "!" and end > start + 1:
        return Span(start + 1, end)
    return Span(start, end)
