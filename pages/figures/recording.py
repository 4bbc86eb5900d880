"""Digits that a trained model generates, recorded, so that no visitor waits for kernels.

`python -m pages.figures.recording` records assets/recorded.npz; the digits are the same everywhere.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from boltzcore.home import ASSETS, asset
from boltzcore.inference.particles import particles
from pages.figures.hidden_unit import digits_model

FILE = "recorded.npz"
FRAMES, SHOWN = 20, 36


@cache
def load_recording() -> NDArray[np.uint8]:
    """Return fantasy particles of a model, (20, 36, 784) of 0/1: pictures of 28 x 28 pixels, ten Gibbs transitions from
    frame to frame.
    """
    with np.load(asset(FILE)) as kept:
        return np.unpackbits(kept["dreams"], axis=-1)


def record(frames: int) -> NDArray[np.uint8]:
    """Return the first frames of the recording, beginning with noise, of a model that was trained on 60,000 digits by
    python -m boltzcore train --learner PCD --data mnist --set hidden=100 --set rate=0.02 --set batch_size=100 --set K=2
    --epochs 60 --out assets/mnist-rbm.npz
    """
    view, seen = None, []
    for step in range(frames):
        view = particles(digits_model(), view, seed=0, step=step)
        seen.append(view["particles"][:SHOWN])
    return np.array(seen)


if __name__ == "__main__":
    np.savez_compressed(ASSETS / FILE, dreams=np.packbits(record(FRAMES), axis=-1))
