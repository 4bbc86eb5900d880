"""Recall of a damaged pattern by a fully visible machine, as a strip of states downhill in energy."""

import numpy as np

from boltzcore.data import flip
from boltzcore.inference.recall import recall
from boltzcore.learners.batches import evenly_spaced
from boltzcore.plotting import images
from pages.figures.frame import Choice, Panel, Picture, ViewInputs

PATTERN = "pattern"  # choice
STATES, DAMAGE = 8, 0.2  # states shown of a path, and the share of pixels that are flipped
ABOUT = (
    "A fifth of a pattern's pixels is flipped; then one pixel after the other takes the value that lowers the energy, "
    "as at temperature 0, until none does. The end is a valley of the energy: the pattern, or a false one if the "
    "machine holds too many."
)


def panel(inputs: ViewInputs) -> Panel:
    """Return the pattern, the damaged one, and states of its recall by the model of now."""
    dataset, model = inputs.snapshot.prepared.dataset, inputs.snapshot.state.model
    rows = dataset.train.v
    options = {str(k): f"Pattern {k + 1}" for k in range(len(rows))}
    asked = inputs.chosen.get(PATTERN, "")
    chosen = asked if asked in options else "0"
    row = rows[int(chosen)]
    found = recall(model, flip(row[None], DAMAGE, seed=int(chosen))[0], seed=int(chosen))
    states = found.path[evenly_spaced(len(found.path), STATES)] > 0
    tiles = images.pixel_tiles(np.vstack([row, states]), dataset.shape, columns=STATES + 1)
    wrong = int((states[-1] != row).sum())
    end = "All pixels are right" if not wrong else f"{wrong} of {len(row)} pixels are wrong"
    below = f"{end} after {len(found.path) - 1} changes; the energy fell from {found.energy[0]:.2f} to "
    picture = Picture.from_tiles(tiles, f"The pattern, the damaged pattern, and states of its recall. {end}.")
    choices = (Choice(PATTERN, "Pattern", options, chosen),)
    rest = ": the pattern, the damaged one, states on the way downhill"
    return Panel("Recall", (picture,), rest, ABOUT, f"{below}{found.energy[-1]:.2f}.", choices)
