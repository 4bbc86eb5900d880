"""Charts of `papers.frank_wolfe`: by hidden units."""

from collections.abc import Sequence

from boltzcore.papers.charts.plots import Curves, PlotRows, Series, styles
from boltzcore.papers.frank_wolfe import AFTER, DATA, FULL, FW, RANDOM, SELECTED
from boltzcore.papers.study import Row

METHODS = styles((FW, RANDOM, AFTER, FULL))
LIKELIHOOD = (
    "The log-likelihood of the test rows by AIS, with three standard errors: of Frank-Wolfe at each size through which "
    "one training passes, and of CD-10 at some, from random weights and from what Frank-Wolfe has reached there."
)
ERROR = "The share of test images that a logistic regression on the hidden units takes for another class."


def figure_1(rows: Sequence[Row]) -> PlotRows:
    """A chart for each data set, with the size that the paper's gap selects where the axis reaches it."""
    return _by_units(rows, "test", "Log-likelihood, nats", LIKELIHOOD, selected=True)


def figure_2(rows: Sequence[Row]) -> PlotRows:
    """A chart for each data set."""
    return _by_units(rows, "error", "Test error, %", ERROR, selected=False)


def _by_units(rows: Sequence[Row], value: str, y_title: str, about: str, *, selected: bool) -> PlotRows:
    plots = []
    for name in dict.fromkeys(row["data"] for row in rows):
        of = dict[str, list[Row]]()
        for row in rows:
            if row["data"] == name and row.get(value) is not None:
                of.setdefault(row["method"], []).append(row)
        series = []
        for method, found in of.items():
            mine = sorted(found, key=lambda row: row["units"])
            ends = [[row.get(end) for row in mine] for end in ("test_low", "test_high")] if value == "test" else []
            series.append(
                Series(method, [row["units"] for row in mine], [row[value] for row in mine], *METHODS[method], *ends)
            )
        marks = {"FW stops, by the paper": float(SELECTED[name])} if selected and name in SELECTED else {}
        if series:
            plots.append(Curves(DATA.get(name, name), about, "Hidden units", y_title, tuple(series), marks=marks))
    return [plots] if plots else []
