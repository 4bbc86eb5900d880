"""The seventeen figures and tables of the five papers that are made here, and what each reports, as checks on our rows.

Values of curves are in no text, so a figure is judged by what its paper says of it. Whoever wrote these rules had seen
earlier results of some of the studies.
"""

import dataclasses
import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from boltzcore.papers import STUDIES, conditional_tasks, log_linear, stored
from boltzcore.papers.pseudo_likelihood import REPORTED
from boltzcore.papers.study import Row
from boltzcore.papers.verdicts import (
    NOT_ATTEMPTED,
    NUMBERS,
    ORDER,
    SHAPE,
    Check,
    Rows,
    Verdict,
    above,
    alike,
    near,
    verdict,
)


@dataclass(frozen=True)
class Paper:
    """A paper and its question."""

    title: str
    question: str


PAPERS = {
    "1": Paper(
        "BSLM for fully visible Boltzmann machines (Nguyen and Wood 2016)",
        "Can a fully visible Boltzmann machine be fitted without a step size to choose? Blocks of one parameter, each "
        "moved to the top of a lower bound, are said to raise the pseudo-likelihood in every sweep.",
    ),
    "2": Paper(
        "Learning RBM with a DC Programming Approach (Upadhya and Sastry 2017)",
        "The log-likelihood of an RBM is a difference of two convex functions. Does a learner that keeps one of them "
        "fixed for several inner steps learn faster than contrastive divergence at the same cost?",
    ),
    "3": Paper(
        "Learning Infinite RBMs with Frank-Wolfe (Ping, Liu and Ihler 2016)",
        "How many hidden units does an RBM need? Frank-Wolfe inserts them one at a time and stops by a gap, and what "
        "it has reached is said to be a better start for contrastive divergence than random weights.",
    ),
    "4": Paper(
        "Full-Span Log-Linear Model and Fast Learning Algorithm (Takabatake and Akaho)",
        "Can a model with a term for every set of columns be learnt on 20 columns? A greedy search buys terms as long "
        "as they pay, and is compared with pairwise Boltzmann machines.",
    ),
    "5": Paper(
        "Belief Propagation in Conditional RBMs (Ping and Ihler)",
        "Which approximate inference should a conditional RBM learn with? Belief propagation is compared with "
        "sampling, mean field and max-margin learning at denoising and completing images.",
    ),
}


@dataclass(frozen=True)
class Exhibit:
    """A figure or table of a paper.

    studies : whose rows it is judged by
    checks : what the paper reports of it, on those rows
    """

    paper: str
    label: str
    title: str
    studies: tuple[str, ...]
    checks: Callable[[Rows], list[Check]]


def judged(exhibit: Exhibit) -> tuple[Verdict, dict[str, stored.StoredResult]]:
    """(Verdict, {study: the whole result that it rests on}); not attempted where a study has no whole result. Raises
    ValueError where a stored file is damaged.
    """
    found = dict[str, stored.StoredResult]()
    for name in exhibit.studies:
        whole = [result for result in stored.results(name).values() if result.finished]
        if not whole:
            scales = "; ".join(f"{scale}: {what}" for scale, what in STUDIES[name].scales.items())
            return Verdict(NOT_ATTEMPTED, f"No whole result of study {name} is stored. {scales}."), {}
        found[name] = whole[0]
    given = verdict(exhibit.checks({name: result.rows for name, result in found.items()}))
    smaller = dict[str, list[str]]()
    for name, made in found.items():
        if made.scale != "paper":
            smaller.setdefault(STUDIES[name].scales[made.scale], []).append(name)
    if smaller:
        which = "; ".join(f"{', '.join(names)}: {what}" for what, names in smaller.items())
        given = dataclasses.replace(given, reason=f"{given.reason} At a smaller scale than the paper's ({which}).")
    return given, found


# -- paper 1 ------------------------------------------------------------------------------------------


def _bslm(rows: Rows) -> list[Check]:
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


def _shifting_bar(rows: Rows) -> list[Check]:
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


def _bars_and_stripes(rows: Rows) -> list[Check]:
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


def _mnist(rows: Rows) -> list[Check]:
    first, last = (_at(rows["dcp-mnist"], place) for place in (0, -1))
    return [
        alike(NUMBERS, "All learners end alike, in nats", last, 2.0),
        above(ORDER, "CS-DCP leads CG after the first epoch", _of(first, ("CS-DCP",)), _of(first, ("CG",))),
    ]


