"""Every data set: its declaration, its cache, its names and its refusals."""

import numpy as np
import pytest

from boltzcore.data import DATASETS, examples, load, source
from boltzcore.data.mnist import MNIST

OFFLINE = ("bars-and-stripes", "shifting-bar", "parity", "digits", "mnist-small", "senate", "ising", "bayes-net")


@pytest.mark.parametrize("name", OFFLINE)
def test_offline_sets_need_no_file_and_what_is_loaded_is_shared_and_cannot_be_changed(bare, name):
    assert DATASETS[name]().at_hand()
    assert not DATASETS[name].downloadable
    data = load(name)
    assert load(name) is data
    for array in (*(split.v for split in data.splits.values()), *data.labels.values()):
        assert array.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_only_so_much_is_kept(bare, monkeypatch):
    monkeypatch.setattr(source, "KEPT_BYTES", 2_500_000)
    first, other = load("shifting-bar", N=1000), load("shifting-bar", N=999)
    assert load("shifting-bar", N=1000) is first
    load("shifting-bar", N=998)  # the oldest by use is N = 999
    assert load("shifting-bar", N=1000) is first
    assert load("shifting-bar", N=999) is not other


def test_rows_of_ones_own_are_examples():
    assert examples([[0, 1], [1, 1]]).v.dtype == np.uint8
    assert examples(np.eye(3)).n_visible == 3
    for wrong in ([0, 1], [[]], [[0.5, 1]], [[2, 0]], np.zeros((0, 3))):
        with pytest.raises(ValueError, match=r"^data must"):
            examples(wrong)
    with pytest.raises(ValueError, match=r"^data "):
        load("imagenet")
    with pytest.raises(ValueError, match=r"^rows "):
        MNIST(split="50000/10000/10000", rows=50_001)
