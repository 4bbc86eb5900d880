"""The thread of a run: it pulls `fitting`, in its turn on the cores, heeds the commands, and saves."""

import dataclasses
import logging
import threading
import time

from boltzcore.jobs.pace import STEP
from boltzcore.jobs.run_state import RunState
from boltzcore.jobs.turns import USUAL
from boltzcore.quoting import explained, why
from boltzcore.registry import info_of
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Stopped
from boltzcore.training import progress
from boltzcore.training.loop import UPDATES, Progress, fitting, measure_context
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe

SLICE = 0.075  # seconds between two checks whether a training may start
SHORT_STEP = 0.02  # seconds between two Steps in a crowd, about one in each turn
EVERY_UPDATE = 1e-9  # so few seconds that every update is a Step of its own
OBSERVE_EVERY = 0.25  # seconds between two observations of the model (`registry.ModelEntry.observe`)
COMPILING, READING, FETCHING = "Waiting for the compiled kernels", "Reading {}", "Fetching {}"
OBSERVING = "Looking at the model"
ASK_AGAIN = 1.0  # seconds after which a run in the line asks whether there is room
LET_GO = 20.0  # seconds of a pause after which a training of large tables lets go of them

logger = logging.getLogger(__name__)


class TrainingThread:
    """Works on a run as long as there is something to do, then ends; `start` begins it anew.

    thread : the thread at work, None without one
    """

    def __init__(self, run: RunState) -> None:
        self.thread: threading.Thread | None = None
        self._run, self._engine = run, run.engine
        self._waiting = False  # for nothing but the time to try a checkpoint again
        self._seconds: float | None = None  # between two Steps of the generator at work, None without one
        self._turn_ends = self._observe_at = 0.0

    @property
    def idle(self) -> bool:
        """Whether no thread works on the run; one that only waits to save it again does not."""
        return self.thread is None or self._waiting

    def start(self) -> None:
        """Begin, unless it is at work; under the lock of the engine."""
        if self.thread is None:
            self.thread = threading.Thread(target=self._work, name=f"run-{self._run.id}", daemon=True)
            self.thread.start()

    def _work(self) -> None:
        while self._more():
            with one_for_blas():
                try:
                    if self._run.wanted:
                        self._session()
                    self._settle()
                except Stopped:
                    pass
                except ValueError as error:
                    logger.info("%s failed: its page says why.", self._run)
                    self._fail(str(error))
                except Exception as error:
                    explained(error, f"{self._run} failed")
                    self._fail(f"Internal error: {type(error).__name__}: {why(error)}")

    def _more(self) -> bool:
        """Whether there is something to do; if not, the thread is over."""
        run = self._run
        with self._engine.lock:
            run.changed, self._seconds = False, None
            while run.checkpointer.unsaved and not run.wanted and not self._may_save():
                self._engine.turns.leave(run)
                self._waiting = True
                run.publish()
                run.wake.wait(run.checkpointer.wait)
            self._waiting = False
            if run.wanted or run.checkpointer.unsaved:
                return True
            self._engine.turns.leave(run)
            self.thread = None
            run.publish()
            return False

    def _fail(self, reason: str) -> None:
        with self._engine.lock:
            self._run.end("failed", reason)

    def _session(self) -> None:
        """From loading the data to the end of the training, or until Stopped."""
        run = self._run
        if run.now.state is None or run.checkpointer.rewound:
            # So that its link outlives a restart while it waits, and no State that was given up comes back by one.
            self._save()
        self._gate()
        with self._engine.lock:
            self._engine.turns.release(run)
            recipe = run.now.recipe
        run.stopwatch.drop()
        ready = self._engine.ready(recipe)
        self._begin(COMPILING)
        while not ready.wait(SLICE):
            self._unless_stopped()
        self._begin((READING if recipe.data.at_hand() else FETCHING).format(recipe.data.title))
        prepared = run.prepared or PreparedData.from_recipe(recipe, self._unless_stopped)
        self._begin(UPDATES)
        with self._engine.lock:
            run.needs = max(USUAL, prepared.memory(recipe))
            self._engine.turns.reconsider(run)
        with one_for_blas():  # once more: a BLAS may have been loaded with the data
            self._train(recipe, prepared)

    def _train(self, recipe: Recipe, prepared: PreparedData) -> None:
        run = self._run
        self._gate()
        with self._engine.lock:
            run.prepared = prepared
            now, kept = progress.settled(run.now, run.records, prepared)
            if now is not run.now:  # made longer while its data were not loaded
                run.now, run.checkpointer.unsaved = now, True
                run.set_records(kept)
            run.preparing &= run.now.state is None
            run.publish()
            if not run.wanted:
                return
            if run.changed:
                raise Stopped
            now = dataclasses.replace(run.now, state=run.now.state.copy() if run.now.state else None)
            self._seconds = self._step_seconds()
            run.stopwatch.again()
        steps = fitting(
            now,
            prepared=prepared,
            seconds=self._seconds,
            most=lambda: run.pacer.most,
            tick=self._tick,
            doing=run.stopwatch.begin,
        )
        for now in steps:
            if now.ended == "finished":
                break
            self._take(now)
            if run.watched and time.monotonic() > self._observe_at:
                self._observe()
            if run.checkpointer.due:
                with self._engine.lock:
                    self._engine.turns.release(run)
                    run.attention = True
                self._save()
            self._tick()
        with self._engine.lock:
            if run.changed or run.now.ended or now.ended != "finished":
                raise Stopped
            if run.now.state is not None and run.pacer.rate == 0:
                run.pacer.rate = run.now.count / max(run.now.state.progress.seconds, 1e-6)
            run.end("finished", now.reason)

    def _step_seconds(self) -> float:
        if self._run.steps:
            return EVERY_UPDATE
        return SHORT_STEP if self._engine.turns.crowded else STEP

    def _take(self, now: Progress) -> None:
        """Make a progress the run's own."""
        run = self._run
        with self._engine.lock:
            before = run.now.count
            if run.changed or run.now.ended:  # it was computed from what no longer holds
                raise Stopped
            if 0 < run.steps < now.count - before:  # of more updates than were asked for since it began
                raise Stopped
            run.now = dataclasses.replace(now, state=now.state.copy() if now.state else None, ignored=run.now.ignored)
            if now.ended:
                run.rest()
                if now.record is None:  # its parameters overflowed
                    raise Stopped
            if done := now.count - before:
                self._engine.turns.settle(run)
            run.preparing, run.checkpointer.unsaved = False, True
            run.stopwatch.stepped(now.count, recorded=now.record is not None)
            if now.record is not None:
                run.records.append(now.record)
            run.steps = max(0, run.steps - done)
            run.pacer.stepped(done, now.count)
            run.attention |= run.pacer.holds_back or not run.wanted
            run.publish(seldom=run.wanted)

    def _observe(self) -> None:
        """Observe the model, outside the record: no number of the training changes."""
        run = self._run
        now, prepared, began = run.now, run.snapshot.prepared, time.monotonic()
        if now.state is None or prepared is None:
            return
        exact = not now.recipe.needs("annealing", prepared.dataset.train.n_visible)
        context = measure_context(now.stage, prepared, now.state, exact, self._unless_stopped)
        with run.stopwatch.aside(OBSERVING):
            observation = {**now.stage.entry.observe(now.state, run.observation or None, prepared.rows, context)}
            if observe := info_of(now.stage.learner).observe:
                observation |= observe(now.stage.learner, now.state, prepared.dataset.train)
        took = time.monotonic() - began
        self._observe_at = time.monotonic() + OBSERVE_EVERY + 3 * took  # at most a quarter of the time
        with self._engine.lock:
            run.observation, run.observed = observation, now.state
            run.publish()

    def _settle(self) -> None:
        """Observe the model and save a checkpoint, once at each rest."""
        run = self._run
        resting = run.now.ended not in ("stopped", "failed") and not self._engine.closed
        if resting and run.unseen:
            self._observe()
        with self._engine.lock:
            self._engine.turns.release(run)
        if run.checkpointer.unsaved and self._may_save():
            self._save()

    def _may_save(self) -> bool:
        """Whether it is time to save, or no use to wait for it: what failed a moment ago may fail again."""
        return self._run.checkpointer.wait <= 0 or self._engine.closed or self._run.checkpointer.deleted

    def _save(self) -> None:
        if self._run.checkpointer.save(self._run.saved, lambda: self._engine.closed):
            with self._engine.lock:
                self._run.publish()

    def _tick(self, fraction: float = 0.0) -> None:
        self._report(fraction)
        if self._run.attention or time.monotonic() > self._turn_ends:
            self._gate()

    def _begin(self, what: str) -> None:
        """Begin work that may not report how far it is."""
        self._run.stopwatch.begin(what)
        with self._engine.lock:
            self._run.publish()

    def _report(self, share: float) -> None:
        """Publish, now and then, how far the work is."""
        self._run.stopwatch.far(share)
        if self._run.stopwatch.due:
            with self._engine.lock:
                self._run.publish()

    def _unless_stopped(self, fraction: float = 0.0) -> None:
        self._report(fraction)
        if self._engine.closed or self._run.now.ended == "stopped":
            raise Stopped

    def _gate(self) -> None:
        """Come back with a slot; while paused, rest. Raises Stopped where the work at hand is not to go on."""
        while not self._passes():
            self._settle()

    def _passes(self) -> bool:
        """True with a slot; False where the run is paused and has not settled yet."""
        run = self._run
        turns, since = self._engine.turns, time.monotonic()
        with self._engine.lock:
            if time.monotonic() > self._turn_ends:
                turns.pass_on(run)
            while True:
                waits = [] if (lease := self._lease_left()) is None else [lease]
                if self._void():
                    raise Stopped
                pause = run.pacer.wait
                if not run.wanted:
                    if (run.checkpointer.unsaved and self._may_save()) or run.unseen:
                        return False
                    turns.leave(run)
                    run.pacer.rest()
                    if run.needs > USUAL:  # its tables are for others, and are made again
                        resting = since + LET_GO - time.monotonic()
                        if resting <= 0 and not run.checkpointer.unsaved:
                            raise Stopped
                        waits.append(max(resting, SLICE))
                elif pause > 0:
                    turns.release(run)
                    waits.append(pause)
                else:
                    turns.enter(run)
                    if turns.ask(run):
                        break
                    if not turns.admits(run):
                        waits.append(ASK_AGAIN)
                if run.checkpointer.unsaved and run.checkpointer.problem:
                    if self._may_save():
                        return False
                    waits.append(run.checkpointer.wait)
                rests, began = not (run.wanted and turns.admits(run)), time.monotonic()
                run.wake.wait(min(waits, default=None))
                if rests:
                    run.stopwatch.rested(time.monotonic() - began)
            run.attention, self._turn_ends = False, time.monotonic() + turns.slice
            if run.snapshot.status != run.status:
                run.publish()
            return True

    def _lease_left(self) -> float | None:
        """Seconds until nobody has watched for too long, None for ever; ends the training when it is so."""
        run = self._run
        left = run.touched + self._engine.lease - self._engine.clock()
        if run.wanted and run.keep_going:
            return None
        if left <= 0 and run.wanted:
            at = f"update {run.now.count:,}" if run.now.state else "the start"
            run.end(
                "stopped",
                f"Nobody watched this run for {self._engine.lease:g} seconds, so it was saved and stopped; play goes "
                f"on from {at}.",
            )
        return left

    def _void(self) -> bool:
        """Whether what the thread is at has lost its purpose."""
        run = self._run
        if run.changed or self._engine.closed or (run.now.ended and not run.preparing):
            return True
        if run.wanted:
            return self._seconds not in (None, self._step_seconds())
        # paused and unwatched: the half-done update goes, the State stays
        return run.touched + self._engine.lease < self._engine.clock()