def _omniglot(rows: Rows) -> list[Check]:
    first, last = (_at(rows["dcp-omniglot"], place) for place in (0, -1))
    return [
        above(ORDER, "S-DCP and CS-DCP end above the others", _of(last, DCP), _of(last, OTHERS)),
        above(SHAPE, "S-DCP and CS-DCP lead after the first epoch", _of(first, DCP), _of(first, OTHERS)),
    ]


def _spectral(rows: Rows) -> list[Check]:
    last = _at(rows["dcp-spectral"], -1)
    return [above(ORDER, "CS-DCP and SSD end above CD, PCD and CG", _of(last, ("CS-DCP", "SSD")), _of(last, OTHERS))]


def _steps(rows: Rows) -> list[Check]:
    first, last = (_at(rows["dcp-inner-steps"], place) for place in (0, -1))
    slow, quick = ({name: value for name, value in first.items() if f" {d} x" in name} for d in (2, 12))
    before, after = (_at(rows["dcp-rates"], place) for place in (0, -1))
    rises = {name: after[name] - before[name] for name in after if name.endswith(" 0.01")}
    return [
        above(ORDER, "d = 12 leads d = 2 after the first epoch", quick, slow),
        alike(SHAPE, "All d end alike, in nats", last, 2.0),
        above(SHAPE, "At rate 0.01 the likelihood rises from the first to the last measurement", rises, {"none": 0.0}),
    ]


def _insensitive(*studies: str) -> Callable[[Rows], list[Check]]:
    def checks(rows: Rows) -> list[Check]:
        return [
            alike(SHAPE, f"{STUDIES[name].title}: all end alike, in nats", _at(rows[name], -1), 2.0) for name in studies
        ]

    return checks


# -- paper 3 ------------------------------------------------------------------------------------------


def _infinite(study: str, value: str, sign: int) -> Callable[[Rows], list[Check]]:
    def checks(rows: Rows) -> list[Check]:
        found = []
        for data in dict.fromkeys(row["data"] for row in rows[study]):
            of_data = [row for row in rows[study] if row["data"] == data]
            mine = {(row["method"], row["units"]): sign * _finite(row, value) for row in of_data}
            sizes = [units for method, units in mine if method == "CD from FW"]
            gains = {f"{n} units": _gain(mine["CD from FW", n], mine["CD from random", n]) for n in sizes}
            grown = [mine["FW", n] for method, n in mine if method == "FW"]
            rise = {"last less first": _gain(grown[-1], grown[0])}
            found += [
                above(ORDER, f"{data}: CD from FW is better than CD from random at each size", gains, {"none": 0.0}),
                above(SHAPE, f"{data}: FW gets better as units come", rise, {"none": 0.0}),
            ]
        return found

    return checks


def _finite(row: Row, value: str) -> float:
    """A number of a row; not a number where it was not finite when it was made."""
    found = row.get(value)
    return math.nan if found is None else found


def _gain(better: float, worse: float) -> float:
    """By how much one exceeds another; minus infinity where either is lacking, for nothing then shows that it does."""
    gain = better - worse
    return -math.inf if math.isnan(gain) else gain


# -- paper 4 ------------------------------------------------------------------------------------------


def _log_linear(rows: Rows) -> list[Check]:
    mine = rows["fsll-table-1"]
    truth = {(row["data"], row["model"]): statistics.median(row["kl_to_truth"]) for row in mine}
    data = {f"{row['data']} {row['model']}": statistics.median(row["kl_to_data"]) for row in mine}
    theirs = {f"{name} {model}": each.kl_to_data for (name, model), each in log_linear.REPORTED.items()}
    sets = dict.fromkeys(name for name, _ in truth)
    return [
        near("KL(p_d || p)", dict(data), theirs, 0.1),
        *(
            above(
                ORDER,
                f"{name}: FL is nearer to the truth than both pairwise machines (minus KL)",
                {"FL": -truth[name, "FL"]},
                {model: -truth[name, model] for model in ("BM-DI", "BM-PCD")},
            )
            for name in sets
            if log_linear.REPORTED[name, "FL"].kl_to_truth < log_linear.REPORTED[name, "BM-DI"].kl_to_truth
        ),
    ]


# -- paper 5 ------------------------------------------------------------------------------------------


