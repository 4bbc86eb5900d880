"""Rules that end a training early: measurements without a new best, a risen free-energy gap, a cost limit."""

import dataclasses
import itertools

import pytest

from boltzcore import Recipe
from boltzcore.data import Corruption, Digits
from boltzcore.learners import CD, ConditionalLR
from boltzcore.measures.merit import merit
from boltzcore.models import CRBMSetup, RBMSetup
from boltzcore.registry import LEARNERS
from boltzcore.training.loop import fit, train
from boltzcore.training.schedule import Schedule
from boltzcore.training.stopping import early_reason
from tests.runs.toys import WALK, Walk, records, refused, steps_of, walk, whole


def scheduled(recipe: Recipe, **fields) -> Recipe:
    """The recipe with another schedule."""
    return dataclasses.replace(recipe, schedule=recipe.schedule.changed(**fields))


# -- patience -----------------------------------------------------------------------------------------


def conditional(patience=3):
    schedule = Schedule(length=40, unit="updates", seed=2, patience=patience)
    learner = ConditionalLR(rate=8.0, batch_size=50)  # so large a rate that the error goes up and down
    return Recipe(CRBMSetup(hidden=2), "digits", learner, schedule, corruption=Corruption(rate=0.2))


def waiting(patience=3, **fields):
    return scheduled(walk(200, **{"rate": 0.05, **fields}), patience=patience)


def stale_at(values, patience):
    """The first of these that ends a row of so many that are no better than the best before them; else the last."""
    best, waited = None, 0
    for k, value in enumerate(values):
        best, waited = (value, 0) if best is None or value > best else (best, waited + 1)
        if waited >= patience:
            return k
    return len(values) - 1


@pytest.mark.parametrize("patience", [1, 3, 7])
@pytest.mark.parametrize("make", [waiting, conditional])
def test_it_ends_after_so_many_measurements_without_a_new_best(make, patience):
    recipe = make(patience)
    steps, all_steps = steps_of(recipe), steps_of(scheduled(recipe, patience=0))
    last = stale_at([merit(step.record.values, recipe.entry.merit) for step in all_steps], patience)
    assert 0 < last < len(all_steps) - 1
    assert records(steps) == records(all_steps)[: last + 1]
    assert [bool(early_reason(recipe.schedule, step.state)) for step in steps] == [False] * last + [True]
    assert not any(step.state.done for step in steps)  # by a rule of the learner
    assert all(step.record.values.keys() == steps[0].record.values.keys() for step in steps)


def test_held_out_rows_are_waited_for_where_the_data_have_any():
    schedule = Schedule(length=60, every=2, patience=2)
    recipe = Recipe(RBMSetup(hidden=20), "digits", CD(rate=0.5, K=1), schedule, ("log_likelihood",))
    steps = list(train(recipe))
    held_out = [step.record.values["validation_log_likelihood"] for step in steps]
    assert stale_at(held_out, 2) == len(steps) - 1 < 30


def test_a_learner_that_leaves_figures_of_its_own_does_not_end_the_waiting(monkeypatch):
    class Telling(Walk):
        def advance(self, state, data, **how):
            return dataclasses.replace(super().advance(state, data, **how), figures={"own": 1.0})

    monkeypatch.setitem(LEARNERS, "Telling", dataclasses.replace(WALK, learner=Telling))
    recipe = waiting(4, rate=0.0)
    steps = list(train(dataclasses.replace(recipe, learner=Telling(**recipe.learner.values()))))
    assert [step.state.count for step in steps] == [0, 5, 10, 15, 20]  # a figure that stays is no new best
    assert steps[-1].record.values["own"] == 1.0
    assert steps[-1].record.seconds > 0


# -- the gap ------------------------------------------------------------------------------------------

SCHEDULE = Schedule(length=40, unit="epochs", gap_limit=0.05)


def overfitting(measures=("free_energy_gap",), **fields) -> Recipe:
    """Few digits, many units."""
    return Recipe(RBMSetup(hidden=60), Digits(), CD(rate=0.1, batch_size=20), SCHEDULE.changed(**fields), measures)


def risen_at(gaps: list[float], limit: float, patience: int) -> int:
    lowest, risen = float("inf"), 0
    for k, gap in enumerate(gaps):
        lowest = min(lowest, gap)
        risen = risen + 1 if gap > lowest + limit else 0
        if risen >= patience:
            return k
    return len(gaps) - 1


def test_it_ends_once_the_gap_has_risen_and_the_best_state_is_the_one_before():
    steps, all_records = steps_of(overfitting()), whole(overfitting(gap_limit=0.0))
    last = risen_at([values["free_energy_gap"] for *_, values in all_records], 0.05, 3)
    assert 2 < last < 40
    assert records(steps) == all_records[: last + 1]
    assert early_reason(SCHEDULE, steps[-1].state)
    assert fit(overfitting(), tolerant=True).best.count == steps[-4].state.count


def test_a_rule_on_what_is_not_measured_is_refused():
    with refused("schedule.patience"):
        overfitting(patience=1)
    with refused("schedule.gap_limit"):
        overfitting(measures=())


# -- the cost -----------------------------------------------------------------------------------------

COSTED = {
    "CD": Recipe(RBMSetup(hidden=3), "bars-and-stripes", "CD", Schedule(length=1000, unit="updates", every=1000)),
    "BP, whose updates cost what it takes": Recipe(
        "crbm", "shifting-bar", "BeliefPropagationMLE", Schedule(length=40, unit="updates", every=40)
    ),
}


@pytest.fixture(params=list(COSTED))
def recipe(request) -> Recipe:
    return COSTED[request.param]


@pytest.mark.parametrize("unit", ["operations", "work"])
def test_it_ends_at_the_first_update_that_reaches_the_limit(recipe, unit):
    before, step = itertools.islice(train(recipe, seconds=1e-9), 7, 9)
    count, cost = step.state.count, getattr(step.state, unit)
    for limit, expected in ((cost, count), (cost + 1, count + 1), (getattr(before.state, unit) + 1, count)):
        asked = scheduled(recipe, limit=limit, limit_unit=unit)
        *_, last = train(asked)
        assert last.state.count == expected
        assert early_reason(asked.schedule, last.state)
        *_, cut = train(asked, seconds=1e-9)
        assert (cut.state.count, cut.record.values) == (last.state.count, last.record.values)
        *_, plain = train(scheduled(recipe, length=expected, every=expected))
        assert plain.record.values == last.record.values
        assert plain.state.operations == last.state.operations


def test_a_limit_of_seconds_ends_it_too(recipe):
    asked = scheduled(recipe, length=10_000_000, every=20_000, limit=1, limit_unit="seconds")
    *_, last = train(asked, seconds=0.05)
    assert early_reason(asked.schedule, last.state)
    assert last.record.seconds >= 1
