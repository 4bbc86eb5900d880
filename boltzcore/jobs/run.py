"""One training: commands from any thread, and snapshots for all who watch."""

import dataclasses
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

from boltzcore.jobs.run_state import RESTARTED, EngineContext, RunState
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.jobs.store import Saved
from boltzcore.jobs.summary import hash_of, opens
from boltzcore.jobs.training_thread import TrainingThread
from boltzcore.quoting import quoted
from boltzcore.training import progress
from boltzcore.training.recipe import Recipe


def new_run(recipe: Recipe, name: str, engine: EngineContext, keep: Callable[["Run"], None]) -> "Run":
    """A run that waits for its first command, with an id and a key of its own."""
    key = secrets.token_urlsafe(24)
    saved = Saved(secrets.token_hex(8), name, hash_of(key), time.time(), "paused", "", recipe)
    return Run(saved, engine, keep, key)


class Run:
    """A training that can be watched by anyone and controlled by its owner.

    Commands may come from any thread and return at once; bad values raise ValueError before anything
    changes. `snapshot` is always whole.

    key : the owner's secret, "" where only its hash is known (after a restart of the server)
    """

    def __init__(self, saved: Saved, engine: EngineContext, keep: Callable[["Run"], None], key: str = "") -> None:
        self.id, self.key, self.created = saved.id, key, saved.created
        self._engine, self._keep = engine, keep
        self._state = RunState(saved, engine, unsaved=bool(key))
        self._training = TrainingThread(self._state)

    # -- watching ---------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """What its owner calls it, "" for nothing."""
        return self._state.checkpointer.name

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._state.snapshot

    @property
    def recipe(self) -> Recipe:
        """The recipe with all live changes so far."""
        return self._state.now.recipe

    @property
    def idle(self) -> bool:
        """Whether no thread works on this run; one that only waits to save it again does not."""
        return self._training.idle

    @property
    def unsaved(self) -> bool:
        """Whether the store has not got all of this run yet."""
        return self._state.checkpointer.unsaved

    @property
    def deleted(self) -> bool:
        """Whether it was deleted; who still holds it sees its last snapshot."""
        return self._state.checkpointer.deleted

    def owned_by(self, key: str | None) -> bool:
        """Whether `key` is the owner's."""
        return opens(key, self._state.key_hash)

    def touch(self) -> None:
        """Say that somebody watches: a run nobody watched for the lease's time is saved and stopped."""
        self._state.touched = self._engine.clock()

    @property
    def keep_going(self) -> bool:
        """Whether the training goes on while nobody watches."""
        return self._state.keep_going

    @keep_going.setter
    def keep_going(self, on: bool) -> None:
        with self._engine.lock:
            self._state.keep_going = on
            self._poke()

    @property
    def pace(self) -> float | None:
        """The most updates per second; None for as fast as it can. No part of the recipe: it changes no number."""
        return self._state.pacer.pace

    @pace.setter
    def pace(self, pace: float | None) -> None:
        if pace is not None and not 0 < pace < float("inf"):
            raise ValueError(f"pace must be a number of updates per second above 0, or None, not {quoted(pace)}.")
        with self._engine.lock:
            self._state.pacer.pace = None if pace is None else float(pace)
            self._state.pacer.at_once()
            self._state.stopwatch.again()
            self._poke()

    # -- commands ---------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Load the data and observe the model, so that there is something to show; the training does not go on."""
        with self._engine.lock:
            self._state.preparing = self._state.now.state is not None or not self._state.now.ended
            self._poke()

    def play(self) -> None:
        """Train until the end, a pause or a stop. After a divergence the watch no longer minds its cause."""
        with self._engine.lock:
            if self._go_on():
                self._state.playing, self._state.steps = True, 0
            self._poke()

    def tolerate(self) -> None:
        """Take it for a result, from now on, that a likelihood falls or a figure is not finite: only parameters that
        overflow halt the training then. Not kept on disk, no more than what playing on after a divergence allows.
        """
        with self._engine.lock:
            self._state.now, self._state.changed = progress.tolerant(self._state.now), True

    def pause(self) -> None:
        """Rest, at once; a run that waits in the queue leaves it."""
        state = self._state
        with self._engine.lock:
            state.playing, state.steps = False, 0
            if not self._engine.turns.admits(state):
                state.preparing = False
            self._poke()

    def step(self, updates: int = 1) -> None:
        """Do so many whole updates, then pause."""
        if isinstance(updates, bool) or not isinstance(updates, int) or updates < 1:
            raise ValueError(f"updates must be a whole number from 1 on, not {quoted(updates)}.")
        with self._engine.lock:
            if self._go_on():
                self._state.steps += updates
                self._state.playing = False
                self._state.pacer.at_once()  # who steps does not wait for the pace
            self._poke()

    def stop(self) -> None:
        """End the training after its last whole update and save it; `play` would go on from there."""
        with self._engine.lock:
            if not self._state.now.ended:
                self._state.end("stopped")
            self._poke()

    def change(self, **fields: Any) -> None:
        """Give live fields of the learner other values from the last whole update on."""
        with self._engine.lock:
            if (changed := progress.changed(self._state.now, fields)) is not self._state.now:
                self._state.now = changed
                self._altered()

    def extend(self, length: int) -> None:
        """Give the schedule a greater length; a finished run is then paused."""
        state = self._state
        with self._engine.lock:
            state.now, kept = progress.extended(state.now, state.records, length, state.prepared)
            state.set_records(kept)
            self._altered()

    def restore_best(self) -> None:
        """Go back to the best state and pause there; what came after it is forgotten, also in the recipe."""
        state = self._state
        with self._engine.lock:
            state.now, kept = progress.restored(state.now, state.records)
            state.set_records(kept)
            state.playing, state.steps = False, 0
            state.checkpointer.rewound = True
            self._altered()

    def rename(self, name: str) -> None:
        """Go by another name from now on. Waits for a checkpoint that is being written. Raises OSError where
        the files cannot be written.
        """
        self._state.checkpointer.rename(self.id, name)

    def delete(self) -> None:
        """Stop, and keep nothing on disk from now on. Waits for a checkpoint that is being written. Raises OSError
        where the files cannot be removed; the run then stays.
        """
        state = self._state
        with self._engine.lock:
            state.checkpointer.deleted = True
            self.stop()
        try:
            state.checkpointer.delete(self.id)
        except Exception:
            with self._engine.lock:
                state.checkpointer.deleted, state.checkpointer.unsaved = False, True
                self._poke()
            raise

    def close(self) -> threading.Thread | None:
        """Pause because the server ends; the thread, which saves and ends."""
        state = self._state
        with self._engine.lock:
            if state.playing or state.steps:
                state.now = dataclasses.replace(state.now, reason=RESTARTED)
                state.checkpointer.unsaved = True
            state.playing, state.steps, state.preparing = False, 0, False
            state.attention = True
            state.wake.notify_all()
            return self._training.thread

    # -- under the lock ---------------------------------------------------------------------------------

    def _go_on(self) -> bool:
        """Whether the training may go on; a failed, stopped or diverged one is taken up again."""
        state = self._state
        if state.now.ended == "finished" or self._engine.closed or state.checkpointer.deleted:
            return False
        state.now = progress.resumed(state.now)
        return True

    def _poke(self) -> None:
        """Let the thread see a command; start it where there is work and none."""
        state = self._state
        state.attention = True
        self._keep(self)
        self.touch()
        if not self._engine.closed:
            if state.wanted:
                self._engine.turns.enter(state)
            elif not self._engine.turns.admits(state):
                self._engine.turns.leave(state)
            if state.wanted or state.checkpointer.unsaved:
                self._training.start()
        state.wake.notify_all()
        state.publish()

    def _altered(self) -> None:
        self._state.changed = self._state.checkpointer.unsaved = True
        self._poke()
