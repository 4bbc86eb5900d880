"""CD and PCD: the expected update is the enumerated one, on both of the kernels that compute it."""

import dataclasses

import numpy as np
import pytest

from boltzcore.data.examples import Examples
from boltzcore.learners import CD, PCD
from tests.models import exact

ROWS = 40_000


def update(learner, state, data):
    """(dW, db, dc) of one update at rate 1."""
    before, after = state.model, learner.advance(state, data).model
    return [getattr(after, name).astype(np.float64) - getattr(before, name) for name in "Wbc"]


def test_chains_that_start_from_the_model_give_the_exact_gradient(kernels):
    rbm, rng = exact.random_rbm(4, 3, 1.5, seed=4), np.random.default_rng(1)
    v = exact.drawn(rng.dirichlet(np.ones(16)), ROWS, rng)
    data, model_p = Examples(v), exact.visible_probabilities(rbm)
    learner = PCD(rate=1.0, K=1, batch_size=0)
    state = dataclasses.replace(learner.start(rbm, data, seed=5), chains=exact.drawn(model_p, ROWS, rng))
    p = np.bincount(v @ [8, 4, 2, 1], minlength=16) / ROWS
    both = exact.statistics(rbm, p), exact.statistics(rbm, model_p)
    for got, of_data, of_model in zip(update(learner, state, data), *both, strict=True):
        # Each entry is a mean of ROWS values within [0, 1].
        assert np.abs(got - (of_data - of_model)).max() < 5 * 0.5 / np.sqrt(ROWS)


def test_what_does_not_fit_is_refused():
    rng = np.random.default_rng(0)
    rows = (rng.random((60, 6)) < 0.4).astype(np.uint8)
    state = CD(batch_size=5).start(exact.random_rbm(6, 4), rows, seed=0)
    for learner, data in ((CD(batch_size=50), rows), (CD(batch_size=5), rows[:, :5]), (CD(batch_size=0), rows)):
        with pytest.raises(ValueError, match=r"shape \(5, 6\)|The model has 6"):
            learner.advance(state, data)


@pytest.mark.parametrize("learner", [CD(1.0, 0, K=2), PCD(1.0, 0, K=2)], ids=str)
def test_more_chains_for_each_row_leave_the_expected_update_and_divide_its_variance(kernels, learner):
    rbm, v = exact.random_rbm(4, 3, 1.5, seed=3), exact.states(4)[[0, 3, 5, 6, 11]].astype(np.uint8)
    p = np.bincount(v @ [8, 4, 2, 1], minlength=16) / len(v)
    after = p @ np.linalg.matrix_power(exact.gibbs_kernel(rbm), 2)
    wanted = [a - b for a, b in zip(exact.statistics(rbm, p), exact.statistics(rbm, after), strict=True)]
    variances, seeds = {}, 400
    for k in (1, 8):
        several = learner.changed(chains_per_row=k)
        got = [update(several, several.start(rbm, v, seed=seed), v) for seed in range(seeds)]
        for each, expected in zip(zip(*got, strict=True), wanted, strict=True):
            error = np.std(each, axis=0) / np.sqrt(seeds)
            assert (np.abs(np.mean(each, axis=0) - expected) < 5 * error + 1e-6).all()
        variances[k] = sum(np.var(each, axis=0).sum() for each in zip(*got, strict=True))
    assert 6.5 < variances[1] / variances[8] < 9.5