def _errors(*tasks: str) -> Callable[[Rows], list[Check]]:
    def checks(rows: Rows) -> list[Check]:
        found = []
        for name in tasks:
            task = conditional_tasks.TASKS[name]
            ours = {row["method"]: row["all"] for row in rows[name] if row["method"] in task.reported}
            theirs = {method: pair[0] for method, pair in task.reported.items()}
            best = min(theirs, key=theirs.__getitem__)
            rest = {method: -value for method, value in ours.items() if method != best}
            title = STUDIES[name].title
            found += [
                near(f"{title}: errors of all pixels, %", dict(ours), theirs, 0.05),
                above(ORDER, f"{title}: {best} has the fewest errors (minus %)", {best: -ours[best]}, rest),
            ]
        return found

    return checks


def _sizes(rows: Rows) -> list[Check]:
    of = dict[str, dict[str, float]]()
    for row in rows["crbm-sizes"]:
        of.setdefault(row["method"], {})[row["task"]] = row["all"]
    tasks = list(of["MLE-BP"])
    gains = {task: of["CD-10"][task] - of["MLE-BP"][task] for task in tasks}
    return [
        above(ORDER, "MLE-BP errs less than CD-10 on all but the whole image", _of(gains, tasks[:-1]), {"none": 0.0}),
        above(ORDER, "CD-10 errs less on the whole image", {"whole": -gains[tasks[-1]]}, {"none": 0.0}),
    ]


def _convergence(rows: Rows) -> list[Check]:
    share = next(row["converged"] for row in rows["crbm-occlusion-8"] if row["method"] == "MLE-BP")
    low = share.index(min(share)) + 1
    return [
        Check(SHAPE, "The share falls at first, lowest near epoch 3 (2 to 6)", 2 <= low <= 6, f"lowest at epoch {low}"),
        Check(SHAPE, "BP converges on most images in the end", share[-1] > 50, f"{share[-1]:g} % at the last epoch"),
    ]


EXHIBITS = (
    Exhibit("1", "Figure 1", "The pseudo-likelihood, sweep by sweep, from five starts", ("bslm-figure-1",), _bslm),
    Exhibit("2", "Figure 1", "Learners on Shifting Bar at two rates", ("dcp-small",), _shifting_bar),
    Exhibit("2", "Figure 2", "Learners on Bars & Stripes at two rates", ("dcp-small",), _bars_and_stripes),
    Exhibit("2", "Figure 3", "Learners on MNIST", ("dcp-mnist",), _mnist),
    Exhibit("2", "Figure 4", "Learners on OMNIGLOT", ("dcp-omniglot",), _omniglot),
    Exhibit("2", "Figure 5", "SSD beside the others", ("dcp-spectral",), _spectral),
    Exhibit(
        "2", "Figure 6", "Rates; inner steps and Gibbs steps of one cost", ("dcp-rates", "dcp-inner-steps"), _steps
    ),
    Exhibit(
        "2", "Figure 7", "Batch sizes; starts", ("dcp-batches", "dcp-starts"), _insensitive("dcp-batches", "dcp-starts")
    ),
    Exhibit("2", "Table 1", "The four starts of figure 7", ("dcp-starts",), _insensitive("dcp-starts")),
    Exhibit("3", "Figure 1", "Log-likelihood by hidden units", ("fw-figure-1",), _infinite("fw-figure-1", "test", 1)),
    Exhibit("3", "Figure 2", "Classification by hidden units", ("fw-figure-2",), _infinite("fw-figure-2", "error", -1)),
    Exhibit("4", "Table 1, figures 3 and 4", "FL beside pairwise machines", ("fsll-table-1",), _log_linear),
    Exhibit(
        "5",
        "Table 1",
        "Denoising MNIST",
        ("crbm-noise-10", "crbm-noise-20"),
        _errors("crbm-noise-10", "crbm-noise-20"),
    ),
    Exhibit(
        "5",
        "Table 2",
        "Completing MNIST",
        ("crbm-occlusion-8", "crbm-occlusion-12"),
        _errors("crbm-occlusion-8", "crbm-occlusion-12"),
    ),
    Exhibit(
        "5",
        "Table 3",
        "Denoising and completing silhouettes",
        ("crbm-caltech-noise", "crbm-caltech-occlusion"),
        _errors("crbm-caltech-noise", "crbm-caltech-occlusion"),
    ),
    Exhibit("5", "Figure 3", "Errors by the size of the patch", ("crbm-sizes",), _sizes),
    Exhibit("5", "Figure 4", "How often belief propagation converges", ("crbm-occlusion-8",), _convergence),
)
