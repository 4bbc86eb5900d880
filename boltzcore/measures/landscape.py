"""Energy landscapes of small models: heights over overlaps with two patterns, valleys, and the mixing of chains."""

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels.elementwise import exp_in_double, log_in_double
from boltzcore.quoting import Refusal

MOST = 20  # largest number of units
_FLAT = 1e-9  # nats: smaller differences are rounding


def states_of(rows: NDArray) -> NDArray[np.intp]:
    """Return the indices of rows (n, units) of 0 and 1, or of -1 and +1, (n,); unit 0 is the lowest bit."""
    return (np.asarray(rows) > 0) @ (1 << np.arange(np.shape(rows)[1]))


def overlap_cells(patterns: NDArray) -> NDArray[np.intp]:
    """Return the cell of each state, (2**units,): a * (units + 1) + b if the state agrees with the first of two
    patterns in a units and with the second in b. The overlaps are 2a / units - 1 and 2b / units - 1.

    patterns : (2, units) of 0 and 1, or of -1 and +1
    Raises Refusal if there are more than 20 units.

    >>> import numpy as np
    >>> overlap_cells(np.array([[1, 1], [1, 0]])).tolist()
    [1, 5, 3, 7]
    """
    units = np.shape(patterns)[1]
    if not 1 <= units <= MOST:
        raise Refusal(f"patterns must have 1 to {MOST} units, not {units}.")
    first, second = (units - np.bitwise_count(np.arange(1 << units) ^ each) for each in states_of(patterns))
    return first.astype(np.intp) * (units + 1) + second


def heights(free_energies: NDArray[np.float64], cells: NDArray[np.intp], temperature: float) -> NDArray[np.float64]:
    """Return the height of each cell, (largest cell + 1,): -T log of its states' probability; inf for an empty cell.

    free_energies : (states,) nats, for the model at this temperature (`models.landscape.at_temperature`)
    cells : (states,)

    >>> import numpy as np
    >>> heights(np.zeros(4), np.array([0, 1, 1, 3]), 2.0).round(3).tolist()
    [2.773, 1.386, inf, 2.773]
    """
    lowest = np.full(cells.max() + 1, np.inf)  # subtracted per cell, or its sum would underflow at low temperatures
    np.minimum.at(lowest, cells, free_energies)
    there = np.isfinite(lowest)
    sums = np.bincount(cells, exp_in_double(lowest[cells] - free_energies))[there]
    of_cells = lowest[there] - log_in_double(sums)
    log_partition = -of_cells.min() + np.log(exp_in_double(of_cells.min() - of_cells).sum())
    lowest[there] = temperature * (of_cells + log_partition)
    return lowest


def valleys(free_energies: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the indices of the states from which no change of one unit lowers the energy, and some raise it.

    >>> import numpy as np
    >>> valleys(np.array([0.0, 2.0, 3.0, 1.0])).tolist()
    [0, 3]
    """
    states = np.arange(len(free_energies))
    units = len(states).bit_length() - 1
    changes = np.array([free_energies[states ^ 1 << unit] - free_energies for unit in range(units)])
    return np.flatnonzero((changes.min(axis=0) > -_FLAT) & (changes.max(axis=0) > _FLAT))
