"""Data of the tests, and a data folder of their own."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from boltzcore.home import folder

REPOSITORY = Path(__file__).resolve().parent.parent
_BESIDE = REPOSITORY.parent / "shared" / "data"

if "BOLTZCORE_DATA" not in os.environ and _BESIDE.is_dir():
    os.environ["BOLTZCORE_DATA"] = str(_BESIDE)

# Runs and downloads of the tests go to a folder that is thrown away; compiled kernels are kept, they are named by their
# source.
_kernels = folder("kernels").resolve()
_home = Path(tempfile.mkdtemp(prefix="boltzcore-tests-"))
(_home / "kernels").symlink_to(_kernels)
os.environ["BOLTZCORE_HOME"] = str(_home)

# The same examples at every run, and no clock: a busy machine is no failure.
settings.register_profile("tests", derandomize=True, deadline=None)
settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nightly", action="store_true", help="run what is slow and rarely fails, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("nightly") and (later := [item for item in items if item.get_closest_marker("nightly")]):
        config.hook.pytest_deselected(items=later)
        items[:] = [item for item in items if item not in set(later)]


def pytest_unconfigure() -> None:
    shutil.rmtree(_home, ignore_errors=True)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of published data files; the test is skipped where there is none."""
    named = os.environ.get("BOLTZCORE_DATA")
    if not named or not Path(named).is_dir():
        pytest.skip("no folder of data files: set BOLTZCORE_DATA, or put shared/data beside the checkout")
    return Path(named)


@pytest.fixture
def run_command(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command line and return (status, standard output, standard error)."""
    from boltzcore.__main__ import main

    def run(*arguments: object) -> tuple[int, str, str]:
        status = main([str(argument) for argument in arguments])
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def run_json(run_command: Callable) -> Callable:
    """Run a command line that must succeed and return its JSON."""

    def run(*arguments: object):
        status, out, err = run_command(*arguments, "--json")
        assert status == 0, err
        return json.loads(out)

    return run


@pytest.fixture
def refuse(run_command: Callable) -> Callable[..., str]:
    """Run a command line that must be refused and return the sentence, which is short."""

    def run(*arguments: object) -> str:
        status, out, err = run_command(*arguments)
        err = err[err.index("\n") + 1 :] if err.startswith("Read as ") else err  # how a table was read
        assert (status, out, err.count("\n")) == (2, "", 1), err
        assert len(err) <= 501
        return err

    return run
