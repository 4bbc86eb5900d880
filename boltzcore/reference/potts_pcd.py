"""PCD of a Potts model in plain numpy (Tieleman 2008)."""

import numpy as np

from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import Phases


def potts_pcd_update(
    h: Array, J: Array, first: Array, rows: Array, share: Array, chains: Array, draws: Draws, *, rate: float
) -> Phases:
    """Yield the phases of one update; the last phase has the new parameters.

    p(x) ∝ exp(sum_i h_i(x_i) + sum_{i<j} J_ij(x_i, x_j)). The derivative of the log-likelihood in J_ij(a, b) is
    p_data(x_i = a, x_j = b) - p_model(x_i = a, x_j = b), minus its means over a and over b in the zero-sum gauge; for
    h_i(a) it is the same with p(x_i = a). The model term is estimated by chains that continue from the last update with
    one Gibbs sweep: each column in turn, given all others.

    Parameters
    ----------
    h, J : arrays (D,), (D, D)
        Parameters of each value of each column, column by column; J symmetric, 0 within a column.
    first : array (d,)
        Index of each column's first value in h.
    rows, chains : arrays (rows, d), (chains, d) of codes
    share : array (rows,)
        Share of the data in each row.
    draws : Draws
        Column i of a chain takes word i of its row.

    Phases: "data", "start", "column", "chains", "difference", "new". "column" has the chains `x` before the column is
    drawn, the `field` and `p` of its values, `u`, and the value `drawn`.
    """
    D, parts = len(h), np.split(np.arange(len(h)), first[1:])

    def together(x: Array, weight: Array) -> Array:
        ones = np.zeros((len(x), D))
        np.put_along_axis(ones, first + x, 1.0, axis=1)
        return (ones.T * weight) @ ones

    data = together(rows, share)
    yield "data", {"h": h, "J": J, "data": data}

    x = chains.astype(int)
    yield "start", {"x": x}
    u = draws.uniforms(*x.shape)
    for i, part in enumerate(parts):
        others = [j for j in range(len(parts)) if j != i]
        field = h[part] + sum(J[first[j] + x[:, j]][:, part] for j in others)
        p = np.exp(field - field.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        drawn = (np.cumsum(p, axis=1)[:, :-1] <= u[:, [i]]).sum(axis=1)
        yield "column", {"column": np.array(i), "x": x.copy(), "field": field, "p": p, "u": u[:, i], "drawn": drawn}
        x[:, i] = drawn

    model = together(x, np.full(len(x), 1 / len(x)))
    yield "chains", {"x": x, "model": model, "chains": np.array(len(x))}
    slope = data - model
    yield "difference", {"data": data, "model": model, "slope": slope}
    step = np.zeros((D, D))
    for a in parts:
        for b in parts:
            block = slope[np.ix_(a, b)]
            if a is not b:
                step[np.ix_(a, b)] = block - block.mean(axis=0) - block.mean(axis=1, keepdims=True) + block.mean()
    yield "new", {"h": h + rate * np.diag(slope), "J": J + rate * step}
