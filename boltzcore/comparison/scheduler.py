"""Many trainings at once, in slices on a few threads: as a race or one after the other."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from types import TracebackType
from typing import Literal

from boltzcore.comparison.trial import DIVERGED, FINISHED, Trial
from boltzcore.comparison.trial_training import TrialTraining
from boltzcore.comparison.trials import TrialStore
from boltzcore.jobs.seat import Seat
from boltzcore.learners.base import State
from boltzcore.quoting import explained, why
from boltzcore.threads import CORES, one_for_blas
from boltzcore.ticks import Stopped, Tick, idle
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Recipe

TICK_EVERY = 0.1  # seconds between two ticks of who waits
SAVED_EVERY = 10.0  # seconds between two times that an unfinished trial is stored
WAITING, TRAINING, FAILED, CANCELLED = "waiting", "training", "failed", "cancelled"
ENDED = (FINISHED, DIVERGED, FAILED, CANCELLED)

Order = Literal["race", "study"]


@dataclass(frozen=True)
class Standing:
    """Where one of the trainings stands.

    status : "waiting", "training", "finished", "diverged", "failed" or "cancelled"; reason : a sentence where it needs
        one
    records : so far; state : the newest, None before the first update and where it was not kept
    share : of its updates that are done, from 0 to 1
    stored : whether it was finished before, and nothing of it was trained now
    processor : that trains it; "" before the first update
    """

    recipe: Recipe
    status: str = WAITING
    reason: str = ""
    records: tuple[Record, ...] = ()
    state: State | None = None
    share: float = 0.0
    stored: bool = False
    processor: str = ""

    @classmethod
    def from_trial(cls, trial: Trial) -> "Standing":
        """Where a training stands that was stored; of one that was begun it is not known how far it goes."""
        share, status = (1.0, trial.status) if trial.ended else (0.0, WAITING)
        return cls(trial.recipe, status, trial.reason, trial.records, trial.state, share, trial.ended, trial.processor)

    @property
    def ended(self) -> bool:
        """Whether nothing more comes."""
        return self.status in ENDED


class Scheduler:
    """Trains recipes on threads, each training in slices by one thread at a time; no number depends on the order.

    recipes : each once
    store : trials that are there are taken from it, those that were begun go on, and all are put into it
    order : "race", the one that has spent least on the axis goes next; "study", the first that has not ended
    axis : a key of `AXES`
    threads : how many train at once, a core each unless given
    seat : gives each thread its place among other trainings; None where there are none
    Use it as a context manager, or call `cancel` in the end.
    """

    def __init__(
        self,
        recipes: Sequence[Recipe],
        *,
        store: TrialStore | None = None,
        order: Order = "race",
        axis: str = "work",
        threads: int | None = None,
        seat: Callable[[], Seat] | None = None,
    ) -> None:
        if len(set(recipes)) < len(recipes):
            raise ValueError("recipes must be different from each other.")
        self._jobs = [_Job(recipe, store, axis) for recipe in recipes]
        self._order = order
        self._moved = threading.Condition()
        self._may = threading.Event()
        self._may.set()
        self._cancelled = False
        self._version, self._seat = 0, seat
        self._threads = [
            threading.Thread(target=self._work, name=f"scheduler {k}", daemon=True)
            for k in range(min(threads or CORES, len(recipes)))
        ]

    def __enter__(self) -> "Scheduler":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cancel()

    def start(self) -> None:
        """Begin; once."""
        for thread in self._threads:
            thread.start()

    def pause(self) -> None:
        """Halt all trainings where they are, within a tick."""
        self._may.clear()

    def resume(self) -> None:
        """Go on after a pause."""
        self._may.set()

    def cancel(self) -> None:
        """End what has not ended, store it as far as it is, and wait for the threads."""
        with self._moved:
            self._cancelled = True
            self._moved.notify_all()
        self._may.set()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Where each of the recipes stands, in their order."""
        return tuple(job.standing for job in self._jobs)

    @property
    def version(self) -> int:
        """Grows with each change of a standing."""
        return self._version

    def wait(self, version: int, seconds: float | None = None) -> int:
        """Wait for a version after this one, for so long at most; returns the version."""
        with self._moved:
            self._moved.wait_for(lambda: self._version > version or self.over, seconds)
            return self._version

    def endings(self, tick: Tick = idle) -> Iterator[tuple[int, Standing]]:
        """(index, standing) of each training as it ends. Raises what `tick` does, such as Stopped."""
        given: set[int] = set()
        while len(given) < len(self._jobs):
            version = self._version
            standings = self.standings
            for index, standing in enumerate(standings):
                if standing.ended and index not in given:
                    given.add(index)
                    yield index, standing
            tick(sum(each.share for each in standings) / len(standings))
            self.wait(version, TICK_EVERY)

    @property
    def over(self) -> bool:
        """Whether all have ended."""
        with self._moved:
            return all(job.standing.ended for job in self._jobs)

    # -- on the threads -------------------------------------------------------------------------

    def _work(self) -> None:
        seat = self._seat() if self._seat else None
        with one_for_blas():
            while (job := self._taken(seat)) is not None:
                if seat is None or seat.keep(self._wanted):
                    job.advance(partial(self._tick, seat))
                    if seat is not None and not any(job.fresh for job in self._jobs):
                        seat.settle()  # each takes its memory as it begins
                with self._moved:
                    job.busy = False
                    self._version += 1
                    self._moved.notify_all()
        if seat is not None:
            seat.leave()

    def _wanted(self) -> bool:
        return self._may.is_set() and not self._cancelled

    def _rest(self, seat: Seat | None) -> None:
        """Wait out a pause, and let others go first."""
        if seat is not None and not self._may.is_set():
            seat.leave()
        self._may.wait()

    def _taken(self, seat: Seat | None) -> "_Job | None":
        """The training whose turn it is; None once all have ended or are with other threads to the end."""
        while True:
            self._rest(seat)
            with self._moved:
                open_ = [job for job in self._jobs if not job.standing.ended]
                if self._cancelled:
                    for job in (job for job in open_ if not job.busy):
                        job.end(CANCELLED)
                    self._version += 1
                    self._moved.notify_all()
                    return None
                if not open_:
                    return None
                if free := [job for job in open_ if not job.busy]:
                    job = min(free, key=lambda job: job.cost) if self._order == "race" else free[0]
                    job.busy = True
                    return job
                if seat is not None:  # the others may be waiting for what this one holds
                    seat.leave()
                self._moved.wait()

    def _tick(self, seat: Seat | None, fraction: float = 0.0) -> None:
        self._rest(seat)
        while seat is not None and not self._cancelled and not seat.keep(self._wanted):
            self._rest(seat)
        if self._cancelled:
            raise Stopped


