"""The inner problem of Frank-Wolfe, against float32 numpy, and its insertions, against contrastive divergence."""

import numpy as np
from numpy.typing import NDArray

from boltzcore.bench.rbm import make_blots, sigmoid
from boltzcore.bench.rows import Row, Work, check_same, repeat
from boltzcore.data.examples import Examples
from boltzcore.kernels import random as streams
from boltzcore.learners import CD, FrankWolfe
from boltzcore.learners.batches import updates_per_epoch
from boltzcore.learners.insertion.sampler import WeightedRows
from boltzcore.learners.insertion.search import Inner
from boltzcore.models import InfiniteRBMSetup, RBMSetup
from boltzcore.ticks import idle

LAMBDA = 0.05
UNITS, EPOCHS, ROWS_OF_EPOCH = 20, 200, 10_000


def _numpy_inner(
    model: NDArray[np.float32], data: NDArray[np.float32], w: NDArray[np.float32]
) -> tuple[float, NDArray[np.float32]]:
    """Return (value, gradient) of eq. 9 in float32 numpy: rows with a column of ones, two BLAS products per side."""
    value, gradient = 0.5 * LAMBDA * float(w @ w), np.float32(LAMBDA) * w
    for rows, sign in ((model, 1.0), (data, -1.0)):
        field = rows @ w
        softplus = np.maximum(field, np.float32(0)) + np.log1p(np.exp(-np.abs(field)))
        value += sign * float(softplus.mean(dtype=np.float64))
        gradient += np.float32(sign / len(rows)) * (sigmoid(field) @ rows)
    return value, gradient


def _with_ones(v: NDArray[np.uint8]) -> NDArray[np.float32]:
    return np.column_stack([v, np.ones(len(v), np.uint8)]).astype(np.float32)


def _inner(n_samples: int, n_rows: int) -> tuple[Work, Work]:
    samples, data = make_blots(n_samples, seed=1), make_blots(n_rows)
    w = streams.normal_in_double(data.shape[1] + 1, 0.1, 0, streams.UNIT, 0).astype(np.float32)
    inner = Inner(WeightedRows.from_rows(samples), WeightedRows.from_rows(data), LAMBDA, idle)
    floats = _with_ones(samples), _with_ones(data)
    start = w.astype(np.float64)
    (value, gradient), (other, slope) = inner(start), _numpy_inner(*floats, w)
    check_same("value and gradient", np.abs([value - other, *(gradient - slope)]).max())
    return repeat(lambda: inner(start), 10), repeat(lambda: _numpy_inner(*floats, w), 10)


def _insertions(units: int) -> tuple[Work, Work]:
    """Return two insertions at half of `units` units, and one epoch of CD-10 with as many."""
    data = Examples(make_blots(ROWS_OF_EPOCH))
    learner, cd = FrankWolfe(correction="none", lambda_=0.1, steps=300, rate=0.05), CD(0.05, 100, K=10)
    state = learner.start(InfiniteRBMSetup().initial(data, seed=0), data, seed=0)
    state = learner.advance(state, data, updates=units // 2 - 1)
    other = cd.start(RBMSetup(hidden=units).initial(data, seed=0), data, seed=0)
    epoch = updates_per_epoch(cd, data)
    return lambda: learner.advance(state, data, updates=2), lambda: cd.advance(other.copy(), data, updates=epoch)


ROWS = {
    "frank_wolfe": Row(
        "Frank-Wolfe's inner objective and its gradient, 1,000 samples and 10,000 rows of 784 MNIST-like pixels: ten "
        "passes",
        2.0,
        9,
        lambda: _inner(1_000, 10_000),
    ),
    "frank_wolfe_cd": Row(
        f"{UNITS} units by Frank-Wolfe (two insertions half way, {UNITS // 2} times), against {EPOCHS} epochs of CD-10 "
        f"with {UNITS} (one epoch, {EPOCHS} times), {ROWS_OF_EPOCH:,} rows of 784 MNIST-like pixels",
        0.5,
        3,
        lambda: _insertions(UNITS),
        EPOCHS / (UNITS // 2),
    ),
}
