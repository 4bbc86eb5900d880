"""Rows drawn from a model are as frequent as they are probable, also where Gibbs steps do not get from mode to mode."""

import math

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from boltzcore.estimators import RestrictedBoltzmann
from boltzcore.inference import annealed_importance_sampling, draw_samples
from boltzcore.inference.samples import conditional, marginals, most_likely
from boltzcore.models import FVBM, RBM, InfiniteRBM, Potts
from tests.inference.test_equilibrium import two_modes
from tests.models import exact
from tests.models.test_potts import potts, states

V = exact.states(8).astype(np.uint8)
FRACTIONAL = np.random.default_rng(0).normal(size=(4, 9))
COUPLED = np.triu(np.random.default_rng(1).normal(size=(8, 8)) / 2, 1)
SMALL = {
    "rbm": exact.random_rbm(8, 5, 1.5, seed=1),
    "wide rbm": exact.random_rbm(8, 11, 1.0, seed=1),
    "fractional": InfiniteRBM(FRACTIONAL, np.array([1.5, 0.3, 2, 1]), FRACTIONAL[0, :8]),
    "whole": InfiniteRBM(FRACTIONAL[:2], np.array([1.0, 2]), FRACTIONAL[0, :8]),
    "empty": InfiniteRBM(FRACTIONAL[:0], np.zeros(0), FRACTIONAL[0, :8]),
    "fvbm": FVBM(COUPLED + COUPLED.T, FRACTIONAL[0, :8]),
    "potts": potts([2] * 8, 1, 0.5),
    "log-linear": potts([2] * 8, 2, 0.5).law,
}


def larger(model: RBM, visible: int, hidden: int) -> RBM:
    """The same law of the first pixels, beside coin flips and hidden units without weights: too large to list."""
    pad = visible - model.n_visible, hidden - model.n_hidden
    return RBM(np.pad(model.W, ((0, pad[0]), (0, pad[1]))), np.pad(model.b, (0, pad[0])), np.pad(model.c, (0, pad[1])))


@pytest.mark.parametrize("name", SMALL)
def test_listed_states_are_as_frequent_as_they_are_probable(name):
    model, n = SMALL[name], 20_000
    found = draw_samples(model, n, seed=3)
    assert found.exact
    assert found.effective == n
    often = (np.bincount(found.v @ (1 << np.arange(8)), minlength=256) / n)[V @ (1 << np.arange(8))]
    p = np.exp(model.log_likelihood(V))
    assert (np.abs(often - p) < 6 * np.sqrt(p / n) + 3 / n).all()


@pytest.mark.parametrize("name", SMALL)
def test_marginals_given_some_pixels_are_those_of_all_states(name):
    known, values = np.array([1, 0, 1, 0, 0, 0, 1, 0], bool), np.array([1, 0, 0, 0, 0, 0, 1, 0], np.uint8)
    model = SMALL[name]
    p = np.exp(model.log_likelihood(V)) * (V[:, known] == values[known]).all(axis=1)
    found = [law[1] for law in marginals(conditional(model, values, known))]
    np.testing.assert_allclose(found, (p @ V / p.sum())[~known], atol=1e-6)


@pytest.mark.parametrize("balance", [-2.0, 1.0])
def test_a_model_too_large_to_list_is_annealed_into_all_of_its_modes(balance):
    model = two_modes(balance)
    share = np.exp(model.log_likelihood(exact.states(12)))[exact.states(12).mean(axis=1) > 0.5].sum()
    found = draw_samples(larger(model, 27, 26), 1_000, mean=np.full(27, 0.5), seed=0, tick=(fractions := []).append)
    assert np.diff(fractions).max() < 0.5  # although one attempt suffices
    assert not found.exact
    assert found.reliable
    on = (found.v[:, :12].mean(axis=1) > 0.5).mean()
    assert abs(on - share) < 4 * math.sqrt(share * (1 - share) / found.effective)
    found = np.array(marginals(larger(model, 27, 26), seed=1))
    assert (np.abs(found[:12, 1] - share) < 0.15).all()  # three standard errors


def test_a_magnet_too_large_to_list_is_annealed_into_both_of_its_modes():
    d, coupling, field = 28, 0.09, 0.02
    up, spin = np.arange(d + 1), 2 * np.arange(d + 1) - d
    log_p = np.array([math.log(math.comb(d, k)) for k in up]) + coupling * spin**2 / 2 + field * spin
    p = np.exp(log_p - log_p.max())
    share = p[up > d / 2].sum() / p.sum()
    found = draw_samples(FVBM(coupling * (1 - np.eye(d)), np.full(d, field)), 500)
    on = (found.v.sum(axis=1) > d / 2).mean() + 0.5 * (found.v.sum(axis=1) == d / 2).mean()
    assert found.reliable
    assert abs(on - share) < 4 * math.sqrt(share * (1 - share) / found.effective) + 0.02


def test_a_potts_model_too_large_to_list_is_annealed_to_its_law():
    small, levels = potts([4, 3, 2, 3], 9, 1.0), (4, 3, 2, 3)
    h, x = np.concatenate([small.h, np.random.default_rng(4).normal(size=60)]), states(levels)
    model = Potts(np.append(small.levels, [5] * 12), h, np.pad(small.J, (0, 60)))  # beside columns of their own law
    assert not model.enumerable
    p = np.exp(small.log_likelihood(x))
    mean = np.concatenate([np.full(size, 1 / size) for size in model.levels])
    found = draw_samples(model, 1_000, mean=mean, seed=2)
    assert found.reliable
    own = model.h[12:].reshape(12, 5)
    log_z = small.log_partition() + np.logaddexp.reduce(own, axis=1).sum()
    assert found.log_z.low < log_z < found.log_z.high
    often = np.bincount(np.ravel_multi_index(tuple(found.v[:, :4].T), levels), minlength=len(p)) / len(found.v)
    assert (np.abs(often - p) < 5 * np.sqrt(p / found.effective) + 5 / found.effective).all()
    laws = marginals(model, seed=1)
    for i, law in enumerate(laws[:4]):
        np.testing.assert_allclose(law, np.bincount(x[:, i], p), atol=0.15)  # three standard errors
    np.testing.assert_allclose(laws[4:], np.exp(own) / np.exp(own).sum(axis=1, keepdims=True), atol=0.03)
    np.testing.assert_array_equal(most_likely(model, seed=1), np.append(x[p.argmax()], own.argmax(axis=1)))


@pytest.mark.parametrize("shares", [False, True])
def test_annealing_of_a_potts_model_holds_log_z(shares):
    held, n = 0, 30
    for seed in range(n):
        model = potts([3, 2, 4, 3], seed, 0.8)
        base = np.log([law / law.sum() for law in np.random.default_rng(seed).random((1, 12))])[0] if shares else None
        found = annealed_importance_sampling(model, chains=50, temperatures=50, base=base, seed=seed)
        assert found.effective_sample_size > 5
        held += found.low < model.log_partition() < found.high
    assert held >= n - 1  # three standard errors


def test_samples_of_chains_that_do_not_mix_come_with_a_warning():
    machine = RestrictedBoltzmann(40, max_iter=0, random_state=0).fit(np.eye(40, dtype=np.uint8))
    machine.model_ = exact.random_rbm(40, 40, 200.0, seed=3)  # which no chain leaves where it has come to
    with pytest.warns(ConvergenceWarning):
        machine.sample(100, random_state=0)
