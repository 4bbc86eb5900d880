"""Charts of the papers' figures and tables, each drawn from the stored rows of a study; no rows, no charts.

They are separate from the studies because the way in which rows are drawn changes none of their numbers.
"""

import statistics
from collections.abc import Sequence

from boltzcore.papers import log_linear, pseudo_likelihood
from boltzcore.papers.conditional import LEVELS, METHODS, NOTHING, TASKS
from boltzcore.papers.dc_programming import DCP, DIVISORS, RATES, READING
from boltzcore.papers.frank_wolfe import AFTER, DATA, FULL, FW, RANDOM, SELECTED
from boltzcore.papers.plots import OURS, PAPER, Plot, PlotRows, Series, curves, points, styles
from boltzcore.papers.study import Row
from boltzcore.plotting.comparison_curves import COLOURS, DASHES
from boltzcore.plotting.palette import hue
from boltzcore.registry import info_of

# -- paper 1 ------------------------------------------------------------------------------------------

REACHED = (
    "The log-pseudo-likelihood of all rows, from five starts on the first draw of the true model; solid in the paper's "
    "figure. A line ends with its run."
)
ADDED = (
    "The increase of the log-pseudo-likelihood per sweep, from each of the five starts; dashed in the paper's figure."
)
ERRORS = (
    "The mean squared error of the parameters, the median over the draws for which a maximiser exists; the Cramer-Rao "
    "bound, the least mean squared error of an unbiased estimate; and the paper's value, which is below it."
)


def sweeps(rows: Sequence[Row]) -> PlotRows:
    """Draw the two charts for each number of columns, and the chart of the errors."""
    if not rows:
        return []
    plots = list[Sequence[Plot]]()
    for title, row in {f"d = {row['d']}": row for row in rows if row["draw"] == 0}.items():
        reached = _of_starts(title, REACHED, row, "log_pseudo_likelihood_after", "Log-pseudo-likelihood, nats", "x")
        added = _of_starts(f"{title}, each sweep", ADDED, row, "increase", "Increase, nats", "xy")
        plots.append([reached, added])
    values = {
        OURS: _medians(rows, "mse"),
        "bound": _medians(rows, "cramer_rao"),
        PAPER: {(f"d = {d}", ""): value for d, value in pseudo_likelihood.REPORTED.items()},
    }
    errors = points("Mean squared errors", ERRORS, "Mean squared error", values, {"": hue("PL")}, log=True)
    return [*plots, [errors]]


def _of_starts(title: str, about: str, row: Row, name: str, y_title: str, log: str) -> Plot:
    """Draw a line for each start of one draw, up to its last sweep."""
    series = []
    for start, values in enumerate(row[name]):
        known = [value for value in values if value is not None]
        drawn = [None if "y" in log and value <= 0 else value for value in known]  # a logarithm needs a positive value
        series.append(Series(f"start {start + 1}", row["after"][: len(known)], drawn, (hue("PL"), "solid")))
    return curves(title, about, "Sweep", y_title, series, log=log, named=False)


def _medians(rows: Sequence[Row], name: str) -> dict[tuple[str, str], float]:
    of = {d: [row[name] for row in rows if row["d"] == d and name in row] for d in pseudo_likelihood.COLUMNS}
    return {(f"d = {d}", ""): statistics.median(found) for d, found in of.items() if found}


# -- paper 2 ------------------------------------------------------------------------------------------

AIS = "test_log_likelihood_ais"
NATS = "Log-likelihood, nats"
LEARNERS = styles(("CD", "PCD", "CG", "S-DCP", "CS-DCP", "SSD"))
EXACT = "The mean over the trials of the exact log-likelihood of all rows. An epoch is one update here."
ESTIMATED = (
    "The log-likelihood of the test rows, estimated by AIS, with its interval. Values far below all others are cut off."
)
BOUND = "bound, in the paper"
SMALL = {  # values that the paper's text gives for the small sets
    "shifting-bar": {"CD, PCD in the paper": -3.15, BOUND: -2.2},
    "bars-and-stripes": {BOUND: -2.6},
}


