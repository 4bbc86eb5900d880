"""What is recorded of an update of Frank-Wolfe: rows that stand for the model, the search for a unit, its worth, and
what follows it.

What stands for the model are all states by their probabilities, or chains. Of the phases

samples has up to `PICTURES` rows of `data` (the chosen row first) and `model` (the most probable states, or chains,
    also where these were `before` they went on), of how many rows they are, `model_rows`, and the means of all,
    `data_mean` and `model_mean` (n_visible,), what is `missing` between them, how much that is at most, `off`, and
    whether they `agree`;
present, of each unit that is there: its `count` and the `slope` of J in it;
start: `w` (restarts, n_visible + 1);
search, at most `PATH_POINTS` times on the path from the best start: `iteration`, `w`, `objective`, the means in it
    over `data` and `model` and the `price`, what they pull w by, `data_pull`, `model_pull` and `price_pull`
    (n_visible + 1,), the `slope` that is left, which of it `rests`, and the `length` of w;
found: the `unit`, float32; where each start `ended`, and the `reached` objective; the best one's `curve` over all
    iterations; the shares of data and model for which the unit is `on`, and for which it is `sure`, that is on or off
    with p > 3/4 (2,), and what of it sets data and model `apart`: "on", "sure", else how much they "answer", else
    "nothing"; the duality `gap` if there are units;
worth: the `value` by which it is judged, whether that is measured on other chains, `again`, and the `bound` beyond
    which it is `worthless`;
away: the `worst` of the units that are there, by how much its slope falls short, `lead`, what the found one leads
    by, `rival`, and whether the worst one goes, `taken`;
insert, and shrink, an away step of all counts: the counts `before` and `after`;
line: of which `unit` the count moves, from `before` to `after`, and `J` along the counts `at`, but for a constant;
biases: the `step`, b `before` and `after`, and their slope by means, as of samples; `counts` after it if they move;
counts: the `step`, `counts` and `b` after it; of samples the share that is `left` in effect;
leave: the places of `units` whose count has come to 0;
new: means at the end as above, all `counts`;
over: `why` no unit follows: "worthless", the one found; "many", as there may be; "returned", the one that came last
    was the worst; "chance", which found the last ones, for they left as they came.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.learners.insertion.correction import Reweighted, effective
from boltzcore.learners.insertion.rows import WeightedRows
from boltzcore.learners.insertion.search import Found, Inner, best_of
from boltzcore.learners.walkthrough.search_path import SearchPath, Vector, spread
from boltzcore.models import InfiniteRBM

PICTURES = 12  # rows of the data, and of what stands for the model, that are recorded
STEPS = 8  # steps that are recorded of those that follow an insertion
GRID = 33  # counts along a line
REST = 0.02  # a slope is about 0 below this share of the search's largest
ALIKE = 0.04  # shares of rows that differ by less hardly differ; so do answers, as shares of the data's
AGREE, ROUNDING = 1e-3, 1e-6  # means that differ by less agree, or do not differ

Arrays = dict[str, Any]


# -- the search ------------------------------------------------------------------------------------------


def samples(data: WeightedRows, row: int, pool: WeightedRows, before: NDArray[np.uint8], exact: bool) -> Arrays:
    """The rows that stand for the model; chains were at `before`."""
    few = [row, *(k for k in spread(len(data.v), PICTURES) if k != row)][:PICTURES]
    chosen = np.argsort(-pool.weight, kind="stable")[:PICTURES] if exact else spread(len(pool.v), PICTURES)
    arrays: Arrays = {"data": data.v[few], "model": pool.v[chosen], "model_rows": len(pool.v)}
    if len(before):
        arrays["before"] = before[spread(len(before), PICTURES)]
    return {**arrays, **means(data, pool.mean)}


def searched(
    inner: Inner, ends: list[Found], paths: list[SearchPath], data: WeightedRows, pool: WeightedRows, gap: float | None
) -> Iterator[tuple[str, Arrays]]:
    """(kind, arrays) of all starts, the path from the best, and the unit that it led to."""
    yield "start", {"w": [path.points()[0][1] for path in paths]}
    found = best_of(ends)
    best = next(k for k, each in enumerate(ends) if each is found)
    points = [{"iteration": iteration, **_point(inner, w)} for iteration, w in paths[best].points()]
    steepest = max(float(np.abs(point["slope"]).max()) for point in points)
    for point in points:
        yield "search", {"rests": np.abs(point["slope"]) < REST * steepest, **point}
    yield (
        "found",
        {
            "unit": found.unit,
            "ended": [each.unit for each in ends],
            "reached": [each.after for each in ends],
            **_apart(points[-1], [_sure(rows, found.unit) for rows in (data, pool)]),
            "curve": paths[best].values,
            **({} if gap is None else {"gap": gap}),
        },
    )


def _point(inner: Inner, w: Vector) -> Arrays:
    """The objective and slopes of a search at weights w."""
    (model, model_pull), (data, data_pull) = inner.sides(w)
    value, gradient = inner(w)
    arrays = {"w": w, "objective": value, "data": -data, "model": model, "price": value - model - data}
    pulls = {"data_pull": -data_pull, "model_pull": model_pull, "price_pull": inner.penalty * w}
    return {**arrays, **pulls, "slope": -gradient, "length": math.sqrt(math.fsum(w * w))}


def _apart(last: Arrays, sure: list[float]) -> Arrays:
    """The quantity in which a unit separates the data from the model most clearly, where its search ended."""
    on = [float(last[name][-1]) for name in ("data_pull", "model_pull")]
    answer = ALIKE * last["data"], last["data"] - last["model"]
    differences = {"on": (ALIKE, on[0] - on[1]), "sure": (ALIKE, sure[0] - sure[1]), "answer": answer}
    what = next((name for name, (least, far) in differences.items() if far > least), "nothing")
    return {"on": on, "sure": sure, "apart": what}


def _sure(rows: WeightedRows, unit: NDArray[np.float32]) -> float:
    """The share of the rows at which the unit is on, or off, with a probability of at least 3/4."""
    on = 1.0 - np.exp(-rows.softplus(unit[None])[:, 0])
    return float(rows.weight[np.abs(on - 0.5) >= 0.25].sum())


# -- what follows ----------------------------------------------------------------------------------------


def line(problem: Reweighted, moved: int, before: Vector, after: Vector) -> Arrays:
    """One count has moved as far as J rises."""
    top = 2.0 * max(before[moved], after[moved]) or 1.0
    grid, at = np.linspace(0.0, top, GRID), np.repeat(before[None], GRID, axis=0)
    at[:, moved] = grid
    J = [problem(theta)[0] for theta in at]
    return {"unit": moved, "before": before[moved], "after": after[moved], "at": grid, "J": J}


def biases_along(data: WeightedRows, step: int, problem: Reweighted, before: Vector, after: Vector) -> Arrays:
    """The biases have moved as far as J rises, theta from `before` to `after`."""
    model_mean = data.mean - problem(before)[1][problem.k :]
    return biases(data, step, before[problem.k :], after[problem.k :], model_mean)


def biases(
    data: WeightedRows, step: int, before: NDArray, after: NDArray, model_mean: Vector, **counts: NDArray
) -> Arrays:
    """The biases have taken a step along the means of the data less those of the model, and maybe all counts too."""
    return {"step": step, "before": before, "after": after, **means(data, model_mean), **counts}


def counts_by_samples(step: int, problem: Reweighted, after: Vector) -> Arrays:
    """All counts and biases have taken a step."""
    weight = problem.weights(after)
    return {**_counts(step, problem, after), "left": effective(weight) / len(weight)}


def counts_by_sums(problem: Reweighted, paths: list[SearchPath]) -> Iterator[tuple[str, Arrays]]:
    """All counts and biases have gone to where J is largest, along the last of the paths."""
    points = paths[-1].points()
    for step, theta in [points[k] for k in spread(len(points), STEPS)]:
        yield "counts", _counts(step, problem, theta)


def _counts(step: int, problem: Reweighted, after: Vector) -> Arrays:
    return {"step": step, "counts": np.maximum(after[: problem.k], 0.0), "b": after[problem.k :]}


def new(data: WeightedRows, model: InfiniteRBM, pool: WeightedRows) -> Arrays:
    """The result of the update."""
    return {"counts": model.counts, **means(data, pool.mean)}


def means(data: WeightedRows, model: Vector) -> Arrays:
    """The difference between the means of the data and those of the model."""
    missing = data.mean - model
    missing[np.abs(missing) < ROUNDING] = 0.0
    off = np.abs(missing).max()
    return {"data_mean": data.mean, "model_mean": model, "missing": missing, "off": off, "agree": off < AGREE}
