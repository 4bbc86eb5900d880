"""Train trials on an executor of `concurrent.futures`, each trial as one task."""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import suppress
from dataclasses import replace

from boltzcore.comparison.scheduler import FAILED, TICK_EVERY, Standing
from boltzcore.comparison.trial import Trial
from boltzcore.comparison.trial_training import TrialTraining
from boltzcore.comparison.trials import TrialStore
from boltzcore.parameters import Refusal
from boltzcore.quoting import why
from boltzcore.threads import CORES, one_for_blas
from boltzcore.ticks import Tick, idle
from boltzcore.training.recipe import Recipe

PER_THREAD = 2  # trials outstanding for each thread of the executor: one trains, the next is there when it ends


def train_on(
    executor: Executor,
    recipes: Sequence[Recipe],
    *,
    store: TrialStore | None = None,
    axis: str = "work",
    threads: int = CORES,
    tick: Tick = idle,
) -> Iterator[tuple[int, Standing]]:
    """Yield (index, standing) of each trial as it ends.

    Parameters
    ----------
    executor : trains the trials; its workers have this version of boltzcore
    recipes : of the trials, each once
    store : trials that are there are taken from it, and all that end are put into it
    axis : a key of `AXES`
    threads : trials that the executor trains at once; at most `PER_THREAD` times as many are outstanding
    tick : called at least every 100 ms with the share of trials that have ended. When it raises, trials that wait are
        cancelled; running ones go on to their end, and their result is dropped

    Raises
    ------
    Refusal
        If a recipe learns from a private table, which must not leave this process.
    """
    check_not_private(recipes)
    waiting = deque(enumerate(recipes))
    pending: dict[Future[Trial], int] = {}
    try:
        while waiting or pending:
            while waiting and len(pending) < PER_THREAD * threads:
                index, recipe = waiting.popleft()
                found = store.get(recipe) if store else None
                if found is not None and found.ended:
                    yield index, Standing.from_trial(found)
                else:
                    pending[executor.submit(train_trial, recipe, found, axis)] = index
            for future in wait(pending, TICK_EVERY, FIRST_COMPLETED).done:
                index = pending.pop(future)
                yield index, _standing_of(future, recipes[index], store)
            tick(1 - (len(waiting) + len(pending)) / len(recipes))
    finally:
        for future in pending:
            future.cancel()


def check_not_private(recipes: Sequence[Recipe]) -> None:
    """Raise Refusal if a recipe learns from a private table."""
    if any(recipe.private for recipe in recipes):
        raise Refusal("data must be a built-in data set to train on an executor, not a table of your own.", "data")


def _standing_of(future: Future[Trial], recipe: Recipe, store: TrialStore | None) -> Standing:
    try:
        trial = future.result()
    except Exception as error:  # of the training, or of the executor when its workers died
        return Standing(recipe, FAILED, f"It failed: {why(error) or type(error).__name__}.")
    if store is not None:
        with suppress(OSError):  # a trial that cannot be stored is trained again another time
            store.put(trial)
    return replace(Standing.from_trial(trial), stored=False)


def train_trial(recipe: Recipe, found: Trial | None, axis: str = "work", tick: Tick = idle) -> Trial:
    """Return the trial of a recipe, trained to its end from where the stored one `found` stopped."""
    with one_for_blas():
        training = TrialTraining(recipe, found, axis, tick)
        while not training.trial.ended:
            training.advance()
    return training.trial
