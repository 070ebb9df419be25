"""Code cut into tokens for colours, by Pygments: only for languages that are named and were measured to stay quick."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Token, _TokenType

LONGEST = 6_000  # characters: as long as a passage. Many lexers take time with the square of the length of hostile code
LONGEST_LINE = 300  # characters; expressions that look back over a line take time with its square, and worse
LONGEST_GAP = 60  # characters of white space in a row, for the same reason
SECONDS = 0.05  # after which the rest of the code stays plain; one step of a lexer below took up to as long at its worst

# Names as documents write them, and suffixes of files, to the lexers that kept to SECONDS for each step on hostile code.
# Not there: Lua, R, Perl, Scala, Swift, Haskell, Julia, GraphQL and others, of which a single step took several times that.
LEXERS = {
    **dict.fromkeys(("python", "py", "python3", "py3", "pyi", "ipython", "ipython3"), "python"),
    **dict.fromkeys(("pycon", "python-repl", "doctest"), "pycon"),
    **dict.fromkeys(("bash", "sh", "shell", "zsh"), "bash"),
    **dict.fromkeys(("console", "shell-session", "terminal"), "console"),
    **dict.fromkeys(("json", "jsonc", "json5"), "json"),
    **dict.fromkeys(("yaml", "yml"), "yaml"),
    **dict.fromkeys(("toml",), "toml"),
    **dict.fromkeys(("ini", "cfg", "conf", "dosini", "properties"), "ini"),
    **dict.fromkeys(("javascript", "js", "mjs", "cjs", "jsx"), "javascript"),
    **dict.fromkeys(("typescript", "ts", "mts"), "typescript"),
    **dict.fromkeys(("html", "htm"), "html"),
    **dict.fromkeys(("xml", "svg", "xsd"), "xml"),
    **dict.fromkeys(("vue",), "vue"),
    **dict.fromkeys(("css",), "css"),
    **dict.fromkeys(("scss",), "scss"),
    **dict.fromkeys(("sql", "postgresql", "psql", "mysql"), "sql"),
    **dict.fromkeys(("rust", "rs"), "rust"),
    **dict.fromkeys(("go", "golang"), "go"),
    **dict.fromkeys(("java",), "java"),
    **dict.fromkeys(("kotlin", "kt"), "kotlin"),
    **dict.fromkeys(("groovy", "gradle"), "groovy"),
    **dict.fromkeys(("dart",), "dart"),
    **dict.fromkeys(("zig",), "zig"),
    **dict.fromkeys(("c", "h"), "c"),
    **dict.fromkeys(("c++", "cpp", "cc", "hpp", "cxx"), "cpp"),
    **dict.fromkeys(("c#", "csharp", "cs"), "csharp"),
    **dict.fromkeys(("ruby", "rb"), "ruby"),
    **dict.fromkeys(("php",), "php"),
    **dict.fromkeys(("docker", "dockerfile"), "docker"),
    **dict.fromkeys(("makefile", "make", "mk"), "makefile"),
    **dict.fromkeys(("diff", "patch", "udiff"), "diff"),
    **dict.fromkeys(("http",), "http"),
    **dict.fromkeys(("nginx",), "nginx"),
    **dict.fromkeys(("powershell", "ps1", "pwsh"), "powershell"),
    **dict.fromkeys(("batch", "bat", "cmd"), "batch"),
    **dict.fromkeys(("hcl", "terraform", "tf"), "hcl"),
}
# The first that holds a token's type gives its class; what is in none has the class "".
CLASSES: tuple[tuple[_TokenType, str], ...] = (
    (Comment.Preproc, "keyword"),
    (Comment, "comment"),
    (Token.Generic.Prompt, "comment"),
    (Token.Generic.Deleted, "comment"),
    (Token.Generic.Inserted, "string"),
    (Token.Generic.Heading, "keyword"),
    (Token.Generic.Subheading, "keyword"),
    (Keyword, "keyword"),
    (Operator.Word, "keyword"),
    (Operator, "operator"),
    (String, "string"),
    (Number, "number"),
    (Name.Builtin, "builtin"),
    (Name.Function, "name"),
    (Name.Class, "name"),
    (Name.Decorator, "name"),
    (Name.Exception, "name"),
    (Name.Tag, "keyword"),
    (Name.Attribute, "name"),
)
_GAP = re.compile(rf"\s{{{LONGEST_GAP + 1}}}")


def tokens(code: str, language: str | None) -> list[tuple[str, str]]:
    """(class, text) in order, neighbours of a class joined; the texts joined are `code`, exactly.

    Classes are "", keyword, name, string, number, comment, operator and builtin. All of it is plain for a language that is
    not named or not in LEXERS, and for code that is longer or stranger than a lexer is to be trusted with.
    """
    name = LEXERS.get(language.lower()) if language else None
    if name is None or not _is_tame(code):
        return _plain(code)
    lexer = get_lexer_by_name(name, stripnl=False, stripall=False, ensurenl=False)
    found = list(_joined(_classed(lexer, code)))
    return found if "".join(text for _, text in found) == code else _plain(code)


def _plain(code: str) -> list[tuple[str, str]]:
    return [("", code)] if code else []


def _is_tame(code: str) -> bool:
    if len(code) > LONGEST or _GAP.search(code):
        return False
    return all(len(line) <= LONGEST_LINE for line in code.split("\n"))


def _classed(lexer: Lexer, code: str) -> Iterator[tuple[str, str]]:
    """Tokens until time is up, and the rest of the code as one without a class."""
    until = time.monotonic() + SECONDS
    end = 0
    for start, kind, text in lexer.get_tokens_unprocessed(code):
        if start != end:  # a lexer that leaves something out or comes back: no more of it
            break
        yield _class(kind), text
        end = start + len(text)
        if time.monotonic() > until:
            break
    yield "", code[end:]


def _class(kind: _TokenType) -> str:
    return next((name for group, name in CLASSES if kind in group), "")


def _joined(pieces: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    texts: list[str] = []
    current = ""
    for name, text in pieces:
        if name != current and texts:
            yield current, "".join(texts)
            texts = []
        current = name
        if text:
            texts.append(text)
    if texts:
        yield current, "".join(texts)
