"""Belief propagation, against float32 numpy."""

import numpy as np
from numpy.typing import NDArray

from boltzcore.bench.rbm import sigmoid
from boltzcore.bench.rows import Row, Work, check_same, repeat
from boltzcore.inference import belief_propagation
from boltzcore.inference.beliefs import Beliefs
from boltzcore.models import RBM


def _numpy_propagation(rbm: RBM, iterations: int) -> tuple[NDArray, NDArray]:
    """Return (v, h) of sum-product propagation in float32 numpy, messages as log-odds: two exponentials and a logarithm
    per message.
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


def _propagation() -> tuple[Work, Work]:
    iterations, rng = 10, np.random.default_rng(0)
    W, b, c = (rng.normal(0, s, shape).astype(np.float32) for s, shape in ((0.1, (1000, 500)), (0.5, 1000), (0.5, 500)))
    rbm = RBM(W, b, c)

    def ours() -> Beliefs:
        return belief_propagation(rbm, iterations=iterations, tolerance=0)

    beliefs, (v, h) = ours(), _numpy_propagation(rbm, iterations)
    check_same("beliefs", max(np.abs(beliefs.v - v).max(), np.abs(beliefs.h - h).max()))
    # Five calls, because the first few milliseconds are affected by earlier work.
    return repeat(ours, 5), repeat(lambda: _numpy_propagation(rbm, iterations), 5)


ROWS = {"bp": Row("Sum-product BP, 1000 x 500, 10 iterations: five calls", 3.5, 15, _propagation)}
