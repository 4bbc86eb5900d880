"""Belief propagation against its reference and, on trees, against listing all states."""

from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boltzcore import threads
from boltzcore.inference import belief_propagation, propagation
from boltzcore.models import RBM
from boltzcore.reference import belief_propagation as reference
from boltzcore.ticks import Stopped
from tests.models import exact

KINDS = ["sum", "max", "mixed"]
ROUNDING = 1e-5  # of a belief: float32 log-odds of some 10 carry 1e-6 from each of a few sums


def tree(n_visible, n_hidden, scale, seed):
    """An RBM whose edges with a weight form a spanning tree."""
    rng = np.random.default_rng(seed)
    rbm = exact.random_rbm(n_visible, n_hidden, scale, seed)
    kept = np.zeros(rbm.W.shape, bool)
    kept[0, 0] = True
    rest = [(0, i) for i in range(1, n_visible)] + [(1, j) for j in range(1, n_hidden)]
    seen = [0], [0]
    for side, k in rng.permutation(np.array(rest, int).reshape(-1, 2)):
        other = rng.choice(seen[1 - side])
        kept[(k, other) if side == 0 else (other, k)] = True
        seen[side].append(k)
    return RBM(rbm.W * kept, rbm.b, rbm.c)


def expected(rbm, kind, iterations):
    W, b, c = (each.astype(float) for each in (rbm.W, rbm.b, rbm.c))
    return list(reference.belief_propagation(W, b, c, kind=kind, iterations=iterations, tolerance=0.0))


def settled(rbm, kind="sum", **how):
    return belief_propagation(rbm, kind=kind, **{"iterations": 60, "tolerance": 0, **how})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n_visible", "n_hidden"), [(1, 1), (9, 32), (40, 33)])
def test_each_iteration_is_the_papers(kind, n_visible, n_hidden):
    rbm = exact.random_rbm(n_visible, n_hidden, seed=n_hidden)
    # weights that are strong beside the biases would multiply the roundings of one iteration in the next
    rbm = RBM(0.7 / max(n_visible, n_hidden) ** 0.5 * rbm.W, rbm.b, rbm.c)
    found = expected(rbm, kind, 10)
    for iterations in (1, 3, 10):
        beliefs = belief_propagation(rbm, kind=kind, iterations=iterations, tolerance=0)
        for name in ("v", "h", "residuals"):
            assert np.abs(getattr(beliefs, name) - getattr(found[iterations], name)).max() < ROUNDING
        assert (beliefs.iterations, beliefs.converged) == (iterations, False)


@settings(max_examples=40)
@given(
    shape=st.sampled_from([(1, 1), (1, 6), (6, 1), (5, 5), (6, 4), (3, 7)]),
    scale=st.sampled_from([0.1, 1.0, 6.0]),
    seed=st.integers(0, 999),
)
def test_marginals_and_pairs_are_exact_on_trees(shape, scale, seed):
    rbm = tree(*shape, scale, seed)
    p = np.exp(exact.log_joint(rbm) - exact.log_partition(rbm))
    V, H = exact.states(shape[0]), exact.states(shape[1])
    beliefs = settled(rbm)
    assert np.allclose(beliefs.v, p.sum(axis=1) @ V, atol=ROUNDING)
    assert np.allclose(beliefs.h, p.sum(axis=0) @ H, atol=ROUNDING)
    edges = rbm.W != 0  # where there is none, two units may depend on each other all the same
    _, pairs = reference.pairwise_beliefs(rbm.W, rbm.b, expected(rbm, "sum", 60)[-1])
    assert np.allclose(pairs[edges], (V.T @ p @ H)[edges], atol=ROUNDING)


