"""What is wrong with a model, its data or its training: only what was seen, with figures, and what to try."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from boltzcore.data.examples import Dataset, Examples
from boltzcore.inference.annealing import USUAL, Annealing
from boltzcore.measures.diagnosis import columns, fit, training, units
from boltzcore.measures.diagnosis.case import Case, Learning, dataset_of
from boltzcore.measures.diagnosis.finding import Finding, Remedy
from boltzcore.measures.measure import MeasureContext
from boltzcore.ticks import Tick, idle

# What is looked for, causes before what may follow from them.
LOOKED_FOR: tuple[Callable[[Case], Finding | None], ...] = (
    columns.constant,
    columns.duplicated,
    training.biases_off,
    training.rate_too_large,
    training.rate_too_small,
    training.small_batch,
    training.few_chains,
    training.exploding,
    units.saturated,
    units.dead,
    units.all_ones,
    units.twins,
    fit.likelihood_fell,
    fit.overfitting,
    fit.not_at_equilibrium,
    fit.likelihood_in_doubt,
)


def diagnose(
    model: Any,
    data: Dataset | Examples | ArrayLike,
    *,
    learner: Learning | None = None,
    state: Any = None,
    records: Sequence[tuple[int, Mapping[str, float]]] = (),
    annealing: Annealing = USUAL,
    seed: int = 0,
    tick: Tick = idle,
) -> list[Finding]:
    """What is wrong with a model; [] where nothing was seen.

    data : what it was trained on; with a data set also held-out rows are looked at
    learner, state : of its training, as it is now: then chains and the size of an update are looked at, too. The state
        stays as it is
    records : figures of the training so far, oldest first: (count of updates, {name: value}), ...
    annealing : how the likelihood is estimated where it is out of reach
    seed : of the pixels that are drawn anew, and of the chains of an estimate
    Units, weights, updates and chains are looked at of RBMs; of other models data and overfitting.
    Raises ValueError where model and data do not fit.

    >>> from boltzcore.data import load
    >>> from boltzcore.measures import diagnose
    >>> from boltzcore.models import RBM, RBMSetup
    >>> rows = load("digits")
    >>> rbm = RBMSetup(hidden=8, sigma=0.5).initial(rows.train, seed=0)
    >>> rbm = RBM(rbm.W, rbm.b, rbm.c + 30)
    >>> "saturated units" in [finding.name for finding in diagnose(rbm, rows)]
    True
    """
    dataset = dataset_of(data)
    if model.n_visible != dataset.train.n_visible:
        raise ValueError(
            f"The model has {model.n_visible} visible units, but the rows of the data have {dataset.train.n_visible}."
        )
    step = 0 if state is None else state.count
    context = MeasureContext(seed, step, annealing, tick=tick, shared={})
    case = Case(model, dataset, not isinstance(data, Dataset), learner, state, context, records)
    return [finding for look in LOOKED_FOR if (finding := look(case)) is not None]


__all__ = ["LOOKED_FOR", "Case", "Finding", "Learning", "Remedy", "diagnose"]
