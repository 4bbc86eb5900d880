"""Tiles of weights and of pixels, and the three pictures of what pulls at the weights of a hidden unit."""

import numpy as np
import pytest

from boltzcore.measures.activity import covariances
from boltzcore.plotting import images
from pages.figures import gradient_images
from tests.figures.checks import pixels
from tests.models import exact


def tile(tiles: images.Tiles, index: int, shape: tuple[int, int], y: int, x: int) -> np.ndarray:
    """The colour in which unit (y, x) of a tile is drawn; lines are two pixels wide."""
    drawn = pixels(tiles.png)
    wide = (tiles.width - 2) // tiles.columns
    scale = (wide - 2) // shape[1]
    high = shape[0] * scale + 2
    row, column = divmod(index, tiles.columns)
    return drawn[row * high + 2 + y * scale + scale // 2, column * wide + 2 + x * scale + scale // 2]


def test_zero_is_white_positive_blue_and_negative_red():
    rows = np.array([[0.0, 2.0, -2.0, 1.0]])
    tiles = images.weight_tiles(rows, (2, 2))
    zero, most, least = (tile(tiles, 0, (2, 2), *at) for at in ((0, 0), (0, 1), (1, 0)))
    assert tiles.limit == 2
    assert zero[:3].min() >= 245
    assert most[2] > most[0] + 50
    assert least[0] > least[2] + 50


@pytest.mark.parametrize(
    ("most", "limit"), [(0.0101, 0.015), (0.9, 1.0), (1.0, 1.0), (1.01, 1.5), (4.0, 5.0), (99.0, 100.0), (0.0, 1e-6)]
)
def test_limits_grow_in_round_steps(most, limit):
    assert images.symmetric_limit([0.0, -most]) == limit


def test_pixels_go_from_black_to_white():
    tiles = images.pixel_tiles(np.array([[0, 1], [1, 0]], np.uint8), (1, 2))
    assert [tuple(tile(tiles, 0, (1, 2), 0, x)[:3]) for x in (0, 1)] == [(0, 0, 0), (255, 255, 255)]


def test_units_keep_their_order_over_pages():
    rows = np.repeat(np.linspace(0, 1, 150)[:, None], 4, axis=1)
    second = images.weight_tiles(rows, (2, 2), page=1, per_page=64)
    assert (second.first, second.last, second.count) == (65, 128, 150)
    alone = images.weight_tiles(rows[64:65], (2, 2), limit=second.limit)
    assert (tile(second, 0, (2, 2), 0, 0) == tile(alone, 0, (2, 2), 0, 0)).all()
    assert images.weight_tiles(rows, (2, 2), per_page=64).limit == second.limit  # of all pages
    with pytest.raises(ValueError, match=r"^page must"):
        images.weight_tiles(rows, (2, 2), page=3, per_page=64)


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