@settings(max_examples=40)
@given(
    shape=st.sampled_from([(1, 1), (1, 6), (6, 1), (5, 5), (6, 4), (3, 7)]),
    scale=st.sampled_from([0.5, 2.0]),
    seed=st.integers(0, 999),
)
def test_max_product_has_the_max_marginals_of_trees_and_so_the_best_state(shape, scale, seed):
    rbm = tree(*shape, scale, seed)
    joint, V, H = exact.log_joint(rbm), exact.states(shape[0]), exact.states(shape[1])
    beliefs = settled(rbm, "max")
    for belief, best, states in ((beliefs.v, joint.max(axis=1), V), (beliefs.h, joint.max(axis=0), H)):
        odds = [best[states[:, k] == 1].max() - best[states[:, k] == 0].max() for k in range(states.shape[1])]
        assert np.allclose(belief, exact.sigmoid(np.array(odds)), atol=ROUNDING)
    v, h = np.unravel_index(joint.argmax(), joint.shape)
    assert ((beliefs.v > 0.5) == V[v]).all()
    assert ((beliefs.h > 0.5) == H[h]).all()


@settings(max_examples=40)
@given(n_hidden=st.integers(1, 7), scale=st.sampled_from([0.5, 3.0]), seed=st.integers(0, 999))
def test_mixed_product_is_exact_where_each_hidden_unit_hears_one_visible_unit(n_hidden, scale, seed):
    rbm = exact.random_rbm(4, n_hidden, scale, seed)
    W = np.zeros_like(rbm.W)
    of = np.random.default_rng(seed).integers(0, 4, n_hidden)
    W[of, np.arange(n_hidden)] = rbm.W[of, np.arange(n_hidden)]
    rbm = RBM(W, rbm.b, rbm.c)
    beliefs, p = settled(rbm, "mixed"), exact.visible_probabilities(rbm)
    best = exact.states(4)[p.argmax()]
    assert ((beliefs.v > 0.5) == best).all()
    assert np.allclose(beliefs.v, p @ exact.states(4), atol=ROUNDING)
    assert np.allclose(beliefs.h, exact.sigmoid(rbm.c + best @ W.astype(np.float64)), atol=ROUNDING)


def strong(n_visible, n_hidden, size, seed, tree_shaped=True):
    """Weights of this size among tiny ones, biases of like size."""
    rng = np.random.default_rng(seed)
    pattern = tree(n_visible, n_hidden, 1.0, seed).W if tree_shaped else np.ones((n_visible, n_hidden))
    weights = (
        np.where(rng.random(pattern.shape) < 0.3, 1e-3, size) * rng.choice([-1, 1], pattern.shape) * (pattern != 0)
    )
    return RBM(weights, rng.uniform(-size, size, n_visible), rng.uniform(-size, size, n_hidden))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [39.9, 40.1, 200])
@pytest.mark.parametrize(("shape", "tree_shaped"), [((5, 6), True), ((5, 6), False), ((9, 70), False)])
def test_strong_weights_neither_overflow_nor_lose_a_belief(kind, size, shape, tree_shaped):
    for seed in range(6 if shape == (5, 6) else 2):
        rbm = strong(*shape, size, seed, tree_shaped)
        found = expected(rbm, kind, 6)
        for iterations in (1, 2, 6):
            beliefs = belief_propagation(rbm, kind=kind, iterations=iterations, tolerance=0)
            # float32 keeps a field of `size` to 6e-8 of it, and a belief moves by at most a quarter as much; so many
            # numbers add up to a field
            rounding = ROUNDING + (max(shape) + 1) * 6e-8 * size / 4
            assert np.abs(beliefs.v - found[iterations].v).max() < rounding
            assert np.abs(beliefs.h - found[iterations].h).max() < rounding


