"""A model file and a table of another file: columns and values go by their names."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from boltzcore.__main__ import main
from boltzcore.commands.tables import matched
from boltzcore.data import load, upload
from boltzcore.models import FVBMSetup
from boltzcore.models import load as load_model

ROWS = ("high,no", "low,yes", "mid,no", "low,no", "low,yes")
BITS = ("0,0", "1,1", "1,0", "0,1", "1,1")


def table(place: Path, header: str, rows: tuple[str, ...]) -> str:
    place.write_text("\n".join([header, *(rows * 20)]))
    return str(place)


def train(kind: str, data: str, out: Path, capsys) -> str:
    assert main(["train", "--model", kind, "--data", data, "--updates", "2", "--out", str(out)]) == 0
    capsys.readouterr()
    return str(out)


@pytest.fixture
def of_levels(tmp_path, capsys):
    """A log-linear model of x in {high, low, mid} and y in {no, yes}."""
    return train("log-linear", table(tmp_path / "mine.csv", "x,y", ROWS), tmp_path / "levels.npz", capsys)


def test_columns_and_values_are_those_of_the_model_in_any_order(of_levels, tmp_path, capsys):
    def told(data: str):
        assert main(["evaluate", of_levels, "--data", data, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    swapped = tuple(",".join(reversed(row.split(","))) for row in ROWS)
    assert told(table(tmp_path / "other.csv", "y,x", swapped)) == told(str(tmp_path / "mine.csv"))
    fewer = tuple(row for row in swapped if "high" not in row)  # low and mid have other codes here
    model, rows = load_model(of_levels), upload(table(tmp_path / "fewer.csv", "y,x", fewer)).load()
    found = matched(replace(rows, truth=load("bayes-net").truth), model, Path(of_levels), "fewer.csv")
    assert found.names.columns == ("x", "y")
    assert found.names.categories == (("high", "low", "mid"), ("no", "yes"))
    assert found.train.v[:4].tolist() == [[1, 1], [2, 0], [1, 0], [1, 1]]
    assert found.truth is None  # it is of the columns as they were
    assert model.suits(found.train)


@pytest.mark.parametrize(
    ("header", "rows", "named"),
    [("x,y", tuple(row.replace("high", "tiny") for row in ROWS), "'tiny'"), ("x,z", ROWS, "z")],
)
def test_columns_and_values_that_the_model_does_not_know_are_refused(of_levels, tmp_path, capsys, header, rows, named):
    assert main(["evaluate", of_levels, "--data", table(tmp_path / "other.csv", header, rows)]) == 2
    assert named in capsys.readouterr().err


def test_binary_columns_are_swapped_and_other_numbers_refused(tmp_path, capsys):
    mine = table(tmp_path / "bits.csv", "x,y", BITS)
    of_bits = train("fvbm", mine, tmp_path / "bits.npz", capsys)
    swapped = table(tmp_path / "swapped.csv", "y,x", tuple(row[::-1] for row in BITS))
    told = [
        main(["evaluate", of_bits, "--data", data, "--json"]) or capsys.readouterr().out for data in (mine, swapped)
    ]
    assert told[0] == told[1]
    shifted = tuple(row.replace("1", "2").replace("0", "1") for row in BITS)
    assert main(["evaluate", of_bits, "--data", table(tmp_path / "shifted.csv", "x,y", shifted)]) == 2
    assert "'2'" in capsys.readouterr().err


def test_a_model_without_names_takes_columns_as_they_are(tmp_path):
    senate, file = load("senate"), tmp_path / "nameless.npz"
    FVBMSetup().initial(senate.train, seed=0).save(file)
    assert matched(senate, load_model(file), file, "senate") is senate
