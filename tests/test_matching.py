"""A model file and a table of another file: columns and values go by their names."""

from dataclasses import replace
from pathlib import Path

import pytest

from boltzcore.commands.tables import match_columns
from boltzcore.data import load, upload
from boltzcore.models import load as load_model

ROWS = ("high,no", "low,yes", "mid,no", "low,no", "low,yes")
BITS = ("0,0", "1,1", "1,0", "0,1", "1,1")


def table(place: Path, header: str, rows: tuple[str, ...]) -> str:
    place.write_text("\n".join([header, *(rows * 20)]))
    return str(place)


@pytest.fixture
def train(run_json, tmp_path):
    def call(kind: str, data: str) -> str:
        file = str(tmp_path / f"{kind}.npz")
        run_json("train", "--model", kind, "--data", data, "--updates", "2", "--out", file)
        return file

    return call


@pytest.fixture
def of_levels(train, tmp_path):
    """A log-linear model of x in {high, low, mid} and y in {no, yes}."""
    return train("log-linear", table(tmp_path / "mine.csv", "x,y", ROWS))


def test_columns_and_values_are_those_of_the_model_in_any_order(of_levels, tmp_path, run_json):
    swapped = tuple(",".join(reversed(row.split(","))) for row in ROWS)
    mine, other = tmp_path / "mine.csv", table(tmp_path / "other.csv", "y,x", swapped)
    assert run_json("evaluate", of_levels, "--data", mine) == run_json("evaluate", of_levels, "--data", other)
    fewer = tuple(row for row in swapped if "high" not in row)  # low and mid have other codes here
    model, kept = load_model(of_levels), upload(table(tmp_path / "fewer.csv", "y,x", fewer))
    rows = kept.changed(validation=0, test=0).load()
    found = match_columns(replace(rows, truth=load("bayes-net").truth), model, Path(of_levels), "fewer.csv")
    assert found.names.columns == ("x", "y")
    assert found.names.categories == (("high", "low", "mid"), ("no", "yes"))
    assert found.train.v[:4].tolist() == [[1, 1], [2, 0], [1, 0], [1, 1]]
    assert found.truth is None  # it is of the columns as they were
    assert found.train.levels == (3, 2)


@pytest.mark.parametrize(
    ("header", "rows", "named"),
    [("x,y", tuple(row.replace("high", "tiny") for row in ROWS), "'tiny'"), ("x,z", ROWS, "z")],
)
def test_columns_and_values_that_the_model_does_not_know_are_refused(of_levels, tmp_path, refuse, header, rows, named):
    assert named in refuse("evaluate", of_levels, "--data", table(tmp_path / "other.csv", header, rows))


def test_binary_columns_are_swapped_and_other_numbers_refused(train, tmp_path, run_json, refuse):
    mine = table(tmp_path / "bits.csv", "x,y", BITS)
    of_bits = train("fvbm", mine)
    swapped = table(tmp_path / "swapped.csv", "y,x", tuple(row[::-1] for row in BITS))
    assert run_json("evaluate", of_bits, "--data", mine) == run_json("evaluate", of_bits, "--data", swapped)
    shifted = tuple(row.replace("1", "2").replace("0", "1") for row in BITS)
    assert "'2'" in refuse("evaluate", of_bits, "--data", table(tmp_path / "shifted.csv", "x,y", shifted))
