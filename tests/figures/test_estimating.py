"""Estimates as a table, and in words beside each parameter."""

import numpy as np

from boltzcore.data import load
from boltzcore.data.examples import Dataset
from boltzcore.figures import estimating
from boltzcore.learners import PseudoLikelihoodLBFGS
from boltzcore.measures.estimates import estimated
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
