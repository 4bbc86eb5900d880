"""Runs of Frank-Wolfe: what is said where nothing is inserted, where a unit explodes, and where the model overfits."""

import itertools

import pytest

from boltzcore import Recipe, train
from boltzcore.inference import Annealing
from boltzcore.learners import CD, FrankWolfe
from boltzcore.models import InfiniteRBMSetup, RBMSetup
from boltzcore.runs.schedule import Schedule
from tests.runs.toys import finished, until

EVERY = Schedule(length=30, unit="updates")


def bars(schedule: Schedule = EVERY, **fields) -> Recipe:
    return Recipe("infinite-rbm", "bars-and-stripes", FrankWolfe(**fields), schedule)


@pytest.mark.parametrize("data", ["bars-and-stripes", "digits"])
def test_a_penalty_too_large_for_any_unit_ends_at_once_and_says_so(engine, data):
    """Also where the model is sampled, and chance alone would have a unit of hardly any weight inserted."""
    recipe = Recipe("infinite-rbm", data, FrankWolfe(lambda_=10.0), EVERY, measures=("free_energy_gap",))
    snapshot = finished(engine.create(recipe, play=True))
    assert snapshot.reason == "No further hidden unit is worth its penalty."
    assert (snapshot.state.count, snapshot.state.model.n_units) == (1, 0)


def test_a_unit_that_explodes_halts_the_training_and_its_best_state_is_kept(engine):
    run = engine.create(bars(correction="none", lambda_=0.0), play=True)
    until(lambda: run.snapshot.status == "diverged")
    assert "Try a penalty above 0 or the full correction" in run.snapshot.reason
    assert run.snapshot.best.count == 0
    run.restore_best()
    assert run.snapshot.state.count == 0


def test_a_training_that_overfits_stops_at_a_size_and_says_so(engine):
    recipe = Recipe(
        "infinite-rbm",
        "digits",
        FrankWolfe(correction="none", lambda_=0.03, samples=300, M=300, steps=100, K=5, restarts=1),
        Schedule(length=60, unit="updates", gap_limit=0.4, gap_patience=2),
        measures=("free_energy_gap",),
    )
    snapshot = finished(engine.create(recipe, play=True))
    assert snapshot.state.done
    assert 2 < snapshot.best.count == snapshot.best.model.n_units < snapshot.state.count < 60
    assert snapshot.reason == ""  # the schedule's rule is said by the page


@pytest.mark.parametrize(
    ("length", "fields", "exact"),
    [(20, {}, True), (21, {}, False), (20, {"correction": "full"}, False), (20, {"temperature": "gradient"}, False)],
)
def test_a_curve_is_exact_or_estimated_from_its_first_record_to_its_last(length, fields, exact):
    """Of 64 pixels: exact where at most 20 whole hidden units can come."""
    learner = FrankWolfe(**{"correction": "none", "samples": 20, "M": 20, "steps": 1, "restarts": 1} | fields)
    schedule = Schedule(length=length, unit="updates")
    few = Annealing(chains=2, temperatures=2)
    recipe = Recipe("infinite-rbm", "digits", learner, schedule, measures=("log_likelihood",), annealing=few)
    assert recipe.needs("annealing", 64) is not exact
    steps = itertools.islice(train(recipe), 3)
    kinds = {"train_log_likelihood" in step.record.values for step in steps}
    assert kinds == {exact}


@pytest.mark.parametrize(
    ("first", "second", "exact"),
    [
        (("infinite-rbm", {"correction": "none"}, 22), ("rbm", 22), False),
        (("infinite-rbm", {"correction": "full"}, 2), ("rbm", 6), False),
        (("infinite-rbm", {"correction": "none"}, 3), ("rbm", 60), True),  # as many as the first stage inserts
        (("rbm", 10), ("infinite-rbm", {"correction": "none"}, 3), True),
        (("rbm", 10), ("infinite-rbm", {"correction": "none"}, 11), False),
    ],
)
def test_no_curve_changes_its_kind_from_stage_to_stage(first, second, exact):
    few = Annealing(chains=2, temperatures=2)
    recipe = None
    for model, *more in (first, second):
        if model == "rbm":
            setup, learner, schedule = RBMSetup(hidden=more[0]), CD(batch_size=1000), Schedule(length=1)
        else:
            setup, schedule = InfiniteRBMSetup(), Schedule(length=more[1], unit="updates", every=more[1])
            learner = FrankWolfe(samples=20, M=20, steps=1, restarts=1, iterations=3, rounds=1, **more[0])
        recipe = Recipe(setup, "digits", learner, schedule, ("log_likelihood",), annealing=few, before=recipe)
    kinds = {"train_log_likelihood" in step.record.values for step in train(recipe)}
    assert kinds == {exact}
