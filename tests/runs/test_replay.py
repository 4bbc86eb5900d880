"""Whatever is done to a run, its recipe gives the same records and the same model: random commands against a replay."""

import dataclasses
import random
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from boltzcore import Recipe
from boltzcore.data import BarsAndStripes, RandomFVBM
from boltzcore.learners import CD, FrankWolfe, GreedyMDL, PairwisePCD
from boltzcore.models import CRBMSetup, RBMSetup
from boltzcore.registry import LEARNERS, MODELS
from boltzcore.runs.run import Run, new_run
from boltzcore.runs.run_state import EngineContext
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.stopping import KEYS
from boltzcore.runs.store import Saved, Store
from boltzcore.runs.training import train
from boltzcore.runs.turns import Turns
from tests.runs.toys import figures, until
from tests.runs.toys import records as records_of

TINY = BarsAndStripes(D=2)
SETUPS = {"rbm": RBMSetup(hidden=2, sigma=0.5), "crbm": CRBMSetup(hidden=2, sigma=0.5)}
DATA = {"fvbm": RandomFVBM(d=2, n=200)}
SMALL = {"batch_size": 2, "iterations": 5, "restarts": 1, "chains": 10}  # where a learner has such a field


def recipe_of(kind: type, schedule: Schedule) -> Recipe:
    fields = {name: value for name, value in SMALL.items() if name in {p.name for p in kind.parameters()}}
    model = kind.models[0]
    return Recipe(SETUPS.get(model, MODELS[model].setup()), DATA.get(model, TINY), kind(**fields), schedule)


class Late(Store):
    """A store that writes a run when it is read."""

    def save(self, run: Saved) -> None:
        self._last = run

    def load(self, id: str) -> Saved | None:
        super().save(self._last)
        return super().load(id)


class Walked:
    """A run whose commands have had their effect when `do` returns."""

    def __init__(self, recipe: Recipe, folder: Path) -> None:
        self._always = threading.Event()
        self._always.set()
        self._store = Late(folder)
        self._own(new_run(recipe, "", self._context(), lambda run: None))

    def _context(self) -> EngineContext:
        return EngineContext(self._store, Turns(1, 1), 0.0, lambda model: self._always)

    def _own(self, run: Run) -> None:
        self.run = run
        self.do(lambda: setattr(run, "keep_going", True))

    def do(self, command: Callable[[], object]) -> None:
        command()
        until(lambda: self.run.idle and not self.run.unsaved)

    def revive(self) -> None:
        saved = self._store.load(self.run.id)
        assert not saved.damage
        self._own(Run(saved, self._context(), lambda run: None))


def commands(walked: Walked, rng: random.Random) -> Callable[[], object]:
    """One command, at random."""
    run = walked.run
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
        assert {key: now.state.info.get(key) for key in KEYS} == {key: last.info.get(key) for key in KEYS}


def walk_at_random(recipe: Recipe, folder: Path, rng: random.Random, many: int) -> None:
    walked = Walked(recipe, folder)
    for _ in range(many):
        if rng.random() < 0.15:
            walked.revive()
        try:
            walked.do(commands(walked, rng))
        except ValueError:  # no best state yet
            assert walked.run.snapshot.best is None
        assert walked.run.snapshot.status in ("paused", "stopped", "finished", "diverged"), walked.run.snapshot.reason
    while walked.run.snapshot.status != "finished":
        walked.do(walked.run.play)
    assert_replays(walked.run)


def schedule_of(rng: random.Random) -> Schedule:
    length, every, between = rng.randint(1, 7), rng.randint(2, 4), rng.choice((0, 0, 3))
    patience, seed = rng.choice((0, 0, 2, 3)), rng.randint(0, 99)
    return Schedule(length=length, unit="updates", every=every, between=between, seed=seed, patience=patience)


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("seed", range(3))
def test_any_commands_leave_what_the_recipe_gives(name, seed, tmp_path):
    rng = random.Random(f"{name} {seed}")
    walk_at_random(recipe_of(LEARNERS[name], schedule_of(rng)), tmp_path, rng, 8)


@pytest.mark.parametrize("seed", range(6))
def test_any_commands_in_two_stages_leave_what_the_recipe_gives(seed, tmp_path):
    rng = random.Random(seed)
    first = recipe_of(FrankWolfe, schedule_of(rng))
    walk_at_random(dataclasses.replace(recipe_of(CD, schedule_of(rng)), before=first), tmp_path, rng, 10)


@pytest.mark.parametrize("patience", [0, 1])
@pytest.mark.parametrize("kind", [PairwisePCD, GreedyMDL, CD])
def test_back_to_the_best_of_a_finished_training_and_longer(kind, patience, tmp_path):
    """Its last record was taken only because it ended there; the one that goes on has none."""
    schedule = Schedule(length=3, unit="updates", every=5, patience=patience)
    walked = Walked(recipe_of(kind, schedule), tmp_path)
    for command in (
        walked.run.play,
        lambda: walked.run.extend(6),
        walked.run.play,
        walked.run.restore_best,
        lambda: walked.run.extend(12),
        walked.run.play,
    ):
        walked.do(command)
        assert_replays(walked.run)
    walked.revive()
    walked.do(lambda: walked.run.extend(16))  # before its data are loaded again
    walked.do(walked.run.play)
    assert walked.run.snapshot.status == "finished"
    assert_replays(walked.run)
