"""What `chunk`, `cite` and `verify` do once their options are read."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from nescio.domain.documents import Document
from nescio.errors import NotFoundFault, UsageFault
from nescio.files import read_at_most, write_whole
from nescio.surfaces import wire
from nescio.surfaces.cli import output, workspace
from nescio.surfaces.cli.options import Format

if TYPE_CHECKING:
    from nescio.citations.library import Library
    from nescio.citations.verifying import StoredPassage
    from nescio.config.loading import Configuration

MATCH, MISMATCH = 0, 1
STANDARD_INPUT = "-"
MAX_BYTES = 64 * 1024 * 1024  # of a file of citations: a hundred thousand of 600 bytes


@dataclass(frozen=True, slots=True)
class Cutting:
    """How a file is cut."""

    unit: str
    size: int
    overlap: int | None
    tokenizer: str | None
    max_passages: int


@dataclass(frozen=True, slots=True)
class Told:
    """How it is told what became of citations and stored passages."""

    format: Format = Format.TEXT
    out: Path | None = None
    as_json: bool = False

    @property
    def is_screen(self) -> bool:
        """Whether the command's own words are wanted, or its own JSON: not findings for a service."""
        return self.as_json or (self.format is Format.TEXT and self.out is None)


def chunk(named: workspace.Named, file: str, wanted: Cutting, *, as_json: bool) -> int:
    """Print the passages of a file, all of them or none. Raises UsageFault and IngestFault."""
    from nescio.citations.chunking import Cut
    from nescio.citations.chunking import chunk as cut
    from nescio.surfaces.cli.tokenizing import tokenizer
    from nescio.surfaces.wire_citations import chunk_json, chunks_json

    configuration = workspace.find(named, needs_docs=False).configuration
    document = _document(file, configuration)
    chunks = cut(
        document=document,
        unit=wanted.unit,
        size=wanted.size,
        overlap=wanted.overlap,
        tokenizer=None if wanted.tokenizer is None else tokenizer(wanted.tokenizer),
        max_passages=wanted.max_passages,
        secrets=configuration.settings.secrets,
    )
    if as_json:
        shared = Cut(wanted.unit, wanted.size, wanted.overlap).shared
        output.write_result(wire.encode(chunks_json(chunks, wanted.unit, wanted.size, shared), indented=True))
    else:
        output.write_result(b"".join(wire.encode(chunk_json(one)) for one in chunks))
    return MATCH


def _document(file: str, configuration: Configuration) -> Document:
    """The document at `file`, with the address that it has in the configured sources, if it lies in one."""
    from nescio.ingest.reader import encoding_of

    data = _read(file, configuration.settings.limits.max_file_bytes)
    source, path = ("", "") if file == STANDARD_INPUT else _address(Path(file), configuration)
    encoding = encoding_of(data)
    try:
        return Document.from_bytes(source, path, data, encoding)
    except UnicodeDecodeError as error:
        message = f"{_called(file)} is not {encoding.upper()}: byte {error.start} is 0x{data[error.start]:02X}."
        raise UsageFault("chunk-not-unicode", message, "Save it as UTF-8.") from error


def _address(file: Path, configuration: Configuration) -> tuple[str, str]:
    real = Path(os.path.realpath(file))
    for source in configuration.settings.sources:
        folder = Path(os.path.realpath(configuration.folder(source)))
        if real.is_relative_to(folder):
            return source.name, real.relative_to(folder).as_posix()
    return "", file.as_posix()


def cite(named: workspace.Named, file: str, against: Path | None, told: Told) -> int:
    """Check the citations of a file and tell what is wrong. Raises UsageFault (`cite-...`)."""
    from nescio.citations.checking import check
    from nescio.citations.reading import read_citations

    citations = read_citations(_read(file, MAX_BYTES), _called(file))
    checks = check(citations, _library(named, against))
    if not told.is_screen:
        from nescio.citations.telling import findings
        from nescio.surfaces.cli.findings import report

        summary = f"Checked {len(checks):,} citations."
        return report(list(findings(checks)), told.format, told.out, command="nescio cite", summary=summary)
    if told.as_json:
        from nescio.surfaces.wire_citations import checks_json

        output.write_result(wire.encode(checks_json(file, checks), indented=True))
    else:
        from nescio.surfaces.cli import render_citations

        output.print_result(render_citations.checks(checks))
    return MATCH if all(one.is_ok for one in checks) else MISMATCH


