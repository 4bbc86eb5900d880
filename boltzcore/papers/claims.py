"""The claims of papers 1 to 3 on each figure and table, as checks on our rows.

Values of curves are in no text, so a figure is judged by what its paper says of it. The authors of these rules had seen
earlier results of some of the studies.
"""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from boltzcore.measures.merit import CLIMBED
from boltzcore.papers import STUDIES, frank_wolfe, pseudo_likelihood
from boltzcore.papers.dc_programming import DCP, RATES, READING, STUCK
from boltzcore.papers.study import Row
from boltzcore.papers.verdicts import Check, Rows, above, alike, below, near, positive

# -- paper 1 ------------------------------------------------------------------------------------------

EARLY = 10  # sweeps


def sweeps(rows: Rows) -> list[Check]:
    """Paper 1, figure 1."""
    mine, theirs = rows["bslm-figure-1"], {f"d = {d}": error for d, error in pseudo_likelihood.REPORTED.items()}
    errors = {name: [row["mse"] for row in mine if name == f"d = {row['d']}" and "mse" in row] for name in theirs}
    medians = {name: statistics.median(found) if found else None for name, found in errors.items()}
    falls = sum(row["falls"] for row in mine)
    first = f"Most of the increase occurs in early iterations: {EARLY} sweeps bring more than half from every start"
    risen = [
        1 - (end - values[row["after"].index(EARLY)]) / (end - values[0] + rises[0])
        for row in mine
        for values, rises, end in zip(
            row["log_pseudo_likelihood_after"], row["increase"], row["log_pseudo_likelihood"], strict=True
        )
    ]
    ended = {f"d = {d}": sum(row["ended"] for row in mine if row["d"] == d) for d in pseudo_likelihood.REPORTED}
    starts = {f"d = {d}": sum(len(row["sweeps"]) for row in mine if row["d"] == d) for d in pseudo_likelihood.REPORTED}
    rapidly = "It converges rapidly: at each d most starts end by their own rule"
    return [
        Check("The log-pseudo-likelihood falls in no sweep", falls == 0, f"{falls} sweeps fell", is_main=True),
        Check(first, min(risen, default=0.0) > 0.5, f"at least {min(risen, default=0.0):.0%} of it", is_main=True),
        Check(
            rapidly,
            all(2 * ended[d] > starts[d] for d in ended),
            ", ".join(f"{d}: {ended[d]} of {starts[d]}" for d in ended),
            is_main=True,
        ),
        near("Mean squared error, of draws with a maximiser", medians, theirs, 1.0, are_errors=True),
    ]


# -- paper 2 ------------------------------------------------------------------------------------------

CHAINS = ("CD", "PCD")
OTHERS = (*CHAINS, "CG")
LATER = 2_500  # epochs that CG requires more than CS-DCP


def _small(rows: Rows, data: str, rate: float, value: Callable[[Row], float], divisor: float) -> dict[str, float]:
    """Return {learner: value} at a rate over a divisor."""
    key = (data, rate, divisor)
    return {
        row["learner"]: value(row) for row in rows["dcp-small"] if (row["data"], row["rate"], row["divisor"]) == key
    }


def _at_rates(values: Sequence[Mapping[str, float]], names: Sequence[str]) -> dict[str, float]:
    return {f"{name} at {rate:g}": of[name] for rate, of in zip(RATES, values, strict=True) for name in names}


def _as_printed(checks: Sequence[Check], divisor: float) -> Check:
    """Check that the main claim holds at the printed rates, too; `checks` are those at these rates, undivided."""
    main = [check for check in checks if check.is_main]
    held = sum(check.holds for check in main)
    claim = f"It holds at the printed rates, and not only where they are divided by {divisor:g}"
    return Check(claim, held == len(main), f"{held} of {len(main)} parts of it hold at these", is_main=True)


def shifting_bar(rows: Rows) -> list[Check]:
    """Paper 2, figure 1."""
    divisor = READING["shifting-bar"]
    return [*_shifting_bar(rows, divisor), _as_printed(_shifting_bar(rows, 1.0), divisor)]


def _shifting_bar(rows: Rows, divisor: float) -> list[Check]:
    def until(row: Row) -> float:
        last = max(i for i, epoch in enumerate(row["epochs"]) if epoch <= STUCK)
        return float(row["mean"][last])

    low, high = (_small(rows, "shifting-bar", rate, lambda row: row["mean"][-1], divisor) for rate in RATES)
    before = [_small(rows, "shifting-bar", rate, until, divisor) for rate in RATES]
    stuck = _at_rates(before, CHAINS)
    reached = before[0] | {"worse DCP": min(low[name] for name in DCP)}
    return [
        Check(
            f"CD and PCD are stuck within 0.1 of -3.15 nats at both rates, up to {STUCK:,} updates",
            all(abs(value + 3.15) <= 0.1 for value in stuck.values()),
            ", ".join(f"{name} {value:.4g}" for name, value in stuck.items()),
            is_main=True,
        ),
        *(
            alike(f"{name} reaches almost the same at both rates", _at_rates((low, high), [name]), 0.1).as_main()
            for name in DCP
        ),
        above("At rate 0.5 CG escapes: it ends above CD and PCD", high, ("CG",), CHAINS),
        above(
            f"At rate 0.3 CD, PCD and CG need more than {STUCK:,} updates for what S-DCP and CS-DCP reach",
            reached,
            ("worse DCP",),
            OTHERS,
        ),
    ]


