"""Charts of `papers.dc_programming`: log-likelihoods over epochs."""

from collections.abc import Mapping, Sequence

from boltzcore.papers.charts.plots import OURS, Curves, PlotRows, Points, Series, styles
from boltzcore.papers.dc_programming import DCP, RATES
from boltzcore.papers.study import Row
from boltzcore.plotting.comparison_curves import COLOURS, DASHES

AIS = "test_log_likelihood_ais"
LEARNERS = styles(("CD", "PCD", "CG", "S-DCP", "CS-DCP", "SSD"))
EXACT = "The mean over the trials of the exact log-likelihood of all rows. An epoch is one update here."
ESTIMATED = (
    "The log-likelihood of the test rows as AIS estimates it, with its interval, where the training was "
    "measured. What lies far below all else is cut off."
)
BOUND = "bound, by the paper"
SMALL = {  # what the text gives of the small sets
    "shifting-bar": {"CD, PCD by the paper": -3.15, BOUND: -2.2},
    "bars-and-stripes": {BOUND: -2.6},
}


def small(data: str, rows: Sequence[Row]) -> PlotRows:
    """A chart for each rate on one of the small sets."""
    plots = []
    for rate in RATES:
        mine = [row for row in rows if (row["data"], row["rate"]) == (data, rate)]
        series = tuple(
            Series(row["learner"], row["curve_epochs"], row["curve"], *LEARNERS[row["learner"]]) for row in mine
        )
        plots.append(Curves(f"Rate {rate:g}", EXACT, "Epochs", "Log-likelihood, nats", series, SMALL[data]))
    return [plots] if rows else []


def of_learners(title: str, rows: Sequence[Row]) -> PlotRows:
    """A line for each learner."""
    return _estimated(title, rows, LEARNERS)


def of_settings(title: str, rows: Sequence[Row]) -> PlotRows:
    """A line for each learner and setting: settings have colours, and learners dashes."""
    names = list(dict.fromkeys(row["training"] for row in rows))
    settings = list(dict.fromkeys(setting_of(name) for name in names))
    return _estimated(
        title,
        rows,
        {
            name: (COLOURS[settings.index(setting_of(name)) % len(COLOURS)], DASHES[name.split()[0] != DCP[0]])
            for name in names
        },
    )


def setting_of(training: str) -> str:
    """What of the name of a training follows its learner's."""
    return training.partition(" ")[2]


def of_starts(rows: Sequence[Row]) -> PlotRows:
    """The last value from each of the four starts."""
    last = {row["training"]: row for row in rows}
    known = {name: row[AIS] for name, row in last.items() if row.get(AIS) is not None}
    values = {(_start(setting_of(name)), name.split()[0]): value for name, value in known.items()}
    if not values:
        return []
    groups = {name: LEARNERS[name][0] for name in DCP}
    about = f"Where each training was measured last. {ESTIMATED}"
    return [[Points("Where each start leads", about, "Log-likelihood, nats", groups, {OURS: values})]]


def _start(setting: str) -> str:
    sigma, _, bias = setting.partition(" ")
    return f"\N{GREEK SMALL LETTER SIGMA} {sigma}, b {bias}"


def _estimated(title: str, rows: Sequence[Row], style: Mapping[str, tuple[str, str]]) -> PlotRows:
    of = dict[str, list[Row]]()
    for row in rows:
        of.setdefault(row["training"], []).append(row)
    series = tuple(
        Series(
            name,
            [row["epoch"] for row in mine],
            [row.get(AIS) for row in mine],  # a training that has diverged has none
            *style[name],
            [row.get(f"{AIS}_low") for row in mine],
            [row.get(f"{AIS}_high") for row in mine],
        )
        for name, mine in of.items()
    )
    return [[Curves(title, ESTIMATED, "Epochs", "Log-likelihood, nats", series)]] if series else []
