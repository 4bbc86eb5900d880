"""Bars of the states of a few columns."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from boltzcore.data.examples import Examples
from boltzcore.figures import states

NAMES = ("rain", "wind")
SHARES = {states.MODEL: np.array([0.1, 0.2, 0.3, 0.4]), states.DATA: np.array([0.25, 0.0, 0.5, 0.25])}


def some(d: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(d)
    return {name: rng.dirichlet(np.ones(2**d)) for name in (states.MODEL, states.DATA, states.TRUTH)}


def test_states_come_with_the_first_column_fastest():
    assert states.codes(2).tolist() == [[0, 0], [1, 0], [0, 1], [1, 1]]


@pytest.mark.parametrize("weight", [None, [1.0, 3.0, 0.0, 4.0]])
def test_frequencies_are_the_shares_of_the_rows_by_their_weights(weight):
    rows = Examples(np.array([[0, 0], [1, 0], [0, 1], [1, 0]]), weight=None if weight is None else np.array(weight))
    assert states.frequencies(rows).tolist() == ([0.25, 0.5, 0.25, 0.0] if weight is None else [1 / 8, 7 / 8, 0, 0])


def test_model_data_and_truth_stand_side_by_side_where_the_truth_is_known():
    figure = states.side_by_side(SHARES | {states.TRUTH: SHARES[states.MODEL]}, NAMES, family="PL")
    go.Figure(figure)
    json.dumps(figure, allow_nan=False)
    assert [(trace["name"], trace["y"]) for trace in figure["data"]] == [
        ("model", [0.1, 0.2, 0.3, 0.4]),
        ("data", [0.25, 0.0, 0.5, 0.25]),
        ("truth", [0.1, 0.2, 0.3, 0.4]),
    ]
    assert len(states.side_by_side(SHARES, NAMES, family="PL")["data"]) == 2


def test_a_state_is_told_by_names_and_the_texts_of_its_codes():
    model, _ = states.side_by_side(SHARES, NAMES, (("no", "<yes>"), ("calm", "gale")), family="PL")["data"]
    assert model["x"] == ["00", "10", "01", "11"]
    assert model["customdata"][1] == "rain &lt;yes&gt;, wind calm"
    assert states.side_by_side(SHARES, NAMES, family="PL")["data"][0]["customdata"][1] == "rain +, wind −"


def test_all_states_of_a_few_columns_are_drawn_and_of_more_the_most_probable_by_model_or_data():
    assert len(states.chosen(some(6))) == 64
    shares = some(10)
    shares[states.DATA][77] = 0.9
    shown = states.chosen(shares)
    assert len(shown) == 32
    assert shown[0] == 77
    left = np.setdiff1d(np.arange(1024), shown)
    most = np.maximum(shares[states.MODEL], shares[states.DATA])
    assert most[left].max() <= most[shown].min()
    drawn = states.side_by_side(shares, [f"x{i}" for i in range(10)], family="PL")["data"][1]
    assert drawn["x"][0] == "1011001000"
    assert drawn["y"][0] == 0.9


def test_the_most_probable_state_is_told_in_words():
    told = states.sentence(SHARES, NAMES, (("no", "yes"), ("calm", "gale & more")))
    assert told == (
        "4 of 4 states. The model's most probable one, rain yes, wind gale & more: 0.400 by the model, 0.250 of the "
        "data."
    )
