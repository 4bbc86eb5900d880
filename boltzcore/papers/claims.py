"""What each figure and table of the five papers reports, as checks on our rows.

Values of curves are in no text, so a figure is judged by what its paper says of it. Whoever wrote these rules had seen
earlier results of some of the studies.
"""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence

from boltzcore.measures.climb import SHARE
from boltzcore.papers import STUDIES, conditional_tasks, frank_wolfe, log_linear
from boltzcore.papers.pseudo_likelihood import REPORTED
from boltzcore.papers.study import Row
from boltzcore.papers.verdicts import NUMBERS, ORDER, SHAPE, Check, Rows, above, alike, near

# -- paper 1 ------------------------------------------------------------------------------------------


def sweeps(rows: Rows) -> list[Check]:
    """Paper 1, figure 1."""
    mine = rows["bslm-figure-1"]
    errors = dict[str, float | None]()
    for d in REPORTED:
        of_d = [row["mse"] for row in mine if row["d"] == d and "mse" in row]
        errors[f"d = {d}"] = statistics.median(of_d) if of_d else None
    falls = sum(row["falls"] for row in mine)
    late = [(rises[0], rises[5]) for row in mine for rises in row["increase"] if None not in (rises[0], rises[5])]
    most = max((after / first for first, after in late), default=0.0)
    return [
        near("Mean squared error", errors, {f"d = {d}": value for d, value in REPORTED.items()}, 1.0),
        Check(SHAPE, "The log-pseudo-likelihood falls in no sweep", falls == 0, f"{falls} sweeps fell"),
        Check(
            SHAPE,
            "Most of the rise comes in the first sweeps: the 50th brings less than a tenth of the first",
            most < 0.1,
            f"at most {most:.2g} of it",
        ),
    ]


# -- paper 2 ------------------------------------------------------------------------------------------

DCP, OTHERS = ("S-DCP", "CS-DCP"), ("CD", "PCD", "CG")


def _small(data: str, rate: float, rows: Rows, value: Callable[[Row], float]) -> dict[str, float]:
    mine = (row for row in rows["dcp-small"] if (row["data"], row["rate"]) == (data, rate))
    return {row["learner"]: value(row) for row in mine}


def _of(values: dict[str, float], names: Sequence[str]) -> dict[str, float]:
    return {name: values[name] for name in names if name in values}


def shifting_bar(rows: Rows) -> list[Check]:
    """Paper 2, figure 1."""
    ends = {rate: _small("shifting-bar", rate, rows, lambda row: row["mean"][-1]) for rate in (0.3, 0.5)}
    early = {
        rate: _small("shifting-bar", rate, rows, lambda row: row["mean"][row["epochs"].index(5_000)])
        for rate in (0.3, 0.5)
    }
    stuck = {f"{name} at {rate:g}": ends[rate][name] for rate in ends for name in ("CD", "PCD")}
    level = alike(NUMBERS, "CD and PCD end near -3.15 nats at both rates", stuck | {"the paper": -3.15}, 0.1)
    return [
        level,
        above(ORDER, "At rate 0.3 S-DCP and CS-DCP end above the others", _of(ends[0.3], DCP), _of(ends[0.3], OTHERS)),
        above(
            ORDER, "At rate 0.5 S-DCP and CS-DCP end above CD and PCD", _of(ends[0.5], DCP), _of(ends[0.5], OTHERS[:2])
        ),
        above(
            SHAPE,
            "At rate 0.3 S-DCP and CS-DCP leave the plateau first: they lead after 5,000 epochs",
            _of(early[0.3], DCP),
            _of(early[0.3], OTHERS),
        ),
        above(
            SHAPE,
            "At rate 0.5 CG leaves the plateau, on which CD and PCD are after 5,000 epochs",
            _of(early[0.5], ("CG",)),
            _of(early[0.5], OTHERS[:2]),
        ),
    ]


