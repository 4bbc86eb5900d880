"""Compiled kernels are found by what they are made of, wherever it stands, and by every process."""

import os
import shutil
import subprocess
import sys
import time

import pytest

from boltzcore.kernels import kept
from tests.conftest import REPOSITORY

COUNTED = """
import numpy as np
from boltzcore.kernels import elementwise
elementwise.exp(np.zeros(3, np.float32))
stats = elementwise._exp.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""


@pytest.fixture
def copied(tmp_path):
    """A copy of the library's own code in another folder."""
    shutil.copytree(REPOSITORY / "boltzcore", tmp_path / "boltzcore", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def counted(folder, **more):
    """(kernels found compiled, kernels compiled) by a process in this folder."""
    command = [sys.executable, "-c", COUNTED]
    told = subprocess.run(command, cwd=folder, env=os.environ | more, capture_output=True, text=True, check=True)
    found, compiled = told.stdout.split()
    return int(found), int(compiled)


@pytest.mark.nightly
def test_a_copy_elsewhere_finds_its_kernels_until_it_is_edited(copied):
    home = {"BOLTZCORE_HOME": str(copied / "home")}
    assert counted(REPOSITORY, **home) == (0, 1)
    assert counted(copied, **home) == (1, 0)
    vector = copied / "boltzcore" / "kernels" / "vector.py"  # a module that the kernel calls
    vector.write_text(vector.read_text(encoding="utf-8") + "\nONE_MORE = 1\n", encoding="utf-8")
    assert counted(copied, **home) == (0, 1)


@pytest.mark.parametrize("changed", ["a.py", "below/b.py"])
def test_every_source_names_the_kernels(tmp_path, changed):
    (tmp_path / "below").mkdir()
    for name in ("a.py", "below/b.py"):
        (tmp_path / name).write_text("LIMIT = 1")
    before = kept.digest_of(tmp_path)
    (tmp_path / changed).write_text("LIMIT = 2")
    assert kept.digest_of(tmp_path) != before


def test_another_processor_has_kernels_of_its_own(tmp_path, monkeypatch):
    before = kept.digest_of(tmp_path)
    monkeypatch.setattr(kept.config, "CPU_FEATURES", "+sse2")
    assert kept.digest_of(tmp_path) != before


def files(folder, stamp="source"):
    return kept._Files(str(folder), "kernel-1", stamp)


def test_two_processes_lose_nothing_that_either_has_compiled(tmp_path):
    one, other = files(tmp_path), files(tmp_path)
    one.save("float32", 1)
    other.save("float64", 2)
    one.save("int8", 3)
    assert [files(tmp_path).load(key) for key in ("float32", "float64", "int8", "int16")] == [1, 2, 3, None]


def test_a_damaged_file_is_compiled_anew(tmp_path):
    files(tmp_path).save("float32", 1)
    next(tmp_path.iterdir()).write_bytes(b"")
    assert files(tmp_path).load("float32") is None


def test_what_is_long_unused_is_removed(tmp_path, monkeypatch):
    for name in ("mine", "used", "unused"):
        (tmp_path / name / "module").mkdir(parents=True)
    long_ago = time.time() - 2 * kept.UNUSED
    for name in ("mine", "unused"):
        os.utime(tmp_path / name, (long_ago, long_ago))
    monkeypatch.setattr(kept, "KEPT", tmp_path / "mine")
    kept.tidy()
    assert {each.name for each in tmp_path.iterdir()} == {"mine", "used"}
