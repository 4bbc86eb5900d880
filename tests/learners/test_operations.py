"""The operations of an update: what the textbook counts, however a training is cut into calls."""

import numpy as np
import pytest

from boltzcore.data import Examples
from boltzcore.learners import (
    BSLM,
    CD,
    CSDCP,
    LSSVM,
    PCD,
    SDCP,
    SSD,
    BeliefPropagationMLE,
    CDPercLoss,
    CenteredGradient,
    ConditionalCD,
    ConditionalLR,
    FrankWolfe,
    GradientAscent,
    GreedyMDL,
    MeanFieldMLE,
    PairwiseExact,
    PairwisePCD,
    PseudoLikelihoodLBFGS,
    ScikitLearn,
)
from boltzcore.learners.operations import transform
from boltzcore.models import CRBM, FVBM, RBM, InfiniteRBM, LogLinear

ROWS, N, M, X = 50, 7, 5, 7
BATCH = 20  # of 20, 20 and 10 rows


@pytest.fixture
def rbm():
    rng = np.random.default_rng(0)
    return RBM(rng.normal(size=(N, M)) / 10, np.zeros(N), np.zeros(M)), rng.integers(0, 2, (ROWS, N)).astype(np.uint8)


def after(learner, model, data, *calls):
    state = learner.start(model, data, seed=3)
    for updates in calls:
        state = learner.advance(state, data, updates=updates)
    return state.operations


OF_A_ROW = 2 * N * M  # a product with the weights, or an outer product
STEP = 2 * N * M


@pytest.mark.parametrize(
    ("learner", "of_a_row", "of_an_update"),
    [
        (CD(K=1, batch_size=BATCH), 3 + 2, 1),  # up, down, up; two outer products
        (CD(K=4, batch_size=BATCH), 9 + 2, 1),
        (SDCP(d=3, K_prime=2, batch_size=BATCH), 1 + 1 + (2 * 2 + 2 * 5) + 3, 3),  # p of the data, its term; 3 steps
    ],
)
def test_chains_that_start_at_the_data_share_their_probabilities(rbm, learner, of_a_row, of_an_update):
    assert after(learner, *rbm, 3) == ROWS * OF_A_ROW * of_a_row + 3 * STEP * of_an_update


def test_persistent_chains_are_as_many_in_a_short_batch(rbm):
    expected = ROWS * OF_A_ROW * 2 + 3 * BATCH * OF_A_ROW * (2 * 4 + 1 + 1) + 3 * STEP
    assert after(PCD(K=4, batch_size=BATCH), *rbm, 3) == expected


def test_the_reference_costs_what_pcd_1_does(rbm):
    assert after(ScikitLearn(batch_size=BATCH), *rbm, 2, 1) == after(PCD(K=1, batch_size=BATCH), *rbm, 3) - 3 * (
        BATCH * OF_A_ROW
    )  # which keeps the hidden units of its chains from one update to the next


@pytest.mark.parametrize(("learner", "plain"), [(CenteredGradient(K=2), CD(K=2)), (SSD(K=2), PCD(K=2))])
def test_what_a_learner_does_besides_is_counted(rbm, learner, plain):
    assert after(learner, *rbm, 3) > after(plain, *rbm, 3)


def test_with_one_inner_step_dc_programming_costs_what_contrastive_divergence_does(rbm):
    assert after(SDCP(d=1, K_prime=4), *rbm, 5) == after(CD(K=4), *rbm, 5)
    assert after(CSDCP(d=1, K_prime=4), *rbm, 5) == after(CenteredGradient(K=4), *rbm, 5)


@pytest.fixture
def conditional():
    rng = np.random.default_rng(0)
    model = CRBM(*(rng.normal(size=shape) / 10 for shape in ((N, M), (N, X), (M, X))), np.zeros(N), np.zeros(M))
    rows = rng.integers(0, 2, (ROWS, N)).astype(np.uint8)
    return model, Examples(rows, rows[:, ::-1].copy())


SHARED = 2 * 2 * X * N + 2 * 2 * X * M + 3 * 2 * N * M  # of a row: biases given x, p(h | v), outer products
STEPS = 2 * (N * M + X * N + X * M)


@pytest.mark.parametrize(
    ("learner", "of_a_row"),
    [
        (ConditionalCD(K=3), 6 * OF_A_ROW),
        (CDPercLoss(K=3), 7 * OF_A_ROW + 4 * 2 * N),
        (CDPercLoss(K=3, candidates="rounded"), 13 * OF_A_ROW + 4 * 2 * N),
    ],
)
def test_samplers_of_conditional_models(conditional, learner, of_a_row):
    learner = learner.changed(batch_size=BATCH)
    assert after(learner, *conditional, 2, 1) == ROWS * (SHARED + of_a_row) + 3 * STEPS


