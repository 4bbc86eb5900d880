"""Trials that an executor carries on, a slice at a time: what is sent, what comes back, and what is lost on the way."""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass

from boltzcore.parameters import Refusal
from boltzcore.quoting import why
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.trial import BEGUN, Trial, TrialFailed, packed, unpacked
from boltzcore.runs.trial_training import TrialTraining
from boltzcore.runs.trials import key_of
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Stopped, Tick

SLICE = 10.0  # seconds of a slice: as much is lost with a worker
LONGEST = 900.0  # seconds after which a slice without an answer is taken for lost
TRIES = 3  # of a slice, for a trial may be what its workers die of
ASKED_EVERY = 0.1  # seconds between two looks whether there is an answer


@dataclass(frozen=True)
class Slice:
    """What a worker has made of a trial.

    content : as `packed` makes it; empty of a trial that has no state
    status, reason, processor : of the trial
    share, cost : the share of the trial that is done, and what it has spent on its axis
    failed : "", or what it failed of, and then nothing else counts
    """

    content: bytes = b""
    status: str = BEGUN
    reason: str = ""
    processor: str = ""
    share: float = 0.0
    cost: float = 0.0
    failed: str = ""


def train_slice(recipe: str, key: str, content: bytes, axis: str, seconds: float) -> Slice:
    """Train for about so many seconds; called where the trial is trained.

    recipe : as JSON; key : what names its recipe, data and code where it was sent from
    content : the file of the trial so far; empty begins it
    """
    try:
        asked = Recipe.from_json(recipe)
        if key_of(asked) != key:
            return Slice(failed="the worker has other code, other data or other versions of libraries")
        with one_for_blas():
            training = TrialTraining(asked, unpacked(content, asked) if content else None, axis)
            until = time.monotonic() + seconds  # what loading the data takes does not count
            training.advance()
            while not training.trial.ended and time.monotonic() < until:
                training.advance()
        now = training.trial
        kept = packed(now) if now.state is not None else b""
        return Slice(kept, now.status, now.reason, now.processor, training.share, training.cost)
    except Exception as error:  # all else that comes of a future is the executor's own
        return Slice(failed=why(error) or type(error).__name__)


def check_may_leave(recipes: Iterable[Recipe]) -> None:
    """Raise Refusal where a recipe learns from a table of somebody's own, which stays in this process."""
    if any(recipe.private for recipe in recipes):
        raise Refusal(
            "data must be a data set that all may have where an executor trains: a table of your own stays here.",
            "data",
        )


@dataclass(frozen=True)
class Elsewhere:
    """Begins trials on an executor, for a `Scheduler`.

    executor : of `concurrent.futures`, or one like it, whose workers have this code
    seconds : of a slice
    gone : says in a sentence that no worker is there any more; "" as long as there is one
    """

    executor: Executor
    seconds: float = SLICE
    gone: Callable[[], str] = str

    def __call__(self, recipe: Recipe, found: Trial | None, axis: str, tick: Tick) -> "SlicedTraining":
        check_may_leave([recipe])
        return SlicedTraining(self, recipe, found, axis, tick)


class SlicedTraining:
    """A trial that is carried on elsewhere; what came back last is all that is known of it, and is gone on from."""

    def __init__(self, place: Elsewhere, recipe: Recipe, found: Trial | None, axis: str, tick: Tick) -> None:
        self.trial = found or Trial(recipe)
        self.share, self.cost = 0.0, 0.0
        self._place, self._axis, self._tick = place, axis, tick
        self._key = key_of(recipe)
        self._content = packed(found) if found is not None else b""

    def advance(self) -> None:
        """A slice further. Raises TrialFailed where it failed there or was lost again and again, Stopped where nobody
        is there to carry it on, and what `tick` raises.
        """
        found, recipe = self._sent(), self.trial.recipe
        if found.failed:
            raise TrialFailed(found.failed)
        self._content, self.share, self.cost = found.content, found.share, found.cost
        self.trial = (
            unpacked(found.content, recipe)
            if found.content
            else Trial(recipe, found.status, found.reason, processor=found.processor)
        )

    def _sent(self) -> Slice:
        lost: Exception = TimeoutError()
        for _ in range(TRIES):
            try:
                asked = self.trial.recipe.to_json(), self._key, self._content, self._axis, self._place.seconds
                future = self._place.executor.submit(train_slice, *asked)
            except Exception as error:  # a pool that broke takes no more
                self._ask()
                lost = error
                continue
            self._wait(future)
            if not future.done():
                future.cancel()
                lost = TimeoutError(f"no answer within {LONGEST:.0f} seconds")
                continue
            try:
                return future.result()
            except Exception as error:
                self._ask()
                lost = error
        raise TrialFailed(f"it was lost {TRIES} times where it was trained ({why(lost) or type(lost).__name__})")

    def _wait(self, future: "Future[Slice]") -> None:
        """Until there is an answer, or none will come any more. What runs when this is stopped ends by itself."""
        until = time.monotonic() + LONGEST
        while not wait([future], ASKED_EVERY).done and time.monotonic() < until:
            try:
                self._tick(0.0)
                self._ask()
            except BaseException:
                future.cancel()
                raise

    def _ask(self) -> None:
        """Raise Stopped where no worker is there any more: the trial stands as it came back last."""
        if gone := self._place.gone():
            raise Stopped(gone)
