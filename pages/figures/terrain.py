"""The energy landscape of a small machine at several temperatures, on the overlaps with two patterns or on a cube."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.drawn import Patterns
from boltzcore.data.examples import Dataset, Examples
from boltzcore.learners import Hebbian
from boltzcore.measures.landscape import heights, overlap_cells, states_of, valleys
from boltzcore.models import FVBM, RBM
from boltzcore.models.landscape import at_temperature
from boltzcore.quoting import number
from pages.figures.frame import Terrain
from pages.figures.packing import base64_of

TEMPERATURES = (0.125, 0.18, 0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
LEARNS = TEMPERATURES.index(1.0)  # the temperature of the model itself
MOST, MOST_PRODUCTS = 16, 2**20  # visible units; states times hidden units
CUBE = 3  # units whose states are the corners of a cube
CORNERS = ((0.62, 0.0), (0.38, 0.34), (0.0, 0.66))  # to the right, to the back and up, for each unit that is on
_FLOATS, _CODES = "f4", "u2"


def drawable(model: object, rows: int) -> bool:
    """Return whether a model, with this number of different rows of data, has a landscape that can be drawn."""
    if not isinstance(model, FVBM | RBM) or model.n_visible > MOST or (rows < 2 and model.n_visible != CUBE):
        return False
    return isinstance(model, FVBM) or model.n_hidden << model.n_visible <= MOST_PRODUCTS


def terrain_of(
    model: FVBM | RBM,
    rows: NDArray,
    names: Sequence[str],
    *,
    share: NDArray | None = None,
    columns: int = 0,
) -> Terrain:
    """Return the values that a browser draws of a landscape.

    rows : (k, units) different rows of data, those first whose overlaps span the map; names : of the first rows
    share : (k,) of the data in each row, for the edges that show where learning digs and fills
    columns : of the pictures of states; 0 if they are no pictures
    """
    units, of_rows = model.n_visible, states_of(rows)
    cube = units == CUBE
    cells = np.arange(1 << units) if cube else overlap_cells(rows[:2])
    keys = np.unique(cells)
    laws = [at_temperature(model, T).landscape(MOST) for T in TEMPERATURES]
    found = [heights(law.free_energies, cells, T)[keys] for T, law in zip(TEMPERATURES, laws, strict=True)]
    F = laws[LEARNS].free_energies
    groups = [
        {
            "name": name,
            "states": base64_of(states, _CODES),
            "p": [float(law.probabilities[states].sum()) for law in laws],
        }
        for name, states in (corners() if cube else group_states(F, of_rows, names))
    ]
    payload = {
        "units": units,
        "columns": columns,
        "model": {name: base64_of(getattr(model, name), _FLOATS) for name in model.ARRAYS},
        "temperatures": TEMPERATURES,
        "learns": LEARNS,
        "heights": [base64_of(each, _FLOATS) for each in found],
        "keys": keys.tolist(),
        "places": _places(keys, units),
        "links": [(k, k | 1 << i) for k in range(8) for i in range(CUBE) if not k >> i & 1] if cube else [],
        "patterns": [] if cube else of_rows[:2].tolist(),
        "names": [] if cube else names[:2],
        "groups": groups,
        "share": None if share is None else np.bincount(cells[of_rows], share, len(cells))[keys].tolist(),
        "deepest": np.flatnonzero(F - F.min() < 1e-6).tolist(),
    }
    law = ", ".join(f"{each['name']} {number(each['p'][LEARNS], '.3f')}" for each in groups)
    return Terrain(payload, f"Energy landscape of {len(F):,} states. Probabilities at temperature 1: {law}.")


def corners() -> list[tuple[str, NDArray[np.intp]]]:
    """Return the eight states of three units, each by itself, in the order of binary numbers."""
    return [(f"{k:03b}", np.array([int(f"{k:03b}"[::-1], 2)])) for k in range(8)]


def group_states(
    free_energies: NDArray[np.float64], rows: NDArray[np.intp], names: Sequence[str]
) -> list[tuple[str, NDArray[np.intp]]]:
    """Return the states of the data, their reversals and the false valleys, as (name, states) of those that exist."""
    untaught = np.setdiff1d(valleys(free_energies), rows)
    is_reversed = np.isin(len(free_energies) - 1 - untaught, rows)
    found = [(name, rows[k : k + 1]) for k, name in enumerate(names)]
    others = ("Other data", rows[len(names) :]), ("Reversed", untaught[is_reversed])
    others += (("False valleys", untaught[~is_reversed]),)
    return found + [(f"{name} ({len(each)})", each) for name, each in others if len(each)]


@lru_cache(maxsize=16)
def rows_of(dataset: Dataset) -> tuple[NDArray, NDArray]:
    """Return ((k, units) different training rows in the order in which they first occur, (k,) share of each)."""
    rows = dataset.train
    _, first, place = np.unique(states_of(rows.v), return_index=True, return_inverse=True)
    order = np.argsort(first)
    return rows.v[first[order]], np.bincount(place, rows.weight)[order] / rows.total


@dataclass(frozen=True)
class MemoryNetwork:
    """A machine of a few units that stores pictures.

    rows : (k, units) pixels; names : of the pictures
    """

    machine: FVBM
    rows: NDArray
    names: tuple[str, ...] = ()

    @cached_property
    def terrain(self) -> Terrain:
        """Landscape of the machine, as a browser draws it."""
        return terrain_of(self.machine, self.rows, self.names, columns=4 if self.names else 0)

    def state(self, picture: int, wrong: Sequence[int] = ()) -> int:
        """Return the state of a picture of which some pixels are wrong."""
        return int(states_of(self.rows[[picture]])[0]) ^ sum(1 << pixel for pixel in wrong)


def hopfield(pictures: Mapping[str, str], weights: Sequence[float] = ()) -> MemoryNetwork:
    """Return a Hopfield network of 4 x 4 pictures {name: four hexadecimal digits, one for each line}.

    weights : the strength of each picture; all equal if empty
    """
    rows, learner = Patterns(side=4, bits="".join(pictures.values())).load().train.v, Hebbian()
    data = Examples(rows, weight=np.array(weights or [1.0] * len(rows)))
    empty = learner.start(FVBM(np.zeros((16, 16)), np.zeros(16)), data, seed=0)
    return MemoryNetwork(learner.advance(empty, data, updates=len(rows)).model, rows, tuple(pictures))


def three_units(pair: float, biases: Sequence[float]) -> MemoryNetwork:
    """Return three units of which the first two are coupled."""
    M = np.zeros((CUBE, CUBE))
    M[0, 1] = M[1, 0] = pair
    return MemoryNetwork(FVBM(M, np.array(biases)), np.zeros((0, CUBE)))


def _places(keys: NDArray[np.intp], units: int) -> list[tuple[float, float]]:
    """Return the places of cells, in a square of side 1 from its upper left corner on."""
    if units == CUBE:
        right, up = ((keys[:, None] >> np.arange(CUBE) & 1) @ np.array(CORNERS)).T
    else:
        right, up = keys // (units + 1) / units, keys % (units + 1) / units
    return list(zip(right.tolist(), (1 - up).tolist(), strict=True))
