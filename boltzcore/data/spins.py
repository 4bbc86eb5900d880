"""Rows of two values in the form for a fully visible machine."""

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.models.fvbm import check_two_valued, spins


def distinct_spins(data: Examples | NDArray) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """Return each distinct row of two values as spins -1 and +1, (n, d), and the total weight of its copies, (n,).

    data : Examples, or rows of spins or codes. Raises Refusal if they are not rows of two values.
    """
    rows = data if isinstance(data, Examples) else examples((spins(data) > 0).astype(np.uint8))
    check_two_valued(rows)
    few = rows.distinct()
    assert few.weight is not None
    occurs = few.weight > 0
    return spins(few.v)[occurs], few.weight[occurs]
