"""What each directive of docutils, Sphinx and Django does with its argument and its body."""

from __future__ import annotations

import re
import unicodedata
from enum import Enum, auto

from nescio.domain.documents import Include
from nescio.ingest.parsers.include_lines import LAST_LINE, line_ranges, sphinx_anchor
from nescio.ingest.parsers.rst_inline import name_set


class Role(Enum):
    """What becomes of a directive."""

    PROSE = auto()  # argument and body are read; also what no table below names
    NAMED = auto()  # the same, and the name of the directive is a label for both
    BOX = auto()  # the argument is a label for the body
    RUBRIC = auto()  # the argument is a heading that makes no section
    BODY = auto()  # the argument is for the renderer, the body is read
    HIDDEN = auto()  # nothing of it is shown
    CODE = auto()  # the body is shown as it is
    OBJECT = auto()  # the argument is a signature, the body describes it
    TARGET = auto()  # without a body only a place to link to, with one like OBJECT
    GLOSSARY = auto()  # the terms of the body are definitions of their own
    INCLUDE = auto()  # part of another file stands here
    ROWS = auto()  # a table written as lists or as comma-separated lines


_NAMES: dict[Role, str] = {
    Role.BODY: """
        automodule class-only compound container cssclass figure grid grid-item only rst-class tab-set tabs
    """,
    Role.NAMED: """
        attention caution danger error hint important note seealso tip todo warning
    """,
    Role.BOX: """
        admonition card code-tab collapse details dropdown grid-item-card group-tab sidebar tab tab-item table topic
    """,
    Role.RUBRIC: "rubric",
    Role.HIDDEN: """
        autosummary bibliography c:namespace codeauthor contents cpp:namespace currentmodule date default-domain
        default-role digraph footer graph graphviz header highlight highlightlang ifconfig image index
        inheritance-diagram mermaid meta module moduleauthor namespace namespace-pop namespace-push plantuml program
        py:currentmodule py:module raw replace role sectionauthor sectnum tabularcolumns target-notes testcleanup
        testsetup title toctree uml unicode
    """,
    Role.CODE: """
        code code-block console doctest highlight-block ipython jinja literal math parsed-literal productionlist
        prompt sourcecode terminal testcode testoutput
    """,
    Role.OBJECT: """
        2to3fixer abstractmethod attribute autoattribute autoclass autodata autodecorator autoexception autofunction
        automethod awaitablefunction awaitablemethod class classmethod cmdoption confval coroutinefunction
        coroutinemethod data decorator decoratormethod describe describe-option django-admin django-admin-option
        envvar exception function method object opcode option pdbcommand property sphinx:confval staticmethod type
    """,
    Role.TARGET: "fieldlookup setting templatefilter templatetag",
    Role.GLOSSARY: "glossary",
    Role.INCLUDE: "include literalinclude",
    Role.ROWS: "csv-table flat-table list-table",
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
PYTHON_OBJECTS = name_set(
    """
    abstractmethod attribute autoattribute autoclass autodata autodecorator autoexception autofunction automethod
    awaitablefunction awaitablemethod class classmethod coroutinefunction coroutinemethod data decorator
    decoratormethod exception function method property staticmethod
    """
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


def identifier(name: str) -> str:
    """The id that docutils makes of a name."""
    plain = unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"^[-0-9]+|-+$", "", re.sub(r"[^a-z0-9]+", "-", plain))


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


def included(argument: str, options: dict[str, str]) -> Include:
    """The file that an include directive names, and the part of it that its options ask for."""
    lines = line_ranges(options["lines"]) if "lines" in options else _from_start_and_end(options)
    return Include("sphinx", argument, lines, sphinx_anchor(options))


def _from_start_and_end(options: dict[str, str]) -> tuple[tuple[int, int], ...]:
    """docutils counts `:start-line:` from 0 and excludes `:end-line:`; negative numbers count from an end we don't know."""
    if "start-line" not in options and "end-line" not in options:
        return ()
    start = _number(options.get("start-line", ""), 0) + 1
    end = _number(options.get("end-line", ""), LAST_LINE)
    return ((start, end),) if start <= end else ()


def _number(value: str, otherwise: int) -> int:
    return min(int(value), LAST_LINE) if value.isascii() and value.isdigit() and len(value) < 10 else otherwise
