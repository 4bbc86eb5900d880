"""Marginals, most likely states and samples from a table of probabilities of all states."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import random as streams
from boltzcore.models.spectrum import Layout
from boltzcore.parameters import whole
from boltzcore.quoting import Refusal, quoted

PART = 1 << 20  # numbers that are sorted or added at once, which takes twice their memory
Evidence = Mapping[int, int]


def check_evidence(cardinalities: Sequence[int], given: Evidence) -> dict[int, int]:
    """Return the evidence as numbers; raise Refusal if a variable does not exist, or has no such value."""
    if not isinstance(given, Mapping):
        raise Refusal(f"given must be {{variable: its value}}, not {quoted(given)}.", "given")
    held = {}
    for variable, value in given.items():
        i = whole("given", variable, 0, len(cardinalities) - 1)
        held[i] = whole(f"The value of variable {i}", value, 0, cardinalities[i] - 1)
    return held


def marginals_of(p: NDArray[np.float64], layout: Layout) -> list[NDArray[np.float64]]:
    """Return P(x_i) of each variable of such a table.

    Each variable is summed out once its marginal is known, so that all together take as long as the first two.
    """
    found, left = [], p
    for size in layout.cardinalities:
        left = left.reshape(-1, size)
        found.append(left.sum(axis=0))
        left = left.sum(axis=1)
    return [each / left.sum() for each in found]


def most_likely_of(p: NDArray[np.float64], layout: Layout, k: int = 1) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return ((k, variables) the most likely states of such a table, (k,) their probabilities)."""
    k = min(whole("k", k, 1, 1_000_000), p.size)
    found = []
    for first in range(0, p.size, PART):
        part = p[first : first + PART]
        found.append(first + (np.argpartition(-part, k - 1)[:k] if k < len(part) else np.arange(len(part))))
    best = np.concatenate(found)
    best = best[np.lexsort((best, -p[best]))][:k]
    return layout.digits(best), p[best]


def select_states(p: NDArray[np.float64], layout: Layout, given: Evidence) -> NDArray[np.float64]:
    """Return the entries of such a table that agree with the evidence: a table of the variables that are not given."""
    sizes = layout.cardinalities
    held = check_evidence(sizes, given)
    wide = [i for i, size in reversed(list(enumerate(sizes))) if size > 1]  # numpy has at most 64 axes
    return p.reshape([sizes[i] for i in wide])[tuple(held.get(i, slice(None)) for i in wide)].reshape(-1)


def draw(p: NDArray[np.float64], layout: Layout, n: int, seed: int) -> NDArray[np.int64]:
    """Return codes (n, variables), drawn from a table of probabilities in the order of the indices."""
    return layout.digits(draw_index(p, n, seed))


def draw_index(p: NDArray[np.float64], n: int, seed: int) -> NDArray[np.int64]:
    """Return indices of states, (n,), drawn from a table of probabilities."""
    u = streams.generator(seed, streams.SAMPLE).random(n)
    parts = [p[first : first + PART] for first in range(0, len(p), PART)]
    ends = np.cumsum([np.cumsum(part)[-1] for part in parts])
    of = np.minimum(np.searchsorted(ends, u * ends[-1], side="right"), len(parts) - 1)
    index = np.empty(n, np.int64)
    for k in np.unique(of):
        here = np.flatnonzero(of == k)
        before = ends[k - 1] if k else 0.0
        within = np.searchsorted(np.cumsum(parts[k]), u[here] * ends[-1] - before, side="right")
        index[here] = k * PART + np.minimum(within, len(parts[k]) - 1)
    return index
