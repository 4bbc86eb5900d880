"""Updates that can be inspected: the next update of a training, by the name that the browser requests."""

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from boltzcore import reference
from boltzcore.data import Dataset
from boltzcore.jobs.engine import Run
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.learners.base import Learner, State
from boltzcore.quoting import Refusal, quoted
from boltzcore.registry import info_of
from boltzcore.ticks import Tick
from boltzcore.training.prepared import PreparedData
from boltzcore.training.status import MOVING
from pages.common import lab
from pages.figures import packing
from pages.inside.trace import Trace
from pages.inside.worked_examples import step_named
from pages.inside.worked_step import state_of
from pages.web.access import may_see

KEPT, BYTES = 64, 200_000_000  # traces in memory, and bytes of all of them
SECONDS = 600.0  # since its last request, after which a trace is forgotten
LONGEST = 8.0  # seconds of processor time that tracing may take
LARGEST = 256_000_000  # bytes of a learner besides its State, beyond which an update is not taken apart

Subject = tuple[Learner, State, Dataset]


class Gone(LookupError):
    """Error with a sentence: what was requested does not exist, or no longer does."""


def of_run(run: Run) -> str:
    """Return the name of a run's next update; for a training on an uploaded table, another one for each grant that
    opens the table, which ends with the grant. Without a grant the name opens nothing.
    """
    return "/".join(filter(None, ("run", run.id, lab.opening_of(run))))


def mark_of(run: Run, snapshot: Snapshot) -> str:
    """Return a mark that changes with the State of a resting run and with the learner of its next update."""
    return _mark(_learner(run, snapshot.state), snapshot.state)


def trace_of(name: str, row: int, mark: str = "") -> Trace:
    """Return the update of that name taken apart, for a row of its mini-batch, or the first if there are fewer rows.

    mark : of the expected update, if one was seen already
    Raises `Gone` if there is none, Refusal if it cannot be taken apart: a sentence each.
    """
    find = _KINDS.get(name.partition("/")[0])
    if find is None:
        raise Gone(f"There is no update named {quoted(name)}.")
    learner, state, dataset = find(name.partition("/")[2])
    now = _mark(learner, state)
    if mark not in ("", now):
        raise Gone("The training has continued since.")
    with _lock:
        _forget()
        if (found := _kept.pop((name, now, row), None)) is not None:
            _kept[name, now, row] = found[0], time.monotonic()
            return found[0]
    trace = _trace_update(learner, state, dataset, row, now)
    with _lock:
        _kept[name, now, trace.dissection.row] = trace, time.monotonic()
        _forget()
    return trace


def _trace_update(learner: Learner, state: State, dataset: Dataset, row: int, mark: str) -> Trace:
    tick = _until(time.thread_time() + LONGEST)
    try:
        dissection = reference.trace(learner, state, dataset.train, row=row, tick=tick)
    except NotImplementedError:
        raise Gone(f"Steps of {info_of(learner).title} cannot be shown.") from None
    except Refusal:
        if row == 0:
            raise
        return _trace_update(learner, state, dataset, 0, mark)  # the last mini-batch of an epoch may be short
    return Trace(dissection, learner, dataset, state.count, mark)


def _until(end: float) -> Tick:
    def tick(fraction: float = 0.0) -> None:
        if time.thread_time() > end:
            raise Gone(f"With these settings an update takes more than {LONGEST:g} seconds to show.")

    return tick


def _forget() -> None:
    """Under the lock: forget traces that were not requested lately, and the oldest if there are too many."""
    late = time.monotonic() - SECONDS
    for key in [key for key, (_, asked) in _kept.items() if asked < late]:
        del _kept[key]
    while len(_kept) > KEPT or (len(_kept) > 1 and sum(each.bytes for each, _ in _kept.values()) > BYTES):
        _kept.popitem(last=False)


def _of_run(name: str) -> Subject:
    run_id, _, signed = name.partition("/")
    run = lab.engine().get(run_id)
    if run is None or run.deleted or not may_see("rows", lab.right_of(run, signed)):
        raise Gone("This training no longer exists.")
    snapshot = run.snapshot
    if snapshot.state is None or snapshot.status in MOVING:
        raise Refusal("A step can only be shown while the training is paused: press Pause.")
    progress = snapshot.state.progress
    stage = progress.stage
    recipe, prepared = run.recipe.stages[stage], PreparedData.from_recipe(run.recipe).stages[stage]
    if recipe.model.memory(prepared.dataset.train) > LARGEST:
        raise Refusal("The tables of this model are too large to show one of its steps.")
    length = recipe.timetable(prepared.updates_per_epoch).length
    if stage + 1 < len(run.recipe.stages) and snapshot.state.count >= progress.from_count + length:
        raise Refusal("The next stage begins here: press Step, then look again.")
    return _learner(run, snapshot.state), snapshot.state.copy(), prepared.dataset  # a copy: the training may continue


def _learner(run: Run, state: State) -> Learner:
    return run.recipe.stages[state.progress.stage].learner_at(state.count)


def _mark(learner: Learner, state: State) -> str:
    digest = hashlib.blake2s(repr((learner, state.count, state.seed)).encode(), digest_size=8)
    for each in packing.parameters(state.model).values():
        digest.update(each.tobytes())
    return digest.hexdigest()


def _of_example(name: str) -> Subject:
    try:
        return state_of(step_named(name))
    except Refusal as refusal:
        raise Gone(str(refusal)) from None


_KINDS: dict[str, Callable[[str], Subject]] = {"run": _of_run, "example": _of_example}
_kept: OrderedDict[tuple[str, str, int], tuple[Trace, float]] = OrderedDict()
_lock = Lock()
