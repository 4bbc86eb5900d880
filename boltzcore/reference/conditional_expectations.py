"""Expectations of the model that learners of conditional RBMs subtract, in plain numpy (Ping and Ihler, section 4).

Each function yields the phases of its inference and returns an `Expectation`, for `conditional.crbm_update`. Belief
propagation and mean field take one row after the other; their phases have its number, `row`.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from boltzcore.reference.belief_propagation import Beliefs, belief_propagation, mean_field, pairwise_beliefs
from boltzcore.reference.conditional import Expectation, Instances
from boltzcore.reference.draws import Array, Draws, sigmoid, softplus
from boltzcore.reference.rbm import PhasesThen, gibbs_steps


def contrastive_divergence(W: Array, given: Instances, *, draws: Draws, K: int) -> PhasesThen[Expectation]:
    """Run K Gibbs steps from the data: CD-K (section 4.1). Phases: "hidden", "visible"."""
    v = yield from gibbs_steps(given.v, W, given.b, given.c, draws, range(K))
    return _at(v, W, given)


def perceptron_loss(
    W: Array, given: Instances, *, draws: Draws, start: Array, K: int, rounded: bool
) -> PhasesThen[Expectation]:
    """Find the sample of lowest free energy, if that is below the data's: CD-PercLoss (Mnih et al. 2011).

    Parameters
    ----------
    W, given, draws, K
        As in `contrastive_divergence`.
    start : array (rows, n)
        Uniforms of the chain's start, a draw from the logistic regression alone: v ~ sigma(b).
    rounded : bool
        If True, the candidates are not the samples v but the visible units more probably on than off given p(h | v).

    Yields
    ------
    phase : {"start", "hidden", "visible", "energy"}
        "energy" has those of the data and of the K candidates (rows, K + 1), and which is taken, 0 for the data.
    """
    v, b, c, _ = given
    at = draws.from_uniforms(b, start)
    yield "start", at._asdict() | {"v": at.on}
    chain, best = at.on, v.astype(float)
    energies, taken = [_free_energy(v, W, b, c)], np.zeros(len(v), int)
    for k in range(1, K + 1):
        chain = yield from gibbs_steps(chain, W, b, c, draws, range(k - 1, k))
        found = b + sigmoid(c + chain @ W) @ W.T > 0 if rounded else chain
        energies.append(_free_energy(found, W, b, c))
        lower = energies[k] < np.min(energies[:k], axis=0) - 1e-9  # an equal state is not lower, whatever its rounding
        best[lower], taken[lower] = found[lower], k
    yield "energy", {"energy": np.transpose(energies), "taken": taken}
    return _at(best, W, given)


def mean_field_marginals(W: Array, given: Instances, *, iterations: int, tolerance: float) -> PhasesThen[Expectation]:
    """Infer mean-field marginals: MLE-MF (section 4.1). Phases: "begin", "iteration"."""
    v, h = yield from _infer(given, partial(mean_field, W, iterations=iterations, tolerance=tolerance))
    return Expectation(v, h, v.T @ h / len(v), given.mu)


def sum_product_beliefs(W: Array, given: Instances, *, iterations: int, tolerance: float) -> PhasesThen[Expectation]:
    """Infer beliefs of units and of pairs by sum-product BP: MLE-BP (section 4.1). Phases: "begin", "iteration"."""
    v, h, vh = np.empty_like(given.b), np.empty_like(given.c), np.zeros_like(W)
    for row, (b, c) in enumerate(zip(given.b, given.c, strict=True)):
        inference = belief_propagation(W, b, c, kind="sum", iterations=iterations, tolerance=tolerance)
        beliefs = yield from _iterations(row, inference)
        v[row], of_pairs = pairwise_beliefs(W, b, beliefs)
        h[row] = beliefs.h
        vh += of_pairs / len(v)
    return Expectation(v, h, vh, given.mu)


def loss_augmented_prediction(
    W: Array, given: Instances, *, kind: str, iterations: int, tolerance: float
) -> PhasesThen[Expectation]:
    """Find the best v of the model with the Hamming loss added: LSSVM and MSSVM (eq. 6 and 7).

    Parameters
    ----------
    kind : {"max", "mixed"}
        "max" decides the hidden units too, also those of the data; "mixed" sums them out.

    Yields
    ------
    phase : {"augmented", "begin", "iteration"}
    """
    augmented = given._replace(b=given.b + 1 - 2 * given.v)  # each unit unlike the data gains 1
    yield "augmented", {"b": augmented.b}
    propagate = partial(belief_propagation, W, kind=kind, iterations=iterations, tolerance=tolerance)
    v, h = (np.round(each) for each in (yield from _infer(augmented, propagate)))
    if kind == "mixed":
        return _at(v, W, given)
    return Expectation(v, h, v.T @ h / len(v), np.round(given.mu))


def _infer(given: Instances, inference: Callable[[Array, Array], Iterator[Beliefs]]) -> PhasesThen[tuple[Array, Array]]:
    """Yield the iterations of one row after the other; return the beliefs of all, (rows, n) and (rows, m)."""
    v, h = np.empty_like(given.b), np.empty_like(given.c)
    for row, (b, c) in enumerate(zip(given.b, given.c, strict=True)):
        beliefs = yield from _iterations(row, inference(b, c))
        v[row], h[row] = beliefs.v, beliefs.h
    return v, h


def _iterations(row: int, inference: Iterator[Beliefs]) -> PhasesThen[Beliefs]:
    for beliefs in inference:
        yield "iteration" if len(beliefs.residuals) else "begin", {"row": np.array(row), **beliefs._asdict()}
    return beliefs


def _at(v: Array, W: Array, given: Instances) -> Expectation:
    """Return v (rows, n) with p(h | v, x)."""
    p = sigmoid(given.c + v @ W)
    return Expectation(v, p, v.T @ p / len(v), given.mu)


def _free_energy(v: Array, W: Array, b: Array, c: Array) -> Array:
    """Return F(v, x) of each row (section 3.2)."""
    return -(v * b).sum(1) - softplus(c + v @ W).sum(1)
