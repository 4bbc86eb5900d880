"""What Frank-Wolfe works with: rows that stand for the model, the unit that would help most, and better counts."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels import units as kernels
from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.learners.looks import Path
from boltzcore.models import InfiniteRBM
from boltzcore.threads import one_for_blas, share
from boltzcore.ticks import Tick, idle

LOOKS = 32  # at a search that is told
_HALVINGS, _FEW = 40, 10  # of a line on which a largest value is looked for, exactly and by samples
_CLOSE = 1e-3  # share of a step within which a line's top is near enough
_PART = 16  # blocks of rows that one thread takes: sums are taken part by part, on any number of threads

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of 0/1 with weights that sum to 1.

    v : (n, n_visible) uint8; weight : (n,) float64; blocks : them side by side
    """

    v: NDArray[np.uint8]
    weight: Vector
    blocks: NDArray[np.uint8]

    @classmethod
    def of(cls, v: NDArray, weight: Vector) -> "Rows":
        v = np.ascontiguousarray(v, np.uint8)
        return cls(v, weight, kernels.side_by_side(v))

    @classmethod
    def of_examples(cls, data: Examples) -> "Rows":
        few = data.distinct()
        assert few.weight is not None
        return cls.of(few.v, few.weight / few.total)

    def weighted(self, weight: Vector) -> "Rows":
        """The same rows, other weights."""
        return Rows(self.v, weight, self.blocks)

    @cached_property
    def mean(self) -> Vector:
        """(n_visible,) of each column."""
        out: Vector = np.einsum("i,ij->j", self.weight, self.v, optimize=False)
        return out

    def softplus(self, units: NDArray[np.float32], tick: Tick = idle) -> NDArray[np.float64]:
        """(n, units) log(1 + e**(w'v))."""
        out = np.empty((len(units), *self.blocks.shape[::2]), np.float32)
        for unit, into in zip(units, out, strict=True):
            tick(0.0)
            kernels.responses(self.blocks, unit, into)
        return out.reshape(len(units), self.blocks.shape[0] * self.blocks.shape[2])[:, : len(self.v)].T.astype(
            np.float64
        )

    def answers(self, units: NDArray[np.float32]) -> Vector:
        """(units,) the mean of log(1 + e**(w'v)), each by itself: units that come change no other's."""
        out, softplus = np.empty(len(units)), np.empty(self.blocks.shape[::2], np.float32)
        for i, unit in enumerate(units):
            kernels.responses(self.blocks, unit, softplus)
            out[i] = float((self.weight * softplus.reshape(-1)[: len(self.v)]).sum())
        return out

    def mixture(self, units: NDArray[np.float32], share: Vector) -> Vector:
        """(n,) E_q log(1 + e**(w'v)) at each row, for a law q over the units."""
        out, softplus = np.zeros(len(self.v)), np.empty(self.blocks.shape[::2], np.float32)
        for unit, part in zip(units, share, strict=True):
            kernels.responses(self.blocks, unit, softplus)
            out += part * softplus.reshape(-1)[: len(self.v)]
        return out

    def scale(self) -> NDArray[np.float32]:
        """(blocks, SIDE) weights as kernels take them."""
        out = np.zeros(self.blocks.shape[::2], np.float32)
        out.reshape(-1)[: len(self.v)] = self.weight
        return out