class _Job:
    """One training: its standing, and what carries it on. One thread uses it at a time."""

    def __init__(self, recipe: Recipe, store: TrialStore | None, axis: str) -> None:
        self.standing = Standing(recipe)
        self.busy, self.cost = False, 0.0
        self._store, self._axis = store, axis
        self._training: TrialTraining | None = None
        self._ticking: Tick = idle  # of the thread that carries it on
        self._saved = time.monotonic()

    @property
    def fresh(self) -> bool:
        """Whether it has not begun."""
        return self._training is None and not self.standing.ended

    def advance(self, tick: Tick) -> None:
        """Train for a slice."""
        self._ticking = tick
        try:
            if self._training is None:
                found = self._store.get(self.standing.recipe) if self._store else None
                if found is not None and found.ended:
                    self.standing = Standing.from_trial(found)
                    return
                self._training = TrialTraining(self.standing.recipe, found, self._axis, self._tick)
            else:
                self._training.advance()
            self._show()
            if time.monotonic() - self._saved > SAVED_EVERY:
                self._save()
        except Stopped:
            self.end(CANCELLED)
        except Exception as error:  # the others go on
            explained(error, "A training of a scheduler failed")
            self.end(FAILED, f"It failed: {why(error)}.")

    def end(self, status: str, reason: str = "") -> None:
        """End it before it is over, and store what there is of it where it did not fail."""
        if self._training is not None and status != FAILED:
            self._save()
        self.standing = replace(self.standing, status=status, reason=reason)
        self._training = None

    def _tick(self, fraction: float = 0.0) -> None:
        self._ticking(fraction)

    def _show(self) -> None:
        training = self._training
        assert training is not None
        trial, self.cost = training.trial, training.cost
        self.standing = Standing(
            trial.recipe,
            trial.status if trial.ended else TRAINING,
            trial.reason,
            trial.records,
            trial.state,
            training.share,
            processor=trial.processor,
        )
        if trial.ended:
            self._save()
            self._training = None

    def _save(self) -> None:
        if self._store is None or self._training is None:
            return
        with suppress(OSError):  # what cannot be stored is trained anew another time
            self._store.put(self._training.trial)
        self._saved = time.monotonic()
