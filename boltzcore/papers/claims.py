"""The papers' claims on each figure and table, as checks on our rows.

Values of curves are in no text, so a figure is judged by what its paper says of it. The authors of these rules had seen
earlier results of some of the studies.
"""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence

from boltzcore.measures.merit import CLIMBED
from boltzcore.papers import STUDIES, frank_wolfe, log_linear, pseudo_likelihood
from boltzcore.papers.conditional import TASKS
from boltzcore.papers.dc_programming import DCP, RATES
from boltzcore.papers.study import Row
from boltzcore.papers.verdicts import NUMBERS, ORDER, SHAPE, Check, Rows, above, alike, near, positive

# -- paper 1 ------------------------------------------------------------------------------------------


def sweeps(rows: Rows) -> list[Check]:
    """Paper 1, figure 1."""
    mine, theirs = rows["bslm-figure-1"], {f"d = {d}": error for d, error in pseudo_likelihood.REPORTED.items()}
    errors = {name: [row["mse"] for row in mine if name == f"d = {row['d']}" and "mse" in row] for name in theirs}
    medians = {name: statistics.median(found) if found else None for name, found in errors.items()}
    falls = sum(row["falls"] for row in mine)
    late = [rises[5] / rises[0] for row in mine for rises in row["increase"] if None not in (rises[0], rises[5])]
    most = max(late, default=0.0)
    first = "Most of the rise comes in the first sweeps: the 50th brings less than a tenth of the first"
    return [
        near("Mean squared error", medians, theirs, 1.0),
        Check(SHAPE, "The log-pseudo-likelihood falls in no sweep", falls == 0, f"{falls} sweeps fell"),
        Check(SHAPE, first, most < 0.1, f"at most {most:.2g} of it"),
    ]


# -- paper 2 ------------------------------------------------------------------------------------------

CHAINS = ("CD", "PCD")
OTHERS = (*CHAINS, "CG")


def _small(rows: Rows, data: str, rate: float, value: Callable[[Row], float]) -> dict[str, float]:
    return {row["learner"]: value(row) for row in rows["dcp-small"] if (row["data"], row["rate"]) == (data, rate)}


def shifting_bar(rows: Rows) -> list[Check]:
    """Paper 2, figure 1."""
    low, high = (_small(rows, "shifting-bar", rate, lambda row: row["mean"][-1]) for rate in RATES)
    early_low, early_high = (
        _small(rows, "shifting-bar", rate, lambda row: row["mean"][row["epochs"].index(5_000)]) for rate in RATES
    )
    stuck = {f"{name} at {rate:g}": at[name] for rate, at in zip(RATES, (low, high), strict=True) for name in CHAINS}
    first = "At rate 0.3 S-DCP and CS-DCP leave the plateau first: they lead after 5,000 epochs"
    leaves = "At rate 0.5 CG leaves the plateau, on which CD and PCD are after 5,000 epochs"
    return [
        alike(NUMBERS, "CD and PCD end near -3.15 nats at both rates", stuck | {"the paper": -3.15}, 0.1),
        above(ORDER, "At rate 0.3 S-DCP and CS-DCP end above the others", low, DCP, OTHERS),
        above(ORDER, "At rate 0.5 S-DCP and CS-DCP end above CD and PCD", high, DCP, CHAINS),
        above(SHAPE, first, early_low, DCP, OTHERS),
        above(SHAPE, leaves, early_high, ("CG",), CHAINS),
    ]


def bars_and_stripes(rows: Rows) -> list[Check]:
    """Paper 2, figure 2."""
    checks, rest = [], (*DCP, "CG")
    for rate in RATES:
        ends = _small(rows, "bars-and-stripes", rate, lambda row: row["mean"][-1])
        soon = _small(rows, "bars-and-stripes", rate, lambda row: -float(row["epoch_at_90_percent"] or 10**9))
        sooner = f"At rate {rate:g} CS-DCP is at 90 % of its climb before CG (minus the epoch)"
        of_rest = {name: ends[name] for name in rest if name in ends}
        checks += [
            alike(NUMBERS, f"At rate {rate:g} CS-DCP, S-DCP and CG end alike", of_rest, 0.1),
            above(ORDER, f"At rate {rate:g} CD and PCD end below CS-DCP, S-DCP and CG", ends, rest, CHAINS),
            above(SHAPE, sooner, soon, ("CS-DCP",), ("CG",)),
        ]
    return checks


AIS = "test_log_likelihood_ais"


def _first_and_last(rows: Sequence[Row]) -> tuple[dict[str, float], dict[str, float]]:
    """Return {training: its log-likelihood} at the first and at the last measurement; minus infinity once it has
    diverged.
    """
    first, last = dict[str, float](), dict[str, float]()
    for row in rows:
        value = -math.inf if row.get(AIS) is None else row[AIS]
        first.setdefault(row["training"], value)
        last[row["training"]] = value
    return first, last


