"""Standard errors of the values of a log-linear model's terms, fitted by maximum likelihood.

The estimator is asymptotically normal with the sandwich covariance H**-1 J H**-1 / n, even if the model is
misspecified: H is the covariance of the terms' functions under the model, J that in the rows (White, Maximum likelihood
estimation of misspecified models, Econometrica 1982). The set of terms is taken as fixed, so that the errors are too
small if the terms were selected on the same rows.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax

from boltzcore.data.examples import Examples
from boltzcore.measures.estimates import LEVEL, Estimates, columns_of
from boltzcore.models import LogLinear
from boltzcore.models.spectrum import Layout
from boltzcore.models.term_words import case
from boltzcore.names import Names
from boltzcore.parameters import check_arguments
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, idle

if TYPE_CHECKING:
    import pandas

MOST_NUMBERS = 2**24  # largest number of states of the variables with a term, times terms
_STEPS = 50
_CLOSE = 1e-8  # largest change of a value by the last step
_LARGEST = 15.0  # values beyond this show that there is no maximum
_FLAT = 1e-12  # an eigenvalue of a covariance below this share of the largest is 0 up to rounding


def estimated_terms(model: LogLinear, rows: Examples | NDArray, *, tick: Tick = idle) -> Estimates:
    """Return maximum likelihood estimates of the (k,) values of a model's terms on rows (n, variables) of codes.

    The fit starts at the model's values, clipped to [-1, 1]. Raises Refusal if there is no term, or the variables
    with one have too many states; if rows do not fit the model, or their likelihood has no maximum.
    """
    of_states = _functions(model)
    seen = (rows if isinstance(rows, Examples) else Examples(np.asarray(rows))).distinct()
    functions = model.functions(seen.v)
    share = np.ones(len(seen)) / len(seen) if seen.weight is None else seen.weight / seen.total
    target = share @ functions
    values = np.clip(model.values, -1.0, 1.0)
    for i in range(_STEPS):
        p = softmax(of_states @ values)
        means = p @ of_states
        covariance = (p[:, None] * of_states).T @ of_states - means * means[:, None]
        ends = np.linalg.eigvalsh(covariance)[[0, -1]]
        if not ends[0] > _FLAT * ends[1] or np.abs(values).max() > _LARGEST:
            break
        direction = np.linalg.solve(covariance, target - means)
        if np.abs(direction).max() <= _CLOSE:
            inverse = np.linalg.inv(covariance)
            centred = (functions - target) * np.sqrt(share)[:, None]
            return Estimates(values, inverse @ (centred.T @ centred) @ inverse / seen.total, seen.total)
        # Shortened so that it ascends from any start (Sun and Tran-Dinh, Generalized self-concordant functions, 2019).
        reach = np.ptp(of_states @ direction)
        values = values + np.log1p(reach) / reach * direction
        tick(i / _STEPS)
    raise Refusal(
        "No intervals: the likelihood of these rows has no maximum, because the value of a term grows without bound. "
        "This happens if the function of a term is the same in every row."
    )


def odds_ratio(order: ArrayLike, value: ArrayLike) -> NDArray[np.float64]:
    """Return exp(2^k value) of terms of k variables, whose functions are +1 and -1: the odds of its values for one
    variable, the odds ratio for two, and the ratio of such ratios for more.
    """
    return np.exp(np.clip(2.0 ** np.asarray(order) * np.asarray(value), -700, 700))


def odds_ratios(found: Estimates, order: ArrayLike, sign: NDArray, level: float = LEVEL) -> NDArray[np.float64]:
    """Return estimates of odds ratios for the states favoured by values of these signs, with interval ends, (3, k)."""
    low, high = np.sort(sign * np.array(found.interval(level)), axis=0)
    return odds_ratio(order, np.array([sign * found.theta, low, high]))


@check_arguments
def term_estimates(
    model: LogLinear, rows: Examples, level: float = LEVEL, names: Names | None = None
) -> "pandas.DataFrame":
    """Return a line for each term, the strongest first: the conditions that it makes more_often and less_often true
    than the other terms alone, y (its index), order, value (the model's), estimate (maximum likelihood),
    standard_error, low and high (ends of the confidence interval), z and p (Wald test of the value being 0), p_holm
    (corrected for all terms), odds_ratio, odds_low and odds_high, for the condition in more_often.

    Raises Refusal like `estimated_terms` and `Estimates.interval`.
    """
    import pandas

    found = estimated_terms(model, rows)
    digits, signs = model.digits(), np.where(found.theta > 0, 1, -1)
    order = np.count_nonzero(digits, axis=1)
    cases = [
        [case(y, sign * side, model.cardinalities, names) for y, sign in zip(digits, signs.tolist(), strict=True)]
        for side in (1, -1)
    ]
    about = {"more_often": cases[0], "less_often": cases[1], "y": model.terms, "order": order, "value": model.values}
    odds = dict(zip(("odds_ratio", "odds_low", "odds_high"), odds_ratios(found, order, signs, level), strict=True))
    table = pandas.DataFrame(about | columns_of(found, level) | {"p_holm": found.holm} | odds)
    return table.iloc[np.argsort(-np.abs(2.0**order * found.theta), kind="stable")].reset_index(drop=True)


def _functions(model: LogLinear) -> NDArray[np.float64]:
    """Return the terms' functions, (states, k), in all states of the variables that have a term."""
    depends = np.flatnonzero(model.digits().any(axis=0))
    layout = Layout(tuple(model.cardinalities[depends].tolist()))
    if not model.n_terms:
        raise Refusal("No intervals: the model has no terms.")
    if layout.size > (most := MOST_NUMBERS // model.n_terms):
        raise Refusal(f"No intervals: {model.n_terms:,} terms allow {most:,} states, not {layout.size:,}.")
    states = np.zeros((layout.size, model.n_visible), np.int64)
    states[:, depends] = layout.digits(np.arange(layout.size))
    return model.functions(states)
