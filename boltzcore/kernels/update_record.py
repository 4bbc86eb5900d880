"""One update of contrastive learning, number by number: what the kernels record where somebody wants to see it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import kernel
from boltzcore.kernels.ascent import Term


class Chain(NamedTuple):
    """A Gibbs chain, half step by half step: what each layer's units were drawn from, and what was drawn.

    row : of the chains
    hidden, visible : (steps, n_hidden) and (steps, n_visible) float32 fields, the log-odds of being on
    h, v : of the same shapes, uint8
    """

    row: int
    hidden: NDArray[np.float32]
    h: NDArray[np.uint8]
    visible: NDArray[np.float32]
    v: NDArray[np.uint8]


class UpdateRecord(NamedTuple):
    """An update: one chain, and the gradient of all.

    chain : a `Chain` through all inner steps
    at_data : (n_hidden,) float32 hidden fields of the mini-batch's row of that number; not set where it has fewer
    at_end : (inner steps, n_hidden) float32 hidden fields of the chain where each inner step takes it
    data : the data term, as in `ascent.Term`
    model, direction : a `Term` whose arrays have the inner steps in front: the averages over the chains, with the
        offsets that they were centred with, and what the parameters moved along (its offsets are empty)
    """

    chain: Chain
    at_data: NDArray[np.float32]
    at_end: NDArray[np.float32]
    data: Term
    model: Term
    direction: Term


def blank_chain(row: int, n_visible: int, n_hidden: int, steps: int) -> Chain:
    """Room for a chain."""
    hidden, visible = (np.zeros((steps, n), np.float32) for n in (n_hidden, n_visible))
    return Chain(row, hidden, hidden.astype(np.uint8), visible, visible.astype(np.uint8))


def blank_record(
    row: int, n_visible: int, n_hidden: int, inner_steps: int, transitions: int, centred: bool
) -> UpdateRecord:
    """Room for an update."""
    widths = (n_visible, n_hidden)
    chain = blank_chain(row, n_visible, n_hidden, transitions)

    def term(*before: int, offsets: bool) -> Term:
        shapes = (widths, widths[:1], widths[1:], *([(n,) for n in widths] if offsets else [(0,), (0,)]))
        return Term(*(np.zeros((*before, *shape), np.float32) for shape in shapes))

    d = inner_steps
    terms = (term(offsets=centred), term(d, offsets=centred), term(d, offsets=False))
    return UpdateRecord(chain, np.zeros(n_hidden, np.float32), np.zeros((d, n_hidden), np.float32), *terms)


@kernel
def record_term(term, vp, v, p):
    """Copy the averages of a term, without the padding that it may have."""
    for q in range(v.size):
        v[q] = term.v[q]
        for j in range(p.size):
            vp[q, j] = term.vp[q, j]
    for j in range(p.size):
        p[j] = term.p[j]


@kernel
def record_offsets(term, mu, lambda_):
    """Copy the offsets that a term is centred with."""
    for q in range(mu.size):
        mu[q] = term.mu[q]
    for j in range(lambda_.size):
        lambda_[j] = term.lambda_[j]
