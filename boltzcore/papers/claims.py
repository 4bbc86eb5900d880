"""The claims of papers 1 to 3 on each figure and table, as checks on our rows.

The papers print no values of their curves, so a figure is judged by what its paper says about it. The authors of these
rules had seen earlier results of some of the studies.
"""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from boltzcore.measures.merit import CLIMBED
from boltzcore.papers import STUDIES, frank_wolfe, pseudo_likelihood
from boltzcore.papers.dc_programming import BATCHES, DCP, RATES, READING, SMALL_LEARNERS, STUCK
from boltzcore.papers.study import Row
from boltzcore.papers.verdicts import Check, Rows, above, alike, below, list_values, near, positive
from boltzcore.quoting import number

# -- paper 1 ------------------------------------------------------------------------------------------

EARLY = 10  # sweeps


def sweeps(rows: Rows) -> list[Check]:
    """Check the claims of paper 1, figure 1."""
    mine, theirs = rows["bslm-figure-1"], {f"d = {d}": error for d, error in pseudo_likelihood.REPORTED.items()}
    errors = {name: [row["mse"] for row in mine if name == f"d = {row['d']}" and "mse" in row] for name in theirs}
    medians = {name: statistics.median(found) if found else None for name, found in errors.items()}
    falls, most = sum(row["falls"] for row in mine), max(max(row["sweeps"]) for row in mine)
    first = f"Most of the increase occurs in early iterations: {EARLY} sweeps bring more than half from every start"
    risen = [
        1 - (end - (values[row["after"].index(EARLY)] or end)) / (end - values[0] + rises[0])  # None after its end
        for row in mine
        for values, rises, end in zip(
            row["log_pseudo_likelihood_after"], row["increase"], row["log_pseudo_likelihood"], strict=True
        )
    ]
    ends = {name: _ended([row for row in mine if name == f"d = {row['d']}"]) for name in theirs}
    rapidly = f"It converges rapidly: at each d most starts end by their own rule within {most:,} sweeps"
    return [
        Check("The log-pseudo-likelihood falls in no sweep", falls == 0, f"{falls} sweeps fell", is_main=True),
        Check(first, min(risen, default=0) > 0.5, f"at least {number(min(risen, default=0), '.0%')}", is_main=True),
        Check(
            rapidly,
            all(2 * ended > starts for ended, starts in ends.values()),
            ", ".join(f"{name}: {ended} of {starts}" for name, (ended, starts) in ends.items()),
            is_main=True,
        ),
        near("Mean squared error, of draws with a maximiser", medians, theirs, 1.0, are_errors=True),
    ]


def _ended(rows: Sequence[Row]) -> tuple[int, int]:
    """Return the number of starts that ended by their own rule, and of all starts."""
    return sum(row["ended"] for row in rows), sum(len(row["sweeps"]) for row in rows)


def compare_by_maximiser(rows: Sequence[Row]) -> str:
    """Return a sentence on the starts of paper 1, figure 1, on draws with and without a maximiser."""
    some, none = (_ended([row for row in rows if row["maximiser"] is exists]) for exists in (True, False))
    return (
        f"{some[0]} of {some[1]} starts end by their own rule on draws for which a maximiser exists, {none[0]} of "
        f"{none[1]} on the others."
    )


# -- paper 2 ------------------------------------------------------------------------------------------

CHAINS = ("CD", "PCD")
OTHERS = (*CHAINS, "CG")
LATER = 2_500  # epochs that CG requires more than CS-DCP


def _small(rows: Rows, data: str, rate: float, value: Callable[[Row], float], divisor: float) -> dict[str, float]:
    """Return {learner: value} at a rate divided by `divisor`."""
    key = (data, rate, divisor)
    return {
        row["learner"]: value(row) for row in rows["dcp-small"] if (row["data"], row["rate"], row["divisor"]) == key
    }


def _at_rates(values: Sequence[Mapping[str, float]], names: Sequence[str]) -> dict[str, float]:
    return {f"{name} at {rate:g}": of[name] for rate, of in zip(RATES, values, strict=True) for name in names}


