"""Standard errors of a fully visible Boltzmann machine that was fitted by maximum pseudo-likelihood.

The estimator is asymptotically normal about the parameters of the true distribution (or, if that is no such machine,
about those nearest to it), with the sandwich covariance H**-1 J H**-1: H is minus the Hessian of P_n, J the sum of the
products of the rows' scores (Nguyen and Wood, Asymptotic normality of the maximum pseudolikelihood estimator for fully
visible Boltzmann machines, IEEE TNNLS 2016). Rows count by their weight.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfc, ndtri

from boltzcore.data.examples import Examples
from boltzcore.data.spins import distinct_spins
from boltzcore.measures.separation import separation
from boltzcore.models import FVBM, pseudo_likelihood
from boltzcore.models.base import Model
from boltzcore.names import Names, column_names
from boltzcore.quoting import Refusal
from boltzcore.threads import one_for_blas, run_in_background
from boltzcore.ticks import Tick, idle, portion

if TYPE_CHECKING:
    import pandas

LEVEL = 0.95  # default level of confidence intervals
MOST_PARAMETERS = 2_000  # their covariance takes 32 MB
FARTHEST = 0.05  # largest distance of an estimate from the maximum, in standard errors


@dataclass(frozen=True, eq=False)
class Estimates:
    """Parameters of a model with their sampling uncertainty.

    theta : (q,) estimates; for a fully visible Boltzmann machine in the order of `models.pseudo_likelihood`
    covariance : (q, q) of the estimates
    rows : number of rows, or sum of their weights
    """

    theta: NDArray[np.float64]
    covariance: NDArray[np.float64]
    rows: float

    @property
    def standard_error(self) -> NDArray[np.float64]:
        return np.sqrt(self.covariance.diagonal())

    @property
    def z(self) -> NDArray[np.float64]:
        """Wald statistic of each parameter being 0, (q,): estimate over standard error."""
        return self.theta / self.standard_error

    @property
    def p(self) -> NDArray[np.float64]:
        """Two-sided p value of each parameter being 0, (q,)."""
        return np.asarray(erfc(np.abs(self.z) / np.sqrt(2)))

    @property
    def holm(self) -> NDArray[np.float64]:
        """p values corrected for all parameters by Holm's method, (q,)."""
        order = np.argsort(self.p)
        stepped = np.maximum.accumulate(self.p[order] * np.arange(len(order), 0, -1)).clip(max=1.0)
        return stepped[np.argsort(order)]

    def interval(self, level: float = LEVEL) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return (low, high), (q,) each, of the intervals with coverage `level`, for many rows and among tables that
        have a maximiser: tables without one have no interval, and if they are frequent the coverage is smaller.

        Raises Refusal if `level` is not a number between 0 and 1.
        """
        if not 0 < level < 1:
            raise Refusal(f"level must be a number between 0 and 1, not {level:g}.", "level")
        reach = ndtri(0.5 + 0.5 * level) * self.standard_error
        return self.theta - reach, self.theta + reach


def estimate(model: Model, rows: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle) -> Estimates:
    """Return the standard errors of a model, from the rows that it was fitted to.

    names : names of the columns, for error messages
    Raises Refusal for another kind of model, if there are more than 2,000 parameters, if the pseudo-likelihood of
    the rows has no maximiser, or the model is farther than 0.05 standard errors from it.
    """
    if not isinstance(model, FVBM):
        raise Refusal(
            f"Estimates are available for fully visible machines, and as term_estimates for log-linear models, not for "
            f"{type(model).__name__}."
        )
    d = model.n_visible
    if pseudo_likelihood.count(d) > MOST_PARAMETERS:
        raise Refusal(
            f"Standard errors are given for at most {MOST_PARAMETERS:,} parameters; {d:,} columns have "
            f"{pseudo_likelihood.count(d):,}."
        )
    spins, weight = distinct_spins(rows)
    if spins.shape[1] != d:
        raise Refusal(f"rows must have the model's {d:,} columns, not {spins.shape[1]:,}.")
    if not (found := separation(rows, portion(tick, 0.0, 0.4))).exists:
        raise Refusal(found.sentence(names))
    x = spins.astype(np.float64)
    with one_for_blas():
        slopes = pseudo_likelihood.gradient(x, weight, model.M, model.b)
        information = -pseudo_likelihood.hessian(x, weight, model.M, model.b, portion(tick, 0.4, 0.2))
        products = pseudo_likelihood.score_products(x, weight, model.M, model.b, portion(tick, 0.6, 0.4))
        try:
            inverse = run_in_background(lambda: np.linalg.inv(information), tick)
        except np.linalg.LinAlgError:
            raise Refusal(
                "The Hessian of the pseudo-likelihood at this model is singular, so there are no standard errors: the "
                "model is far from the maximum."
            ) from None
        covariance = run_in_background(lambda: inverse @ products @ inverse, tick)
    result = Estimates(model.theta, covariance, float(weight.sum()))
    _check_maximum(inverse @ slopes, result, column_names(names, d))
    return result


def estimates(
    model: Model, rows: Examples | NDArray, *, names: Names | None = None, level: float = LEVEL, tick: Tick = idle
) -> "pandas.DataFrame":
    """Return a line for each parameter: parameter, kind (bias or coupling), first and second column, estimate,
    standard_error, low and high (ends of the confidence interval), z and p (Wald test of the parameter being 0).

    Raises Refusal like `estimate` and `Estimates.interval`.
    """
    import pandas

    found = estimate(model, rows, names=names, tick=tick)
    columns = column_names(names, model.n_visible)
    first, second = (np.array(columns)[each] for each in np.triu_indices(len(columns), 1))
    return pandas.DataFrame(
        {
            "parameter": labels(columns),
            "kind": ["bias"] * len(columns) + ["coupling"] * len(first),
            "first": [*columns, *first.tolist()],
            "second": [""] * len(columns) + second.tolist(),
            **columns_of(found, level),
        }
    )


def columns_of(found: Estimates, level: float) -> dict[str, NDArray[np.float64]]:
    """Return the columns of a table of estimates: a number for each parameter."""
    low, high = found.interval(level)
    ends = {"low": low, "high": high}
    return {"estimate": found.theta, "standard_error": found.standard_error, **ends, "z": found.z, "p": found.p}


def labels(columns: tuple[str, ...]) -> list[str]:
    """Return the name of each parameter, from the names of the columns: "b[age]", "M[age, income]"."""
    pairs = zip(*np.triu_indices(len(columns), 1), strict=True)
    return [f"b[{name}]" for name in columns] + [f"M[{columns[j]}, {columns[k]}]" for j, k in pairs]


def _check_maximum(step: NDArray[np.float64], found: Estimates, columns: tuple[str, ...]) -> None:
    """Raise Refusal if Newton's step to the maximum, (q,), is large compared with a standard error."""
    away = np.abs(step) / found.standard_error
    worst = int(np.argmax(away))
    if not away[worst] <= FARTHEST:
        raise Refusal(
            f"The model is not at the maximum of these rows' pseudo-likelihood: {labels(columns)[worst]} lies about "
            f"{away[worst]:.2g} standard errors from it, more than {FARTHEST:g}. Continue with a smaller tau, or with "
            "L-BFGS (PseudoLikelihoodLBFGS), on the same rows."
        )