def bars_and_stripes(rows: Rows) -> list[Check]:
    """Paper 2, figure 2."""
    divisor = READING["bars-and-stripes"]
    return [*_bars_and_stripes(rows, divisor), _as_printed(_bars_and_stripes(rows, 1.0), divisor)]


def _bars_and_stripes(rows: Rows, divisor: float) -> list[Check]:
    ends, epochs = (
        [_small(rows, "bars-and-stripes", rate, value, divisor) for rate in RATES]
        for value in (lambda row: row["mean"][-1], lambda row: float(row["epoch_at_90_percent"] or 10**9))
    )
    alikes = [alike("", {name: of[name] for name in (*DCP, "CG")}, 0.1) for of in ends]
    later = [of["CG"] - of["CS-DCP"] for of in epochs]
    return [
        _at_both("CS-DCP, S-DCP and CG perform almost the same, within 0.1", alikes).as_main(),
        _at_both(
            "CD and PCD fail to achieve what S-DCP and CS-DCP do", [above("", of, DCP, CHAINS) for of in ends]
        ).as_main(),
        Check(
            f"CG requires some {LATER:,} epochs more than CS-DCP for 90 %, within half",
            all(LATER / 2 <= each <= 1.5 * LATER for each in later),
            f"{later[0]:,.0f} and {later[1]:,.0f} more at rates {RATES[0]:g} and {RATES[1]:g}",
        ),
    ]


def longer_chains(rows: Sequence[Row]) -> Check:
    """Paper 2, figure 2, with ten times as many Gibbs steps, whose gradients are less biased."""
    main = [each for each in _bars_and_stripes({"dcp-small": rows}, READING["bars-and-stripes"]) if each.is_main]
    fall, held = max(row["best_mean"] - row["mean"][-1] for row in rows), sum(each.holds for each in main)
    claim = "With ten times as many Gibbs steps no learner ends 0.02 nats or more below its best"
    return Check(claim, fall < 0.02, f"at most {fall:.3f}; {held} of {len(main)} parts of the main claim hold then")


def _at_both(claim: str, of_rates: Sequence[Check]) -> Check:
    """Check a claim that the paper makes of both rates."""
    shown = "; ".join(f"rate {rate:g}: {check.evidence}" for rate, check in zip(RATES, of_rates, strict=True))
    return Check(f"{claim}, at both rates", all(check.holds for check in of_rates), shown)


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


SOONER = 100  # epochs before CG that CS-DCP achieves 90 % of the maximum


def mnist(rows: Rows) -> list[Check]:
    """Paper 2, figure 3; between two measurements a log-likelihood is taken to rise evenly."""
    first, last = _first_and_last(rows["dcp-mnist"])
    enough = min(first.values()) + CLIMBED * (max(last.values()) - min(first.values()))
    at = {name: _reached(name, rows["dcp-mnist"], enough) for name in ("CS-DCP", "CG")}
    sooner = at["CG"] - at["CS-DCP"]
    return [
        below("CS-DCP achieves 90 % of the maximum before CG (epoch)", at, ("CS-DCP",), ("CG",)).as_main(),
        alike("All learners achieve almost the same at the end, in nats", last, 2.0).as_main(),
        Check(
            f"CS-DCP achieves 90 % approximately {SOONER} epochs before CG, within half",
            SOONER / 2 <= sooner <= 1.5 * SOONER,
            f"{sooner:.3g} epochs before",
        ),
    ]


def _reached(name: str, rows: Sequence[Row], enough: float) -> float:
    """Return the epoch at which a training has a log-likelihood; infinity if it never has."""
    values = [(0.0, -math.inf), *((row["epoch"], _finite(row, AIS)) for row in rows if row["training"] == name)]
    for (before, low), (epoch, value) in pairwise(values):
        if value >= enough:
            share = (enough - low) / (value - low) if math.isfinite(low) else 1.0
            return float(before + share * (epoch - before))
    return math.inf


def omniglot(rows: Rows) -> list[Check]:
    """Paper 2, figure 4."""
    first, last = _first_and_last(rows["dcp-omniglot"])
    return [
        above("S-DCP and CS-DCP are superior in what they achieve", last, DCP, OTHERS).as_main(),
        above("S-DCP and CS-DCP are superior in speed: they lead after the first epoch", first, DCP, OTHERS).as_main(),
    ]


