"""Rows of a machine that is drawn itself."""

import numpy as np
import pytest

from boltzcore.data import load
from boltzcore.data.random_fvbm import RandomFVBM


def test_its_rows_are_drawn_from_its_truth():
    source = RandomFVBM(d=4, n=100_000, seed=3)
    dataset, model = source.load(), source.truth()
    share = np.bincount(dataset.train.v @ (1 << np.arange(4)), minlength=16) / 100_000
    p = model.probabilities()
    assert (np.abs(share - p) < 6 * np.sqrt(p * (1 - p) / 100_000)).all()
    assert len(dataset.test) == 25_000
    assert dataset.validation is None
    assert dataset.shape is None
    assert dataset.names.columns == ("x1", "x2", "x3", "x4")
    assert np.allclose(dataset.truth.log_probability(dataset.test.v), model.log_likelihood(dataset.test.v))
    assert dataset.truth.sample(7, 1).shape == (7, 4)


def test_its_parameters_follow_the_papers_law_and_its_seed():
    values = np.concatenate([RandomFVBM(d=25, seed=seed).truth().M[np.triu_indices(25, 1)] for seed in range(20)])
    assert values.mean() == pytest.approx(0, abs=6 * np.sqrt(0.5 / len(values)))
    assert values.var() == pytest.approx(0.5, abs=6 * 0.5 * np.sqrt(2 / len(values)))
    one, other = (load("random-fvbm", n=50, seed=seed).train.v for seed in (1, 2))
    assert not np.array_equal(one, other)