def _as_printed(checks: Sequence[Check], divisor: float) -> Check:
    """Check that the main claim also holds at the printed rates; `checks` are those with undivided rates."""
    main = [check for check in checks if check.is_main]
    held = sum(check.holds for check in main)
    claim = f"The same at the printed rates (the other claims are at these divided by {divisor:g})"
    return Check(claim, held == len(main), f"{held} of {len(main)} parts of it hold at these", is_main=True)


def shifting_bar(rows: Rows) -> list[Check]:
    """Check the claims of paper 2, figure 1."""
    divisor = READING["shifting-bar"]
    return [*_shifting_bar(rows, divisor), _as_printed(_shifting_bar(rows, 1.0), divisor)]


def _shifting_bar(rows: Rows, divisor: float) -> list[Check]:
    def until(row: Row) -> float:
        last = max(i for i, epoch in enumerate(row["epochs"]) if epoch <= STUCK)
        return float(row["mean"][last])

    low, high = (_small(rows, "shifting-bar", rate, lambda row: row["mean"][-1], divisor) for rate in RATES)
    before = [_small(rows, "shifting-bar", rate, until, divisor) for rate in RATES]
    stuck = _at_rates(before, CHAINS)
    end = rows["dcp-small"][0]["epochs"][-1]
    reached = [of | {"worse DCP": min(at[name] for name in DCP)} for of, at in zip(before, (low, high), strict=True)]
    return [
        Check(
            f"CD and PCD are stuck within 0.1 of −3.15 nats at both rates, up to {STUCK:,} updates",
            all(abs(value + 3.15) <= 0.1 for value in stuck.values()),
            list_values(stuck),
            is_main=True,
        ),
        *(
            alike(
                f"After {end:,} updates {name} has reached almost the same at both rates",
                _at_rates((low, high), [name]),
                0.1,
            ).as_main()
            for name in DCP
        ),
        above(
            f"At rate 0.5 CG escapes: after {STUCK:,} updates it is more than 0.1 above CD and PCD",
            before[1] | {"CG less 0.1": before[1]["CG"] - 0.1},
            ("CG less 0.1",),
            CHAINS,
        ).as_main(),
        _at_both(
            f"CD, PCD and CG need more than {STUCK:,} updates for what S-DCP and CS-DCP reach in {end:,}",
            [above("", of, ("worse DCP",), OTHERS) for of in reached],
        ),
    ]


def bars_and_stripes(rows: Rows) -> list[Check]:
    """Check the claims of paper 2, figure 2."""
    divisor = READING["bars-and-stripes"]
    return [*_bars_and_stripes(rows, divisor), _as_printed(_bars_and_stripes(rows, 1.0), divisor)]


def _bars_and_stripes(rows: Rows, divisor: float) -> list[Check]:
    ends, epochs = (
        [_small(rows, "bars-and-stripes", rate, value, divisor) for rate in RATES]
        for value in (lambda row: row["mean"][-1], lambda row: float(row["epoch_at_90_percent"] or 10**9))
    )
    alikes = [alike("", {name: of[name] for name in (*DCP, "CG")}, 0.1) for of in ends]
    later = [of["CG"] - of["CS-DCP"] for of in epochs]
    moved = {name: abs(ends[0][name] - ends[1][name]) for name in SMALL_LEARNERS}
    return [
        _at_both("CS-DCP, S-DCP and CG perform almost the same, within 0.1", alikes).as_main(),
        _at_both(
            "CD and PCD fail to achieve what S-DCP and CS-DCP do", [above("", of, DCP, CHAINS) for of in ends]
        ).as_main(),
        _at_both(
            "S-DCP and CS-DCP are at 90 % of their maximum before all others",
            [below("", of, DCP, OTHERS, unit="epoch") for of in epochs],
        ).as_main(),
        above(
            "CD and PCD are more sensitive to the rate than S-DCP and CS-DCP", moved, CHAINS, DCP, unit="nats"
        ).as_main(),
        Check(
            f"CG requires some {LATER:,} epochs more than CS-DCP for 90 %, within half",
            all(LATER / 2 <= each <= 1.5 * LATER for each in later),
            f"{later[0]:,.0f} and {later[1]:,.0f} more at rates {RATES[0]:g} and {RATES[1]:g}",
        ),
    ]


