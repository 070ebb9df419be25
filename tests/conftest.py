"""What all tests share: settings of hypothesis, and a folder with documents to build from."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from nescio.surfaces.cli.main import main
from support.projects import Project, Run

# A busy machine is no failure: no time limits on single examples.
settings.register_profile("nescio", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("nescio")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty folder to write docs/ in."""
    project = Project(tmp_path)
    project.docs.mkdir()
    return project


@pytest.fixture
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment without settings of ours that somebody may have."""
    for name in [name for name in os.environ if name.startswith("NESCIO_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def run_here(bare_environment: None, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs a command in this process and working directory: exit code, stdout, stderr. No traceback, whatever comes in."""

    def run_it(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        written = capfdbinary.readouterr()
        assert b"Traceback" not in written.err
        return code, written.out.decode("utf-8"), written.err.decode("utf-8")

    return run_it
