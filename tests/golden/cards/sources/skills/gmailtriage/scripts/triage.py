"""Reads mail and sorts it: only the names below are told in a card."""

import argparse
import os

SECRET_PLACE = os.environ.get("GMAILTRIAGE_TOKEN_FILE", "~/.gmailtriage/token")


def plan(since: str) -> list[str]:
    """Make a plan."""
    return [since, _label(os.environ["GMAILTRIAGE_LABEL"])]


class Mailbox:
    def undo(self) -> None: ...

    def _connect(self) -> None: ...


def _label(name: str) -> str:
    return name


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--since")
    parser.add_argument("--dry-run", action="store_true")