def longer_chains(rows: Sequence[Row]) -> Check:
    """Check paper 2, figure 2, with ten times as many Gibbs steps, whose gradients are less biased."""
    mean, median = (
        [check.holds for check in _bars_and_stripes({"dcp-small": of}, READING["bars-and-stripes"]) if check.is_main]
        for of in (rows, [{**row, "mean": row["median"]} for row in rows])
    )
    fall = max(row["best_mean"] - row["mean"][-1] for row in rows)
    n_trials = rows[0]["trials"]
    claim = f"With ten times as many Gibbs steps, in {n_trials} trials, no learner ends 0.02 nats below its best"
    held = f"{sum(mean)} of {len(mean)} parts of the main claim hold then, {sum(median)} by the median of the trials"
    return Check(claim, fall < 0.02, f"at most {fall:.3f}; {held}")


def _at_both(claim: str, of_rates: Sequence[Check]) -> Check:
    """Check a claim that the paper makes for both rates."""
    shown = "; ".join(f"rate {rate:g}: {check.evidence}" for rate, check in zip(RATES, of_rates, strict=True))
    return Check(f"{claim}, at both rates", all(check.holds for check in of_rates), shown)


AIS = "test_log_likelihood_ais"
Curves = dict[str, list[float]]


def _curves(rows: Sequence[Row]) -> Curves:
    """Return {training: log-likelihoods at its measurements}; minus infinity after it has diverged."""
    of = Curves()
    for row in rows:
        of.setdefault(row["training"], []).append(_height(row))
    return of


def _height(row: Row) -> float:
    return -math.inf if row.get(AIS) is None else row[AIS]


IMAGES = 60_000  # training images of MNIST
SOONER = 100  # epochs by which CS-DCP reaches 90 % of its maximum before CG
# Tolerance for "almost the same", as a share of the range of the first and last log-likelihoods: one of the trainings
# moves by as much between epochs 100 and 200.
LEVEL = 0.05


def _level(claim: str, of: Curves, study: str = "") -> Check:
    """Check that all trainings reach almost the same log-likelihood at the last measurement."""
    last = {name: its[-1] for name, its in of.items()}
    known = [value for its in of.values() for value in (its[0], its[-1]) if math.isfinite(value)]
    within = LEVEL * (max(known, default=0.0) - min(known, default=0.0))
    claim = f"{claim}, within {number(LEVEL, '.0%')} of the climb ({within:.2g} nats)"
    return replace(alike(claim, last, within), claim=claim, is_main=True, study=study)


def mnist(rows: Rows) -> list[Check]:
    """Check the claims of paper 2, figure 3. As in figure 2, a learner's climb goes from the lowest first measurement
    of all learners to the maximum of its own curve; log-likelihoods between two measurements are interpolated linearly.
    """
    mine, of = rows["dcp-mnist"], _curves(rows["dcp-mnist"])
    low, top = min(its[0] for its in of.values()), max(map(_height, mine))
    at, common = ({name: _reached(name, mine, low, end) for name in of} for end in (None, top))
    sooner, by_common = (of["CG"] - of["CS-DCP"] for of in (at, common))
    return [
        below("CS-DCP is first at 90 % of its maximum", at, ("CS-DCP",), (*OTHERS, "S-DCP"), unit="epoch").as_main(),
        _level("All learners achieve almost the same at the end", of),
        Check(
            f"CS-DCP is at 90 % approximately {SOONER} epochs before CG, within half",
            SOONER / 2 <= sooner <= 1.5 * SOONER,
            f"{sooner:.3g} epochs before, {by_common:.3g} by the largest maximum of all",
        ),
    ]


def _reached(name: str, rows: Sequence[Row], low: float, top: float | None = None) -> float:
    """Return the epoch at which a training has 90 % of the climb from `low` to `top`, by default its own maximum;
    infinity if it never has.
    """
    values = [(0.0, -math.inf), *((row["epoch"], _finite(row, AIS)) for row in rows if row["training"] == name)]
    own = max(value for _, value in values if not math.isnan(value))
    enough = low + CLIMBED * ((own if top is None else top) - low)
    for (before, lower), (epoch, value) in pairwise(values):
        if value >= enough:
            share = (enough - lower) / (value - lower) if math.isfinite(lower) else 1.0
            return float(before + share * (epoch - before))
    return math.inf


