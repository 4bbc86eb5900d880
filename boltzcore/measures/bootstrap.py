"""Bootstrap intervals for the values of a log-linear model's terms.

Rows are drawn anew from the rows, with replacement, and the same terms' values are fitted to each drawing by maximum
likelihood; an interval holds the middle of what comes out (Efron and Tibshirani, An Introduction to the Bootstrap,
1993, chapter 13: the percentile interval). Which terms there are stays fixed: what a search for them leaves open is not
in these intervals, so that those of terms that it has just bought are too good.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels import random as streams
from boltzcore.measures.estimates import Confidence
from boltzcore.models import LogLinear, spectrum
from boltzcore.models.spectrum import Layout, Table
from boltzcore.parameters import whole
from boltzcore.ticks import Tick, idle, portion

if TYPE_CHECKING:
    import pandas

DRAWINGS = 199  # so that 2.5 % of the 200 gaps between them is a whole number
MOST_STATES = 2**18  # some 20 s
MOST_TERMS = 200
_STEPS = 100  # of a fit
_CLOSE = 0.001  # standard errors that a last step may move a value, each taken as at most 1
_FAR, _FRESH = 3.0, 8  # such, and steps, beyond which a law is no longer near by
_LARGEST = 15.0  # a value that grows so large has no maximum
_FLAT = 1e-12  # share of the largest eigenvalue of a covariance below which the smallest is 0 but for rounding


@dataclass(frozen=True, eq=False)
class Resampled:
    """Values of terms, fitted to the rows and to rows drawn from them.

    values : (k,) those of maximum likelihood for the rows
    drawn : (drawings, k) those of each drawing; infinite where its likelihood has no maximum
    rows : how many there are
    """

    values: NDArray[np.float64]
    drawn: NDArray[np.float64]
    rows: int

    def interval(self, level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(k,) ends low and high between which the middle of the drawings lies, as large a share as `level`.

        Raises Refusal where `level` is not within the bounds of `Confidence`, and ValueError where there are too few
        drawings for it.
        """
        outside = (len(self.drawn) + 1) * (1.0 - Confidence(level).level) / 2
        at = int(outside + 1e-9)  # what rounding takes from a whole number
        if at < 1:
            raise ValueError(f"level must be lower for {len(self.drawn):,} drawings, not {level:g}.")
        ordered = np.sort(self.drawn, axis=0)
        return ordered[at - 1], ordered[-at]


def resampled(
    model: LogLinear, rows: Examples | NDArray, *, drawings: int = DRAWINGS, seed: int = 0, tick: Tick = idle
) -> Resampled:
    """Fit the values of a model's terms to rows, and to `drawings` drawings of as many from them.

    Raises ValueError where there is no term, where there are more than 2**18 states of the variables that have one or
    more than 200 terms, where rows are not like the model's, or weigh no whole number, and where their likelihood has
    no maximum.
    """
    drawings, seed = whole("drawings", drawings, 1, 100_000), whole("seed", seed, 0, 2**63 - 1)
    fit = _Fit.from_model(model)
    examples = rows if isinstance(rows, Examples) else Examples(np.asarray(rows))
    seen = examples.distinct()
    functions = model.functions(seen.v)
    counts = np.ones(len(seen.v)) if seen.weight is None else seen.weight
    n = round(float(counts.sum()))
    if n < 1 or (counts != np.round(counts)).any():
        raise ValueError("rows must weigh whole numbers, as those that are drawn from them do.")
    near = fit.near(model.values, portion(tick, 0.0, 0.1))
    if near.flat:
        near = fit.near(np.zeros(model.n_terms), idle)
    best, found = fit.maximum(counts @ functions / n, near, n, tick)
    if not found:
        raise ValueError(
            "There are no intervals: the likelihood of these rows has no maximum, as the value of a term grows without "
            "end. A term that says the same of every row does so."
        )
    near = fit.near(best, portion(tick, 0.1, 0.1))
    drawn = np.empty((drawings, model.n_terms))
    for b in range(drawings):
        again = streams.generator(seed, streams.BOOTSTRAP, b).multinomial(n, counts / n)
        drawn[b], _ = fit.maximum(again @ functions / n, near, n, idle)
        tick(0.2 + 0.8 * b / drawings)
    return Resampled(best, drawn, n)


