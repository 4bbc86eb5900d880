"""The reference learner is scikit-learn's, update for update."""

import numpy as np
import pytest
from sklearn.neural_network import BernoulliRBM

from boltzcore.learners import ScikitLearn
from boltzcore.models import RBM
from tests.models import exact


def test_an_update_is_scikit_learns_partial_fit(monkeypatch):
    rng = np.random.default_rng(0)
    v = (rng.random((12, 5)) < 0.4).astype(np.uint8)
    learner, rbm = ScikitLearn(rate=0.3, batch_size=0), exact.random_rbm(5, 3)
    monkeypatch.setattr(np.random, "RandomState", lambda seed, made=np.random.RandomState: made(7))
    got = learner.advance(learner.start(rbm, v, seed=1), v)
    theirs = BernoulliRBM(3, learning_rate=0.3, batch_size=12, random_state=7)
    theirs.components_, theirs.intercept_visible_, theirs.intercept_hidden_ = (
        a.astype(np.float64) for a in (rbm.W.T, rbm.b, rbm.c)
    )
    theirs.n_features_in_ = 5
    theirs.partial_fit(v)
    assert np.allclose(got.model.W, theirs.components_.T, atol=1e-6)
    assert np.allclose(got.model.b, theirs.intercept_visible_, atol=1e-6)
    assert np.allclose(got.model.c, theirs.intercept_hidden_, atol=1e-6)
    assert np.array_equal(got.hidden, theirs.h_samples_)


def test_rows_and_states_that_do_not_belong_to_it_are_refused():
    v = np.zeros((12, 5), np.uint8)
    with pytest.raises(ValueError, match="4 visible units, but the rows of the data have 5"):
        ScikitLearn().start(RBM(np.zeros((4, 2)), np.zeros(4), np.zeros(2)), v, seed=0)
    state = ScikitLearn(batch_size=4).start(exact.random_rbm(5, 2), v, seed=0)
    with pytest.raises(ValueError, match=r"shape \(4, 2\)"):
        ScikitLearn(batch_size=6).advance(state, v)
