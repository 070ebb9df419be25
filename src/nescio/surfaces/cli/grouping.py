"""A command that can be used by itself and has commands below it: `nescio eval FILE` and `nescio eval draft`."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup


class OwnUseGroup(TyperGroup):
    """Takes arguments and options of its own, in any order, unless the first word is the name of a command below it."""

    allow_extra_args = False
    allow_interspersed_args = True

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """The context of the command that is named, else the own one."""
        named = self.commands.get(args[0]) if args else None
        if named is None:
            return super().make_context(info_name, args, parent, **extra)
        return named.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Those of the own use; the commands are listed below it."""
        return super().collect_usage_pieces(ctx)[:-1]