def small(data: str, rows: Sequence[Row]) -> PlotRows:
    """Draw a chart for each rate on one of the small sets, the divisor that the verdict uses first."""
    plots = dict[float, list[Plot]]()
    for divisor in sorted(DIVISORS[data], key=lambda each: each != READING[data]):
        for rate in RATES:
            mine = [row for row in rows if (row["data"], row["rate"], row["divisor"]) == (data, rate, divisor)]
            series = [
                Series(row["learner"], row["curve_epochs"], row["curve"], LEARNERS[row["learner"]]) for row in mine
            ]
            title = f"Rate {rate:g}" if divisor == 1 else f"Rate {rate:g} / {divisor:g}"
            plots.setdefault(divisor, []).append(curves(title, EXACT, "Epochs", NATS, series, levels=SMALL[data]))
    return list(plots.values()) if rows else []


def large(title: str, rows: Sequence[Row]) -> PlotRows:
    """Draw a line for each training: in its learner's style, or with a hue per setting and a dash per learner."""
    of = _by(rows, "training")
    names = [name.partition(" ") for name in of]
    places = {setting: k for k, setting in enumerate(dict.fromkeys(setting for *_, setting in names))}
    style = LEARNERS | {
        f"{learner} {setting}": (COLOURS[places[setting] % len(COLOURS)], DASHES[learner != DCP[0]])
        for learner, _, setting in names
    }
    series = [Series.from_rows(name, mine, "epoch", AIS, style[name]) for name, mine in of.items()]
    return [[curves(title, ESTIMATED, "Epochs", NATS, series)]] if series else []


def _by(rows: Sequence[Row], name: str) -> dict[str, list[Row]]:
    """Return the rows grouped by a field."""
    found = dict[str, list[Row]]()
    for row in rows:
        found.setdefault(row[name], []).append(row)
    return found


# -- paper 3 ------------------------------------------------------------------------------------------

GROWING = styles((FW, RANDOM, AFTER, FULL))
LIKELIHOOD = (
    "The log-likelihood of the test rows by AIS, with three standard errors: of Frank-Wolfe at each size within one "
    "run, and of CD-10 at some sizes, from random weights and from the Frank-Wolfe model of that size."
)
MISSED = "The share of test images that a logistic regression on the hidden units misclassifies."


def by_units(value: str, rows: Sequence[Row]) -> PlotRows:
    """Draw the likelihood ("test", with the selected size) or the "error" against the units, on each data set."""
    y_title, about, selected = (NATS, LIKELIHOOD, SELECTED) if value == "test" else ("Test error, %", MISSED, {})
    plots = []
    for name, of_data in _by([row for row in rows if row.get(value) is not None], "data").items():
        series = [
            Series.from_rows(method, sorted(mine, key=lambda row: row["units"]), "units", value, GROWING[method])
            for method, mine in _by(of_data, "method").items()
        ]
        marks = {"FW stops, in the paper": float(selected[name])} if name in selected else {}
        plots.append(curves(DATA[name], about, "Hidden units", y_title, series, marks=marks))
    return [plots] if plots else []


# -- paper 4 ------------------------------------------------------------------------------------------

FIGURES = {  # {field of the rows: (title, axis title, description, True for a logarithmic axis)}
    "kl_to_data": (
        "Table 1: from the data",
        "KL(p_d || p), nats",
        "The divergence of the model from its training rows.",
        False,
    ),
    "kl_to_truth": (
        "Figure 3: from the truth",
        "KL(p* || p), nats",
        "The divergence of the model from the true distribution of the rows.",
        True,
    ),
    "terms": ("Table 1: terms", "Terms", "The number of terms, or couplings and biases, of a model.", False),
    "seconds": (
        "Figure 4: CPU time",
        "CPU seconds",
        "Training time: ours on one thread of the machine named below, the paper's on its machine.",
        True,
    ),
}
MODELS = {name: colour for name, (colour, _) in styles(log_linear.LEARNERS).items()}


