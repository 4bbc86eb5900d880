"""Textbook cost of an update: multiplications and additions, each counted as one operation."""

import math
from collections.abc import Sequence

MESSAGE = 6  # log((1 + e**(w + c)) / (1 + e**c)): c without the opposite message, w + c, two sums, quotient, total


def product(rows: int, n: int, m: int) -> int:
    """Return the cost of multiplying rows of n numbers by an (n, m) matrix, or of the mean of their outer products."""
    return 2 * rows * n * m


def step(size: int) -> int:
    """Return the cost of a step of `size` parameters along a direction."""
    return 2 * size


def singular_values(n: int, m: int) -> int:
    """Return the cost of the thin singular value decomposition of an (n, m) matrix (Golub and Van Loan, section 8.6:
    R-SVD with both sets of vectors).
    """
    low, high = sorted((n, m))
    return 6 * high * low**2 + 20 * low**3


def transform(cardinalities: Sequence[int]) -> int:
    """Return the cost of the transform of a table over all states (Takabatake and Akaho, eq. 11).

    Per state: one sum or difference for each doubling of a variable with a power of two of values (the Walsh-Hadamard
    transform, section 2.2.3), and one for each value after the first of any other (a row of eq. 12).
    """
    each = (size.bit_length() - 1 if size.bit_count() == 1 else size - 1 for size in cardinalities)
    return math.prod(cardinalities) * sum(each)
