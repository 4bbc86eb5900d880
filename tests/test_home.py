"""The folder that keeps what is made: where it is, and what is said where it cannot be written."""

import os
import subprocess
import sys

import pytest

from boltzcore import home
from tests.conftest import REPOSITORY


@pytest.fixture
def blocked(tmp_path, monkeypatch):
    """A folder that nobody can write, because a file stands in its way; the temporary folder is this test's."""
    (tmp_path / "file").write_text("")
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(home.tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path / "file" / "home"


def test_a_folder_that_can_be_written_is_nothing_to_speak_of(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path / "new"))
    assert home.home() == tmp_path / "new"
    assert home.home_problem() == ""
    assert not caplog.text


@pytest.mark.parametrize("named", [True, False])
def test_a_folder_that_cannot_be_written_is_told_once(blocked, tmp_path, monkeypatch, caplog, named):
    if named:
        monkeypatch.setenv("BOLTZCORE_HOME", str(blocked))
    else:
        monkeypatch.delenv("BOLTZCORE_HOME")
        monkeypatch.setattr(home.platformdirs, "user_data_dir", lambda *_: str(blocked))
    spare = home.home()
    assert spare.parent == tmp_path / "tmp"
    assert home.home() == spare
    told = home.home_problem()
    assert str(blocked) in told
    assert str(spare) in told
    assert ("that BOLTZCORE_HOME names" in told) == named
    assert caplog.messages == [told]


def test_the_command_line_says_it_on_standard_error_and_goes_on(blocked, tmp_path):
    environment = os.environ | {"BOLTZCORE_HOME": str(blocked), "TMPDIR": str(tmp_path / "tmp")}
    done = subprocess.run(
        [sys.executable, "-m", "boltzcore", "models"], cwd=REPOSITORY, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "rbm" in done.stdout
    assert done.stderr.count(f"{blocked}, cannot be written") == 1
    assert done.stderr.count("\n") == 1
