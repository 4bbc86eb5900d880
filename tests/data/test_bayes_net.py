"""Rows of a Bayesian network that is drawn itself."""

import itertools

import numpy as np
import pytest

from boltzcore.data import load
from boltzcore.data.bayes_net import BayesNet
from boltzcore.parameters import Refusal


@pytest.mark.parametrize(("parents", "edges"), [(0, 0), (3, 54)])
def test_it_has_as_many_edges_as_in_the_paper_and_each_goes_forward(parents, edges):
    with pytest.raises(Refusal, match="parents"):
        BayesNet(levels=8, parents=5)  # tables that are too large
    found = BayesNet(parents=parents, seed=5).truth().edges
    assert len(set(found)) == len(found) == edges
    assert all(parent < child for parent, child in found)


def test_its_rows_are_drawn_from_its_truth():
    values = 3
    source = BayesNet(nodes=4, parents=2, levels=values, n=100_000, seed=3)
    data, truth = source.load(), source.truth()
    states = np.array(list(itertools.product(range(values), repeat=4)))
    p = np.array(
        [
            np.prod(
                [
                    table[sum(x[parent] * values**k for k, parent in enumerate(parents)), x[i]]
                    for i, (parents, table) in enumerate(zip(truth.parents, truth.tables, strict=True))
                ]
            )
            for x in states
        ]
    )
    assert p.sum() == pytest.approx(1)
    np.testing.assert_allclose(data.truth.log_probability(states), np.log(p))
    share = np.array([(data.train.v == x).all(axis=1).mean() for x in states])
    assert (np.abs(share - p) < 6 * np.sqrt(p * (1 - p) / 100_000)).all()
    assert data.train.levels == values
    assert (len(data.test), data.validation, data.shape) == (25_000, None, None)
    assert data.names.categories[0] == tuple(map(str, range(values)))
    assert data.truth.sample(7, 1).shape == (7, 4)


def test_its_tables_are_uniform_on_the_distributions_and_follow_from_its_seed():
    tables = np.vstack([BayesNet(nodes=100, levels=3, seed=seed).truth().tables[-1] for seed in range(40)])
    assert tables.min() >= 0
    np.testing.assert_allclose(tables.sum(axis=1), 1)
    n = len(tables)  # each p is Beta(1, 2): mean 1/3, variance 1/18
    assert tables.mean(axis=0) == pytest.approx(1 / 3, abs=5 * np.sqrt(1 / 18 / n))
    assert tables.var(axis=0) == pytest.approx(1 / 18, abs=0.015)
    assert not np.array_equal(load("bayes-net", seed=1).train.v, load("bayes-net", seed=2).train.v)
