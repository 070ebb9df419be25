"""Where a quote is read: its page on the site, the place on that page, and its lines in the repository."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from urllib.parse import quote as percent_encoded
from urllib.parse import urlsplit, urlunsplit

from nescio.domain.documents import BlockKind
from nescio.domain.spans import LINE_END, Place
from nescio.protocols import PassageAt

LONGEST_EXACT = 160  # characters that a text fragment names whole; of what is longer it names the first and the last words
FEWEST_WORDS = 3  # of a stretch that is likely to stand on its page only once
ENDS_WORDS, ENDS_CHARACTERS = 6, 32  # the least words and characters that a start or an end is told by, where it has them
LONGEST_WORD = 60  # characters; what is longer is a hash or a path, and may be shown cut
LONGEST_LOOK = 4_000  # characters of a block in which words are looked for
_IN_FRAGMENT = "-._~!$&()*+,;=:@/?"
_DIRECTIVE = ":~:"  # what comes after it in a fragment speaks to the browser

# What a page does not show as it is written: comments and tags, what stands in braces, the targets of links.
_UNSEEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<[^<>\n]{1,500}>|\{[^{}\n]{0,500}\}|\]\([^()\n]{0,1000}\)|\]\[[^\[\]\n]{0,200}\]", re.DOTALL
)
_MARKER = re.compile(r"[ \t]*(?:[-*+\u2022]|\(?(?:\d{1,9}|[A-Za-z]|#)[.)]|:[^:\n]{1,200}:)(?=[ \t])")
# Signs that mark up the words around them, or that a site may write otherwise.
_SIGNS = re.compile(
    r"[*`~\[\]<>{}|\\^$#&=\"'\u2018-\u201f\u00ab\u00bb\ufffd]|--|\.\.|::|//|(?<!\w)[_:@!]|_(?!\w)",
)
# Words of scripts without spaces end where a comma or a stop does.
_TOKEN = re.compile(r"[^\s\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f]+[\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f]*|\S")
_WIDE = "\u2e80"  # from here on, two characters are about a word
_LAST_SIGNS = ".,;:!?(\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f"
_UNPRINTED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_LINE_BY_LINE = frozenset({BlockKind.CODE, BlockKind.TABLE})

# Files that a repository shows as pages, where a line can be pointed at only in the source.
_RENDERED = (".md", ".markdown", ".mdx", ".rst", ".ipynb", ".html", ".htm")
_GITEA = re.compile(r"(?P<repository>/.+?/)(?:_edit|_new|src|raw)/(?P<kind>branch|tag|commit)/(?P<at>[^/]+)/(?P<folder>.*)")
_GITLAB = re.compile(r"(?P<repository>/.+?/-/)(?:edit|blob|tree|raw)/(?P<at>[^/]+)/(?P<folder>.*)")
_BITBUCKET = re.compile(r"(?P<repository>/[^/]+/[^/]+/)(?:src|annotate|raw)/(?P<at>[^/]+)/(?P<folder>.*)")
_GITHUB = re.compile(r"(?P<repository>/[^/]+/[^/]+/(?:.+?/)?)(?:edit|blob|tree|raw|blame)/(?P<at>[^/]+)/(?P<folder>.*)")
_MANY_LINES = "L{}-L{}"
_GITLAB_LINES = "L{}-{}"


def page_url(at: PassageAt) -> str:
    """Where the page is read: on its site when `site_url` is set, else a link relative to the source's folder."""
    if at.site_url is None:
        return percent_encoded(at.passage.page_path) + _fragment(at.passage.anchor)
    anchor = at.passage.anchor if at.site_anchor is None else at.site_anchor
    return f"{_ascii(at.site_url).rstrip('/')}/{percent_encoded(at.site_path)}{_fragment(anchor)}"


def text_url(at: PassageAt, blocks: Iterable[tuple[BlockKind, str]]) -> str | None:
    """The page's URL with a text fragment: a browser that knows them shows and marks the words, any other goes to the heading.

    `blocks` are what the quote shows. The words come from one of them: the first text that has six plain words in a row, else
    three; where none has, the longest row that there is, in a line of code or a cell of a table too. None without `site_url`,
    and where there is no plain word at all.
    """
    words = _chosen(tuple(blocks)) if at.site_url is not None else ()
    if not words:
        return None
    url = page_url(at)
    told = ",".join(percent_encoded(part, safe="").replace("-", "%2D") for part in words)
    return f"{url}{'' if '#' in url else '#'}{_DIRECTIVE}text={told}"


def permalink(at: PassageAt, places: Sequence[Place]) -> str | None:
    """The lines of the quote in the repository: `edit_uri` made a view, at the source's commit if it is known, else the branch.

    Of the file that holds the text, which may be an included one. None without an absolute http(s) `edit_uri`, and for a file
    that is not in its repository.
    """
    try:
        parts = urlsplit(at.edit_uri or "")
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname or not places:
        return None
    view = _view(parts.hostname, "/" + _ascii(parts.path).strip("/") + "/", at.commit)
    path = posixpath.normpath(view.folder + percent_encoded(at.passage.path))
    if not path.startswith(view.top):
        return None
    first, last = min(place.start_line for place in places), max(place.end_line for place in places)
    lines = view.one.format(first) if first == last else view.many.format(first, last)
    host = _ascii(parts.netloc.rpartition("@")[2])  # a link is for everyone: no name and password
    return urlunsplit((parts.scheme, host, path, view.query if path.lower().endswith(_RENDERED) else "", lines))


