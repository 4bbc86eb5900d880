"""Training the contenders of a comparison, and recalling what is stored of them."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from functools import lru_cache
from typing import Any

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.executing import train_on
from boltzcore.comparison.result import Result
from boltzcore.comparison.scheduler import Order, Scheduler, Standing
from boltzcore.comparison.trials import TrialStore
from boltzcore.jobs.seat import Seat
from boltzcore.threads import CORES
from boltzcore.ticks import Tick, idle, portion
from boltzcore.training.recipe import Recipe


def compare(
    comparison: Comparison,
    *,
    store: TrialStore | None = None,
    order: Order = "study",
    threads: int | None = None,
    executor: Executor | None = None,
    tick: Tick = idle,
    each: Callable[[Result], None] = lambda result: None,
) -> Result:
    """Train every trial of a comparison, and return what was found.

    store : keeps the trials; those that are there already are not trained again. None keeps none
    order : "study", one trial after the other, or "race", the one that has cost least goes next
    threads : trials that train at once, a core each unless given; no figure depends on it
    executor : trains each trial as one task, such as a `ProcessPoolExecutor` or a Dask client's
        `get_executor(pure=False)` whose workers have this version of boltzcore; None trains in this process
    tick : called at least every 100 ms with the share done; may block, or raise `Stopped`
    each : called with the result so far after each trial that ends

    Raises Refusal where the recipes do not fit their data, or an executor is to train on a private table.

    >>> from boltzcore import Comparison, Recipe, compare
    >>> from boltzcore.learners import CD
    >>> base = Recipe(model="rbm", data="bars-and-stripes", learner=CD(rate=0.1, batch_size=0))
    >>> found = compare(Comparison(base, {"CD-1": {}, "CD-9": {"CD.K": 9}}, trials=2, budget=100_000))
    >>> found.table()["trials"].tolist()
    [2, 2]
    """
    how: dict[str, Any] = {"store": store, "order": order, "threads": threads, "executor": executor}
    tuning = None
    if comparison.tuning is not None:
        part = comparison.tuning.count / (comparison.tuning.count + comparison.trials)
        tuning = _trained(comparison, None, portion(tick, 0.0, part), each, **how)
        comparison, tick = tuning.tuned, portion(tick, part, 1 - part)
    return _trained(comparison, tuning, tick, each, **how)


def _trained(
    comparison: Comparison,
    tuning: Result | None,
    tick: Tick,
    each: Callable[[Result], None],
    *,
    store: TrialStore | None,
    order: Order,
    threads: int | None,
    executor: Executor | None,
) -> Result:
    if executor is not None:
        recipes, _ = _trials(comparison)
        standings = [Standing(recipe) for recipe in recipes]
        how: dict[str, Any] = {"store": store, "axis": comparison.axis, "threads": threads or CORES, "tick": tick}
        for index, standing in train_on(executor, recipes, **how):
            standings[index] = standing
            each(result_of(comparison, standings, tuning))
        return result_of(comparison, standings, tuning)
    with scheduled(comparison, store=store, order=order, threads=threads) as scheduler:
        for _ in scheduler.endings(tick):
            each(result_of(comparison, scheduler.standings, tuning))
        return result_of(comparison, scheduler.standings, tuning)


def scheduled(
    comparison: Comparison,
    *,
    store: TrialStore | None = None,
    order: Order = "race",
    threads: int | None = None,
    seat: Callable[[], Seat] | None = None,
) -> Scheduler:
    """A scheduler for the trials of a comparison, or the trainings of its tuning where it has one: each once, the first
    of every contender first.
    """
    recipes, _ = _trials(comparison)
    return Scheduler(recipes, store=store, order=order, axis=comparison.axis, threads=threads, seat=seat)


def result_of(
    comparison: Comparison, standings: Sequence[Standing], tuning: Result | None = None, earlier: Result | None = None
) -> Result:
    """What the trials of a comparison have found so far, after this tuning.

    standings : of the trials, as a scheduler of `scheduled` has them
    earlier : what they had found at an earlier moment, whose records are not read again
    """
    _, places = _trials(comparison)
    by_name = {name: tuple(standings[place] for place in each) for name, each in places.items()}
    return Result(comparison, by_name, tuning, earlier.courses if earlier else {})


@lru_cache(maxsize=16)  # a race asks with each frame
def _trials(comparison: Comparison) -> tuple[tuple[Recipe, ...], Mapping[str, tuple[int, ...]]]:
    """(the recipes of all trials, each once, {contender: which of them its trials are})."""
    tuning = comparison.tuning
    trials, trial = range(comparison.trials), comparison.trial
    if tuning is not None:
        trials, trial = range(tuning.count), comparison.tuning_trial
    by_name = {name: tuple(trial(name, index) for index in trials) for name in comparison.names}
    recipes = tuple(dict.fromkeys(by_name[name][index] for index in trials for name in comparison.names))
    place = {recipe: number for number, recipe in enumerate(recipes)}
    return recipes, {name: tuple(place[recipe] for recipe in each) for name, each in by_name.items()}


def recalled(comparison: Comparison, store: TrialStore) -> Result:
    """What the stored trials of a comparison have found; nothing is trained. Of one whose tuning is not stored to its
    end, what that has found.
    """
    result = _recalled(comparison, store, None)
    return _recalled(result.tuned, store, result) if comparison.tuning and result.whole else result


def _recalled(comparison: Comparison, store: TrialStore, tuning: Result | None) -> Result:
    recipes, _ = _trials(comparison)
    stored = [store.get(recipe) for recipe in recipes]
    standings = [
        Standing(recipe) if trial is None else Standing.from_trial(trial)
        for recipe, trial in zip(recipes, stored, strict=True)
    ]
    return result_of(comparison, standings, tuning)
