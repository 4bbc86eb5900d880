"""A machine without data files, for the tests of data."""

from pathlib import Path

import pytest


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine that has no data file yet: the empty folder that BOLTZCORE_DATA names on it."""
    folder = tmp_path / "files"
    folder.mkdir()
    monkeypatch.setenv("BOLTZCORE_DATA", str(folder))
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path / "home"))
    return folder
