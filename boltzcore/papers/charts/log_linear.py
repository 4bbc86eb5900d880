"""Charts of `papers.log_linear`: how far from the data and the truth, and CPU seconds."""

import statistics
from collections.abc import Sequence

from boltzcore.papers.charts.plots import OURS, PAPER, PlotRows, Points, styles
from boltzcore.papers.log_linear import LEARNERS
from boltzcore.papers.study import Row

SECONDS = "seconds"
FIGURES = {  # {figure: (title, axis, what it is, whether the axis is logarithmic)}
    "kl_to_data": ("Table 1: from the data", "KL(p_d || p), nats", "How far a model is from the rows it learnt.", ""),
    "kl_to_truth": (
        "Figure 3: from the truth",
        "KL(p* || p), nats",
        "How far a model is from the law that the rows were drawn from.",
        "x",
    ),
    "terms": ("Table 1: terms", "Terms", "How many terms, or couplings and biases, a model has.", ""),
    SECONDS: (
        "Figure 4: CPU time",
        "CPU seconds",
        "What the training takes: ours on one thread of the machine that is named below, the paper's on its own.",
        "x",
    ),
}


def table_1(rows: Sequence[Row]) -> PlotRows:
    """A chart for each figure of the table but the time, the median over the draws."""
    charts = [_points(rows, figure) for figure in FIGURES if figure != SECONDS]
    return [charts[:2], charts[2:]] if rows else []


def figure_4(rows: Sequence[Row]) -> PlotRows:
    """The time, the median over the draws."""
    return [[_points(rows, SECONDS)]] if rows else []


def _points(rows: Sequence[Row], figure: str) -> Points:
    title, axis, what, log = FIGURES[figure]
    ours = {(row["data"], row["model"]): statistics.median(row[figure]) for row in rows}
    theirs = {(row["data"], row["model"]): row[f"reported_{figure}"] for row in rows}
    groups = {name: colour for name, (colour, _) in styles(LEARNERS).items()}
    about = f"{what} Ours are medians over the draws of the rows."
    return Points(title, about, axis, groups, {OURS: ours, PAPER: theirs}, log="x" if log else "")
