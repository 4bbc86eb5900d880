"""What an update costs follows from the sizes alone where the algorithm says so, and is what the update counts."""

import pytest

from boltzcore.registry import LEARNERS, MODELS
from boltzcore.runs.costs import cost_of_update
from boltzcore.runs.recipe import Recipe

ROWS, VISIBLE, HIDDEN = 14, 9, 5  # of Bars & Stripes, and of the machines
FOUND = {  # learners whose cost depends on when they come to rest, or on what is accepted
    "BeliefPropagationMLE",
    "FrankWolfe",
    "GreedyMDL",
    "LSSVM",
    "MSSVM",
    "MeanFieldMLE",
    "PairwiseExact",
    "PseudoLikelihoodLBFGS",
    "TrajectoryTempering",
}


@pytest.mark.parametrize(
    "learner",
    [*(kind() for kind in LEARNERS.values()), *(LEARNERS[name](chains_per_row=3) for name in ("CD", "PCD"))],
    ids=str,
)
def test_the_operations_of_an_update_are_known_or_depend_on_what_it_finds(learner):
    known = learner.operations_of_update(ROWS, VISIBLE, HIDDEN)
    assert (known is None) == (type(learner).__name__ in FOUND)
    if known is None:
        return
    setup = MODELS[learner.models[0]].setup
    sized = setup(hidden=HIDDEN) if "hidden" in {each.name for each in setup.parameters()} else setup()
    data = "parity" if learner.models[0] == "log-linear" else "bars-and-stripes"
    if data == "parity":
        known = learner.operations_of_update(4, 3, 0)
    assert known == cost_of_update(Recipe(sized, data, learner), "operations")


@pytest.mark.parametrize("name", ["CD", "ConditionalCD"])
def test_a_batch_of_all_rows_costs_what_they_cost(name):
    whole, batch = LEARNERS[name](batch_size=0), LEARNERS[name](batch_size=200)
    assert whole.operations_of_update(200, VISIBLE, HIDDEN) == batch.operations_of_update(6_000, VISIBLE, HIDDEN)
