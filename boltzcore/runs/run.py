"""One training under way: a thread that pulls `train`, commands from any other thread, snapshots for all who watch."""

import dataclasses
import hashlib
import hmac
import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from boltzcore.learners.base import State
from boltzcore.observations import Observation
from boltzcore.quoting import quoted
from boltzcore.runs import progress
from boltzcore.runs.checkpointer import Checkpointer
from boltzcore.runs.pace import STEP, Pacer
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.snapshot import Snapshot
from boltzcore.runs.stopping import why_early
from boltzcore.runs.stopwatch import UPDATES, Left, Stopwatch
from boltzcore.runs.store import Saved, Store
from boltzcore.runs.training import Record, Step, measure_context, stage_of, train
from boltzcore.runs.turns import USUAL, Turns
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Stopped

SLICE = 0.075  # seconds between two checks whether a training may start
SHORT_STEP = 0.02  # seconds between two Steps in a crowd, about one in each turn
EVERY_UPDATE = 1e-9  # so few seconds that every update is a Step of its own
PUBLISH = 0.04  # seconds between two snapshots, where nothing but figures changed
OBSERVE_EVERY = 0.25  # seconds between two observations of the model (`registry.ModelEntry.observe`)
COMPILING, READING, FETCHING = "Waiting for the compiled kernels", "Reading {}", "Fetching {}"
OBSERVING = "Looking at the model"
SELDOM = 5.0  # seconds more where nobody watches a training that goes on all the same
ASK_AGAIN = 1.0  # seconds after which a run in the line asks whether there is room
WATCHED = 10.0  # seconds after the last visit in which a run counts as watched
LET_GO = 20.0  # seconds of a pause after which a training of large tables lets go of them

RESTARTED = "The server was restarted; play goes on from the last checkpoint."

logger = logging.getLogger(__name__)


@dataclass
class EngineContext:
    """The context that all runs of an engine share. `lock` guards the turns and what commands change in a run; a
    training waits for the `ready` of its recipe.
    """

    store: Store
    turns: Turns
    lease: float
    keep: Callable[["Run"], None]
    ready: Callable[[Recipe], threading.Event]
    lock: threading.RLock = dataclasses.field(default_factory=threading.RLock)
    closed: bool = False


def new_run(recipe: Recipe, name: str, engine: EngineContext) -> "Run":
    """A run that waits for its first command, with an id and a key of its own."""
    key = secrets.token_urlsafe(24)
    saved = Saved(secrets.token_hex(8), name, _hash(key), time.time(), "paused", "", recipe)
    return Run(saved, engine, key)