def _fragment(anchor: str) -> str:
    """With what a browser would take for a directive of ours written out."""
    encoded = percent_encoded(anchor, safe=_IN_FRAGMENT).replace(_DIRECTIVE, ":%7E:")
    return f"#{encoded}" if encoded else ""


def _ascii(url: str) -> str:
    """What was configured, with all else than ASCII written out."""
    return percent_encoded(url, safe=_IN_FRAGMENT + "%[]#")


@dataclass(frozen=True, slots=True)
class _View:
    """How a repository is linked: the path of the source's folder, the path that every file is below, and how lines are told
    of a file.
    """

    folder: str
    top: str
    query: str = ""
    one: str = "L{}"
    many: str = _MANY_LINES


def _view(host: str, path: str, commit: str | None) -> _View:
    if found := _GITLAB.fullmatch(path):
        return _viewed(found, "blob/", commit, ("plain=1", "L{}", _GITLAB_LINES))
    if found := _GITEA.fullmatch(path):
        return _viewed(found, f"src/{'commit' if commit else found['kind']}/", commit, ("display=source", "L{}", _MANY_LINES))
    if "bitbucket" in host and (found := _BITBUCKET.fullmatch(path)):
        return _viewed(found, "src/", commit, ("", "lines-{}", "lines-{}:{}"))
    if found := _GITHUB.fullmatch(path):
        return _viewed(found, "blob/", commit, ("plain=1", "L{}", _GITLAB_LINES if "gitlab" in host else _MANY_LINES))
    return _View(path, path)


def _viewed(found: re.Match[str], verb: str, commit: str | None, form: tuple[str, str, str]) -> _View:
    top = f"{found['repository']}{verb}{commit or found['at']}/"
    return _View(top + found["folder"], top, *form)


def _chosen(blocks: Sequence[tuple[BlockKind, str]]) -> tuple[str, ...]:
    """The words that a text fragment names: all of a row, or where it begins and where it ends."""
    texts = [_rows(kind, text) for kind, text in blocks if kind not in _LINE_BY_LINE]
    for fewest in (ENDS_WORDS, FEWEST_WORDS):
        for rows in texts:
            first = next((at for at, row in enumerate(rows) if _weight(row) >= fewest), None)
            if first is not None:
                return _told(rows[first], next(row for row in reversed(rows) if _weight(row) >= FEWEST_WORDS))
    others = (_rows(kind, text) for kind, text in blocks if kind in _LINE_BY_LINE)
    longest = max((row for rows in (*texts, *others) for row in rows), key=_weight, default=())
    return _told(longest, longest)


def _rows(kind: BlockKind, text: str) -> list[tuple[str, ...]]:
    """The rows of plain words of a block, each word with the white space after it."""
    text = _UNSEEN.sub("\0", text[:LONGEST_LOOK])
    text = _MARKER.sub("", text, count=1) if kind is BlockKind.LIST_ITEM else text
    lines = LINE_END.split(text) if kind in _LINE_BY_LINE else [text]
    return [row for line in lines for row in _rows_of(line)]


def _rows_of(text: str) -> Iterator[tuple[str, ...]]:
    row: list[str] = []
    tokens = list(_TOKEN.finditer(text))
    for token, after in zip_longest(tokens, tokens[1:]):
        if _is_plain(token[0]):
            row.append(text[token.start() : after.start() if after else token.end()])
        elif row:
            yield tuple(row)
            row = []
    if row:
        yield tuple(row)


def _is_plain(word: str) -> bool:
    longest = LONGEST_WORD if word.isascii() else LONGEST_EXACT
    return (
        len(word) <= longest
        and not _SIGNS.search(word)
        and any(map(str.isalnum, word))
        and not any(unicodedata.category(character) in _UNPRINTED for character in word)
    )


def _weight(row: Sequence[str]) -> int:
    """How many words a row has."""
    return sum(max(1, sum(character >= _WIDE for character in word) // 2) for word in row)


def _told(first: Sequence[str], last: Sequence[str]) -> tuple[str, ...]:
    """The row where it is one and short, else the first words of the one and the last words of the other."""
    whole = _joined(first)
    if first is last and len(whole) <= LONGEST_EXACT:
        return (whole,) if whole else ()
    start = _least(first)
    end = _least(last[::-1])[::-1]
    if first is last and len(start) + len(end) > len(first):
        return (whole,)
    return _joined(start), _joined(end)


def _least(words: Sequence[str]) -> Sequence[str]:
    """As many words as tell a place from others."""
    for count in range(1, len(words)):
        if _weight(words[:count]) >= ENDS_WORDS and sum(map(len, words[:count])) >= ENDS_CHARACTERS:
            return words[:count]
    return words


def _joined(words: Sequence[str]) -> str:
    """As they are read: white space collapsed, without the sign after the last."""
    return " ".join("".join(words).split()).rstrip(_LAST_SIGNS).rstrip()
