"""What all tests share: settings of hypothesis, and a folder with documents to build from."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from support.projects import Project

# A busy machine is no failure: no time limits on single examples.
settings.register_profile("nescio", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("nescio")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty folder to write docs/ in."""
    project = Project(tmp_path)
    project.docs.mkdir()
    return project
