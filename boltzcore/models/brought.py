"""Model files that a visitor brings: one that is too large is refused before it is unpacked."""

import math
import threading
import zipfile
from typing import BinaryIO

import numpy as np
from numpy.lib import format as npy

from boltzcore import memory
from boltzcore.arrays import file_name
from boltzcore.models import FVBM, kind_of
from boltzcore.models.fvbm import MOST_UNITS
from boltzcore.parameters import Refusal
from boltzcore.quoting import cut

MOST_NUMBERS = 4_096 * 5_000  # of an array
LARGEST = {"n_visible": 4_096, "n_x": 4_096, "n_hidden": 10_000, "n_units": 10_000}
TAKEN = 16  # bytes for each number while it is read, converted and checked, beside those in the file
READING = threading.Lock()  # held while a file is read: each finds used what the one before it took


def check_size(file: BinaryIO) -> None:
    """Refusal where the model in a file is larger than any that is trained here, or than memory holds: a small file
    may hold millions of zeros, and what is drawn of a model takes hundreds of times its rows. Only the heads of its
    arrays are read; what is wrong with the file otherwise `load` says.
    """
    try:
        kind, needed = kind_of(file), 0
    except ValueError:
        return
    model = kind.__new__(kind)  # of its arrays it has the shapes alone
    for name, (_, ndim) in kind.ARRAYS.items():
        shape, dtype = _head(file, name)
        if (numbers := math.prod(shape)) > MOST_NUMBERS:
            sides = " x ".join(f"{side:,}" for side in shape)
            raise Refusal(
                f"{name} must hold at most {MOST_NUMBERS:,} numbers for a model to be looked into, not "
                f"{cut(sides)} = {numbers:,}.",
                name,
            )
        if len(shape) != ndim:
            raise Refusal(f"{name} must have {ndim} dimension{'s' * (ndim > 1)}, not {len(shape)}.", name)
        needed += numbers * (dtype.itemsize + TAKEN)
        object.__setattr__(model, name, np.broadcast_to(0.0, shape))
    for name, largest in LARGEST.items():
        most = MOST_UNITS if kind is FVBM else largest
        if (n := getattr(model, name, 0)) > most:
            raise Refusal(f"A model must have at most {most:,} {model.SIZES[name]} to be looked into, not {n:,}.")
    if (used := memory.used()) + needed > memory.allowed():
        raise Refusal(
            f"The server's memory does not hold this model now: it takes {_mega(needed)} beside {_mega(used)} that "
            f"are used, of {_mega(memory.allowed())} that may be. Bring it again later."
        )


def _head(file: BinaryIO, name: str) -> tuple[tuple[int, ...], np.dtype]:
    """The shape and type of an array in an .npz file whose list of arrays was checked."""
    try:
        with zipfile.ZipFile(file) as archive, archive.open(f"{name}.npy") as stream:
            npy.read_magic(stream)
            shape, _, dtype = npy.read_array_header_1_0(stream)
            return shape, dtype
    except Exception:  # of zipfile, zlib and numpy, at damage of any kind
        raise Refusal(f"{name} in {file_name(file)} is damaged, or no array as numpy.savez writes it.") from None


def _mega(n: int) -> str:
    return f"{n / memory.MEGA:,.0f} MB"
