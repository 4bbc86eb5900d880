"""How often a comparison of three equal contenders claims anything, through the code that makes and judges them.

python -m tests.tools.claims [--comparisons 1000]

All pairs may be claimed, by 5, 8 and 12 trials. Figures are drawn from a normal distribution; from an exponential one,
which is skewed; and from distributions of one mean and unlike skew, so that the differences themselves are skewed,
which Student's statistic does not allow for. Last a learner is compared with itself on other seeds, where every claim
is false, and where one has a figure higher by one standard deviation of its trials, which is a right claim.
"""

import argparse
import statistics
from collections.abc import Sequence

import numpy as np
from scipy.stats import binomtest

from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.runs.comparing import compare
from boltzcore.runs.comparison import Comparison
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.result import Result
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.scheduler import Standing
from boltzcore.runs.training import Record

BASE = Recipe(
    RBMSetup(hidden=3),
    "bars-and-stripes",
    CD(rate=0.1, batch_size=0),
    Schedule(length=200, unit="updates", every=200),
    measures=("log_likelihood",),
)
FIGURE = "train_log_likelihood"
CONTENDERS = {name: {"CD.K": k} for k, name in enumerate("abc", start=1)}
MOST = 0.06  # of comparisons of equal contenders that claim anything
DRAWN = {
    "normal": lambda rng, n: rng.normal(size=(3, n)),
    "skewed": lambda rng, n: rng.exponential(size=(3, n)),
    "skewed differences": lambda rng, n: (rng.exponential(size=n), 2 - rng.exponential(size=n), rng.normal(1, size=n)),
}


def claims(figures: Sequence[Sequence[float]]) -> int:
    """How many pairs of contenders with these figures by trial are claimed to differ."""
    comparison = Comparison(BASE, CONTENDERS, trials=len(figures[0]), axis="updates", budget=1)
    standings = {
        name: [Standing(BASE, "finished", records=(Record(1, 1, 1, 0.0, {FIGURE: float(v)}, 1),)) for v in values]
        for name, values in zip(CONTENDERS, figures, strict=True)
    }
    result = Result(comparison, standings)
    return sum(each.claimed for name in CONTENDERS for each in result.differences(name).values()) // 2


def trained(n: int, trials: int) -> list[list[float]]:
    """The figures of so many sets of trainings on seeds of their own."""
    comparison = Comparison(BASE, {"one": {}, "other": {}}, trials=trials, axis="updates")  # equal ones train once
    found = []
    for seed in range(0, n * trials, trials):
        standings = compare(comparison.changed(seed=seed)).standings["one"]
        found.append([each.records[-1].values[FIGURE] for each in standings])
    return found


def main() -> int:
    """Print all shares with their 99 % intervals; 1 where more than `MOST` of equal contenders' are false."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--comparisons", type=int, default=1000)
    n = parser.parse_args().comparisons
    status = 0

    def tell(what: str, count: int, of: int, most: float = MOST) -> None:
        nonlocal status
        low, high = binomtest(count, of).proportion_ci(0.99)
        print(
            f"{what}: {count} of {of} claim one ({count / of:.1%}; 99 % interval {low:.1%} to {high:.1%})", flush=True
        )
        status |= count / of > most

    for name, drawn in DRAWN.items():
        for trials in (5, 8, 12):
            rng = np.random.default_rng(trials)
            count = sum(claims(drawn(rng, trials)) > 0 for _ in range(n))
            tell(f"{name}, {trials} trials", count, n, 1.0 if name == "skewed differences" else MOST)
    sets = trained(3 * (n // 3), 8)
    spread = statistics.stdev(value for each in sets for value in each)
    threes = [sets[at : at + 3] for at in range(0, len(sets), 3)]
    tell("CD-1 on other seeds, 8 trials", sum(claims(three) > 0 for three in threes), len(threes))
    raised = [[one, other, [value + spread for value in last]] for one, other, last in threes]
    tell("one higher by a standard deviation", sum(claims(each) > 0 for each in raised), len(threes), 1.0)
    return status


if __name__ == "__main__":
    raise SystemExit(main())
