"""How often a comparison claims a difference, through the code that makes and judges them.

python -m tests.claims [--comparisons 500] [--trials 8]

A learner is compared with itself on other seeds, where every claim is false, and with itself where its figure is
higher by one standard deviation of its trials, where every claim is right.
"""

import argparse
import dataclasses
import statistics

from scipy.stats import binomtest

from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.runs.comparing import compare
from boltzcore.runs.comparison import Comparison
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.result import Result
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.scheduler import Standing

BASE = Recipe(
    RBMSetup(hidden=3),
    "bars-and-stripes",
    CD(rate=0.1, batch_size=0),
    Schedule(length=200, unit="updates", every=200),
    measures=("log_likelihood",),
)
FIGURE = "train_log_likelihood"
ONE, OTHER = "one", "other"


def raised(standing: Standing, by: float) -> Standing:
    """A trial whose figure is higher by so much."""
    records = tuple(
        dataclasses.replace(record, values={**record.values, FIGURE: record.values[FIGURE] + by})
        for record in standing.records
    )
    return dataclasses.replace(standing, records=records)


def main() -> int:
    """Print both shares with their 99 % intervals; 1 where more than 5 % of claims are false beyond chance."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--comparisons", type=int, default=500)
    parser.add_argument("--trials", type=int, default=8)
    asked = parser.parse_args()
    contenders = {ONE: {}, OTHER: {}}  # equal recipes are trained once
    seeds = 2 * asked.trials * asked.comparisons
    comparison = Comparison(BASE, contenders, trials=asked.trials, axis="updates")
    trials: list[Standing] = []
    for seed in range(0, seeds, asked.trials):
        trials += compare(comparison.changed(seed=seed), order="study").standings[ONE]
    spread = statistics.stdev(each.records[-1].values[FIGURE] for each in trials)
    false = right = 0
    for at in range(0, seeds, 2 * asked.trials):
        one, other = trials[at : at + asked.trials], trials[at + asked.trials : at + 2 * asked.trials]
        false += Result(comparison, {ONE: one, OTHER: other}).differences()[OTHER].claimed
        better = [raised(each, spread) for each in other]
        right += Result(comparison, {ONE: one, OTHER: better}).differences()[OTHER].claimed
    n = asked.comparisons
    for what, count in (("no difference", false), ("one standard deviation", right)):
        low, high = binomtest(count, n).proportion_ci(0.99)
        print(f"{what}: {count} of {n} claim one ({count / n:.1%}; 99 % interval {low:.1%} to {high:.1%})")
    return int(binomtest(false, n).proportion_ci(0.99).low > 0.05)


if __name__ == "__main__":
    raise SystemExit(main())