class Inner:
    """To be made small (eq. 9): lambda/2 |w|**2 + E_model log(1 + e**(w'v)) - E_data log(1 + e**(w'v))."""

    def __init__(self, model: Rows, data: Rows, penalty: float, tick: Tick) -> None:
        self._sides = [(model.blocks, model.scale()), (data.blocks, -data.scale())]
        self.penalty, self._tick = penalty, tick

    def __call__(self, w: Vector) -> tuple[float, Vector]:
        """(value, gradient) at weights w (n_visible + 1,), the last the hidden bias."""
        value, gradient = 0.0, np.zeros(len(w))
        for values, gradients in self._of_sides(w):
            value += math.fsum(values)
            for each in gradients:
                gradient += each
        return value + 0.5 * self.penalty * math.fsum(w * w), gradient + self.penalty * w

    def sides(self, w: Vector) -> list[tuple[float, Vector]]:
        """(value, gradient) of each sum over rows: of the model, and minus that of the data."""
        return [(math.fsum(values), gradients.sum(axis=0)) for values, gradients in self._of_sides(w)]

    def _of_sides(self, w: Vector) -> Iterator[tuple[Vector, Vector]]:
        """(values (parts,), gradients (parts, n_visible + 1)) of parts of the rows: the model's, then the data's."""
        weights = w.astype(np.float32)
        for blocks, scale in self._sides:
            parts = -(-len(blocks) // _PART)
            values, gradients = np.empty(parts), np.empty((parts, len(w)))

            def work(first: int, last: int, blocks=blocks, scale=scale, values=values, gradients=gradients) -> None:  # type: ignore[no-untyped-def]
                for k in range(first, last):
                    end = min((k + 1) * _PART, len(blocks))
                    values[k] = kernels.respond(blocks, weights, scale, k * _PART, end, gradients[k])

            self._tick(0.0)
            share(work, parts, 4)
            yield values, gradients


@dataclass(frozen=True)
class Found:
    """Where a search for a unit led to: the inner objective at its start and at its end."""

    unit: NDArray[np.float32]
    before: float
    after: float


def searches(
    inner: Inner, starts: NDArray[np.float64], iterations: int, ball: float, paths: list[Path] | None = None
) -> list[Found]:
    """What scipy's L-BFGS finds from each start; within |w|**2 <= ball where that is not 0.

    paths : where to append the way of each
    """
    from scipy.optimize import minimize  # a third of a second to import

    def bounded(u: Vector) -> tuple[float, Vector]:
        w, back = _into(u, ball)
        value, gradient = inner(w)
        return value, back(gradient)

    def weights(u: Vector) -> Vector:
        return _into(u, ball)[0] if ball else u.copy()

    objective = bounded if ball else inner
    options = {"maxiter": iterations, "ftol": 1e-9, "gtol": 1e-6}
    ends = []
    for start in starts:
        before, path = inner(weights(start))[0], None
        if paths is not None:
            paths.append(path := Path(LOOKS, start, before, weights))
        with one_for_blas():
            found = minimize(objective, start, jac=True, method="L-BFGS-B", options=options, callback=path)
        w = weights(found.x).astype(np.float32)
        ends.append(Found(w, before, inner(w.astype(np.float64))[0]))
    return ends


def best_of(ends: list[Found]) -> Found:
    """The search that led to the least inner objective."""
    return min(ends, key=lambda found: found.after)


def _into(u: Vector, ball: float) -> tuple[Vector, Callable[[Vector], Vector]]:
    """(all of space mapped into the ball |w|**2 < ball, how a gradient comes back)."""
    length = math.sqrt(1.0 + math.fsum(u * u))
    radius = math.sqrt(ball)
    w = radius / length * u

    def back(gradient: Vector) -> Vector:
        along = math.fsum(gradient * u) / length**2
        return radius / length * (gradient - along * u)

    return w, back


class Reweighted:
    """J of a machine as its counts and visible biases move, the units being as they are (concave).

    J = E_data log p - lambda/2 sum_i c_i |w_i|**2. Expectations under the model are sums over rows that were drawn from
    it at one place, or over all states: each row has the log-weight at which it was drawn, nought for all states.
    data : (n_units + n_visible,) what the data answer to each unit (`Rows.answers`), and their means
    """

    def __init__(
        self, model: InfiniteRBM, pool: Rows, data: Vector, penalty: float, *, exact: bool, tick: Tick = idle
    ) -> None:
        self._tick = tick
        self._v, self._soft = pool.v.astype(np.float64), pool.softplus(model.units, tick)
        self._linear = data - 0.5 * penalty * np.concatenate([squares(model.units), np.zeros(model.n_visible)])
        self.k = model.n_units
        theta = np.concatenate([model.counts, model.b]).astype(np.float64)
        drawn = np.zeros(len(theta)) if exact else theta
        self._drawn: Vector = self._soft @ drawn[: self.k] + self._v @ drawn[self.k :]

    def __call__(self, theta: Vector) -> tuple[float, Vector]:
        """(J but for a constant, its gradient) at counts and biases, one after the other."""
        log_weight = self._moved(theta)
        top = float(log_weight.max())
        weight = exp_in_double(log_weight - top)
        total = float(weight.sum())
        weight /= total
        gradient = self._linear - np.concatenate([weight @ self._soft, weight @ self._v])
        return float(self._linear @ theta) - top - math.log(total), gradient

    def weights(self, theta: Vector) -> Vector:
        """(rows,) of the pool under the machine with these counts and biases, summing to 1."""
        return normalised(self._moved(theta))

    def _moved(self, theta: Vector) -> Vector:
        """(rows,) log-weight of each under the machine, less that at which it was drawn."""
        self._tick(0.0)
        moved: Vector = self._soft @ theta[: self.k] + self._v @ theta[self.k :] - self._drawn
        return moved

    def risen(self, theta: Vector, path: Path | None = None) -> Vector:
        """Counts and biases at the largest J, by scipy's L-BFGS-B from these: for expectations that are exact.

        path : of the search, which makes -J small
        """
        from scipy.optimize import minimize  # a third of a second to import

        def falls(at: Vector) -> tuple[float, Vector]:
            value, gradient = self(at)
            return -value, -gradient

        bounds = [(0.0, None)] * self.k + [(None, None)] * (len(theta) - self.k)
        options = {"maxiter": 1_000, "ftol": 1e-12, "gtol": 1e-7}
        found = minimize(falls, theta, jac=True, method="L-BFGS-B", bounds=bounds, options=options, callback=path)
        return found.x if -found.fun >= self(theta)[0] else theta

    def towards(self, theta: Vector, kept: float) -> Vector:
        """A step towards the largest J: Newton's for the counts and, apart from them, for each bias; as far as J rises
        and `kept` of the pool is left in effect.
        """
        gradient = self(theta)[1]
        weight = self.weights(theta)
        soft = self._soft - weight @ self._soft
        mean = weight @ self._v
        direction = np.zeros(len(theta))
        direction[self.k :] = gradient[self.k :] / (mean * (1.0 - mean) + 0.01)
        free = np.flatnonzero((theta[: self.k] > 0) | (gradient[: self.k] > 0))
        if len(free):
            self._tick(0.0)
            covariance = (soft[:, free] * weight[:, None]).T @ soft[:, free]
            self._tick(0.0)
            ridge = 0.01 * np.trace(covariance) / len(free) + 1e-6
            direction[free] = np.linalg.solve(covariance + ridge * np.eye(len(free)), gradient[free])
        return self.along(theta, direction, 1.0, kept)

    def along_count(self, theta: Vector, i: int, kept: float) -> Vector:
        """The count of one unit moved to where J is largest."""
        direction = np.zeros(len(theta))
        direction[i] = 1.0 if self(theta)[1][i] > 0 else -1.0
        return self.along(theta, direction, 1e6 if direction[i] > 0 else float(theta[i]), kept)

    def along_biases(self, theta: Vector, kept: float) -> Vector:
        """The visible biases moved along their gradient to where J is largest."""
        direction = self(theta)[1]
        direction[: self.k] = 0.0
        return self.along(theta, direction, 1e6, kept)

    def along(self, theta: Vector, direction: Vector, most: float, kept: float) -> Vector:
        """The farthest point along a direction, no farther than `most` times it, up to which J rises and that share of
        the pool is left in effect; counts stay at 0 where they would go below.
        """

        def at(step: float) -> Vector:
            moved = theta + step * direction
            moved[: self.k] = np.maximum(moved[: self.k], 0.0)
            return moved

        def good(step: float) -> bool:
            there = at(step)
            inside = np.ones(len(theta), np.bool_)  # a count that has just come to 0 may have gone too far
            inside[: self.k] = theta[: self.k] + step * direction[: self.k] >= 0
            if float(self(there)[1][inside] @ direction[inside]) < 0:
                return False
            return not kept or effective(self.weights(there)) >= kept * len(self._drawn)

        step, last = min(1.0, most), 0.0
        while good(step):
            if step >= most:
                return at(most)
            last, step = step, min(2.0 * step, most)
        for _ in range(_FEW if kept else _HALVINGS):
            middle = 0.5 * (last + step)
            last, step = (middle, step) if good(middle) else (last, middle)
        return at(last)


def normalised(log_weight: Vector) -> Vector:
    """Weights that sum to 1, from their logarithms."""
    weight = exp_in_double(log_weight - log_weight.max())
    out: Vector = weight / weight.sum()
    return out


def rising(log_weight: Vector, moves: Vector, of_data: float, most: float, kept: float) -> float:
    """The largest step, `most` at most, up to which the likelihood rises along a line, on which it is concave.

    log_weight : (rows,) of what stands for the model; a step of 1 adds `moves` to it, and `of_data` to the mean of the
        data's
    kept : share of the rows that must be left in effect, 0 for all states
    """

    def good(step: float) -> bool:
        weight = normalised(log_weight + step * moves)
        if of_data < float((weight * moves).sum()):
            return False
        return not kept or effective(weight) >= kept * len(weight)

    if good(most):
        return most
    last, step = 0.0, most
    for _ in range(_HALVINGS):
        if step - last <= _CLOSE * step:
            break
        middle = 0.5 * (last + step)
        last, step = (middle, step) if good(middle) else (last, middle)
    return last


def squares(units: NDArray[np.float32]) -> Vector:
    """(units,) |w|**2 of each."""
    out: Vector = (units.astype(np.float64) ** 2).sum(axis=1)
    return out


def effective(weight: Vector) -> float:
    """How many equal weights would say as much as these, which sum to 1."""
    return 1.0 / math.fsum(weight * weight)
