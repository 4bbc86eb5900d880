"""A Gibbs chain, half step by half step, and an inference, iteration by iteration, as phases of an update."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference.rounds import rounds
from boltzcore.kernels.elementwise import sigmoid
from boltzcore.kernels.random import GIBBS, uniforms
from boltzcore.kernels.update_record import Chain

Floats = NDArray[np.float32]
ENDS = 4  # iterations, first and last, whose messages are recorded
MOST_MESSAGES = 20_000_000  # of all that are recorded, in both directions


def half_steps(
    chain: Chain, steps: range, v: NDArray[np.uint8], seed: int, update: int
) -> Iterator[tuple[str, dict[str, NDArray[Any]]]]:
    """(kind, arrays) of the phases "hidden" and "visible" of some steps of a chain that begin at v: what each unit was
    drawn from, with the uniforms that its stream gave.
    """
    n_hidden, n_visible = chain.hidden.shape[1], chain.visible.shape[1]
    for k in steps:
        u = uniforms(seed, GIBBS, update, chain.row, n_hidden + n_visible, k * (n_hidden + n_visible))
        field, h = chain.hidden[k], chain.h[k]
        yield "hidden", {"v": v, "field": field, "p": sigmoid(field), "u": u[:n_hidden], "h": h}
        field, v = chain.visible[k], chain.v[k]
        yield "visible", {"h": h, "field": field, "p": sigmoid(field), "u": u[n_hidden:], "v": v}


def iterations(
    kind: str, W: Floats, b: Floats, c: Floats, residuals: Floats
) -> Iterator[tuple[str, dict[str, NDArray[Any]]]]:
    """(kind, arrays) of the phases "begin" and "iteration": one row's beliefs before the first iteration of an
    inference, and after each.

    In a model that is not too large, with the log-odds `field_v` and `field_h` of the beliefs, and the messages to_v_W
    and to_h_W (n_visible, n_hidden) that add up to these together with the biases: of many iterations the messages of
    the first and of the last.

    kind : of inference, as `Inference` names it
    W, b, c : weights, and the row's biases
    residuals : (iterations,) the largest change of a belief in each
    """
    count, fits = len(residuals), 4 * ENDS * W.size <= MOST_MESSAGES
    for t, each in enumerate(rounds(W, b, c, kind, count, messages=fits)):
        terms: dict[str, Any] = {}
        if fits:
            terms["field_v"] = b + (0.0 if each.to_v is None else each.to_v.sum(axis=1))
            terms["field_h"] = c + (0.0 if each.to_h is None else each.to_h.sum(axis=0))
        if t <= ENDS or t > count - ENDS:
            messages = {"to_v_W": each.to_v, "to_h_W": each.to_h}
            terms |= {name: some.astype(np.float32) for name, some in messages.items() if some is not None}
        yield "iteration" if t else "begin", {"v": each.v, "h": each.h, "residuals": residuals[:t], **terms}
