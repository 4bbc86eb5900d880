"""Learners of a conditional RBM: each climbs what it says it climbs, judged by listing states in float64."""

import dataclasses

import numpy as np
import pytest

from boltzcore.data import Corruption, Examples
from boltzcore.kernels import random as streams
from boltzcore.learners import (
    LSSVM,
    MSSVM,
    BeliefPropagationMLE,
    CDPercLoss,
    ConditionalCD,
    ConditionalLR,
    MeanFieldMLE,
)
from boltzcore.learners.conditional import inference_of
from boltzcore.reference.belief_propagation import belief_propagation, mean_field, pairwise_beliefs
from tests.models import exact

NAMES = ("W", "W_vx", "W_hx", "b_v", "b_h")
ALL = [BeliefPropagationMLE(), MeanFieldMLE(), ConditionalCD(K=3), CDPercLoss(K=4), ConditionalLR(), LSSVM(), MSSVM()]
IDS = [type(learner).__name__ for learner in ALL]
INFERRING = [learner for learner in ALL if type(learner) in (BeliefPropagationMLE, MeanFieldMLE, LSSVM, MSSVM)]

RATE = 0.5
ROUNDING = 1e-5  # of a gradient: float32 parameters near 1 keep 6e-8, divided by the rate; beliefs keep a few 1e-6


def random_crbm(n_visible=4, n_hidden=3, n_x=2, scale=0.7, seed=0):
    return exact.random_crbm(n_visible, n_hidden, n_x, scale, seed)


def pairs(n_visible=4, n_x=2, n=5, seed=1):
    rng = np.random.default_rng(seed)
    return Examples(rng.integers(0, 2, (n, n_visible)).astype(np.uint8), rng.normal(size=(n, n_x)))


CHAIN = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1]], bool)  # a tree
STARS = np.array([[1, 1, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]], bool)  # each hidden unit hears one visible unit


def update(learner, model, data):
    """The step of one update of all rows, over the rate: what it takes for the gradient."""
    learner = learner.changed(batch_size=0, rate=RATE)
    state = learner.start(model, data, seed=3)
    after = learner.advance(state, data).model
    return {name: (getattr(after, name).astype(np.float64) - getattr(state.model, name)) / RATE for name in NAMES}


def gradient(objective, model, data):
    """Central differences of the mean of objective(W, b, c, v) over the rows; b and c are the biases given x."""
    arrays = {name: getattr(model, name).astype(np.float64) for name in NAMES}
    x = data.x.astype(np.float32).astype(np.float64)

    def mean():
        W, W_vx, W_hx, b_v, b_h = (arrays[name] for name in NAMES)
        return np.mean([objective(W, W_vx @ row + b_v, W_hx @ row + b_h, v) for v, row in zip(data.v, x, strict=True)])

    found = {name: np.zeros_like(array) for name, array in arrays.items()}
    for name, array in arrays.items():
        for at in np.ndindex(array.shape):
            kept = array[at]
            for sign in (1, -1):
                array[at] = kept + sign * 1e-4
                found[name][at] += sign * mean() / 2e-4
            array[at] = kept
    return found


def listed(W, b, c):
    V, H = exact.states(len(b)), exact.states(len(c))
    return V @ W @ H.T + (V @ b)[:, None] + (H @ c)[None, :]


def of_data(W, b, c, v):
    """log sum_h e**-E at the data."""
    return v @ b + np.logaddexp(0, v @ W + c).sum()


def likelihood(W, b, c, v):
    return of_data(W, b, c, v) - np.logaddexp.reduce(listed(W, b, c).ravel())


def entropy(p):
    return -sum(np.sum(q * np.log(q)) for q in (p, 1 - p))


def with_bethe(W, b, c, v):
    *_, beliefs = belief_propagation(W, b, c, kind="sum", iterations=30, tolerance=0.0)
    tau_h, (tau_v, both) = beliefs.h, pairwise_beliefs(W, b, beliefs)
    joint = -sum(
        np.sum(q * np.log(q)) for q in (both, tau_v[:, None] - both, tau_h - both, 1 - tau_v[:, None] - tau_h + both)
    )
    log_z = (
        tau_v @ b + tau_h @ c + np.sum(W * both) + joint - (len(c) - 1) * entropy(tau_v) - (len(b) - 1) * entropy(tau_h)
    )
    return of_data(W, b, c, v) - log_z


def with_mean_field(W, b, c, v):
    *_, (m, h, *_) = mean_field(W, b, c, iterations=40, tolerance=0.0)
    return of_data(W, b, c, v) - (m @ W @ h + m @ b + h @ c + entropy(m) + entropy(h))


def loss(v):
    """Hamming loss of every state."""
    return np.abs(exact.states(len(v)) - v).sum(axis=1)


