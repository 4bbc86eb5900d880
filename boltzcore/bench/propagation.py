"""Belief propagation, against float32 numpy and against the paper's equations."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from boltzcore.bench import rows
from boltzcore.bench.rbm import sigmoid
from boltzcore.bench.rows import Row, Work, repeated
from boltzcore.inference import Beliefs, belief_propagation
from boltzcore.models import RBM


def _numpy_propagation(rbm: RBM, iterations: int) -> tuple[NDArray, NDArray]:
    """(v, h) of sum-product propagation in float32 numpy, messages as log-odds: two exponentials and a logarithm a
    message.
    """
    W, one = rbm.W, np.float32(1)
    factors = np.exp(W)

    def through(field: NDArray, message: NDArray) -> NDArray:
        odds = np.exp(field - message)
        return np.log((one + factors * odds) / (one + odds))

    up, down = np.zeros_like(W), np.zeros_like(W)
    for _ in range(iterations):
        up = through(rbm.c + down.sum(axis=0), down)
        down = through((rbm.b + up.sum(axis=1))[:, None], up)
    return sigmoid(rbm.b + up.sum(axis=1)), sigmoid(rbm.c + down.sum(axis=0))


def _transcribed_propagation(rbm: RBM, iterations: int) -> tuple[NDArray, NDArray]:
    """(v, h) of sum-product propagation as the paper writes it, in float64 numpy: Ping and Ihler, Algorithm 1 with eq.
    13, 14, 16, 17.
    """
    W, b, c = rbm.W.astype(np.float64), rbm.b.astype(np.float64), rbm.c.astype(np.float64)
    M_vh, M_hv = np.full(W.shape, 0.5), np.full(W.shape[::-1], 0.5)
    tau_v, tau_h = sigmoid(b), sigmoid(c)
    for _ in range(iterations):
        L1, L2 = (1 - M_hv).T * tau_h, M_hv.T * (1 - tau_h)
        M_vh = sigmoid(np.log((np.exp(W) * L1 + L2) / (L1 + L2)))
        tau_v = sigmoid(b + np.log(M_vh / (1 - M_vh)).sum(axis=1))
        L1, L2 = (1 - M_vh).T * tau_v, M_vh.T * (1 - tau_v)
        M_hv = sigmoid(np.log((np.exp(W.T) * L1 + L2) / (L1 + L2)))
        tau_h = sigmoid(c + np.log(M_hv / (1 - M_hv)).sum(axis=1))
    return tau_v, tau_h


def _propagation(baseline: Callable[[RBM, int], tuple[NDArray, NDArray]]) -> tuple[Work, Work]:
    iterations, rng = 10, np.random.default_rng(0)
    rbm = RBM(
        *(
            rng.normal(0, deviation, shape).astype(np.float32)
            for deviation, shape in ((0.1, (1000, 500)), (0.5, 1000), (0.5, 500))
        )
    )

    def ours() -> Beliefs:
        return belief_propagation(rbm, iterations=iterations, tolerance=0)

    beliefs, (v, h) = ours(), baseline(rbm, iterations)
    if (apart := max(np.abs(beliefs.v - v).max(), np.abs(beliefs.h - h).max())) > rows.SAME:
        raise ValueError(
            f"beliefs must be within {rows.SAME:g} of the baseline's, not {apart:.2g} away: their times say nothing."
        )
    # Five calls: the first of some milliseconds pays for what ran before it.
    return repeated(ours, 5), repeated(lambda: baseline(rbm, iterations), 5)


ROWS = {
    "bp": Row(
        "Sum-product BP, 1000 x 500, 10 iterations: five calls", 3.5, 15, lambda: _propagation(_numpy_propagation)
    ),
    "bp_two_threads": Row(
        "Sum-product BP, 1000 x 500, 10 iterations: five calls, wall time on two threads",
        6.0,
        15,
        lambda: _propagation(_numpy_propagation),
        threads=2,
    ),
    "bp_transcription": Row(
        "Sum-product BP, 1000 x 500, 10 iterations: five calls, against the paper's equations in float64",
        20.0,
        7,
        lambda: _propagation(_transcribed_propagation),
    ),
}
