"""Table of estimates."""

import numpy as np

from boltzcore.data import load
from boltzcore.learners import PseudoLikelihoodLBFGS
from boltzcore.measures.estimates import estimate
from boltzcore.models import FVBM
from pages.figures import estimating


def test_the_table_has_a_row_of_numbers_for_each_parameter_under_the_names_of_its_columns():
    senate = load("senate")
    d, learner = senate.train.n_visible, PseudoLikelihoodLBFGS()
    start = learner.start(FVBM(np.zeros((d, d)), np.zeros(d)), senate.train, seed=0)
    model = learner.advance(start, senate.train, updates=20).model
    found = estimate(model, senate.train)
    parameter, *numbers = estimating.table(found, senate.names.columns).columns
    assert (len(parameter.texts), parameter.numbers) == (36, None)
    assert parameter.texts[8] == "M[{}, {}]".format(*senate.names.columns[:2])
    columns = {each.title: each.numbers for each in numbers}
    assert list(columns) == ["Estimate", "Standard error", "95 % from", "to", "z", "p"]
    assert (columns["Estimate"], columns["z"]) == (tuple(found.theta), tuple(found.z))
    assert (columns["95 % from"], columns["to"]) == tuple(map(tuple, found.interval(0.95)))
