"""What each directive of docutils, Sphinx and Django does with its argument and its body."""

from __future__ import annotations

from enum import Enum, auto

from nescio.domain.documents import Include

# An open end in `:lines: 20-`: more lines than any file has.
LAST_LINE = 10**9


class Role(Enum):
    """What becomes of a directive."""

    PROSE = auto()  # argument and body are read; also what no table below names
    BODY = auto()  # the argument is for the renderer, the body is read
    HIDDEN = auto()  # nothing of it is shown
    CODE = auto()  # the body is shown as it is
    OBJECT = auto()  # the argument is a signature, the body describes it
    TARGET = auto()  # without a body only a place to link to, with one like OBJECT
    GLOSSARY = auto()  # the terms of the body are definitions of their own
    INCLUDE = auto()  # part of another file stands here
    ROWS = auto()  # a table written as lists or as comma-separated lines


_NAMES: dict[Role, str] = {
    Role.BODY: "automodule class-only compound container cssclass dropdown figure grid grid-item grid-item-card only rst-class "
    "tab tab-item tab-set table tabs group-tab",
    Role.HIDDEN: "autosummary bibliography codeauthor contents currentmodule date default-domain default-role digraph footer "
    "graph graphviz header highlight highlightlang image index inheritance-diagram ifconfig mermaid meta module moduleauthor "
    "namespace namespace-pop namespace-push plantuml program py:currentmodule py:module c:namespace cpp:namespace raw replace "
    "role sectionauthor sectnum tabularcolumns target-notes testcleanup testsetup title toctree uml unicode",
    Role.CODE: "code code-block console doctest highlight-block ipython jinja literal math parsed-literal productionlist prompt "
    "sourcecode terminal testcode testoutput",
    Role.OBJECT: "abstractmethod attribute autoattribute autoclass autodata autodecorator autoexception autofunction automethod "
    "awaitablefunction awaitablemethod class classmethod cmdoption confval coroutinefunction coroutinemethod data decorator "
    "decoratormethod describe django-admin django-admin-option envvar exception function method object opcode option "
    "pdbcommand property staticmethod type 2to3fixer describe-option sphinx:confval",
    Role.TARGET: "fieldlookup setting templatefilter templatetag",
    Role.GLOSSARY: "glossary",
    Role.INCLUDE: "include literalinclude",
    Role.ROWS: "csv-table list-table flat-table",
}
ROLES = {name: role for role, names in _NAMES.items() for name in names.split()}
OBJECT_DOMAINS = frozenset({"py", "c", "cpp", "js", "rst", "std"})

# What is printed before the argument of these.
LABELS = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "deprecated-removed": "Deprecated since version",
    "versionremoved": "Removed in version",
    "availability": "Availability:",
}

# Directives of the Python domain that name something importable, whose id is its dotted name.
PYTHON_OBJECTS = frozenset(
    ["abstractmethod", "attribute", "autoattribute", "autoclass", "autodata", "autodecorator", "autoexception", "autofunction", "automethod", "awaitablefunction", "awaitablemethod", "class", "classmethod", "coroutinefunction", "coroutinemethod", "data", "decorator", "decoratormethod", "exception", "function", "method", "property", "staticmethod"]
)
STANDARD_ANCHORS = {
    "confval": "confval-",
    "envvar": "envvar-",
    "fieldlookup": "std-fieldlookup-",
    "setting": "std-setting-",
    "templatefilter": "std-templatefilter-",
    "templatetag": "std-templatetag-",
}


def role_of(name: str) -> Role:
    """The role of a directive by its name as written."""
    lowered = name.lower()
    if lowered in ROLES:
        return ROLES[lowered]
    domain, colon, rest = lowered.partition(":")
    if colon and domain in OBJECT_DOMAINS:
        return Role.PROSE if rest.startswith("auto") and rest not in ROLES else Role.OBJECT
    return Role.PROSE


def object_anchor(name: str, signature: str, module: str, scope: str) -> str | None:
    """The id that Sphinx gives to a described object, or None where it depends on more than the text here.

    `module` is the current module, `scope` the dotted name of the class around.
    """
    lowered = name.lower()
    short = lowered.removeprefix("py:")
    if short in PYTHON_OBJECTS and not (lowered == "c:function" or ":" in short):
        own = object_name(signature)
        around = scope or module
        return f"{around}.{own}" if around and own and not own.startswith(f"{around}.") else own or None
    if lowered in STANDARD_ANCHORS and signature:
        return STANDARD_ANCHORS[lowered] + signature.split()[0]
    return None


def object_name(signature: str) -> str:
    """The dotted name in a signature such as `async class a.B(c, *, d)`, without what leads or follows it."""
    head = signature.partition("(")[0].partition("[")[0].partition(":")[0].partition("=")[0].split()
    return head[-1].lstrip("@") if head else ""


def included(argument: str, options: dict[str, str]) -> tuple[Include, list[str]]:
    """The file that an include directive names, and the options that narrow it in a way that lines can't say."""
    lines = line_pairs(options["lines"]) if "lines" in options else _from_start_and_end(options)
    unsaid = [name for name in ("start-after", "end-before", "start-at", "end-at", "pyobject", "diff") if name in options]
    return Include("sphinx", argument, lines), unsaid


def line_pairs(value: str) -> tuple[tuple[int, int], ...]:
    """`1,3-5,20-` as 1-based inclusive pairs; what is not a number or a range is left out."""
    pairs = []
    for part in value.split(","):
        first, dash, last = (piece.strip() for piece in part.partition("-"))
        start = _number(first, 1 if dash else 0)
        end = _number(last, LAST_LINE) if dash else start
        if 1 <= start <= end:
            pairs.append((start, end))
    return tuple(pairs)


def _from_start_and_end(options: dict[str, str]) -> tuple[tuple[int, int], ...]:
    """docutils counts `:start-line:` from 0 and excludes `:end-line:`; negative numbers count from an end we don't know."""
    if "start-line" not in options and "end-line" not in options:
        return ()
    start = _number(options.get("start-line", ""), 0) + 1
    end = _number(options.get("end-line", ""), LAST_LINE)
    return ((start, end),) if start <= end else ()


def _number(value: str, otherwise: int) -> int:
    return min(int(value), LAST_LINE) if value.isascii() and value.isdigit() and len(value) < 10 else otherwise
