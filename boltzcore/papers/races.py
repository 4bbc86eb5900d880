"""The papers' comparisons of learners as comparisons that anyone may run and change: same recipes, few trials."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from boltzcore.comparison.comparison import Comparison
from boltzcore.learners import PairwiseExact
from boltzcore.measures.paired import FEWEST
from boltzcore.models import LogLinearSetup
from boltzcore.papers import conditional, conditional_tasks, dc_programming, frank_wolfe, log_linear
from boltzcore.papers.dc_programming import DCP
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule

SMALL, LARGE = 8, FEWEST  # trials of each contender, on small and on large data sets
SIX = ("MLE-BP", "MSSVM", "CD-PercLoss", "MLE-MF", "CD-10", "LR")  # of the eight methods of paper 5
RATE = 0.02  # of these
UNITS = 20  # of a race after Frank-Wolfe
UPDATES = 16_000  # of pairwise machines on a table
Races = Mapping[str, Callable[[], Comparison]]  # {what is compared: how it is made}


def _of(recipes: Mapping[str, Recipe], trials: int, **fields: object) -> Comparison:
    """A comparison of recipes, at the cost of the first, judged by what judges their model."""
    judged = {name: replace(recipe, measures=None) for name, recipe in recipes.items()}
    return Comparison(next(iter(judged.values())), judged, trials=trials, **fields)  # type: ignore[arg-type]


def _small(data: str, rate: float) -> Comparison:
    """The learners of figures 1 and 2 at one rate."""
    cells = dc_programming.small_cells((data,))
    length = dc_programming.EPOCHS["quick"][-1]
    return _of(
        {name: dc_programming.small_recipe(data, learner, 0, length) for _, at, name, learner in cells if at == rate},
        SMALL,
    )


def _large(cells: Callable[[], Mapping[str, Recipe]], of: str = "") -> Comparison:
    """Trainings with 500 hidden units as far as the quick scale goes; those of one learner where it is named."""
    every = cells()
    recipes = dict(zip(every, dc_programming.large_parts(every, "quick"), strict=True))
    return _of({name: recipe for name, recipe in recipes.items() if name.startswith(of)}, LARGE)


def _after(data: str) -> Comparison:
    """CD from random weights, and from what Frank-Wolfe has reached."""
    scale = frank_wolfe.SCALES["quick"]
    rows, epochs = frank_wolfe.data_of(data, scale), scale.epochs[data]
    grown = frank_wolfe.growing(rows, frank_wolfe.LEARNERS[frank_wolfe.FW], UNITS, UNITS)
    made = {
        name: frank_wolfe.contrastive(rows, UNITS, scale.rates[0], 0, epochs, before)
        for name, before in ((frank_wolfe.RANDOM, None), (frank_wolfe.AFTER, grown))
    }
    return _of(
        {name: replace(each, schedule=each.schedule.changed(gap_limit=0.0)) for name, each in made.items()}, LARGE
    )


def _terms(name: str) -> Comparison:
    """FL and the pairwise machines on one of the sets, judged by how far they are from the truth. BM-DI measures as it
    goes.
    """
    schedule = Schedule(length=UPDATES, unit="updates", every=UPDATES // 20)
    learners = dict(log_linear.LEARNERS) | {"BM-DI": PairwiseExact(iterations=5)}
    data = replace(log_linear.SETS[name], n=log_linear.SIZES["S"])
    measures = ("kl_to_truth", "log_likelihood")
    recipes = {key: Recipe(LogLinearSetup(), data, learner, schedule, measures) for key, learner in learners.items()}
    return Comparison(recipes["BM-PCD"], recipes, trials=SMALL, figure="kl_to_truth")


def _restoring(name: str) -> Comparison:
    """Six of the methods on a task."""
    task = conditional_tasks.TASKS[name]
    scale = conditional.SCALES["quick"]
    recipes = {each: conditional.recipe_of(task, conditional_tasks.METHODS[each], RATE, scale) for each in SIX}
    return _of(
        {each: replace(recipe, schedule=recipe.schedule.changed(patience=0)) for each, recipe in recipes.items()}, LARGE
    )


def _both(cells: Callable[[], Mapping[str, Recipe]]) -> Races:
    """The settings of each of the two learners, which are too many for one comparison."""
    return {f"{name}, all settings": partial(_large, cells, f"{name} ") for name in DCP}


def _rates(data: str) -> Races:
    return {f"rate {rate:g}": partial(_small, data, rate) for rate in dc_programming.RATES}


_TASKS = {
    "Table 1": {"10 % noise": "crbm-noise-10", "20 % noise": "crbm-noise-20"},
    "Table 2": {"8 x 8 patch": "crbm-occlusion-8", "12 x 12 patch": "crbm-occlusion-12"},
    "Table 3": {"20 % noise": "crbm-caltech-noise", "12 x 12 patch": "crbm-caltech-occlusion"},
}
_FW = {title: partial(_after, name) for name, title in frank_wolfe.DATA.items()}

# {(paper, label of an exhibit): its races}; of what compares no learners none
RACES: Mapping[tuple[str, str], Races] = {
    ("2", "Figure 1"): _rates("shifting-bar"),
    ("2", "Figure 2"): _rates("bars-and-stripes"),
    ("2", "Figure 3"): {"five learners": partial(_large, partial(dc_programming.five, "mnist"))},
    ("2", "Figure 4"): {"five learners": partial(_large, partial(dc_programming.five, "omniglot"))},
    ("2", "Figure 5"): {"six learners": partial(_large, dc_programming.spectral)},
    ("2", "Figure 6"): {"rates": partial(_large, dc_programming.rates), **_both(dc_programming.inner_steps)},
    ("2", "Figure 7"): {"batch sizes": partial(_large, dc_programming.batches), **_both(dc_programming.starts)},
    ("2", "Table 1"): _both(dc_programming.starts),
    ("3", "Figure 1"): _FW,
    ("4", "Table 1 and figure 3"): {name: partial(_terms, name) for name in log_linear.SETS},
    **{
        ("5", label): {f"six methods, {title}": partial(_restoring, name) for title, name in tasks.items()}
        for label, tasks in _TASKS.items()
    },
}
