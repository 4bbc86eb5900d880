"""The heat map of couplings: what stands where, in which order, under which names."""

import numpy as np

from boltzcore.data.examples import Dataset, Examples
from boltzcore.models import FVBM
from boltzcore.names import Names
from boltzcore.plotting import couplings
from pages.figures import estimating
from tests.figures.checks import check_figure

NAMES = ("Harkin", "Bennett", "Lott", "Snowe")
M = np.array([[0.0, 0.1, -2.0, 0.0], [0.1, 0.0, 0.2, 0.3], [-2.0, 0.2, 0.0, 0.1], [0.0, 0.3, 0.1, 0.0]])
B = np.array([0.5, -0.25, 0.0, 1.0])


def test_each_coupling_stands_in_the_row_and_column_of_its_names_and_no_column_with_itself():
    figure = couplings.heat_map(M, B, NAMES)
    check_figure(figure)
    pairs, biases = figure["data"]
    for i, row in enumerate(pairs["y"]):
        for j, column in enumerate(pairs["x"]):
            value = M[NAMES.index(row), NAMES.index(column)]
            assert pairs["z"][i][j] == (None if row == column else value)
    assert [value for (value,) in biases["z"]] == B[::-1].tolist()
    assert biases["y"] == pairs["y"] == list(NAMES)[::-1]
    assert pairs["x"] == list(NAMES)


def test_the_orders():
    assert couplings.column_order(M, couplings.TABLE).tolist() == [0, 1, 2, 3]
    assert couplings.column_order(M, couplings.STRENGTH).tolist() == [2, 0, 1, 3]
    clustered = couplings.column_order(M, couplings.CLUSTERED).tolist()
    assert sorted(clustered) == [0, 1, 2, 3]
    assert abs(clustered.index(0) - clustered.index(2)) == 1
    assert sorted(couplings.column_order(np.zeros((5, 5)), couplings.CLUSTERED)) == [0, 1, 2, 3, 4]


def test_blocks_are_found_whatever_the_order_of_the_columns_and_the_signs():
    block = np.arange(12) % 3
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (12, 12))
    mixed = np.where(block[:, None] == block, signs * 1.5, signs * 0.01)
    mixed = np.triu(mixed, 1) + np.triu(mixed, 1).T
    found = block[couplings.column_order(mixed, couplings.CLUSTERED)]
    assert np.count_nonzero(np.diff(found)) == 2


def test_names_are_no_markup_and_none_is_drawn_in_the_place_of_another():
    names = ("<b>bold</b>", "a & b", "the same long name 1", "the same long name 1")
    pairs, _ = couplings.heat_map(M, B, names)["data"]
    assert not any("<" in name for name in pairs["x"])
    assert len(set(pairs["x"])) == 4


def test_the_strongest_pair_comes_with_the_share_of_rows_in_which_it_is_alike():
    v = np.array([[0, 0, 1, 0], [1, 0, 0, 1], [1, 1, 1, 1]], np.uint8)
    rows = Examples(v, weight=np.array([2.0, 1.0, 1.0]))
    pair = estimating.strongest(FVBM(M, B), Dataset(rows, None, rows, names=Names(NAMES)))
    assert pair == estimating.Pair(("Harkin", "Lott"), -2.0, 0.25)