def verify(named: workspace.Named, files: Sequence[Path], against: Path | None, told: Told, *, fix: bool) -> int:
    """Read the passages of the files again and tell what became of them; with `fix`, write moved ones anew.

    Nothing is written before all files were read. Raises UsageFault (`cite-...`) and OSError.
    """
    from nescio.citations.reading import read_citations
    from nescio.citations.verifying import Standing
    from nescio.citations.verifying import verify as verified

    library = _library(named, against)
    data = [_read(str(file), MAX_BYTES) for file in files]
    read = [verified(read_citations(one, str(file)), library) for file, one in zip(files, data, strict=True)]
    fixed = [fix and _fixed(file, one, stored) for file, one, stored in zip(files, data, read, strict=True)]
    if told.is_screen:
        whole = [(str(file), stored, done) for file, stored, done in zip(files, read, fixed, strict=True)]
        _tell_verified(whole, as_json=told.as_json)
        left = [one for stored in read for one in stored if one.standing is not Standing.SAME and not (fix and one.renewed)]
        return MISMATCH if left else MATCH
    kept = [[one for one in stored if not (fix and one.renewed)] for stored in read]
    return _report_verified(files, kept, told)


def _report_verified(files: Sequence[Path], read: Sequence[Sequence[StoredPassage]], told: Told) -> int:
    """What is not the same, as findings; a moved passage fails too."""
    from nescio.citations.verifying import findings
    from nescio.surfaces.cli.findings import report

    found = [finding for file, stored in zip(files, read, strict=True) for finding in findings(stored, str(file))]
    count = sum(map(len, read))
    summary = f"Read {count:,} stored passages again."
    return report(found, told.format, told.out, command="nescio verify", summary=summary, strict=True)


def _tell_verified(files: Sequence[tuple[str, Sequence[StoredPassage], bool]], *, as_json: bool) -> None:
    if as_json:
        from nescio.surfaces.wire_citations import verified_json

        output.write_result(wire.encode(verified_json(files), indented=True))
    else:
        from nescio.surfaces.cli import render_citations

        output.print_result(render_citations.verified(files))


def _fixed(file: Path, data: bytes, stored: Sequence[StoredPassage]) -> bool:
    """Whether the file was written with new places of moved passages."""
    from nescio.citations.reading import is_lines
    from nescio.citations.renewing import renewed

    if all(one.renewed is None for one in stored):
        return False
    text = data.decode("utf-8")
    new = renewed(text, stored, is_lines=is_lines(text, str(file)))
    if new != text:
        write_whole(file, new.encode("utf-8"))
    return new != text


def _library(named: workspace.Named, against: Path | None) -> Library:
    """The configured documents, those of the folder that was named, or one file."""
    from nescio.citations.library import Library

    is_folder = against is not None and against.is_dir()
    docs = (against,) if against is not None and is_folder else ()
    place = workspace.find(replace(named, docs=docs), needs_docs=against is None or is_folder)
    library = Library.of(place.configuration)
    return library if against is None or is_folder else library.only(against)


def _read(file: str, most: int) -> bytes:
    if file == STANDARD_INPUT:
        data: bytes | None = sys.stdin.buffer.read(most + 1)
        data = data if data is not None and len(data) <= most else None
    else:
        try:
            data = read_at_most(Path(file), most)
        except FileNotFoundError as error:
            raise NotFoundFault(
                "file-not-found", f"There is no file {file}.", "Name a file, or - for standard input."
            ) from error
    if data is None:
        raise UsageFault("input-too-large", f"{_called(file)} has more than {most} bytes.", "Split it, or raise the limit.")
    return data


def _called(file: str) -> str:
    return "standard input" if file == STANDARD_INPUT else file
