"""A schedule's cost limit: a training ends at the first update that reaches it, however it is cut."""

import dataclasses

import pytest

from boltzcore import Recipe, train
from boltzcore.models import RBMSetup
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.stopping import why_early

RECIPES = {
    "CD": Recipe(RBMSetup(hidden=3), "bars-and-stripes", "CD", Schedule(length=1000, unit="updates", every=1000)),
    "BP, whose updates cost what it takes": Recipe(
        "crbm", "shifting-bar", "BeliefPropagationMLE", Schedule(length=40, unit="updates", every=40)
    ),
}


@pytest.fixture(params=list(RECIPES))
def recipe(request) -> Recipe:
    return RECIPES[request.param]


def limited(recipe: Recipe, limit: int, unit: str = "operations") -> Recipe:
    return dataclasses.replace(recipe, schedule=recipe.schedule.changed(limit=limit, limit_unit=unit))


def one_by_one(recipe: Recipe) -> list[tuple[int, int, int]]:
    """(count, operations, work) after each of the first updates."""
    found = []
    for step in train(recipe, seconds=1e-9, most=lambda: 1):
        found.append((step.state.count, step.state.operations, step.state.work))
        if len(found) > 12:
            return found
    return found


@pytest.mark.parametrize(("unit", "column"), [("operations", 1), ("work", 2)])
def test_it_ends_at_the_first_update_that_reaches_the_limit(recipe, unit, column):
    updates = one_by_one(recipe)
    count, cost = updates[8][0], updates[8][column]
    for limit, expected in ((cost, count), (cost + 1, count + 1), (updates[7][column] + 1, count)):
        asked = limited(recipe, limit, unit)
        *_, last = train(asked)
        assert last.state.count == expected
        assert last.state.done
        assert last.record is not None
        assert why_early(asked.schedule, last.state) == f"The cost limit of {limit:,} {unit} is reached"
        *_, cut = train(asked, seconds=1e-9, most=lambda: 3)
        assert (cut.state.count, cut.record.values) == (last.state.count, last.record.values)


def test_the_state_is_that_of_as_many_updates_without_a_limit(recipe):
    *_, last = train(limited(recipe, one_by_one(recipe)[6][1]))
    length = recipe.schedule.changed(length=last.state.count, every=last.state.count)
    *_, plain = train(dataclasses.replace(recipe, schedule=length))
    assert plain.record.values == last.record.values
    assert plain.state.operations == last.state.operations


def test_a_limit_of_seconds_ends_it_too(recipe):
    longer = dataclasses.replace(recipe, schedule=recipe.schedule.changed(length=10_000_000, every=20_000))
    *_, last = train(limited(longer, 1, "seconds"), seconds=0.05)
    assert 1 <= last.record.seconds < 5


def test_no_limit_is_none():
    assert not Schedule().limit
    *_, last = train(RECIPES["CD"])
    assert last.state.count == 1000
    assert not last.state.done
