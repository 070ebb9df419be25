"""Which names does a source file make known? Public names, flags and environment variables, never its lines."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

from nescio.cards.values import Identifier, IdentifierKind, Origin

PYTHON = ".py"
_WORD = "[A-Za-z_$][A-Za-z0-9_$]*"
_KEYWORD = r"(?:function\*?|class|const|let|var|interface|type|enum)"
_SCRIPT = re.compile(rf"^export (?:default )?(?:async )?{_KEYWORD} ({_WORD})", re.M)
_RULES: dict[str, re.Pattern[str]] = {
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx"), _SCRIPT),
    ".go": re.compile(r"^(?:func (?:\([^()\r\n]{1,200}\) )?|type |var |const )([A-Z][A-Za-z0-9_]*)", re.M),
    ".rs": re.compile(rf"^[ \t]*pub (?:async )?(?:fn|struct|enum|trait|const|static|type|mod) ({_WORD})", re.M),
    ".rb": re.compile(r"^[ \t]*(?:class|module) ([A-Z][A-Za-z0-9_]*)", re.M),
    **dict.fromkeys((".sh", ".bash"), re.compile(r"^(?:function )?([a-z][A-Za-z0-9_-]*)[ \t]*\(\)", re.M)),
}
SOURCE_SUFFIXES = (PYTHON, *_RULES)
_FLAG = re.compile(r"--[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_FLAG_IN_TEXT = re.compile(r"(?<![\w-])--[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?![\w-])")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_VARIABLE_IN_TEXT = re.compile(
    r"(?:process\.env\.|process\.env\[[\"']|ENV\[[\"']|ENV\.fetch\([\"']|[Gg]etenv\([\"']|env::var\([\"']|\$\{?)([A-Z][A-Z0-9_]+)\b"
)
_READERS = frozenset({"get", "getenv", "pop", "setdefault"})


def identifiers(origin: Origin) -> tuple[Identifier, ...]:
    """The names that a source file makes known, by line, each once. What is not quite Python is read by its words."""
    first: dict[tuple[IdentifierKind, str], int] = {}
    for kind, name, line in _found(origin):
        first[kind, name] = min(line, first.get((kind, name), line))
    named = (Identifier(kind, name, origin.path, line) for (kind, name), line in first.items())
    return tuple(sorted(named, key=lambda one: (one.line, one.kind, one.name)))


def _found(origin: Origin) -> Iterator[tuple[IdentifierKind, str, int]]:
    text = origin.document.text
    if origin.path.endswith(PYTHON):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an odd escape in a file that is only read for its names
                tree = ast.parse(text.removeprefix("\ufeff"))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            yield from _in_text(origin, None)
            return
        yield from _public(tree.body)
        yield from _constants(tree)
        return
    yield from _in_text(origin, _RULES.get(origin.path[origin.path.rfind(".") :].lower()))


def _public(body: list[ast.stmt]) -> Iterator[tuple[IdentifierKind, str, int]]:
    """The functions and classes of a module, and the methods of its classes; what starts with an underscore is private."""
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        yield IdentifierKind.NAME, node.name, node.lineno
        if isinstance(node, ast.ClassDef):
            methods = (one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
            yield from ((IdentifierKind.NAME, f"{node.name}.{m.name}", m.lineno) for m in methods if m.name[0] != "_")


def _constants(tree: ast.Module) -> Iterator[tuple[IdentifierKind, str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _FLAG.fullmatch(node.value):
            yield IdentifierKind.FLAG, node.value, node.lineno
        named = _variable(node)
        if isinstance(named, ast.Constant) and isinstance(named.value, str) and _VARIABLE.fullmatch(named.value):
            yield IdentifierKind.ENVIRONMENT, named.value, named.lineno


def _variable(node: ast.AST) -> ast.expr | None:
    """What names an environment variable: `os.environ["X"]`, `environ.get("X")`, `getenv("X")`, `envvar="X"`."""
    if isinstance(node, ast.Subscript) and _ends_in_environ(node.value):
        return node.slice
    if isinstance(node, ast.keyword) and node.arg == "envvar":
        return node.value
    return node.args[0] if isinstance(node, ast.Call) and node.args and _reads_environment(node.func) else None


def _ends_in_environ(node: ast.expr) -> bool:
    return (isinstance(node, ast.Name) and node.id == "environ") or (isinstance(node, ast.Attribute) and node.attr == "environ")


def _reads_environment(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id == "getenv"
    if not isinstance(function, ast.Attribute):
        return False
    return function.attr == "getenv" or (function.attr in _READERS and _ends_in_environ(function.value))


def _in_text(origin: Origin, names: re.Pattern[str] | None) -> Iterator[tuple[IdentifierKind, str, int]]:
    text = origin.document.text
    looked_for = ((IdentifierKind.FLAG, _FLAG_IN_TEXT, 0), (IdentifierKind.ENVIRONMENT, _VARIABLE_IN_TEXT, 1))
    for kind, pattern, group in (*looked_for, *(((IdentifierKind.NAME, names, 1),) if names else ())):
        yield from ((kind, match[group], origin.line_of(match.start(group))) for match in pattern.finditer(text))
