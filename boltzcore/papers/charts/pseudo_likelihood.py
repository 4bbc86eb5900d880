"""Charts of `papers.pseudo_likelihood`: what each sweep adds, and how far the estimates are from the truth."""

import statistics
from collections.abc import Sequence
from typing import Literal

from boltzcore.papers.charts.plots import OURS, PAPER, Curves, PlotRows, Points, Series
from boltzcore.papers.pseudo_likelihood import COLUMNS, REPORTED, STARTS
from boltzcore.papers.study import Row
from boltzcore.plotting.palette import hue

BOUND = "bound"
REACHED = (
    "The log-pseudo-likelihood of all rows, from each of five starts of the first draw of the truth: the solid lines "
    "of the paper's figure. A line ends where its start has ended."
)
ADDED = (
    "What a sweep adds to the log-pseudo-likelihood, from each of the five starts: the dashed lines of the paper's "
    "figure."
)
ERRORS = (
    "The mean squared error of the parameters, the median over the draws of which a maximiser exists; the Cramer-Rao "
    "bound, the least that an unbiased estimate can have on average; and what the paper reports, which is below that."
)


def figure_1(rows: Sequence[Row]) -> PlotRows:
    """The two charts of each number of columns; the errors."""
    sweeps = [
        [
            _of_starts(f"d = {d}", REACHED, "Log-pseudo-likelihood, nats", row, "log_pseudo_likelihood_after", "x"),
            _of_starts(f"d = {d}, each sweep", ADDED, "Increase, nats", row, "increase", "xy"),
        ]
        for d, row in {row["d"]: row for row in rows if row["draw"] == 0}.items()
    ]
    if not rows:
        return []
    values = {
        OURS: _medians(rows, "mse"),
        BOUND: _medians(rows, "cramer_rao"),
        PAPER: {(f"d = {d}", ""): value for d, value in REPORTED.items()},
    }
    errors = Points("Mean squared errors", ERRORS, "Mean squared error", {"": hue("PL")}, values, log="x")
    return [*sweeps, [errors]]


def _of_starts(title: str, about: str, y_title: str, row: Row, name: str, log: Literal["x", "xy"]) -> Curves:
    """A line for each start of one draw."""
    series = (
        Series(f"start {start + 1}", *_known(row["after"], values, positive="y" in log), hue("PL"))
        for start, values in enumerate(row[name][:STARTS])
    )
    return Curves(title, about, "Sweep", y_title, tuple(series), log=log, named=False)


def _known(x: Sequence[float], y: Sequence[float | None], *, positive: bool) -> tuple[list[float], list[float | None]]:
    """The places at which a start was still under way; with None where what has a logarithm only above 0 is not."""
    last = max((place for place, value in enumerate(y) if value is not None), default=-1)
    values = y[: last + 1]
    return list(x[: last + 1]), [None if value is None or (positive and value <= 0) else value for value in values]


def _medians(rows: Sequence[Row], name: str) -> dict[tuple[str, str], float]:
    """The median over the draws that have this figure, for each number of columns that has one."""
    of = {d: [row[name] for row in rows if row["d"] == d and name in row] for d in COLUMNS}
    return {(f"d = {d}", ""): statistics.median(found) for d, found in of.items() if found}
