"""What can be looked into: the next update of a training, by the name that a browser asks for it with."""

import hashlib
import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from boltzcore.data import Dataset
from boltzcore.learners.base import Learner, State
from boltzcore.parameters import Refusal
from boltzcore.quoting import quoted
from boltzcore.runs.course import Course
from boltzcore.runs.engine import Run
from boltzcore.runs.telling import state_of, telling
from boltzcore.runs.training import stage_of
from pages.inside.trace import Trace
from pages.live.scene import MOVING
from pages.parts import lab

KEPT, NUMBERS = 64, 20_000_000  # traces in memory, and numbers of all of them
LARGEST = 256_000_000  # bytes that a learner holds beside its State, beyond which an update is not taken apart
_SECRET = secrets.token_bytes(16)

Subject = tuple[Learner, State, Dataset]


class Gone(LookupError):
    """What was asked for is not here, or not any more: a sentence."""


def of_run(run: Run, *, mine: bool) -> str:
    """The name of a run's next update; that of a training on somebody's own table is known to who owns it alone."""
    return f"run/{run.id}" + (f"/{_sign(run.id)}" if run.recipe.private and mine else "")


def trace_of(name: str, row: int, count: int | None = None) -> Trace:
    """The update of that name taken apart, and the row's way through it.

    count : updates before it, where one is meant that was seen already
    Raises `Gone` where there is none, ValueError where it cannot be taken apart: a sentence each.
    """
    find = _KINDS.get(name.partition("/")[0])
    if find is None:
        raise Gone(f"There is nothing of the name {quoted(name)} to look into.")
    learner, state, dataset = find(name.partition("/")[2])
    if count not in (None, state.count):
        raise Gone("The training has gone on since.")
    key = name, state.count, row, learner
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    dissection = learner.dissect(state, dataset.train, row=row)
    if dissection is None:
        raise Gone(f"{learner.title} cannot be taken apart.")
    trace = Trace(dissection, learner, dataset, state.count)
    with _lock:
        _kept[key] = trace
        while len(_kept) > KEPT or (len(_kept) > 1 and sum(each.numbers for each in _kept.values()) > NUMBERS):
            _kept.popitem(last=False)
    return trace


def _of_run(name: str) -> Subject:
    run_id, _, signed = name.partition("/")
    run = lab.engine().get(run_id)
    if run is None or run.deleted or (run.recipe.private and not hmac.compare_digest(signed, _sign(run_id))):
        raise Gone("This training is not here any more.")
    snapshot = run.snapshot
    if snapshot.state is None or snapshot.status in MOVING:
        raise ValueError("A step can be looked into while the training rests: press Pause.")
    stage = stage_of(snapshot.state)
    recipe = run.recipe.stages[stage]
    course = Course.of(run.recipe).stages[stage]
    if recipe.model.memory(course.dataset.train) > LARGEST:
        raise ValueError("The tables of this model are too large to take one of its steps apart.")
    state = snapshot.state.copy()  # the training may go on while it is looked into
    return recipe.learner_at(state.count), state, course.dataset


def _of_example(name: str) -> Subject:
    try:
        return state_of(telling(name))
    except Refusal as refusal:
        raise Gone(str(refusal)) from None


def _sign(run_id: str) -> str:
    return hashlib.blake2s(run_id.encode(), key=_SECRET, digest_size=12).hexdigest()


_KINDS: dict[str, Callable[[str], Subject]] = {"run": _of_run, "example": _of_example}
_kept: OrderedDict[tuple[object, ...], Trace] = OrderedDict()
_lock = Lock()
