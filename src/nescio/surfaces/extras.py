"""Says which packages an optional part needs, before that part is loaded without them."""

from __future__ import annotations

from nescio.errors import UsageFault


def need(extra: str, *modules: str) -> None:
    """Raises UsageFault (`extra-missing`) where one of these modules, which come with `nescio[extra]`, is not installed."""
    from importlib.util import find_spec

    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        names = ", ".join(missing)
        raise UsageFault(
            "extra-missing",
            f"This needs packages of the extra {extra!r} that are not installed: {names}.",
            f'Install it: python -m pip install "nescio[{extra}]"',
        )
