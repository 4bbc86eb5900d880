"""BM-PCD in plain numpy: PCD of a Boltzmann machine without hidden units (Takabatake and Akaho, eq. 1 and 2)."""

import numpy as np
from scipy.special import expit

from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import Phases


def pairwise_pcd_update(theta: Array, rows: Array, share: Array, chains: Array, draws: Draws, *, rate: float) -> Phases:
    """Yield the phases of one update; the last phase has the new parameters.

    p(x) ∝ exp(sum_i theta_i x_i + sum_{i<j} theta_ij x_i x_j), eq. 1. The gradient of the log-likelihood is
    <x_i x_j>_data - <x_i x_j>_model (eq. 2), for theta_i with <x_i>. The model term is estimated by chains that
    continue from the last update with one Gibbs sweep: each unit in turn, given all others.

    Parameters
    ----------
    theta : array (d, d)
        Symmetric; theta_i on the diagonal, as x_i x_i = x_i.
    rows, chains : arrays (rows, d), (chains, d) of 0 and 1
    share : array (rows,)
        Share of the data in each row.
    draws : Draws
        Unit i of a chain takes word i of its row. The kernel also sums in float64, so no draw is a tie.

    Phases: "data", "start", "unit", "chains", "difference", "new". "unit" has the chains `x` before the unit is drawn,
    its log-odds `field`, `p`, `u`, and its values `on`.
    """
    data = (rows.T * share) @ rows
    yield "data", {"theta": theta, "data": data}

    x = chains.astype(float)
    yield "start", {"x": x}
    u = draws.uniforms(*x.shape)
    for i in range(len(theta)):
        others = np.delete(np.arange(len(theta)), i)
        field = theta[i, i] + x[:, others] @ theta[others, i]
        p = expit(field)
        on = u[:, i] < p
        yield "unit", {"unit": np.array(i), "x": x.copy(), "field": field, "p": p, "u": u[:, i], "on": on}
        x[:, i] = on

    model = x.T @ x / len(x)
    yield "chains", {"x": x, "model": model, "chains": np.array(len(x))}
    yield "difference", {"data": data, "model": model, "slope": data - model}
    yield "new", {"theta": theta + rate * (data - model), "slope": data - model}
