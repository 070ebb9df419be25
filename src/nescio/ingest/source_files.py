"""Which files are a source's? What lies in its folder, less what is left out and what is there a second time as an alias."""

from __future__ import annotations

import re
from pathlib import Path

from nescio.config.model import Limits, Source
from nescio.ingest.versions import SourceVersions, versions_of
from nescio.ingest.walk import WalkResult, walk

_SPECIAL = re.compile(r"([\\*?\[\]!# ])")


def walk_source(source: Source, folder: Path, limits: Limits, versions: SourceVersions | None = None) -> WalkResult:
    """The documents of a source in its folder. `versions` are the source's where they are known. Raises as `walk` and
    `versions_of` do.
    """
    copies = (versions or versions_of(source, folder)).left_out
    exclude = (*source.exclude, *("/" + _SPECIAL.sub(r"\\\1", name) + "/" for name in copies))
    return walk(folder, include=source.include, exclude=exclude, max_files=limits.max_files)