def as_table(found: Resampled, model: LogLinear, terms: list[str], level: float) -> "pandas.DataFrame":
    """A line for each term: term (in words, as given), y (its index), order, value (the model's), estimate (of maximum
    likelihood), low, high.
    """
    import pandas

    low, high = found.interval(level)
    order = np.count_nonzero(model.digits(), axis=1)
    return pandas.DataFrame(
        {
            "term": terms,
            "y": model.terms,
            "order": order,
            "value": model.values,
            "estimate": found.values,
            "low": low,
            "high": high,
        }
    )


@dataclass(frozen=True, eq=False)
class _Fit:
    """The law of the variables that the terms depend on, and its values of maximum likelihood.

    places : (k,) where the terms lie in tables of `layout`
    """

    layout: Layout
    places: NDArray[np.int64]

    @classmethod
    def from_model(cls, model: LogLinear) -> "_Fit":
        digits = model.digits()
        if not len(digits):
            raise ValueError("There are no intervals, as the model has no term.")
        depends = np.flatnonzero(digits.any(axis=0))
        layout = Layout(tuple(model.cardinalities[depends].tolist()))
        if layout.size > MOST_STATES or len(digits) > MOST_TERMS:
            raise ValueError(
                f"Intervals are worked out for at most {MOST_STATES:,} states and {MOST_TERMS:,} terms; this model has "
                f"{len(digits):,} terms, of variables with {layout.size:,} states."
            )
        return cls(layout, layout.place(layout.index(digits[:, depends])))

    def _log_weights(self, values: NDArray[np.float64], tick: Tick) -> Table:
        table = np.zeros(self.layout.size)
        table[self.places] = values
        spectrum.log_weights(self.layout, table, tick)
        return table

    def _means(self, table: Table, tick: Tick) -> NDArray[np.float64]:
        """(k,) the sum of a table times each term's function; the table is used up."""
        spectrum.expectations(self.layout, table, tick)
        return table[self.places]

    def near(self, values: NDArray[np.float64], tick: Tick) -> "_Near":
        """The law with these values."""
        weights = self._log_weights(values, tick)
        p, k = weights.copy(), len(values)
        spectrum.normalise(p, tick)
        means, products = self._means(p.copy(), tick), np.empty((k, k))
        for j in range(k):
            products[j] = self._means(p * self._log_weights(np.eye(1, k, j)[0], idle), idle)
            tick(j / k)
        return _Near(values, weights, products - means * means[:, None])

    def maximum(
        self, target: NDArray[np.float64], near: "_Near", n: int, tick: Tick
    ) -> tuple[NDArray[np.float64], bool]:
        """((k,) the values whose expectations are `target`, whether there are such; else those that grow without end
        are infinite, with the sign of the direction along which the likelihood rises for ever).

        Steps along the gradient in the metric of the covariance near by, each as long as Newton's along this line, cut
        short so that it ascends wherever it begins (Sun and Tran-Dinh, Generalized self-concordant functions, 2019).
        """
        error = np.minimum(1.0, np.sqrt(np.linalg.inv(near.covariance).diagonal() / n))
        values, weights = near.values, near.weights
        for k in range(1, _STEPS + 1):
            if k % _FRESH == 0 or (np.abs(values - near.values) > _FAR * error).any():
                near = self.near(values, tick)
                if near.flat:
                    break
            p = weights.copy()
            spectrum.normalise(p, tick)
            slope = target - self._means(p.copy(), tick)
            direction: NDArray[np.float64] = np.linalg.solve(near.covariance, slope).astype(np.float64)
            along = self._log_weights(direction, tick)
            along -= p @ along
            bend, reach = p @ along**2, float(along.max() - along.min())
            if not (bend > 0 and reach > 0):  # at the maximum itself
                return values, True
            step = np.log1p(reach * (direction @ slope) / bend) / reach
            values, weights = values + step * direction, weights + step * along
            if np.abs(step * direction / error).max() <= _CLOSE:
                return values, True
            if np.abs(values).max() > _LARGEST:
                break
        moving = np.abs(step * direction / error) > _CLOSE
        return np.where(moving, np.copysign(np.inf, direction), values), False


@dataclass(frozen=True, eq=False)
class _Near:
    """A law near by: its values, the log-weight of each state, (k, k) the covariance of its terms' functions."""

    values: NDArray[np.float64]
    weights: Table
    covariance: NDArray[np.float64]

    @property
    def flat(self) -> bool:
        """Whether it is so near the border of all laws that some combination of the terms hardly varies."""
        ends = np.linalg.eigvalsh(self.covariance)[[0, -1]] if np.isfinite(self.covariance).all() else np.zeros(2)
        return bool(ends[0] <= _FLAT * ends[1])
