"""The family of contrastive learners: each is what its algorithm in the paper says, on both of the kernels that
compute it.
"""

from functools import partial

import numpy as np
import pytest

from boltzcore.data import load
from boltzcore.data.examples import Examples
from boltzcore.kernels import ascent
from boltzcore.kernels import random as streams
from boltzcore.kernels.random import uniforms
from boltzcore.learners import CD, CSDCP, PCD, SDCP, SSD, CenteredGradient
from boltzcore.learners.batches import Minibatches
from boltzcore.learners.contrastive import algorithm
from boltzcore.models import RBM, RBMSetup
from tests.models import exact

FAMILY = [
    CD(K=3, rate=0.4, batch_size=7),
    PCD(K=2, rate=0.4, batch_size=7),
    CenteredGradient(K=2, rate=0.4, batch_size=7, nu_mu=0.2, nu_lambda=0.3),
    SDCP(d=3, K_prime=2, rate=0.4, batch_size=7),
    CSDCP(d=3, K_prime=2, rate=0.4, batch_size=7, nu_mu=0.2, nu_lambda=0.3),
    SSD(K=2, rate=0.1, batch_size=7),
]
IDS = [type(learner).__name__ for learner in FAMILY]


def sharp(gradient):
    U, s, V = np.linalg.svd(gradient, full_matrices=False)
    along = s > s[0] * np.finfo(np.float32).eps * max(gradient.shape)
    return s.sum() * U[:, along] @ V[along]


def plain(W, b, c, mu, lambda_):
    """The model with offsets as a plain RBM."""
    return RBM(W, b - W @ lambda_, c - mu @ W)


def plain_update(learner, rbm, data_terms, chain_terms, offsets):
    """One update as Algorithms 1, 3 and 4 write it, in their own centred parameters.

    data_terms(rbm) -> (v p', v, p) at the data; chain_terms(rbm) -> the same at the chains, gone on K steps under rbm.
    Without centring the offsets are zero and stay there: then Algorithm 4 is Algorithm 3.
    """
    mu, lambda_ = offsets
    nu_mu, nu_lambda = learner.slides
    W = rbm.W.astype(np.float64)
    b, c = rbm.b + W @ lambda_, rbm.c + mu @ W
    vp_data, mu_batch, lambda_batch = data_terms(rbm)
    for inner in range(learner.inner_steps):
        vp_model, v_model, p_model = chain_terms(plain(W, b, c, mu, lambda_))
        b = b + nu_lambda * W @ (lambda_batch - lambda_)
        c = c + nu_mu * (mu_batch - mu) @ W
        mu, lambda_ = (1 - nu_mu) * mu + nu_mu * mu_batch, (1 - nu_lambda) * lambda_ + nu_lambda * lambda_batch
        if inner == 0:
            of_data = centred(vp_data, mu_batch, lambda_batch, mu, lambda_)
        gradient = of_data - centred(vp_model, v_model, p_model, mu, lambda_)
        W = W + learner.rate * (sharp(gradient) if learner.spectral else gradient)
        b = b + learner.rate * (mu_batch - v_model)
        c = c + learner.rate * (lambda_batch - p_model)
    return plain(W, b, c, mu, lambda_), (mu, lambda_)


def centred(vp, v, p, mu, lambda_):
    """<(v - mu)(p - lambda)'> from <v p'>, <v> and <p>."""
    return vp - np.outer(mu, p) - np.outer(v, lambda_) + np.outer(mu, lambda_)


def offsets_of(state):
    if state.mu.size:
        return state.mu.astype(np.float64), state.lambda_.astype(np.float64)
    return np.zeros(state.model.n_visible), np.zeros(state.model.n_hidden)


@pytest.mark.parametrize("learner", FAMILY, ids=IDS)
def test_updates_are_the_algorithms_with_the_same_random_words(kernels, learner):
    rng, seed = np.random.default_rng(0), 9
    v = (rng.random((30, 6)) < rng.random(6)).astype(np.uint8)
    state = learner.start(exact.random_rbm(6, 4, 0.5), v, seed=seed)
    batches = Minibatches(v, learner.batch_size, seed)
    model, offsets, chains = state.model, offsets_of(state), state.chains.copy()
    if learner.centred:
        assert np.allclose(offsets[0], v.mean(axis=0))
        assert (offsets[1] == 0.5).all()
    for update in range(8):
        rows, order, sizes = batches.updates(update, 1)
        batch = rows[order[0, : sizes[0]]].astype(np.float64)
        chains = chains if learner.persistent else batch
        step = 0

        def chain_terms(model):
            nonlocal chains, step
            chains = gibbs(model, chains, learner.gibbs_steps, seed, update, step)  # noqa: B023
            step += learner.gibbs_steps
            return statistics(model, chains)

        data_terms = partial(statistics, v=batch)
        model, offsets = plain_update(learner, model, data_terms, chain_terms, offsets)
    got = learner.advance(state, v, updates=8)
    assert got.work == 8 * learner.inner_steps * learner.gibbs_steps
    assert np.array_equal(got.chains[: len(chains)], chains)
    for name in "Wbc":
        assert np.allclose(getattr(got.model, name), getattr(model, name), atol=1e-4), name
    for mine, theirs in zip(offsets_of(got), offsets, strict=True):
        assert np.allclose(mine, theirs, atol=1e-5)


