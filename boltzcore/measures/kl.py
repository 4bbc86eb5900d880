"""KL divergence of a model from its data, and from the true distribution."""

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset, Truth
from boltzcore.measures.measure import Figures, MeasureContext, measure
from boltzcore.models import LogLinear, spectrum
from boltzcore.models.log_linear import check_columns
from boltzcore.models.spectrum import Layout
from boltzcore.ticks import Tick, idle, portion

MOST_STATES = 2**22  # larger tables of the true distribution would take too long
_ROWS = 50_000  # states between two ticks


# Numbers of values, entropy (nats) and expectations of all terms (in the kernels' layout) of a true distribution.
_known: "WeakKeyDictionary[Truth, tuple[tuple[int, ...], float, NDArray[np.float64]]]" = WeakKeyDictionary()


@measure(
    {"kl_to_data": "nats per example"},
    lower=True,
    all_rows=True,
    title="KL to the data",
    about="The extra code length of a training row under the model, compared with the rows' own frequencies: exact, 0 "
    "if both agree.",
)
def kl_to_data(model: LogLinear, rows: Dataset, context: MeasureContext) -> Figures:
    """Return KL(data || model), nats, exact, of all training rows: minus their entropy, less their mean log-likelihood.

    Raises Refusal if the columns of the rows have other numbers of values than the model's variables.
    """
    check_columns(model.cardinalities, rows.train)
    few, share = rows.train.distinct(), rows.train.shares()[1]
    share = share[share > 0]
    table = model.log_weights(tick=portion(context.tick, 0.0, 0.5))
    mean = few.average(table[model.layout.place(model.layout.index(few.v))])
    log_z = spectrum.normalise(table, portion(context.tick, 0.5, 0.5))
    return {"kl_to_data": float(np.sum(share * np.log(share))) - mean + log_z}


@measure(
    {"kl_to_truth": "nats per example"},
    lower=True,
    title="KL to the truth",
    about="The divergence of the model from the true distribution of the rows, if it is known and small enough to sum "
    "over.",
)
def kl_to_truth(model: LogLinear, rows: Dataset, context: MeasureContext) -> Figures:
    """Return KL(truth || model), nats, exact; {} if the truth is not known, or has more than 2**22 states.

    It is minus the truth's entropy, less the expectation of the model's log-weight under it, plus log Z. Raises
    Refusal if the columns of the rows have other numbers of values than the model's variables.
    """
    if rows.truth is None or model.n_states > MOST_STATES:
        return {}
    check_columns(model.cardinalities, rows.train)
    entropy, duals = _entropy_and_duals(rows.truth, model.layout, portion(context.tick, 0.0, 0.8))
    mean = float(np.dot(duals[model.layout.place(model.terms)], model.values))
    return {"kl_to_truth": model.log_partition(tick=portion(context.tick, 0.8, 0.2)) - entropy - mean}


def _entropy_and_duals(truth: Truth, layout: Layout, tick: Tick) -> tuple[float, NDArray[np.float64]]:
    known = _known.get(truth)
    if known is None or known[0] != layout.cardinalities:
        table = layout.arrange(log_probabilities(truth, layout, tick))
        p = np.exp(table)
        entropy = -float(np.sum(p * np.where(p > 0, table, 0.0)))
        spectrum.expectations(layout, p)
        known = _known[truth] = layout.cardinalities, entropy, p
    return known[1:]


def log_probabilities(truth: Truth, layout: Layout, tick: Tick = idle) -> NDArray[np.float64]:
    """Return the log-probability of each state under the truth, (states,), in the order of their indices, nats."""
    table = np.empty(layout.size)
    for first in range(0, layout.size, _ROWS):
        index = np.arange(first, min(first + _ROWS, layout.size))
        table[index] = truth.log_likelihood(layout.digits(index))
        tick(first / layout.size)
    return table
