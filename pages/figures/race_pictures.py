"""Pictures of the contenders' models, in one scale."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from boltzcore.comparison.result import Result
from boltzcore.comparison.trial import Trial
from boltzcore.models import CRBM, FVBM, RBM, InfiniteRBM, LogLinear, Potts
from boltzcore.models.base import Model
from boltzcore.plotting import images
from boltzcore.training.prepared import PreparedData
from pages.figures import measurements, terms
from pages.figures.frame import Panel, Picture

UNITS, RESTORED = 12, 10  # hidden units and images that a contender shows
ABOUT: Mapping[type[Model], tuple[str, str]] = {
    RBM: (
        "Receptive fields",
        "Weights between a hidden unit and all pixels, for the first hidden units of the first trial. Blue pixels "
        "switch the unit on, red ones off.",
    ),
    FVBM: (
        "Couplings",
        "Couplings of all pairs of columns in the first trial: blue if they tend to be equal, red if they tend to "
        "differ.",
    ),
    LogLinear: (
        "Terms",
        "Total size of the terms that depend on both columns, in the first trial: darker blue is larger.",
    ),
    Potts: (
        "Couplings",
        "Strength of the couplings of all pairs of columns in the first trial: darker blue is stronger.",
    ),
    CRBM: (
        "Restored images",
        "Held-out images, damaged and as restored by the first trial of each contender. White pixels are certainly on.",
    ),
}


def pictures(result: Result) -> Panel | None:
    """Return the newest picture of each contender's first trial; None if there is none yet, or nothing to draw."""
    first = {name: trials[0] for name, trials in result.trials.items()}
    known = {name: each for name, each in first.items() if each.state is not None and _drawn(each.state.model, result)}
    if not known:
        return None
    kind = type(next(iter(known.values())).state.model)  # type: ignore[union-attr]
    title, about = ABOUT[RBM if kind is InfiniteRBM else kind]
    if kind is CRBM:
        return Panel(title, tuple(_restore(known)), ", trial 1", about, even=True)
    drawn = {name: _weights(each.state.model) for name, each in known.items() if each.state is not None}
    limit = max(images.symmetric_limit(images.robust_max(weights)) for weights in drawn.values())
    shape = _shape(result) if issubclass(kind, RBM | InfiniteRBM) else None
    found = []
    for name, weights in drawn.items():
        side = shape or images.square(weights.shape[1]) or (1, weights.shape[1])
        tiles = images.weight_tiles(weights, side, limit=limit)
        found.append(replace(Picture.from_tiles(tiles, f"{title} of {name}.", caption=name), limit=None))
    scale = f"From {measurements.figure(-limit, 2)} in red to {measurements.figure(limit, 2)} in blue."
    return Panel(title, tuple(found), ", trial 1", about, scale, even=True)


def _shape(result: Result) -> tuple[int, int] | None:
    return PreparedData.from_recipe(result.comparison.contenders[0][1]).dataset.shape


def _drawn(model: Model, result: Result) -> bool:
    """True if there is something to draw of a model."""
    images_of_units = isinstance(model, RBM | InfiniteRBM)
    return not images_of_units or (_shape(result) is not None and len(_weights(model)) > 0)


def _weights(model: Model) -> NDArray:
    """Return the drawn parameters of a model, a row for each tile."""
    if isinstance(model, RBM):
        return model.W.T[:UNITS]
    if isinstance(model, InfiniteRBM):
        return model.units[:UNITS, :-1]
    if isinstance(model, FVBM):
        return model.M.reshape(1, -1)
    if isinstance(model, Potts):
        return model.strengths().reshape(1, -1)
    shared = terms.shared_gains(model)
    np.fill_diagonal(shared, 0.0)
    return shared.reshape(1, -1)


def _restore(known: Mapping[str, Trial]) -> Sequence[Picture]:
    """Return the damaged images, and each contender's restorations."""
    found: list[Picture] = []
    for name, standing in known.items():
        recipe, state = standing.recipe, standing.state
        assert state is not None
        prepared = PreparedData.from_recipe(recipe)
        few = (prepared.rows.validation or prepared.rows.test).head(RESTORED)
        epoch = state.epochs(prepared.updates_per_epoch)
        shape, inference = prepared.dataset.shape, recipe.inference(state.count, epoch)
        if few.x is None or shape is None or inference is None:
            continue
        if not found:
            lost = recipe.corruption.lost(len(few), shape, seed=recipe.schedule.seed, split=few.split)
            tiles = images.pixel_tiles(few.x, shape, columns=RESTORED, lost=lost)
            found.append(Picture.from_tiles(tiles, f"{tiles.count} damaged images.", caption="Damaged"))
        tiles = images.pixel_tiles(inference.infer(state.model, few.x).v, shape, columns=RESTORED)
        found.append(Picture.from_tiles(tiles, f"The same images restored by {name}.", caption=name))
    return found