def omniglot(rows: Rows) -> list[Check]:
    """Check the claims of paper 2, figure 4."""
    epochs, of = sorted({row["epoch"] for row in rows["dcp-omniglot"]}), _curves(rows["dcp-omniglot"])
    at = {epoch: {name: its[i] for name, its in of.items()} for i, epoch in enumerate(epochs)}
    lead = [min(of[name] for name in DCP) - max(of[name] for name in OTHERS) for of in at.values()]
    return [
        above("S-DCP and CS-DCP are superior in what they achieve", at[epochs[-1]], DCP, OTHERS).as_main(),
        Check(
            "S-DCP and CS-DCP are superior in speed: they lead at each measurement",
            all(each > 0 for each in lead),
            ", ".join(f"by {each:.3g} nats after epoch {epoch}" for epoch, each in zip(at, lead, strict=True)),
            is_main=True,
        ),
    ]


def spectral(rows: Rows) -> list[Check]:
    """Check the claims of paper 2, figure 5, up to each learner's best measurement: the paper's SSD diverges later."""
    mine, best = rows["dcp-spectral"], ("CS-DCP", "SSD")
    of = {name: its[: its.index(max(its)) + 1] for name, its in _curves(mine).items()}
    peaks, low = {name: its[-1] for name, its in of.items()}, min(its[0] for its in of.values())
    at = {name: _reached(name, mine, low) for name in best}
    faster = "SSD is slightly faster: at 90 % of its maximum before CS-DCP, but not in less than half the epochs"
    return [
        _level("At their best CS-DCP and SSD perform alike", {name: of[name] for name in best}),
        above("At their best CS-DCP and SSD are superior to all others", peaks, best, (*OTHERS, "S-DCP")).as_main(),
        Check(faster, at["CS-DCP"] / 2 <= at["SSD"] < at["CS-DCP"], list_values(at)),
    ]


def inner_steps(rows: Rows) -> list[Check]:
    """Check the claims of paper 2, figure 6."""
    inner, rates = "dcp-inner-steps", "dcp-rates"
    of, at_low = _curves(rows[inner]), [(name, its) for name, its in _curves(rows[rates]).items() if " 0.01" in name]
    rising = {name: statistics.fmean(after > before for before, after in pairwise(its)) for name, its in at_low}
    of_d = [{name: its[0] for name, its in of.items() if f" {d} ×" in name} for d in (2, 4, 6, 12)]
    quicker = all(max(less.values()) < min(more.values()) for less, more in pairwise(of_d))
    shown = ", ".join(map(list_values, of_d))
    faster = "After the first epoch, the larger d the higher, for d = 2, 4, 6, 12"
    most = "At rate 0.01 the likelihood rises between most measurements"
    return [
        Check(faster, quicker, shown, is_main=True, study=inner),
        _level("Irrespective of d and K' all reach the same", of, inner),
        Check(most, min(rising.values()) > 0.5, f"shares: {list_values(rising)}", is_main=True, study=rates),
    ]


def insensitive(rows: Rows) -> list[Check]:
    """Check paper 2, figure 7 and table 1: studies that vary settings of little influence, for each learner."""
    checks = []
    for name, its in rows.items():
        for learner in DCP:
            if own := [row for row in its if row["training"].startswith(f"{learner} ")]:
                what = f"{STUDIES[name].title}: all trainings of {learner} reach almost the same"
                checks.append(_level(what, _curves(own), name))
    return checks


