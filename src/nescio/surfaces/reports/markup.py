"""Marked-up text that cannot be mixed up with text: what comes from documents and questions is escaped on its way in."""

from __future__ import annotations

from html import escape
from typing import NewType

from nescio.surfaces.terminal import escape_line

Markup = NewType("Markup", str)  # made by this module alone

_VOID = frozenset({"br", "hr", "meta"})


def text(value: str) -> Markup:
    """Any text, to be shown as it is; what hides or reorders characters is written out."""
    return Markup(escape(escape_line(value)))


def joined(*parts: Markup) -> Markup:
    """Marked-up parts one after the other."""
    return Markup("".join(parts))


def tag(element: str, /, *children: Markup, **attributes: str | float) -> Markup:
    """An element. `class_` is the attribute `class`, `stroke_width` is `stroke-width`; numbers get two decimals."""
    said = "".join(f' {_name(key)}="{_value(value)}"' for key, value in attributes.items())
    return Markup(f"<{element}{said}>" if element in _VOID else f"<{element}{said}>{''.join(children)}</{element}>")


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _value(value: str | float) -> str:
    return escape(escape_line(value)) if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")
