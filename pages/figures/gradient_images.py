"""What the latest update of contrastive learning pulled up and down, at one hidden unit, as three aligned images."""

from dataclasses import dataclass

import numpy as np

from boltzcore.measures.activity import covariances
from boltzcore.models import RBM
from boltzcore.observations import Observation
from boltzcore.plotting import images

LARGEST = 128  # pixels that a tile may be high or wide


@dataclass(frozen=True)
class Pulls:
    """What pulled at the weights of a hidden unit.

    data, model, difference : tiles of one scale, that goes to `limit`
    images : of the mini-batch
    """

    data: images.Tiles
    model: images.Tiles
    difference: images.Tiles
    limit: float
    images: int


def pulls(model: RBM, observation: Observation, unit: int, shape: tuple[int, int]) -> Pulls | None:
    """The pulls on one unit, from an observation with that of `Contrastive.observe`; None before the first update."""
    chains = observation.get("dreams", observation.get("reconstructions"))
    if chains is None:
        return None
    up, down = (covariances(model, rows, unit) for rows in (observation["batch"], chains))
    limit = images.symmetric_limit(np.stack([up, down, up - down]))
    data, of_model, difference = (
        images.weight_tiles(each[None], shape, limit=limit, largest=LARGEST) for each in (up, down, up - down)
    )
    return Pulls(data, of_model, difference, limit, len(observation["batch"]))