def mnist(rows: Rows) -> list[Check]:
    """Paper 2, figure 3."""
    first, last = _first_and_last(rows["dcp-mnist"])
    enough = min(first.values()) + CLIMBED * (max(last.values()) - min(first.values()))
    soon = dict.fromkeys(last, -math.inf)  # minus the epoch
    for row in reversed(rows["dcp-mnist"]):
        if _finite(row, AIS) >= enough:
            soon[row["training"]] = -row["epoch"]
    sooner = "CS-DCP is measured at 90 % of the largest climb before CG (minus the epoch)"
    return [
        alike(NUMBERS, "All learners end alike, in nats", last, 2.0),
        above(ORDER, sooner, soon, ("CS-DCP",), ("CG",)),
        above(SHAPE, "CS-DCP leads CG after the first epoch", first, ("CS-DCP",), ("CG",)),
    ]


def omniglot(rows: Rows) -> list[Check]:
    """Paper 2, figure 4."""
    first, last = _first_and_last(rows["dcp-omniglot"])
    return [
        above(ORDER, "S-DCP and CS-DCP end above the others", last, DCP, OTHERS),
        above(SHAPE, "S-DCP and CS-DCP lead after the first epoch", first, DCP, OTHERS),
    ]


def spectral(rows: Rows) -> list[Check]:
    """Paper 2, figure 5."""
    _, last = _first_and_last(rows["dcp-spectral"])
    best = ("CS-DCP", "SSD")
    return [
        alike(ORDER, "CS-DCP and SSD end alike, in nats", {name: last[name] for name in best if name in last}, 2.0),
        above(ORDER, "CS-DCP and SSD end above CD, PCD and CG", last, best, OTHERS),
    ]


def inner_steps(rows: Rows) -> list[Check]:
    """Paper 2, figure 6."""
    first, last = _first_and_last(rows["dcp-inner-steps"])
    slow, quick = ([name for name in first if f" {d} x" in name] for d in (2, 12))
    before, after = _first_and_last(rows["dcp-rates"])
    rises = {name: after[name] - before[name] for name in after if name.endswith(" 0.01")}
    return [
        above(ORDER, "d = 12 leads d = 2 after the first epoch", first, quick, slow),
        alike(SHAPE, "All d end alike, in nats", last, 2.0),
        positive(SHAPE, "At rate 0.01 the likelihood rises from the first to the last measurement", rises),
    ]


def insensitive(rows: Rows) -> list[Check]:
    """Paper 2, figure 7 and table 1: studies that vary what hardly matters."""
    return [
        alike(SHAPE, f"{STUDIES[name].title}: all end alike, in nats", _first_and_last(its)[1], 2.0)
        for name, its in rows.items()
    ]


# -- paper 3 ------------------------------------------------------------------------------------------

TESTED = {"mnist": 10_000, "caltech101": 2_307}  # test images at most
ERRORS = 1.4  # standard errors to either side: two such intervals that do not meet are two of the difference apart
Interval = tuple[float, float]


def units(rows: Rows) -> list[Check]:
    """Paper 3, figure 1."""
    mine = rows["fw-figure-1"]
    theirs = {data: float(units) for data, units in frank_wolfe.SELECTED.items()}
    risen = {row["data"]: row["units"] for row in reversed(mine) if row.get("risen")}
    return [
        near("Units at which the gap stops Frank-Wolfe", risen, theirs, 0.1),
        *_growing(mine, lambda row: (_finite(row, "test_low"), _finite(row, "test_high"))),
    ]


def classes(rows: Rows) -> list[Check]:
    """Paper 3, figure 2."""

    def interval(row: Row) -> Interval:
        error = _finite(row, "error")
        half = ERRORS * math.sqrt(error * (100 - error) / TESTED[row["data"]])
        return -error - half, -error + half

    return _growing(rows["fw-figure-2"], interval)


def _growing(rows: Sequence[Row], interval: Callable[[Row], Interval]) -> list[Check]:
    """Return the checks of both figures on each data set; `interval` is (low, high) of how good a model is."""
    found = []
    for data in dict.fromkeys(row["data"] for row in rows):
        mine = {(row["method"], row["units"]): interval(row) for row in rows if row["data"] == data}
        sizes = [units for method, units in mine if method == "CD from FW"]
        gains = {f"{n} units": _gain(mine["CD from FW", n], mine["CD from random", n]) for n in sizes}
        grown = [mine["FW", n] for method, n in mine if method == "FW"]
        better = f"{data}: CD from FW is better than CD from random at each size, by more than their intervals"
        rise = {"last less first": _gain(grown[-1], grown[0])}
        found += [positive(ORDER, better, gains), positive(SHAPE, f"{data}: FW gets better as units come", rise)]
    return found


