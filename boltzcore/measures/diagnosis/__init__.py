"""Diagnosis of a model, its data and its training: observed problems only, with evidence and a remedy."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from boltzcore.data.examples import Dataset, Examples, examples
from boltzcore.inference.annealing import USUAL, Annealing
from boltzcore.measures.diagnosis.case import Case
from boltzcore.measures.diagnosis.findings import LOOKED_FOR, Finding, Remedy
from boltzcore.measures.measure import MeasureContext
from boltzcore.models.base import Model, check_width
from boltzcore.parameters import Parameters, check_arguments, check_kind
from boltzcore.quoting import Refusal, quoted
from boltzcore.ticks import Tick, idle

SMALLEST_IMAGE = 64  # smallest square number of columns that is taken for images


@check_arguments
def diagnose(
    model: Model,
    data: Dataset | Examples | ArrayLike,
    *,
    learner: Parameters | None = None,
    state: Any = None,
    records: Sequence[tuple[int, Mapping[str, float]]] = (),
    annealing: Annealing = USUAL,
    seed: int = 0,
    tick: Tick = idle,
) -> list[Finding]:
    """Return the problems found in a model; [] if there are none.

    data : its training data; for a data set, held-out rows are also examined
    learner, state : the Learner of its training, and the current State, with which chains and the size of an update are
        also examined. The State is not changed
    records : measurements of the training so far, oldest first: (count of updates, {name: value}), ...
    annealing : settings of estimated likelihoods
    seed : seed of random pixels, and of the chains of an estimate
    Units, weights, updates and chains are examined for RBMs; for other models only data and overfitting.
    Raises Refusal if model and data do not fit.

    >>> from boltzcore.data import load
    >>> from boltzcore.measures import diagnose
    >>> from boltzcore.models import RBM, RBMSetup
    >>> rows = load("digits")
    >>> rbm = RBMSetup(hidden=8, sigma=0.5).initial(rows.train, seed=0)
    >>> rbm = RBM(rbm.W, rbm.b, rbm.c + 30)
    >>> "dead units" in [finding.name for finding in diagnose(rbm, rows)]
    True
    """
    if not isinstance(data, Dataset):
        rows = examples(data)
        side = math.isqrt(rows.n_visible)
        data = Dataset(rows, None, rows, shape=(side, side) if side**2 == rows.n_visible >= SMALLEST_IMAGE else None)
    if not isinstance(records, Sequence) or not all(
        isinstance(each, Sequence) and len(each) == 2 and isinstance(each[1], Mapping) for each in records
    ):
        raise Refusal(f"records must be (count of updates, {{name: value}}) pairs, not {quoted(records)}.", "records")
    check_width(model, data.train.n_visible)
    if state is not None:
        check_kind(learner, Parameters, "learner").advance(state, data.train, updates=0)  # refuses another's State
    context = MeasureContext(seed, 0 if state is None else state.count, annealing, tick=tick, shared={})
    case = Case(model, data, learner, state, context, records)
    return [finding for look in LOOKED_FOR for finding in look(case)]


__all__ = ["Finding", "Remedy", "diagnose"]
