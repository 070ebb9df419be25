"""Which files of a folder are documents? Each real file once, in one order, whatever links and pipes lie about."""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from nescio.domain.documents import Notice, Signature
from nescio.errors import IngestFault, NotFoundFault
from nescio.ingest.files import Found, git_top, is_unicode, read_small
from nescio.ingest.globs import Globs, compiled

__all__ = ["DOCUMENT_SUFFIXES", "Found", "WalkResult", "walk"]

DOCUMENT_SUFFIXES = (".md", ".markdown", ".mdx", ".rst", ".txt", ".html", ".htm", ".ipynb")
MAX_FILES = 200_000
# Never documents, whatever the settings say: git's own store and ours.
PRIVATE_FOLDERS = frozenset({".git", ".nescio"})
# What machines fill. They are left out like hidden entries, and a negated exclude pattern brings them back.
MACHINE_FOLDERS = frozenset({"node_modules", "__pycache__"})
# An index may stand anywhere under any name; these two files together are its mark.
INDEX_MARKS = ("CURRENT", ".gitignore")
# The longest .gitignore in common use has some 10 KB. Each pattern is tried on each file, so that a huge one would be a trap.
MAX_IGNORE_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class WalkResult:
    """`files` in order of path (code points); `notices` in order of path and code.

    `unreadable` names what could not be looked at: folders with a slash at the end (the root is the empty string), files as
    they are. What an earlier walk found there is unknown now, not removed.
    """

    files: tuple[Found, ...]
    notices: tuple[Notice, ...] = ()
    unreadable: tuple[str, ...] = ()

    def is_unseen(self, path: str) -> bool:
        """Whether `path` may be there although it was not found."""
        return any(path == one or ((one.endswith("/") or not one) and path.startswith(one)) for one in self.unreadable)


def walk(
    root: Path,
    *,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    suffixes: Iterable[str] = DOCUMENT_SUFFIXES,
    max_files: int = MAX_FILES,
) -> WalkResult:
    """The documents under `root`.

    A file is taken when its name ends in one of `suffixes` (any case; none given: any name), it or a folder above it is named
    by `include` (none given: all are), and nothing leaves it out. `exclude` decides first; its negated patterns bring back
    what is left out otherwise: hidden entries, folders of machines, what a .gitignore names (the root's, those below and
    above it up to the top of the repository, and .git/info/exclude). Patterns are gitignore's, relative to `root`, and
    matched in NFC.
    Links are never followed: what they lead to inside the root is read under its own path.
    Raises NotFoundFault when there is no such folder, IngestFault when it holds more than `max_files` documents.
    """
    real = _real_root(root)
    wanted = _Wanted(compiled(include), compiled(exclude), tuple(suffix.lower() for suffix in suffixes))
    survey = _Survey(real, wanted, max_files)
    survey.visit_all(survey.levels_above())
    files = tuple(sorted(survey.files, key=lambda found: found.path))
    notices = sorted((*survey.notices, *_twins(files)), key=lambda notice: (notice.path, notice.code))
    return WalkResult(files, tuple(notices), tuple(sorted(survey.unreadable)))


def _real_root(root: Path) -> Path:
    hint = "Name a folder that holds documentation."
    try:
        if not stat.S_ISDIR(root.stat().st_mode):
            raise NotFoundFault("docs-not-found", f"{root} is not a folder.", hint)
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise NotFoundFault("docs-not-found", f"There is no folder {root}.", hint) from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise NotFoundFault("docs-not-found", f"{root} is a link to itself.", hint) from error
    return Path(os.path.realpath(root))


