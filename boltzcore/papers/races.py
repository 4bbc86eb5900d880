"""The papers' comparisons of learners, ready to run and change: the same recipes with few trials."""

from collections.abc import Mapping
from dataclasses import replace

from boltzcore.comparison.comparison import Comparison
from boltzcore.learners import PairwiseExact
from boltzcore.measures.paired import FEWEST
from boltzcore.models import LogLinearSetup
from boltzcore.papers import conditional, dc_programming, frank_wolfe, log_linear
from boltzcore.papers.study import images
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule

SMALL, LARGE = 8, FEWEST  # trials of each contender, on small and on large data sets
SIX = ("MLE-BP", "MSSVM", "CD-PercLoss", "MLE-MF", "CD-10", "LR")  # six of the eight methods of paper 5
RATE = 0.02  # learning rate of the six methods
UNITS = 20  # hidden units in the comparisons that continue from Frank-Wolfe
UPDATES = 16_000  # updates of pairwise machines on a table


def _of(recipes: Mapping[str, Recipe], trials: int, **changes: object) -> Comparison:
    """Return a comparison of recipes with a changed schedule, at the cost of the first, by the merit of their model."""
    judged = {
        name: replace(each, measures=None, schedule=each.schedule.changed(**changes)) for name, each in recipes.items()
    }
    return Comparison(next(iter(judged.values())), judged, trials=trials)


def small(data: str, rate: float) -> Comparison:
    """Return the learners of figures 1 and 2 of paper 2 at one rate, for as long as CD and PCD stay on the plateau."""
    divisor = dc_programming.READING[data]
    recipes = {
        name: dc_programming.small_recipes(data, rate, divisor, name, 1, dc_programming.STUCK)[0]
        for name in dc_programming.SMALL_LEARNERS
    }
    return _of(recipes, SMALL)


def large(study: str, of: str = "") -> Comparison:
    """Return the trainings with 500 hidden units at the length of the quick scale, of one learner if it is named."""
    recipes = dc_programming.at_scale(dc_programming.LARGE[study], "quick")
    return _of({name: recipe for name, recipe in recipes.items() if name.startswith(of)}, LARGE)


def after_frank_wolfe(data: str) -> Comparison:
    """Return CD from random weights, and from the model that Frank-Wolfe has reached."""
    scale = frank_wolfe.SCALES["quick"]
    grown = frank_wolfe.growth_recipe(images(data, scale.rows), frank_wolfe.LEARNERS[frank_wolfe.FW], UNITS, UNITS)
    befores = {frank_wolfe.RANDOM: None, frank_wolfe.AFTER: grown}
    recipes = {name: frank_wolfe.refinements(data, UNITS, 1, scale, before)[0] for name, before in befores.items()}
    return _of(recipes, LARGE, gap_limit=0.0)


def terms(name: str) -> Comparison:
    """Return FL and the pairwise machines on one of the data sets, by their distance from the truth; BM-DI takes few
    iterations per update, so that it is measured on the way.
    """
    schedule = Schedule(length=UPDATES, unit="updates", every=UPDATES // 20)
    learners = dict(log_linear.LEARNERS) | {"BM-DI": PairwiseExact(iterations=5)}
    data = replace(log_linear.SETS[name], n=log_linear.SIZES["S"])
    measures = ("kl_to_truth", "log_likelihood")
    recipes = {key: Recipe(LogLinearSetup(), data, learner, schedule, measures) for key, learner in learners.items()}
    return Comparison(recipes["BM-PCD"], recipes, trials=SMALL, figure="kl_to_truth")


def restoring(name: str) -> Comparison:
    """Return six of the eight methods on a task of paper 5."""
    task, scale = conditional.TASKS[name], conditional.SCALES["quick"]
    return _of({each: conditional.recipe_of(task, each, RATE, scale) for each in SIX}, LARGE, patience=0)
