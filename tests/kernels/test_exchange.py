"""Exchanges leave both laws as they are, by exact enumeration; a swap the wrong way round is noticed."""

import numpy as np
import pytest

from boltzcore.inference.gibbs import machine_of
from boltzcore.kernels import bennett, exchange, rows, tempered
from boltzcore.kernels.random import EXCHANGE, GIBBS, PAIR, Stream
from boltzcore.learners.tempering.exchanges import Exchanges, Populations, Rung, free_energies
from boltzcore.models import RBM
from tests.models import exact

N, CHAINS, FAMILIES = 4, 40_000, 10
P, Q = exact.random_rbm(N, 3, 1.0, seed=1), exact.random_rbm(N, 3, 1.0, seed=2)
LADDER = np.array([0, 0.4, 1], np.float32)
BASE = np.array([0.5, -1.0, 0.0, 1.0], np.float32)
USUAL = 45  # of chi-square with 15 degrees of freedom: exceeded once in 10,000


def chi_square(v, p):
    found, wanted = np.bincount(v @ [8, 4, 2, 1], minlength=2**N), len(v) * p
    return ((found - wanted) ** 2 / wanted).sum()


def stream(purpose):
    return Stream(np.uint64(3), purpose, 5, 0)


@pytest.mark.parametrize("right", [True, False])
def test_exchanges_leave_both_laws_as_they_are_unless_they_are_the_wrong_way_round(right):
    rng = np.random.default_rng(0)
    chains = exact.drawn(exact.visible_probabilities(P), CHAINS, rng)
    reservoir = exact.drawn(exact.visible_probabilities(Q), 2 * CHAINS, rng)
    p, q = (P, Q) if right else (Q, P)
    here, there = machine_of(p), machine_of(q)
    energies = free_energies(there, reservoir)
    at = Populations(chains, free_energies(here, chains), reservoir, energies)
    exchanges = Exchanges(at, Rung(q, reservoir.copy(), energies.copy(), 0.0, np.zeros(FAMILIES)), seed=3)
    exchanges.propose(here)
    assert 0.2 < exchanges.run_sweep(here, 0).mean() < 0.95
    np.testing.assert_array_equal(at.energies, free_energies(here, at.chains))
    np.testing.assert_array_equal(at.reservoir_energies, free_energies(there, at.reservoir))
    for v, model in ((at.chains, P), (at.reservoir, Q)):
        off = chi_square(v, exact.visible_probabilities(model))
        assert (off < USUAL) if right else (off > 10 * USUAL)


def on_rungs(rng):
    tempered = [RBM(beta * P.W, BASE + beta * (P.b - BASE), beta * P.c) for beta in LADDER]
    laws = [exact.visible_probabilities(rbm) for rbm in tempered]
    v = np.concatenate([exact.drawn(p, CHAINS, rng) for p in laws])
    machine, fields = machine_of(P), rows.blank(len(v), 3)
    rows.hidden_fields(machine.W, machine.c, v, fields)
    return laws, v, machine, fields


@pytest.mark.parametrize("right", [True, False])
def test_swaps_leave_the_law_of_each_rung_as_it_is_unless_they_are_the_wrong_way_round(right):
    laws, v, machine, fields = on_rungs(np.random.default_rng(1))
    accepted = np.empty((len(LADDER) - 1, CHAINS), np.uint8)
    ladder = LADDER if right else -LADDER
    tempered.swap(P.b, BASE, ladder, 3, v, fields, stream(EXCHANGE), 0, 0, CHAINS, accepted)
    assert (accepted.mean(axis=1) > 0.2).all()
    assert (accepted.mean(axis=1) < 0.95).all()
    worst = max(chi_square(part, p) for part, p in zip(np.split(v, len(LADDER)), laws, strict=True))
    assert (worst < USUAL) if right else (worst > 10 * USUAL)
    kept = rows.blank(len(v), 3)
    rows.hidden_fields(machine.W, machine.c, v, kept)
    np.testing.assert_array_equal(kept, fields)


def test_gibbs_steps_leave_the_law_of_each_rung_as_it_is():
    laws, v, machine, fields = on_rungs(np.random.default_rng(2))
    before = v.copy()
    rows.transpose(machine.W, 3, machine.WT)
    rows.gibbs(machine, v, fields, stream(GIBBS), 0, 2, (np.repeat(LADDER, CHAINS), BASE))
    assert (v != before).any(axis=1).mean() > 0.5
    for part, p in zip(np.split(v, len(LADDER)), laws, strict=True):
        assert chi_square(part, p) < USUAL


def test_partners_are_all_different_and_of_the_family():
    n_chains, rounds, found = 23, 4, []
    for at in range(200):
        partners = np.full(n_chains, -1, np.int64)
        exchange.pair(n_chains, n_chains * rounds, FAMILIES, stream(PAIR), at * n_chains, partners)
        assert len(set(partners.tolist())) == n_chains
        np.testing.assert_array_equal(partners % n_chains % FAMILIES, np.arange(n_chains) % FAMILIES)
        found.append(partners)
    seen = np.bincount(np.concatenate(found), minlength=n_chains * rounds)
    assert (abs(seen - 50) < 5 * np.sqrt(50)).all()  # each sample is a partner one time in four


def ratio(forward, backward, weights, chains=100):
    value, effective, influence = bennett.ratio(forward, backward, weights, chains, FAMILIES)
    assert 0 < effective <= (len(forward) + 1 / (weights**2).sum()) * 1.001
    return value, np.sqrt(FAMILIES / (FAMILIES - 1) * (influence**2).sum())


@pytest.mark.parametrize("weighted", [False, True])
def test_bennetts_ratio_is_right_and_knows_its_error(weighted):
    """`weighted`: samples of another law than Q, weighted to it."""
    truth = exact.log_partition(Q) - exact.log_partition(P)
    other = exact.random_rbm(N, 3, 1.0, seed=2)
    other = RBM(other.W * 0.9, other.b + 0.1, other.c) if weighted else other
    far = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        here, there = (exact.drawn(exact.visible_probabilities(model), 300, rng) for model in (P, other))
        weights = np.exp(other.free_energy(there) - Q.free_energy(there))
        forward, backward = (sign * (Q.free_energy(v) - P.free_energy(v)) for sign, v in ((1, here), (-1, there)))
        value, error = ratio(forward, backward, weights / weights.sum())
        assert 0 < error < 0.3
        far.append((value - truth) / error)
    assert abs(np.mean(far)) < 0.6
    assert 0.7 < np.std(far) < 1.5


@pytest.mark.parametrize("share", [0.05, 0.2])
def test_autocorrelation_times_are_those_of_the_sides(share):
    """A side that changes with this probability has correlations (1 - 2 share)**lag."""
    swaps = (np.random.default_rng(0).random((2_000, 500)) < share).astype(np.uint8)
    integrated, exponential = exchange.autocorrelation(swaps)
    assert integrated == pytest.approx(0.5 + (1 - 2 * share) / (2 * share), rel=0.05)
    assert exponential == pytest.approx(-1 / np.log(1 - 2 * share), rel=0.1)


@pytest.mark.parametrize(("swapped", "times"), [(1, (0.5, 0.0)), (0, None)])
def test_chains_that_always_or_never_swap_have_the_least_and_no_end_of_a_time(swapped, times):
    found = exchange.autocorrelation(np.full((160, 30), swapped, np.uint8))
    assert found == times if times else min(found) > 80
