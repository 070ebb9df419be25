"""What import contracts cannot say: docstrings, printing, the environment, what is loaded at import, which room uses what."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "nescio"
MODULES = sorted(SOURCE.rglob("*.py"))
LONGEST_FUNCTION = 50  # lines; longer ones want a name for their middle
LONGEST_MODULE = 380

# Every dependency has one room that knows it: to change one is to change one room. Settings and requests are both checked by
# the same library.
ROOM_OF = {
    "Stemmer": "analysis",
    "sentencex": "analysis",
    "pydantic": "config",
    "tomlkit": "config",
    "pyromark": "ingest",
    "yaml": "ingest",
    "filelock": "index",
    "tantivy": "index",
    "pygments": "surfaces",
    "rapidfuzz": "retrieve",
    "rich": "surfaces",
    "typer": "surfaces",
}
ROOM_OF_EXTRAS = {
    "anyio": "surfaces/mcp",
    "fastapi": "surfaces/web",
    "limits": "surfaces/web",
    "mcp": "surfaces/mcp",
    "prometheus_client": "surfaces/web",
    "pydantic": "surfaces/web",
    "starlette": "surfaces",
    "uvicorn": "surfaces/web",
    "watchfiles": "assembly",
}
# Loaded by others where they are there, and never named: uvicorn takes the quicker parser and loop.
NEVER_NAMED = frozenset({"httptools", "uvloop", "tokenizers"})
HEAVY = ("tantivy", "pydantic", "rich", "pygments", "typer", "yaml", "pyromark", "sentencex", "rapidfuzz", "multiprocessing")


@cache
def tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def room(module: Path) -> str:
    return module.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(module: Path) -> Iterator[str]:
    """The top-level names of all that is imported, wherever it is imported."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def names(module: Path) -> set[str]:
    """`name` and `object.name` wherever they are used."""
    found = set()
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.add(f"{node.value.id}.{node.attr}")
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(SOURCE)))
def test_every_module_says_first_why_it_exists(module: Path) -> None:
    docstring = ast.get_docstring(tree(module))
    assert docstring
    assert docstring.startswith(docstring.lstrip())


def test_every_room_states_its_question() -> None:
    for folder in (face.parent for face in SOURCE.glob("*/**/__init__.py")):
        docstring = ast.get_docstring(tree(folder / "__init__.py")) or ""
        assert "?" in docstring, folder.name
        assert len(docstring.split("\n")) <= 2, folder.name


def test_only_the_surfaces_print() -> None:
    forbidden = {"print", "sys.stdout", "sys.stderr", "input"}
    assert {str(module) for module in MODULES if room(module) != "surfaces" and names(module) & forbidden} == set()


def test_only_the_surfaces_read_the_environment() -> None:
    forbidden = {"os.environ", "os.getenv", "os.environb", "sys.argv"}
    assert {str(module) for module in MODULES if room(module) != "surfaces" and names(module) & forbidden} == set()


def test_lines_are_never_split_by_the_standard_library() -> None:
    uses = [str(module) for module in MODULES if re.search(r"\.splitlines\(", module.read_text(encoding="utf-8"))]
    assert uses == []


def test_every_dependency_is_known_to_one_room() -> None:
    uses = {(name, module) for module in MODULES for name in imported(module) if name in ROOM_OF | ROOM_OF_EXTRAS}
    assert {(name, str(module)) for name, module in uses if not is_at_home(name, module)} == set()
    assert {name for name, _ in uses} == set(ROOM_OF | ROOM_OF_EXTRAS)


def is_at_home(name: str, module: Path) -> bool:
    below = module.relative_to(SOURCE).as_posix()
    rooms = (home for home in (ROOM_OF.get(name), ROOM_OF_EXTRAS.get(name)) if home)
    return any(below.startswith(f"{home}/") for home in rooms)


def test_nothing_is_imported_that_is_not_declared() -> None:
    known = set(ROOM_OF) | set(ROOM_OF_EXTRAS) | set(sys.stdlib_module_names) | {"nescio", "__future__"}
    assert {name for module in MODULES for name in imported(module)} - known == set()


def test_every_declared_dependency_is_used() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = (line for name, lines in project["optional-dependencies"].items() if name != "dev" for line in lines)
    packages = {"Stemmer": "pystemmer", "yaml": "pyyaml", "prometheus_client": "prometheus-client"}
    assert named(project["dependencies"]) == {packages.get(name, name) for name in ROOM_OF}
    assert named(extras) - NEVER_NAMED | {"pydantic"} == {packages.get(name, name) for name in ROOM_OF_EXTRAS}


def named(requirements: Iterable[str]) -> set[str]:
    return {re.split(r"[<>=~!\[; ]", line)[0].lower() for line in requirements}


def test_importing_nescio_loads_nothing_heavy() -> None:
    program = f"import sys, nescio; print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == []


def test_importing_any_module_prints_nothing_and_writes_nothing(tmp_path: Path) -> None:
    parts = [("nescio", *module.relative_to(SOURCE).with_suffix("").parts) for module in MODULES]
    dotted = [".".join(names).removesuffix(".__init__") for names in parts if names[-1] != "__main__"]
    program = f"import importlib\nfor name in {dotted!r}: importlib.import_module(name)"
    done = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_nothing_in_a_module_changes_after_it_is_loaded() -> None:
    """No `global` statement: what a module holds at import is what it holds for good (memories of pure functions aside)."""
    assert [str(module) for module in MODULES if any(isinstance(node, ast.Global) for node in ast.walk(tree(module)))] == []


def test_functions_and_modules_stay_readable() -> None:
    long_modules = [str(module) for module in MODULES if len(module.read_text(encoding="utf-8").split("\n")) > LONGEST_MODULE]
    assert long_modules == []
    for module in MODULES:
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
                docstring = len((ast.get_docstring(node, clean=False) or "").split("\n"))
                assert node.end_lineno - node.lineno - docstring < LONGEST_FUNCTION, f"{module}:{node.lineno} {node.name}"


def test_no_name_says_nothing() -> None:
    assert [str(module) for module in MODULES if re.search(r"utils?|helpers?|managers?|misc|common", module.stem)] == []
