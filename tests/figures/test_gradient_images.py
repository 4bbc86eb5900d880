"""The three pictures of what pulls at the weights of a hidden unit."""

import numpy as np
import pytest

from boltzcore.measures.activity import covariances
from boltzcore.plotting import images
from pages.figures import gradient_images
from tests.models import exact

RBM = exact.random_rbm(12, 3)
BATCH, DREAMS = ((np.random.default_rng(i).random((60, 12)) < 0.5).astype(np.uint8) for i in (1, 2))


@pytest.mark.parametrize("ends", ["dreams", "reconstructions"])
def test_the_third_picture_is_the_first_less_the_second_in_one_scale(ends):
    found = gradient_images.pulls(RBM, {"batch": BATCH, ends: DREAMS}, 1, (3, 4))
    up, down = covariances(RBM, BATCH, 1), covariances(RBM, DREAMS, 1)
    limit = found[0].limit
    assert limit == images.symmetric_limit(np.stack([up, down, up - down]))
    for drawn, values in zip(found, (up, down, up - down), strict=True):
        assert drawn.png == images.weight_tiles(values[None], (3, 4), limit=limit, largest=gradient_images.LARGEST).png


def test_before_the_first_update_nothing_pulls():
    assert gradient_images.pulls(RBM, {"batch": BATCH}, 0, (3, 4)) is None
