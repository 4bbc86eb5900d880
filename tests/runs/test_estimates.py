"""Trainings of models too large to enumerate: their likelihood is an estimate everywhere."""

import dataclasses

import pytest

from boltzcore.inference import Annealing
from boltzcore.learners import CD
from boltzcore.measures import How, log_likelihood, rows_to_measure
from boltzcore.models import RBMSetup
from boltzcore.runs.recipe import Recipe, Schedule
from boltzcore.runs.store import Store
from boltzcore.runs.training import train
from tests.runs.toys import Walk, figures, finished, until, whole

JUDGE, CLIMBS = "validation_log_likelihood_ais", "train_log_likelihood_ais"


QUICK = Annealing(chains=20, temperatures=50, start="uniform")


def large(length=6, annealing=QUICK):
    schedule = Schedule(length=length, unit="updates", every=2, seed=5)
    return Recipe(RBMSetup(hidden=26), "digits", CD(rate=0.1), schedule, ("log_likelihood",), annealing=annealing)


def test_records_hold_the_estimate_of_the_recipes_annealing():
    recipe = large()
    rows = rows_to_measure(recipe.data.load(), 5)
    steps = list(train(recipe))
    assert [step.record.count for step in steps] == [0, 2, 4, 6]
    for step in steps:
        assert dict(step.record.values) == log_likelihood(
            step.state.model, rows, How(5, step.record.count, recipe.annealing)
        )


def test_the_best_state_and_the_list_of_runs_go_by_the_estimate(engine, make_engine, tmp_path):
    recipe = large()
    run = engine.create(recipe, play=True)
    snapshot = finished(run)
    assert figures(snapshot.records) == whole(recipe)
    values = [record.values[JUDGE] for record in snapshot.records]
    assert snapshot.best_value == max(values)
    assert snapshot.best.count == snapshot.records[values.index(max(values))].count
    assert [entry.merit for entry in Store(tmp_path).list()] == [values[-1]]
    again = make_engine().get(run.id)
    assert again.snapshot.best_value == max(values)


def test_a_training_pauses_and_goes_on_in_the_middle_of_an_estimate(engine):
    recipe = large(2, annealing=Annealing(chains=300, temperatures=3000))
    run = engine.create(recipe, play=True)
    until(lambda: run._seconds)  # the generator is at work: on its first record
    run.pause()
    until(lambda: run.snapshot.status == "paused")
    assert run.snapshot.records == ()
    run.play()
    assert figures(finished(run).records) == whole(recipe)


def test_a_fall_of_the_whole_interval_pauses_the_training(engine):
    # visible biases that rise for ever make pixels that are off ever less probable
    run = engine.create(
        dataclasses.replace(large(200, annealing=Annealing(chains=20, temperatures=50)), learner=Walk(drift=0.5)),
        play=True,
    )
    until(lambda: run.snapshot.status not in ("queued", "starting", "running"))
    assert run.snapshot.status == "diverged"
    assert "fell to an estimated" in run.snapshot.reason
    last = run.snapshot.records[-1].values
    assert last[f"{CLIMBS}_high"] < max(record.values[CLIMBS] for record in run.snapshot.records)
    assert run.snapshot.best_value == pytest.approx(max(record.values[JUDGE] for record in run.snapshot.records))
