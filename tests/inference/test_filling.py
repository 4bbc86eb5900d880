"""Gaps filled by models, held against sums over all completions."""

import csv

import numpy as np
import pytest

from boltzcore.data import Reading, read_table, upload
from boltzcore.data.table_text import MISSING, codes_of_table, filled_csv, rows_csv
from boltzcore.inference.filling import fill
from boltzcore.models import FVBM, RBM, LogLinear, Potts
from boltzcore.names import Names
from boltzcore.quoting import Refusal
from tests.models.test_potts import potts
from tests.runs.toys import refused

LAW = LogLinear((2, 3, 4), {1: 0.5, 4: -0.4, 6: 0.6, 13: 0.3})
NAMES = Names(("age", "edu", "vote"), (("up to 40", "above 40"), ("high", "low", "mid"), ("a", "b", "c", "d")))


def filled(table, draws=0):
    codes = codes_of_table(table, NAMES, (2, 3, 4))
    return filled_csv(table, NAMES, (2, 3, 4), codes, fill(LAW, codes, draws=draws)).splitlines()


def test_of_a_log_linear_model_completions_probabilities_and_draws_are_its_law():
    states, p = LAW.layout.digits(np.arange(24)), LAW.probabilities()
    codes = np.array([[MISSING, 1, MISSING], [0, 2, 3], [1, MISSING, 0]])
    found = fill(LAW, codes, draws=1_000)
    for row, best, chances, drawn in zip(codes, found.rows, found.p, found.draws.swapaxes(0, 1), strict=True):
        agree, gap = (states[:, row >= 0] == row[row >= 0]).all(axis=1), row < 0
        np.testing.assert_array_equal(best, states[agree][p[agree].argmax()])
        assert (np.isnan(chances) == ~gap).all()
        for i in np.flatnonzero(gap):
            law = np.bincount(states[agree, i], p[agree], LAW.cardinalities[i]) / p[agree].sum()
            assert chances[i] == pytest.approx(law[best[i]])
            np.testing.assert_allclose(np.bincount(drawn[:, i], minlength=len(law)) / 1_000, law, atol=0.06)
        assert (drawn[:, ~gap] == row[~gap]).all()


def test_an_rbm_and_a_visible_machine_fill_gaps_too():
    coupled = np.zeros((3, 3))
    coupled[0, 1] = coupled[1, 0] = 1.0
    for model in (FVBM(coupled, np.zeros(3)), RBM(np.array([[4.0], [4.0], [0]]), np.full(3, -2.0), np.full(1, -3.0))):
        found = fill(model, np.array([[1, MISSING, 0], [0, MISSING, 0]]), draws=20)
        assert found.rows[:, 1].tolist() == [1, 0]
        assert (found.p[:, 1] > 0.5).all()
        assert found.draws.shape == (20, 2, 3)
    assert fill(LogLinear((40_000, 2)), [[39_999, MISSING]]).rows[0, 0] == 39_999
    with pytest.raises(Refusal, match=r"^draws "):
        fill(LAW, np.zeros((20_000, 3), int), draws=1_000)
    for wrong in ([[1, MISSING]], [[1, MISSING, 7]], [[1, -2, 0]], [[1.0, np.nan, 0]], [1, 0, 0], [["1", "", "0"]]):
        with refused("x"):
            fill(model, wrong)


def test_a_potts_model_fills_gaps_by_its_law_and_beyond_by_chains():
    model = potts([3, 2, 4], 1)
    codes = np.array([[MISSING, 1, MISSING], [2, MISSING, 0], [MISSING] * 3])
    found, expected = fill(model, codes, draws=50), fill(model.law, codes, draws=50)
    np.testing.assert_array_equal(found.rows, expected.rows)
    np.testing.assert_allclose(found.p, expected.p, atol=1e-9)
    wide = np.full((2, 15), MISSING)
    wide[0, 3:] = 0
    beside = Potts(np.append(model.levels, [5] * 12), np.pad(model.h, (0, 60)), np.pad(model.J, (0, 60)))
    found = fill(beside, wide, draws=20)
    np.testing.assert_array_equal(found.rows[:, :3], np.tile(expected.rows[2], (2, 1)))
    np.testing.assert_allclose(found.p[0, :3], expected.p[2], atol=1e-9)
    np.testing.assert_allclose(found.p[1, :3], expected.p[2], atol=0.15)  # three standard errors
    assert (found.draws.max(axis=(0, 1)) <= [2, 1, 3, *[4] * 12]).all()


