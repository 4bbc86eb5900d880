"""A training as a job: it advances `train` in its turns on the cores, applies commands, and saves checkpoints."""

import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any

from boltzcore.jobs.checkpointer import Checkpointer
from boltzcore.jobs.context import EngineContext
from boltzcore.jobs.files import Saved
from boltzcore.jobs.job import PUBLISH, RESTARTED, Job
from boltzcore.jobs.pace import STEP, Pacer
from boltzcore.jobs.seat import ASK_AGAIN
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.jobs.stopwatch import Left
from boltzcore.jobs.turns import USUAL
from boltzcore.learners.base import State
from boltzcore.observations import Observation
from boltzcore.registry import info_of
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Stopped
from boltzcore.training import progress
from boltzcore.training.loop import UPDATES, Progress, measure_context, run_fit
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import MOVING, Status

SHORT_STEP = 0.02  # seconds between two Steps if many jobs share the cores, about one in each turn
EVERY_UPDATE = 1e-9  # so short that every update is a Step of its own
OBSERVE_EVERY = 0.25  # seconds between two observations of the model (`registry.ModelEntry.observe`)
WATCHED = 10.0  # seconds after the last view in which a training counts as watched
READING, FETCHING, OBSERVING = "Reading {}", "Downloading {}", "Drawing the model"


