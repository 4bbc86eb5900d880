"""The trace of an update with exchanges: a chain on every rung, swaps, and the gradient."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import tempered
from boltzcore.kernels.ascent import Term
from boltzcore.kernels.elementwise import sigmoid
from boltzcore.kernels.random import EXCHANGE, uniforms
from boltzcore.learners.batches import Minibatches
from boltzcore.learners.walkthrough.recorder import Arrays, Recorder
from boltzcore.learners.walkthrough.trace import UpdateTrace
from boltzcore.parameters import whole

MOST = 100_000_000  # numbers of a trace

Floats = NDArray[np.float32]


def trace(
    learner: Any, state: Any, batches: Minibatches, row: int, advance: Callable[[Any, Recorder], Any]
) -> UpdateTrace:
    """The trace of the update that `advance` makes of a State with a recorder.

    Raises ValueError where its mini-batch has no such row, or where its numbers are too many to keep.
    """
    _, _, sizes = batches.updates(state.count, 1)
    row = whole("row", row, 0, int(sizes[0]) - 1)
    if (numbers := 7 * state.model.W.size) > MOST:
        raise ValueError(
            f"An update of {state.model.W.size:,} weights has {numbers:,} numbers, more than the {MOST:,} that can be "
            "taken apart."
        )
    recorder = Recorder(row, state.model)
    after = advance(state.copy(), recorder)
    return UpdateTrace("tempering", tuple(recorder.phases), tuple(recorder.models), after, row, int(sizes[0]))


def data_row(v: NDArray[np.uint8], fields: Floats) -> Arrays:
    """The phase "data": a row, and what each hidden unit adds up of it."""
    return {"v": v, "field": fields, "p": sigmoid(fields)}


def difference(data: Term, model: Term, n_hidden: int) -> Arrays:
    """The phase "difference": both terms of the gradient, and what the parameters move along."""
    of_data, of_model = data.vp[:, :n_hidden], model.vp[:, :n_hidden]
    terms = {"data_W": of_data, "model_W": of_model, "W": of_data - of_model}
    return {**terms, "b": data.v - model.v, "c": data.p - model.p}


def step(direction: Term, rate: np.float32, n_hidden: int) -> Arrays:
    """The phase "new": how far the parameters have moved."""
    return {"W": rate * direction.vp[:, :n_hidden], "b": rate * direction.v, "c": rate * direction.p}


def swaps(
    b: Floats,
    base: Floats,
    ladder: Floats,
    v: NDArray[np.uint8],
    fields: Floats,
    n_hidden: int,
    drawn: tuple[int, int, int, int],
    accepted: NDArray[np.uint8],
) -> Iterator[tuple[str, Arrays]]:
    """(kind, arrays) of the phases "swap" of neighbours on a ladder, even rungs with the next ones, then odd ones.

    v, fields : of one chain on every rung before them, (rungs, n_visible) and (rungs, width)
    drawn : seed, update, chains on a rung, and the chain's number, of which the numbers are drawn
    accepted : (rungs - 1,) which of them were
    """
    seed, update, chains, chain = drawn
    v, fields, states = v.copy(), fields.copy(), np.arange(len(v))
    for parity in range(2):
        lower = np.arange(parity, len(v) - 1, 2)
        logs = np.empty((len(lower), 2))
        for k, i in enumerate(lower):
            pair = slice(i, i + 2)
            tempered.log_ratios(b, base, ladder[i], ladder[i + 1], n_hidden, v[pair], fields[pair], logs[k])
        u = [float(uniforms(seed, EXCHANGE, update, i * chains + chain, 1)[0]) for i in lower]
        for i in lower[accepted[lower] > 0]:
            for each in (v, fields, states):
                each[[i, i + 1]] = each[[i + 1, i]]
        yield (
            "swap",
            {
                "v": v,
                "states": states,
                "lower": lower,
                "of_x": -logs[:, 0],
                "of_y": logs[:, 1],
                "u": np.array(u, np.float32),
                "accepted": accepted[lower],
            },
        )