def test_a_table_comes_back_with_its_own_names_and_values():
    rows = ("id,vote,age,edu", "7,A,33,", "9,b,,mid", "3,c,77,high", "5,,40,low")
    table = read_table("\n".join(rows).encode(), Reading(header=True))
    codes = codes_of_table(table, NAMES, (2, 3, 4))
    assert codes.tolist() == [[0, MISSING, 0], [MISSING, 2, 1], [1, 0, 2], [0, 1, MISSING]]
    lines = list(csv.reader(filled(table)))
    assert lines[0] == ["id", "vote", "age", "edu", "p(age)", "p(edu)", "p(vote)"]
    assert [line[:3] for line in lines[1::2]] == [["7", "A", "33"], ["3", "c", "77"]]
    assert (lines[2][2] in NAMES.categories[0], lines[1][3] in NAMES.categories[1]) == (True, True)
    assert 0 < float(lines[2][4]) < 1
    assert lines[3][4:] == ["", "", ""]
    drawn = list(csv.reader(filled(table, draws=3)))
    assert (len(drawn), drawn[0][0]) == (13, "draw")
    assert rows_csv(np.array([[0, 1, 3]]), NAMES, (2, 3, 4)) == "age,edu,vote\nup to 40,low,d\n"
    empty = read_table(b"age,edu,vote\n33,,a\n,,a\n", Reading(header=True))
    assert codes_of_table(empty, NAMES, (2, 3, 4)).tolist() == [[0, MISSING, 0], [MISSING, MISSING, 0]]
    for wrong in (b"age,edu\n33,low\n", b"age,edu,vote\n33,low,z\n"):
        with pytest.raises(ValueError, match=r"vote"):
            codes_of_table(read_table(wrong, Reading(header=True)), NAMES, (2, 3, 4))


def test_columns_that_no_model_has_stand_in_their_places_as_they_were_written():
    head = ["id", "vote", "zip", "age", "edu", "remark", "pay"]
    rows = [
        [f"R{i:02d}", "abcd"[i % 4], f"{3 * i % 100:05d}", f"{i + 1}.50", "" if i % 9 == 0 else "mid", f"a, {i}", "NA"]
        for i in range(99)
    ]
    text = "\n".join(",".join(f'"{cell}"' if "," in cell else cell for cell in row) for row in (head, *rows))
    for table in (read_table(text.encode()), upload(text.encode()).table()):  # and as it is kept
        assert table.reading.left_out == ("id",)
        first, *lines = csv.reader(filled(table))
        assert first == [*head, "p(edu)"]
        assert all(line[:4] == row[:4] and line[5] == row[5] for line, row in zip(lines, rows, strict=True))
        assert all(line[4] for line in lines)
        drawn = [*csv.reader(filled(table, draws=2))]
        assert (drawn[0], [line[1] for line in drawn[100:]]) == (["draw", *head], [row[0] for row in rows])


def test_long_texts_are_filled_in_as_they_were_written():
    long = [f"{name} answer, {'many words ' * 9}end" for name in "ab"]
    rows = [[long[0], "x"], [long[1], "y"], [long[1], ""], [long[0], ""], ["", "x"]] * 2
    table = read_table("\n".join(",".join(f'"{cell}"' for cell in row) for row in (["q", "r"], *rows)).encode())
    codes = codes_of_table(table, table.names, (2, 2))
    law = LogLinear((2, 2), {0b11: 3.0, 0b01: -1.5, 0b10: -1.5})
    _, *lines = csv.reader(filled_csv(table, table.names, (2, 2), codes, fill(law, codes)).splitlines())
    assert [line[:2] for line in lines[:5]] == [*rows[:2], [long[1], "y"], [long[0], "x"], [long[0], "x"]]
