"""A contrastive update taken apart: the data term, the chain half step by half step, the gradient, the new weights."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels.ascent import Term
from boltzcore.kernels.elementwise import sigmoid
from boltzcore.kernels.told import Told, blank_told
from boltzcore.learners.batches import Minibatches
from boltzcore.learners.dissection import Dissection, Phase
from boltzcore.learners.ways import half_steps
from boltzcore.models import RBM
from boltzcore.parameters import whole

MOST = 100_000_000  # numbers of a dissection


def dissection(learner: Any, state: Any, batches: Minibatches, row: int, advance: Callable[[Told], Any]) -> Dissection:
    """The update that `advance` does while it fills a `Told`. Raises ValueError where its mini-batch has no such row,
    or where its numbers are too many to keep.
    """
    rows, order, sizes = batches.of(state.count, 1)
    row = whole("row", row, 0, int(sizes[0]) - 1)
    model, d = state.model, learner.inner_steps
    matrices = (7 if learner.centred else 5) * d + 2
    if (numbers := matrices * model.W.size + learner.transitions * 2 * sum(model.W.shape)) > MOST:
        raise ValueError(
            f"An update of {d} inner steps on {model.W.size:,} weights has {numbers:,} numbers, more than the "
            f"{MOST:,} that can be taken apart."
        )
    v = rows[order[0, row]]
    start = state.chains[row].copy() if learner.persistent else v
    n_visible, n_hidden = model.W.shape
    told = blank_told(row, n_visible, n_hidden, d, learner.transitions, learner.centred)
    after = advance(told)
    models = [model]
    for inner in range(d):
        models.append(_moved(models[-1], told, inner, np.float32(learner.rate)))
    phases = [
        Phase("data", 0, {"v": v, "field": told.at_data, "p": sigmoid(told.at_data)}),
        Phase("start", 0, {"v": start}),
    ]
    for inner in range(d):
        phases += _of_chain(learner, told, inner, start, state)
        phases += _of_gradient(learner, told, inner)
        start = told.chain.v[(inner + 1) * learner.gibbs_steps - 1]
    return Dissection("contrastive", tuple(phases), tuple(models), after, row, int(sizes[0]))


def _moved(model: RBM, told: Told, inner: int, rate: np.float32) -> RBM:
    """A step of the parameters, in the arithmetic of `ascent.ascend`."""
    step = told.direction
    return RBM(model.W + rate * step.vp[inner], model.b + rate * step.v[inner], model.c + rate * step.p[inner])


def _of_chain(learner: Any, told: Told, inner: int, v: NDArray[np.uint8], state: Any) -> Iterator[Phase]:
    """Half step by half step from v on, to where the inner step takes the chain."""
    steps = range(inner * learner.gibbs_steps, (inner + 1) * learner.gibbs_steps)
    for kind, arrays in half_steps(told.chain, steps, v, state.seed, state.count):
        yield Phase(kind, inner, arrays)
    field = told.at_end[inner]
    yield Phase("end", inner, {"v": told.chain.v[steps[-1]], "field": field, "p": sigmoid(field)})


def _of_gradient(learner: Any, told: Told, inner: int) -> Iterator[Phase]:
    """From the averages of both terms to the step of the parameters."""
    data, model = told.data, type(told.model)(*(each[inner] for each in told.model))
    terms = {"data_W": data.vp, "data_b": data.v, "data_c": data.p, "W": data.vp - model.vp, "b": data.v - model.v}
    terms |= {"c": data.p - model.p, "model_W": model.vp, "model_b": model.v, "model_c": model.p}
    yield Phase("difference", inner, terms)
    of_step = {name: each[inner] for name, each in zip("Wbc", told.direction, strict=False)}
    if learner.centred:
        yield Phase("offsets", inner, {"mu": model.mu, "lambda": model.lambda_})
        both = {"data_W": _centred(data), "model_W": _centred(model)}
        yield Phase("centred", inner, {"data_mu": data.mu, "data_lambda": data.lambda_, **both, **of_step})
    if learner.spectral:
        s = np.linalg.svd(terms["W"].astype(np.float64), compute_uv=False)
        yield Phase("equalised", inner, {"s": s, **of_step})
    rate = np.float32(learner.rate)
    yield Phase("new", inner + 1, {name: rate * each for name, each in of_step.items()})


def _centred(term: Term) -> NDArray[np.float32]:
    """(n_visible, n_hidden) <(v - mu)(p - lambda)'> of a term, as `ascent.ascend` works it out."""
    v = term.v - term.mu
    centred: NDArray[np.float32] = term.vp - np.outer(term.mu, term.p) - np.outer(v, term.lambda_)
    return centred
