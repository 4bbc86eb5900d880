"""One training: commands from any thread, and snapshots for all viewers."""

import dataclasses
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

from boltzcore.data.grants import hash_of
from boltzcore.jobs.context import EngineContext
from boltzcore.jobs.files import Saved
from boltzcore.jobs.job import RESTARTED
from boltzcore.jobs.training_job import TrainingJob
from boltzcore.learners.base import MOST
from boltzcore.parameters import whole
from boltzcore.quoting import Refusal, quoted
from boltzcore.training import progress
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import Status


def new_run(recipe: Recipe, name: str, engine: EngineContext, keep: Callable[["Run"], None]) -> "Run":
    """Return a run that waits for its first command, with its own id and key."""
    key = secrets.token_urlsafe(24)
    saved = Saved(secrets.token_hex(8), name, time.time(), 0.0, Status.PAUSED, recipe, key_hash=hash_of(key))
    return Run(saved, engine, keep, key)


class Run(TrainingJob):
    """A training with its commands. Invalid values raise Refusal before anything changes.

    keep : called with the run at each command, under the lock of the engine
    resumed : number of commands so far to train on
    """

    def __init__(self, saved: Saved, engine: EngineContext, keep: Callable[["Run"], None], key: str = "") -> None:
        super().__init__(saved, engine, key)
        self._keep, self.resumed = keep, 0

    # -- watching ---------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name given by its owner, "" for none."""
        return self._checkpointer.name

    @property
    def recipe(self) -> Recipe:
        """The recipe with all live changes so far."""
        return self._now.recipe

    @property
    def unsaved(self) -> bool:
        """True until the store has all of this run."""
        return self._checkpointer.unsaved

    @property
    def deleted(self) -> bool:
        """True if it was deleted; a page that still holds it sees its last snapshot."""
        return self._checkpointer.deleted

    @property
    def pace(self) -> float | None:
        """Largest number of updates per second; None for no limit. Not part of the recipe: it changes no number."""
        return self._pacer.pace

    @pace.setter
    def pace(self, pace: float | None) -> None:
        if pace is not None and not 0 < pace < float("inf"):
            raise Refusal(f"pace must be a number of updates per second above 0, or None, not {quoted(pace)}.")
        with self._engine.lock:
            self._pacer.pace = None if pace is None else float(pace)
            self._pacer.skip_wait()
            self._stopwatch.reset()
            self._notify()

    # -- commands ---------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Load the data and observe the model, so that there is something to show, without training."""
        with self._engine.lock:
            self._preparing = self._now.state is not None or not self._now.ended
            self._notify()

    def play(self) -> None:
        """Train until the end, a pause or a stop. After a divergence its cause is ignored from then on."""
        with self._engine.lock:
            if self._resume():
                self._playing, self._steps = True, 0
            self._notify()

    def tolerate(self) -> None:
        """Accept a falling likelihood or a figure that is not finite from now on: only parameters that overflow end the
        training then. Not stored on disk, like the permission to continue after a divergence.
        """
        with self._engine.lock:
            self._now, self._changed = progress.tolerate(self._now), True

    def pause(self) -> None:
        """Stop training; a queued run leaves the queue. Loading of data continues to its end."""
        with self._engine.lock:
            self._playing, self._steps = False, 0
            if not self._seat.admitted:
                self._preparing = False
            self._notify()

    def step(self, updates: int = 1) -> None:
        """Do this number of complete updates, then pause."""
        whole("updates", updates, 1, MOST)
        with self._engine.lock:
            if self._resume():
                self._steps += updates
                self._playing = False
                self._pacer.skip_wait()  # a single step does not wait for the pace
            self._notify()

    def stop(self) -> None:
        """End the training after its last complete update and save it; `play` would continue from there."""
        with self._engine.lock:
            if not self._now.ended:
                self._end(Status.STOPPED)
            self._notify()

    def change(self, **fields: Any) -> None:
        """Change live fields of the learner from the last complete update on."""
        with self._engine.lock:
            if (changed := progress.change(self._now, fields)) is not self._now:
                self._now = changed
                self._notify_changed()

    def extend(self, length: int) -> None:
        """Increase the length of the schedule; a finished run is then paused."""
        with self._engine.lock:
            self._set_progress(*progress.extend(self._now, self._records, length, self._prepared))
            self._notify_changed()

    def restore_best(self) -> None:
        """Go back to the best state and pause there; later records and changes of the recipe are removed."""
        with self._engine.lock:
            self._set_progress(*progress.restore_best(self._now, self._records))
            self._playing, self._steps = False, 0
            self._checkpointer.rewound = True
            self._notify_changed()

    def rename(self, name: str) -> None:
        """Change the name, after a checkpoint that is being written. Raises OSError if the files cannot be written."""
        self._checkpointer.rename(self.id, name)

    def delete(self) -> None:
        """Stop, and keep nothing on disk from now on. Waits for a checkpoint that is being written. Raises OSError if
        the files cannot be removed; the run then remains.
        """
        with self._engine.lock:
            self._checkpointer.deleted = True
            self.stop()
        try:
            self._checkpointer.delete(self.id)
        except Exception:
            with self._engine.lock:
                self._checkpointer.deleted, self._checkpointer.unsaved = False, True
                self._notify()
            raise

    def close(self) -> threading.Thread | None:
        """Pause because the server shuts down; return the thread, which saves and ends."""
        with self._engine.lock:
            if self._playing or self._steps:
                self._now = dataclasses.replace(self._now, reason=RESTARTED)
                self._checkpointer.unsaved = True
            self._playing, self._steps, self._preparing = False, 0, False
            self._attention = True
            self._seat.wake.notify_all()
            return self.thread

    # -- under the lock ---------------------------------------------------------------------------------

    def _resume(self) -> bool:
        """Return True if the training may continue; a failed, stopped or diverged one is resumed."""
        if self._now.ended == Status.FINISHED or self._engine.closed or self._checkpointer.deleted:
            return False
        self._now, self.resumed = progress.resume(self._now), self.resumed + 1
        return True

    def _notify(self) -> None:
        """Make the thread see a command; start one if there is work and no thread."""
        self._attention = True
        self._keep(self)
        self.touch()
        if not self._engine.closed:
            if self.wanted:
                self._engine.turns.enter(self._seat)
            elif not self._seat.admitted:
                self._seat.leave()
            if self.wanted or self._checkpointer.unsaved:
                self._start()
        self._seat.wake.notify_all()
        self._show()

    def _notify_changed(self) -> None:
        self._changed = self._checkpointer.unsaved = True
        self._notify()