def compare_by_updates(rows: Sequence[Row]) -> str:
    """Return sentences on figure 7a of paper 2: without the lowest training, and by updates instead of epochs."""
    ends, at = sorted(its[-1] for its in _curves(rows).values()), dict[int, list[float]]()
    for row in rows:
        at.setdefault(row["epoch"] * IMAGES // BATCHES[row["training"]], []).append(_height(row))
    shared = {n: sorted(of) for n, of in sorted(at.items()) if len(of) > 1}
    shown = "; ".join(f"{n:,}: {number(of[0])} to {number(of[-1])}" for n, of in shared.items())
    return (
        f"The paper names no batch sizes; without the lowest training ours end {ends[-1] - ends[1]:.3g} nats apart. "
        f"After the same number of updates they are at most {max(of[-1] - of[0] for of in shared.values()):.3g} nats "
        f"apart: {shown}."
    )


# -- paper 3 ------------------------------------------------------------------------------------------

CROSSED = 450  # hidden units from about which FW alone outperforms CD at classification
TESTED = {"mnist": 10_000, "caltech101": 2_307}  # largest number of test images
ERRORS = 1.4  # half-width of an interval, in standard errors
Interval = tuple[float, float, float]  # its low end, the estimate, its high end


def units(rows: Rows) -> list[Check]:
    """Check the claims of paper 3, figure 1."""
    mine = rows["fw-figure-1"]
    theirs = {data: float(frank_wolfe.SELECTED[data]) for data in dict.fromkeys(row["data"] for row in mine)}
    risen = {row["data"]: row["units"] for row in reversed(mine) if row.get("risen")}
    errors = "three standard errors of log Z, nats"

    def interval(row: Row) -> Interval:
        return _finite(row, "test_low"), _finite(row, "test"), _finite(row, "test_high")

    checks = _from_frank_wolfe(mine, interval, errors)
    if max(row["units"] for row in mine) >= 0.9 * max(theirs.values()):  # with fewer units the claim cannot hold
        checks.append(near("Units at which the gap stops Frank-Wolfe", risen, theirs, 0.1).as_main())
    return checks


def classes(rows: Rows) -> list[Check]:
    """Check the claims of paper 3, figure 2."""

    def interval(row: Row) -> Interval:
        error = _finite(row, "error")
        half = ERRORS * math.sqrt(error * (100 - error) / TESTED[row["data"]])
        return -error - half, -error, -error + half

    mine = rows["fw-figure-2"]
    of = {(row["method"], row["units"]): row["error"] for row in mine}
    fewer = {n: of[frank_wolfe.FW, n] - error for (method, n), error in of.items() if method == frank_wolfe.RANDOM}
    sides = [{f"{n} units": gain for n, gain in fewer.items() if (n < CROSSED) == below} for below in (True, False)]
    checks = [
        *_from_frank_wolfe(mine, interval, f"{ERRORS} standard errors, %"),
        positive(f"Below about {CROSSED} units CD from random weights errs less than FW alone", sides[0], "% less"),
    ]
    if sides[1]:
        claim = f"From about {CROSSED} units on FW alone errs less than CD from random weights"
        checks.append(positive(claim, {name: -gain for name, gain in sides[1].items()}, "% less"))
    return checks


def _from_frank_wolfe(rows: Sequence[Row], interval: Callable[[Row], Interval], half: str) -> list[Check]:
    """Return the main check of both figures on each data set; `interval` returns the quality of a model, `half`
    describes its half-width.
    """
    found = []
    for data in dict.fromkeys(row["data"] for row in rows):
        mine = {(row["method"], row["units"]): interval(row) for row in rows if row["data"] == data}
        sizes = [units for method, units in mine if method == "CD from FW"]
        pairs = {n: (mine["CD from FW", n], mine["CD from random", n]) for n in sizes}
        ahead = {n: fw[0] > random[2] for n, (fw, random) in pairs.items()}
        shown = [
            f"{n} units {number(fw[1] - random[1], '.2g')}{'' if ahead[n] or fw[2] < random[0] else ' (not separated)'}"
            for n, (fw, random) in pairs.items()
        ]
        claim = f"CD from FW is better than CD from random at each size, beyond intervals of {half}"
        holds, evidence = bool(ahead) and all(ahead.values()), f"by: {', '.join(shown)}" if shown else "none was run"
        found.append(Check(f"{frank_wolfe.DATA[data]}: {claim}", holds, evidence, is_main=True))
    return found


def _finite(row: Row, value: str) -> float:
    """Return a number of a row; NaN if it was not finite when the row was made."""
    found = row.get(value)
    return math.nan if found is None else found
