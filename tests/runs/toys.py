"""Small trainings and toy learners for the tests of runs."""

import dataclasses
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from boltzcore.data import DATASETS
from boltzcore.learners import CD
from boltzcore.learners.base import Learner, State
from boltzcore.models import RBM, RBMSetup
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal
from boltzcore.registry import LearnerInfo
from boltzcore.training.loop import Record, Step, train
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule

SMALL = DATASETS["bars-and-stripes"]()


@dataclass(frozen=True, eq=False)
class WalkState(State):
    """A State that carries a chain, which `advance` reuses."""

    chain: np.ndarray = dataclasses.field(kw_only=True)


@dataclass(frozen=True)
class Walk(Learner):
    """A noisy walk of the visible biases whose updates take `pause` seconds, ticking all the while."""

    state_type: ClassVar[type[State]] = WalkState

    rate: float = parameter(0.001, low=0.0, high=10.0, help="Step.", live=True)
    drift: float = parameter(0.0, low=-10.0, high=10.0, help="What every update adds to the visible biases.", live=True)
    pause: float = parameter(0.0, low=0.0, high=100.0, help="Seconds that an update takes.", live=True)
    fails_at: int = parameter(-1, low=-1, high=100, help="The update that fails.", live=True)
    batch_size: int = parameter(4, low=0, high=100, help="Rows of an update, of which it makes no use.")

    def start(self, model, data, *, seed):
        return WalkState(model, 0, 0, seed, chain=np.zeros(model.n_visible))

    def advance(self, state, data, *, updates=1, tick=lambda fraction: None):
        model, chain = state.model, state.chain  # reused, as the contract allows
        for n in range(state.count, state.count + updates):
            if n == self.fails_at:
                raise RuntimeError("the toy broke")
            chain *= 0.9
            chain += np.random.default_rng((state.seed, n)).normal(size=chain.shape)
            until = time.monotonic() + self.pause
            tick(0.0)
            while (left := until - time.monotonic()) > 0:
                time.sleep(min(0.05, left))
                tick(0.5)
            model = RBM(model.W, model.b + self.rate * chain + self.drift, model.c)
        return dataclasses.replace(
            state, model=model, chain=chain, count=state.count + updates, work=state.work + updates
        )


WALK = LearnerInfo(Walk, title="Walk", source="tests", about="It walks.", family="CD", models=("rbm",))


def walk(
    length: int = 40, *, every: int = 5, seed: int = 3, measures: tuple[str, ...] = ("log_likelihood",), **fields: float
) -> Recipe:
    """A recipe of the toy."""
    schedule = Schedule(length=length, unit="updates", every=every, seed=seed)
    return Recipe(RBMSetup(hidden=3), SMALL, Walk(**fields), schedule, measures)


def cd(length: int = 60, *, seed: int = 1, every: int = 5, **fields: float) -> Recipe:
    """A recipe of contrastive divergence on Bars & Stripes."""
    return Recipe(
        RBMSetup(hidden=4),
        SMALL,
        CD(**{"rate": 0.3, "K": 2, "batch_size": 5, **fields}),
        Schedule(length=length, every=every, seed=seed),
    )


def batch(length: int = 40, *, every: int = 0, seed: int = 0, **fields: float) -> Recipe:
    """A recipe of contrastive divergence on all rows of Bars & Stripes at once."""
    schedule = Schedule(length=length, every=every or min(length, 1_000_000), seed=seed)
    learner = CD(**{"rate": 0.1, "batch_size": 0, **fields})
    return Recipe(RBMSetup(hidden=3), "bars-and-stripes", learner, schedule, measures=("log_likelihood",))


def until(condition: Callable[[], object], seconds: float = 100.0) -> None:
    """Wait for something to hold."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() < began + seconds, "it did not come true in time"
        time.sleep(0.002)


def at_rest(run):
    """The snapshot of a run that came to rest and was saved."""
    until(lambda: run.snapshot.status not in ("queued", "starting", "running"))
    until(lambda: not run.unsaved)
    return run.snapshot


def finished(run, seconds: float = 100.0):
    """The last snapshot of a run that was let finish."""
    until(lambda: run.snapshot.status not in ("queued", "starting", "running") and run.idle, seconds)
    assert run.snapshot.status == "finished", run.snapshot.reason
    return run.snapshot


class Clock:
    """Seconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def refused(field: str) -> Iterator[None]:
    """The block is refused because of this field."""
    with pytest.raises(Refusal) as refusal:
        yield
    assert refusal.value.field == field


def figures(records: tuple[Record, ...]) -> list[tuple]:
    """Records without the seconds, the one thing that the clock decides."""
    return [(r.count, r.epoch, r.work, dict(r.values)) for r in records]


def records(steps: Iterable[Step]) -> list[tuple]:
    """Return the records of these steps of a training, without the seconds."""
    return figures(tuple(step.record for step in steps if step.record))


def steps_of(recipe: Recipe) -> list[Step]:
    """The Steps of a whole training; their States stay as they were."""
    return [dataclasses.replace(step, state=step.state.copy()) for step in train(recipe)]


def whole(recipe: Recipe) -> list[tuple]:
    """The records of a recipe that was trained in one go."""
    return records(train(recipe))
