"""What came out of the questions that the papers leave open, in sentences from the rows of their studies."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from statistics import fmean, median

from boltzcore.papers import conditional_inputs, conditional_rounded, pseudo_likelihood
from boltzcore.papers.conditional_tasks import NOTHING, TASKS, title_of
from boltzcore.papers.dc_programming import DCP
from boltzcore.papers.frank_wolfe_starts import FROM_FW, STARTS, best_of
from boltzcore.papers.study import Row, grouped
from boltzcore.quoting import number


def _couplings(rows: Sequence[Row]) -> Iterator[str]:
    theirs, starts = pseudo_likelihood.REPORTED, pseudo_likelihood.STARTS
    errors = {d: [row["mse"] for row in rows if row["d"] == d and "mse" in row] for d in theirs}
    times = {d: median(found) / theirs[d] for d, found in errors.items() if found}
    divided = [ratio / (d * (d + 1) // 2) / starts for d, ratio in times.items()]
    yield f"The mean squared errors are {_span(times.values())} times the paper's."
    yield f"Divided by the number of parameters and of starts once more, they are {_span(divided)} times the paper's."


def _span(values: Collection[float]) -> str:
    low, high = (float(f"{end(values):.2g}") for end in (min, max))
    return f"{low:g} to {high:,g}"


def _chains(rows: Sequence[Row]) -> Iterator[str]:
    for (rate,), of_rate in grouped(rows, "rate").items():
        means, medians = ({row["learner"]: row[kind][-1] for row in of_rate} for kind in ("mean", "median"))
        ends = ", ".join(
            f"{name} {number(mean, '.2f')}" for name, mean in sorted(means.items(), key=lambda pair: -pair[1])
        )
        others = max(value for name, value in medians.items() if name not in DCP)
        ahead = [name for name in DCP if medians[name] > others]
        first = " and ".join(ahead) or "neither S-DCP nor CS-DCP"
        leads = f"{first} lead{'s' * (len(ahead) < 2)} CD, PCD and CG"
        yield f"At rate {rate:g} the means end at {ends}; by the median {leads}."


def _starts(rows: Sequence[Row]) -> Iterator[str]:
    best = {start: row for start in STARTS if (row := best_of(rows, start)) is not None}
    for start, row in best.items():
        tests = [each["test"] for each in rows if each["start"] == start]
        yield (
            f"CD {start if start == FROM_FW else f'from {start}'}: {number(row['test'], '.2f')} nats on the test rows "
            f"by the best of {len(tests)} tries on the validation rows, {number(fmean(tests), '.2f')} on average."
        )
    mine, rival = best[FROM_FW], max((best[start] for start in STARTS if start != FROM_FW), key=lambda row: row["test"])
    if mine["test_low"] <= rival["test_high"] and rival["test_low"] <= mine["test_high"]:
        yield "The intervals of CD from Frank-Wolfe and of the better random start overlap."
    else:
        lead = mine["test"] - rival["test"]
        yield f"CD from Frank-Wolfe is {abs(lead):.2f} nats {'above' if lead > 0 else 'below'} the better random start."


def _candidates(rows: Sequence[Row]) -> Iterator[str]:
    theirs = {title_of(task): task.reported[conditional_rounded.REPORTED] for task in TASKS.values()}
    for (title,), mine in grouped(rows, "task").items():
        of = grouped(mine, "method")
        nothing = of.pop((NOTHING,))[0]
        best = {kind: min(tried, key=lambda row: row["validation_all"]) for (kind,), tried in of.items()}
        said = "; ".join(f"{kind} candidates {row['all']:.3f} and {row['changed']:.2f}" for kind, row in best.items())
        yield (
            f"{title.replace('mnist', 'MNIST')}, wrong of all and of the changed pixels in %: {said}; doing nothing "
            f"{nothing['all']:.3f} and 100; the paper {theirs[title][0]:.3f} and {theirs[title][1]:.2f}."
        )


def _inputs(rows: Sequence[Row]) -> Iterator[str]:
    of = {(row["noise"], row["input_weight"], row["method"]): row["all"] for row in rows if "noise" in row}
    first, second = conditional_inputs.LEARNERS
    leads = {(noise, weight): of[noise, weight, second] - of[noise, weight, first] for noise, weight, _ in of}
    ahead = sum(lead > 0 for lead in leads.values())
    yield f"{first} has fewer wrong pixels than {second} in {ahead} of {len(leads)} settings, of one training each."
    for (noise, weight), lead in leads.items():
        drawn = "once" if noise == "once" else f"in {noise}"
        yield f"Noise drawn {drawn}, input weight {weight:g}: its lead is {number(lead, '+.3f')} % of all pixels."


FINDINGS: Mapping[str, Callable[[Sequence[Row]], Iterator[str]]] = {  # {study: of its whole table}
    "bslm-couplings": _couplings,
    "dcp-chains": _chains,
    "fw-starts": _starts,
    "crbm-percloss": _candidates,
    "crbm-inputs": _inputs,
}