def test_logistic_regression_has_the_input_only(conditional):
    assert after(ConditionalLR(batch_size=BATCH), *conditional, 3) == ROWS * 2 * 2 * X * N + 3 * 2 * X * N


@pytest.mark.parametrize("learner", [MeanFieldMLE(), BeliefPropagationMLE(), LSSVM()])
def test_inference_costs_as_much_as_it_iterates(conditional, learner):
    model, data = conditional
    few, many = (learner.changed(batch_size=BATCH, iterations=n, tolerance=1e-12) for n in (2, 6))
    more = after(many, model, data, 1) - after(few, model, data, 1)
    a_round = 2 * OF_A_ROW if isinstance(learner, MeanFieldMLE) else 12 * N * M
    assert 0 < more <= 4 * BATCH * a_round
    assert more % a_round == 0


@pytest.fixture
def votes():
    rng = np.random.default_rng(0)
    return FVBM(np.zeros((4, 4)), np.zeros(4)), rng.integers(0, 2, (ROWS, 4)).astype(np.uint8)


@pytest.mark.parametrize("learner", [BSLM(tau=1e-12), GradientAscent(mu=0.5, tau=1e-12)])
def test_a_sweep_goes_over_all_rows_for_each_parameter(votes, learner):
    assert after(learner, *votes, 2, 1) == 3 * ROWS * (4 * 3 + 6 * 8)


def test_a_run_of_l_bfgs_costs_as_many_gradients_as_it_takes(votes):
    learner = PseudoLikelihoodLBFGS(iterations=3)
    state = learner.advance(learner.start(*votes, seed=0), votes[1], updates=2)
    assert state.operations == state.work * 2 * 2 * ROWS * 4 * 4


@pytest.fixture
def table():
    rows = np.random.default_rng(0).integers(0, 2, (ROWS, 4)).astype(np.uint8)
    rows[:, 1], rows[:, 2] = rows[:, 0], 1  # so that there is something to learn
    return LogLinear((2, 2, 2, 2), {}), rows


def test_a_greedy_step_counts_what_the_paper_does(table):
    learner = GreedyMDL(threshold=1e-9)
    model, rows = table
    state = learner.start(model, rows, seed=0)
    first = learner.advance(state, rows, updates=1)
    assert first.operations == (13 + 4) * 16  # eq. 20 of each term, Algorithm 3 of each state, the transform
    second = learner.advance(first, rows, updates=1)
    assert second.operations - first.operations == (13 + 4) * 16 + 10  # one term may be adjusted, or leave
    priced, pairs = learner.changed(penalty=0.001), learner.changed(order=2)
    assert after(priced, model, rows, 1) == (13 + 4) * 16 + 3 * 16
    assert after(pairs, model, rows, 1) == (3 + 4) * 16 + 10 * (1 + 4 + 6)  # no candidate of more than two variables
    wide = Examples(np.array([[i % 3, i % 4] for i in range(ROWS)], np.uint8), levels=(3, 4))
    assert after(learner.changed(threshold=1.0), LogLinear((3, 4), {}), wide, 1) == (10 + 2 + 2) * 12  # nothing done


def test_an_exact_gradient_transforms_the_table_twice(table):
    learner = PairwiseExact(iterations=3)
    state = learner.advance(learner.start(*table, seed=0), table[1], updates=2)
    assert state.operations == state.work * (2 * 4 * 16 + 4 * 16)
    assert transform((2, 3)) == 6 + 2 * 6
    assert transform((8, 5)) == (3 + 4) * 40  # Walsh and Hadamard's of 8 values; row by row of 5


def test_chains_of_pairwise_models(table):
    learner = PairwisePCD(chains=30)
    assert after(learner, *table, 2, 1) == 3 * (2 * 2 * 30 * 4 * 4 + 2 * 10)


@pytest.mark.parametrize("correction", ["none", "line", "full"])
def test_an_insertion_counts_its_search_over_all_rows(votes, correction):
    learner = FrankWolfe(correction=correction, samples=20, restarts=2, K=2, steps=5)
    model, rows = InfiniteRBM(np.zeros((0, 5), np.float32), np.zeros(0, np.float32), np.zeros(4)), votes[1]
    one = after(learner, model, rows, 1)
    assert one >= 2 * 2 * 2 * (ROWS + 1) * 5  # at the least each start and each end of a search, value and gradient
    assert after(learner, model, rows, 1, 2) == after(learner, model, rows, 3) > one
    doubled = after(learner, model, np.concatenate([rows, rows]), 1)
    assert doubled > one
