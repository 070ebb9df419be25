"""Keeps what readers say of answers, if asked to: one line each, for the owner's eyes, up to a size."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from nescio.config.loading import Configuration
from nescio.errors import StorageFault, UsageFault
from nescio.files import append_line
from nescio.ingest.secrets.guarding import masked_text
from nescio.surfaces.terminal import escape_json
from nescio.surfaces.web import private_files

HEADER = b'{"nescio_feedback":1}\n'
WAIT_SECONDS = 2.0  # a reader waits no longer than this for thanks
MOST_COMMENT = 2_000  # characters: some paragraphs
MOST_NAME = 200  # characters of an id

Verdict = Literal["helpful", "unhelpful", "gap"]


@dataclass(frozen=True, slots=True)
class Feedback:
    """What one reader says: the verdict on the answer to a question, and what else they have to say."""

    verdict: Verdict
    question: str
    comment: str = ""
    index_id: str | None = None
    passage_id: str | None = None


class FeedbackLog:
    """The file of one configuration. Several processes may use it at once; without a file in the settings, it takes nothing."""

    def __init__(self, configuration: Configuration) -> None:
        settings = configuration.settings
        file = settings.serve.feedback_file
        self.path = Path(os.path.realpath(configuration.root / file)) if file else None
        self._most_bytes = settings.serve.max_feedback_bytes
        self._most_question = settings.limits.max_question_characters

    @property
    def is_on(self) -> bool:
        """Whether feedback is kept."""
        return self.path is not None

    def add(self, feedback: Feedback, now: float) -> None:
        """Keep it, as said at `now` (seconds since 1970), with what looks like a secret masked; the oldest go for its place.

        Raises UsageFault (`feedback-off`, `feedback-invalid`) and StorageFault (`feedback-not-kept`).
        """
        if self.path is None:
            raise UsageFault(
                "feedback-off", "This server keeps no feedback.", "Whoever runs it can set serve.feedback_file to a file."
            )
        self._check(feedback)
        line = _line(feedback, now)
        try:
            with private_files.locked(self.path, WAIT_SECONDS):
                is_kept = self._add(self.path, line)
        except OSError as error:
            raise self._not_kept() from error
        if not is_kept:
            raise self._not_kept()

    def _check(self, feedback: Feedback) -> None:
        """Only so much is taken from anybody."""
        bounds = (
            ("question", feedback.question, self._most_question),
            ("comment", feedback.comment, MOST_COMMENT),
            ("index_id", feedback.index_id or "", MOST_NAME),
            ("passage_id", feedback.passage_id or "", MOST_NAME),
        )
        for field, text, most in bounds:
            if len(text) > most:
                raise UsageFault("feedback-invalid", f"`{field}` is too long.", f"Use at most {most:,} characters.")

    def _add(self, path: Path, line: bytes) -> bool:
        if len(HEADER) + len(line) > self._most_bytes:
            return False
        size = path.stat().st_size if path.exists() else 0
        if not size:
            private_files.replace(path, [HEADER, line])
            return True
        with path.open("rb") as file:
            if file.read(len(HEADER)) != HEADER:
                return False  # a file of somebody else stays as it is
        if size + len(line) > self._most_bytes:
            room = int(self._most_bytes * private_files.KEPT_SHARE) - len(HEADER) - len(line)
            private_files.replace(path, [HEADER, *private_files.newest(path, room), line])
            return True
        return append_line(path, line)

    def _not_kept(self) -> StorageFault:
        return StorageFault(
            "feedback-not-kept",
            f"Feedback could not be kept in {self.path}.",
            "Give the server's user access to it, make room on the disk, or name another file in serve.feedback_file.",
        )


def _line(feedback: Feedback, now: float) -> bytes:
    """One line: no secret, and nothing that a terminal would obey."""
    masked = replace(feedback, question=masked_text(feedback.question), comment=masked_text(feedback.comment))
    told = {"at": datetime.fromtimestamp(int(now), UTC).isoformat().replace("+00:00", "Z"), **asdict(masked)}
    return escape_json(json.dumps(told, ensure_ascii=False)).encode("utf-8") + b"\n"
