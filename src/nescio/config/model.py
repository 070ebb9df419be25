"""Which settings are there, what do they mean, and which values may they have?"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StringConstraints, field_validator, model_validator

from nescio.config import headings
from nescio.config.serving import Serve
from nescio.config.values import PathText, Values
from nescio.domain.floors import floor_value

ShareValue = Annotated[float, Field(ge=0, le=1)]
FloorName = Literal["strict", "balanced", "lenient"]
FacetName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]*$", max_length=60)]
SectionName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(?:[ _-][a-z0-9]+)*$", max_length=60)]

# The sections of a card with the headings that people write over such text. A pattern is for the whole heading, in any case.
CARD_SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("setup", ("(set ?up|setting up|install(ation|ing)?|getting started|quick ?start|requirements|prerequisites)( .*)?",)),
    ("usage", ("(usage|using|how to use|when to use|examples?|workflows?)( .*)?",)),
    ("commands", ("(.* )?(commands?|command line|options|flags|scripts|cli)( reference)?",)),
    ("architecture", ("(architecture|design|how it works|internals|components|structure)( .*)?",)),
    ("refusals", ("refusals?", "what .* (refuses|never does|will not do)", "limits|limitations|guardrails|non-goals")),
    ("troubleshooting", ("(troubleshooting|debugging|common|known|frequent)( .*)?", "faq|errors|problems")),
)


# The settings that hold others; all the rest are single values.
SECTIONS = ("limits", "gaps", "secrets", "check", "serve", "sources", "calibration", "cards", "card")


class Limits(Values):
    """Bounds that keep hostile or accidental input from taking over the machine. Each is safe as it is."""

    max_file_bytes: int = Field(
        default=16 * 1024 * 1024, ge=1, description="Largest file that is read, in bytes; larger ones are skipped."
    )
    max_file_seconds: float = Field(default=20.0, gt=0, description="Longest time that parsing one file may take, in seconds.")
    max_files: int = Field(default=200_000, ge=1, description="Most documents that one source may hold; more stop the build.")
    max_passages_per_file: int = Field(
        default=20_000, ge=1, le=65_536, description="Most passages that one file may be cut into."
    )
    max_include_depth: int = Field(
        default=5, ge=0, le=50, description="How deep included files may include others; 0 follows no include."
    )
    max_question_characters: int = Field(
        default=2_000, ge=1, description="Longest question, in characters; longer ones are an error."
    )
    max_question_terms: int = Field(default=64, ge=1, description="Most different words of a question that are searched for.")
    max_excerpt_characters: int = Field(default=2_000, ge=1, description="Longest quote, in characters, where it can be cut.")
    lock_seconds: float = Field(
        default=10.0, ge=0, description="How long a build waits for another one that is writing, in seconds."
    )


class Gaps(Values):
    """Whether refused questions are kept, to show what the documents lack. Nothing is kept unless asked for."""

    log: Literal["off", "hashed", "text"] = Field(
        default="off",
        description="What is kept of a refused question: nothing (off), no word of it (hashed), or all of it (text).",
    )
    file: PathText = Field(
        default=".nescio-gaps.jsonl", description="Where refused questions are kept: a file, relative to this one."
    )
    keep_days: int = Field(default=90, ge=1, le=3650, description="How long a refused question is kept, in days.")
    max_bytes: int = Field(
        default=16 * 1024 * 1024, ge=65_536, description="Largest size of that file, in bytes; the oldest questions go first."
    )


class Check(Values):
    """What `nescio check` looks at beside the index and the documents."""

    golden: str = Field(
        default="",
        pattern=r"^[^\x00]*$",
        description="The question file whose golden answers `nescio check` asks again, relative to this file; none: empty.",
    )


Fingerprint = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Secrets(Values):
    """What becomes of keys, tokens and passwords that stand in the documents. They are looked for in every file."""

    on_found: Literal["refuse", "mask"] = Field(
        default="refuse",
        description="What happens where one is found: nothing is indexed (refuse), or it is masked and all else is (mask).",
    )
    key: str = Field(
        default="",
        pattern=r"^([0-9a-f]{64})?$",
        description="What fingerprints are made with: 64 hexadecimal digits, which `nescio secrets allow` draws once.",
    )
    allow: tuple[Fingerprint, ...] = Field(
        default=(), description="Fingerprints of the secrets that may stay; `nescio secrets allow FILE:LINE` adds one."
    )

    @field_validator("allow", mode="before")
    @classmethod
    def _as_tuple(cls, given: Any) -> Any:
        return tuple(given) if isinstance(given, list) else given


class Source(Values):
    """One folder of documents."""

    path: PathText = Field(description="The folder, relative to this file.", examples=["docs"])
    name: str = Field(
        default="",
        pattern=r"^([A-Za-z0-9_-][A-Za-z0-9._-]*)?$",
        max_length=100,
        description="What citations call this source: letters, digits, - _ and dots. Left out: the folder's name.",
        examples=["docs"],
    )
    format: Literal["auto", "markdown", "mdx", "rst", "html", "text", "notebook"] = Field(
        default="auto", description="How its files are read; auto goes by the end of a file's name and its content."
    )
    include: tuple[str, ...] = Field(
        default=(), description="Patterns, as in a .gitignore, of what is read; none: every document."
    )
    exclude: tuple[str, ...] = Field(
        default=(), description="Patterns of what is not read. A pattern after ! brings back what is hidden or ignored by git."
    )
    language: str = Field(
        default="en", pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$", description="The language it is written in, as a code."
    )
    site_url: str | None = Field(
        default=None,
        pattern=r"^https?://[^\s]+$",
        description="Where the pages are published; quotes then carry a URL.",
        examples=["https://docs.example.org/"],
    )
    edit_uri: str | None = Field(
        default=None,
        description="Where a page's source can be edited, before its path.",
        examples=["https://example.org/edit/main/docs/"],
    )
    commit: str | None = Field(
        default=None,
        pattern=r"^[0-9a-f]{7,64}$",
        description="The commit that the pages are at; links into the repository then stay right. Needs edit_uri.",
        examples=["0123abc"],
    )
    slug: Literal["github", "python-markdown", "sphinx", "docusaurus"] = Field(
        default="github",
        description="How the site makes URLs and anchors: github, python-markdown (MkDocs, Zensical), sphinx or docusaurus.",
    )
    site: PathText | None = Field(
        default=None,
        description="The folder of the built site: URLs and anchors are taken from its pages.",
        examples=["site"],
    )
    version: str | None = Field(
        default=None, min_length=1, description="The version that these pages document.", examples=["1.2"]
    )
    aliases: tuple[str, ...] = Field(default=(), description="Other names of that version.")
    versions: Literal["one", "folders", "mike"] = Field(
        default="one",
        description="Where the versions are: one, in folders directly below the path, or as mike's versions.json tells.",
    )
    audiences: tuple[str, ...] = Field(
        default=(), description="Readers that these pages are for, where a page says nothing itself; none: everyone."
    )
    trust: Literal["untrusted"] = Field(
        default="untrusted", description="How far its text is trusted: it is shown as data and never obeyed."
    )
    include_root: PathText | None = Field(
        default=None,
        description="The folder that included files must lie in. Left out: the repository's top, else the source's folder.",
        examples=["."],
    )


class Cards(Values):
    """Fact cards: what the documents say of each unit, in sections that are always the same."""

    folder: PathText = Field(default="cards", description="Where the cards are written: a folder, relative to this file.")
    sections: dict[SectionName, tuple[str, ...]] = Field(
        default=dict(CARD_SECTIONS),
        min_length=1,
        description="The sections that each card has, in order, with patterns of the headings that belong to each.",
    )

    @field_validator("sections", mode="before")
    @classmethod
    def _with_tuples(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        return {name: tuple(patterns) if isinstance(patterns, list) else patterns for name, patterns in given.items()}

    @field_validator("folder")
    @classmethod
    def _apart(cls, given: str) -> str:
        if not given.replace("\\", "/").strip("./"):
            raise ValueError("a folder that is not that of this file: its cards would be taken for sources")
        return given

    @field_validator("sections")
    @classmethod
    def _of_patterns(cls, given: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        for pattern in (pattern for patterns in given.values() for pattern in patterns):
            wrong = headings.problem(pattern)
            if wrong is not None:
                raise ValueError(f"{wrong}, which {pattern!r} is not")
        return given


class CardUnit(Values):
    """One sort of unit that has cards."""

    unit: Literal["folder", "page", "glob"] = Field(
        default="folder",
        description="What has a card: each folder that holds the marker, each page, or all that the patterns name together.",
    )
    path: PathText = Field(default=".", description="The folder, relative to this file, in which units are looked for.")
    marker: str = Field(
        default="SKILL.md", pattern=r"^[^/\\\x00]+$", description="The file that makes a folder a unit: its name."
    )
    name: str = Field(
        default="",
        pattern=r"^([A-Za-z0-9_-][A-Za-z0-9._-]*)?$",
        max_length=100,
        description="The name of the one card of a glob. Folders and pages have names of their own.",
        examples=["reference"],
    )
    include: tuple[str, ...] = Field(
        default=(), description="Patterns, as in a .gitignore, of the files that count, relative to the path; none: all."
    )
    exclude: tuple[str, ...] = Field(default=(), description="Patterns of what does not count.")
    watch: tuple[str, ...] = Field(
        default=(),
        description="Patterns, relative to this file, of files elsewhere that belong to a unit; {name} is the unit's name.",
        examples=[("docs/skills/{name}.md",)],
    )

    @model_validator(mode="after")
    def _glob_has_a_name(self) -> CardUnit:
        if self.unit == "glob" and not self.name:
            raise ValueError("a name, since a glob makes one card")
        return self


class Calibration(Values):
    """Where the floor comes from: what `nescio calibrate` writes beside it. It changes nothing."""

    questions: PathText | None = Field(default=None, description="The question file that the floor was chosen on.")
    questions_sha256: str | None = Field(
        default=None, pattern=r"^[0-9a-f]{64}$", description="SHA-256 of the question file at that time."
    )
    answerable: int | None = Field(default=None, ge=0, description="How many of its questions the documents cover.")
    unanswerable: int | None = Field(default=None, ge=0, description="How many of its questions they do not cover.")
    floor: ShareValue | None = Field(default=None, description="The floor that was chosen.")
    by: str | None = Field(default=None, description="What it was chosen by: a cost, or the most wrong answers.")
    wrongly_answered: ShareValue | None = Field(
        default=None, description="Share of the questions that are not covered and were answered."
    )
    wrongly_refused: ShareValue | None = Field(
        default=None, description="Share of the questions that are covered and were refused."
    )
    wrong_bound: ShareValue | None = Field(
        default=None, description="The most that the true share of wrong answers is likely to be."
    )
    held_out_wrong: ShareValue | None = Field(
        default=None, description="Share of wrong answers on questions that took no part in the choice."
    )
    held_out_refused: ShareValue | None = Field(
        default=None, description="Share of wrong refusals on questions that took no part in the choice."
    )
    auroc: ShareValue | None = Field(
        default=None, description="How often a covered question scores above one that is not; 0.5 is chance."
    )
    index_id: str | None = Field(default=None, description="The index that was asked.")


class Settings(Values):
    """Everything that can be set."""

    title: str = Field(
        default="",
        max_length=200,
        description="The name of what is documented, as the page and llms.txt show it; empty: the folder's name in llms.txt.",
    )
    summary: str = Field(
        default="", max_length=1_000, description="What is documented, in a sentence, as the page and llms.txt show it."
    )
    floor: ShareValue | FloorName = Field(
        default="balanced",
        description="How much evidence a passage needs to be quoted: from 0 to 1, or strict, balanced or lenient.",
    )
    limit: int = Field(default=3, ge=1, le=20, description="Most quotes in one answer.")
    jobs: int = Field(default=0, ge=0, le=1024, description="Processes that read files during a build; 0: one for each core.")
    docs_version: str = Field(
        default="",
        description="The version that is asked where none is named; empty: latest or stable, else the highest.",
    )
    facets: dict[FacetName, str] = Field(
        default={"audience": "audiences"},
        description="What pages are marked for, each with the front matter key that marks them.",
    )
    allow_skips: bool = Field(
        False, description="Whether a build with skipped files succeeds; without, it ends with exit code 3."
    )
    limits: Limits = Field(default=Limits(), description="Bounds on input; each is safe as it is.")
    gaps: Gaps = Field(default=Gaps(), description="Whether and how refused questions are kept.")
    secrets: Secrets = Field(default=Secrets(), description="What becomes of secrets that stand in the documents.")
    check: Check = Field(default=Check(), description="What a check looks at beside the index and the documents.")
    serve: Serve = Field(default=Serve(), description="How questions are answered over HTTP.")
    sources: tuple[Source, ...] = Field(default=(), description="The folders of documents.")
    cards: Cards = Field(default=Cards(), description="Where fact cards are written, and which sections they have.")
    card: tuple[CardUnit, ...] = Field(default=(), description="What has a fact card; none: each folder with a SKILL.md.")
    calibration: Calibration = Field(default=Calibration(), description="Where the floor comes from.")

    @property
    def floor_value(self) -> float:
        """The floor as a number."""
        return floor_value(self.floor)


# Lists and tables, which no environment variable holds.
_ONLY_IN_FILES = frozenset(
    {
        "facets",
        "cards.sections",
        "secrets.allow",
        *(f"serve.{name}" for name in ("hosts", "origins", "trusted_proxies", "reader_view")),
    }
)


def tables() -> dict[str, type[BaseModel]]:
    """The settings that are tables of their own, by key, in the order of `Settings`."""
    kinds = {name: field.annotation for name, field in Settings.model_fields.items()}
    return {name: kind for name, kind in kinds.items() if isinstance(kind, type) and issubclass(kind, Values)}


def scalar_kinds() -> dict[str, Any]:
    """The types of the settings that are single values, by dotted key."""
    kinds = {name: field.annotation for name, field in Settings.model_fields.items() if name not in SECTIONS}
    inner = {section: model for section, model in tables().items() if section != "calibration"}
    deeper = {
        f"{section}.{name}": field.annotation for section, model in inner.items() for name, field in model.model_fields.items()
    }
    return {name: kind for name, kind in (kinds | deeper).items() if name not in _ONLY_IN_FILES}
