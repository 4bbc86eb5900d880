"""Five clusters: rows of known shares, from a law that is known."""

import itertools

import numpy as np
import pytest

from boltzcore.data import Clusters, load
from boltzcore.data.clusters import SHARES


def test_rows_are_of_the_clusters_by_their_shares():
    data = load("clusters", n=20_000)
    nearest, flipped = data.truth.nearest(data.train.v)
    found = np.bincount(nearest, minlength=5) / 20_000
    assert found == pytest.approx(np.array(SHARES), abs=5 * np.sqrt(0.25 / 20_000))
    assert flipped.mean() == pytest.approx(5, abs=0.1)
    assert (len(data.test), data.shape) == (5_000, (10, 10))
    assert not np.array_equal(data.train.v, load("clusters", n=20_000, seed=1).train.v)


def test_the_law_sums_to_one_and_is_that_of_the_rows():
    source = Clusters(D=3, rate=0.2, n=40_000)
    states = np.array(list(itertools.product((0, 1), repeat=9)), np.uint8)
    p = np.exp(source.truth().log_probability(states))
    assert p.sum() == pytest.approx(1)
    found = np.bincount(source.load().train.v @ (2 ** np.arange(9)[::-1]), minlength=512)
    assert ((found - 40_000 * p) ** 2 / (40_000 * p)).sum() < 511 + 5 * np.sqrt(2 * 511)
