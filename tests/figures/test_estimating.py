"""Estimates as a table, and in words beside each parameter."""

import numpy as np
import pytest

from boltzcore.data import load
from boltzcore.data.examples import Dataset, Examples
from boltzcore.figures import estimating
from boltzcore.learners import PseudoLikelihoodLBFGS
from boltzcore.measures.estimates import Estimates, estimated
from boltzcore.models import FVBM


def fitted(dataset: Dataset) -> FVBM:
    d = dataset.train.n_visible
    learner = PseudoLikelihoodLBFGS()
    return learner.advance(
        learner.start(FVBM(np.zeros((d, d)), np.zeros(d)), dataset.train, seed=0), dataset.train, updates=20
    ).model


SENATE = load("senate")
MODEL = fitted(SENATE)
FOUND = estimating.estimates_of(MODEL, SENATE)


def test_the_table_has_a_line_for_each_parameter_under_the_names_of_its_columns():
    parameter, *numbers = estimating.table(FOUND, SENATE.names.columns).columns
    assert [each.title for each in numbers] == ["Estimate", "Standard error", "95 % from", "to", "z", "p"]
    assert len(parameter.texts) == 36
    assert parameter.texts[8] == "M[{}, {}]".format(*SENATE.names.columns[:2])
    assert parameter.numbers is None


def test_it_sorts_and_is_saved_in_full():
    columns = {each.title: each for each in estimating.table(FOUND, SENATE.names.columns).columns}
    found = estimated(MODEL, SENATE.train)
    assert columns["Estimate"].numbers == tuple(found.theta)
    assert columns["z"].numbers == tuple(found.z)
    low, high = found.interval(0.95)
    assert (columns["95 % from"].numbers, columns["to"].numbers) == (tuple(low), tuple(high))


def test_numbers_are_written_with_a_sign_of_full_width_and_no_negative_zero():
    found = Estimates(np.array([-1.23456, -1e-12, 5.0]), np.eye(3) * 0.25, 100.0, -50.0)
    columns = {each.title: each.texts for each in estimating.table(found, ("a", "b")).columns}
    assert columns["Parameter"] == ("b[a]", "b[b]", "M[a, b]")
    assert columns["Estimate"] == ("−1.2346", "0.0000", "5.0000")
    assert columns["z"] == ("−2.47", "0.00", "10.00")
    assert columns["p"] == ("0.0135", "1.0000", "< 0.0001")
    assert estimating.hover_texts(found)[0] == "−1.2346<br>95 % interval −2.2145 to −0.2546<br>z −2.47"


@pytest.mark.parametrize(
    ("rows", "why"),
    [([[0, 1], [0, 1]], "has no maximiser"), ([[0, 0], [0, 1], [1, 0], [1, 1]] * 2 + [[1, 1]] * 4, "not at the max")],
)
def test_what_is_refused_is_told(rows, why):
    dataset = Dataset(Examples(np.array(rows)), None, Examples(np.array(rows)))
    assert why in estimating.estimates_of(FVBM(np.zeros((2, 2)), np.zeros(2)), dataset)
