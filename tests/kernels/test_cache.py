"""Compiled kernels are found by what they are made of, wherever it stands, and by every process."""

import os
import time

import pytest

from boltzcore.kernels import cache


@pytest.mark.parametrize("changed", ["a.py", "below/b.py"])
def test_every_source_names_the_kernels(tmp_path, changed):
    (tmp_path / "below").mkdir()
    for name in ("a.py", "below/b.py"):
        (tmp_path / name).write_text("LIMIT = 1")
    before = cache.digest_of(tmp_path)
    (tmp_path / changed).write_text("LIMIT = 2")
    assert cache.digest_of(tmp_path) != before


def test_another_processor_has_kernels_of_its_own(tmp_path, monkeypatch):
    before = cache.digest_of(tmp_path)
    monkeypatch.setattr(cache.config, "CPU_FEATURES", "+sse2")
    assert cache.digest_of(tmp_path) != before


def files(folder, stamp="source"):
    return cache._Files(str(folder), "kernel-1", stamp)


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
    long_ago = time.time() - 2 * cache.UNUSED
    for name in ("mine", "unused"):
        os.utime(tmp_path / name, (long_ago, long_ago))
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "mine")
    cache.tidy()
    assert {each.name for each in tmp_path.iterdir()} == {"mine", "used"}