def bars_and_stripes(rows: Rows) -> list[Check]:
    """Paper 2, figure 2."""
    checks = []
    for rate in (0.3, 0.5):
        ends = _small("bars-and-stripes", rate, rows, lambda row: row["mean"][-1])
        soon = _small("bars-and-stripes", rate, rows, lambda row: -float(row["epoch_at_90_percent"] or 10**9))
        checks += [
            alike(NUMBERS, f"At rate {rate:g} CS-DCP, S-DCP and CG end alike", _of(ends, (*DCP, "CG")), 0.1),
            above(
                ORDER,
                f"At rate {rate:g} CD and PCD end below CS-DCP, S-DCP and CG",
                _of(ends, (*DCP, "CG")),
                _of(ends, OTHERS[:2]),
            ),
            above(
                SHAPE,
                f"At rate {rate:g} CS-DCP is at 90 % of its climb before CG (minus the epoch)",
                _of(soon, ("CS-DCP",)),
                _of(soon, ("CG",)),
            ),
        ]
    return checks


AIS = "test_log_likelihood_ais"


def _at(rows: Sequence[Row], place: int) -> dict[str, float]:
    """{training: its log-likelihood at its first (0) or last (-1) measurement}; of one that has diverged and has none
    minus infinity.
    """
    of = dict[str, list[float]]()
    for row in rows:
        value = _finite(row, AIS)
        of.setdefault(row["training"], []).append(-math.inf if math.isnan(value) else value)
    return {name: values[place] for name, values in of.items()}


def mnist(rows: Rows) -> list[Check]:
    """Paper 2, figure 3."""
    first, last = (_at(rows["dcp-mnist"], place) for place in (0, -1))
    enough = min(first.values()) + SHARE * (max(last.values()) - min(first.values()))
    soon = dict.fromkeys(last, -math.inf)  # minus the epoch
    for row in reversed(rows["dcp-mnist"]):
        if _finite(row, AIS) >= enough:
            soon[row["training"]] = -row["epoch"]
    return [
        alike(NUMBERS, "All learners end alike, in nats", last, 2.0),
        above(
            ORDER,
            "CS-DCP is measured at 90 % of the largest climb before CG (minus the epoch)",
            _of(soon, ("CS-DCP",)),
            _of(soon, ("CG",)),
        ),
        above(SHAPE, "CS-DCP leads CG after the first epoch", _of(first, ("CS-DCP",)), _of(first, ("CG",))),
    ]


def omniglot(rows: Rows) -> list[Check]:
    """Paper 2, figure 4."""
    first, last = (_at(rows["dcp-omniglot"], place) for place in (0, -1))
    return [
        above(ORDER, "S-DCP and CS-DCP end above the others", _of(last, DCP), _of(last, OTHERS)),
        above(SHAPE, "S-DCP and CS-DCP lead after the first epoch", _of(first, DCP), _of(first, OTHERS)),
    ]


def spectral(rows: Rows) -> list[Check]:
    """Paper 2, figure 5."""
    last = _at(rows["dcp-spectral"], -1)
    return [
        alike(ORDER, "CS-DCP and SSD end alike, in nats", _of(last, ("CS-DCP", "SSD")), 2.0),
        above(ORDER, "CS-DCP and SSD end above CD, PCD and CG", _of(last, ("CS-DCP", "SSD")), _of(last, OTHERS)),
    ]


def steps(rows: Rows) -> list[Check]:
    """Paper 2, figure 6."""
    first, last = (_at(rows["dcp-inner-steps"], place) for place in (0, -1))
    slow, quick = ({name: value for name, value in first.items() if f" {d} x" in name} for d in (2, 12))
    before, after = (_at(rows["dcp-rates"], place) for place in (0, -1))
    rises = {name: after[name] - before[name] for name in after if name.endswith(" 0.01")}
    return [
        above(ORDER, "d = 12 leads d = 2 after the first epoch", quick, slow),
        alike(SHAPE, "All d end alike, in nats", last, 2.0),
        above(SHAPE, "At rate 0.01 the likelihood rises from the first to the last measurement", rises, {"none": 0.0}),
    ]


