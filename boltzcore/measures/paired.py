"""Paired differences over trials: Student's intervals that hold together, an exact sign-flip test, and Holm's claims.

Trial i of all contenders has the same seed, so what the seed makes easier or harder cancels in the difference.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.05  # of false claims over all contenders together
MOST_EXACT = 16  # pairs: 65,536 sign patterns


@dataclass(frozen=True)
class PairedDifference:
    """The difference between a contender and the reference over the same trials.

    mean : of the differences, in the figure's unit, above 0 where the contender's figure is higher
    low, high : Student's interval of the mean, such that those of all contenders hold together; None where it has none:
        of a single trial, or where all differences are the same
    p : of the exact sign-flip test that the differences are symmetric about 0; None beyond `MOST_EXACT` trials and
        where there is no interval
    better_in, worse_in : trials in which the contender's figure is higher, and lower; n : trials
    claimed : whether a difference from 0 is claimed by Holm's rule; of one that is, the interval may hold 0
    """

    mean: float
    low: float | None
    high: float | None
    p: float | None
    better_in: int
    worse_in: int
    n: int
    claimed: bool

    def within(self, spread: float) -> "PairedDifference":
        """The difference of figures that are estimates, and may be off by so much on average: its interval is wider by
        that, and nothing is claimed of one that lies within.
        """
        low, high = (None, None) if self.low is None or self.high is None else (self.low - spread, self.high + spread)
        return replace(self, low=low, high=high, claimed=self.claimed and abs(self.mean) > spread)


def paired_differences(
    figures: Mapping[str, Sequence[float]], reference: str, level: float = LEVEL, *, pairs: bool = False
) -> dict[str, PairedDifference]:
    """{contender: its difference from the reference} of figures by trial, in the same order of trials for all.

    At most `level` of such comparisons make a false claim, and in as many at most an interval misses its difference, as
    far as differences are normal. Intervals are of 1 - level/m (Bonferroni). Of the contenders in order of Student's p
    the first differs where p is at most level/m, the next where it is at most level/(m - 1), and so on up to the first
    that does not (Holm 1979).

    pairs : whether the reference may have been chosen by these figures, as the best of them, say: m is then the number
        of all pairs of contenders

    Raises ValueError where a contender has another number of trials, or a figure is not finite.
    """
    beside = np.asarray(figures[reference], float)
    differences = {name: np.asarray(values, float) for name, values in figures.items() if name != reference}
    for name, values in differences.items():
        if values.shape != beside.shape:
            raise ValueError(f"{name} must have as many trials as {reference}, {beside.size}, not {values.size}.")
        if not np.isfinite(values - beside).all():
            raise ValueError(f"{name} must have a finite figure in every trial.")
        differences[name] = values - beside
    students = {name: _student_p(values) for name, values in differences.items()}
    found, claims = {}, True
    order = sorted(differences, key=lambda name: (students[name] is None, students[name] or 0.0))
    testable = sum(p is not None for p in students.values())
    family = testable * (testable + 1) // 2 if pairs else testable
    for place, name in enumerate(order):
        values, student = differences[name], students[name]
        claims = claims and student is not None and student <= level / (family - place)
        low, high = (None, None) if student is None else _interval(values, level / family)
        p = None if student is None or values.size > MOST_EXACT else sign_flip_p(values)
        better_in, worse_in = int((values > 0).sum()), int((values < 0).sum())
        found[name] = PairedDifference(float(values.mean()), low, high, p, better_in, worse_in, values.size, claims)
    return {name: found[name] for name in differences}


def sign_flip_p(differences: NDArray) -> float:
    """The share of all patterns of signs in which the mean is as far from 0 as it is, or farther: the exact p, two
    sides, of the hypothesis that the differences are symmetric about 0.
    """
    from scipy.stats import permutation_test  # a second to import

    def mean(values: NDArray, axis: int = -1) -> NDArray:
        return values.mean(axis=axis)

    found = permutation_test(
        (np.asarray(differences, float),), mean, permutation_type="samples", vectorized=True, n_resamples=math.inf
    )
    return float(found.pvalue)


def least_p(n: int) -> float:
    """The smallest p, two sides, that the sign-flip test can have with so many trials."""
    return float(2.0 ** (1 - n))


def _student_p(differences: NDArray) -> float | None:
    """Student's p, two sides, that the mean is 0; None where the differences do not vary."""
    if differences.size < 2 or _same(differences):
        return None
    from scipy.stats import t

    distance = abs(differences.mean()) / _standard_error(differences)
    return float(2 * t.sf(distance, differences.size - 1))


def _interval(differences: NDArray, level: float) -> tuple[float, float]:
    from scipy.stats import t

    half = float(t.isf(level / 2, differences.size - 1)) * _standard_error(differences)
    mean = float(differences.mean())
    return mean - half, mean + half


def _standard_error(differences: NDArray) -> float:
    return float(differences.std(ddof=1)) / math.sqrt(differences.size)


def _same(differences: NDArray) -> bool:
    """Whether all are the same but for rounding."""
    return bool(np.ptp(differences) <= 1e-12 * max(1.0, float(np.abs(differences).max())))
