"""Findings about hidden units, from what they do on training rows."""

import numpy as np
from numpy.typing import NDArray

from boltzcore.measures.activity import always_off, always_on
from boltzcore.measures.diagnosis.case import Case
from boltzcore.measures.diagnosis.finding import Finding, Remedy

SHARE = 0.05  # of the units: a few idle ones are in most large models, and cost little
FLAT = 0.05  # nats by which a unit's log-odds vary over rows: its p(h = 1 | v) then varies by 1 % at most
LEARNT = 0.3  # nats: where units vary by so much, training has given them something to tell rows apart by
EVEN = 0.5  # standard deviation of a unit's weights, in terms of their mean: sign and size are nearly those of all
FEWEST = 5  # columns: the weights of fewer are often about equal by chance
TWIN = 0.01  # of a unit's weights, root mean square: units that have learnt the same differ by 2 % and more
OF_THE_DATA = 0.8  # of the variance along the data's first direction: if "all on" has so much, it is what to learn


def saturated(case: Case) -> Finding | None:
    """Units that are always on, or always off, though their weights tell rows apart."""
    units = case.units
    if units is None:
        return None
    off, on = (kind(units.activity) & (units.spread >= FLAT) for kind in (always_off, always_on))
    if not _many(off | on):
        return None
    n = len(units.activity)
    evidence = (
        f"Of {n:,} hidden units {off.sum():,} are off and {on.sum():,} are on in more than 99 % of the training rows."
    )
    advice = "Start again with a smaller learning rate: units that never change get next to no gradient back."
    return Finding("saturated units", evidence, Remedy(advice, case.smaller_rate()))


def dead(case: Case) -> Finding | None:
    """Units without weight, beside others that have learnt; of a model alone also where none has."""
    units = case.units
    if units is None:
        return None
    flat = units.spread < FLAT
    if not _many(flat) or (case.state is not None and units.spread.max() < LEARNT):
        return None
    n, alive = len(flat), int((~flat).sum())
    evidence = (
        f"{flat.sum():,} of {n:,} hidden units have next to no weights: their log-odds vary by less than {FLAT} nats "
        "from row to row."
    )
    if not alive:
        return Finding("dead units", evidence, Remedy("Train it: no unit has learnt anything."))
    advice = f"Start again with {alive:,} hidden unit{'s' * (alive > 1)}: the others do nothing."
    return Finding("dead units", evidence, Remedy(advice, {"model.hidden": alive}))


def twins(case: Case) -> Finding | None:
    """Units whose weights are those of another one, or their opposite: softplus(-x) = softplus(x) - x, so that the
    model is that of one unit with other visible biases. Their gradients are alike, and training does not part them.
    """
    units = case.units
    if units is None or case.model.n_visible < FEWEST:
        return None
    W = case.model.W[:, units.spread >= FLAT] / (np.abs(case.model.W).max() or 1)
    products = W.T @ W
    size = np.diag(products)
    alike = size + size[:, None] - 2 * np.abs(products) <= TWIN**2 * size
    n = int(np.triu(alike, 1).any(axis=0).sum())
    if not n:
        return None
    evidence = f"{n:,} of {case.model.n_hidden:,} hidden units have the weights of another one, or their opposite."
    advice = "Start again with random weights, or with fewer hidden units: a pair does the work of one unit."
    return Finding("twin units", evidence, Remedy(advice, {"model.hidden": case.model.n_hidden - n}))


def all_ones(case: Case) -> Finding | None:
    """Units whose weights are about equal on all pixels, where the data do not go on and off as one."""
    units = case.units
    varying = np.flatnonzero((case.mean > 0) & (case.mean < 1))
    if units is None or len(varying) < FEWEST:
        return None
    W = case.model.W[varying].astype(np.float64)
    mean, spread = np.abs(W.mean(axis=0)), W.std(axis=0)
    even = (spread < EVEN * mean) & (units.spread >= FLAT)
    if not _many(even) or _as_one(units.v[:, varying]) > OF_THE_DATA:
        return None
    evidence = (
        f"The weights of {even.sum():,} of {W.shape[1]:,} hidden units are about equal on all {case.pixels}: they vary "
        f"by {100 * np.median(spread[even] / mean[even]):.0f} % of their mean."
    )
    advice = (
        "Start again with the centred gradient and with visible biases at the base rate: such units learn the mean."
    )
    return Finding(
        "all-ones features",
        evidence,
        Remedy(advice, {"learner": "CenteredGradient", "model.visible_bias": "base rate"}),
    )


def _many(which: NDArray[np.bool_]) -> bool:
    return bool(which.any() and which.mean() >= SHARE)


def _as_one(v: NDArray) -> float:
    """The variance of rows along the direction in which all columns go together, as a share of the largest that there
    is along any.
    """
    x = v - v.mean(axis=0, dtype=np.float64)
    along = x.sum(axis=1)
    largest = float(np.linalg.norm(x, 2)) ** 2
    return float(along @ along) / x.shape[1] / largest if largest else 0.0