def insensitive(*studies: str) -> Callable[[Rows], list[Check]]:
    """Paper 2, figure 7 and table 1, of studies that vary what hardly matters."""

    def checks(rows: Rows) -> list[Check]:
        return [
            alike(SHAPE, f"{STUDIES[name].title}: all end alike, in nats", _at(rows[name], -1), 2.0) for name in studies
        ]

    return checks


# -- paper 3 ------------------------------------------------------------------------------------------


TESTED = {"mnist": 10_000, "caltech101": 2_307}  # test images at most
ERRORS = 1.4  # standard errors to either side: two such intervals that do not meet are two of the difference apart


def units(rows: Rows) -> list[Check]:
    """Paper 3, figure 1."""
    mine = rows["fw-figure-1"]
    risen = {
        data: next((row["units"] for row in mine if row["data"] == data and row.get("risen")), None)
        for data in frank_wolfe.SELECTED
    }
    theirs = {data: float(units) for data, units in frank_wolfe.SELECTED.items()}
    return [
        near("Units at which the gap stops Frank-Wolfe", risen, theirs, 0.1),
        *_growing(mine, lambda row: (_finite(row, "test_low"), _finite(row, "test_high"))),
    ]


def classes(rows: Rows) -> list[Check]:
    """Paper 3, figure 2."""

    def interval(row: Row) -> tuple[float, float]:
        error = _finite(row, "error")
        half = ERRORS * math.sqrt(error * (100 - error) / TESTED[row["data"]])
        return -error - half, -error + half

    return _growing(rows["fw-figure-2"], interval)


def _growing(rows: Sequence[Row], interval: Callable[[Row], tuple[float, float]]) -> list[Check]:
    """What both figures claim of each data set.

    interval : (low, high) of how good a model is
    """
    found = []
    for data in dict.fromkeys(row["data"] for row in rows):
        mine = {(row["method"], row["units"]): interval(row) for row in rows if row["data"] == data}
        sizes = [units for method, units in mine if method == "CD from FW"]
        gains = {f"{n} units": _gain(mine["CD from FW", n], mine["CD from random", n]) for n in sizes}
        grown = [mine["FW", n] for method, n in mine if method == "FW"]
        found += [
            above(
                ORDER,
                f"{data}: CD from FW is better than CD from random at each size, by more than their intervals",
                gains,
                {"none": 0.0},
            ),
            above(
                SHAPE,
                f"{data}: FW gets better as units come",
                {"last less first": _gain(grown[-1], grown[0])},
                {"none": 0.0},
            ),
        ]
    return found


def _finite(row: Row, value: str) -> float:
    """A number of a row; not a number where it was not finite when it was made."""
    found = row.get(value)
    return math.nan if found is None else found


def _gain(better: tuple[float, float], worse: tuple[float, float]) -> float:
    """By how much the low end of one exceeds the high one of another; minus infinity where either is lacking, for
    nothing then shows that it does.
    """
    gain = better[0] - worse[1]
    return -math.inf if math.isnan(gain) else gain


# -- paper 4 ------------------------------------------------------------------------------------------

PAIRWISE = ("BM-DI", "BM-PCD")


def _medians(rows: Rows, figure: str) -> dict[tuple[str, str], float]:
    return {(row["data"], row["model"]): statistics.median(row[figure]) for row in rows["fsll-table-1"]}


def full_span(rows: Rows) -> list[Check]:
    """Paper 4, table 1 and figure 3."""
    truth = _medians(rows, "kl_to_truth")
    data = {f"{name} {model}": value for (name, model), value in _medians(rows, "kl_to_data").items()}
    theirs = {f"{name} {model}": each.kl_to_data for (name, model), each in log_linear.REPORTED.items()}
    return [
        near("KL(p_d || p)", dict(data), theirs, 0.1),
        *(
            above(
                ORDER,
                f"{name}: FL is nearer to the truth than both pairwise machines (minus KL)",
                {"FL": -truth[name, "FL"]},
                {model: -truth[name, model] for model in PAIRWISE},
            )
            for name in dict.fromkeys(name for name, _ in truth)
            if log_linear.REPORTED[name, "FL"].kl_to_truth < log_linear.REPORTED[name, "BM-DI"].kl_to_truth
        ),
    ]


