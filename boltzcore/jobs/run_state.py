"""What a run and its thread share: what is asked for, where the training stands, and the snapshot of both."""

import dataclasses
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from boltzcore.jobs.checkpointer import Checkpointer
from boltzcore.jobs.pace import Pacer
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.jobs.stopwatch import Left, Stopwatch
from boltzcore.jobs.store import Saved, Store
from boltzcore.jobs.summary import MOVING
from boltzcore.jobs.turns import USUAL, Turns
from boltzcore.learners.base import State
from boltzcore.observations import Observation
from boltzcore.training import progress
from boltzcore.training.loop import Record
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe

PUBLISH = 0.04  # seconds between two snapshots, where nothing but figures changed
WATCHED = 10.0  # seconds after the last visit in which a run counts as watched

RESTARTED = "The server was restarted; play goes on from the last checkpoint."


@dataclass
class EngineContext:
    """The context that all runs of an engine share. `lock` guards the turns and what commands change in a run; a
    training waits for the `ready` of its recipe; `clock` gives the seconds by which leases end.
    """

    store: Store
    turns: Turns
    lease: float
    ready: Callable[[Recipe], threading.Event]
    clock: Callable[[], float] = time.monotonic
    lock: threading.RLock = dataclasses.field(default_factory=threading.RLock)
    closed: bool = False


class RunState:
    """A run between its owner's commands and its thread. It changes under the lock of the engine alone; the methods
    that change it are called under that lock.

    id, created, key_hash : of the run as the store knows it (`Saved`)
    playing, steps, preparing : what is asked for: to train until the end, so many updates, something to show
    keep_going : whether the training goes on while nobody watches
    touched : when somebody watched last
    pacer : at which pace it trains
    now, records : how far the training is
    prepared : its data, None while they are not loaded
    observation, observed, start : of the model, of which State that is, and the snapshot at update 0
    snapshot : the newest; always whole
    needs : bytes that the training takes
    changed : whether a command has changed what the thread trains from
    attention : whether a command came that the thread has to see to
    checkpointer, stopwatch : how the run is saved, and what its work takes
    """

    def __init__(self, saved: Saved, engine: EngineContext, *, unsaved: bool) -> None:
        self.engine = engine
        self.id, self.created, self.key_hash = saved.id, saved.created, saved.key_hash
        self.wake = threading.Condition(engine.lock)
        self.playing, self.steps, self.preparing, self.keep_going = False, 0, False, False
        self.touched = engine.clock()
        self.pacer = Pacer(saved.pace)
        self.now = progress.revived(
            saved.recipe, saved.state, saved.best, saved.records, saved.status, saved.reason, saved.best_value
        )
        self.records, self._trace = list(saved.records), saved.records
        interrupted = saved.status in MOVING
        if interrupted:
            self.now = dataclasses.replace(self.now, reason=RESTARTED)
        if saved.damage and saved.state is None:
            self.now = progress.over(
                self.now, "failed", f"{saved.damage} Play starts the training again from update 0."
            )
        elif saved.damage not in self.now.reason:
            self.now = dataclasses.replace(self.now, reason=f"{self.now.reason} {saved.damage}".lstrip())
        self.prepared: PreparedData | None = None
        self.observation: Observation = {}
        self.observed: State | None = None
        self.needs = USUAL
        self.changed = self.attention = False
        # What is damaged stays as it is until its owner plays on.
        unsaved = unsaved or (interrupted and not saved.damage)
        self.checkpointer = Checkpointer(engine.store, engine.lock, saved, unsaved=unsaved)
        self.stopwatch = Stopwatch()
        self._published_at = 0.0
        self.snapshot = Snapshot("paused")
        self.publish()

    def __str__(self) -> str:
        return f"The training {self.id}"

    @property
    def wanted(self) -> bool:
        """Whether there is something for the thread to do but to save."""
        asked = self.playing or self.steps > 0
        return not self.engine.closed and (self.preparing or (not self.now.ended and asked))

    @property
    def watched(self) -> bool:
        """Whether somebody visited the run a moment ago."""
        return self.engine.clock() < self.touched + WATCHED

    @property
    def unseen(self) -> bool:
        """Whether there is a State that was not observed yet."""
        return self.observed is not self.now.state and self.prepared is not None

    @property
    def status(self) -> str:
        """Of the snapshot to be made now (`Snapshot.status`)."""
        if self.now.ended:
            return self.now.ended
        if not (self.playing or self.steps or (self.preparing and self.now.state is None)):
            return "paused"
        if not self.engine.turns.admits(self):
            return "queued"
        return "running" if self.now.state is not None and self.prepared is not None else "starting"

    def saved(self) -> Saved:
        """All that is kept of the run as it is now."""
        now = self.now
        return Saved(
            id=self.id,
            name=self.checkpointer.name,
            key_hash=self.key_hash,
            created=self.created,
            status=self.status,
            reason=now.reason,
            recipe=now.recipe,
            state=now.state,
            best=now.best,
            records=tuple(self.records),
            best_value=now.best_value,
            pace=self.pacer.pace,
        )

    def set_records(self, records: Sequence[Record]) -> None:
        """Put these in the place of the records."""
        self.records, self._trace = list(records), ()

    def end(self, status: str, reason: str = "") -> None:
        """The training is over, with this status and reason."""
        self.now = progress.over(self.now, status, reason)
        self.rest()

    def rest(self) -> None:
        """Nothing is asked for any more."""
        self.playing, self.steps, self.preparing = False, 0, False
        self.checkpointer.unsaved = True
        self.publish()

    def moved(self) -> None:
        """Called by `Turns` when the run's place or turn has changed."""
        if (self.snapshot.status, self.snapshot.place) != (self.status, self.engine.turns.place(self)):
            self.publish()
        self.wake.notify_all()

    def publish(self, *, seldom: bool = False) -> None:
        """Make the newest snapshot; seldom: unless the last is of a moment ago."""
        moment = time.monotonic()
        if seldom and moment < self._published_at + PUBLISH:
            return
        self._published_at = moment
        if len(self._trace) != len(self.records):
            self._trace = tuple(self.records)
        now, prepared, status = self.now, self.prepared, self.status
        self.snapshot = Snapshot(
            status,
            f"{now.reason} {self.checkpointer.problem}".strip(),
            now.state,
            now.best,
            now.best_value,
            self._trace,
            self.observation,
            self.engine.turns.place(self),
            self.pacer.rate,
            prepared.budget(now.recipe) if prepared else 0,
            prepared.stages[now.state.progress.stage if now.state else 0] if prepared else None,
            self.stopwatch.waiting if status in ("starting", "running") else None,
            self._left() if status == "running" and self.playing else None,
            self.snapshot.version + 1,
        )

    def _left(self) -> Left | None:
        rest = progress.remaining(self.now, self.prepared) if self.prepared else None
        seconds = self.stopwatch.left(*rest) if rest else None
        return None if seconds is None else Left(seconds, progress.may_end_early(self.now.recipe))
