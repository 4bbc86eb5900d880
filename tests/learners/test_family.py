"""The family of contrastive learners: each is what its algorithm in the paper says, on both of the kernels that
compute it.
"""

import numpy as np
import pytest

from boltzcore.data import load
from boltzcore.data.examples import Examples
from boltzcore.kernels import ascent
from boltzcore.learners import CD, CSDCP, PCD, SDCP, SSD, CenteredGradient, contrastive
from boltzcore.models import RBM, RBMSetup
from boltzcore.registry import gibbs_steps
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
    monkeypatch.setattr(contrastive, "SMALL", 0)
    large = learner.advance(state, v, updates=updates)
    assert np.array_equal(small.chains, large.chains)
    for name in "Wbc":
        # small singular values enlarge roundings: a step along their vectors is as long as any other
        tolerance = 1e-4 if learner.spectral else 1e-5
        assert np.allclose(getattr(small.model, name), getattr(large.model, name), atol=tolerance)


@pytest.mark.parametrize("learner", FAMILY, ids=IDS)
def test_the_registry_counts_the_gibbs_steps_that_are_made(learner):
    assert gibbs_steps(learner) == learner.inner_steps * learner.gibbs_steps


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
