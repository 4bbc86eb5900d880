"""The equilibrium gap: near zero for chains drawn from their model, far below where they miss much of it."""

import math

import numpy as np
import pytest

from boltzcore.inference import Gap, equilibrium_gap, verdict_on
from boltzcore.inference.samples import exact_rows
from boltzcore.models import RBM
from boltzcore.models.rbm import base_rate_odds
from tests.models import exact

N = 12


def two_modes(balance=0.0):
    """Nearly all pixels on, or nearly all off, which Gibbs steps do not join; `balance`: log-odds of the former."""
    W = np.full((N, 4), 4.0)
    return RBM(W, np.full(N, -8.0 + balance / N), np.full(4, -24.0))


def drawn(model, n, seed):
    return exact.drawn(exact.visible_probabilities(model), n, np.random.default_rng(seed))


@pytest.mark.parametrize("model", [exact.random_rbm(N, 5, 0.5, seed=3), two_modes()], ids=["easy", "two modes"])
def test_chains_drawn_from_the_model_have_no_gap(model):
    gaps = [equilibrium_gap(model, drawn(model, 100, seed), temperatures=500, seed=seed) for seed in range(6)]
    assert sum(gap.low <= 0 <= gap.high for gap in gaps) >= 5
    assert all(gap.low < gap.value < gap.high < gap.low + 2 for gap in gaps)
    assert 0.3 < np.mean([gap.chi_square for gap in gaps]) < 3


def test_chains_that_miss_most_of_the_model_have_a_gap_and_other_means():
    model = two_modes(balance=-6.0)
    off, on = (drawn(two_modes(balance), 100, 0) for balance in (-30.0, 30.0))
    assert off.mean() < 0.1 < 0.9 < on.mean()
    share = exact.visible_probabilities(model)[exact.states(N).mean(axis=1) > 0.5].sum()
    gap = equilibrium_gap(model, on, temperatures=1000)
    assert np.log(share) - 0.5 < gap.value < gap.high < -3  # on the way back some find the other mode
    assert gap.chi_square > 20
    assert abs(equilibrium_gap(model, off, temperatures=1000).value) < 1  # these miss a four-hundredth of it


def test_hidden_units_that_never_move_tell_nothing():
    model = RBM(np.zeros((N, 3)), np.zeros(N), np.array([0.0, 900.0, -900.0]))
    gap = equilibrium_gap(model, np.eye(N), temperatures=10)
    assert gap.chi_square == 0
    assert gap.value == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize(
    ("gap", "word"),
    [
        (Gap(0.0, -0.1, 0.1, 1.0), "at equilibrium"),
        (Gap(-0.4, -0.6, -0.2, 1.0), "at equilibrium"),  # little is missed
        (Gap(-2.0, -2.5, -1.0, 1.0), "not at equilibrium"),
        (Gap(-0.8, -1.2, -0.4, 1.0), "not at equilibrium"),
        (Gap(-0.8, -1.2, 0.2, 1.0), "inconclusive"),  # maybe by chance
        (Gap(-1.5, -2.5, math.inf, 1.0), "inconclusive"),
        (Gap(-2.5, -3.5, math.inf, 1.0), "not at equilibrium"),  # so much is not by chance
        (Gap(0.0, -0.1, 0.1, 4.0), "inconclusive"),
        (Gap(0.0, -0.1, 0.1, 7.0), "not at equilibrium"),
        (Gap(0.0, -math.inf, math.inf, 1.0), "inconclusive"),
        (Gap(3.0, 2.5, 3.5, 1.0), "inconclusive"),  # chains are where annealing does not get
        (Gap(0.5, 0.1, 1.3, 24.0), "inconclusive"),  # and its means are no reference
    ],
)
def test_a_verdict_follows_from_both_signs_and_from_how_sure_they_are(gap, word):
    assert verdict_on(gap).word == word


def test_exact_draws_are_not_blamed_for_what_annealing_misses():
    """Random models with weights of SD 3 and biases that favour no state: annealing finds too little of them."""
    for seed in (100, 105, 111):
        W = np.random.default_rng(seed).normal(0, 3, (100, 10))
        model = RBM(W, -W.sum(axis=1) / 2, -W.sum(axis=0) / 2)
        v = exact_rows(model, 100, seed)
        gap = equilibrium_gap(model, v, temperatures=300, base=base_rate_odds(v.mean(axis=0)), seed=seed)
        assert gap.chi_square > 5
        assert verdict_on(gap).word == "inconclusive"
