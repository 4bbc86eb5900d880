"""Model files of visitors: one that is too large is refused before it is unpacked, as a small file may hold millions of
zeros.
"""

import threading
import zipfile
from typing import BinaryIO

from boltzcore import memory, models
from boltzcore.arrays import array_names
from boltzcore.models import FVBM
from boltzcore.models.base import Model
from boltzcore.models.fvbm import MOST_UNITS
from boltzcore.parameters import Refusal

MOST_BYTES = 4 * 4_096 * 5_000
LARGEST = {"n_visible": 4_096, "n_x": 4_096, "n_hidden": 10_000, "n_units": 10_000}
_TIMES = 5  # the bytes in the file that reading, converting and checking them takes
_reading = threading.Lock()  # each visitor finds used what the one before took


def load_brought(file: BinaryIO) -> Model:
    """Return the model in a file. Refusal naming the file and what is wrong with it, and if the model is larger than
    any that is trained here, or than memory holds.
    """
    with _reading:
        array_names(file)  # checks the list that is read next
        with zipfile.ZipFile(file) as archive:
            held = sum(member.file_size for member in archive.infolist())
        if held > MOST_BYTES:
            raise Refusal(f"A model must take at most {_mega(MOST_BYTES)} to be inspected, not {_mega(held)}.")
        if (used := memory.used()) + _TIMES * held > memory.allowed():
            raise Refusal(
                f"The server does not have enough memory for this model: it takes {_mega(_TIMES * held)}, and "
                f"{_mega(used)} of {_mega(memory.allowed())} are used. Upload it again later."
            )
        model = models.load(file)
    for name, largest in LARGEST.items():
        most = MOST_UNITS if isinstance(model, FVBM) else largest
        if (n := getattr(model, name, 0)) > most:
            raise Refusal(f"A model must have at most {most:,} {model.SIZES[name]} to be inspected, not {n:,}.")
    return model


def _mega(n: int) -> str:
    return f"{n / memory.MEGA:,.0f} MB"
