"""Measures against listings of all states."""

import numpy as np
import pytest

from boltzcore.data.examples import Dataset, Examples
from boltzcore.inference import Annealing
from boltzcore.measures import (
    MeasureContext,
    base_rate_log_likelihood,
    free_energy_gap,
    hidden_activity,
    log_likelihood,
    reconstruction_error,
)
from boltzcore.measures.measure import rows_to_measure
from boltzcore.models import RBM
from tests.inference.test_samples import larger
from tests.models import exact


def dataset(seed=0, width=5):
    rng = np.random.default_rng(seed)
    splits = [Examples((rng.random((n, width)) < 0.4).astype(np.uint8)) for n in (30, 20, 10)]
    return Dataset(*splits)


def test_log_likelihood_is_the_enumerated_one():
    rbm, rows = exact.random_rbm(5, 3), dataset()
    log_p = np.log(exact.visible_probabilities(rbm))
    index = [16, 8, 4, 2, 1]
    got = log_likelihood(rbm, rows)
    assert got["train_log_likelihood"] == pytest.approx(log_p[rows.train.v @ index].mean())
    assert got["validation_log_likelihood"] == pytest.approx(log_p[rows.validation.v @ index].mean())
    assert got["test_log_likelihood"] == pytest.approx(log_p[rows.test.v @ index].mean())


@pytest.mark.parametrize("width", [5, 30])
def test_a_row_that_weighs_two_counts_as_two_rows(width):
    """Every measure honours the weights of rows."""
    rng = np.random.default_rng(0)
    v, weight = (rng.random((12, width)) < 0.4).astype(np.uint8), rng.integers(0, 3, 12) + (np.arange(12) == 0)
    weighted, copies = (Dataset(*[rows] * 3) for rows in (Examples(v, weight=weight), Examples(v.repeat(weight, 0))))
    rbm, context = exact.random_rbm(width, 26), MeasureContext(annealing=Annealing(chains=5, temperatures=5))
    for measure in (log_likelihood, free_energy_gap, reconstruction_error, hidden_activity):
        assert measure(rbm, weighted, context) == pytest.approx(measure(rbm, copies, context), rel=1e-5), measure.name
    assert base_rate_log_likelihood(weighted.train, weighted.test) == pytest.approx(
        base_rate_log_likelihood(copies.train, copies.test)
    )


def test_the_base_rate_of_codes_is_that_of_independent_columns():
    v = np.random.default_rng(0).integers(0, 3, (50, 4))
    rows = Examples(v, levels=3)
    wanted = sum(np.log((v == v[i]).mean(axis=0)).sum() for i in range(50)) / 50
    assert base_rate_log_likelihood(rows, rows, pseudocount=0) == pytest.approx(wanted)
    assert base_rate_log_likelihood(rows, rows) < 0
    once = rows.distinct()
    assert len(once) < 50
    assert once.total == 50
    assert base_rate_log_likelihood(once, once, pseudocount=0) == pytest.approx(wanted)


def test_out_of_enumerations_reach_the_log_likelihood_is_estimated():
    rows, few = dataset(width=30), exact.random_rbm(30, 4, 0.5)
    rbm, log_z = larger(few, 30, 26), few.log_partition() + 22 * np.log(2)
    got = log_likelihood(rbm, rows, MeasureContext(seed=1, annealing=Annealing(chains=200)))
    assert set(got) == {
        f"{split}_log_likelihood_ais{end}" for split in rows.splits for end in ("", "_low", "_high")
    } | {"ais_effective_sample_size"}
    for split in rows.splits:
        low, middle, high = (got[f"{split}_log_likelihood_ais{end}"] for end in ("_low", "", "_high"))
        wanted = -rbm.free_energy(getattr(rows, split).v).mean() - log_z
        assert low < wanted < high
        assert low < middle < high
        assert middle == pytest.approx(wanted, abs=0.1)
    assert 100 < got["ais_effective_sample_size"] <= 200


def test_free_energy_gap_is_the_difference_of_log_likelihoods():
    rbm, rows = exact.random_rbm(5, 3), dataset()
    wanted = rbm.log_likelihood(rows.train.v).mean() - rbm.log_likelihood(rows.validation.v).mean()
    assert free_energy_gap(rbm, rows)["free_energy_gap"] == pytest.approx(wanted)


def test_reconstruction_of_a_model_that_ignores_its_input():
    rows = dataset()
    rbm = RBM(np.zeros((5, 2)), np.zeros(5), np.zeros(2))
    assert reconstruction_error(rbm, rows)["reconstruction_error"] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("train", "test", "pseudocount", "wanted"),
    [
        (Examples([[1, 0], [1, 0], [1, 1]]), Examples([[1, 0]]), 1, np.log(4 / 5) + np.log(3 / 5)),
        (Examples([[1], [0]]), Examples(np.full((2, 1), 51), levels=256), 1, np.log(0.5)),  # its drawings' expectation
        (Examples([[1, 0], [1, 1]]), Examples([[1, 0], [1, 1]]), 0, np.log(0.5)),  # of a constant column nothing
    ],
    ids=["binary", "gray", "constant"],
)
def test_base_rate(train, test, pseudocount, wanted):
    assert base_rate_log_likelihood(train, test, pseudocount=pseudocount) == pytest.approx(wanted)


@pytest.mark.parametrize("rows", [np.repeat([[0], [1]], 6000, axis=0), np.tile([[0], [1]], (30_000, 1))])
def test_rows_to_measure_are_spread_over_all_rows(rows):
    """Neither the first of sorted rows nor each other of alternating ones."""
    rows = Examples(rows)
    assert rows_to_measure(Dataset(rows, None, rows), 0).train.v.mean() == pytest.approx(0.5, abs=0.03)


def test_rows_to_measure_are_the_same_at_every_call_and_drawn_once():
    rng = np.random.default_rng(0)
    gray = Examples(rng.integers(0, 256, (6000, 4), np.uint8), levels=256)
    one, two = (rows_to_measure(Dataset(gray, None, gray), 3) for _ in range(2))
    assert len(one.train) == 5000
    assert np.array_equal(one.train.v, two.train.v)
    assert set(np.unique(one.train.v)) <= {0, 1}
