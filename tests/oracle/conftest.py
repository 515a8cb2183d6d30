"""Bash with recorders, and the scripts in a project of their own."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from bash_recorder import Bash


@pytest.fixture(scope="session")
def stage(tmp_path_factory):
    """Bash, the project folder with a copy of the scripts, and a home folder."""
    folder = Path(os.path.realpath(tmp_path_factory.mktemp("oracle")))
    project = folder / "project"
    shutil.copytree(Path(__file__).parent / "scripts", project)
    (project / ".git").mkdir()
    (folder / "home").mkdir()
    return Bash(folder), project, folder / "home"