def best_of_both(W, b, c, v):
    return v @ b + np.maximum(v @ W + c, 0).sum() - (listed(W, b, c) + loss(v)[:, None]).max()


def best_visible(W, b, c, v):
    return of_data(W, b, c, v) - (np.logaddexp.reduce(listed(W, b, c), axis=1) + loss(v)).max()


def regression(W, b, c, v):
    return v @ b - np.logaddexp(0, b).sum()


@pytest.mark.parametrize(
    ("learner", "objective", "edges"),
    [
        (BeliefPropagationMLE(), with_bethe, CHAIN | STARS | True),
        (BeliefPropagationMLE(), likelihood, CHAIN),
        (MeanFieldMLE(), with_mean_field, CHAIN | True),
        (LSSVM(), best_of_both, CHAIN),
        (MSSVM(), best_visible, STARS),
        (ConditionalLR(), regression, STARS & False),
    ],
    ids=["BP is Bethe's", "BP on a tree", "mean field's bound", "LSSVM on a tree", "MSSVM on stars", "LR"],
)
def test_an_update_is_the_gradient_of_its_objective(learner, objective, edges):
    model, data = random_crbm(), pairs(seed=7)
    model = dataclasses.replace(model, W=model.W * edges)  # without weights elsewhere than at these edges
    if not isinstance(learner, ConditionalLR):
        learner = learner.changed(iterations=100, tolerance=0)
    got, wanted = update(learner, model, data), gradient(objective, model, data)
    if objective is likelihood:  # beliefs of pairs without an edge between them take both for independent
        got["W"], wanted["W"] = got["W"] * edges, wanted["W"] * edges
    for name in NAMES:
        assert np.abs(wanted[name]).max() > 1e-3 or (
            isinstance(learner, ConditionalLR) and name in ("W", "W_hx", "b_h")
        )
        assert np.allclose(got[name], wanted[name], atol=ROUNDING), name


def test_the_last_batch_of_an_epoch_is_a_mean_of_its_own_rows():
    model, data = random_crbm(), pairs(n=5)
    learner = ConditionalLR(batch_size=3, rate=RATE)
    state = learner.start(model, data, seed=4)
    order = streams.generator(4, streams.SHUFFLE, 0).permutation(5)
    first = learner.advance(state, data)
    second = learner.advance(first, data)
    rows = Examples(data.v[order[3:]], data.x[order[3:]])
    wanted = gradient(regression, first.model, rows)["b_v"]
    assert np.allclose((second.model.b_v - first.model.b_v) / RATE, wanted, atol=ROUNDING)


@pytest.mark.parametrize("learner", INFERRING, ids=[type(learner).__name__ for learner in INFERRING])
def test_iterations_grow_with_the_epoch(learner):
    learner = learner.changed(iterations=7, tolerance=0, batch_size=3)
    state = learner.start(random_crbm(), pairs(n=5), seed=0)
    data, works = pairs(n=5), []
    for _ in range(6):
        state = learner.advance(state, data)
        works.append(state.work)
    assert np.diff([0, *works]).tolist() == [8, 8, 9, 9, 10, 10]  # two batches in each epoch, 7 + epoch
    assert [inference_of(learner, epoch).iterations for epoch in (1.5, 5000)] == [9, 1000]


@pytest.mark.parametrize("learner", ALL[:2], ids=IDS[:2])
def test_the_share_of_converged_instances_is_that_of_the_epoch_so_far(learner):
    learner = learner.changed(batch_size=11, iterations=1, tolerance=3e-2)
    data, converged = pairs(10, 4, 30, seed=2), []
    start = state = learner.start(random_crbm(10, 8, 4, 0.7, seed=2), data, seed=5)
    batches = learner.checked_batches(state, data)
    for count in range(7):
        inference = inference_of(learner, count // 3 + 0.5)
        converged.append(inference.infer(state.model, batches.pairs(count)[1]).converged)
        state = learner.advance(state, data)
        assert state.figures["converged"] == pytest.approx(np.concatenate(converged[count // 3 * 3 :]).mean()), count
    assert 0 < np.concatenate(converged).mean() < 1
    assert learner.advance(start, data, updates=7).figures == state.figures


@pytest.mark.parametrize("learner", ALL, ids=IDS)
def test_data_that_do_not_fit_are_refused(learner):
    model, data = random_crbm(), pairs()
    state = learner.start(model, data, seed=0)
    for wrong in (
        data.v,
        Examples(data.v),
        Examples(data.v, data.x[:, :1]),
        Examples(data.v).corrupted(Corruption(), (2, 2)),
    ):
        for take in (lambda data: learner.start(model, data, seed=0), lambda data: learner.advance(state, data)):
            with pytest.raises(ValueError, match=r"x must be|The model takes"):
                take(wrong)
