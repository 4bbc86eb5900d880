"""Learning of conditional RBMs in plain numpy (Ping and Ihler, section 4).

`crbm_update` is the update that all learners share. They differ in the model expectations that are subtracted: each
function for these yields the phases of its inference and returns an `Expectation`. Belief propagation and mean field
process one row after the other; their phases have the row's number, `row`.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from boltzcore.reference.belief_propagation import Beliefs, belief_propagation, mean_field, pairwise_beliefs
from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import Phases, PhasesThen, free_energy, gibbs_steps, named_terms


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
    """Model statistics of a mini-batch: `v` (rows, n), `h` (rows, m), the mean of v h', `vh` (n, m), and `data_h`
    (rows, m), the hidden units for the data: mu, or for max-product its rounded values.
    """

    v: Array
    h: Array
    vh: Array
    data_h: Array


Expect = Callable[[Array, Instances], PhasesThen[Expectation]]


def crbm_update(theta: CRBMArrays, v: Array, x: Array, expect: Expect, *, rate: float) -> Phases:
    """Yield the phases of one update; the last one has the new parameters.

    The gradient of log p(v | x) is v mu' - E[v h'] in W (eq. 5), of the other parameters likewise; minus the gradient
    of a max-margin loss has the same form (eq. 7). The first term is exact, `expect` computes the second.

    Parameters
    ----------
    v, x : arrays (rows, n), (rows, inputs)
        A mini-batch.
    expect : function of W and `Instances`
        Yields its own phases, and returns the `Expectation`.
    rate : float
        Learning rate.

    Phases: "given", "clamped", "free", "difference", "new" and, before "free", those of `expect`.
    """
    W, W_vx, W_hx, b_v, b_h = theta
    b, c = b_v + x @ W_vx.T, b_h + x @ W_hx.T  # section 5: given x it is an RBM with these biases
    yield "given", {"x": x, "v": v, "b": b, "c": c}
    mu = expit(c + v @ W)
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
    """Yield the phases of one update of the model without hidden units, like `crbm_update`.

    Phases: "given", "free", "error", "new".
    """
    b = theta.b_v + x @ theta.W_vx.T
    yield "given", {"x": x, "v": v, "b": b, "c": theta.b_h + x @ theta.W_hx.T}
    p = expit(b)
    yield "free", {"v": p}
    data, model = v.T @ x / len(v), p.T @ x / len(v)
    yield "error", named_terms({"vx": data}, {"vx": model})
    W_vx, b_v = theta.W_vx + rate * (data - model), theta.b_v + rate * (v - p).mean(0)
    yield "new", theta._replace(W_vx=W_vx, b_v=b_v)._asdict()


def contrastive_divergence(W: Array, given: Instances, *, draws: Draws, K: int) -> PhasesThen[Expectation]:
    """Run K Gibbs steps from the data: CD-K (section 4.1). Phases: "hidden", "visible"."""
    v = yield from gibbs_steps(given.v, W, given.b, given.c, draws, range(K))
    return _at(v, W, given)


def perceptron_loss(W: Array, given: Instances, *, draws: Draws, start: Array, K: int) -> PhasesThen[Expectation]:
    """Find the sample of lowest free energy, if it is below that of the data: CD-PercLoss (Mnih et al. 2011).

    Parameters
    ----------
    W, given, draws, K
        As in `contrastive_divergence`.
    start : array (rows, n)
        Uniforms of the chain's start, a draw from the logistic regression alone: v ~ sigma(b).

    Yields
    ------
    phase : {"start", "hidden", "visible", "energy"}
        "energy" has the free energies of data and K samples (rows, K + 1), and the index taken, 0 for the data.
    """
    v, b, c, _ = given
    at = draws.from_uniforms(b, start)
    yield "start", at._asdict() | {"v": at.on}
    chain, best = at.on, v.astype(float)
    energies, taken = [free_energy(v, W, b, c)], np.zeros(len(v), int)
    for k in range(1, K + 1):
        chain = yield from gibbs_steps(chain, W, b, c, draws, range(k - 1, k))
        energies.append(free_energy(chain, W, b, c))
        lower = energies[k] < np.min(energies[:k], axis=0) - 1e-9  # an equal state is not lower, whatever rounding does
        best[lower], taken[lower] = chain[lower], k
    yield "energy", {"energy": np.transpose(energies), "taken": taken}
    return _at(best, W, given)


def mean_field_marginals(W: Array, given: Instances, *, iterations: int, tolerance: float) -> PhasesThen[Expectation]:
    """Infer mean-field marginals: MLE-MF (section 4.1). Phases: "begin", "iteration"."""
    found = yield from _infer(given, partial(mean_field, W, iterations=iterations, tolerance=tolerance))
    return _independent(*_marginals(found), given.mu)


def sum_product_beliefs(W: Array, given: Instances, *, iterations: int, tolerance: float) -> PhasesThen[Expectation]:
    """Infer beliefs of units and of pairs by sum-product BP: MLE-BP (section 4.1). Phases: "begin", "iteration"."""
    propagate = partial(belief_propagation, W, kind="sum", iterations=iterations, tolerance=tolerance)
    found = yield from _infer(given, propagate)
    pairs = [pairwise_beliefs(W, b, beliefs) for b, beliefs in zip(given.b, found, strict=True)]
    v, vh = (np.array(each) for each in zip(*pairs, strict=True))
    return Expectation(v, _marginals(found)[1], vh.mean(0), given.mu)


def loss_augmented_prediction(
    W: Array, given: Instances, *, kind: str, iterations: int, tolerance: float
) -> PhasesThen[Expectation]:
    """Find the best v of the model with the Hamming loss added: LSSVM and MSSVM (eq. 6 and 7).

    Parameters
    ----------
    kind : {"max", "mixed"}
        "max" also maximises over the hidden units, including those of the data; "mixed" sums them out.

    Yields
    ------
    phase : {"augmented", "begin", "iteration"}
    """
    augmented = given._replace(b=given.b + 1 - 2 * given.v)  # each unit that differs from the data adds 1
    yield "augmented", {"b": augmented.b}
    propagate = partial(belief_propagation, W, kind=kind, iterations=iterations, tolerance=tolerance)
    found = yield from _infer(augmented, propagate)
    v, h = (np.round(each) for each in _marginals(found))
    return _at(v, W, given) if kind == "mixed" else _independent(v, h, np.round(given.mu))


def _infer(given: Instances, inference: Callable[[Array, Array], Iterator[Beliefs]]) -> PhasesThen[list[Beliefs]]:
    """Yield the iterations of one row after the other; return the final beliefs of each."""
    found = []
    for row, (b, c) in enumerate(zip(given.b, given.c, strict=True)):
        for beliefs in inference(b, c):
            yield "iteration" if len(beliefs.residuals) else "begin", {"row": row, **beliefs._asdict()}
        found.append(beliefs)
    return found


def _marginals(found: list[Beliefs]) -> tuple[Array, Array]:
    return np.array([beliefs.v for beliefs in found]), np.array([beliefs.h for beliefs in found])


def _independent(v: Array, h: Array, data_h: Array) -> Expectation:
    """Return the statistics of v (rows, n) and h (rows, m) that are independent in each row."""
    return Expectation(v, h, v.T @ h / len(v), data_h)


def _at(v: Array, W: Array, given: Instances) -> Expectation:
    """Return the statistics of v (rows, n) with p(h | v, x)."""
    return _independent(v, expit(given.c + v @ W), given.mu)
