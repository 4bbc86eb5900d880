"""A model file and a table of another file: columns and values go by their names."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from boltzcore.__main__ import main
from boltzcore.commands.matching import matched
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


@pytest.fixture
def of_bits(tmp_path, capsys):
    return train("fvbm", table(tmp_path / "bits.csv", "x,y", BITS), tmp_path / "bits.npz", capsys)


def test_columns_and_values_are_those_of_the_model_in_any_order(of_levels, of_bits, tmp_path, capsys):
    def told(command: str, *arguments: str):
        assert main([command, *arguments, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    swapped = tuple(",".join(reversed(row.split(","))) for row in ROWS)
    other = table(tmp_path / "other.csv", "y,x", swapped)
    for command in ("evaluate", "estimates"):
        mine = told(command, of_levels, "--data", str(tmp_path / "mine.csv"))
        assert told(command, of_levels, "--data", other) == mine
    fewer = tuple(row for row in swapped if "high" not in row)  # low and mid have other codes here
    model, rows = load_model(of_levels), upload(table(tmp_path / "fewer.csv", "y,x", fewer)).load()
    found = matched(rows, model, Path(of_levels), "fewer.csv")
    assert found.names.columns == ("x", "y")
    assert found.names.categories == (("high", "low", "mid"), ("no", "yes"))
    assert found.train.v[:4].tolist() == [[1, 1], [2, 0], [1, 0], [1, 1]]
    assert model.suits(found.train)
    truth = replace(rows, truth=load("bayes-net").truth)  # of the columns as they were
    assert matched(truth, model, Path(of_levels), "fewer.csv").truth is None
    bits = table(tmp_path / "swapped.csv", "y,x", tuple(row[::-1] for row in BITS))
    assert told("evaluate", of_bits, "--data", bits) == told("evaluate", of_bits, "--data", str(tmp_path / "bits.csv"))


@pytest.mark.parametrize("command", ["evaluate", "estimates"])
def test_what_the_model_does_not_know_is_refused(of_levels, tmp_path, capsys, command):
    tiny = tuple(row.replace("high", "tiny") for row in ROWS)
    assert main([command, of_levels, "--data", table(tmp_path / "tiny.csv", "x,y", tiny)]) == 2
    sentence = "Column 'x' of tiny.csv must have values of the model in levels.npz (high, low, mid), not 'tiny'.\n"
    assert capsys.readouterr().err == sentence
    assert main([command, of_levels, "--data", table(tmp_path / "other.csv", "x,z", ROWS)]) == 2
    sentence = "The columns of other.csv must be those of the model in levels.npz (x, y), in any order, not 'z'.\n"
    assert capsys.readouterr().err == sentence


def test_numbers_without_texts_are_told_apart_by_what_they_are(of_bits, tmp_path, capsys):
    shifted = tuple("".join({"0": "1", "1": "2"}.get(each, each) for each in row) for row in BITS)
    assert main(["evaluate", of_bits, "--data", table(tmp_path / "shifted.csv", "x,y", shifted)]) == 2
    assert "must have values of the model in bits.npz (0, 1), not '2'." in capsys.readouterr().err
    words = tuple(row.replace("0", "no").replace("1", "yes") for row in BITS)  # off and on as well
    assert main(["evaluate", of_bits, "--data", table(tmp_path / "words.csv", "x,y", words)]) == 0


def test_columns_without_names_go_by_their_place(of_levels, tmp_path):
    numbered = upload(table(tmp_path / "numbered.csv", ROWS[1], ROWS)).load()
    assert numbered.names.columns == ("column 1", "column 2")
    assert matched(numbered, load_model(of_levels), Path(of_levels), "numbered.csv") is numbered
    senate = load("senate")
    FVBMSetup().initial(senate.train, seed=0).save(tmp_path / "nameless.npz")
    model = load_model(tmp_path / "nameless.npz")
    assert matched(senate, model, tmp_path / "nameless.npz", "senate") is senate