def medians(rows_of_figures: Sequence[Sequence[str]], rows: Sequence[Row]) -> PlotRows:
    """Draw quantities of the table as medians over the draws, in rows of charts."""
    return [[_medians_of(rows, figure) for figure in abreast] for abreast in rows_of_figures] if rows else []


def _medians_of(rows: Sequence[Row], figure: str) -> Plot:
    title, axis, what, log = FIGURES[figure]
    ours = {(row["data"], row["model"]): statistics.median(row[figure]) for row in rows}
    theirs = {(row["data"], row["model"]): row[f"reported_{figure}"] for row in rows}
    about = f"{what} Ours are medians over the draws of the rows."
    return points(title, about, axis, {OURS: ours, PAPER: theirs}, MODELS, log=log)


# -- paper 5 ------------------------------------------------------------------------------------------

HUES = {name: hue(info_of(learner).family) for name, learner in METHODS.items()} | {NOTHING: hue("max-margin")}
WRONG = {
    "all": ("all pixels", "The share of all pixels of the test images that are wrong after restoration."),
    "changed": ("changed pixels", "The share of wrong pixels among those that the damage changed."),
}
FAR = 1.5  # the error of doing nothing is a note instead of a point above this multiple of the paper's largest error
BY_SIZE = (
    "The share of all pixels of the test images that are wrong after restoration, by the side of the hidden patch."
)
SHARE = (
    "The share of training images on which the inference of a method converged within its iterations, epoch by epoch."
)


def errors(name: str, rows: Sequence[Row]) -> PlotRows:
    """Draw the percentages of wrong pixels, of all and of the changed ones, for the methods on a task."""
    if not rows:
        return []
    task, plots = TASKS[name], []
    patch, noise = task.corruption.size, 100 * task.corruption.rate
    short = f"Patch of {patch} × {patch}" if task.corruption.kind == "patch" else f"{noise:g} % noise"
    for figure, (title, about) in WRONG.items():
        theirs = {(method, ""): error for method, error in task.errors[figure].items()}
        ours = {row["method"]: row[figure] for row in rows}
        note = ""
        if ours.get(NOTHING, 0.0) > FAR * max(theirs.values()):  # a point so far away would compress all others
            note = f"No restoration leaves {ours.pop(NOTHING):.3g} % wrong (not drawn)."
        ordered = {(method, ""): ours[method] for method in (NOTHING, *METHODS) if method in ours}
        values = {OURS: ordered, PAPER: theirs}
        plots.append(points(f"{short}: {title}", about, "Wrong pixels, %", values, HUES, note=note))
    return [plots]


def sizes(rows: Sequence[Row]) -> PlotRows:
    """Draw a line for each method, and one for doing nothing, against the side of the patch."""
    sides, style = {level.name: level.corruption.size for level in LEVELS}, styles(("CD-10", "MLE-BP", NOTHING))
    found = _by([{**row, "side": sides[row["task"]]} for row in rows], "method")
    series = [Series.from_rows(method, mine, "side", "all", style[method]) for method, mine in found.items()]
    plot = curves("Wrong pixels by the patch", BY_SIZE, "Side of the patch, pixels", "Wrong pixels, %", series)
    return [[plot]] if series else []


def convergence(rows: Sequence[Row]) -> PlotRows:
    """Draw the percentage of images on which belief propagation converged, by epoch."""
    found = {row["method"]: row["converged"] for row in rows if row.get("converged")}
    style = styles(("MLE-BP", "MSSVM", "LSSVM", "MLE-MF", "CD-PercLoss"))
    series = [Series(name, list(range(1, len(share) + 1)), share, style[name]) for name, share in found.items()]
    marks = {"change, in the paper": 3.0}
    plot = curves("Converged", SHARE, "Epoch", "Converged, % of images", series, marks=marks, limits=(0, 100))
    return [[plot]] if series else []
