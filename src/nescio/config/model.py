"""Which settings are there, what do they mean, and which values may they have?"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

# A path as written in a file: not empty, and without what no file system allows.
PathText = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\x00]*$")]


# The settings that hold others; all the rest are single values.
SECTIONS = ("limits", "sources")


class _Values(BaseModel):
    """Frozen, nothing unknown, and a text is not a number: the file says what it means."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Limits(_Values):
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
    max_excerpt_characters: int = Field(default=1_200, ge=1, description="Longest quote, in characters, where it can be cut.")
    lock_seconds: float = Field(
        default=10.0, ge=0, description="How long a build waits for another one that is writing, in seconds."
    )


class Source(_Values):
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
    slug: Literal["github", "python-markdown", "docutils"] = Field(
        default="github",
        description="How the site makes a heading's anchor from its words: github, python-markdown (MkDocs) or docutils.",
    )
    version: str | None = Field(
        default=None, min_length=1, description="The version that these pages document.", examples=["1.2"]
    )
    audiences: tuple[str, ...] = Field(default=(), description="Readers that these pages are for; none: everyone.")
    trust: Literal["untrusted"] = Field(
        default="untrusted", description="How far its text is trusted: it is shown as data and never obeyed."
    )
    include_root: PathText | None = Field(
        default=None,
        description="The folder that included files must lie in. Left out: the repository's top, else the source's folder.",
        examples=["."],
    )


class Settings(_Values):
    """Everything that can be set."""

    floor: float = Field(default=0.5, ge=0, le=1, description="How much evidence a passage needs to be quoted, from 0 to 1.")
    limit: int = Field(default=3, ge=1, le=20, description="Most quotes in one answer.")
    jobs: int = Field(default=0, ge=0, le=1024, description="Processes that read files during a build; 0: one for each core.")
    allow_skips: bool = Field(
        False, description="Whether a build with skipped files succeeds; without, it ends with exit code 3."
    )
    limits: Limits = Field(default=Limits(), description="Bounds on input; each is safe as it is.")
    sources: tuple[Source, ...] = Field(default=(), description="The folders of documents.")


def scalar_kinds() -> dict[str, Any]:
    """The types of the settings that are single values, by dotted key."""
    kinds = {name: field.annotation for name, field in Settings.model_fields.items() if name not in SECTIONS}
    return kinds | {f"limits.{name}": field.annotation for name, field in Limits.model_fields.items()}
