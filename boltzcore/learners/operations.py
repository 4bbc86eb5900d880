"""Textbook costs of an update: multiplications and additions, each counted as one."""

import math
from collections.abc import Sequence

MESSAGE = 6  # log((1 + e**(w + c)) / (1 + e**c)): c without its answer, w + c, two sums, the quotient, the total


def product(rows: int, n: int, m: int) -> int:
    """Of rows of n numbers with an (n, m) matrix, or of the mean over the rows of their outer products."""
    return 2 * rows * n * m


def step(size: int) -> int:
    """Of a step of so many parameters along a direction."""
    return 2 * size


def singular_values(n: int, m: int) -> int:
    """Of the thin singular value decomposition of an (n, m) matrix (Golub and Van Loan, section 8.6: R-SVD with both
    sets of vectors).
    """
    low, high = sorted((n, m))
    return 6 * high * low**2 + 20 * low**3


def transform(cardinalities: Sequence[int]) -> int:
    """Of the transform of a table over every state, one variable after the other (Takabatake and Akaho, eq. 11).

    For each state a sum or a difference for each doubling of a variable whose number of values is a power of two (the
    Walsh-Hadamard transform, section 2.2.3), and one for each further value of any other (a row of eq. 12).
    """
    each = (size.bit_length() - 1 if size.bit_count() == 1 else size - 1 for size in cardinalities)
    return math.prod(cardinalities) * sum(each)
