"""Findings about the data: columns that say nothing, and columns that say the same."""

import numpy as np
from numpy.typing import NDArray

from boltzcore.measures.diagnosis.case import Case
from boltzcore.measures.diagnosis.finding import Finding, Remedy
from boltzcore.quoting import listed

FEWEST_ROWS = 8  # in fewer, columns are alike by chance
RARER = 5  # rows that have a column's rarer values: of fewer, columns that are nearly constant are alike by chance
FEW_ROWS = 200  # of which columns may be alike, or all but alike, by chance: then a fifth has to have the rarer values


def constant(case: Case) -> Finding | None:
    """Columns of one value; of images only those that do not belong to the border around what is drawn."""
    v = case.dataset.train.v
    same = (v == v[0]).all(axis=0)
    if case.shape is not None:
        same &= ~_border(same.reshape(case.shape)).reshape(-1)
    if len(v) < 2 or not same.any() or same.all():
        return None
    which = np.flatnonzero(same)
    they = "has" if len(which) == 1 else "have"
    evidence = f"{len(which):,} of {v.shape[1]:,} {case.pixels} {they} one value in all rows: {_called(case, which)}."
    return Finding("constant columns", evidence, _left_out(case, which, "what never changes says nothing of any row"))


def duplicated(case: Case) -> Finding | None:
    """Columns that have the same value as an earlier one in each row."""
    v = case.dataset.train.v
    n = len(v)
    if n < FEWEST_ROWS:
        return None
    first: dict[bytes, int] = {}
    again: list[tuple[int, int]] = []
    for i, column in enumerate(np.ascontiguousarray(v.T)):
        if n - np.bincount(column).max() < (RARER if n >= FEW_ROWS else max(RARER, n / 5)):
            continue
        before = first.setdefault(column.tobytes(), i)
        if before != i and (n >= FEW_ROWS or not ((v != column[:, None]).sum(axis=0) == 1).any()):
            again.append((i, before))
    if not again:
        return None
    copies = np.array(again)
    pairs = [f"{one} as {other}" for one, other in zip(*(case.named(column) for column in copies.T), strict=True)]
    they = "repeats another" if len(pairs) == 1 else "repeat others"
    evidence = f"{len(pairs):,} of {v.shape[1]:,} {case.pixels} {they} in all rows: {listed(pairs, '')}."
    return Finding("duplicated columns", evidence, _left_out(case, copies[:, 0], "what is said twice counts twice"))


def _left_out(case: Case, which: NDArray, why: str) -> Remedy:
    names = case.dataset.names
    fields = {} if names is None else {"data.leave_out": tuple(names.columns[i] for i in which)}
    return Remedy(f"Leave {'it' if len(which) == 1 else 'them'} out: {why}.", fields)


def _called(case: Case, which: NDArray) -> str:
    return listed(case.named(which), "")


def _border(same: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of these pixels of an image are at its edge, or reach it through others of them."""
    found = same.copy()
    found[1:-1, 1:-1] = False
    while True:
        more = found.copy()
        more[1:] |= found[:-1]
        more[:-1] |= found[1:]
        more[:, 1:] |= found[:, :-1]
        more[:, :-1] |= found[:, 1:]
        more &= same
        if (more == found).all():
            return found
        found = more
