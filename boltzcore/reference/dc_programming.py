"""S-DCP in plain numpy (Upadhya and Sastry 2017, Algorithms 2 and 3)."""

from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import Phases, ascended, difference, gibbs_steps, hidden_given_visible


def sdcp_update(
    W: Array, b: Array, c: Array, minibatch: Array, draws: Draws, *, rate: float, d: int, K_prime: int
) -> Phases:
    """Yield the phases of one update; the last one has the new parameters.

    The negative log-likelihood is a difference f - g of convex functions. The gradient of g, the data term, is held at
    its value before the update; d gradient steps on f follow, each after K' Gibbs steps of the chains. The chains start
    at the mini-batch and go on through all d steps. With d = 1 this is CD-K'.

    Parameters
    ----------
    W, b, c : arrays (n, m), (n,), (m,)
        Parameters before the update, of n visible and m hidden units (the paper: m visible, n hidden, W transposed).
    minibatch : array (rows, n) of 0 and 1
    draws : Draws
    rate, d, K_prime
        Learning rate, inner steps, and Gibbs steps of each chain in an inner step.

    Yields
    ------
    phase : {"data", "start", "hidden", "visible", "end", "difference", "new"}
    arrays : dict of str to array
    """
    data = hidden_given_visible(minibatch, W, c)  # p(h | v), and so the gradient of g, before the update
    yield "data", data

    v = minibatch
    yield "start", {"v": v}
    for inner in range(d):
        v = yield from gibbs_steps(v, W, b, c, draws, range(inner * K_prime, (inner + 1) * K_prime))
        end = hidden_given_visible(v, W, c)
        yield "end", end

        G = difference(data, end)  # the gradient of g, less that of f as the chains estimate it
        yield "difference", G
        new = ascended(W, b, c, G, rate)
        W, b, c = new.values()
        yield "new", new
