"""The two parts of a contrastive gradient at one hidden unit and their difference, as three aligned images."""

import numpy as np

from boltzcore.measures.activity import covariances
from boltzcore.models import RBM
from boltzcore.observations import Observation
from boltzcore.plotting import images

LARGEST = 128  # pixels that a tile may be high or wide


def pulls(
    model: RBM, observation: Observation, unit: int, shape: tuple[int, int]
) -> tuple[images.Tiles, images.Tiles, images.Tiles] | None:
    """Gradient images of the weights of a hidden unit, as tiles in one scale: the data, the model, their difference.

    observation : with that of `Contrastive.observe`; None before the first update
    """
    chains = observation.get("dreams", observation.get("reconstructions"))
    if chains is None:
        return None
    up, down = (covariances(model, rows, unit) for rows in (observation["batch"], chains))
    each = np.stack([up, down, up - down])
    limit = images.symmetric_limit(each)
    data, of_model, change = (images.weight_tiles(row[None], shape, limit=limit, largest=LARGEST) for row in each)
    return data, of_model, change
