"""Statements of the terms of a log-linear model, held against the model itself."""

import math

import numpy as np
import pytest

from boltzcore.measures.estimates import Estimates
from boltzcore.models import LogLinear, term_words
from boltzcore.names import Names
from pages.figures import terms

COLOURS = Names(("A", "B", "C"), (("red", "green", "blue"), ("no", "yes"), ("no", "yes")))
WORDS = [  # cardinalities, digits, names, the event where the term is negative
    ((2, 2, 2), (1, 0, 0), None, "x1 is on"),
    ((2, 2, 2), (1, 1, 1), None, "an odd number of x1, x2, x3 is on"),
    ((3, 2, 2), (2, 0, 0), COLOURS, "A is not blue"),
    ((3, 2, 2), (1, 1, 0), COLOURS, "exactly one of: A is green; B is no"),
]


@pytest.mark.parametrize(("sizes", "y", "names", "words"), WORDS)
def test_the_event_of_a_term_is_named(sizes, y, names, words):
    assert term_words.case(np.array(y), -1, sizes, names) == words


@pytest.mark.parametrize("sign", [1, -1])
def test_the_values_that_are_said_are_the_first_of_their_side(sign):
    for size in (4, 8, 16, 64):
        for y in range(1, size):
            x = np.flatnonzero(LogLinear([size], {y: 1.0}).functions(np.arange(size)[:, None])[:, 0] == sign)
            first = " or ".join(map(str, x[: 3 if len(x) > 4 else 4]))
            assert term_words.case(np.array([y]), sign, [size]).startswith(f"x1 is {first}")


EVENTS = {  # of (3, 2, 4) values: what holds at which code
    "A is 1": (0, {1}),
    "A is 2": (0, {2}),
    "B is off": (1, {0}),
    "C is 0 or 2": (2, {0, 2}),
    "C is 0 or 1": (2, {0, 1}),
    "C is 0 or 3": (2, {0, 3}),
}


@pytest.mark.parametrize("value", [-0.4, 0.4])
@pytest.mark.parametrize("y", range(1, 24))
def test_what_is_said_to_be_more_often_is_made_so_by_the_term_and_more_goes_with_a_positive_value(y, value):
    others = {z: 0.3 * math.cos(5 * z) for z in range(1, 24) if z != y}
    without, model = LogLinear((3, 2, 4), others), LogLinear((3, 2, 4), {y: value, **others})
    words = term_words.case(model.digits()[0], 1, model.cardinalities, Names(("A", "B", "C")))
    events = words.rpartition(": ")[2].split("; ")
    x = model.layout.digits(np.arange(24))
    held = sum(np.isin(x[:, EVENTS[event][0]], list(EVENTS[event][1])).astype(int) for event in events)
    if len(events) == 1:
        is_named = held == 1
    elif words.startswith(("both or neither", "an even")):
        is_named = held % 2 == 0
    else:
        is_named = held % 2 == 1
    more = model.probabilities()[is_named].sum() > without.probabilities()[is_named].sum()
    assert more == (value > 0)


def test_intervals_stand_with_the_values():
    model = LogLinear((2, 2), {1: 0.2, 3: -0.5})
    columns = {each.title: each for each in terms.table(model).columns}
    found = Estimates(np.array([-0.3, -0.9]), np.diag([0.01, 0.04]), 50.0)
    beside = {each.title: each for each in terms.table(model, found=found).columns}
    added = ["Estimate", "95 % from", "to", "p, Holm"]
    assert list(beside) == ["More often", "Odds ratio", *added, "Value", "Less often"]
    assert {title: each for title, each in beside.items() if title not in added} == columns  # of the model's own values
    assert columns["Odds ratio"].numbers == pytest.approx([math.exp(4 * 0.5), math.exp(2 * 0.2)], rel=1e-3)
    ends = [math.exp(4 * value) for value in (0.9, 0.9 - 1.96 * 0.2, 0.9 + 1.96 * 0.2)]  # of what is more often
    assert [beside[title].numbers[0] for title in added[:3]] == pytest.approx(ends, rel=1e-3)
    assert beside["Estimate"].numbers[1] == pytest.approx(math.exp(2 * -0.3), rel=1e-3)  # of the other sign


def test_two_variables_share_the_terms_that_depend_on_both():
    model = LogLinear((2, 2, 2), {1: 0.2, 3: -0.9, 7: 0.4})
    shared = terms.shared_gains(model)
    np.testing.assert_allclose(shared, [[1.5, 1.3, 0.4], [1.3, 1.3, 0.4], [0.4, 0.4, 0.4]])
    purchases = terms.Purchases(np.array([0.5, 0.25, -1e-9]), np.zeros(3), np.arange(3))
    assert terms.shared_gains(model, purchases)[0, 1] == 0.25
    assert (
        terms.graph_sentence(model, ("A", "B", "C"), purchases)
        == "1 pair of variables shares a term, most strongly A and B."
    )
