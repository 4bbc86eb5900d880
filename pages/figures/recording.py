"""Pictures to show while kernels are compiled, recorded with the kernels of another machine.

`python -m pages.figures.recording` records assets/recorded.npz, in about a minute; the digits are the same everywhere.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from boltzcore.home import ASSETS, asset
from boltzcore.inference.particles import particles
from boltzcore.measures import MeasureContext
from boltzcore.models import RBM
from boltzcore.observations import observe_rbm
from boltzcore.training.prepared import PreparedData
from boltzcore.training.presets import PRESETS

FILE = "recorded.npz"
FRAMES, SHOWN = 20, 36
EPOCHS = 60.0  # of the first preset: by then its digits are readable


@cache
def load_recording() -> dict[str, NDArray]:
    """Return the recording, pictures of 28 x 28 pixels.

    dreams : (20, 36, 784) uint8 fantasy particles of the machine on Start, ten Gibbs transitions from frame to frame
    learning : (20, 36, 784) uint8 those of the first preset at these moments of its training
    epochs : (20,) the moments
    """
    with np.load(asset(FILE)) as kept:
        films = {name: np.unpackbits(kept[name], axis=-1) for name in ("dreams", "learning")}
        return films | {"epochs": kept["epochs"]}


def write() -> None:
    """Record the pictures."""
    learnt, epochs = learning(FRAMES)
    packed = {name: np.packbits(film, axis=-1) for name, film in {"dreams": dreams(FRAMES), "learning": learnt}.items()}
    np.savez_compressed(ASSETS / FILE, epochs=epochs, **packed)  # type: ignore[arg-type]


def dreams(frames: int) -> NDArray[np.uint8]:
    """Return (frames, 36, 784) fantasy particles of the machine on Start, beginning with noise."""
    model, view, seen = RBM.load(asset("mnist-rbm.npz")), None, []
    for step in range(frames):
        view = particles(model, view, seed=0, step=step)
        seen.append(view["particles"][:SHOWN])
    return np.array(seen)


def learning(frames: int) -> tuple[NDArray, NDArray]:
    """Return ((frames, 36, 784) fantasy particles of the first preset during its training; epochs)."""
    recipe = next(iter(PRESETS.values())).recipe
    prepared, seed = PreparedData.from_recipe(recipe), recipe.schedule.seed
    rows, per_epoch = prepared.dataset.train, prepared.updates_per_epoch
    last = round(EPOCHS * per_epoch)
    counts = [0, *np.rint(np.geomspace(1, last, FRAMES - 1)).astype(int).tolist()][:frames]
    state, view, seen = recipe.learner.start(recipe.model.initial(rows, seed=seed), rows, seed=seed), None, []
    for count in counts:
        if count > state.count:
            state = recipe.learner.advance(state, rows, updates=count - state.count)
        view = observe_rbm(state, view, None, MeasureContext(seed, state.count))
        seen.append(view["particles"][:SHOWN])
    return np.array(seen), np.array(counts, np.float32) / per_epoch


if __name__ == "__main__":
    write()