def cpu_time(rows: Rows) -> list[Check]:
    """Paper 4, figure 4."""
    took = _medians(rows, "seconds")
    sets = dict.fromkeys(name for name, _ in took)
    faster = sum(took[name, "FL"] < took[name, "BM-DI"] for name in sets)
    slower = {f"{model} on {name}": -value for (name, model), value in took.items() if model != "BM-PCD"}
    chains = {f"BM-PCD on {name}": -took[name, "BM-PCD"] for name in sets}
    least, most = (-end(chains.values()) for end in (max, min))
    return [
        above(ORDER, "BM-PCD is the fastest of the three on every set (minus seconds)", chains, slower),
        Check(
            ORDER,
            "FL is faster than BM-DI on five of six sets",
            faster >= len(sets) - 1,
            f"on {faster} of {len(sets)}",
        ),
        Check(
            SHAPE,
            "BM-PCD takes the same time on every set: the longest at most 1.25 times the shortest",
            most <= 1.25 * least,
            f"{least:.3g} to {most:.3g} s",
        ),
    ]


# -- paper 5 ------------------------------------------------------------------------------------------


def wrong_pixels(*tasks: str) -> Callable[[Rows], list[Check]]:
    """Paper 5, tables 1 to 3, of these tasks."""

    def checks(rows: Rows) -> list[Check]:
        return [
            check
            for name in tasks
            for place, (figure, what) in enumerate((("all", "of all pixels"), ("changed", "of the changed pixels")))
            for check in _wrong(
                STUDIES[name].title,
                what,
                {row["method"]: row[figure] for row in rows[name]},
                {method: pair[place] for method, pair in conditional_tasks.TASKS[name].reported.items()},
            )
        ]

    return checks


def _wrong(task: str, what: str, ours: Mapping[str, float], theirs: Mapping[str, float]) -> list[Check]:
    """Whether our errors are near the paper's, and the fewest those of the same method."""
    best = min(theirs, key=theirs.__getitem__)
    rest = {method: -ours[method] for method in theirs if method in ours and method != best}
    return [
        near(f"{task}: wrong {what}, %", dict(ours), theirs, 0.05),
        above(ORDER, f"{task}: {best} has the fewest wrong {what} (minus %)", {best: -ours[best]}, rest),
    ]


def sizes(rows: Rows) -> list[Check]:
    """Paper 5, figure 3."""
    of = dict[str, dict[str, float]]()
    for row in rows["crbm-sizes"]:
        of.setdefault(row["method"], {})[row["task"]] = row["all"]
    tasks = list(of["MLE-BP"])
    gains = {task: of["CD-10"][task] - of["MLE-BP"][task] for task in tasks}
    return [
        above(ORDER, "MLE-BP errs less than CD-10 on all but the whole image", _of(gains, tasks[:-1]), {"none": 0.0}),
        above(ORDER, "CD-10 errs less on the whole image", {"whole": -gains[tasks[-1]]}, {"none": 0.0}),
    ]


def convergence(rows: Rows) -> list[Check]:
    """Paper 5, figure 4."""
    share = next(row["converged"] for row in rows["crbm-occlusion-8"] if row["method"] == "MLE-BP")
    low = share.index(min(share)) + 1
    return [
        Check(SHAPE, "The share falls at first, lowest near epoch 3 (2 to 6)", 2 <= low <= 6, f"lowest at epoch {low}"),
        Check(SHAPE, "BP converges on most images in the end", share[-1] > 50, f"{share[-1]:g} % at the last epoch"),
    ]
