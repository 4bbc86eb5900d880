"""Learning fully visible machines, against float64 numpy."""

import numpy as np
from numpy.typing import NDArray

from boltzcore.bench.rows import Row, Work, check_same
from boltzcore.data.examples import Examples
from boltzcore.learners import BSLM
from boltzcore.models import FVBM, FVBMSetup


def _numpy_sweep(M: NDArray[np.float64], b: NDArray[np.float64], x: NDArray[np.float64]) -> None:
    """Take one sweep of BSLM in float64 numpy over all rows: BLAS recomputes the fields of each step's columns."""
    n, d = x.shape
    columns = np.ascontiguousarray(x.T)
    for j in range(d):
        b[j] += (columns[j] - np.tanh(x @ M[j] + b[j])).sum() / n
    for j in range(d):
        for k in range(j + 1, d):
            first, second = np.tanh(x @ M[j] + b[j]), np.tanh(x @ M[k] + b[k])
            slope = 2 * columns[j] @ columns[k] - columns[k] @ first - columns[j] @ second
            M[j, k] = M[k, j] = M[j, k] + slope / (2 * n)


def _bslm() -> tuple[Work, Work]:
    sweeps, n, d = 10, 16_000, 20
    rng = np.random.default_rng(0)
    upper = np.triu(rng.normal(0, 0.185, (d, d)), 1)
    x = FVBM(upper + upper.T, rng.normal(0, 0.185, d)).sample(n, seed=0)
    data = Examples((x > 0).astype(np.uint8))
    model = FVBMSetup().initial(data, seed=0)
    learner, floats = BSLM(tau=0), x.astype(np.float64)
    state = learner.start(model, data, seed=0)

    def baseline() -> tuple[NDArray, NDArray]:
        M, b = model.M.copy(), model.b.copy()
        for _ in range(sweeps):
            _numpy_sweep(M, b, floats)
        return M, b

    found, (M, b) = learner.advance(state, data, updates=sweeps).model, baseline()
    check_same("parameters", max(np.abs(found.M - M).max(), np.abs(found.b - b).max()))
    return lambda: learner.advance(state, data, updates=sweeps), baseline


ROWS = {
    "bslm": Row("BSLM, 16,000 rows (10,000 distinct) of 20 columns: ten sweeps", 8.0, 7, _bslm),
}
