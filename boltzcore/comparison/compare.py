"""Training of the contenders of a comparison, and loading of its stored trials."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from functools import lru_cache

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.result import Result
from boltzcore.comparison.scheduler import Scheduler
from boltzcore.comparison.trial import Trial
from boltzcore.comparison.trials import TrialStore
from boltzcore.display import progress_bar
from boltzcore.parameters import check_arguments
from boltzcore.ticks import Tick, chain_ticks, idle, portion
from boltzcore.training.recipe import Recipe


@check_arguments
def compare(
    comparison: Comparison,
    *,
    store: TrialStore | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: bool = False,
    tick: Tick = idle,
) -> Result:
    """Train every trial of a comparison.

    Parameters
    ----------
    store : stores the trials; those in it are not trained again
    threads : number of trials that train at once, one for each core by default; no figure depends on it
    executor : trains each trial as one task, such as a `ProcessPoolExecutor` or a Dask client's
        `get_executor(pure=False)` whose workers have this version of boltzcore; None trains in this process
    progress : True shows a bar of tqdm, which must be installed
    tick : called at least every 100 ms with the finished share; may block, or raise `Stopped`

    Raises
    ------
    Refusal
        If the recipes do not fit their data, or an executor would train on a private table.

    >>> from boltzcore import Comparison, Recipe, compare
    >>> from boltzcore.learners import CD
    >>> base = Recipe(model="rbm", data="bars-and-stripes", learner=CD(rate=0.1, batch_size=0))
    >>> found = compare(Comparison(base, {"CD-1": {}, "CD-9": {"CD.K": 9}}, trials=2, budget=100_000))
    >>> found.table()["trials"].tolist()
    [2, 2]
    """
    begun, part, tuning = 0.0, comparison.tuning_share or 1.0, None
    with progress_bar(progress, "Comparison") as move:
        while True:
            recipes, watched = recipes_of(comparison), portion(chain_ticks(tick, move), begun, part)
            with Scheduler(recipes, store=store, order="study", threads=threads, executor=executor) as scheduler:
                trials = scheduler.finish(watched)
            result = result_of(comparison, trials, tuning)
            if comparison.tuning is None:
                return result
            begun, part, tuning, comparison = part, 1 - part, result, result.tuned


def load_result(comparison: Comparison, store: TrialStore, tuning: Result | None = None) -> Result:
    """Return the result of the stored trials of a comparison without training. Until all trainings of its tuning are
    stored, it is the result of the tuning.
    """
    trials = [store.get(recipe) or Trial(recipe) for recipe in recipes_of(comparison)]
    result = result_of(comparison, trials, tuning)
    return load_result(result.tuned, store, result) if comparison.tuning and result.whole else result


def recipes_of(comparison: Comparison) -> tuple[Recipe, ...]:
    """Return the recipes of the trials of a comparison, or of the trainings of its tuning if it has one: each once,
    starting with the first of every contender.
    """
    return _trials(comparison)[0]


def result_of(comparison: Comparison, trials: Sequence[Trial], tuning: Result | None = None) -> Result:
    """Return the result so far for the trials of `recipes_of`, after this tuning."""
    places = _trials(comparison)[1]
    found = {name: tuple(trials[place] for place in each) for name, each in places.items() if each}
    return Result(comparison, found, tuning)


@lru_cache(maxsize=16)  # a race calls this with each frame
def _trials(comparison: Comparison) -> tuple[tuple[Recipe, ...], Mapping[str, tuple[int, ...]]]:
    """Return (the recipes of all trials, each once; {contender: indices of its trials among them})."""
    counts, trial = dict.fromkeys(comparison.names, comparison.trials), comparison.trial
    if comparison.tuning is not None:
        counts, trial = comparison.tuning_runs, comparison.tuning_trial
    by_name = {name: tuple(trial(name, index) for index in range(n)) for name, n in counts.items()}
    indices = range(max(counts.values()))
    recipes = tuple(dict.fromkeys(each[index] for index in indices for each in by_name.values() if index < len(each)))
    place = {recipe: number for number, recipe in enumerate(recipes)}
    return recipes, {name: tuple(place[recipe] for recipe in each) for name, each in by_name.items()}
