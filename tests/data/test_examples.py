"""Examples with inputs: given as they are, or drawn from the rows by a corruption."""

import itertools

import numpy as np
import pytest

from boltzcore.data import Corruption, Dataset, Examples, load
from tests.runs.toys import refused

ROWS = (np.random.default_rng(0).random((40, 12)) < 0.5).astype(np.uint8)
SHAPE = (3, 4)
NOISE = Corruption(rate=0.3)


def test_inputs_are_drawn_anew_in_each_epoch_or_once():
    anew = Examples(ROWS).corrupted(NOISE, SHAPE)
    once = Examples(ROWS).corrupted(Corruption(rate=0.3, redrawn="once"), SHAPE)
    assert anew.fresh
    assert not once.fresh
    first, second = anew.epoch(0, 5), anew.epoch(1, 5)
    assert not np.array_equal(first.x, second.x)
    assert np.array_equal(second.x, NOISE.apply(ROWS, SHAPE, seed=5, epoch=1))
    assert not second.fresh
    assert np.array_equal(second.epoch(4, 9).x, second.x)
    assert np.array_equal(first.x, anew.epoch(0, 5).x)
    assert not np.array_equal(first.x, anew.epoch(0, 6).x)
    for epoch in (0, 1, 7):
        assert np.array_equal(once.epoch(epoch, 5).x, first.x)
        assert np.array_equal(once.epoch(epoch, 5).v, ROWS)


def test_gray_rows_are_drawn_before_they_are_corrupted():
    gray = Examples(np.full((30, 12), 128, np.uint8), levels=256).corrupted(Corruption("upper half", value=1), SHAPE)
    drawn = gray.epoch(2, 1)
    assert not drawn.gray
    assert np.array_equal(drawn.v, Examples(gray.v, levels=256).epoch(2, 1).v)
    assert (drawn.x[:, :4] == 1).all()
    assert np.array_equal(drawn.x[:, 4:], drawn.v[:, 4:])


def test_a_part_of_the_rows_keeps_their_inputs():
    x = np.arange(40.0)[:, None]
    data = Examples(ROWS, x, np.arange(40.0))
    assert np.array_equal(data.head(3).x, x[:3])
    spread = data.spread(7)
    assert len(spread) == 7
    at = spread.x[:, 0].astype(int)
    assert np.array_equal(spread.v, ROWS[at])
    assert np.array_equal(spread.weight, at)
    assert data.epoch(3, 1).x is data.x
    corrupted = Examples(ROWS).corrupted(NOISE, SHAPE)
    for part in (corrupted.head(3), corrupted.spread(7)):
        assert part.epoch(0, 1).x.shape == part.v.shape


@pytest.mark.parametrize("redrawn", ["each epoch", "once"])
def test_every_split_of_a_data_set_is_corrupted_with_noise_of_its_own(redrawn):
    rows = Examples(ROWS)
    data = Dataset(rows, rows, rows, shape=SHAPE).corrupted(Corruption(rate=0.5, redrawn=redrawn))
    drawn = [split.epoch(0, 1).x for split in (data.train, data.validation, data.test)]
    for one, other in itertools.combinations([ROWS, *drawn], 2):
        # two draws of fair coins agree in half of their places
        assert (one == other).mean() == pytest.approx(0.5, abs=5 * np.sqrt(0.25 / ROWS.size))
    assert load("bars-and-stripes").corrupted(NOISE).validation is None


def test_codes_are_unsigned_and_below_their_levels():
    rows = Examples([[0, 2], [1, 0]], levels=np.array([2, 3]))
    assert rows.v.dtype == np.uint8
    assert not rows.gray
    assert Examples([[True, False]]).v.tolist() == [[1, 0]]
    assert Examples([[300, 1]], levels=1000).v.dtype == np.uint16
    for v, levels in (
        ([[0, 2]], 2),
        ([[0, 0.5]], 2),
        ([[0, -1]], 3),
        ([[2, 0]], (2, 3)),
        ([[0, np.nan]], 2),
        ([[0, 1]], (2,)),
        ([[0, 1]], 0),
    ):
        with pytest.raises(ValueError, match=r"^(data|levels) must "):
            Examples(v, levels=levels)
    for gaps in ([[0, 1]], [[0, -1, 1], [0]], [[0, -2, 1]], [[0, 2, 1]], [[0, 1, 0.5]]):
        with pytest.raises(ValueError, match=r"^gaps must "):
            Examples(np.zeros((40, 3)), gaps=gaps)
    for x in (np.zeros((39, 2)), np.zeros(40), np.zeros((40, 0)), np.full((40, 1), "a"), np.full((40, 1), np.nan)):
        with pytest.raises(ValueError, match=r"^x must "):
            Examples(ROWS, x)


def test_weights_are_numbers_of_0_or_more():
    rows = Examples([[0, 1], [1, 1], [1, 0]], weight=[1, 0, 3])
    assert rows.total == 4
    assert rows.mean().tolist() == [0.75, 0.25]
    assert rows.average([1.0, 100.0, 2.0]) == 1.75
    assert rows.rates().tolist() == [[0.25, 0.75], [0.75, 0.25]]
    assert Examples(rows.v, weight=[0, 0, 1]).head(2).mean().tolist() == [0.5, 1]
    for weight in ([1, 2], [1, 2, -1], [0, 0, 0], [1, 2, np.inf]):
        with pytest.raises(ValueError, match=r"^weight must "):
            Examples(rows.v, weight=weight)


@pytest.mark.parametrize(("levels", "n_columns"), [(2, 1), (2, 8), (3, 21), (256 + 5, 3), (60_000, 9)])
def test_distinct_rows_come_in_the_order_of_their_codes_and_weigh_what_their_copies_do(levels, n_columns):
    generator = np.random.default_rng(n_columns)
    at = generator.integers(0, 40, 300)
    v = generator.integers(0, levels, (40, n_columns))[at]
    rows, which, count = np.unique(v, axis=0, return_inverse=True, return_counts=True)
    once = Examples(v, levels=levels).distinct()
    assert np.array_equal(once.v, rows)
    assert np.array_equal(once.weight, count)
    weighted = Examples(v, weight=np.arange(300), levels=levels).distinct()
    assert np.array_equal(weighted.weight, np.bincount(which.ravel(), np.arange(300)))
    for drawn in (Examples(np.zeros((2, 4), np.uint8), levels=256), Examples([[0, 1]], x=[[1]])):
        with pytest.raises(ValueError, match="data must"):
            drawn.distinct()


def test_a_table_that_is_no_image_cannot_be_corrupted():
    rows = Examples(np.eye(4))
    with refused("data"):
        Dataset(rows, None, rows).corrupted(Corruption())
    with refused("corruption.size"):
        Dataset(rows, None, rows, shape=(2, 2)).corrupted(Corruption("patch", size=3))