def spectral(rows: Rows) -> list[Check]:
    """Paper 2, figure 5."""
    _, last = _first_and_last(rows["dcp-spectral"])
    best = ("CS-DCP", "SSD")
    return [
        alike(
            "CS-DCP and SSD perform alike, in nats", {name: last[name] for name in best if name in last}, 2.0
        ).as_main(),
        above("CS-DCP and SSD are superior to all others", last, best, (*OTHERS, "S-DCP")).as_main(),
    ]


def inner_steps(rows: Rows) -> list[Check]:
    """Paper 2, figure 6."""
    first, last = _first_and_last(rows["dcp-inner-steps"])
    of_d = [{name: value for name, value in first.items() if f" {d} x" in name} for d in (2, 4, 6, 12)]
    quicker = all(max(less.values()) < min(more.values()) for less, more in pairwise(of_d))
    shown = ", ".join(f"{name} {value:.4g}" for of in of_d for name, value in of.items())
    return [
        Check("After the first epoch, the larger d the higher, for d = 2, 4, 6, 12", quicker, shown, is_main=True),
        alike("Irrespective of d and K' all reach the same, in nats", last, 2.0).as_main(),
        above(
            "At rate 0.01 the likelihood rises between most measurements (share)",
            _rising(rows["dcp-rates"]) | {"a half": 0.5},
            [name for name in _rising(rows["dcp-rates"]) if name.endswith(" 0.01")],
            ["a half"],
        ),
    ]


def _rising(rows: Sequence[Row]) -> dict[str, float]:
    """Return {training: share of its measurements that are above the one before}."""
    of = dict[str, list[float]]()
    for row in rows:
        of.setdefault(row["training"], []).append(-math.inf if row.get(AIS) is None else row[AIS])
    return {
        name: statistics.fmean(after > before for before, after in pairwise(values))
        for name, values in of.items()
        if len(values) > 1
    }


def insensitive(rows: Rows) -> list[Check]:
    """Paper 2, figure 7 and table 1: studies that vary what hardly matters, for each learner."""
    checks = []
    for name, its in rows.items():
        _, last = _first_and_last(its)
        for learner in DCP:
            mine = {each: value for each, value in last.items() if each.startswith(f"{learner} ")}
            if mine:
                claim = f"{STUDIES[name].title}: all trainings of {learner} reach almost the same, in nats"
                checks.append(alike(claim, mine, 2.0).as_main())
    return checks


# -- paper 3 ------------------------------------------------------------------------------------------

CROSSED = 450  # hidden units from about which FW alone outperforms CD at classification
TESTED = {"mnist": 10_000, "caltech101": 2_307}  # test images at most
ERRORS = 1.4  # standard errors to either side: two such intervals that do not meet are two of the difference apart
Interval = tuple[float, float]


def units(rows: Rows) -> list[Check]:
    """Paper 3, figure 1."""
    mine = rows["fw-figure-1"]
    theirs = {data: float(units) for data, units in frank_wolfe.SELECTED.items()}
    risen = {row["data"]: row["units"] for row in reversed(mine) if row.get("risen")}
    return [
        *_from_frank_wolfe(mine, lambda row: (_finite(row, "test_low"), _finite(row, "test_high"))),
        near("Units at which the gap stops Frank-Wolfe", risen, theirs, 0.1).as_main(),
    ]


def classes(rows: Rows) -> list[Check]:
    """Paper 3, figure 2."""

    def interval(row: Row) -> Interval:
        error = _finite(row, "error")
        half = ERRORS * math.sqrt(error * (100 - error) / TESTED[row["data"]])
        return -error - half, -error + half

    mine = rows["fw-figure-2"]
    few = {f"{row['method']}, {row['units']} units": row["error"] for row in mine if row["units"] < CROSSED}
    alone, random = ([name for name in few if name.startswith(f"{of},")] for of in (frank_wolfe.FW, frank_wolfe.RANDOM))
    crossed = f"CD from random weights errs less than FW alone below about {CROSSED} units (%)"
    return [*_from_frank_wolfe(mine, interval), below(crossed, few, random, alone)]


def _from_frank_wolfe(rows: Sequence[Row], interval: Callable[[Row], Interval]) -> list[Check]:
    """Return the main check of both figures on each data set; `interval` is (low, high) of how good a model is."""
    found = []
    for data in dict.fromkeys(row["data"] for row in rows):
        mine = {(row["method"], row["units"]): interval(row) for row in rows if row["data"] == data}
        sizes = [units for method, units in mine if method == "CD from FW"]
        gains = {f"{n} units": _gain(mine["CD from FW", n], mine["CD from random", n]) for n in sizes}
        claim = "CD from FW is better than CD from random at each size, by more than their intervals"
        found.append(positive(f"{frank_wolfe.DATA[data]}: {claim}", gains).as_main())
    return found


def _finite(row: Row, value: str) -> float:
    """Return a number of a row; NaN if it was not finite when it was made."""
    found = row.get(value)
    return math.nan if found is None else found


def _gain(better: Interval, worse: Interval) -> float:
    """Return how much the low end of one exceeds the high one of another; minus infinity if either is unknown."""
    gain = better[0] - worse[1]
    return -math.inf if math.isnan(gain) else gain
