"""A training that ends early once measurements bring no new best."""

import dataclasses

import pytest

from boltzcore import Recipe
from boltzcore.data import Corruption
from boltzcore.learners import CD, ConditionalLR
from boltzcore.measures.merit import merit
from boltzcore.models import CRBMSetup, RBMSetup
from boltzcore.parameters import Refusal
from boltzcore.registry import LEARNERS
from boltzcore.runs.checkpoint import load_state, save_state
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.training import train
from tests.runs.toys import Walk, records, walk


def conditional(patience=3):
    schedule = Schedule(length=40, unit="updates", seed=2, patience=patience)
    learner = ConditionalLR(rate=8.0, batch_size=50)  # so large a rate that the error goes up and down
    return Recipe(CRBMSetup(hidden=2), "digits", learner, schedule, corruption=Corruption(rate=0.2))


def waiting(patience=3, **fields):
    return dataclasses.replace(
        made := walk(200, **{"rate": 0.05, **fields}), schedule=made.schedule.changed(patience=patience)
    )


def ends_at(values, patience):
    """Where so many in a row are no better than the best before them."""
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
    steps = list(train(recipe))
    whole = list(train(dataclasses.replace(recipe, schedule=recipe.schedule.changed(patience=0))))
    values = [merit(step.record.values, recipe.entry.merit) for step in whole]
    last = ends_at(values, recipe.schedule.patience)
    assert 0 < last < len(whole) - 1
    assert records(steps) == records(whole)[: last + 1]
    assert steps[-1].state.done
    assert not any(step.state.done for step in steps[:-1] + whole)
    assert not any(name in values for step in steps for values in (step.record.values,) for name in ("best", "waited"))


def test_it_ends_at_the_same_measurement_however_it_is_cut():
    recipe = waiting()
    wanted = records(train(recipe))
    cut = list(train(recipe, seconds=1e-9))
    assert len(cut) > len(wanted)
    assert records(cut) == wanted


def test_it_goes_on_waiting_from_a_checkpoint(tmp_path):
    recipe = waiting()
    steps = [dataclasses.replace(step, state=step.state.copy()) for step in train(recipe)]
    for k in (1, len(steps) - 2, len(steps) - 1):
        save_state(tmp_path / "state.npz", steps[k].state)
        rest = list(train(recipe, resume=load_state(tmp_path / "state.npz", recipe)))
        assert records(steps[: k + 1] + rest) == records(steps)


def test_a_figure_that_stays_is_no_new_best():
    assert [step.state.count for step in train(waiting(4, rate=0.0))] == [0, 5, 10, 15, 20]


def test_patience_without_a_merit_is_refused():
    with pytest.raises(Refusal, match=r"^patience must be 0 where nothing .* judges the model, not 1\.") as refusal:
        waiting(1, measures=("free_energy_gap",))
    assert refusal.value.field == "schedule.patience"


def test_held_out_rows_are_waited_for_where_the_data_have_any():
    schedule = Schedule(length=60, every=2, patience=2)
    recipe = Recipe(RBMSetup(hidden=20), "digits", CD(rate=0.5, K=1), schedule, ("log_likelihood",))
    steps = list(train(recipe))
    held_out = [step.record.values["validation_log_likelihood"] for step in steps]
    assert ends_at(held_out, 2) == len(steps) - 1 < 30


def test_a_learner_that_leaves_figures_of_its_own_does_not_end_the_waiting(monkeypatch):
    class Telling(Walk):
        def advance(self, state, data, **how):
            return dataclasses.replace(super().advance(state, data, **how), info={"own": 1.0})

    monkeypatch.setitem(LEARNERS, "Telling", Telling)
    recipe = waiting(4, rate=0.0)
    telling = dataclasses.replace(recipe, learner=Telling(**recipe.learner.values()))
    steps = list(train(telling))
    assert [step.state.count for step in steps] == [0, 5, 10, 15, 20]
    assert steps[-1].record.values["own"] == 1.0
    assert steps[-1].record.seconds > 0
