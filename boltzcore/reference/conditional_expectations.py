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


def perceptron_loss(W: Array, given: Instances, *, draws: Draws, start: Array, K: int) -> PhasesThen[Expectation]:
    """Find the sample of lowest free energy, if that is below the data's: CD-PercLoss (Mnih et al. 2011).

    Parameters
    ----------
    W, given, draws, K
        As in `contrastive_divergence`.
    start : array (rows, n)
        Uniforms of the chain's start, a draw from the logistic regression alone: v ~ sigma(b).

    Yields
    ------
    phase : {"start", "hidden", "visible", "energy"}
        "energy" has those of the data and of the K samples (rows, K + 1), and which is taken, 0 for the data.
    """
    v, b, c, _ = given
    at = draws.from_uniforms(b, start)
    yield "start", at._asdict() | {"v": at.on}
    chain, best = at.on, v.astype(float)
    energies, taken = [_free_energy(v, W, b, c)], np.zeros(len(v), int)
    for k in range(1, K + 1):
        chain = yield from gibbs_steps(chain, W, b, c, draws, range(k - 1, k))
        energies.append(_free_energy(chain, W, b, c))
        lower = energies[k] < np.min(energies[:k], axis=0) - 1e-9  # an equal state is not lower, whatever its rounding
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
        "max" decides the hidden units too, also those of the data; "mixed" sums them out.

    Yields
    ------
    phase : {"augmented", "begin", "iteration"}
    """
    augmented = given._replace(b=given.b + 1 - 2 * given.v)  # each unit unlike the data gains 1
    yield "augmented", {"b": augmented.b}
    propagate = partial(belief_propagation, W, kind=kind, iterations=iterations, tolerance=tolerance)
    found = yield from _infer(augmented, propagate)
    v, h = (np.round(each) for each in _marginals(found))
    return _at(v, W, given) if kind == "mixed" else _independent(v, h, np.round(given.mu))


def _infer(given: Instances, inference: Callable[[Array, Array], Iterator[Beliefs]]) -> PhasesThen[list[Beliefs]]:
    """Yield the iterations of one row after the other; return the beliefs of each."""
    found = []
    for row, (b, c) in enumerate(zip(given.b, given.c, strict=True)):
        for beliefs in inference(b, c):
            yield "iteration" if len(beliefs.residuals) else "begin", {"row": row, **beliefs._asdict()}
        found.append(beliefs)
    return found


def _marginals(found: list[Beliefs]) -> tuple[Array, Array]:
    return np.array([beliefs.v for beliefs in found]), np.array([beliefs.h for beliefs in found])


def _independent(v: Array, h: Array, data_h: Array) -> Expectation:
    """Return v (rows, n) and h (rows, m), which are independent in each row."""
    return Expectation(v, h, v.T @ h / len(v), data_h)


def _at(v: Array, W: Array, given: Instances) -> Expectation:
    """Return v (rows, n) with p(h | v, x)."""
    return _independent(v, sigmoid(given.c + v @ W), given.mu)


def _free_energy(v: Array, W: Array, b: Array, c: Array) -> Array:
    """Return F(v, x) of each row (section 3.2)."""
    return -(v * b).sum(1) - softplus(c + v @ W).sum(1)
