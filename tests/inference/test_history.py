"""Reasons for a unit to be on: terms that add up to the belief, held against beliefs and the reference's messages."""

import numpy as np
import pytest

from boltzcore.inference import Inference
from boltzcore.inference.history import History
from boltzcore.models import RBM
from boltzcore.reference.belief_propagation import belief_propagation
from boltzcore.restoration import corrupt, own_digit
from boltzcore.trained import TRAINED
from tests.models import exact

ROUNDING = 1e-5  # of a belief that is summed of some hundreds of messages
KINDS = {"sum-product": "sum", "max-product": "max", "mixed-product": "mixed"}
SEEN = corrupt(own_digit(8), "flip", TRAINED["noise-10"].corruption, seed=0).seen


def parts(terms):
    """(iterations,) the sum of the terms of a visible unit."""
    return terms.bias + (terms.own or 0) + (terms.others or 0) + terms.messages.sum(axis=1)


@pytest.mark.parametrize("damping", [0.0, 0.4])
@pytest.mark.parametrize("kind", [*KINDS, "mean field"])
def test_the_terms_of_a_pixel_add_up_to_the_marginal_that_is_shown_in_every_iteration(kind, damping):
    model, inference = TRAINED["noise-10"].model(), Inference(kind=kind, iterations=12, damping=damping)
    history = History(model, inference, SEEN)
    shown = [inference.changed(iterations=t + 1).infer(model, SEEN).v for t in range(history.iterations)]
    assert np.array_equal(history.v, shown)
    for i in np.random.default_rng(0).choice(784, 20, replace=False):
        terms = history.visible(i)
        assert terms.own == model.W_vx[i, i] * SEEN[i]
        before = np.append(history.start[i], history.v[:-1, i])
        belief = (1 - history.kept) * exact.sigmoid(parts(terms)) + history.kept * before
        assert np.abs(belief - history.v[:, i]).max() < ROUNDING


@pytest.mark.parametrize("damping", [0.0, 0.4])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("largest", [5, 60, 400])  # the last two as log-odds whatever the kind
def test_they_do_so_with_weights_of_any_size_in_either_form_of_the_messages(kind, damping, largest):
    rng = np.random.default_rng(1)
    weights = rng.uniform(-largest, largest, (40, 33)) * (rng.random((40, 33)) < 0.3)
    rbm = RBM(weights, rng.normal(0, 3, 40), rng.normal(0, 3, 33))
    history = History(rbm, Inference(kind=kind, iterations=8, tolerance=0, damping=damping))
    shown = [Inference(kind=kind, iterations=t, tolerance=0, damping=damping).infer(rbm).v for t in range(1, 9)]
    for i in range(40):
        terms = history.visible(i)
        assert (terms.own, terms.others) == (None, None)
        assert np.abs(exact.sigmoid(parts(terms)) - [v[i] for v in shown]).max() < ROUNDING


@pytest.mark.parametrize("kind", KINDS)
def test_messages_are_those_of_the_reference(kind):
    rbm = exact.random_rbm(7, 5, seed=4)
    parameters = (each.astype(float) for each in (rbm.W, rbm.b, rbm.c))
    found = list(belief_propagation(*parameters, kind=KINDS[kind], iterations=4, tolerance=0.0))
    history = History(rbm, Inference(kind=kind, iterations=4, tolerance=0))
    visible = [history.visible(i) for i in range(7)]
    for t in range(4):
        to_visible = found[t + 1].to_v
        assert np.allclose(history.messages(t + 1), to_visible, atol=ROUNDING)
        assert np.allclose([each.messages[t] for each in visible], to_visible, atol=ROUNDING)
