"""Learning of conditional RBMs in plain numpy (Ping and Ihler, section 4): the update that all learners share.

The learners differ in the model's expectations alone, which are in `conditional_expectations`.
"""

from collections.abc import Callable
from typing import NamedTuple

from boltzcore.reference.draws import Array, sigmoid
from boltzcore.reference.rbm import Phases, PhasesThen, named_terms


class CRBMArrays(NamedTuple):
    """Parameters of a conditional RBM with n visible and m hidden units.

    W, W_vx, W_hx : arrays (n, m), (n, inputs), (m, inputs)
    b_v, b_h : arrays (n,), (m,)
    """

    W: Array
    W_vx: Array
    W_hx: Array
    b_v: Array
    b_h: Array


class Instances(NamedTuple):
    """A mini-batch `v` (rows, n), its biases `b` (rows, n) and `c` (rows, m) given the input, and mu = p(h | v, x)."""

    v: Array
    b: Array
    c: Array
    mu: Array


class Expectation(NamedTuple):
    """Model statistics of a mini-batch: `v` (rows, n), `h` (rows, m) and the mean of v h', `vh` (n, m); and `data_h`
    (rows, m), the hidden units that go with the data: mu, unless they are decided too.
    """

    v: Array
    h: Array
    vh: Array
    data_h: Array


Expect = Callable[[Array, Instances], PhasesThen[Expectation]]


def crbm_update(theta: CRBMArrays, v: Array, x: Array, expect: Expect, *, rate: float) -> Phases:
    """Yield the phases of one update; the last one has the new parameters.

    The gradient of log p(v | x) is v mu' - E[v h'] in W (eq. 5), of the other parameters likewise; minus the gradient
    of a max-margin loss has the same form (eq. 7). The first term is exact, the second is that of `expect`.

    Parameters
    ----------
    theta : CRBMArrays
    v, x : arrays (rows, n), (rows, inputs)
        A mini-batch.
    expect : function of W and `Instances`
        Yields phases of its own, and returns the `Expectation`.
    rate : float
        Learning rate.

    Yields
    ------
    phase : {"given", "clamped", "free", "difference", "new"} and, before "free", those of `expect`
    arrays : dict of str to array
    """
    W, W_vx, W_hx, b_v, b_h = theta
    b, c = b_v + x @ W_vx.T, b_h + x @ W_hx.T  # section 5: given x it is an RBM with these biases
    yield "given", {"x": x, "v": v, "b": b, "c": c}
    mu = sigmoid(c + v @ W)
    yield "clamped", {"v": v, "p": mu}
    free = yield from expect(W, Instances(v, b, c, mu))
    yield "free", {"v": free.v, "h": free.h, "data_h": free.data_h}

    rows, data_h = len(v), free.data_h
    data = {"W": v.T @ data_h / rows, "vx": v.T @ x / rows, "hx": data_h.T @ x / rows}
    model = {"W": free.vh, "vx": free.v.T @ x / rows, "hx": free.h.T @ x / rows}
    yield "difference", named_terms(data, model)
    yield (
        "new",
        {
            "W": W + rate * (data["W"] - model["W"]),
            "W_vx": W_vx + rate * (data["vx"] - model["vx"]),
            "W_hx": W_hx + rate * (data["hx"] - model["hx"]),
            "b_v": b_v + rate * (v - free.v).mean(0),
            "b_h": b_h + rate * (data_h - free.h).mean(0),
        },
    )


def logistic_regression_update(theta: CRBMArrays, v: Array, x: Array, *, rate: float) -> Phases:
    """Yield the phases of one update of the model without hidden units; as `crbm_update`.

    Yields
    ------
    phase : {"given", "free", "error", "new"}
    arrays : dict of str to array
    """
    b = theta.b_v + x @ theta.W_vx.T
    yield "given", {"x": x, "v": v, "b": b, "c": theta.b_h + x @ theta.W_hx.T}
    p = sigmoid(b)
    yield "free", {"v": p}
    data, model = v.T @ x / len(v), p.T @ x / len(v)
    yield "error", named_terms({"vx": data}, {"vx": model})
    W_vx, b_v = theta.W_vx + rate * (data - model), theta.b_v + rate * (v - p).mean(0)
    yield "new", theta._replace(W_vx=W_vx, b_v=b_v)._asdict()
