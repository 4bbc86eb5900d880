"""Whatever is done to a run, its recipe gives the same records and the same model: random commands against a replay."""

import dataclasses
import os
import random
from collections.abc import Callable

import numpy as np
import pytest

from boltzcore import Recipe
from boltzcore.data import BarsAndStripes, RandomFVBM
from boltzcore.jobs.engine import Engine, Run
from boltzcore.learners import CD, FrankWolfe, GreedyMDL, PairwisePCD
from boltzcore.models import CRBMSetup, RBMSetup
from boltzcore.registry import LEARNERS, MODELS
from boltzcore.training.loop import train
from boltzcore.training.schedule import Schedule
from tests.runs.toys import at_rest, figures
from tests.runs.toys import records as records_of

TINY = BarsAndStripes(D=2)
SETUPS = {"rbm": RBMSetup(hidden=2, sigma=0.5), "crbm": CRBMSetup(hidden=2, sigma=0.5)}
DATA = {"fvbm": RandomFVBM(d=2, n=200)}
SMALL = {"batch_size": 2, "iterations": 5, "restarts": 1, "chains": 10}  # where a learner has such a field


def recipe_of(kind: type, schedule: Schedule) -> Recipe:
    model = LEARNERS[kind.__name__].models[0]
    fields = {name: value for name, value in SMALL.items() if name in {p.name for p in kind.parameters()}}
    return Recipe(SETUPS.get(model, MODELS[model].setup()), DATA.get(model, TINY), kind(**fields), schedule)


@pytest.fixture(autouse=True)
def no_waiting_for_disks(monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda _file: None)


def random_command(run: Run, rng: random.Random) -> Callable[[], object]:
    schedule, live = run.recipe.schedule, run.recipe.live_fields()
    longer = schedule.length + rng.randint(1, 4)
    value = rng.choice((1, 2, 3)) if live and rng.choice(live) in ("K", "d", "K_prime") else 0.1
    return rng.choice(
        [
            run.play,
            run.play,
            lambda: run.step(rng.randint(1, 4)),
            lambda: run.step(rng.randint(1, 4)),
            run.stop,
            run.pause,
            lambda: run.extend(longer),
            lambda: run.extend(longer),
            run.restore_best,
            run.restore_best,
            lambda: setattr(run, "pace", rng.choice((None, 1e6))),
            lambda: [run.change(**{field: value}) for field in live[:1]],
        ]
    )


def assert_replays(run: Run) -> None:
    """The records so far are those of the recipe, and so is the model at the end."""
    steps = list(train(run.recipe))
    records, last = records_of(steps), steps[-1].state
    got, now = figures(run.snapshot.records), run.snapshot
    assert got == records[: len(got)]
    if now.state is not None:
        assert all(count >= now.state.count for count, *_ in records[len(got) :])
    if now.status == "finished":
        assert got == records
        for field in dataclasses.fields(last.model):
            np.testing.assert_array_equal(getattr(now.state.model, field.name), getattr(last.model, field.name))
        assert (now.state.done, now.state.work) == (last.done, last.work)
        assert dataclasses.replace(now.state.progress, seconds=0.0) == dataclasses.replace(last.progress, seconds=0.0)


def walk_at_random(recipe: Recipe, make_engine: Callable[[], Engine], rng: random.Random, many: int) -> None:
    run = make_engine().create(recipe)
    for _ in range(many):
        if rng.random() < 0.15:
            run = make_engine().get(run.id)
        at_rest(run)
        try:
            random_command(run, rng)()
        except ValueError:  # no best state yet
            assert run.snapshot.best is None
        assert at_rest(run).status in ("paused", "stopped", "finished", "diverged"), run.snapshot.reason
    while run.snapshot.status != "finished":
        run.play()
        at_rest(run)
    assert_replays(run)


def schedule_of(rng: random.Random) -> Schedule:
    length, every, between = rng.randint(1, 7), rng.randint(2, 4), rng.choice((0, 0, 3))
    patience, seed = rng.choice((0, 0, 2, 3)), rng.randint(0, 99)
    return Schedule(length=length, unit="updates", every=every, between=between, seed=seed, patience=patience)


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("seed", range(3))
def test_any_commands_leave_what_the_recipe_gives(name, seed, make_engine):
    rng = random.Random(f"{name} {seed}")
    walk_at_random(recipe_of(LEARNERS[name].learner, schedule_of(rng)), make_engine, rng, 8)


@pytest.mark.parametrize("seed", range(6))
def test_any_commands_in_two_stages_leave_what_the_recipe_gives(seed, make_engine):
    rng = random.Random(seed)
    first = recipe_of(FrankWolfe, schedule_of(rng))
    walk_at_random(dataclasses.replace(recipe_of(CD, schedule_of(rng)), before=first), make_engine, rng, 10)


@pytest.mark.parametrize("patience", [0, 1])
@pytest.mark.parametrize("kind", [PairwisePCD, GreedyMDL, CD])
def test_back_to_the_best_of_a_finished_training_and_longer(kind, patience, make_engine):
    """Its last record was taken only because it ended there; the one that goes on has none."""
    schedule = Schedule(length=3, unit="updates", every=5, patience=patience)
    run = make_engine().create(recipe_of(kind, schedule))
    at_rest(run)
    for command in (run.play, lambda: run.extend(6), run.play, run.restore_best, lambda: run.extend(12), run.play):
        command()
        at_rest(run)
        assert_replays(run)
    revived = make_engine().get(run.id)
    revived.extend(16)  # before its data are loaded again
    revived.play()
    assert at_rest(revived).status == "finished"
    assert_replays(revived)
