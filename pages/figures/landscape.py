"""Every state of a few units as a map of the model and the data."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset
from boltzcore.models.landscape import Landscape
from boltzcore.names import column_names
from boltzcore.quoting import cut, number
from pages.figures.frame import States
from pages.figures.packing import base64_of

SWITCH = ("off", "on")
LONGEST = 24  # characters of a name
_FLOATS, _CODES = "f4", "u2"


def states_of(landscape: Landscape, dataset: Dataset) -> States:
    """Return the values that a browser draws of a landscape and of the training data."""
    n, names = landscape.n_visible, dataset.names
    there, share = occupied_states(dataset)
    texts = names.categories if names and names.categories else [()] * n
    payload = {
        "names": _unit_names(dataset, n),
        "texts": [[cut(text, LONGEST) for text in (*each, *SWITCH[len(each) :])] for each in texts],
        "columns": dataset.shape[1] if dataset.shape else 0,
        "log_z": landscape.log_partition,
        "free_energies": base64_of(landscape.free_energies, _FLOATS),
        "p": base64_of(landscape.probabilities, _FLOATS),
        "there": base64_of(there, _CODES),
        "share": base64_of(share, _FLOATS),
    }
    return States(payload, sentence(landscape, dataset))


@lru_cache(maxsize=16)
def occupied_states(dataset: Dataset) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return (indices of the states of training rows, unit 0 the lowest bit; by weight, the share of the rows)."""
    rows = dataset.train
    share = np.bincount(rows.v @ (1 << np.arange(rows.n_visible)), rows.weight) / rows.total
    there = np.flatnonzero(share)
    return there, share[there]


def mass(landscape: Landscape, dataset: Dataset) -> str:
    """Return the model's probability on the states of the data, in a sentence; "" if data are in all states."""
    there, _ = occupied_states(dataset)
    count, rest = len(there), 2**landscape.n_visible - len(there)
    if not rest:
        return ""
    inside = float(landscape.probabilities[there].sum())
    held = f"The {count:,} states of the data hold" if count > 1 else "The one state of the data holds"
    return f"{held} {number(inside, '.1%')} of the model's probability, the other {rest:,} the rest."


def sentence(landscape: Landscape, dataset: Dataset) -> str:
    """Return the text alternative of the map."""
    p, (there, share) = landscape.probabilities, occupied_states(dataset)
    most = int(p.argmax())
    of_data = float(share[there == most].sum())
    more = f"{len(p):,} states. The most probable one has probability {p[most]:.3f} and is {of_data:.3f} of the data."
    return " ".join(filter(None, (more, mass(landscape, dataset))))


def _unit_names(dataset: Dataset, n: int) -> list[str]:
    """Return the names of the units; of pixels, their places."""
    if dataset.shape is None:
        return [cut(name, LONGEST) for name in column_names(dataset.names, n)]
    rows, columns = dataset.shape
    if rows == 1:
        return [f"pixel {i + 1}" for i in range(n)]
    return [f"pixel {i // columns + 1},{i % columns + 1}" for i in range(n)]
