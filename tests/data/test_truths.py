"""Data sets that are drawn from a known distribution."""

import numpy as np
import pytest

from boltzcore.data import Clusters, load
from boltzcore.data.bayes_net import BayesNet
from boltzcore.data.clusters import SHARES
from boltzcore.data.ising import Ising
from boltzcore.data.random_fvbm import RandomFVBM
from boltzcore.models import LogLinear
from boltzcore.quoting import Refusal
from tests.models.test_potts import states

SOURCES = [
    Clusters(D=3, rate=0.2, n=40_000),
    BayesNet(nodes=4, parents=2, levels=3, n=100_000, seed=3),
    RandomFVBM(d=4, n=100_000, seed=3),
    Ising(rows=3, columns=3, n=100_000),
]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_rows_follow_the_distribution_and_the_seed(source):
    data = source.load()
    n, d = data.train.v.shape
    p = np.exp(data.truth.log_likelihood(states((data.train.levels,) * d)))
    assert p.sum() == pytest.approx(1)
    codes = data.train.v @ data.train.levels ** np.arange(d)[::-1]
    share = np.bincount(codes, minlength=len(p)) / n
    assert (np.abs(share - p) < 6 * np.sqrt(p * (1 - p) / n) + 5 / n).all()
    assert (len(data.test), data.validation) == (n // 4, None)
    assert not np.array_equal(data.train.v, source.changed(seed=9).load().train.v)


@pytest.mark.parametrize(("rows", "columns", "coupling"), [(3, 4, 0.5), (4, 3, -0.7), (1, 5, 1.2), (1, 1, 1)])
def test_a_grid_is_the_log_linear_model_with_a_term_for_each_pair_of_neighbours(rows, columns, coupling):
    d, at = rows * columns, np.arange(rows * columns).reshape(rows, columns)
    pairs = [*zip(at[1:].flat, at[:-1].flat, strict=True), *zip(at[:, 1:].flat, at[:, :-1].flat, strict=True)]
    p = LogLinear([2] * d, {(1 << int(i)) | (1 << int(j)): coupling for i, j in pairs}).probabilities()
    x = np.arange(2**d)[:, None] >> np.arange(d) & 1
    truth = Ising(rows=rows, columns=columns, coupling=coupling).truth()
    np.testing.assert_allclose(truth.log_likelihood(x), np.log(p), atol=1e-12)


def test_the_columns_of_a_wide_grid_are_its_spins_row_by_row():
    data = load("ising", rows=2, columns=8, n=20_000, coupling=0.4)
    assert data.names.columns[7:9] == ("x1.8", "x2.1")
    assert data.names.categories == (("-1", "+1"),) * 16
    v = 2.0 * data.train.v - 1
    np.testing.assert_allclose(v.T @ v / len(v), data.truth.marginals()[1], atol=0.05)


@pytest.mark.parametrize(
    ("kind", "options"), [(Ising, {"rows": 6, "columns": 5}), (BayesNet, {"parents": 5, "levels": 8})]
)
def test_what_would_take_too_long_or_too_much_is_refused(kind, options):
    with pytest.raises(Refusal, match=f"^{next(iter(options))} must be at most"):
        kind(**options)


@pytest.mark.parametrize(("parents", "edges"), [(0, 0), (3, 54)])
def test_a_network_has_as_many_edges_as_in_the_paper_and_each_goes_forward(parents, edges):
    found = BayesNet(parents=parents, seed=5).truth().parents
    assert sum(len(set(each)) for each in found) == sum(map(len, found)) == edges
    assert all(parent < child for child, each in enumerate(found) for parent in each)


def test_a_network_multiplies_its_tables_which_are_uniform_on_the_distributions():
    truth = SOURCES[1].truth()
    for x in states((3,) * 4)[::7]:
        given = [sum(x[parent] * 3**k for k, parent in enumerate(parents)) for parents in truth.parents]
        p = np.prod([table[at, x[i]] for i, (at, table) in enumerate(zip(given, truth.tables, strict=True))])
        np.testing.assert_allclose(truth.log_likelihood(x[None]), np.log(p))
    tables = np.vstack([BayesNet(nodes=100, levels=3, seed=seed).truth().tables[-1] for seed in range(40)])
    np.testing.assert_allclose(tables.sum(axis=1), 1)
    # each p is Beta(1, 2): mean 1/3, variance 1/18
    assert tables.mean(axis=0) == pytest.approx(1 / 3, abs=5 * np.sqrt(1 / 18 / len(tables)))
    assert tables.var(axis=0) == pytest.approx(1 / 18, abs=0.015)


def test_the_parameters_of_a_random_machine_follow_the_papers_distribution():
    values = np.concatenate([RandomFVBM(d=25, seed=seed).truth().M[np.triu_indices(25, 1)] for seed in range(20)])
    assert values.mean() == pytest.approx(0, abs=6 * np.sqrt(0.5 / len(values)))
    assert values.var() == pytest.approx(0.5, abs=6 * 0.5 * np.sqrt(2 / len(values)))


def test_rows_are_of_the_clusters_by_their_shares():
    data = load("clusters", n=20_000)
    shares = data.truth.shares_of(data.train.v)
    assert shares == pytest.approx(np.array([*SHARES, 0]), abs=5 * np.sqrt(0.25 / 20_000))
    flipped = np.array([(data.train.v ^ pattern).sum(axis=1) for pattern in data.truth.patterns]).min(axis=0)
    assert flipped.mean() == pytest.approx(5, abs=0.1)
    assert data.shape == (10, 10)
