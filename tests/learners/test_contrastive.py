"""CD and PCD: the expected update is the enumerated one, on both of the kernels that compute it."""

import dataclasses

import numpy as np
import pytest

from boltzcore.data.examples import Examples
from boltzcore.learners import CD, CSDCP, PCD, SDCP, SSD, CenteredGradient
from boltzcore.models import RBM
from boltzcore.ticks import Stopped
from tests.models import exact

ROWS = 40_000


def update(learner, state, data):
    """(dW, db, dc) of one update at rate 1."""
    before, after = state.model, learner.advance(state, data).model
    return [getattr(after, name).astype(np.float64) - getattr(before, name) for name in "Wbc"]


def sample(p, n, rng):
    return exact.states(int(np.log2(len(p))))[rng.choice(len(p), n, p=p)].astype(np.uint8)


def assert_close(got, wanted):
    for g, w in zip(got, wanted, strict=True):
        assert np.abs(g - w).max() < 5 * 0.5 / np.sqrt(ROWS)  # each entry is a mean of ROWS values within [0, 1]


@pytest.mark.parametrize("K", [1, 4])
def test_expected_update_is_the_data_term_minus_the_term_of_the_kernel(kernels, K):
    rbm, rng = exact.random_rbm(4, 3, 1.5, seed=3), np.random.default_rng(0)
    v = sample(rng.dirichlet(np.ones(16)), ROWS, rng)
    data = Examples(v)
    p = np.bincount(v @ [8, 4, 2, 1], minlength=16) / ROWS
    after = p @ np.linalg.matrix_power(exact.gibbs_kernel(rbm), K)
    wanted = [a - b for a, b in zip(exact.statistics(rbm, p), exact.statistics(rbm, after), strict=True)]
    learner = CD(rate=1.0, K=K, batch_size=0)
    assert_close(update(learner, learner.start(rbm, data, seed=11), data), wanted)


def test_chains_that_start_from_the_model_give_the_exact_gradient(kernels):
    rbm, rng = exact.random_rbm(4, 3, 1.5, seed=4), np.random.default_rng(1)
    v = sample(rng.dirichlet(np.ones(16)), ROWS, rng)
    data, model_p = Examples(v), exact.visible_probabilities(rbm)
    learner = PCD(rate=1.0, K=1, batch_size=0)
    state = dataclasses.replace(learner.start(rbm, data, seed=5), chains=sample(model_p, ROWS, rng))
    got = update(learner, state, data)
    p = np.bincount(v @ [8, 4, 2, 1], minlength=16) / ROWS
    wanted = [a - b for a, b in zip(exact.statistics(rbm, p), exact.statistics(rbm, model_p), strict=True)]
    assert_close(got, wanted)


def test_the_last_batch_of_an_epoch_is_what_is_left(kernels):
    data = Examples(np.ones((5, 3), np.uint8))
    learner = CD(rate=1.0, batch_size=4)
    assert learner.epoch_length(data) == 2
    state = learner.start(RBM(np.zeros((3, 2)), np.zeros(3), np.zeros(2)), data, seed=0)
    seen = []
    for _ in range(2):
        before = state.model.b
        state = learner.advance(state, data)
        seen.append(state.model.b - before)
    assert (seen[0] * 4 == np.round(seen[0] * 4)).all()  # means over four rows
    assert (seen[1] == np.round(seen[1])).all()  # over one


def test_likelihood_of_bars_and_stripes_rises_far_above_the_base_rate():
    from boltzcore.data import load

    data = load("bars-and-stripes").train
    for learner in (CD(rate=0.3, K=12, batch_size=0), PCD(rate=0.1, K=12, batch_size=0)):
        rng = np.random.default_rng(0)
        model = RBM(rng.normal(0, 0.01, (9, 4)), np.zeros(9), np.zeros(4))
        after = learner.advance(learner.start(model, data, seed=0), data, updates=5000).model
        # 200 seeds end between -4.7 and -3.5; no model of independent units has more than -9 log 2 = -6.2
        assert after.log_likelihood(data.v).mean() > -5.2 > -6.1 > model.log_likelihood(data.v).mean()


def test_batches_larger_than_the_data_are_refused():
    data = Examples(np.zeros((5, 3), np.uint8))
    with pytest.raises(ValueError, match=r"batch_size must be a whole number from 0 \(all rows\) to 5"):
        CD(batch_size=6).start(exact.random_rbm(3, 2), data, seed=0)


def test_a_model_of_another_width_is_refused():
    with pytest.raises(ValueError, match="4 visible units, but the rows of the data have 3"):
        CD(batch_size=1).start(exact.random_rbm(4, 2), Examples(np.zeros((5, 3), np.uint8)), seed=0)


def test_a_plain_array_of_rows_is_taken_as_examples_are():
    rows = (np.random.default_rng(0).random((30, 5)) < 0.4).astype(np.float32)
    learner, rbm = CD(batch_size=4), exact.random_rbm(5, 3)
    plain = learner.advance(learner.start(rbm, rows, seed=1), rows, updates=9)
    kept = Examples(rows.astype(np.uint8))
    wanted = learner.advance(learner.start(rbm, kept, seed=1), kept, updates=9)
    assert np.array_equal(plain.model.W, wanted.model.W)
    assert learner.epoch_length(rows) == 8
    with pytest.raises(ValueError, match="data must hold only 0 and 1"):
        learner.start(rbm, rows + 0.5, seed=1)


