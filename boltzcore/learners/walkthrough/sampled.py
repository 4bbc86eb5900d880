"""The trace of a step by chains of a Boltzmann machine without hidden units: one chain's sweep, unit by unit, the means
of data and of all chains, and what parameters move by; all of codes 0 and 1.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.kernels.random import GIBBS, uniforms
from boltzcore.learners.walkthrough.trace import Phase, UpdateTrace
from boltzcore.models import FVBM

Floats = NDArray[np.float64]


def trace_of_chains(
    state: Any, after: Any, machines: tuple[FVBM, FVBM], data: Floats, slope: Floats, rate: float, row: int
) -> UpdateTrace:
    """The update from `state` to `after`, and the chain `row` in it.

    machines : the distributions of spins before and after
    data : means of each column's code and of each two columns' product, in the order of theta
    slope : `data` less the same of all chains

    The phases "unit" have the number of the `unit` that is drawn, the code `x` of all before, its `field`, `p` and `u`,
    and whether it comes to be `on`. theta are the parameters of codes: of each column, then of each two.
    """
    theta, new = (of_codes(machine) for machine in machines)
    start, end = (((each.chains[row] + 1) // 2).astype(np.uint8) for each in (state, after))
    phases = [
        Phase("data", 0, {"theta": theta, "data": data}),
        Phase("start", 0, {"x": start}),
        *_sweep(machines[0], start, end, uniforms(state.seed, GIBBS, state.count, row, len(start))),
        Phase("chains", 0, {"x": end, "model": data - slope, "chains": np.array(len(state.chains))}),
        Phase("difference", 0, {"data": data, "model": data - slope, "slope": slope}),
        Phase("new", 1, {"theta": new, "slope": slope, "step": rate * slope}),
    ]
    return UpdateTrace("sampled", tuple(phases), (state.model, after.model), after, row)


def _sweep(machine: FVBM, start: NDArray[np.uint8], end: NDArray[np.uint8], u: NDArray[np.float32]) -> Iterator[Phase]:
    """Unit by unit: those before it are drawn already, those after it are not."""
    d = len(start)
    x = np.where(np.tri(d, k=-1, dtype=np.bool_), end, start)
    fields = 2.0 * machine.field(2.0 * x - 1.0).diagonal()  # log-odds: summed in the order in which the chain sums
    p = 1.0 / (1.0 + exp_in_double(-fields))
    for i in range(d):
        arrays = {"unit": np.array(i), "x": x[i], "field": fields[i : i + 1], "p": p[i : i + 1], "u": u[i : i + 1]}
        yield Phase("unit", 0, {**arrays, "on": end[i : i + 1]})


def of_codes(machine: FVBM) -> Floats:
    """(q,) parameters of the same law of codes x = (1 + s) / 2: of each x_i, then of each x_i x_j."""
    pairs = 4.0 * machine.M
    return np.concatenate([2.0 * machine.b - pairs.sum(axis=1) / 2.0, pairs[np.triu_indices(len(machine.b), 1)]])
