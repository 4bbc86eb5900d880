"""Findings about the data: constant columns, and columns that repeat others."""

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_propagation

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
        edge = same.reshape(case.shape).copy()
        edge[1:-1, 1:-1] = False
        same &= ~binary_propagation(edge, mask=same.reshape(case.shape)).reshape(-1)
    if len(v) < 2 or not same.any() or same.all():
        return None
    which = np.flatnonzero(same)
    they, called = "has" if len(which) == 1 else "have", listed(case.named(which), "")
    evidence = f"{len(which):,} of {v.shape[1]:,} {case.pixels} {they} one value in all rows: {called}."
    return Finding("constant columns", evidence, _left_out(case, which, "a constant column carries no information"))


def duplicated(case: Case) -> Finding | None:
    """Columns that have the value of an earlier one, or its opposite, in each row."""
    v = case.dataset.train.v
    n = len(v)
    if n < FEWEST_ROWS:
        return None
    first: dict[bytes, int] = {}
    again: list[int] = []
    texts: list[str] = []
    for i, column in enumerate(np.ascontiguousarray(v.T)):
        if n - np.bincount(column).max() < (RARER if n >= FEW_ROWS else max(RARER, n / 5)):
            continue
        opposite = column.max() - column + column.min()
        before = first.setdefault(min(column.tobytes(), opposite.tobytes()), i)
        chance = n < FEW_ROWS and any(((v != each[:, None]).sum(axis=0) == 1).any() for each in (column, opposite))
        if before != i and not chance:
            again.append(i)
            one, other = case.named(np.array([i, before]))
            texts.append(f"{one} as {'' if (v[:, before] == column).all() else 'the opposite of '}{other}")
    if not again:
        return None
    they = "repeats another" if len(again) == 1 else "repeat others"
    evidence = f"{len(again):,} of {v.shape[1]:,} {case.pixels} {they} in all rows: {listed(texts, '')}."
    return Finding("duplicated columns", evidence, _left_out(case, np.array(again), "a repeated column counts twice"))


def _left_out(case: Case, which: NDArray, why: str) -> Remedy:
    names = case.dataset.names
    fields = {} if names is None else {"data.leave_out": tuple(names.columns[i] for i in which)}
    return Remedy(f"Leave {'it' if len(which) == 1 else 'them'} out: {why}.", fields)
