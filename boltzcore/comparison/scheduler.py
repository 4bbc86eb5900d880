"""Training of many trials at once: in slices on a few threads of this process, or each as one task of an executor."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, wait
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Literal, Self

from boltzcore.comparison.trial import Trial, train_trial, training
from boltzcore.comparison.trials import TrialStore
from boltzcore.quoting import Refusal, explain
from boltzcore.threads import CORES, one_for_blas
from boltzcore.ticks import Stopped, Tick, idle
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import Status

TICK_EVERY = 0.1  # seconds between two ticks of a waiting thread
SAVED_EVERY = 10.0  # seconds after which an unfinished trial is stored again
PER_THREAD = 2  # submitted trials per thread of an executor: one trains, the next is ready when it ends


class Slot:
    """Share of the cores for one thread of a scheduler. This class shares them with no other work."""

    def keep(self, wanted: Callable[[], bool]) -> bool:
        """Wait for the next turn if this one is over. Returns False, and leaves, once `wanted` returns False."""
        return wanted()

    def settle(self) -> None:
        """Report that the thread has allocated all the memory that it needs."""

    def leave(self) -> None:
        """Give up the slot until the next `keep`."""


class Scheduler:
    """Trains recipes on threads, each training in slices by one thread at a time; no number depends on the order.

    Parameters
    ----------
    recipes : distinct recipes
    store : trials in it are not repeated, unfinished ones continue, and all are stored in it
    order : "race" continues the trial with the smallest finished share; "study" the first that has not ended
    threads : number of trials that train at once, one for each core by default
    slot : returns the slot of a thread
    executor : trains each trial as one task; its workers need this version of boltzcore

    It trains while its context lasts.

    Raises
    ------
    Refusal
        If an executor would train on a private table, which must not leave this process.
    """

    def __init__(
        self,
        recipes: Sequence[Recipe],
        *,
        store: TrialStore | None = None,
        order: Literal["race", "study"] = "race",
        threads: int | None = None,
        slot: Callable[[], Slot] = Slot,
        executor: Executor | None = None,
    ) -> None:
        if len(set(recipes)) < len(recipes):
            raise Refusal("recipes must be different from each other.")
        if executor is not None:
            check_not_private(recipes)
        self._jobs = [_Job(recipe, store, executor) for recipe in recipes]
        self._order, self._slot = order, slot
        self._changed = threading.Condition()
        self._running = threading.Event()
        self._running.set()
        self._cancelled = False
        self.version = 0  # increases with each change of a trial
        count = (threads or CORES) * (PER_THREAD if executor else 1)
        self._threads = [
            threading.Thread(target=self._work, name=f"scheduler {k}", daemon=True)
            for k in range(min(count, len(recipes)))
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """End all trainings, store their current state, and wait for the threads."""
        with self._changed:
            self._cancelled = True
            self._changed.notify_all()
        self._running.set()
        for thread in self._threads:
            thread.join()

    def pause(self) -> None:
        """Pause all trainings of this process within a tick."""
        self._running.clear()

    def resume(self) -> None:
        """Continue after a pause."""
        self._running.set()

    @property
    def trials(self) -> tuple[Trial, ...]:
        """Trials of the recipes, in their order."""
        return tuple(job.trial for job in self._jobs)

    @property
    def is_over(self) -> bool:
        """True if all have ended."""
        return all(trial.ended for trial in self.trials)

    def wait(self, version: int, seconds: float | None = None) -> int:
        """Wait for a version after this one, at most for `seconds`, and return the version."""
        with self._changed:
            self._changed.wait_for(lambda: self.version > version or self.is_over, seconds)
            return self.version

    def finish(self, tick: Tick = idle) -> tuple[Trial, ...]:
        """Wait until all have ended and return them. Passes on exceptions of `tick`, such as Stopped."""
        while True:
            version, trials = self.version, self.trials
            tick(sum(trial.share for trial in trials) / len(trials))
            if all(trial.ended for trial in trials):
                return trials
            self.wait(version, TICK_EVERY)

    # -- on the threads -------------------------------------------------------------------------

    def _work(self) -> None:
        slot = self._slot()
        tick = partial(self._tick, slot)
        with one_for_blas():
            while (job := self._next(slot)) is not None:
                with suppress(Stopped):
                    tick()
                    job.advance(tick)
                    if not any(job.fresh for job in self._jobs):
                        slot.settle()  # each allocates its memory when it starts
                with self._changed:
                    job.busy = False
                    self.version += 1
                    self._changed.notify_all()
        slot.leave()

    def _next(self, slot: Slot) -> "_Job | None":
        """Return the next training; None once all have ended, or will end on other threads."""
        with self._changed:
            while not self._cancelled:
                left = [job for job in self._jobs if not job.trial.ended]
                if not left:
                    return None
                if free := [job for job in left if not job.busy]:
                    job = min(free, key=lambda job: job.trial.share) if self._order == "race" else free[0]
                    job.busy = True
                    return job
                slot.leave()  # others may wait for it
                self._changed.wait()
            for job in self._jobs:
                if not (job.busy or job.trial.ended):
                    job.end(Status.STOPPED)
            return None

    def _tick(self, slot: Slot, fraction: float = 0.0) -> None:
        """Wait for a turn. Raises Stopped once the trainings are cancelled."""
        while not (self._cancelled or slot.keep(lambda: self._running.is_set() and not self._cancelled)):
            self._running.wait()
        if self._cancelled:
            raise Stopped


class _Job:
    """One training: its trial, and the state to continue it. One thread uses it at a time."""

    def __init__(self, recipe: Recipe, store: TrialStore | None, executor: Executor | None) -> None:
        self.trial, self.busy = Trial(recipe), False
        self._store, self._executor = store, executor
        self._steps: Iterator[Trial] | None = None
        self._thread_tick: Tick = idle  # tick of the thread that continues it
        self._saved = time.monotonic()

    @property
    def fresh(self) -> bool:
        """True if it has not started."""
        return self._steps is None and not self.trial.ended

    def advance(self, tick: Tick) -> None:
        """Train for a slice, or to the end on an executor."""
        self._thread_tick = tick
        try:
            if self._steps is None:
                self.trial = (self._store.get(self.trial.recipe) if self._store else None) or self.trial
                self._steps = iter(()) if self.trial.ended else self._begin()
            self.trial = next(self._steps, self.trial)
            if not self.trial.stored and (self.trial.ended or time.monotonic() > self._saved + SAVED_EVERY):
                self._save()
        except Stopped:
            self.end(Status.STOPPED)
        except Exception as error:  # the others continue
            self.end(Status.FAILED, explain(error, "The run failed"))
        if self.trial.ended:
            self.trial, self._steps = replace(self.trial, best=None), None  # only needed to continue

    def end(self, status: Status, reason: str = "") -> None:
        """End it early and, unless it failed, store its current state."""
        if self._steps is not None and status != Status.FAILED:
            self._save()
        self.trial = replace(self.trial, status=status, reason=reason)

    def _begin(self) -> Iterator[Trial]:
        return self._train_remotely(self._executor) if self._executor else training(self.trial, self._tick)

    def _train_remotely(self, executor: Executor) -> Iterator[Trial]:
        future = executor.submit(train_trial, self.trial)
        try:
            while not wait((future,), TICK_EVERY).done:
                self._tick()
        finally:
            future.cancel()
        yield future.result()

    def _tick(self, fraction: float = 0.0) -> None:
        self._thread_tick(fraction)

    def _save(self) -> None:
        with suppress(OSError):  # a trial that cannot be stored is trained again later
            if self._store is not None:
                self._store.put(self.trial)
        self._saved = time.monotonic()


def check_not_private(recipes: Sequence[Recipe]) -> None:
    """Raise Refusal if a recipe uses a private table."""
    if any(recipe.private for recipe in recipes):
        raise Refusal("data must be a built-in data set to train on an executor, not a table of your own.", "data")
