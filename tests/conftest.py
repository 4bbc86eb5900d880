"""Where the tests find data, and a data folder of their own."""

import os
import shutil
import tempfile
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