def statistics(rbm, v):
    p = exact.sigmoid(v @ rbm.W.astype(np.float64) + rbm.c)
    return v.T @ p / len(v), v.mean(axis=0), p.mean(axis=0)


def gibbs(rbm, v, steps, seed, update, first):
    n_visible, n_hidden = rbm.W.shape
    out = np.array(v, np.float64)
    for row in range(len(v)):
        for k in range(first, first + steps):
            u = uniforms(seed, streams.GIBBS, update, row, n_visible + n_hidden, k * (n_visible + n_hidden))
            h = u[:n_hidden] < exact.sigmoid(out[row] @ rbm.W + rbm.c)
            out[row] = u[n_hidden:] < exact.sigmoid(rbm.W @ h + rbm.b)
    return out


@pytest.mark.parametrize("batch_size", [0, 40])
@pytest.mark.parametrize(
    ("dcp", "one_step"),
    [(SDCP(d=1, K_prime=5), CD(K=5)), (CSDCP(d=1, K_prime=5, nu_mu=0.03), CenteredGradient(K=5, nu_mu=0.03))],
    ids=["S-DCP", "CS-DCP"],
)
def test_with_one_inner_step_dc_programming_is_the_plain_learner_number_for_number(kernels, dcp, one_step, batch_size):
    rng = np.random.default_rng(0)
    v = (rng.random((130, 20)) < rng.random(20)).astype(np.uint8)
    rbm = exact.random_rbm(20, 9, 0.1)
    learners = [learner.changed(batch_size=batch_size) for learner in (dcp, one_step)]
    one, other = (learner.advance(learner.start(rbm, v, seed=4), v, updates=25) for learner in learners)
    assert (one.work, one.operations) == (other.work, other.operations)
    for name in "Wbc":
        assert np.array_equal(getattr(one.model, name), getattr(other.model, name))
    assert np.array_equal(one.chains, other.chains)


@pytest.mark.parametrize("learner", [*FAMILY, CD(K=2, chains_per_row=3)], ids=[*IDS, "CD of three chains"])
def test_both_kernels_give_the_same_numbers(learner, monkeypatch):
    learner = learner.changed(rate=0.05, batch_size=40)
    rng = np.random.default_rng(0)
    v = (rng.random((150, 50)) < rng.random(50)).astype(np.uint8)
    state = learner.start(exact.random_rbm(50, 17, 0.1), v, seed=2)
    updates = 1 if learner.spectral else 11  # in some updates its enlarged roundings change a draw
    small = learner.advance(state, v, updates=updates)
    monkeypatch.setattr(algorithm, "SMALL", 0)
    large = learner.advance(state, v, updates=updates)
    assert np.array_equal(small.chains, large.chains)
    for name in "Wbc":
        # small singular values enlarge roundings: a step along their vectors is as long as any other
        tolerance = 1e-4 if learner.spectral else 1e-5
        assert np.allclose(getattr(small.model, name), getattr(large.model, name), atol=tolerance)


@pytest.mark.parametrize("learner", FAMILY, ids=IDS)
@pytest.mark.parametrize("transitions", [1, 5, 12, 24, 26, 1000])
def test_fields_of_a_cost_have_that_cost(learner, transitions):
    assert learner.changed(**learner.budget_fields(transitions)).transitions == transitions


def test_dc_programming_leaves_the_plateau_of_shifting_bar_first():
    """Figure 1 of the paper at rate 0.3, after 5,000 epochs of equal cost; the base-rate model has -3.139, and nothing
    more than the entropy, -2.197.
    """
    v = load("shifting-bar").train.v
    common = {"rate": 0.3, "batch_size": 0}
    waiting = CD(K=12, **common), PCD(K=12, **common), CenteredGradient(K=12, **common)
    leaving = SDCP(d=3, K_prime=4, **common), CSDCP(d=3, K_prime=4, **common)
    # of 200 seeds the last to wait has -3.087, the last to leave -2.887
    for learners, low, high in ((waiting, -3.2, -2.99), (leaving, -2.99, -np.log(9))):
        for learner in learners:
            starts = (learner.start(RBMSetup(hidden=4).initial(Examples(v), seed=k), v, seed=k) for k in range(3))
            reached = [learner.advance(start, v, updates=5000).model.log_likelihood(v).mean() for start in starts]
            assert low < np.median(reached) < high, learner


def test_no_step_is_taken_where_the_gradient_is_nought():
    gradient = np.outer([1.0, 2.0, 3.0], [1.0, -1.0]).astype(np.float32)
    assert np.allclose(ascent.sharp(gradient), gradient, atol=1e-5)  # of rank 1: its only direction, at its own length
    assert not ascent.sharp(np.zeros((3, 2), np.float32)).any()


@pytest.mark.parametrize("size", [3e38, np.inf, np.nan])
def test_a_gradient_that_is_not_finite_ends_no_process(size):
    assert ascent.sharp(np.full((3, 2), size, np.float32)).shape == (3, 2)
    rng = np.random.default_rng(0)
    v = (rng.random((30, 60)) < 0.4).astype(np.uint8)
    steep = RBM(np.where(rng.random((60, 40)) < 0.5, 3e38, -3e38), np.zeros(60), np.zeros(40))
    learner = SSD(batch_size=10)
    with pytest.raises(ValueError, match="must be finite"):
        learner.advance(learner.start(steep, v, seed=0), v)
