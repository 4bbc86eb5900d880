"""Trainings of models too large to enumerate: their likelihood is an estimate everywhere."""

import dataclasses
import math
import threading

from boltzcore.inference import Annealing
from boltzcore.jobs.stopwatch import Stopwatch
from boltzcore.jobs.store import Store
from boltzcore.learners import CD
from boltzcore.measures import MeasureContext, log_likelihood
from boltzcore.measures.measure import rows_to_measure
from boltzcore.measures.merit import in_full
from boltzcore.models import RBMSetup
from boltzcore.training.loop import train
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from tests.runs.toys import figures, finished, until, whole

JUDGE = "validation_log_likelihood_ais"


def large(length=6, **annealing):
    schedule = Schedule(length=length, unit="updates", every=2, seed=5)
    ais = Annealing(**{"chains": 20, "temperatures": 50, **annealing})
    return Recipe(RBMSetup(hidden=26), "digits", CD(rate=0.1), schedule, ("log_likelihood",), annealing=ais)


def test_records_hold_the_estimate_of_the_recipes_annealing():
    recipe = large()
    rows = rows_to_measure(recipe.data.load(), 5)
    steps = list(train(recipe))
    assert [step.record.count for step in steps] == [0, 2, 4, 6]
    for step in steps:
        assert dict(step.record.values) == log_likelihood(
            step.state.model, rows, MeasureContext(5, step.record.count, recipe.annealing)
        )


def test_a_training_pauses_and_goes_on_in_the_middle_of_an_estimate(make_engine, monkeypatch):
    recipe, report = large(1, chains=30, temperatures=3000), Stopwatch.report_progress
    ready, middle, go_on = (threading.Event() for _ in range(3))
    run = make_engine(ready=lambda _: ready).create(recipe, play=True)

    def held(watch, share):
        report(watch, share)
        if share and run.snapshot.prepared:  # of the first record
            middle.set()
            go_on.wait(100)

    monkeypatch.setattr(Stopwatch, "report_progress", held)
    ready.set()
    assert middle.wait(100)
    run.pause()
    go_on.set()
    until(lambda: run.snapshot.status == "paused")
    assert run.snapshot.records == ()
    run.play()
    assert figures(finished(run).records) == whole(recipe)


def eased(length, between=4, **schedule):
    recipe = large(length, chains=70)
    return dataclasses.replace(recipe, schedule=recipe.schedule.changed(every=12, between=between, **schedule))


def test_estimates_in_between_are_quick_and_the_others_are_those_of_a_training_without_them():
    records = [step.record for step in train(eased(30)) if step.record]
    assert [record.count for record in records] == [0, 1, 2, 4, 8, 12, 16, 20, 24, 28, 30]
    full = [record for record in records if in_full(record.values)]
    assert [record.count for record in full] == [12, 24, 30]
    assert {record.values["ais_chains"] for record in records if record not in full} == {64}
    plain = {record.count: record.values for step in train(eased(30, between=0)) if (record := step.record)}
    assert all(record.values == plain[record.count] for record in full)
    assert all(map(in_full, plain.values()))


def test_the_best_state_patience_and_the_list_go_by_records_in_full(engine, make_engine, tmp_path):
    run = engine.create(eased(20), play=True)
    snapshot = finished(run)
    judged = {record.count: record.values[JUDGE] for record in snapshot.records if in_full(record.values)}
    assert set(judged) == {12, 20}
    assert snapshot.best_value == max(judged.values())
    assert judged[snapshot.best.count] == snapshot.best_value
    assert [(each.merit, each.judge) for each in Store(tmp_path).list()] == [(judged[20], JUDGE)]
    assert make_engine().get(run.id).snapshot.best_value == snapshot.best_value
    states = {step.state.count: step.state for step in train(eased(24, patience=9))}
    known = {count for count, state in states.items() if state.progress.best > -math.inf}
    assert known == {12, 16, 20, 24}
    assert len({states[count].progress.best for count in (12, 16, 20)}) == 1


def test_an_extended_training_judges_as_one_that_was_longer_from_the_start(engine):
    run = engine.create(eased(8), play=True)
    finished(run)
    assert in_full(run.snapshot.records[-1].values)
    run.extend(14)
    run.play()
    until(lambda: run.snapshot.status == "finished" and run.snapshot.state.count == 14)
    assert figures(run.snapshot.records) == whole(eased(14))
