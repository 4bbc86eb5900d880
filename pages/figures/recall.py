"""Recall of a damaged pattern by a fully visible machine or an RBM, as a strip of states downhill in energy."""

import numpy as np

from boltzcore.inference.recall import recall
from boltzcore.learners.batches import evenly_spaced
from boltzcore.plotting import images
from boltzcore.quoting import number
from pages.figures.frame import Choice, Panel, Picture, ViewInputs

PATTERN = "pattern"  # choice
STATES, DAMAGED = 8, 5  # states shown of a path; one pixel of this number is flipped
ABOUT = (
    "A fifth of a pattern's pixels are flipped; then the energy falls, as at temperature 0, until it cannot fall "
    "further: one pixel after another takes the value of lower energy, in an RBM all hidden units and all pixels in "
    "turn. The end is a valley of the energy: the pattern, or a false one if the machine stores too many."
)


def panel(inputs: ViewInputs) -> Panel:
    """Return the pattern, the damaged one, and states of its recall by the model of now."""
    dataset, model = inputs.snapshot.prepared.dataset, inputs.snapshot.state.model
    rows = dataset.train.v
    options = {str(k): f"Pattern {k + 1}" for k in range(len(rows))}
    chosen = inputs.number(PATTERN, range(len(rows)))
    row = rows[chosen]
    start = row.copy()
    start[np.random.default_rng(chosen).permutation(len(row))[: len(row) // DAMAGED]] ^= 1
    found = recall(model, start, seed=chosen)
    states = found.path[evenly_spaced(len(found.path), STATES)] > 0
    tiles = images.pixel_tiles(np.vstack([row, states]), dataset.shape, columns=STATES + 1)
    wrong = int((states[-1] != row).sum())
    end = "All pixels are right" if not wrong else f"{wrong} of {len(row)} pixels are wrong"
    first, last = (number(found.energy[k], ".2f") for k in (0, -1))
    below = f"{end} after {len(found.path) - 1} steps; the energy was {first} and is {last}."
    picture = Picture.from_tiles(tiles, f"The pattern, the damaged pattern, and states of its recall. {end}.")
    choices = (Choice(PATTERN, "Pattern", options, str(chosen)),)
    rest = ": the pattern, the damaged one, states on the way downhill"
    return Panel("Recall", (picture,), rest, ABOUT, below, choices)
