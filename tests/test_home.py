"""The folder that keeps what is made: where it is, and what is said where it cannot be written."""

import os
import subprocess
import sys

import pytest

from boltzcore import home, registry
from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.trial import Trial
from boltzcore.comparison.trials import TrialStore
from boltzcore.data import grants, upload
from boltzcore.jobs.engine import Engine
from boltzcore.jobs.store import Store
from boltzcore.kernels.cache import FOLDER
from boltzcore.training.loop import train
from boltzcore.training.status import Status
from tests.conftest import REPOSITORY
from tests.runs.toys import WALK, finished, walk


@pytest.fixture
def blocked(tmp_path, monkeypatch):
    """A folder that cannot be written, because a file stands in its way; the temporary folder is this test's."""
    (tmp_path / "file").write_text("")
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(home.tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path / "file" / "home"


def test_a_folder_of_another_version_is_left_as_it_is_and_a_new_one_begun_beside_it(tmp_path, monkeypatch, caplog):
    older = tmp_path / "home"
    (older / "runs").mkdir(parents=True)
    monkeypatch.setenv("BOLTZCORE_HOME", str(older))
    made = home.folder("runs")
    assert made == tmp_path / "home-2" / "runs"
    assert str(older) in home.older_home()
    assert [each.name for each in older.rglob("*")] == ["runs"]
    assert home.folder("runs") == made
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path / "home-2"))
    assert home.folder("runs") == made
    assert home.older_home() == home.home_problem() == caplog.text == ""


@pytest.mark.parametrize("named", [True, False])
def test_a_folder_that_cannot_be_written_is_reported_once(blocked, tmp_path, monkeypatch, caplog, named):
    if named:
        monkeypatch.setenv("BOLTZCORE_HOME", str(blocked))
    else:
        monkeypatch.delenv("BOLTZCORE_HOME")
        monkeypatch.setattr(home.platformdirs, "user_data_dir", lambda *_: str(blocked))
    spare = home.home()
    assert spare.parent == tmp_path / "tmp"
    assert home.home() == spare
    sentence = home.home_problem()
    assert str(blocked) in sentence
    assert str(spare) in sentence
    assert caplog.messages == [sentence]


@pytest.mark.nightly
@pytest.mark.parametrize(("named", "status"), [("file/home", 0), ("home", 2)])  # the kernels have no other place
def test_the_command_line_says_it_on_standard_error(blocked, tmp_path, named, status):
    home.make_folder(tmp_path / "home").joinpath("kernels").touch()
    environment = os.environ | {"BOLTZCORE_HOME": str(tmp_path / named), "TMPDIR": str(tmp_path / "tmp")}
    done = subprocess.run(
        [sys.executable, "-m", "boltzcore", "models"], cwd=REPOSITORY, env=environment, capture_output=True, text=True
    )
    assert (done.returncode, "rbm" in done.stdout) == (status, status == 0)
    assert done.stderr.count(str(tmp_path / named)) == done.stderr.count("\n") == 1


def test_all_that_is_made_is_for_this_user_alone(tmp_path, monkeypatch):
    place = tmp_path / "deep" / "home"
    monkeypatch.setenv("BOLTZCORE_HOME", str(place))
    monkeypatch.setitem(registry.LEARNERS, "Walk", WALK)
    umask = os.umask(0)
    try:
        grants.give(upload(b"a,b\n" + b"0,1\n1,0\n" * 20).digest)
        engine, recipe = Engine(Store(home.home())), walk(measures=())
        finished(engine.create(recipe, play=True))
        TrialStore(home.folder("trials")).put(Trial(recipe, Status.FINISHED, state=list(train(recipe))[-1].state))
        engine.races.create(Comparison(walk(), {"a": {}, "b": {"Walk.rate": 0.1}}, trials=1, axis="updates"))
        engine.shutdown()
        home.hold_as_server("here")
    finally:
        os.umask(umask)
    assert {each.stat().st_mode & 0o777 for each in [*FOLDER.rglob("*.nbc")]} <= {0o600}
    wrong = {
        str(each.relative_to(tmp_path)): oct(each.stat().st_mode)
        for each in [place, *place.rglob("*")]
        if each.stat().st_mode & 0o777 != (0o700 if each.is_dir() else 0o600)
    }
    assert not wrong
    made = {each.relative_to(place).parts[0] for each in place.rglob("*") if each.is_file()}
    assert made >= {"races", "runs", "trials", "uploads"}


@pytest.mark.parametrize("umask", [0o000, 0o777])
def test_the_umask_does_not_count(tmp_path, umask):
    before = os.umask(umask)
    try:
        place = home.make_folder(tmp_path / "a" / "b")
        for _ in range(2):
            with home.lock_file(place / "lock"), home.replace_file(place / "file") as stream:
                stream.write(b"x")
    finally:
        os.umask(before)
    modes = {each.name: oct(each.stat().st_mode & 0o777) for each in (tmp_path / "a").rglob("*")}
    assert modes == {"b": "0o700", "lock": "0o600", "file": "0o600"}
