"""Corruptions: what they change and what not, how often, and the same again by seed."""

import numpy as np
import pytest

from boltzcore.data import Corruption, flip, occlude
from boltzcore.data.corruption import erase
from tests.kernels.test_random import stream_words

SHAPE = (6, 7)
RNG = np.random.default_rng(0)
IMAGES = (RNG.random((500, *SHAPE)) < 0.3).astype(np.uint8)
ROWS = IMAGES.reshape(500, -1)
KINDS = [Corruption(kind=kind, size=3) for kind in Corruption.named("kind").choices]


def test_the_words_of_a_row_decide_what_is_flipped():
    words = np.stack([stream_words(7, 9, 2, row, 42) for row in range(500)])
    assert np.array_equal(flip(ROWS, 0.3, seed=7, epoch=2), ROWS ^ (words < round(0.3 * 2**32)))
    assert np.array_equal(flip(ROWS, 0, seed=1), ROWS)
    assert np.array_equal(flip(ROWS, 1, seed=1), 1 - ROWS)
    assert Corruption("salt", 1).apply(ROWS, SHAPE, seed=1).all()
    assert (Corruption("salt", 0.2).apply(ROWS, SHAPE, seed=1) >= ROWS).all()


@pytest.mark.parametrize("rate", [0.05, 0.5, 0.9])
def test_a_flip_has_its_rate_and_so_has_salt_on_other_pixels(rate):
    clean = (RNG.random((2000, 784)) < 0.2).astype(np.uint8)
    changed = flip(clean, rate, seed=3) != clean
    salted = Corruption("salt", rate).apply(np.zeros_like(clean), (28, 28), seed=3) > 0
    for pixels in (changed, changed[clean == 0], changed[clean == 1], changed[:, 0], changed[0], salted):
        assert abs(pixels.mean() - rate) < 5 * np.sqrt(rate * (1 - rate) / pixels.size)
    assert abs((changed & salted).mean() - rate**2) < 5 * np.sqrt(rate**2 / changed.size)


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("size", [1, 6])
def test_a_patch_is_one_whole_square(size, value):
    opposite = np.full((200, *SHAPE), 1 - value, np.uint8)
    hidden = occlude(opposite, size, value, seed=5) == value
    assert (hidden.sum(axis=(1, 2)) == size * size).all()
    for lines in (hidden.any(axis=1), hidden.any(axis=2)):  # as wide as high, without a gap
        assert (lines.sum(axis=1) == size).all()
        assert (np.abs(np.diff(lines.astype(int), axis=1)).sum(axis=1) <= 2).all()


def test_every_place_of_a_patch_is_as_likely():
    hidden = occlude(np.zeros((20_000, *SHAPE), np.uint8), 3, 1, seed=0)
    places = np.array(
        [hidden[:, top : top + 3, left : left + 3].all(axis=(1, 2)).sum() for top in range(4) for left in range(5)]
    )
    assert places.sum() == 20_000
    assert ((places - 1000) ** 2 / 1000).sum() < 19 + 5 * np.sqrt(2 * 19)


def test_half_an_image_is_lost():
    lower = Corruption("lower half", value=1).apply(ROWS, SHAPE, seed=0).reshape(IMAGES.shape)
    upper = Corruption("upper half").apply(ROWS, SHAPE, seed=0).reshape(IMAGES.shape)
    assert lower[:, 3:].all()
    assert np.array_equal(lower[:, :3], IMAGES[:, :3])
    assert not upper[:, :3].any()
    assert np.array_equal(upper[:, 3:], IMAGES[:, 3:])
    odd = np.ones((1, 5), np.uint8)  # whose middle line stays
    assert Corruption("lower half").apply(odd, (5, 1), seed=0).tolist() == [[1, 1, 1, 0, 0]]
    assert Corruption("upper half").apply(odd, (5, 1), seed=0).tolist() == [[0, 0, 1, 1, 1]]


def test_an_eraser_takes_its_mask_and_no_more():
    mask = RNG.random(SHAPE) < 0.4
    for images, given in ((IMAGES, mask), (IMAGES, mask.ravel()), (ROWS, mask), (ROWS, mask.ravel())):
        out = erase(images, given, 1).reshape(IMAGES.shape)
        assert out[:, mask].all()
        assert np.array_equal(out[:, ~mask], IMAGES[:, ~mask])


@pytest.mark.parametrize("corruption", KINDS, ids=lambda corruption: corruption.kind)
class TestEveryCorruption:
    def test_keeps_shape_and_the_clean_images(self, corruption):
        before = ROWS.copy()
        out = corruption.apply(ROWS, SHAPE, seed=1)
        assert out.dtype == np.uint8
        assert out.shape == ROWS.shape
        assert set(np.unique(out)) == {0, 1}
        assert np.array_equal(ROWS, before)
        assert not np.shares_memory(out, ROWS)

    def test_a_row_does_not_depend_on_those_beside_it(self, corruption):
        assert np.array_equal(
            corruption.apply(ROWS, SHAPE, seed=1, epoch=4)[:9], corruption.apply(ROWS[:9], SHAPE, seed=1, epoch=4)
        )

    def test_epochs_and_seeds_differ_only_where_it_is_redrawn(self, corruption):
        first, later, other = (corruption.apply(ROWS, SHAPE, seed=s, epoch=e) for s, e in ((1, 0), (1, 1), (2, 0)))
        assert np.array_equal(first, later) == np.array_equal(first, other) == corruption.kind.endswith("half")
        once = corruption.changed(redrawn="once")
        assert np.array_equal(once.apply(ROWS, SHAPE, seed=1, epoch=1), first)


@pytest.mark.parametrize("corruption", KINDS, ids=lambda corruption: corruption.kind)
def test_what_is_lost_is_known_of_damages_that_hide_and_of_no_others(corruption):
    draw = {"seed": 5, "epoch": 2, "split": 1}
    lost, corrupted = corruption.lost(500, SHAPE, **draw), corruption.apply(ROWS, SHAPE, **draw)
    assert np.array_equal(corrupted[~lost], ROWS[~lost]) == corruption.hides
    assert (corrupted[lost] == corruption.value).all()
    area = {"patch": 9, "lower half": 21, "upper half": 21}.get(corruption.kind, 0)
    assert (lost.sum(axis=1) == area).all()


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("rate", lambda: flip(ROWS, 1.5, seed=0)),
        ("seed", lambda: flip(ROWS, 0.1, seed=-1)),
        ("epoch", lambda: flip(ROWS, 0.1, seed=0, epoch=0.5)),
        ("images", lambda: flip(ROWS + 1, 0.1, seed=0)),
        ("images", lambda: flip(ROWS[0], 0.1, seed=0)),
        ("images", lambda: flip([[0, 1], [0]], 0.1, seed=0)),
        ("mask", lambda: erase(ROWS, [[True], [True, False]])),
        ("shape", lambda: occlude(ROWS, 3, seed=0, shape=(6, 6))),
        ("shape", lambda: occlude(IMAGES, 3, seed=0, shape=(7, 6))),
        ("size", lambda: Corruption(kind="patch").apply(ROWS, SHAPE, seed=0)),
        ("value", lambda: occlude(IMAGES, 3, 2, seed=0)),
    ],
)
def test_bad_input_is_named(field, wrong):
    with pytest.raises(ValueError, match=f"^{field} must "):
        wrong()
