"""A tokenizer that the user names: a function of a module, or a file of the library `tokenizers`, where that is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from nescio.errors import UsageFault

_HINT = "Name a module and its function (`package.module:function`), or a JSON file of the library tokenizers."

Tokenizer = Callable[[str], Iterable[tuple[int, int]]]


def tokenizer(name: str) -> Tokenizer:
    """The function that gives (start, end) of each token. Raises UsageFault (`chunk-tokenizer-missing`).

    The module is imported, and its code runs: it is the user's own.
    """
    if name.lower().endswith(".json") or Path(name).is_file():
        return _of_file(name)
    module, separator, function = name.partition(":")
    if not separator or not module or not function:
        raise UsageFault("chunk-tokenizer-missing", f"{name} names no function and no file.", _HINT)
    try:
        found: Any = import_module(module)
        for part in function.split("."):
            found = getattr(found, part)
    except Exception as error:  # whatever a module of somebody else raises
        message = f"The tokenizer {name} could not be loaded ({type(error).__name__})."
        raise UsageFault("chunk-tokenizer-missing", message, _HINT) from error
    if not callable(found):
        raise UsageFault("chunk-tokenizer-missing", f"{name} is no function.", _HINT)
    loaded: Tokenizer = found
    return loaded


def _of_file(name: str) -> Tokenizer:
    try:
        library = import_module("tokenizers")
    except ImportError as error:
        message = f"To use the file {name}, the library tokenizers is needed."
        raise UsageFault("chunk-tokenizer-missing", message, "Install it: pip install 'nescio[tokenizers]'.") from error
    if not Path(name).is_file():
        raise UsageFault("chunk-tokenizer-missing", f"There is no file {name}.", _HINT)
    try:
        loaded = library.Tokenizer.from_file(name)
    except Exception as error:  # the library raises Exception itself
        raise UsageFault("chunk-tokenizer-missing", f"{name} is no file of the library tokenizers.", _HINT) from error

    def ranges(text: str) -> Iterable[tuple[int, int]]:
        offsets = loaded.encode(text, add_special_tokens=False).offsets
        return ((start, end) for start, end in offsets if end > start)  # marks of words' ends are of no length

    return ranges
