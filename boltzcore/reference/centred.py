"""CS-DCP in plain numpy (Upadhya and Sastry 2017, Algorithm 4); with d = 1 the centred gradient of Melchior et al."""

import numpy as np

from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import Phases, Statistics, difference, gibbs_steps, hidden_given_visible


def csdcp_update(
    W: Array,
    b: Array,
    c: Array,
    mu: Array,
    lambda_: Array,
    minibatch: Array,
    draws: Draws,
    *,
    rate: float,
    d: int,
    K_prime: int,
    nu_mu: float,
    nu_lambda: float,
) -> Phases:
    """Yield the phases of one update; the last one has the new parameters.

    As `sdcp_update`, with v - mu and p - lambda in place of v and p. The offsets slide towards the means of the
    mini-batch in each inner step. The model is kept in its plain parameters: a step of the centred ones, W, b' and c',
    moves b = b' - W lambda and c = c' - W'mu by their own step less that of W times the offsets.

    Parameters
    ----------
    W, b, c : arrays (n, m), (n,), (m,)
        Parameters before the update.
    mu, lambda_ : arrays (n,), (m,)
        Offsets of the visible and of the hidden units before the update.
    minibatch : array (rows, n) of 0 and 1
    draws : Draws
    rate, d, K_prime, nu_mu, nu_lambda
        Learning rate, inner steps, Gibbs steps of each chain in an inner step, and sliding factors of the offsets.

    Yields
    ------
    phase : {"data", "start", "hidden", "visible", "end", "difference", "offsets", "centred", "new"}
    arrays : dict of str to array
    """
    rows = hidden_given_visible(minibatch, W, c)
    yield "data", rows
    data = Statistics.from_rows(minibatch, rows["p"])

    v = minibatch
    yield "start", {"v": v}
    for inner in range(d):
        v = yield from gibbs_steps(v, W, b, c, draws, range(inner * K_prime, (inner + 1) * K_prime))
        end = hidden_given_visible(v, W, c)
        yield "end", end
        model = Statistics.from_rows(v, end["p"])
        G = difference(data, model)
        yield "difference", G

        mu, lambda_ = mu + nu_mu * (data.b - mu), lambda_ + nu_lambda * (data.c - lambda_)
        yield "offsets", {"mu": mu, "lambda": lambda_}
        if inner == 0:  # the data term is held, and so are the offsets that it is centred with
            data_mu, data_lambda = mu, lambda_
        data_W, model_W = _centred(data, data_mu, data_lambda), _centred(model, mu, lambda_)
        dW = data_W - model_W
        db, dc = G["b"] - dW @ lambda_, G["c"] - mu @ dW
        offsets = {"data_mu": data_mu, "data_lambda": data_lambda}
        yield "centred", {**offsets, "data_W": data_W, "model_W": model_W, "W": dW, "b": db, "c": dc}
        W, b, c = W + rate * dW, b + rate * db, c + rate * dc
        yield "new", {"W": W, "b": b, "c": c}


def _centred(term: Statistics, mu: Array, lambda_: Array) -> Array:
    """Return <(v - mu)(p - lambda)'> (n, m)."""
    return term.W - np.outer(mu, term.c) - np.outer(term.b - mu, lambda_)