@pytest.mark.parametrize(
    ("kind", "size", "odds"),
    [("sum", 1, True), ("mixed", 1, True), ("max", 1, False), ("sum", 50, False), ("mixed", 50, False)],
)
def test_damping_keeps_its_share_of_the_old_message(kind, size, odds):
    rbm = exact.random_rbm(7, 5, seed=4) if size == 1 else strong(7, 5, size, 4)
    messages, sent = propagation.Messages.from_weights(rbm.W, kind), []
    for share in (0.0, 0.25):
        running = propagation.Propagation(messages, rbm.b, rbm.c, np.empty_like(rbm.b), share)
        running.step()
        sent.append(running.edges.sent[:, :5].astype(float))
    new, damped = sent
    assert messages.as_odds == odds
    # the old message says nothing: odds of 1
    assert np.allclose(damped, 0.25 + 0.75 * new if odds else 0.75 * new, rtol=1e-5, atol=size * ROUNDING)


@pytest.mark.parametrize(
    ("kind", "scale"), [("sum", 0.5), ("max", 0.5), ("mixed", 0.5), ("sum", 30.0), ("mixed", 30.0)]
)
@pytest.mark.parametrize("n", [1, 20])
def test_rows_of_inputs_are_single_ones_bit_for_bit(kind, scale, n, monkeypatch):
    model = exact.random_crbm(19, 35, 6, scale)
    x = (np.random.default_rng(n).random((n, 6)) < 0.5).astype(np.uint8)
    how = {"kind": kind, "iterations": 12, "tolerance": 1e-2}
    batches = []
    for cores, call in ((1, propagation.MESSAGES_A_CALL), (2, propagation.MESSAGES_A_CALL), (1, 1), (2, 30_000)):
        monkeypatch.setattr(propagation, "MESSAGES_A_CALL", call)
        monkeypatch.setattr(propagation, "LARGE", 0)  # so that threads share a single one, too
        with threads.use(cores):
            batches.append(belief_propagation(model, x, **how))
            # the biases of all rows come of one product, whose last digits may be others than those of a row alone
            single = [belief_propagation(RBM(model.W, *biases), **how) for biases in zip(*model.fields(x), strict=True)]
        for k, one in enumerate(single):
            ran = batches[0].iterations[k]
            assert (one.iterations, one.converged) == (ran, batches[0].converged[k])
            for name in "vh":
                assert np.array_equal(getattr(one, name), getattr(batches[0], name)[k])
            assert np.array_equal(one.residuals, batches[0].residuals[k, :ran])
            assert np.isnan(batches[0].residuals[k, ran:]).all()
    for other in batches[1:]:
        for name in ("v", "h", "converged", "iterations"):
            assert np.array_equal(getattr(other, name), getattr(batches[0], name))
        assert np.array_equal(other.residuals, batches[0].residuals, equal_nan=True)


@pytest.mark.parametrize("kind", KINDS)
def test_it_stops_when_no_belief_changes_by_as_much(kind):
    model = exact.random_crbm(10, 6, 4, 0.8, seed=2)
    x = np.random.default_rng(0).normal(size=(40, 4))
    long = belief_propagation(model, x, kind=kind, iterations=30, tolerance=0)
    beliefs = belief_propagation(model, x, kind=kind, iterations=4, tolerance=1e-3)
    assert not long.converged.any()
    assert 0 < beliefs.converged.sum() < 40  # some do and some do not
    for k in range(40):
        small = np.flatnonzero(long.residuals[k, :4] < 1e-3)
        ran = small[0] + 1 if len(small) else 4
        assert beliefs.iterations[k] == ran
        assert beliefs.converged[k] == (len(small) > 0)
        assert np.array_equal(beliefs.residuals[k, :ran], long.residuals[k, :ran])
        assert np.isnan(beliefs.residuals[k, ran:]).all()


@pytest.mark.parametrize("rows", [None, 300])
def test_it_ticks_and_can_be_stopped(rows):
    model, seen = exact.random_crbm(9, 5, 4, 0.5), []
    x = np.zeros(4) if rows is None else np.zeros((rows, 4))
    belief_propagation(model, x, tick=seen.append, tolerance=0)
    assert seen == sorted(seen)
    assert all(0 <= fraction <= 1 for fraction in seen)
    with threads.use(2), pytest.raises(Stopped):
        belief_propagation(model, x, tick=Mock(side_effect=Stopped))
