"""CD-K and PCD-K in plain numpy (Hinton 2002; Tieleman 2008; Upadhya and Sastry 2017, Algorithm 1)."""

from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import Phases, ascended, difference, gibbs_steps, hidden_given_visible


def cd_update(
    W: Array, b: Array, c: Array, minibatch: Array, chains: Array, draws: Draws, *, rate: float, K: int
) -> Phases:
    """Yield the phases of one update; the last one has the new parameters.

    The gradient of the log-likelihood is <v h'>_data - <v h'>_model. The model term is estimated at the ends of K
    Gibbs steps, which CD starts at the mini-batch and PCD where the chains of the update before ended.

    Parameters
    ----------
    W, b, c : arrays (n, m), (n,), (m,)
        Parameters before the update.
    minibatch : array (rows, n) of 0 and 1
    chains : array (chains, n) of 0 and 1
        Where the chains begin: the mini-batch for CD.
    draws : Draws
    rate, K
        Learning rate, and Gibbs steps of each chain.

    Yields
    ------
    phase : {"data", "start", "hidden", "visible", "end", "difference", "new"}
    arrays : dict of str to array
    """
    data = hidden_given_visible(minibatch, W, c)
    yield "data", data

    yield "start", {"v": chains}
    v = yield from gibbs_steps(chains, W, b, c, draws, range(K))
    end = hidden_given_visible(v, W, c)
    yield "end", end

    G = difference(data, end)
    yield "difference", G
    yield "new", ascended(W, b, c, G, rate)