@dataclass(frozen=True, slots=True)
class _Level:
    """The patterns of one .gitignore. `lead` stands before a path of the walk, once `strip` characters are cut from it."""

    globs: Globs
    strip: int = 0
    lead: str = ""

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        return self.globs.verdict(self.lead + path[self.strip :], is_folder)


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder to visit. `path` and `matched` (its NFC) end in a slash; they are empty for the root."""

    absolute: str
    path: str
    matched: str
    levels: tuple[_Level, ...]
    is_included: bool


@dataclass(frozen=True, slots=True)
class _Entry:
    """Something in a folder, with its path as stored and as matched."""

    listed: os.DirEntry[str]
    folder: _Folder
    path: str
    matched: str

    @classmethod
    def of(cls, folder: _Folder, listed: os.DirEntry[str]) -> _Entry:
        return cls(listed, folder, folder.path + listed.name, folder.matched + _nfc(listed.name))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the settings ask for."""

    include: Globs
    exclude: Globs
    suffixes: tuple[str, ...]

    def is_left_out(self, entry: _Entry, levels: tuple[_Level, ...], is_folder: bool) -> bool:
        name = entry.listed.name
        if name in PRIVATE_FOLDERS:
            return True
        verdict = self.exclude.verdict(entry.matched, is_folder) if self.exclude else None
        if verdict is not None:
            return verdict
        if name.startswith(".") or (is_folder and name in MACHINE_FOLDERS):
            return True
        verdicts = (level.verdict(entry.matched, is_folder) for level in reversed(levels))
        return next((verdict for verdict in verdicts if verdict is not None), False)

    def is_included(self, entry: _Entry, is_folder: bool) -> bool:
        verdict = self.include.verdict(entry.matched, is_folder) if self.include else None
        return entry.folder.is_included if verdict is None else verdict

    def is_document(self, entry: _Entry) -> bool:
        is_named = not self.suffixes or entry.listed.name.lower().endswith(self.suffixes)
        return is_named and self.is_included(entry, is_folder=False)


