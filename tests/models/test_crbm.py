"""The conditional RBM against a listing of all states given its input; its files and its refusals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boltzcore.data import Examples
from boltzcore.models import RBM, CRBMSetup
from tests.models import exact

NAMES = ("W", "W_vx", "W_hx", "b_v", "b_h")


def log_joint(model, x):
    """(2**n_visible, 2**n_hidden) log of what eq. 2 normalises, term by term."""
    V, H = exact.states(model.n_visible), exact.states(model.n_hidden)
    W, W_vx, W_hx, b_v, b_h = (getattr(model, name).astype(np.float64) for name in NAMES)
    return V @ W @ H.T + (V @ (W_vx @ x + b_v))[:, None] + (H @ (W_hx @ x + b_h))[None, :]


@settings(max_examples=40)
@given(shape=st.tuples(*[st.integers(1, 6)] * 3), scale=st.sampled_from([0.1, 1.0, 10.0]), seed=st.integers(0, 999))
def test_likelihoods_are_those_of_the_listed_states(shape, scale, seed):
    model, rng = exact.random_crbm(*shape, scale, seed), np.random.default_rng(seed)
    v, x = rng.integers(0, 2, (3, shape[0])), rng.integers(0, 2, (3, shape[2]))
    joints = [log_joint(model, row) for row in x]
    log_z = [np.logaddexp.reduce(joint.ravel()) for joint in joints]
    at = v @ (1 << np.arange(shape[0])[::-1])
    wanted = [np.logaddexp.reduce(joint[k]) - z for joint, k, z in zip(joints, at, log_z, strict=True)]
    # float32 biases given x: a few roundings of numbers up to 6 * scale, one for each unit
    assert np.allclose(model.log_partition(x), log_z, atol=1e-5 * (1 + scale))
    assert np.allclose(model.log_likelihood(v, x), wanted, atol=1e-5 * (1 + scale))


def test_what_is_left_of_it_given_an_input_is_an_rbm():
    model, x = exact.random_crbm(), np.array([1, 0, 1, 1, 0])
    left = model.given(x)
    assert isinstance(left, RBM)
    assert np.array_equal(left.W, model.W)
    assert np.allclose(exact.log_joint(left), log_joint(model, x), atol=1e-5)
    b, c = model.fields(np.stack([x, 0 * x]))
    assert np.allclose(b[0], left.b, atol=1e-6)
    assert np.allclose(c[0], left.c, atol=1e-6)
    assert np.array_equal(b[1], model.b_v)
    assert np.array_equal(c[1], model.b_h)


def test_wrong_inputs_are_refused():
    model = exact.random_crbm()
    for x in (np.zeros((2, 4)), np.zeros(5), np.array([["a"] * 5]), np.full((1, 5), np.nan)):
        with pytest.raises(ValueError, match=r"^x must"):
            model.fields(x)
    for v, x in ((np.zeros((2, 4)), np.zeros((3, 5))), (np.zeros((2, 5)), np.zeros((2, 5)))):
        with pytest.raises(ValueError, match=r"^v .*must"):
            model.log_likelihood(v, x)


def test_it_starts_at_the_base_rates_and_as_a_copy_of_its_input():
    rows = Examples(np.arange(4)[:, None] < [0, 1, 2, 4])
    model = CRBMSetup(hidden=300, sigma=0.1).initial(rows, seed=1)
    assert (model.n_visible, model.n_hidden, model.n_x) == (4, 300, 4)
    assert not any(array.any() for array in (model.W_hx, CRBMSetup(input_weight=0.0).initial(rows, seed=1).W_vx))
    assert (model.b_h == -3).all()
    assert (CRBMSetup(hidden_bias=0.5).initial(rows, seed=1).b_h == 0.5).all()
    assert np.array_equal(CRBMSetup(input_weight=2.5).initial(rows, seed=1).W_vx, 2.5 * np.eye(4))
    assert np.isfinite(model.b_v).all()
    assert exact.sigmoid(model.b_v[1:3]) == pytest.approx([0.25, 0.5], abs=1e-6)
    assert model.W.std() == pytest.approx(0.1, rel=5 / np.sqrt(2 * 1200))
    assert not CRBMSetup(visible_bias="zero").initial(rows, seed=1).b_v.any()
