"""Paired differences over trials: simultaneous Student intervals, and the p value of the same statistic.

Trial i of all contenders has the same seed, so effects of the seed cancel in the difference.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from boltzcore.quoting import Refusal

LEVEL = 0.05  # probability of any false claim over a family of differences
FEWEST = 5  # smallest number of trials that can support a claim


@dataclass(frozen=True)
class PairedDifference:
    """Difference between a contender and the reference over the same trials.

    mean : mean of the differences, in the figure's unit, above 0 if the contender's figure is higher
    low, high : interval of the mean; in at most `LEVEL` of comparisons any of a family misses its difference. None for
        fewer than `FEWEST` trials, and if the differences of random trials do not vary
    p : two-sided p value, adjusted for the family: below `LEVEL` if and only if the interval excludes 0
    better_in, worse_in : trials in which the contender's figure is higher, and lower; n : trials
    spread : possible error of the mean because figures are estimates
    """

    mean: float
    low: float | None
    high: float | None
    p: float | None
    better_in: int
    worse_in: int
    n: int
    spread: float

    @property
    def claimed(self) -> bool:
        """True if a difference from 0 is claimed: its interval excludes 0."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high

    @property
    def exact(self) -> bool:
        """True if the difference is known exactly."""
        return self.low is not None and self.low == self.high

    @property
    def equal(self) -> bool:
        """True if the figures are known to be the same in every trial."""
        return not (self.better_in or self.worse_in or self.spread)


def paired_difference(
    ours: Sequence[float], theirs: Sequence[float], family: int, *, spread: float = 0.0, fixed: bool = False
) -> PairedDifference:
    """Return the difference of figures by trial, in the same order of trials.

    The interval is Student's of level 1 - `LEVEL` / family, and p is family times Student's (Bonferroni); both assume
    roughly normal differences. If both sides are deterministic, the mean is the exact difference, and p is 0 or 1.

    family : number of differences that are shown together
    spread : possible error of the mean because figures are estimates: it widens the interval on either side
    fixed : True if both sides are deterministic

    Raises Refusal if the numbers of trials differ, or a figure is not finite.
    """
    if len(ours) != len(theirs) or not np.isfinite([*ours, *theirs]).all():
        raise Refusal(f"Paired trials must be equal in number ({len(ours)} and {len(theirs)}) and have finite figures.")
    values = np.asarray(ours, float) - np.asarray(theirs, float)
    mean, n = float(values.mean()), values.size
    half = p = None
    if fixed:
        half, p = spread, float(abs(mean) <= spread)
    elif n >= FEWEST and np.ptp(values) > 1e-12 * max(1.0, float(np.abs(values).max())):  # not equal but for rounding
        error = float(values.std(ddof=1)) / math.sqrt(n)
        half = spread - error * float(stdtrit(n - 1, LEVEL / family / 2))
        p = min(1.0, 2 * family * float(stdtr(n - 1, -max(0.0, abs(mean) - spread) / error)))
    low, high = (None, None) if half is None else (mean - half, mean + half)
    return PairedDifference(mean, low, high, p, int((values > 0).sum()), int((values < 0).sum()), n, spread)
