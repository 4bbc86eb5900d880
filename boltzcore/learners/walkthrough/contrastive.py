"""The trace of a contrastive update: data term, chain half step by half step, gradient, new weights."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels.ascent import Term
from boltzcore.kernels.elementwise import sigmoid
from boltzcore.kernels.update_record import UpdateRecord, blank_record
from boltzcore.learners.batches import Minibatches
from boltzcore.learners.walkthrough.chains import half_steps
from boltzcore.learners.walkthrough.recorder import Recorder
from boltzcore.learners.walkthrough.trace import UpdateTrace
from boltzcore.models import RBM
from boltzcore.parameters import whole

MOST = 100_000_000  # numbers of a trace

Arrays = dict[str, NDArray[Any]]


def trace(learner: Any, state: Any, batches: Minibatches, row: int, advance: Callable[[Recorder], Any]) -> UpdateTrace:
    """The trace of the update that `advance` makes with a recorder.

    Raises ValueError where its mini-batch has no such row, or where its numbers are too many to keep.
    """
    rows, order, sizes = batches.updates(state.count, 1)
    row = whole("row", row, 0, int(sizes[0]) - 1)
    chain = row * learner.copies  # the first of those that start at the row
    recorder = Recorder(chain, state.model)
    model, d = state.model, learner.inner_steps
    matrices = (7 if learner.centred else 5) * d + 2
    if (numbers := matrices * model.W.size + learner.transitions * 2 * sum(model.W.shape)) > MOST:
        raise ValueError(
            f"An update of {d} inner steps on {model.W.size:,} weights has {numbers:,} numbers, more than the "
            f"{MOST:,} that can be taken apart."
        )
    v = rows[order[0, row]]
    start = state.chains[chain].copy() if learner.persistent else v
    recorder.kernel = record = blank_record(
        chain, model.n_visible, model.n_hidden, d, learner.transitions, learner.centred
    )
    after = advance(recorder)
    recorder.record("data", v=v, field=record.at_data, p=sigmoid(record.at_data))
    recorder.record("start", v=start)
    for inner in range(d):
        recorder.record_each(_chain, learner, record, inner, start, state)
        recorder.record_each(_gradient, learner, record, inner)
        step = {name: np.float32(learner.rate) * each[inner] for name, each in _direction(record)}
        model = RBM(model.W + step["W"], model.b + step["b"], model.c + step["c"])  # as `ascent.ascend` rounds
        recorder.set_model(model)
        recorder.record("new", **step)
        start = record.chain.v[(inner + 1) * learner.gibbs_steps - 1]
    return UpdateTrace("contrastive", tuple(recorder.phases), tuple(recorder.models), after, row, int(sizes[0]))


def _direction(record: UpdateRecord) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """(name, (inner steps, ...) what it moves along) of each parameter."""
    return zip("Wbc", record.direction, strict=False)


def _chain(
    learner: Any, record: UpdateRecord, inner: int, v: NDArray[np.uint8], state: Any
) -> Iterator[tuple[str, Arrays]]:
    """Half step by half step from v on, to where the inner step takes the chain."""
    steps = range(inner * learner.gibbs_steps, (inner + 1) * learner.gibbs_steps)
    yield from half_steps(record.chain, steps, v, state.seed, state.count)
    field = record.at_end[inner]
    yield "end", {"v": record.chain.v[steps[-1]], "field": field, "p": sigmoid(field)}


def _gradient(learner: Any, record: UpdateRecord, inner: int) -> Iterator[tuple[str, Arrays]]:
    """From the averages of both terms to the direction of the parameters."""
    data, model = record.data, type(record.model)(*(each[inner] for each in record.model))
    terms = {"data_W": data.vp, "data_b": data.v, "data_c": data.p, "W": data.vp - model.vp, "b": data.v - model.v}
    terms |= {"c": data.p - model.p, "model_W": model.vp, "model_b": model.v, "model_c": model.p}
    yield "difference", terms
    direction = {name: each[inner] for name, each in _direction(record)}
    if learner.centred:
        yield "offsets", {"mu": model.mu, "lambda": model.lambda_}
        both = {"data_W": _centred(data), "model_W": _centred(model)}
        yield "centred", {"data_mu": data.mu, "data_lambda": data.lambda_, **both, **direction}
    if learner.spectral:
        s = np.linalg.svd(terms["W"].astype(np.float64), compute_uv=False)
        yield "equalised", {"s": s, **direction}


def _centred(term: Term) -> NDArray[np.float32]:
    """(n_visible, n_hidden) <(v - mu)(p - lambda)'> of a term, as `ascent.ascend` works it out."""
    v = term.v - term.mu
    centred: NDArray[np.float32] = term.vp - np.outer(term.mu, term.p) - np.outer(v, term.lambda_)
    return centred