def test_a_state_of_other_data_or_another_batch_size_is_refused():
    rng = np.random.default_rng(0)
    rows = (rng.random((60, 6)) < 0.4).astype(np.uint8)
    state = CD(batch_size=5).start(exact.random_rbm(6, 4), rows, seed=0)
    for learner, data in ((CD(batch_size=50), rows), (CD(batch_size=5), rows[:, :5]), (CD(batch_size=0), rows)):
        with pytest.raises(ValueError, match="This State goes on with 5 chains of 6 visible units"):
            learner.advance(state, data)
    with pytest.raises(ValueError, match=r"updates must be a whole number from 0 to [0-9,]+, not -1"):
        CD(batch_size=5).advance(state, rows, updates=-1)


def test_the_default_batch_is_all_of_a_small_data_set():
    rows = np.eye(9, dtype=np.uint8)
    assert CD().epoch_length(rows) == 1
    state = CD().start(exact.random_rbm(9, 4), rows, seed=0)
    assert len(CD().advance(state, rows).chains) == 9


def test_examples_that_are_not_binary_are_refused():
    for v in (np.full((4, 3), 7, np.uint8), np.full((4, 3), np.nan)):
        with pytest.raises(ValueError, match="data must hold only 0 and 1"):
            CD(batch_size=2).start(exact.random_rbm(3, 2), Examples(v), seed=0)


def test_weighted_rows_are_refused():
    with pytest.raises(ValueError, match="weight must be None"):
        CD(batch_size=1).start(exact.random_rbm(3, 2), Examples(np.zeros((5, 3), np.uint8), weight=np.ones(5)), seed=0)


def test_gray_rows_are_drawn_anew_each_epoch():
    data = Examples(np.full((40, 6), 128, np.uint8), levels=256)
    learner = CD(rate=1.0, batch_size=0)
    state = learner.start(RBM(np.zeros((6, 2)), np.zeros(6), np.zeros(2)), data, seed=0)
    steps = []
    for _ in range(3):
        after = learner.advance(state, data)
        steps.append(after.model.b - state.model.b)
        state = after
    assert len({step.tobytes() for step in steps}) == 3


def test_a_long_update_of_a_large_model_can_be_stopped_within_its_chain():
    rng = np.random.default_rng(0)
    data = Examples((rng.random((200, 784)) < 0.13).astype(np.uint8))
    learner = CD(K=500, batch_size=200)
    state = learner.start(exact.random_rbm(784, 500, 0.01), data, seed=0)
    asked = []

    def stop(fraction):
        asked.append(fraction)
        if len(asked) == 3:
            raise Stopped

    with pytest.raises(Stopped):
        learner.advance(state, data, tick=stop)
    assert asked[2] < 0.5


LEARNERS = (
    CD(1.0, 4, K=2, chains_per_row=3),
    PCD(1.0, 4, K=2, chains_per_row=3),
    CenteredGradient(1.0, 4, K=2, chains_per_row=3),
    SDCP(1.0, 4, d=2, K_prime=1, chains_per_row=3),
    CSDCP(1.0, 4, d=2, K_prime=1, chains_per_row=3),
    SSD(1.0, 4, K=2, chains_per_row=3),
)


@pytest.mark.parametrize("learner", [CD(1.0, 0, K=2), PCD(1.0, 0, K=2)], ids=lambda each: each.family)
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


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: type(each).__name__)
def test_chains_for_each_row_go_on_however_the_training_is_cut(kernels, learner):
    rows, rbm = (np.random.default_rng(0).random((10, 5)) < 0.4).astype(np.uint8), exact.random_rbm(5, 3)
    whole = learner.advance(learner.start(rbm, rows, seed=1), rows, updates=7)
    state = learner.start(rbm, rows, seed=1)
    for updates in (1, 4, 2):
        state = learner.advance(state, rows, updates=updates)
    assert np.array_equal(state.model.W, whole.model.W)
    assert state.chains.shape == (12, 5)
    assert np.array_equal(state.chains, whole.chains)
    one = learner.changed(chains_per_row=1)
    less = one.advance(one.start(rbm, rows, seed=1), rows, updates=7)
    assert whole.work == 3 * less.work
    assert less.operations < whole.operations < 3 * less.operations
    with pytest.raises(ValueError, match=r"goes on with 12 chains .* chains_per_row given ask for 4"):
        one.advance(whole, rows)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: type(each).__name__)
def test_a_walkthrough_follows_the_first_chain_of_its_row(kernels, learner):
    rows, rbm = (np.random.default_rng(0).random((10, 5)) < 0.4).astype(np.uint8), exact.random_rbm(5, 3)
    state = learner.advance(learner.start(rbm, rows, seed=1), rows)
    trace = learner.trace_update(state, rows, row=2)
    after = learner.advance(state, rows)
    chain = 2 if learner.persistent else 6
    ends = [phase.arrays["v"] for phase in trace.phases if phase.kind == "end"]
    assert np.array_equal(ends[-1], after.chains[chain])
    assert np.array_equal(trace.after.model.W, after.model.W)
    seen = learner.observe(after, rows)
    if not learner.persistent:
        assert np.array_equal(seen["reconstructions"], after.chains[::3])
        starts = [phase.arrays["v"] for phase in trace.phases if phase.kind in ("data", "start")]
        assert np.array_equal(starts[0], seen["batch"][2])
        assert np.array_equal(starts[1], seen["batch"][2])


def test_more_chains_than_the_largest_batch_has_rows_are_refused():
    rows = np.zeros((200, 3), np.uint8)
    with pytest.raises(ValueError, match="chains_per_row must be at most 500 with batches of 200 rows, not 501"):
        CD(batch_size=0, chains_per_row=501).start(exact.random_rbm(3, 2), rows, seed=0)
