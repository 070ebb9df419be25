"""What do all tables of settings have in common?"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

# A path as written in a file: not empty, and without what no file system allows.
PathText = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\x00]*$")]


class Values(BaseModel):
    """Frozen, nothing unknown, and a text is not a number: the file says what it means."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)