@dataclass(slots=True)
class _Survey:
    """What one walk has met so far."""

    root: Path
    wanted: _Wanted
    max_files: int
    files: list[Found] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    visited: set[tuple[int, int]] = field(default_factory=set)

    def levels_above(self) -> tuple[_Level, ...]:
        """The patterns that hold for the root from outside of it, weakest first."""
        top = git_top(self.root)
        if top is None:
            return ()
        lead = _lead(self.root, top)
        levels = [_Level(self._patterns(top / ".git" / "info" / "exclude", ".git/info/exclude"), lead=lead)]
        above = [folder for folder in reversed(self.root.parents) if folder.is_relative_to(top)]
        levels += [
            _Level(self._patterns(folder / ".gitignore", ".gitignore"), lead=_lead(self.root, folder)) for folder in above
        ]
        return tuple(level for level in levels if level.globs)

    def visit_all(self, levels: tuple[_Level, ...]) -> None:
        """Fills `files`, `notices` and `unreadable`; folders in order of path, deep ones without recursion."""
        include = self.wanted.include
        ahead = [_Folder(str(self.root), "", "", levels, all(rule.negated for rule in include.rules))]
        while ahead:
            ahead.extend(reversed(self._visit(ahead.pop())))

    def _visit(self, folder: _Folder) -> list[_Folder]:
        """Takes the files of one folder and gives the folders in it."""
        try:
            with os.scandir(folder.absolute) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
            status = Path(folder.absolute).stat()
        except (FileNotFoundError, NotADirectoryError):
            return []  # gone since its parent was listed
        except OSError as error:
            self._could_not_look("folder-unreadable", folder.path, f"The folder could not be listed: {error.strerror}.")
            return []
        if not self._is_first_visit(folder, status) or (folder.path and _is_index(listed)):
            return []
        levels = folder.levels + self._own_level(folder, listed)
        inside = (self._meet(_Entry.of(folder, entry), levels) for entry in listed)
        return [met for met in inside if met is not None]

    def _is_first_visit(self, folder: _Folder, status: os.stat_result) -> bool:
        """False, with a notice, for a folder that was entered by another way, as through a mount."""
        identity = (status.st_dev, status.st_ino)
        if status.st_ino and identity in self.visited:
            self._say("link-loop", folder.path.rstrip("/"), "The folder was read under another path and is not read again.")
            return False
        self.visited.add(identity)
        return True

    def _own_level(self, folder: _Folder, listed: list[os.DirEntry[str]]) -> tuple[_Level, ...]:
        if not any(entry.name == ".gitignore" for entry in listed):
            return ()
        globs = self._patterns(Path(folder.absolute, ".gitignore"), folder.path + ".gitignore")
        return (_Level(globs, strip=len(folder.matched)),) if globs else ()

    def _patterns(self, file: Path, path: str) -> Globs:
        """The patterns of an ignore file; none when it is not there, with a notice when it cannot be used."""
        try:
            data = read_small(file, MAX_IGNORE_BYTES)
        except (FileNotFoundError, NotADirectoryError):
            return Globs()
        except OSError as error:
            self._say("gitignore-unreadable", path, f"Its patterns are not applied: {error.strerror}.")
            return Globs()
        if data is None:
            self._say(
                "gitignore-unreadable", path, f"Its patterns are not applied: no file of at most {MAX_IGNORE_BYTES} bytes."
            )
            return Globs()
        return compiled(data.decode("utf-8-sig", "surrogateescape").split("\n"))

    def _meet(self, entry: _Entry, levels: tuple[_Level, ...]) -> _Folder | None:
        """A folder to visit, or None once a file was taken or passed over."""
        try:
            is_link = entry.listed.is_symlink()
            is_folder = not is_link and entry.listed.is_dir(follow_symlinks=False)
        except OSError as error:
            self._could_not_look("file-unreadable", entry.path, f"It could not be looked at: {error.strerror}.")
            return None
        if self.wanted.is_left_out(entry, levels, is_folder):
            return None
        if is_link:
            self._pass_link(entry)
        elif is_folder:
            return self._enter(entry, levels)
        elif self.wanted.is_document(entry) and self._has_readable_name(entry):
            self._take(entry)
        return None

    def _enter(self, entry: _Entry, levels: tuple[_Level, ...]) -> _Folder | None:
        if not self._has_readable_name(entry):
            return None
        is_included = self.wanted.is_included(entry, is_folder=True)
        return _Folder(entry.listed.path, entry.path + "/", entry.matched + "/", levels, is_included)

    def _take(self, entry: _Entry) -> None:
        try:
            status = entry.listed.stat(follow_symlinks=False)
        except FileNotFoundError:
            return  # gone since the folder was listed
        except OSError as error:
            self._could_not_look("file-unreadable", entry.path, f"It could not be looked at: {error.strerror}.")
            return
        if not stat.S_ISREG(status.st_mode):
            self._say("not-a-file", entry.path, "It is a pipe, a socket or a device and is not opened.")
            return
        self.files.append(Found(entry.path, entry.listed.path, Signature.of(status)))
        if len(self.files) > self.max_files:
            message = f"{self.root} holds more than {self.max_files} documents."
            raise IngestFault("too-many-files", message, "Leave folders out with `exclude`, or raise limits.max_files.")

    def _pass_link(self, entry: _Entry) -> None:
        """Says why a link is not followed, if what it leads to would have been read."""
        try:
            target = os.path.realpath(entry.listed.path, strict=True)
        except OSError as error:
            if error.errno == errno.ELOOP:
                self._say("link-loop", entry.path, "The link leads to itself.")
            elif self.wanted.is_document(entry):
                self._say("link-broken", entry.path, f"The link leads nowhere: {error.strerror}.")
            return
        is_folder = Path(target).is_dir()
        if not is_folder and not self.wanted.is_document(entry):
            return
        if not _is_under(target, str(self.root)):
            self._say("link-leaves-root", entry.path, "The link leads out of the source's folder and is not followed.")
        elif is_folder and _is_under(entry.folder.absolute, target):
            self._say("link-loop", entry.path, "The link leads to a folder that it lies in.")
        else:
            inside = Path(target).relative_to(self.root).as_posix()
            self._say("link-inside-root", entry.path, f"The link leads to {inside}, which is read under its own path.")

    def _has_readable_name(self, entry: _Entry) -> bool:
        if is_unicode(entry.listed.name):
            return True
        self._say("name-not-utf8", entry.path, "Its name is not valid UTF-8, so that no citation could name it.")
        return False

    def _could_not_look(self, code: str, path: str, message: str) -> None:
        self.unreadable.append(path)
        self._say(code, path.rstrip("/"), message)

    def _say(self, code: str, path: str, message: str) -> None:
        self.notices.append(Notice(code, _printable(path) or ".", 0, _printable(message)))


def _twins(files: tuple[Found, ...]) -> list[Notice]:
    """Files that would be one on a disk that is blind to case or to how accents are written. Both are read."""
    first: dict[str, str] = {}
    notices = []
    for found in files:
        other = first.setdefault(_nfc(found.path).casefold(), found.path)
        if other != found.path:
            message = f"Its path differs from {other} only in case or in how accents are written; both are read."
            notices.append(Notice("case-duplicate", found.path, 0, message))
    return notices


def _is_index(listed: list[os.DirEntry[str]]) -> bool:
    names = {entry.name for entry in listed}
    return all(mark in names for mark in INDEX_MARKS)


def _is_under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(str(Path(folder, "_"))[:-1])


def _lead(root: Path, folder: Path) -> str:
    relative = root.relative_to(folder).as_posix()
    return "" if relative == "." else _nfc(relative) + "/"


def _nfc(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _printable(text: str) -> str:
    """Text that can be written out: bytes of a name that are not UTF-8 as `\\udcff`."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
