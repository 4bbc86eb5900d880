"""Annealed importance sampling against enumeration and against the same chains in plain numpy."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boltzcore import threads
from boltzcore.inference import Annealing, annealed_importance_sampling, annealing, reverse_annealed_importance_sampling
from boltzcore.kernels.random import ANNEALING, uniforms
from boltzcore.models import RBM
from tests.inference.test_equilibrium import drawn
from tests.models import exact


def log_base(rbm, base):
    return rbm.n_hidden * np.log(2) + np.logaddexp(0, base).sum()


def unnormalised(rbm, base, beta, v):
    """(n,) log p_beta(v) but for its constant, in float64."""
    field = v @ rbm.W.astype(np.float64) + rbm.c
    return v @ ((1 - beta) * base + beta * rbm.b) + np.logaddexp(0, beta * field).sum(axis=1)


def numpy_chains(rbm, base, betas, v, *, seed, step, chains):
    """(chains,) log weights of the very chains that the kernel runs; v None starts from the base."""
    n_visible, n_hidden, W = rbm.n_visible, rbm.n_hidden, rbm.W.astype(np.float64)
    words = n_visible + (len(betas) - 1) * (n_visible + n_hidden)
    u = np.array([uniforms(seed, ANNEALING, step, row, words) for row in range(chains)], np.float64)
    v = u[:, :n_visible] < exact.sigmoid(base) if v is None else v
    log_weights = np.full(chains, log_base(rbm, base) * (1 if betas[0] == 0 else -1))
    at = n_visible
    for before, beta in itertools.pairwise(betas):
        log_weights += unnormalised(rbm, base, beta, v) - unnormalised(rbm, base, before, v)
        h = u[:, at : at + n_hidden] < exact.sigmoid(beta * (v @ W + rbm.c))
        v = u[:, at + n_hidden : at + n_hidden + n_visible] < exact.sigmoid(
            beta * (h @ W.T + rbm.b) + (1 - beta) * base
        )
        at += n_hidden + n_visible
    return log_weights


SHAPES = [(5, 3), (1, 1), (33, 64), (40, 97), (20, 1100)]


@pytest.mark.parametrize(("n_visible", "n_hidden"), SHAPES)
def test_the_chains_are_those_of_plain_numpy(n_visible, n_hidden):
    rbm = exact.random_rbm(n_visible, n_hidden, 0.3, seed=n_hidden)
    base = np.random.default_rng(1).normal(size=n_visible).astype(np.float32)
    betas = np.array([0, 0.001, 0.1, 0.5, 0.51, 1])
    got = annealed_importance_sampling(rbm, chains=40, temperatures=betas, base=base, seed=3, step=5).log_weights
    assert np.allclose(got, numpy_chains(rbm, base, betas, None, seed=3, step=5, chains=40), rtol=1e-5, atol=1e-4)
    v = np.random.default_rng(2).integers(0, 2, (40, n_visible))
    got = reverse_annealed_importance_sampling(rbm, v, temperatures=betas, base=base, seed=3, step=5).log_weights
    assert np.allclose(got, numpy_chains(rbm, base, betas[::-1], v, seed=3, step=5, chains=40), rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("n_hidden", [31, 500])
def test_roundings_do_not_add_up_over_many_temperatures(n_hidden):
    c = np.random.default_rng(n_hidden).normal(0, 3, n_hidden)
    rbm = RBM(np.zeros((2, n_hidden)), np.zeros(2), c)  # without weights every chain has the exact weight
    found = annealed_importance_sampling(rbm, chains=2, temperatures=10_000)
    assert found.value == pytest.approx(rbm.log_partition(), abs=1e-4)


def close_to_one(weights):
    return abs(weights.mean() - 1) < 5 * weights.std(ddof=1) / np.sqrt(len(weights))


@pytest.mark.parametrize("betas", [2, 4, (0, 0.7, 0.8, 1)])
@pytest.mark.parametrize("base", [None, (0.5, -1.0, 0.0, 2.0)])
def test_mean_weights_are_unbiased_both_ways(betas, base):
    rbm, n = exact.random_rbm(4, 3, 0.8, seed=4), 40_000
    log_z = exact.log_partition(rbm)
    forward = annealed_importance_sampling(rbm, chains=n, temperatures=betas, base=base, seed=1)
    assert close_to_one(np.exp(forward.log_weights - log_z))
    back = reverse_annealed_importance_sampling(rbm, drawn(rbm, n, seed=0), temperatures=betas, base=base, seed=1)
    assert close_to_one(np.exp(back.log_weights + log_z))


def test_value_and_interval_are_those_of_the_log_weights():
    rbm, base = exact.random_rbm(6, 5, seed=1), np.full(6, 0.5)
    for found, side in (
        (annealed_importance_sampling(rbm, chains=50, temperatures=20, base=base), 1),
        (reverse_annealed_importance_sampling(rbm, drawn(rbm, 50, seed=0), temperatures=20, base=base), -1),
    ):
        w = np.exp(found.log_weights)
        error = 3 * w.std(ddof=1) / np.sqrt(50)
        ends = sorted(side * np.log(w.mean() + np.array([-error, 0, error])))
        assert [found.low, found.value, found.high] == pytest.approx(ends)
        assert found.effective_sample_size == pytest.approx(w.sum() ** 2 / (w**2).sum())


def test_an_interval_wider_than_its_mean_has_an_infinite_end():
    rbm = RBM(np.full((30, 30), 2.0), np.zeros(30), np.zeros(30))
    found = annealed_importance_sampling(rbm, chains=20, temperatures=2)
    assert (found.low, np.isfinite(found.value), np.isfinite(found.high)) == (-np.inf, True, True)
    found = reverse_annealed_importance_sampling(rbm, np.random.default_rng(0).integers(0, 2, (20, 30)), temperatures=2)
    assert (np.isfinite(found.low), np.isfinite(found.value), found.high) == (True, True, np.inf)


@pytest.mark.parametrize("scale", [1e-30, 3e3])
def test_weights_of_any_size_are_weighed_right(scale):
    """One step from base to model needs no luck: every log weight is the difference of two free energies."""
    rbm = exact.random_rbm(30, 200, scale, seed=5)
    v, base = np.random.default_rng(6).integers(0, 2, (40, 30)), np.random.default_rng(0).normal(0, scale, 30)
    found = reverse_annealed_importance_sampling(rbm, v, temperatures=2, base=base)
    wanted = unnormalised(rbm, base, 0, v) + rbm.free_energy(v) - log_base(rbm, base)
    assert np.allclose(found.log_weights, wanted, rtol=1e-5)
    for each in (found, annealed_importance_sampling(rbm, chains=20, temperatures=50, base=base)):
        assert np.isfinite(each.log_weights).all()
        assert np.isfinite(each.value)


@settings(max_examples=8)
@given(
    chains=st.integers(1, 130), temperatures=st.integers(2, 30), block=st.integers(1, 90), call=st.integers(1, 300_000)
)
def test_numbers_do_not_depend_on_how_the_work_is_cut_and_shared(chains, temperatures, block, call):
    rbm = exact.random_rbm(20, 35, 0.3)
    whole = annealed_importance_sampling(rbm, chains=130, temperatures=temperatures, seed=4)
    with pytest.MonkeyPatch.context() as patch, threads.use(2):
        patch.setattr(annealing, "BLOCK", block)
        patch.setattr(annealing, "COST_A_CALL", call)
        cut = annealed_importance_sampling(rbm, chains=chains, temperatures=temperatures, seed=4)
    assert np.array_equal(cut.log_weights, whole.log_weights[:chains])


def test_annealing_starts_at_the_base_rate():
    rbm, mean = exact.random_rbm(4, 3), np.array([0.0, 0.5, 0.2, 1.0])
    odds = np.log([1e-3 / 0.999, 1, 0.25, 0.999 / 1e-3])
    wanted = annealed_importance_sampling(rbm, chains=5, temperatures=7, base=odds, seed=1, step=2)
    found = Annealing(chains=5, temperatures=7).log_partition(rbm, mean, seed=1, step=2)
    assert np.allclose(found.log_weights, wanted.log_weights)


def test_parameters_that_sums_cannot_hold_are_refused():
    with pytest.raises(
        ValueError, match="The parameters of the model are too large for its likelihood to be estimated"
    ):
        annealed_importance_sampling(RBM(np.full((3, 2), 1e38), np.zeros(3), np.zeros(2)))
