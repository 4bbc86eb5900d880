"""Whether positive weights balance some rows, in rational numbers: simplex as in any textbook, with Bland's rule."""

from fractions import Fraction
from itertools import combinations

import numpy as np


def margins(x):
    """(n * d, d(d+1)/2) whole numbers A: A theta are the margins of rows x of spins; biases first, then couplings."""
    d = x.shape[1]
    pairs = list(combinations(range(d), 2))
    out = []
    for row in x.astype(int).tolist():
        for j in range(d):
            biases = [row[j] * (k == j) for k in range(d)]
            out.append(biases + [row[j] * row[k + m - j] if j in (k, m) else 0 for k, m in pairs])
    return np.array(out)


def has_maximiser(x):
    """Whether y > 0 with A'y = 0 exists: just then no direction has margins of 0 or more, and one positive (Stiemke).

    With y = 1 + z that is whether A'z = -A'1 has a solution z >= 0, the first phase of the simplex method.
    """
    A = margins(x)
    left, right = A.T, -A.sum(axis=0)
    signs = np.where(right < 0, -1, 1)
    rows = [
        [Fraction(int(s * v)) for v in row] + [Fraction(int(i == j)) for j in range(len(left))] + [Fraction(int(s * r))]
        for i, (row, r, s) in enumerate(zip(left, right, signs, strict=True))
    ]
    n = len(A)
    basis = [n + i for i in range(len(rows))]
    cost = [-sum(row[k] for row in rows) for k in range(n)] + [Fraction(0)] * len(rows) + [-sum(r[-1] for r in rows)]
    while any(c < 0 for c in cost[:n]):
        enter = next(k for k in range(n) if cost[k] < 0)
        ratios = [(row[-1] / row[enter], basis[i], i) for i, row in enumerate(rows) if row[enter] > 0]
        _, _, leave = min(ratios)
        pivot = rows[leave][enter]
        rows[leave] = [v / pivot for v in rows[leave]]
        for i, row in enumerate(rows):
            if i != leave and row[enter]:
                factor = row[enter]
                rows[i] = [v - factor * p for v, p in zip(row, rows[leave], strict=True)]
        factor = cost[enter]
        cost = [v - factor * p for v, p in zip(cost, rows[leave], strict=True)]
        basis[leave] = enter
    return cost[-1] == 0