def _finite(row: Row, value: str) -> float:
    """Return a number of a row; NaN if it was not finite when it was made."""
    found = row.get(value)
    return math.nan if found is None else found


def _gain(better: Interval, worse: Interval) -> float:
    """Return how much the low end of one exceeds the high one of another; minus infinity if either is unknown."""
    gain = better[0] - worse[1]
    return -math.inf if math.isnan(gain) else gain


# -- paper 4 ------------------------------------------------------------------------------------------


def _medians(rows: Rows, figure: str) -> dict[str, dict[str, float]]:
    """Return {data: {model: the median over the draws}}."""
    found = dict[str, dict[str, float]]()
    for row in rows["fsll-table-1"]:
        found.setdefault(row["data"], {})[row["model"]] = statistics.median(row[figure])
    return found


def full_span(rows: Rows) -> list[Check]:
    """Paper 4, table 1 and figure 3."""
    reported, truth = log_linear.REPORTED, _medians(rows, "kl_to_truth")
    of_data = _medians(rows, "kl_to_data").items()
    ours: dict[str, float | None] = {f"{data} {model}": kl for data, of in of_data for model, kl in of.items()}
    theirs = {f"{data} {model}": each.kl_to_data for (data, model), each in reported.items()}
    nearer = "FL is nearer to the truth than both pairwise machines (minus KL)"
    return [
        near("KL(p_d || p)", ours, theirs, 0.1),
        *(
            above(ORDER, f"{data}: {nearer}", {name: -kl for name, kl in of.items()}, ["FL"], ["BM-DI", "BM-PCD"])
            for data, of in truth.items()
            if reported[data, "FL"].kl_to_truth < reported[data, "BM-DI"].kl_to_truth
        ),
    ]


def cpu_time(rows: Rows) -> list[Check]:
    """Paper 4, figure 4."""
    took = _medians(rows, "seconds")
    faster, n = sum(of["FL"] < of["BM-DI"] for of in took.values()), len(took)
    speed = {f"{model} on {data}": -seconds for data, of in took.items() for model, seconds in of.items()}
    chains = [name for name in speed if name.startswith("BM-PCD")]
    most, least = (-end(speed[name] for name in chains) for end in (min, max))
    same = "BM-PCD takes the same time on every set: the longest at most 1.25 times the shortest"
    fastest = "BM-PCD is the fastest of the three on every set (minus seconds)"
    return [
        above(ORDER, fastest, speed, chains, speed.keys() - chains),
        Check(ORDER, "FL is faster than BM-DI on five of six sets", faster >= n - 1, f"on {faster} of {n}"),
        Check(SHAPE, same, most <= 1.25 * least, f"{least:.3g} to {most:.3g} s"),
    ]


# -- paper 5 ------------------------------------------------------------------------------------------


def wrong_pixels(rows: Rows) -> list[Check]:
    """Paper 5, tables 1 to 3."""
    figures = {"all": "of all pixels", "changed": "of the changed pixels"}
    return [
        check
        for name, its in rows.items()
        for figure, what in figures.items()
        for check in _wrong(name, what, {row["method"]: row[figure] for row in its}, TASKS[name].errors[figure])
    ]


def _wrong(name: str, what: str, ours: Mapping[str, float], theirs: Mapping[str, float]) -> list[Check]:
    """Check that our errors are near the paper's, and the fewest those of the same method."""
    task = TASKS[name].title
    best = min(theirs, key=theirs.__getitem__)
    rest = [method for method in theirs if method != best]
    fewest = f"{task}: {best} has the fewest wrong {what} (minus %)"
    return [
        near(f"{task}: wrong {what}, %", dict(ours), theirs, 0.05),
        above(ORDER, fewest, {method: -error for method, error in ours.items()}, [best], rest),
    ]


def sizes(rows: Rows) -> list[Check]:
    """Paper 5, figure 3."""
    of = {(row["method"], row["task"]): row["all"] for row in rows["crbm-sizes"]}
    gains = {task: of["CD-10", task] - error for (method, task), error in of.items() if method == "MLE-BP"}
    _, lost = gains.popitem()
    return [
        positive(ORDER, "MLE-BP errs less than CD-10 on all but the whole image", gains),
        positive(ORDER, "CD-10 errs less on the whole image", {"whole": -lost}),
    ]


def convergence(rows: Rows) -> list[Check]:
    """Paper 5, figure 4."""
    share = next(row["converged"] for row in rows["crbm-occlusion-8"] if row["method"] == "MLE-BP")
    low = share.index(min(share)) + 1
    return [
        Check(SHAPE, "The share falls at first, lowest near epoch 3 (2 to 6)", 2 <= low <= 6, f"lowest at epoch {low}"),
        Check(SHAPE, "BP converges on most images in the end", share[-1] > 50, f"{share[-1]:g} % at the last epoch"),
    ]
