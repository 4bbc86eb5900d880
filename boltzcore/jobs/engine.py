"""Run engine: trainings in threads of their own, admitted in order, taking turns on the cores.

engine = Engine(Store(folder("runs")))
run = engine.create(Recipe(data="digits", learner="CD"), play=True)
run.snapshot.records
"""

import logging
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from weakref import WeakSet, WeakValueDictionary

from boltzcore import memory
from boltzcore.comparison.trials import TrialStore
from boltzcore.home import now
from boltzcore.jobs.context import EngineContext
from boltzcore.jobs.files import ID, name_in
from boltzcore.jobs.races import Races
from boltzcore.jobs.run import Run, new_run
from boltzcore.jobs.store import Store
from boltzcore.jobs.turns import Turns
from boltzcore.jobs.work import Make, Work
from boltzcore.quoting import Refusal, explain
from boltzcore.threads import CORES
from boltzcore.training.recipe import Recipe

KEPT = 32  # idle runs in memory; the store has all
BEGUN = 25  # started trainings after which the store is tidied again
CLOSING = 5.0  # seconds for which a shutdown waits for checkpoints

logger = logging.getLogger(__name__)

__all__ = ["Engine", "Run"]


def _room(needed: int) -> bool:
    """Return True if there is memory for `needed` more bytes; False if the system does not report it."""
    used = memory.used_bytes()
    return used > 0 and used + needed < memory.allowed_bytes()


def _always_ready(_recipe: Recipe) -> threading.Event:
    always = threading.Event()
    always.set()
    return always


class Engine:
    """Runs by id: created here, found in memory, or loaded from the store.

    slots : number of trainings that compute at the same time; by default one core stays free for the pages, if there
        are two
    admitted : number of runs that take turns on the slots, the others wait in a queue; by default as memory allows, and
        at least four of usual size
    lease : seconds after which an unwatched job is saved and stopped
    ready : returns for a recipe the event that its training may start; set by default
    clock : returns seconds for the ends of leases
    """

    def __init__(
        self,
        store: Store,
        *,
        slots: int | None = None,
        admitted: int | None = None,
        lease: float = 90.0,
        ready: Callable[[Recipe], threading.Event] = _always_ready,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store = store
        turns = Turns(slots or max(1, CORES - 1), admitted or max(4, CORES), None if admitted else _room)
        self._context = EngineContext(store, turns, lease, ready, clock)
        self.races = Races(store.folder / "races", self._context, TrialStore(store.folder / "trials"))
        self._works = WeakSet[Work]()
        self._kept: OrderedDict[str, Run] = OrderedDict()
        # A page that still holds a run after its eviction, and one that asks for its id, must get the same object.
        self._known: WeakValueDictionary[str, Run] = WeakValueDictionary()
        self._deleted: set[str] = set()  # a concurrent load must not restore one of these
        self._begun, self._tidying = 0, threading.Lock()

    def create(self, recipe: Recipe, *, play: bool = False, name: str = "") -> Run:
        """Return a new run; its own thread loads the data, measures the start and, with `play`, trains."""
        run = new_run(recipe, name_in(name), self._context, self._keep)
        with self._context.lock:
            self._known[run.id] = run
            self._begun += 1
            full = self._begun % BEGUN == 0
        if play:
            run.play()
        else:
            run.prepare()
        if full:  # no one waits for it
            threading.Thread(target=self._tidy, name="tidy", daemon=True).start()
        return run

    def begin_work(self, make: Make) -> Work:
        """Start work for a single visitor."""
        with self._context.lock:
            self._works.add(work := Work(self._context, make))
            return work

    def get(self, run_id: str) -> Run | None:
        """Return the run with this id, or None. After a restart it comes from the store, paused if it was running."""
        if not isinstance(run_id, str) or not re.fullmatch(ID, run_id):
            return None
        with self._context.lock:
            if run := self._known.get(run_id):
                return run
        try:
            saved = self.store.load(run_id)
        except (Refusal, OSError) as error:
            logger.warning("Run %s cannot be opened: %s", run_id, error)
            return None
        if saved is None:
            return None
        with self._context.lock:
            if run_id in self._deleted:
                return None
            run = self._known.get(run_id)
            if run is None:
                self._known[run_id] = run = Run(saved, self._context, self._keep)
                run.prepare()
            return run

    def runs(self) -> tuple[Run, ...]:
        """Return the runs in memory, the last used one last."""
        with self._context.lock:
            return tuple(self._kept.values())

    @property
    def load(self) -> dict[str, int]:
        """Return the numbers of admitted and of waiting jobs, and of races and works that run or wait."""
        races = self.races.n_active  # its lock may be held while files are written
        with self._context.lock:
            turns, works = self._context.turns, sum(work.is_active for work in self._works)
            return {"running": turns.admitted, "waiting": turns.waiting, "races": races, "works": works}

    def rename(self, run_id: str, name: str) -> None:
        """Rename a run, in memory and on disk, without loading it: one line of at most 80 characters, "" for none.
        Raises OSError if that fails.
        """
        with self._context.lock:
            run = self._known.get(run_id)
        if run is None:
            self.store.rename(run_id, name_in(name))
        else:
            run.rename(name_in(name))

    def delete(self, run_id: str) -> None:
        """Stop a run and delete it, in memory and on disk. Raises OSError if its files cannot be removed; the run then
        remains, stopped.
        """
        with self._context.lock:
            self._deleted.add(run_id)
            run = self._known.pop(run_id, None)
            self._kept.pop(run_id, None)
        try:
            if run is None:
                self.store.delete(run_id)
            else:
                run.delete()
        except OSError:
            with self._context.lock:
                self._deleted.discard(run_id)
                if run is not None:
                    self._known[run_id] = run
                    self._keep(run)
            raise

    def shutdown(self) -> None:
        """Pause and save every run and race, end its thread, and all other work; afterwards nothing trains."""
        now()  # files do not age while no server runs
        threads = [*self.races.shutdown()]
        with self._context.lock:
            self._context.closed = True
            threads += [thread for run in self._kept.values() if (thread := run.close())]
            threads += [thread for work in self._works if (thread := work.close())]
        until = time.monotonic() + CLOSING
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
        if late := sum(thread.is_alive() for thread in threads):
            logger.warning(
                "%d runs were not saved within %g s: they will resume from their last checkpoint.", late, CLOSING
            )
        else:
            logger.info("All runs are saved.")

    def _tidy(self) -> None:
        """Let the store delete obsolete runs, but none that is in memory."""
        if not self._tidying.acquire(blocking=False):
            return
        try:
            self.store.tidy(self._delete_asleep)
        except OSError as error:  # it is tried again later
            explain(error, "The store could not be tidied")
        finally:
            self._tidying.release()

    def _delete_asleep(self, run_id: str) -> None:
        with self._context.lock:
            if run_id in self._known or self._context.closed:
                return
            self._deleted.add(run_id)
        try:
            self.store.delete(run_id)
        except OSError as error:  # the others are still tidied
            with self._context.lock:
                self._deleted.discard(run_id)
            explain(error, f"Run {run_id} could not be removed")

    def _keep(self, run: Run) -> None:
        """Keep a run that was just used in memory, unless it is deleted; under the lock."""
        if run.id in self._deleted:
            return
        self._kept[run.id] = run
        self._kept.move_to_end(run.id)
        idle = [kept for kept in self._kept.values() if kept.idle and not kept.unsaved and kept is not run]
        for oldest in idle[: max(0, len(idle) - KEPT)]:
            del self._kept[oldest.id]
