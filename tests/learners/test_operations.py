"""The operations of an update: what the textbook counts, however a training is cut into calls."""

import numpy as np
import pytest

from boltzcore.data import Examples
from boltzcore.learners import (
    BSLM,
    CD,
    PCD,
    SDCP,
    CDPercLoss,
    ConditionalCD,
    ConditionalLR,
    GradientAscent,
    GreedyMDL,
    Learner,
    PairwiseExact,
    PairwisePCD,
    PottsPCD,
    PottsPseudoLikelihood,
    PseudoLikelihoodLBFGS,
)
from boltzcore.learners.operations import transform
from boltzcore.models import CRBM, FVBM, RBM, LogLinear, Potts

ROWS, N, M, X = 50, 7, 5, 7
BATCH = 20  # of 20, 20 and 10 rows
RNG = np.random.default_rng(0)
PIXELS = RNG.integers(0, 2, (ROWS, N)).astype(np.uint8)
FOUR = PIXELS[:, :4].copy()
FOUR[:, 1], FOUR[:, 2] = FOUR[:, 0], 1  # so that there is something to learn
RBM_ROWS = RBM(RNG.normal(size=(N, M)) / 10, np.zeros(N), np.zeros(M)), PIXELS
CRBM_ROWS = (
    CRBM(*(RNG.normal(size=shape) / 10 for shape in ((N, M), (N, X), (M, X))), np.zeros(N), np.zeros(M)),
    Examples(PIXELS, PIXELS[:, ::-1].copy()),
)
FVBM_ROWS = FVBM(np.zeros((4, 4)), np.zeros(4)), PIXELS[:, :4].copy()
TABLE_ROWS = LogLinear((2, 2, 2, 2), {}), FOUR
POTTS_ROWS = Potts((2, 2, 2, 2), np.zeros(8), np.zeros((8, 8))), FOUR


def advanced(learner, model, data, *calls):
    state = learner.start(model, data, seed=3)
    for updates in calls:
        state = learner.advance(state, data, updates=updates)
    return state


def after(*given):
    return advanced(*given).operations


OF_A_ROW = 2 * N * M  # a product with the weights, or an outer product
STEP = 2 * N * M
SHARED = 2 * 2 * X * N + 2 * 2 * X * M + 3 * 2 * N * M  # of a row: biases given x, p(h | v), outer products
STEPS = 2 * (N * M + X * N + X * M)
CONDITIONAL = ROWS * SHARED + 3 * STEPS
SWEEP = ROWS * (4 * 3 + 6 * 8)


@pytest.mark.parametrize(
    ("learner", "given", "three_updates"),
    [
        (CD(K=1), RBM_ROWS, ROWS * OF_A_ROW * (3 + 2) + 3 * STEP),  # up, down, up; two outer products
        (CD(K=4), RBM_ROWS, ROWS * OF_A_ROW * (9 + 2) + 3 * STEP),
        # p of the data and its term; three steps
        (SDCP(d=3, K_prime=2), RBM_ROWS, ROWS * OF_A_ROW * (1 + 1 + (2 * 2 + 2 * 5) + 3) + 3 * 3 * STEP),
        # persistent chains are as many in a short batch
        (PCD(K=4), RBM_ROWS, ROWS * OF_A_ROW * 2 + 3 * BATCH * OF_A_ROW * (2 * 4 + 1 + 1) + 3 * STEP),
        (ConditionalCD(K=3), CRBM_ROWS, CONDITIONAL + ROWS * 6 * OF_A_ROW),
        (CDPercLoss(K=3), CRBM_ROWS, CONDITIONAL + ROWS * (7 * OF_A_ROW + 4 * 2 * N)),
        (ConditionalLR(), CRBM_ROWS, ROWS * 2 * 2 * X * N + 3 * 2 * X * N),
        (BSLM(tau=1e-12), FVBM_ROWS, 3 * SWEEP),
        (GradientAscent(mu=0.5, tau=1e-12), FVBM_ROWS, 3 * SWEEP),
        (PairwisePCD(chains=30), TABLE_ROWS, 3 * (2 * 2 * 30 * 4 * 4 + 2 * 10)),
        (PottsPCD(chains=30), POTTS_ROWS, 3 * (2 * 2 * 30 * 8 * 8 + 2 * 36)),
    ],
    ids=lambda each: str(each) if isinstance(each, Learner) else "",
)
def test_three_updates_take_what_the_textbook_counts(learner, given, three_updates):
    if "batch_size" in learner.values():
        learner = learner.changed(batch_size=BATCH)
    assert after(learner, *given, 2, 1) == after(learner, *given, 3) == three_updates


@pytest.mark.parametrize(
    ("learner", "given", "of_an_evaluation"),
    [
        (PseudoLikelihoodLBFGS(iterations=3), FVBM_ROWS, 2 * 2 * ROWS * 4 * 4),
        (PairwiseExact(iterations=3), TABLE_ROWS, 2 * 4 * 16 + 4 * 16),  # two transforms of the table
        (PottsPseudoLikelihood(iterations=3), POTTS_ROWS, 2 * 2 * ROWS * 8 * 4),  # of values with contrasts
    ],
)
def test_a_run_of_l_bfgs_costs_as_many_evaluations_as_it_takes(learner, given, of_an_evaluation):
    state = advanced(learner, *given, 2)
    assert state.operations == state.work * of_an_evaluation


def test_a_greedy_step_counts_what_the_paper_does():
    learner = GreedyMDL(threshold=1e-9)
    first = (13 + 4) * 16  # eq. 20 of each term, Algorithm 3 of each state, the transform
    assert after(learner, *TABLE_ROWS, 1) == first
    assert after(learner, *TABLE_ROWS, 1, 1) == 2 * first + 10  # one term may be adjusted, or leave
    wide = Examples(np.array([[i % 3, i % 4] for i in range(ROWS)], np.uint8), levels=(3, 4))
    assert after(learner.changed(threshold=1.0), LogLinear((3, 4), {}), wide, 1) == (10 + 2 + 2) * 12  # nothing done
    assert transform((2, 3)) == 6 + 2 * 6
    assert transform((8, 5)) == (3 + 4) * 40  # Walsh and Hadamard's of 8 values; row by row of 5
