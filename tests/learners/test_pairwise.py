"""The pairwise machines against sums over all states, written out."""

import numpy as np
import pytest
from scipy.optimize import minimize

from boltzcore.data import Examples
from boltzcore.learners import PairwiseExact, PairwisePCD
from boltzcore.learners.log_linear.pairwise import DataMoments, as_fvbm, pairwise_terms
from boltzcore.models import LogLinear, LogLinearSetup
from boltzcore.quoting import Refusal
from tests.models.test_log_linear import functions, states


def table(sizes, n: int, seed: int, *, even: float = 0.5) -> Examples:
    """Rows in which variables go together; where `even` is larger, no state is rare."""
    rng = np.random.default_rng(seed)
    x = states(sizes)
    p = rng.gamma(even, size=len(x))
    return Examples(x[rng.choice(len(x), n, p=p / p.sum())], levels=tuple(sizes))


def rows(sizes, n: int = 2_000, seed: int = 0) -> Examples:
    return table(sizes, n, seed, even=2.0)


def started(learner, data):
    return learner.start(LogLinearSetup().initial(data, seed=0), data, seed=0)


@pytest.mark.parametrize("sizes", [(2, 2, 2, 2), (3, 2, 4), (2, 5, 1, 3)])
def test_the_terms_are_all_of_one_and_two_variables(sizes):
    order = (states(sizes) > 0).sum(axis=1)
    assert sorted(pairwise_terms(sizes).tolist()) == np.flatnonzero((order == 1) | (order == 2)).tolist()


@pytest.mark.parametrize("sizes", [(2, 2, 2, 2), (3, 2, 4)])
def test_the_exact_machine_is_the_maximum_likelihood(sizes):
    data, terms = rows(sizes), pairwise_terms(sizes)
    learner = PairwiseExact(tolerance=1e-8)
    state = learner.advance(started(learner, data), data, updates=50)
    assert state.done
    phi = functions(sizes)[terms]
    share = np.zeros(phi.shape[1])
    few = data.distinct()
    share[state.model.layout.index(few.v)] = few.weight / len(data)
    twin = minimize(lambda t: np.log(np.exp(t @ phi).sum()) - t @ phi @ share, np.zeros(len(terms)))
    kl = twin.fun + share[share > 0] @ np.log(share[share > 0])
    assert state.figures["kl_to_data"] == pytest.approx(kl, abs=1e-8)
    # where the likelihood is highest, model and data agree on every term
    assert np.allclose(phi @ state.model.probabilities(), phi @ share, atol=1e-7)


def test_the_same_law_as_a_fully_visible_machine():
    data = rows((2,) * 4)
    state = PairwiseExact().advance(started(PairwiseExact(), data), data, updates=9)
    machine = as_fvbm(state.model, DataMoments.from_data(state.model, data))
    assert np.allclose(machine.probabilities(), state.model.probabilities(), rtol=1e-12)


def test_what_does_not_fit_is_refused():
    wide = Examples(np.zeros((2, 2), np.uint16), levels=(9_999, 4))
    for learner, data in ((PairwisePCD(), rows((3, 2, 2))), (PairwiseExact(), wide)):
        with pytest.raises(Refusal, match=r"two values in each column|at most 10,000 terms"):
            started(learner, data)
    for model in (LogLinear((3, 2, 2), {3 + 6 + 1: 0.5}), LogLinear((2, 2, 2))):
        with pytest.raises(ValueError, match=r"no terms of more than two variables|^data must have columns"):
            PairwiseExact().start(model, rows((3, 2, 2)), seed=0)
    two = rows((2, 2))
    with pytest.raises(ValueError, match="100 chains, not 50"):
        PairwisePCD(chains=50).advance(started(PairwisePCD(), two), two)
