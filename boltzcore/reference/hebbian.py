"""Hebb's rule in plain numpy (Hopfield 1982): store one pattern in a network of units -1 and +1."""

import numpy as np

from boltzcore.reference.draws import Array
from boltzcore.reference.rbm import Phases


def hebbian_update(M: Array, x: Array, weight: float) -> Phases:
    """Yield the phases of the storage of one pattern; the last phase has the new couplings.

    Parameters
    ----------
    M : array (d, d)
        Couplings, symmetric with a zero diagonal, before the update.
    x : array (d,) of -1 and +1
        The pattern.
    weight : float
        Number of times that it is stored.

    Phases: "pattern" with `x`; "new" with the `change` of the couplings and `M` after it.
    """
    yield "pattern", {"x": x}

    change = weight * x[:, None] * x[None, :] / len(x)
    np.fill_diagonal(change, 0.0)  # no unit is coupled to itself
    yield "new", {"change": change, "M": M + change}
