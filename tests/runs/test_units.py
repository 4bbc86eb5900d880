"""Runs of Frank-Wolfe: what is said where nothing is inserted, where a unit explodes, and where the model overfits."""

import itertools

import pytest

from boltzcore import Recipe, train
from boltzcore.inference import Annealing
from boltzcore.learners import CD, FrankWolfe
from boltzcore.models import InfiniteRBMSetup, RBMSetup
from boltzcore.training.schedule import Schedule
from tests.runs.toys import finished, until

EVERY = Schedule(length=30, unit="updates")


def bars(schedule: Schedule = EVERY, **fields) -> Recipe:
    return Recipe("infinite-rbm", "bars-and-stripes", FrankWolfe(**fields), schedule)


@pytest.mark.parametrize("data", ["bars-and-stripes", "digits"])
def test_a_penalty_too_large_for_any_unit_ends_at_once_and_says_so(engine, data):
    """Also where the model is sampled, and chance alone would have a unit of hardly any weight inserted."""
    recipe = Recipe("infinite-rbm", data, FrankWolfe(lambda_=10.0), EVERY, measures=("free_energy_gap",))
    snapshot = finished(engine.create(recipe, play=True))
    assert snapshot.reason
    assert (snapshot.state.count, snapshot.state.model.n_units) == (1, 0)


def test_a_unit_that_explodes_halts_the_training_and_its_best_state_is_kept(engine):
    run = engine.create(bars(correction="none", lambda_=0.0), play=True)
    until(lambda: run.snapshot.status == "diverged")
    assert "penalty" in run.snapshot.reason
    assert run.snapshot.best.count == 0


@pytest.mark.parametrize(
    ("stages", "exact"),
    [
        ([(20, {})], True),
        ([(21, {})], False),
        ([(20, {"correction": "full"})], False),
        ([(20, {"temperature": "gradient"})], False),
        ([(22, {}), 22], False),
        ([(2, {"correction": "full"}), 6], False),
        ([(3, {}), 60], True),  # as many as the first stage inserts
        ([10, (3, {})], True),
        ([10, (11, {})], False),
    ],
)
def test_a_curve_is_exact_or_estimated_from_its_first_record_to_its_last(stages, exact):
    """Of 64 pixels: exact where at most 20 whole hidden units can come. A number is an RBM of so many hidden units."""
    few, recipe = Annealing(chains=2, temperatures=2), None
    for stage in stages:
        if isinstance(stage, int):
            setup, learner, schedule = RBMSetup(hidden=stage), CD(batch_size=1000), Schedule(length=1)
        else:
            length, fields = stage
            small = {"samples": 20, "M": 20, "steps": 1, "restarts": 1, "iterations": 3, "rounds": 1}
            setup, learner = InfiniteRBMSetup(), FrankWolfe(**{"correction": "none"} | small | fields)
            schedule = Schedule(length=length, unit="updates", every=length if len(stages) > 1 else 1)
        recipe = Recipe(setup, "digits", learner, schedule, ("log_likelihood",), annealing=few, before=recipe)
    steps = train(recipe) if len(stages) > 1 else itertools.islice(train(recipe), 3)
    assert {"train_log_likelihood" in step.record.values for step in steps} == {exact}
