"""Mean field in RBMs, and in conditional RBMs for many inputs at once (Peterson and Anderson 1987)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.inference.beliefs import Beliefs, weights_and_biases
from boltzcore.inference.propagation import check
from boltzcore.kernels import dense
from boltzcore.kernels.elementwise import sigmoid
from boltzcore.models import CRBM, RBM
from boltzcore.threads import share
from boltzcore.ticks import Tick, idle

BLOCK = 64  # rows at a time: results do not depend on the number of threads


def mean_field(
    model: RBM | CRBM,
    x: ArrayLike | None = None,
    *,
    iterations: int = 50,
    tolerance: float = 1e-3,
    damping: float = 0.0,
    tick: Tick = idle,
) -> Beliefs:
    """Infer mean-field marginals of an RBM, or of a CRBM given one input x (n_x,) or rows of them (n, n_x).

    Each iteration updates v = sigmoid(b + W h), then h = sigmoid(c + W' v). It starts from v = sigmoid(b), given by the
    input alone, and from h given that v. (From h = sigmoid(c), as if v were 0, models learnt by contrastive divergence
    converge to poor fixed points.) Arguments and errors are those of `belief_propagation`; damping is the share of the
    old marginal in the new one.

    >>> import numpy as np
    >>> from boltzcore.inference import mean_field
    >>> from boltzcore.models import RBM
    >>> [round(float(p), 2) for p in mean_field(RBM(np.ones((2, 1)), np.zeros(2), np.zeros(1))).v]
    [0.69, 0.69]
    """
    check(iterations, tolerance, damping)
    W, b, c, is_one = weights_and_biases(model, x)
    v, h, residuals, ran = settle(W, b, c, iterations, tolerance, damping, tick)
    converged = (ran > 0) & (residuals[np.arange(len(b)), ran - 1] < tolerance)
    found = Beliefs(v, h, residuals[:, : ran.max(initial=0)], converged, ran)
    return found.single() if is_one else found


def settle(
    W: NDArray[np.float32],
    b: NDArray[np.float32],
    c: NDArray[np.float32],
    iterations: int,
    tolerance: float,
    damping: float,
    tick: Tick = idle,
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]:
    """Return (v, h, residuals, iterations run) of instances with biases b (n, n_visible) and c (n, n_hidden)."""
    right, back = dense.whole(W), dense.whole(W.T)
    v, h = sigmoid(b), np.empty_like(c)
    residuals, ran = np.full((len(b), iterations), np.nan, np.float32), np.zeros(len(b), np.int64)
    kept = np.float32(damping)

    def work(low: int, high: int) -> None:
        for block in range(low, high):
            moving = np.arange(block * BLOCK, min((block + 1) * BLOCK, len(b)))
            h[moving] = sigmoid(dense.product(v[moving], right, c[moving]))
            for t in range(iterations):
                if low == 0:
                    tick((block + t / iterations) / max(high, 1))
                before_v, before_h = v[moving], h[moving]
                v[moving], h[moving] = update(right, back, b[moving], c[moving], before_v, before_h, kept)
                change = np.maximum(np.abs(v[moving] - before_v).max(axis=1), np.abs(h[moving] - before_h).max(axis=1))
                residuals[moving, t], ran[moving] = change, t + 1
                moving = moving[change >= tolerance]
                if not len(moving):
                    break

    share(work, -(-len(b) // BLOCK), least=1)
    return v, h, residuals, ran


def update(
    right: NDArray[np.float32],
    back: NDArray[np.float32],
    b: NDArray[np.float32],
    c: NDArray[np.float32],
    v: NDArray[np.float32],
    h: NDArray[np.float32],
    kept: np.float32,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return (v, h) of rows after one more iteration; right, back : W and its transpose, as from `dense.whole`."""
    v = sigmoid(dense.product(h, back, b)) * (1 - kept) + kept * v
    return v, sigmoid(dense.product(v, right, c)) * (1 - kept) + kept * h
