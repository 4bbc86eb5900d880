"""The rows that measures look at."""

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset, Examples, examples
from boltzcore.models.base import check_binary
from boltzcore.models.fvbm import spins
from boltzcore.parameters import Refusal

ROWS = 5000  # of each split: their mean has a standard error of 0.65 nats on MNIST, the same at every record


def rows_to_measure(dataset: Dataset, seed: int) -> Dataset:
    """At most 5,000 rows of each split, spread over it, with pixels drawn once: the same rows at every record."""
    return dataset.mapped(lambda split: split.spread(ROWS).epoch(0, seed))


def all_rows(dataset: Dataset, seed: int) -> Dataset:
    """All rows of each split, with pixels drawn once."""
    return dataset.mapped(lambda split: split.epoch(0, seed))


def distinct_spins(data: Examples | NDArray) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """(n, d) each row of two values that occurs, once, as spins -1 and +1, and (n,) what its copies weigh together.

    data : Examples, or rows of spins or codes. Raises ValueError where they are not rows of two values.
    """
    rows = data if isinstance(data, Examples) else examples((spins(data) > 0).astype(np.uint8))
    check_binary(rows, "a fully visible machine")
    if rows.gray:
        raise Refusal("data must have two levels for a fully visible machine, not the 256 of gray images.", "data")
    few = rows.distinct()
    assert few.weight is not None
    occurs = few.weight > 0
    return spins(few.v)[occurs], few.weight[occurs]
