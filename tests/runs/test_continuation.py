"""What a training's model can be learnt as when it has ended."""

import dataclasses

from boltzcore import Recipe, train
from boltzcore.learners import FrankWolfe
from boltzcore.models import RBM
from boltzcore.runs.continuation import continuations
from boltzcore.runs.recipe import STAGES
from boltzcore.runs.schedule import Schedule

FW = Recipe(
    "infinite-rbm",
    "bars-and-stripes",
    FrankWolfe(correction="none", lambda_=0.01),
    Schedule(length=3, unit="updates", seed=5),
)


def test_what_frank_wolfe_has_found_goes_on_as_an_rbm_of_as_many_units():
    *_, last = train(FW)
    found = continuations(FW, last.state.model)
    (recipe,) = found.values()
    assert (recipe.before, recipe.data, recipe.schedule.seed, recipe.model.hidden) == (FW, FW.data, 5, 3)
    assert Recipe.from_query(recipe.to_query()) == recipe
    *_, end = train(Recipe.from_query(recipe.to_query() | {"schedule.length": "2"}))
    assert isinstance(end.state.model, RBM)
    assert end.state.model.n_hidden == last.state.model.n_units
    longest = FW
    for _ in range(STAGES - 1):
        longest = dataclasses.replace(FW, before=longest)
    assert continuations(longest, last.state.model) == {}  # no more stages than there may be
    assert continuations(Recipe("rbm", "bars-and-stripes"), end.state.model) == {}
