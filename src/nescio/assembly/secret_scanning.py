"""Secrets looked for without an index: in some files, or in all that a build would read; and those that are let through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nescio.assembly.preparing import Job, Refused, prepared
from nescio.assembly.workers import workers
from nescio.config.loading import Configuration
from nescio.config.model import Secrets, Source
from nescio.config.writing import write_allowed
from nescio.domain.documents import Document, Notice, Signature
from nescio.domain.findings import Finding, FindingKind, Level
from nescio.domain.spans import Offsets
from nescio.errors import NotFoundFault, UsageFault
from nescio.ingest.files import Found, include_top
from nescio.ingest.reader import Skip, read
from nescio.ingest.secrets.allowing import fingerprints, new_key, on_lines
from nescio.ingest.secrets.guarding import SecretFound, secured
from nescio.ingest.secrets.scanning import secrets
from nescio.ingest.source_files import walk_source
from nescio.ingest.walk import walk


@dataclass(frozen=True, slots=True)
class Scanned:
    """What was found in `files` files, by path and line; `unread` are those that could not be looked at."""

    findings: tuple[Finding, ...]
    files: int
    unread: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class Allowed:
    """What was let through: the configuration file, the rules in order of the line, the fingerprints that are new to it."""

    file: str
    rules: tuple[str, ...]
    added: tuple[str, ...]


def scan(configuration: Configuration, paths: Sequence[Path]) -> Scanned:
    """Look for secrets in files and folders, or, without any, in the sources and what they include.

    What is allowed is no finding. Raises NotFoundFault (`scan-not-found`) for a path that is not there, and a walk's faults.
    """
    named = (found for path in paths for found in _files(configuration, path))
    outcomes = [_scanned(configuration, found) for found in named] if paths else _sources(configuration)
    findings: dict[Finding, None] = {}
    unread: list[Notice] = []
    for told in outcomes:
        if isinstance(told, Skip):
            unread += [told.notice()] if told.keeps_old else []
        else:
            findings.update((_finding(one), None) for one in told)
    ordered = sorted(findings, key=lambda one: (one.path, one.start_line))
    return Scanned(tuple(ordered), len(outcomes), tuple(unread))


def _files(configuration: Configuration, path: Path) -> Iterator[Found]:
    """The files at a path: itself, or all that are below it and that git does not ignore. Links are left out."""
    if path.is_dir():
        below = walk(path, suffixes=(), max_files=configuration.settings.limits.max_files)
        yield from (Found(configuration.shown(path / one.path), one.absolute, one.signature) for one in below.files)
        return
    try:
        signature = Signature.of(path.stat(follow_symlinks=False))
    except OSError as error:
        message = f"There is no file or folder {path}, or it cannot be looked at."
        raise NotFoundFault("scan-not-found", message, "Give files or folders that are there.") from error
    yield Found(configuration.shown(path), str(path.absolute()), signature)


def _scanned(configuration: Configuration, found: Found) -> tuple[SecretFound, ...] | Skip:
    document = read(found, "", configuration.settings.limits)
    if isinstance(document, Skip):
        return document
    told = secured(document, _refusing(configuration))
    return () if isinstance(told, Document) else told


def _sources(configuration: Configuration) -> list[tuple[SecretFound, ...] | Skip]:
    """What a build would find. Its pages are parsed, since what they include is looked at too."""
    jobs = [job for source in configuration.settings.sources for job in _jobs(configuration, source)]
    with workers(configuration.settings.jobs, len(jobs)) as apply:
        outcomes = list(apply(prepared, jobs))
    told: list[tuple[SecretFound, ...] | Skip] = []
    for job, outcome in zip(jobs, outcomes, strict=True):
        if isinstance(outcome, Refused):
            told.append(
                tuple(SecretFound(configuration.shown(job.root / one.path), one.line, one.rule) for one in outcome.found)
            )
        else:
            told.append(outcome if isinstance(outcome, Skip) else ())
    return told


def _jobs(configuration: Configuration, source: Source) -> Iterator[Job]:
    folder, limits = configuration.folder(source), configuration.settings.limits
    include_root = include_top(folder, configuration.include_root(source))
    for found in walk_source(source, folder, limits).files:
        yield Job(found, source, limits, folder, include_root, None, _refusing(configuration))


def _refusing(configuration: Configuration) -> Secrets:
    return configuration.settings.secrets.model_copy(update={"on_found": "refuse"})


def _finding(one: SecretFound) -> Finding:
    message = one.notice().message
    return Finding(FindingKind.SECRET, Level.ERROR, one.path, one.line, one.line, message, rule=one.rule)


def allow(configuration: Configuration, place: str) -> Allowed:
    """Let the secrets on a line through, given as FILE:LINE: their fingerprints are written into the configuration file.

    Raises UsageFault: `allow-place` for what is no such place, `allow-nothing` where no secret is on the line; NotFoundFault
    (`scan-not-found`); ConfigFault where the file cannot be written to.
    """
    path, line = _place(configuration, place)
    found_file = next(_files(configuration, path))
    document = read(found_file, "", configuration.settings.limits)
    if isinstance(document, Skip):
        raise UsageFault("allow-place", f"{path}: {document.message}", "Name a file of text.")
    offsets = Offsets(document.text)
    lines = offsets.line_span(line) if line <= offsets.line_count else None
    found = on_lines(document.text, secrets(document.text), lines) if lines is not None else ()
    if not found:
        raise UsageFault(
            "allow-nothing",
            f"No secret that nescio knows is in line {line} of {path}.",
            "See where they are: nescio secrets scan.",
        )
    settings = configuration.settings.secrets
    key = settings.key or new_key()
    made = fingerprints(document.text, found, key)
    added = tuple(one for one in made if one not in settings.allow)
    # A key that is kept apart from the file stays apart from it.
    is_apart = configuration.origins.get("secrets.key", "").startswith("environment")
    if added:
        file = write_allowed(configuration, "" if is_apart else key, (*settings.allow, *added))
    else:
        file = configuration.file or configuration.root
    return Allowed(str(file), tuple(one.rule for one in found), added)


def _place(configuration: Configuration, text: str) -> tuple[Path, int]:
    """The file, which is looked for in the working directory and then where scans count from, and the line."""
    name, colon, number = text.rpartition(":")
    is_line = number.isascii() and number.isdigit() and 0 < len(number) < 10 and int(number) > 0
    if not (name and colon and is_line) or Path(name).is_dir():
        raise UsageFault(
            "allow-place", f"{text!r} is no line of a file.", "Write it as FILE:LINE, as `nescio secrets scan` shows it."
        )
    here = Path(name)
    return here if here.exists() else configuration.root / name, int(number)
