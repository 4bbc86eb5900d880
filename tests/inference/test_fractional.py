"""Sampling and annealing of fractional machines, held against sums over all states."""

import numpy as np
import pytest

from boltzcore.inference import annealed_importance_sampling, gibbs
from boltzcore.inference.fractional import metropolis
from boltzcore.models import InfiniteRBM
from tests.models.test_infinite import drawn, states

COUNTS = [1, 0.3, 2.5, 0.8]


def transition(model: InfiniteRBM) -> np.ndarray:
    """(states, states) of one Metropolis-Hastings step: Gibbs of the approximation, accepted by the formula of section
    3.3.
    """
    rbm, v = model.approximation(), states(model.n_visible)
    h = states(rbm.n_hidden)

    def bernoulli(fields: np.ndarray, on: np.ndarray) -> np.ndarray:
        return np.exp(on @ fields.T - np.logaddexp(0, fields).sum(axis=1)).T

    proposal = bernoulli(v @ rbm.W + rbm.c, h) @ bernoulli(h @ rbm.W.T + rbm.b, v)
    rest = model.counts - np.floor(model.counts)
    fields = np.column_stack([v, np.ones(len(v))]) @ model.units.astype(np.float64).T
    log_odds = np.logaddexp(0, fields) @ rest - np.logaddexp(0, rest * fields).sum(axis=1)
    moved = proposal * np.minimum(1, np.exp(log_odds[None, :] - log_odds[:, None]))
    return moved + np.diag(1 - moved.sum(axis=1))


def test_the_acceptance_of_section_3_3_leaves_the_fractional_law_invariant():
    model = drawn(5, COUNTS, size=2.0)
    p = np.exp(model.log_likelihood(states(5)))
    assert np.allclose(p @ transition(model), p, atol=1e-8)
    assert not np.allclose(p, np.exp(model.approximation().log_likelihood(states(5))), atol=1e-3)


def test_chains_are_distributed_as_the_transition_says():
    """From one state, a step: the share of chains in each other state."""
    model, n = drawn(4, COUNTS, size=1.5), 100_000
    start = np.tile(states(4)[5], (n, 1))
    moved, accepted = metropolis(model, start, 1, seed=1)
    found = np.bincount(moved @ (1 << np.arange(4)), minlength=16) / n
    expected = transition(model)[5]
    assert (np.abs(found - expected) < 5 * np.sqrt(expected * (1 - expected) / n) + 1e-9).all()
    assert 0.5 < accepted < 1


def test_whole_counts_are_sampled_as_their_rbm():
    model, v = drawn(6, [1, 2]), states(6)
    assert np.array_equal(gibbs(model, v, 3, seed=2), gibbs(model.to_rbm(), v, 3, seed=2))
    assert metropolis(model, v, 3, seed=2)[1] == 1.0


@pytest.mark.parametrize("counts", [COUNTS, [1, 2, 1], []])
def test_annealing_finds_the_partition_function(counts):
    model = drawn(9, counts, size=1.5)
    found = annealed_importance_sampling(model, chains=200, temperatures=300, seed=1)
    assert abs(found.value - model.log_partition()) < 0.1
    assert found.low <= model.log_partition() <= found.high
    if counts == COUNTS:  # the approximation's is another
        assert abs(model.approximation().log_partition() - model.log_partition()) > 0.3
