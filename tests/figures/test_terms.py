"""What the terms of a log-linear model say, held against the model itself."""

import numpy as np
import pytest

from boltzcore.figures import terms
from boltzcore.models import LogLinear
from boltzcore.names import Names

COLOURS = Names(("A", "B", "C"), (("red", "green", "blue"), ("no", "yes"), ("no", "yes")))
SAID = [  # cardinalities, digits, value, names, words
    ((2, 2, 2), (1, 0, 0), 0.5, None, "x1 is on less often than chance"),
    ((2, 2, 2), (1, 0, 0), -0.5, None, "x1 is on more often than chance"),
    ((2, 2, 2), (1, 0, 1), 0.5, None, "x1 and x3 agree more often than chance"),
    ((2, 2, 2), (1, 0, 1), -0.5, None, "x1 and x3 differ more often than chance"),
    ((2, 2, 2), (1, 1, 1), 0.5, None, "an even number of x1, x2, x3 is on more often than chance"),
    ((2, 2, 2), (1, 1, 1), -0.5, None, "an odd number of x1, x2, x3 is on more often than chance"),
    ((3, 2, 2), (0, 1, 1), 0.5, COLOURS, "B and C agree more often than chance"),
    ((3, 2, 2), (2, 0, 0), 0.5, COLOURS, "A is blue more often than chance"),
    ((3, 2, 2), (2, 0, 0), -0.5, COLOURS, "A is blue less often than chance"),
    (
        (3, 2, 2),
        (1, 1, 0),
        -0.5,
        COLOURS,
        "both or neither of these more often than chance: A is green; B is yes",
    ),
    ((4, 4), (3, 0), 0.5, None, "x1 is 1 or 2 less often than chance"),
    ((8, 2), (1, 0), -0.5, None, "x1 is 1 or 3 or 5 or one of 1 others more often than chance"),
]


@pytest.mark.parametrize(("sizes", "y", "value", "names", "words"), SAID)
def test_a_term_is_told_in_words(sizes, y, value, names, words):
    assert terms.in_words(np.array(y), value, sizes, names) == words


EVENTS = {  # of (3, 2, 4) values: what holds at which code
    "A is 1": (0, {1}),
    "A is 2": (0, {2}),
    "B is on": (1, {1}),
    "C is 1 or 3": (2, {1, 3}),
    "C is 2 or 3": (2, {2, 3}),
    "C is 1 or 2": (2, {1, 2}),
}


@pytest.mark.parametrize("value", [-0.4, 0.4])
@pytest.mark.parametrize("y", range(1, 24))
def test_what_is_said_to_be_more_often_than_chance_is_so(y, value):
    model = LogLinear((3, 2, 4), {y: value})
    words = terms.in_words(model.digits()[0], value, model.cardinalities, Names(("A", "B", "C")))
    listed = words.split(": ")[-1].split(" less often")[0].split(" more often")[0].split("; ")
    x = model.layout.digits(np.arange(24))
    held = sum(np.isin(x[:, EVENTS[event][0]], list(EVENTS[event][1])).astype(int) for event in listed)
    if len(listed) == 1:
        said = held == ("more often" in words)
    elif words.startswith(("both or neither", "an even")):
        said = held % 2 == 0
    else:
        said = held % 2 == 1
    p = model.probabilities()
    assert p[said].mean() > p[~said].mean()


def test_names_are_cut_and_markup_stays_text():
    names = Names(("<b>" + "a" * 80, "b"))
    model = LogLinear((2, 2), {3: 0.5})
    (words,) = terms.table(model, names).columns[0].texts
    assert len(words) < 80
    figure = terms.graph(model, names.columns, family="MDL")
    assert all("<" not in note["text"] for note in figure["layout"]["annotations"])


def test_terms_nobody_bought_are_listed_the_strongest_first():
    table = terms.table(LogLinear((2, 2, 2), {1: 0.2, 3: -0.9, 7: 0.4}))
    columns = {each.title: each for each in table.columns}
    assert list(columns) == ["In words", "Order", "Value", "Variables"]
    assert columns["Value"].numbers == (-0.9, 0.4, 0.2)
    assert columns["Value"].texts[0] == "−0.9000"
    assert columns["Variables"].texts == ("x1, x2", "x1, x2, x3", "x1")


def test_orders_are_counted():
    figure = terms.orders(LogLinear((2, 2, 3), {1: 0.2, 3: -0.9, 4: 0.4, 7: 0.1}), family="MDL")
    assert figure["data"][0]["y"] == [2, 1, 1]
    assert terms.orders_sentence(LogLinear((2, 2), {})) == "No term yet."


def test_two_variables_share_the_terms_that_depend_on_both():
    model = LogLinear((2, 2, 2), {1: 0.2, 3: -0.9, 7: 0.4})
    shared = terms.shared(model)
    np.testing.assert_allclose(shared, [[1.5, 1.3, 0.4], [1.3, 1.3, 0.4], [0.4, 0.4, 0.4]])
    told = terms.Bought(np.array([0.5, 0.25, -1e-9]), np.zeros(3), np.arange(3))
    assert terms.shared(model, told)[0, 1] == 0.25
    assert (
        terms.graph_sentence(model, ("A", "B", "C"), told) == "1 pair of variables shares a term, most of all A and B."
    )


def test_thick_edges_are_those_of_much_gain_and_of_many_variables_the_best_are_drawn():
    sizes = (2,) * 20
    model = LogLinear(sizes, {3: 1.0, 1 << 19 | 1 << 18: 0.1})
    figure = terms.graph(model, [f"x{i}" for i in range(20)], family="MDL")
    lines = [trace for trace in figure["data"] if trace["mode"] == "lines"]
    assert [line["line"]["width"] for line in lines] == [1.0, 8.0]
    assert [len(line["x"]) for line in lines] == [3, 3]
    points = next(trace for trace in figure["data"] if trace["name"] == "variables")
    assert len(points["x"]) == 20


CASES = [  # cardinalities, digits, sign, names, words
    ((2, 2, 2), (1, 0, 0), -1, None, "x1 is on"),
    ((2, 2, 2), (1, 0, 0), 1, None, "x1 is off"),
    ((2, 2, 2), (1, 0, 1), 1, None, "x1 and x3 agree"),
    ((2, 2, 2), (1, 1, 1), -1, None, "an odd number of x1, x2, x3 is on"),
    ((3, 2, 2), (2, 0, 0), 1, COLOURS, "A is blue"),
    ((3, 2, 2), (2, 0, 0), -1, COLOURS, "not: A is blue"),
    ((3, 2, 2), (1, 1, 0), -1, COLOURS, "both or neither of: A is green; B is yes"),
    ((3, 2, 2), (1, 1, 0), 1, COLOURS, "exactly one of: A is green; B is yes"),
]


@pytest.mark.parametrize(("sizes", "y", "sign", "names", "words"), CASES)
def test_what_is_the_case_where_a_term_has_a_sign(sizes, y, sign, names, words):
    assert terms.case(np.array(y), sign, sizes, names) == words