class Run:
    """A training that can be watched by anyone and controlled by its owner.

    Commands may come from any thread and return at once; bad values raise ValueError before anything
    changes. `snapshot` is always whole.

    key : the owner's secret, "" where only its hash is known (after a restart of the server)
    frame_history : frames of earlier updates, added by whoever draws them
    """

    def __init__(self, saved: Saved, engine: EngineContext, key: str = "") -> None:
        self.id, self.name, self.key, self.created = saved.id, saved.name, key, saved.created
        self.frame_history = engine.store.frame_history(saved.id)
        self._key_hash, self._engine = saved.key_hash, engine
        self._wake = threading.Condition(engine.lock)
        self._thread: threading.Thread | None = None
        # what is asked for
        self._playing, self._steps, self._prepare = False, 0, False
        self._pacer = Pacer(saved.pace)
        self._keep_going = False
        self._touched = time.monotonic()
        # where it stands
        self._now = progress.revived(
            saved.recipe, saved.state, saved.best, saved.records, saved.status, saved.reason, saved.best_value
        )
        self._records, self._trace = list(saved.records), saved.records
        interrupted = saved.status in ("queued", "starting", "running")
        if interrupted:
            self._now = dataclasses.replace(self._now, reason=RESTARTED)
        if saved.damage and saved.state is None:
            self._now = progress.over(
                self._now, "failed", f"{saved.damage} Play starts the training again from update 0."
            )
        elif saved.damage not in self._now.reason:
            self._now = dataclasses.replace(self._now, reason=f"{self._now.reason} {saved.damage}".lstrip())
        self._observation: Observation = {}
        self._observed: State | None = None
        self._start: Snapshot | None = None
        self._prepared: PreparedData | None = None
        self.needs = USUAL
        self._stopwatch = Stopwatch()
        # of the run's own thread
        self._waiting = False  # for nothing but the time to try a checkpoint again
        self._anew = False  # the generator is out of date
        self._seconds: float | None = None  # of the generator at work, None without one
        self._attention = False  # a command came, which the next tick has to see to
        self._turn_ends = self._published_at = self._observe_at = 0.0
        # What is damaged stays as it is until its owner plays on.
        unsaved = bool(key) or (interrupted and not saved.damage)
        self._disk = Checkpointer(engine.store, engine.lock, unsaved=unsaved)
        self._snapshot = Snapshot("paused")
        self._publish()

    # -- watching ---------------------------------------------------------------------------------------

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._snapshot

    @property
    def start(self) -> Snapshot | None:
        """The snapshot at update 0; None where this process has not made it."""
        return self._start

    @property
    def recipe(self) -> Recipe:
        """The recipe with all live changes so far."""
        return self._now.recipe

    @property
    def idle(self) -> bool:
        """Whether no thread works on this run; one that only waits to save it again does not."""
        return self._thread is None or self._waiting

    @property
    def unsaved(self) -> bool:
        """Whether the store has not got all of this run yet."""
        return self._disk.unsaved

    @property
    def deleted(self) -> bool:
        """Whether it was deleted; who still holds it sees its last snapshot."""
        return self._disk.deleted

    def owned_by(self, key: str | None) -> bool:
        """Whether `key` is the owner's."""
        return isinstance(key, str) and hmac.compare_digest(_hash(key).encode(), self._key_hash.encode())

    def touch(self) -> None:
        """Say that somebody watches: a run nobody watched for the lease's time is saved and stopped."""
        self._touched = time.monotonic()

    @property
    def keep_going(self) -> bool:
        """Whether the training goes on while nobody watches."""
        return self._keep_going

    @keep_going.setter
    def keep_going(self, on: bool) -> None:
        with self._engine.lock:
            self._keep_going = on
            self._poke()

    @property
    def goes_on(self) -> bool:
        """Whether it trains, and would while nobody watches."""
        return self._keep_going and self._wanted()

    @property
    def pace(self) -> float | None:
        """The most updates per second; None for as fast as it can. No part of the recipe: it changes no number."""
        return self._pacer.pace

    @pace.setter
    def pace(self, pace: float | None) -> None:
        if pace is not None and not 0 < pace < float("inf"):
            raise ValueError(f"pace must be a number of updates per second above 0, or None, not {quoted(pace)}.")
        with self._engine.lock:
            self._pacer.pace = None if pace is None else float(pace)
            self._pacer.at_once()
            self._stopwatch.again()
            self._poke()

    # -- commands ---------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Load the data and observe the model, so that there is something to show; the training does not go on."""
        with self._engine.lock:
            self._prepare = self._now.state is not None or not self._now.ended
            self._poke()

    def play(self) -> None:
        """Train until the end, a pause or a stop. After a divergence the watch no longer minds its cause."""
        with self._engine.lock:
            if self._go_on():
                self._playing, self._steps = True, 0
            self._poke()

    def pause(self) -> None:
        """Rest, at once; a run that waits in the queue leaves it."""
        with self._engine.lock:
            self._playing, self._steps = False, 0
            if not self._engine.turns.admits(self):
                self._prepare = False
            self._poke()

    def step(self, updates: int = 1) -> None:
        """Do so many whole updates, then pause."""
        if isinstance(updates, bool) or not isinstance(updates, int) or updates < 1:
            raise ValueError(f"updates must be a whole number from 1 on, not {quoted(updates)}.")
        with self._engine.lock:
            if self._go_on():
                self._steps += updates
                self._playing = False
                self._pacer.at_once()  # who steps does not wait for the pace
            self._poke()

    def stop(self) -> None:
        """End the training after its last whole update and save it; `play` would go on from there."""
        with self._engine.lock:
            if not self._now.ended:
                self._end("stopped")
            self._poke()

    def change(self, **fields: Any) -> None:
        """Give live fields of the learner other values from the last whole update on."""
        with self._engine.lock:
            if (changed := progress.changed(self._now, fields)) is not self._now:
                self._now = changed
                self._altered()

    def extend(self, length: int) -> None:
        """Give the schedule a greater length; a finished run is then paused."""
        with self._engine.lock:
            self._now, kept = progress.extended(self._now, self._records, length, self._prepared)
            self._set_records(kept)
            self._altered()

    def restore_best(self) -> None:
        """Go back to the best state and pause there; what came after it is forgotten, also in the recipe."""
        with self._engine.lock:
            self._now, kept = progress.restored(self._now, self._records)
            self._set_records(kept)
            self._playing, self._steps = False, 0
            self._disk.rewound = True
            self._altered()

    def rename(self, name: str) -> None:
        """Go by another name from now on. Waits for a checkpoint that is being written. Raises OSError where
        the files cannot be written.
        """
        if self._disk.rename(self.id, name):
            self.name = name

    def delete(self) -> None:
        """Stop, and keep nothing on disk from now on. Waits for a checkpoint that is being written. Raises OSError
        where the files cannot be removed; the run then stays.
        """
        with self._engine.lock:
            self._disk.deleted = True
            self.stop()
        try:
            self._disk.delete(self.id)
        except Exception:
            with self._engine.lock:
                self._disk.deleted, self._disk.unsaved = False, True
                self._poke()
            raise

    def close(self) -> threading.Thread | None:
        """Pause because the server ends; the thread, which saves and ends."""
        with self._engine.lock:
            if self._playing or self._steps:
                self._now, self._disk.unsaved = dataclasses.replace(self._now, reason=RESTARTED), True
            self._playing, self._steps, self._prepare = False, 0, False
            self._attention = True
            self._wake.notify_all()
            return self._thread

    def moved(self) -> None:
        """Called by `Turns`, under the lock, when this run's place or turn has changed."""
        if (self._snapshot.status, self._snapshot.place) != (self._status(), self._engine.turns.place(self)):
            self._publish()
        self._wake.notify_all()

    # -- under the lock ---------------------------------------------------------------------------------

    def _go_on(self) -> bool:
        """Whether the training may go on; a failed, stopped or diverged one is taken up again."""
        if self._now.ended == "finished" or self._engine.closed or self._disk.deleted:
            return False
        self._now = progress.resumed(self._now)
        return True

    def _poke(self) -> None:
        """Let the thread see a command; start it where there is work and none."""
        self._attention = True
        self._engine.keep(self)
        self.touch()
        if not self._engine.closed:
            if self._wanted():
                self._engine.turns.enter(self)
            elif not self._engine.turns.admits(self):
                self._engine.turns.leave(self)
            if self._thread is None and (self._wanted() or self._disk.unsaved):
                self._thread = threading.Thread(target=self._work, name=f"run-{self.id}", daemon=True)
                self._thread.start()
        self._wake.notify_all()
        self._publish()

    def _altered(self) -> None:
        self._anew = self._disk.unsaved = True
        self._poke()

    def _end(self, status: str, reason: str = "") -> None:
        self._now = progress.over(self._now, status, reason)
        self._rest()

    def _rest(self) -> None:
        self._playing, self._steps, self._prepare = False, 0, False
        self._disk.unsaved = True
        self._publish()

    def _wanted(self) -> bool:
        asked = self._playing or self._steps > 0
        return not self._engine.closed and (self._prepare or (not self._now.ended and asked))

    def _status(self) -> str:
        if self._now.ended:
            return self._now.ended
        if not (self._playing or self._steps or (self._prepare and self._now.state is None)):
            return "paused"
        if not self._engine.turns.admits(self):
            return "queued"
        return "running" if self._now.state is not None and self._prepared is not None else "starting"

    def _set_records(self, records: Sequence[Record]) -> None:
        self._records, self._trace = list(records), ()

    def _publish(self, *, seldom: bool = False) -> None:
        moment = time.monotonic()
        if seldom and moment < self._published_at + PUBLISH:
            return
        self._published_at = moment
        if len(self._trace) != len(self._records):
            self._trace = tuple(self._records)
        now, prepared, status = self._now, self._prepared, self._status()
        self._snapshot = Snapshot(
            status,
            f"{now.reason} {self._disk.problem}".strip(),
            now.state,
            now.best,
            now.best_value,
            self._trace,
            self._observation,
            self._engine.turns.place(self),
            self._pacer.rate,
            prepared.budget(now.recipe) if prepared else 0,
            prepared.stages[stage_of(now.state) if now.state else 0] if prepared else None,
            self._stopwatch.waiting if status in ("starting", "running") else None,
            self._left() if status == "running" and self._playing else None,
            self._snapshot.version + 1,
        )

    def _left(self) -> Left | None:
        rest = progress.remaining(self._now, self._prepared) if self._prepared else None
        seconds = self._stopwatch.left(*rest) if rest else None
        return None if seconds is None else Left(seconds, progress.may_end_early(self._now.recipe))

    # -- the run's own thread ---------------------------------------------------------------------------

    def _work(self) -> None:
        while self._more():
            with one_for_blas():
                try:
                    if self._wanted():
                        self._session()
                    self._settle()
                except Stopped:
                    pass
                except ValueError as error:
                    logger.info("Run %s failed.", self.id, exc_info=True)
                    self._fail(str(error))
                except Exception as error:
                    logger.exception("Run %s failed.", self.id)
                    self._fail(f"Internal error: {type(error).__name__}: {error}")

    def _more(self) -> bool:
        """Whether there is something to do; if not, the thread is over."""
        with self._engine.lock:
            self._anew, self._seconds = False, None
            while self._disk.unsaved and not self._wanted() and not self._may_save():
                self._engine.turns.leave(self)
                self._waiting = True
                self._publish()
                self._wake.wait(self._disk.wait)
            self._waiting = False
            if self._wanted() or self._disk.unsaved:
                return True
            self._engine.turns.leave(self)
            self._thread = None
            self._publish()
            return False

    def _fail(self, reason: str) -> None:
        with self._engine.lock:
            self._end("failed", reason)

    def _session(self) -> None:
        """From loading the data to the end of the training, or until Stopped."""
        if self._now.state is None or self._disk.rewound:
            # So that its link outlives a restart while it waits, and no State that was given up comes back by one.
            self._save()
        self._gate()
        with self._engine.lock:
            self._engine.turns.release(self)
            recipe = self._now.recipe
        self._stopwatch.drop()
        ready = self._engine.ready(recipe)
        self._begin(COMPILING)
        while not ready.wait(SLICE):
            self._unless_stopped()
        self._begin((READING if recipe.data.at_hand() else FETCHING).format(recipe.data.title))
        prepared = self._prepared or PreparedData.from_recipe(recipe, self._unless_stopped)
        self._begin(UPDATES)
        with self._engine.lock:
            self.needs = max(USUAL, prepared.memory(recipe))
            self._engine.turns.reconsider(self)
        with one_for_blas():  # once more: a BLAS may have been loaded with the data
            self._train(recipe, prepared)

    def _train(self, recipe: Recipe, prepared: PreparedData) -> None:
        self._gate()
        base_rates = [stage.base_rate for stage in prepared.stages]
        with self._engine.lock:
            self._prepared = prepared
            now, kept = progress.settled(self._now, self._records, prepared)
            if now is not self._now:  # made longer while its data were not loaded
                self._now, self._disk.unsaved = now, True
                self._set_records(kept)
            self._prepare &= self._now.state is None
            self._publish()
            if not self._wanted():
                return
            if self._anew:
                raise Stopped
            now = self._now
            resume = now.state.copy() if now.state else None
            best = (now.best, now.best_value) if now.best and now.best_value is not None else None
            self._seconds = self._step_seconds()
            self._stopwatch.again()
        seconds, tick = self._seconds, self._tick
        steps = train(
            recipe,
            prepared=prepared,
            resume=resume,
            best=best,
            seconds=seconds,
            most=lambda: self._pacer.most,
            tick=tick,
            doing=self._stopwatch.begin,
        )
        for step in steps:
            self._take(step, base_rates[stage_of(step.state)])
            seldom = 0.0 if self._watched else SELDOM
            if time.monotonic() > self._observe_at + seldom and (self._watched or self._keep_going):
                self._observe()
            if self._disk.due:
                with self._engine.lock:
                    self._engine.turns.release(self)
                    self._attention = True
                self._save()
            self._tick()
        with self._engine.lock:
            if self._anew or self._now.ended:
                raise Stopped
            if self._now.state is not None and self._pacer.rate == 0:
                self._pacer.rate = self._now.count / max(self._now.state.info["seconds"], 1e-6)
            self._end("finished", self._ending(recipe))

    def _ending(self, recipe: Recipe) -> str:
        """Why the learner's own rule has ended the training, in a sentence; "" where that is not why."""
        state = self._now.state
        if state is None or not state.done or why_early(recipe.schedule, state):
            return ""
        return recipe.learner_at(state.count).why_ended(state)

    def _step_seconds(self) -> float:
        if self._steps:
            return EVERY_UPDATE
        return SHORT_STEP if self._engine.turns.crowded else STEP

    def _take(self, step: Step, base_rate: float) -> None:
        """Make a Step the run's own."""
        step = dataclasses.replace(step, state=step.state.copy())
        with self._engine.lock:
            if self._anew or self._now.ended:  # it was computed from what no longer holds
                raise Stopped
            before = self._now.count
            self._now, counts = progress.after_step(self._now, step, base_rate)
            if self._now.ended:
                self._rest()
            if not counts:
                raise Stopped
            if done := step.state.count - before:
                self._engine.turns.settle(self)
            self._prepare, self._disk.unsaved = False, True
            self._stopwatch.stepped(step.state.count, recorded=step.record is not None)
            if step.record is not None:
                self._records.append(step.record)
            self._steps = max(0, self._steps - done)
            self._pacer.stepped(done, step.state.count)
            self._attention |= self._pacer.holds_back or not self._wanted()
            self._publish(seldom=self._wanted())

    def _observe(self) -> None:
        """Observe the model, outside the record: no number of the training changes."""
        now, prepared, began = self._now, self._snapshot.prepared, time.monotonic()
        if now.state is None or prepared is None:
            return
        context = measure_context(now.stage, prepared, now.state, self._unless_stopped)
        with self._stopwatch.aside(OBSERVING):
            observation = {
                **now.stage.entry.observe(now.state, self._observation or None, prepared.rows, context),
                **now.stage.learner.observe(now.state, prepared.dataset.train),
            }
        took = time.monotonic() - began
        self._observe_at = time.monotonic() + OBSERVE_EVERY + 3 * took  # at most a quarter of the time
        with self._engine.lock:
            self._observation, self._observed = observation, now.state
            self._publish()
            if now.state.count == 0:
                self._start = self._snapshot

    @property
    def _watched(self) -> bool:
        """Whether somebody visited the run a moment ago."""
        return time.monotonic() < self._touched + WATCHED

    def _unseen(self) -> bool:
        """Whether there is a State that was not observed yet."""
        return self._observed is not self._now.state and self._prepared is not None

    def _settle(self) -> None:
        """Observe the model and save a checkpoint, once at each rest."""
        resting = self._now.ended not in ("stopped", "failed") and not self._engine.closed
        if resting and self._unseen():
            self._observe()
        with self._engine.lock:
            self._engine.turns.release(self)
        if self._disk.unsaved and self._may_save():
            self._save()

    def _may_save(self) -> bool:
        """Whether it is time to save, or no use to wait for it: what failed a moment ago may fail again."""
        return self._disk.wait <= 0 or self._engine.closed or self._disk.deleted

    def _save(self) -> None:
        if self._disk.save(self._saved, lambda: self._engine.closed):
            with self._engine.lock:
                self._publish()

    def _saved(self) -> Saved:
        """All that is kept of the run as it is now."""
        now = self._now
        return Saved(
            id=self.id,
            name=self.name,
            key_hash=self._key_hash,
            created=self.created,
            status=self._status(),
            reason=now.reason,
            recipe=now.recipe,
            state=now.state,
            best=now.best,
            records=tuple(self._records),
            best_value=now.best_value,
            pace=self._pacer.pace,
        )

    def _tick(self, fraction: float = 0.0) -> None:
        self._tell(fraction)
        if self._attention or time.monotonic() > self._turn_ends:
            self._gate()

    def _begin(self, what: str) -> None:
        """Begin work that may not report how far it is."""
        self._stopwatch.begin(what)
        with self._engine.lock:
            self._publish()

    def _tell(self, share: float) -> None:
        """Let who waits hear, now and then, how far it is."""
        self._stopwatch.far(share)
        if self._stopwatch.due:
            with self._engine.lock:
                self._publish()

    def _unless_stopped(self, fraction: float = 0.0) -> None:
        self._tell(fraction)
        if self._engine.closed or self._now.ended == "stopped":
            raise Stopped

    def _gate(self) -> None:
        """Come back with a slot; while paused, rest. Raises Stopped where the work at hand is not to go on."""
        while not self._passes():
            self._settle()

    def _passes(self) -> bool:
        """True with a slot; False where the run is paused and has not settled yet."""
        turns, since = self._engine.turns, time.monotonic()
        with self._engine.lock:
            if time.monotonic() > self._turn_ends:
                turns.pass_on(self)
            while True:
                left = self._lease_left()
                if self._void():
                    raise Stopped
                pause = self._pacer.wait
                if not self._wanted():
                    if (self._disk.unsaved and self._may_save()) or self._unseen():
                        return False
                    turns.leave(self)
                    self._pacer.rest()
                    if self.needs > USUAL:  # its tables are for others, and are made again
                        resting = since + LET_GO - time.monotonic()
                        if resting <= 0 and not self._disk.unsaved:
                            raise Stopped
                        left = max(resting, SLICE) if left is None else min(left, max(resting, SLICE))
                elif pause > 0:
                    turns.release(self)
                    left = pause if left is None else min(left, pause)
                else:
                    turns.enter(self)
                    if turns.ask(self):
                        break
                    if not turns.admits(self):
                        left = ASK_AGAIN if left is None else min(left, ASK_AGAIN)
                if self._disk.unsaved and self._disk.problem:
                    if self._may_save():
                        return False
                    again = self._disk.wait
                    left = again if left is None else min(left, again)
                rests, began = not (self._wanted() and turns.admits(self)), time.monotonic()
                self._wake.wait(left)
                if rests:
                    self._stopwatch.rested(time.monotonic() - began)
            self._attention, self._turn_ends = False, time.monotonic() + turns.slice
            if self._snapshot.status != self._status():
                self._publish()
            return True

    def _lease_left(self) -> float | None:
        """Seconds until nobody has watched for too long, None for ever; ends the training when it is so."""
        left = self._touched + self._engine.lease - time.monotonic()
        if self._wanted() and self._keep_going:
            return None
        if left <= 0 and self._wanted():
            at = f"update {self._now.count:,}" if self._now.state else "the start"
            self._end(
                "stopped",
                f"Nobody watched this run for {self._engine.lease:g} seconds, so it was saved and stopped; play goes "
                f"on from {at}.",
            )
        return left

    def _void(self) -> bool:
        """Whether what the thread is at has lost its purpose."""
        if self._anew or self._engine.closed or (self._now.ended and not self._prepare):
            return True
        if self._wanted():
            return self._seconds not in (None, self._step_seconds())
        return (
            self._touched + self._engine.lease < time.monotonic()
        )  # paused and unwatched: the half-done update goes, the State stays


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
