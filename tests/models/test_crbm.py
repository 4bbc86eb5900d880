"""The conditional RBM against a listing of all states given its input; its files and its refusals."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boltzcore.data import Examples
from boltzcore.models import CRBM, RBM, CRBMSetup
from tests.models import exact

NAMES = ("W", "W_vx", "W_hx", "b_v", "b_h")


def log_joint(model, x):
    """(2**n_visible, 2**n_hidden) log of what eq. 2 normalises, term by term."""
    V, H = exact.states(model.n_visible), exact.states(model.n_hidden)
    W, W_vx, W_hx, b_v, b_h = (getattr(model, name).astype(np.float64) for name in NAMES)
    return V @ W @ H.T + (V @ (W_vx @ x + b_v))[:, None] + (H @ (W_hx @ x + b_h))[None, :]


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


@pytest.mark.parametrize(
    ("name", "array", "told"),
    [
        ("W", np.zeros((4, 2)), r"W must have shape \(4, 3\) .*, not \(4, 2\)"),
        ("W_vx", np.zeros((3, 5)), r"W_vx must have shape \(4, 5\) .*, not \(3, 5\)"),
        ("W_hx", np.zeros((3, 4)), r"W_hx must have shape \(3, 5\) .*, not \(3, 4\)"),
        ("W_vx", np.zeros((4, 0)), "no side empty"),
        ("W", np.zeros(4), "W must be a real array with 2 dimensions, not float64 of shape"),
        ("b_h", np.array(["a"] * 3), "b_h must be a real array with 1 dimension, not"),
        ("b_v", np.full(4, np.inf), "b_v must be finite"),
        ("W_hx", np.full((3, 5), np.nan), "W_hx must be finite"),
    ],
)
def test_wrong_arrays_are_named(name, array, told):
    arrays = {field: getattr(exact.random_crbm(), field) for field in NAMES} | {name: array}
    with pytest.raises(ValueError, match=told):
        CRBM(**arrays)


def test_values_too_large_for_float32_are_refused():
    arrays = {field: getattr(exact.random_crbm(), field).astype(np.float64) for field in NAMES}
    arrays["W"][0, 0] = 1e39
    with pytest.raises(ValueError, match="W must be finite"), np.errstate(over="ignore"):
        CRBM(**arrays)


@pytest.mark.parametrize(
    ("x", "told"),
    [
        (np.zeros((2, 4)), r"x must be rows of 5 inputs, not float64 of shape \(2, 4\)"),
        (np.zeros(5), "x must be rows of 5 inputs"),
        (np.array([["a"] * 5]), "x must be rows of 5 inputs"),
        (np.full((1, 5), np.nan), "x must hold finite values"),
    ],
)
def test_wrong_inputs_are_named(x, told):
    with pytest.raises(ValueError, match=told):
        exact.random_crbm().fields(x)


def test_a_likelihood_takes_pairs_of_rows():
    with pytest.raises(ValueError, match="v and x must have as many rows each, not 2 and 3"):
        exact.random_crbm().log_likelihood(np.zeros((2, 4)), np.zeros((3, 5)))
    with pytest.raises(ValueError, match="v must be rows of 4 visible units"):
        exact.random_crbm().log_likelihood(np.zeros((2, 5)), np.zeros((2, 5)))
    with pytest.raises(ValueError, match="at most 25 units"):
        exact.random_crbm(30, 26, 2).log_likelihood(np.zeros((1, 30)), np.zeros((1, 2)))


@pytest.mark.parametrize(("dtype", "rounding"), [(np.float32, 0), (np.float16, 2**-11)])
def test_a_file_gives_the_model_back(tmp_path, dtype, rounding):
    model = exact.random_crbm()
    model.save(tmp_path / "model.npz", dtype)
    with np.load(tmp_path / "model.npz", allow_pickle=False) as arrays:
        assert set(arrays) == set(NAMES)
        assert {arrays[name].dtype for name in arrays} == {np.dtype(dtype)}
    read = CRBM.load(tmp_path / "model.npz")
    for name in NAMES:
        assert getattr(read, name).dtype == np.float32
        assert np.allclose(getattr(read, name), getattr(model, name), rtol=rounding, atol=1e-7 if rounding else 0)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda arrays: arrays.pop("W_hx"), "has no array 'W_hx'; it holds: W, W_vx, b_v, b_h"),
        (
            lambda arrays: arrays.update(W=arrays["W"].ravel()),
            "W in .* must be an array of floating-point numbers with 2 dimensions",
        ),
        (
            lambda arrays: arrays.update(b_v=arrays["b_v"].astype(int)),
            "b_v in .* must be an array of floating-point numbers",
        ),
        (lambda arrays: arrays.update(W_vx=np.full((4, 5), np.nan)), "W_vx in .* holds values that are not finite"),
        (lambda arrays: arrays.update(b_h=np.zeros(2)), r"must have shape"),
    ],
)
def test_a_file_that_is_no_model_is_refused(change, told):
    arrays, stream = {name: getattr(exact.random_crbm(), name) for name in NAMES}, io.BytesIO()
    change(arrays)
    np.savez(stream, **arrays)
    with pytest.raises(ValueError, match=told):
        CRBM.load(stream)


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


def test_parameters_that_float16_cannot_hold_are_not_written_as_such(tmp_path):
    large = CRBM(np.full((2, 1), 7e4), np.zeros((2, 2)), np.zeros((1, 2)), np.zeros(2), np.zeros(1))
    with pytest.raises(ValueError, match=r"^W must hold values up to 65504 to be written as float16, not 70000"):
        large.save(tmp_path / "large.npz", np.float16)