class TrainingJob(Job):
    """State of a training between its owner's commands and its thread, and the work of that thread.

    Its fields only change under the lock of the engine.
    """

    snapshot: Snapshot

    def __init__(self, saved: Saved, engine: EngineContext, key: str = "") -> None:
        super().__init__(engine, f"Run {saved.id}", key, saved.key_hash)
        self.id, self.created = saved.id, saved.created
        self._entry = dataclasses.replace(saved, state=None, best=None, records=(), damage="")
        # Requests: to train until the end, a number of updates, something to show.
        self._playing, self._steps, self._preparing = False, 0, False
        self._pacer = Pacer(saved.pace)
        self._now = progress.from_store(
            saved.recipe, saved.state, saved.best, saved.records, saved.status, saved.reason, saved.best_value
        )
        self._records, self._trace = list(saved.records), saved.records
        if interrupted := saved.status in MOVING:
            self._now = dataclasses.replace(self._now, reason=RESTARTED)
        if saved.damage and saved.state is None:
            again = "Play restarts from update 0."
            self._now = progress.end(self._now, Status.FAILED, f"{saved.damage} {again}")
        elif saved.damage not in self._now.reason:
            self._now = dataclasses.replace(self._now, reason=f"{self._now.reason} {saved.damage}".lstrip())
        self._prepared: PreparedData | None = None
        self._observation: Observation = {}
        self._observed: State | None = None  # the observed State
        self._changed = False  # True if a command has changed the thread's starting point
        self._attention = False  # True if the thread must see a command at its next tick, before the end of its turn
        self._retrying = False  # True if the thread only waits to retry a checkpoint
        self._seconds: float | None = None  # between two Steps of the active generator, None without one
        self._observe_at = self._published_at = 0.0
        # A damaged training remains unchanged until its owner continues it.
        unsaved = bool(key) or (interrupted and not saved.damage)
        self._checkpointer = Checkpointer(engine.store, engine.lock, saved, unsaved=unsaved)
        self.snapshot = Snapshot(Status.PAUSED)
        self._show()

    # -- its state, read and changed under the lock -----------------------------------------------------

    @property
    def wanted(self) -> bool:
        """True if the thread has work other than saving."""
        asked = self._playing or self._steps > 0
        return not self._engine.closed and (self._preparing or (not self._now.ended and asked))

    @property
    def idle(self) -> bool:
        """True if there is no request and no thread works on it, other than to retry a save."""
        return not self.wanted and (self.thread is None or self._retrying)

    @property
    def _status(self) -> Status:
        if self._now.ended:
            return self._now.ended
        if not (self._playing or self._steps or (self._preparing and self._now.state is None)):
            return Status.PAUSED
        if not self._seat.admitted:
            return Status.QUEUED
        return Status.RUNNING if self._now.state is not None and self._prepared is not None else Status.STARTING

    def _saved(self) -> Saved:
        """Return everything that is stored of the training now."""
        now = self._now
        return dataclasses.replace(
            self._entry,
            name=self._checkpointer.name,
            status=self._status,
            reason=now.reason,
            recipe=now.recipe,
            state=now.state,
            best=now.best,
            records=tuple(self._records),
            best_value=now.best_value,
            pace=self._pacer.pace,
        )

    def _set_progress(self, now: Progress, records: Sequence[Any]) -> None:
        """Replace the progress and the records."""
        self._now, self._records, self._trace = now, list(records), ()

    def _end(self, status: Status, reason: str = "") -> None:
        self._now = progress.end(self._now, status, reason)
        self._rest()

    def _rest(self) -> None:
        """Clear all requests."""
        self._playing, self._steps, self._preparing = False, 0, False
        self._checkpointer.unsaved = True
        self._show()

    def _moved(self) -> None:
        if (self.snapshot.status, self.snapshot.place) != (self._status, self._seat.place):
            self._show()

    def _show(self, **fields: Any) -> None:
        """Replace the snapshot by a newer one; under the lock."""
        self._published_at = time.monotonic()
        if len(self._trace) != len(self._records):
            self._trace = tuple(self._records)
        now, prepared, status = self._now, self._prepared, self._status
        budget = prepared.budget(now.recipe) if prepared else 0
        super()._show(
            status=status,
            reason=f"{now.reason} {self._checkpointer.problem}".strip(),
            share=now.count / budget if budget else 0.0,
            place=self._seat.place,
            left=self._left() if status == Status.RUNNING and self._playing else None,
            state=now.state,
            best=now.best,
            best_value=now.best_value,
            records=self._trace,
            observation=self._observation,
            updates_per_second=self._pacer.rate,
            budget=budget,
            prepared=prepared.stages[now.state.progress.stage if now.state else 0] if prepared else None,
            wait=self._stopwatch.waiting if status in (Status.STARTING, Status.RUNNING) else None,
            **fields,
        )

    def _left(self) -> Left | None:
        rest = progress.remaining(self._now, self._prepared) if self._prepared else None
        seconds = self._stopwatch.left(*rest) if rest else None
        return None if seconds is None else Left(seconds, progress.may_end_early(self._now.recipe))

    # -- its thread -------------------------------------------------------------------------------------

    def _has_work(self) -> bool:
        with self._engine.lock:
            self._changed, self._seconds = False, None
            while self._checkpointer.unsaved and not self.wanted and not self._may_save():
                self._seat.leave()
                self._retrying = True
                self._show()
                self._seat.wake.wait(self._checkpointer.wait)
            self._retrying = False
            if self._checkpointer.unsaved:
                return True
            goes_on = super()._has_work()
            self._show()
            return goes_on

    def _session(self) -> None:
        if self.wanted:
            self._load_and_train()
        self._observe_and_save()

    def _load_and_train(self) -> None:
        """Do all the work from loading the data to the end of the training."""
        if self._now.state is None or self._checkpointer.rewound or self._seat.place:
            # So that its link survives a restart while it waits, which must not bring back a discarded State.
            self._save()
        self._wait_for_slot()
        self._seat.release()
        recipe = self._now.recipe
        self._stopwatch.drop()
        self._wait_for_kernels([recipe])
        self._begin((READING if recipe.data.at_hand() else FETCHING).format(recipe.data.title))
        prepared = self._prepared or PreparedData.from_recipe(recipe, self._unless_stopped)
        self._begin(UPDATES)
        with self._engine.lock:
            self._seat.needs = max(USUAL, prepared.memory(recipe))
            self._engine.turns.reconsider(self._seat)
        with one_for_blas():  # once more, because a BLAS may have been loaded with the data
            self._train(recipe, prepared)

    def _train(self, recipe: Recipe, prepared: PreparedData) -> None:
        self._wait_for_slot()
        with self._engine.lock:
            self._prepared = prepared
            now, kept = progress.reconcile(self._now, self._records, prepared)
            if now is not self._now:  # it was extended before its data were loaded
                self._set_progress(now, kept)
                self._checkpointer.unsaved = True
            self._preparing &= now.state is None
            self._show()
            if not self.wanted:
                return
            if self._changed:
                raise Stopped
            now = dataclasses.replace(now, state=now.state.copy() if now.state else None)
            self._seconds = self._step_seconds()
            self._stopwatch.reset()
        steps = run_fit(
            now,
            prepared=prepared,
            seconds=self._seconds,
            most=lambda: self._pacer.most,
            tick=self._tick,
            doing=self._stopwatch.begin,
        )
        for now in steps:
            if now.ended == Status.FINISHED:
                break
            self._take(now)
            if self._engine.clock() < self.touched + WATCHED and time.monotonic() > self._observe_at:
                self._observe()
            if self._checkpointer.due:
                self._seat.release()
                self._attention = True
                self._save()
            self._tick()
        with self._engine.lock:
            if self._changed or self._now.ended or now.ended != Status.FINISHED:
                raise Stopped
            if self._now.state is not None and self._pacer.rate == 0:
                self._pacer.rate = self._now.count / max(self._now.state.progress.seconds, 1e-6)
            self._end(Status.FINISHED, now.reason)

    def _step_seconds(self) -> float:
        if self._steps:
            return EVERY_UPDATE
        return SHORT_STEP if self._engine.turns.is_crowded else STEP

    def _take(self, now: Progress) -> None:
        """Adopt the progress made by the generator."""
        with self._engine.lock:
            done = now.count - self._now.count
            if self._changed or self._now.ended:  # it was computed from outdated values
                raise Stopped
            if 0 < self._steps < done:  # more updates than requested since its start
                raise Stopped
            state, ignored = now.state.copy() if now.state else None, self._now.ignored
            self._now = dataclasses.replace(now, state=state, ignored=ignored)
            if now.ended:
                self._rest()
                if now.record is None:  # its parameters overflowed
                    raise Stopped
            if done:
                self._seat.settle()
            self._preparing, self._checkpointer.unsaved = False, True
            self._stopwatch.stepped(now.count, recorded=now.record is not None)
            if now.record is not None:
                self._records.append(now.record)
            self._steps = max(0, self._steps - done)
            self._pacer.stepped(done, now.count)
            self._attention |= self._pacer.is_limiting or not self.wanted
            # before a wait for the pace it is the last chance to show this update
            if not self.wanted or time.monotonic() + max(0.0, self._pacer.wait) > self._published_at + PUBLISH:
                self._show()

    def _observe(self) -> None:
        """Observe the model, outside the records: no number of the training changes."""
        now, prepared, began = self._now, self.snapshot.prepared, time.monotonic()
        if now.state is None or prepared is None:
            return
        exact = not now.recipe.needs("annealing", prepared.dataset.train.n_visible)
        context = measure_context(now.stage, prepared, now.state, exact, self._unless_stopped)
        with self._stopwatch.nested(OBSERVING):
            observation = {**now.stage.entry.observe(now.state, self._observation or None, prepared.rows, context)}
            if observe := info_of(now.stage.learner).observe:
                observation |= observe(now.stage.learner, now.state, prepared.dataset.train)
        took = time.monotonic() - began
        self._observe_at = time.monotonic() + OBSERVE_EVERY + 3 * took  # at most a quarter of the time
        with self._engine.lock:
            self._observation, self._observed = observation, now.state
            self._show()

    @property
    def _unseen(self) -> bool:
        """True if there is a State that was not observed yet."""
        return self._observed is not self._now.state and self._prepared is not None

    def _observe_and_save(self) -> None:
        """Observe the model and save a checkpoint, once at each pause."""
        resting = self._now.ended not in (Status.STOPPED, Status.FAILED) and not self._engine.closed
        if resting and self._unseen:
            self._observe()
        self._seat.release()
        if self._checkpointer.unsaved and self._may_save():
            self._save()

    def _may_save(self) -> bool:
        """Return True if it is time to save, or useless to wait: a failed save may fail again."""
        return self._checkpointer.wait <= 0 or self._engine.closed or self._checkpointer.deleted

    def _save(self) -> None:
        if self._checkpointer.save(self._saved, lambda: self._engine.closed):
            with self._engine.lock:
                self._show()

    def _tick(self, fraction: float = 0.0) -> None:
        self._report(fraction)
        if self._attention or self._seat.turn_is_over:
            self._wait_for_slot()

    # -- its waits --------------------------------------------------------------------------------------

    @property
    def _is_stopped(self) -> bool:
        return self._engine.closed or self._now.ended == Status.STOPPED

    def _check(self) -> None:
        if self._changed or self._engine.closed or (self._now.ended and not self._preparing):
            raise Stopped
        if self.wanted and self._seconds not in (None, self._step_seconds()):
            raise Stopped

    def _before_waiting(self) -> Callable[[], None] | None:
        saves = self._checkpointer.unsaved and self._may_save()
        now = saves and self._checkpointer.problem if self.wanted else saves or self._unseen
        return self._observe_and_save if now else None

    def _delay(self) -> float | None:
        self._attention = False
        if not self.wanted:
            self._seat.leave()
            self._pacer.rest()
            return ASK_AGAIN
        if (pause := self._pacer.wait) > 0:
            self._seat.release()
            return pause
        return None
