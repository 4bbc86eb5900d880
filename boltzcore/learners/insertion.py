"""An insertion taken apart: what stands for the model, the search for a unit, its worth, and what follows it."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.learners.dissection import Phase
from boltzcore.learners.looks import Path, spread
from boltzcore.learners.units import Found, Inner, Reweighted, Rows, Vector, best_of, effective, squares
from boltzcore.models import InfiniteRBM

PICTURES = 12  # rows of the data, and of what stands for the model, that are told
FEW = 8  # looks at what follows an insertion
GRID, BINS = 33, 20  # counts along a line, and parts of the probability that a unit is on
REST = 0.02  # a slope is about 0 below this share: of the search's largest, or of what is paid for a unit
ALIKE = 0.04  # shares of rows that differ by less hardly differ; so do answers, as shares of the data's
AGREE, ROUNDING = 1e-3, 1e-6  # means that differ by less agree, or do not differ


class Insertion:
    """Notes an update of Frank-Wolfe as it happens.

    What stands for the model are all states by their probabilities, or chains. Of the phases

    samples has up to `PICTURES` rows of `data` (the chosen row first) and `model` (the most probable states, or chains,
        also where these were `before` they went on), their `data_weight` and `model_weight`, of how many rows they are,
        `data_rows` and `model_rows`, and the means of all, `data_mean` and `model_mean` (n_visible,), what is `missing`
        between them, how much that is at most, `off`, and whether they `agree`;
    present, of each unit that is there: its `count`, the means of log(1 + e**(w'v)) over `data` and `model`, its
        `price`, its `slope`, and whether that is about 0, `rests`;
    start: `w` (restarts, n_visible + 1) and the `objective` (restarts,) there;
    search, at most `LOOKS` times on the way from the best start: `iteration`, `w`, `objective`, the means in it over
        `data` and `model` and the `price`, what they pull w by, `data_pull`, `model_pull` and `price_pull`
        (n_visible + 1,), the `slope` that is left, which of it `rests`, and the `length` of w;
    found: the `unit`, float32; where each start `ended`, the `reached` objective, its `iterations`; which was the
        `best`, and its `curve` over all iterations; the shares of data and model at whose rows the unit is on with a
        probability in each of `BINS` equal parts of 0 to 1, `data_on` and `model_on`; the shares for which it is `on`,
        and for which it is `sure`, that is on or off with p > 3/4 (2,), and what of it tells data and model `apart`:
        "on", "sure", else how much they "answer", else "nothing"; the duality `gap` if there are units;
    worth: the `value` by which it is judged, whether that is by a look at other chains, `again`, and the `bound` beyond
        which it is `worthless`;
    away: the `worst` of the units that are there, by how much its slope falls short, `lead`, what the found one leads
        by, `rival`, and whether the worst one goes, `taken`;
    insert, and shrink, an away step of all counts: the counts `before` and `after`;
    line: of which `unit` the count moves, from `before` to `after`, and J along `grid`, but for a constant;
    biases: the `step`, b `before` and `after`, and their slope by means, as of samples; `counts` after it if they move;
    counts: the `step`, `counts` and `b` after it, and where the step (of sums over all states, the search) began and
        after it `J`, of samples but for a constant, its `slope` in each count (2, units), and which of it is about 0
        where it began, `rests`; of samples the share that is `left` in effect;
    leave: the places of `units` whose count has come to 0;
    new: means at the end and rows of `model` as above, all `counts`;
    over: `why` no unit follows: "worthless", the one found; "many", as there may be; "returned", the one that came last
        was the worst; "chance", which found the last ones, for they left as they came.
    """

    def __init__(self, model: InfiniteRBM, data: Rows, row: int, *, exact: bool) -> None:
        self._data, self._exact = data, exact
        self._few = [row, *(k for k in spread(len(data.v), PICTURES) if k != row)][:PICTURES]
        self._phases: list[Phase] = []
        self._models = [model]
        self._paid = np.zeros(0)  # for each unit; where nothing is paid, what the data answer to it
        self.paths: list[Path] = []

    @property
    def phases(self) -> tuple[Phase, ...]:
        """In the order in which they happened."""
        return tuple(self._phases)

    @property
    def models(self) -> tuple[InfiniteRBM, ...]:
        """Before the update, after the insertion or away step, and at the end."""
        return tuple(self._models)

    def changed(self, model: InfiniteRBM) -> None:
        """What is noted from here on is of this model."""
        self._models.append(model)

    # -- the search --------------------------------------------------------------------------------------

    def samples(self, pool: Rows, before: NDArray[np.uint8]) -> None:
        """What stands for the model; chains were elsewhere before."""
        few = self._few
        told = {"data": self._data.v[few], "data_weight": self._data.weight[few]}
        if len(before):
            told["before"] = before[spread(len(before), PICTURES)]
        rows = {"data_rows": len(self._data.v), "model_rows": len(pool.v)}
        self.note("samples", **told, **rows, **self._pictured(pool), **self._means(pool.mean))

    def present(self, model: InfiniteRBM, of_data: Vector, slopes: Vector, penalty: float) -> None:
        """The units that are there, by what the data answer to them and how fast J rises with their counts."""
        price = 0.5 * penalty * squares(model.units)
        self._paid = price if penalty else of_data
        told = {"data": of_data, "model": of_data - price - slopes, "price": price, "slope": slopes}
        self.note("present", count=model.counts, rests=np.abs(slopes) < REST * self._paid, **told)

    def searched(self, inner: Inner, ends: list[Found], pool: Rows, **gap: float) -> None:
        """All searches for a unit, and the way of the best."""
        self.note("start", w=[path.looks()[0][1] for path in self.paths], objective=[found.before for found in ends])
        found = best_of(ends)
        best = next(k for k, each in enumerate(ends) if each is found)
        looks = [{"iteration": iteration, **_look(inner, w)} for iteration, w in self.paths[best].looks()]
        steepest = max(float(np.abs(look["slope"]).max()) for look in looks)
        for look in looks:
            self.note("search", rests=np.abs(look["slope"]) < REST * steepest, **look)
        last, data_on, model_on = looks[-1], _on(self._data, found.unit), _on(pool, found.unit)
        self._paid = np.append(self._paid, last["price"] if inner.penalty else last["data"])
        ways = {"iterations": [len(path.values) - 1 for path in self.paths], "curve": self.paths[best].values}
        self.note(
            "found",
            unit=found.unit,
            ended=[each.unit for each in ends],
            reached=[each.after for each in ends],
            best=best,
            data_on=data_on,
            model_on=model_on,
            **_apart(last, data_on, model_on),
            **ways,
            **gap,
        )

    # -- what follows ------------------------------------------------------------------------------------

    def line(self, problem: Reweighted, moved: int, before: Vector, after: Vector) -> None:
        """One count has moved as far as J rises."""
        top = 2.0 * max(before[moved], after[moved]) or 1.0
        grid, at = np.linspace(0.0, top, GRID), np.repeat(before[None], GRID, axis=0)
        at[:, moved] = grid
        told = {"grid": grid, "J": [problem(theta)[0] for theta in at]}
        self.note("line", unit=moved, before=before[moved], after=after[moved], **told)

    def biases_along(self, step: int, problem: Reweighted, before: Vector, after: Vector) -> None:
        """The biases have moved as far as J rises."""
        model_mean = self._data.mean - problem(before)[1][problem.k :]
        self.biases(step, before[problem.k :], after[problem.k :], model_mean)

    def biases(self, step: int, before: NDArray, after: NDArray, model_mean: Vector, **counts: NDArray) -> None:
        """The biases have taken a step along data less model, and maybe all counts another."""
        self.note("biases", step=step, before=before, after=after, **self._means(model_mean), **counts)

    def counts_by_samples(self, step: int, problem: Reweighted, before: Vector, after: Vector) -> None:
        """All counts and biases have taken a step."""
        weight = problem.weights(after)
        self._counts(step, problem, before, after, left=effective(weight) / len(weight))

    def counts_by_sums(self, problem: Reweighted, path: Path) -> None:
        """All counts and biases have gone to where J is largest."""
        looks = path.looks()
        for step, theta in [looks[k] for k in spread(len(looks), FEW)]:
            self._counts(step, problem, looks[0][1], theta)

    def _counts(self, step: int, problem: Reweighted, before: Vector, after: Vector, **left: float) -> None:
        ends = [problem(theta) for theta in (before, after)]
        slope = [gradient[: problem.k] for _, gradient in ends]
        told = {"J": [value for value, _ in ends], "slope": slope, "rests": np.abs(slope[0]) < REST * self._paid}
        self.note("counts", step=step, counts=np.maximum(after[: problem.k], 0.0), b=after[problem.k :], **told, **left)

    def ended(self, model: InfiniteRBM, pool: Rows, left: NDArray[np.bool_], why: str) -> None:
        """The update is made: who left, what it has come to, and why nothing is to follow, if so."""
        if left.any():
            self.note("leave", units=np.flatnonzero(left))
        self.changed(model)
        self.note("new", counts=model.counts, **self._pictured(pool), **self._means(pool.mean))
        if why:
            self.note("over", why=why)

    # -- all ---------------------------------------------------------------------------------------------

    def note(self, kind: str, **arrays: Any) -> None:
        """One phase more, of the model that holds; arrays are copied."""
        told = {name: np.array(each) for name, each in arrays.items()}
        self._phases.append(Phase(kind, len(self._models) - 1, told))

    def _means(self, model: Vector) -> dict[str, Any]:
        missing = self._data.mean - model
        missing[np.abs(missing) < ROUNDING] = 0.0
        off = np.abs(missing).max()
        return {"data_mean": self._data.mean, "model_mean": model, "missing": missing, "off": off, "agree": off < AGREE}

    def _pictured(self, pool: Rows) -> dict[str, NDArray[Any]]:
        few = np.argsort(-pool.weight, kind="stable")[:PICTURES] if self._exact else spread(len(pool.v), PICTURES)
        return {"model": pool.v[few], "model_weight": pool.weight[few]}


def _look(inner: Inner, w: Vector) -> dict[str, Any]:
    """What a search sees where its weights are w."""
    (model, model_pull), (data, data_pull) = inner.sides(w)
    value, gradient = inner(w)
    told = {"w": w, "objective": value, "data": -data, "model": model, "price": value - model - data}
    pulls = {"data_pull": -data_pull, "model_pull": model_pull, "price_pull": inner.penalty * w}
    return {**told, **pulls, "slope": -gradient, "length": math.sqrt(math.fsum(w * w))}


def _apart(last: dict[str, Any], data_on: Vector, model_on: Vector) -> dict[str, Any]:
    """By what a unit tells data and model apart, where its search ended."""
    on = [float(last[name][-1]) for name in ("data_pull", "model_pull")]
    sure = [float(each[: BINS // 4].sum() + each[-(BINS // 4) :].sum()) for each in (data_on, model_on)]
    answer = ALIKE * last["data"], last["data"] - last["model"]
    ways = {"on": (ALIKE, on[0] - on[1]), "sure": (ALIKE, sure[0] - sure[1]), "answer": answer}
    what = next((name for name, (least, far) in ways.items() if far > least), "nothing")
    return {"on": on, "sure": sure, "apart": what}


def _on(rows: Rows, unit: NDArray[np.float32]) -> Vector:
    """(BINS,) shares of the rows at which the unit is on with so much probability."""
    on = 1.0 - np.exp(-rows.softplus(unit[None])[:, 0])
    return np.histogram(on, BINS, (0.0, 1.0), weights=rows.weight)[0]
