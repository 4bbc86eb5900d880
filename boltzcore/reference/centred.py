"""CS-DCP in plain numpy (Upadhya and Sastry 2017, Algorithm 4); with d = 1 the centred gradient of Melchior et al."""

import numpy as np

from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import Arrays, Phases, difference, gibbs_steps, hidden_given_visible


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

    As `sdcp_update`, with v - mu and p - lambda in place of v and p. The algorithm has centred biases, b' and c':
    p(h = 1 | v) = sigma((v - mu)'W + c') and p(v = 1 | h) = sigma(W (h - lambda) + b'). They are those of a plain RBM
    with b = b' - W lambda and c = c' - W'mu, which is what comes in and goes out. In each inner step the offsets slide
    towards the means of the mini-batch, and b' and c' with them, so that the model stays as it is.

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
    data = hidden_given_visible(minibatch, W, c)
    yield "data", data
    b_centred, c_centred = b + W @ lambda_, c + mu @ W

    v = minibatch
    yield "start", {"v": v}
    for inner in range(d):
        b, c = b_centred - W @ lambda_, c_centred - mu @ W
        v = yield from gibbs_steps(v, W, b, c, draws, range(inner * K_prime, (inner + 1) * K_prime))
        end = hidden_given_visible(v, W, c)
        yield "end", end
        G = difference(data, end)
        yield "difference", G

        mu_batch, lambda_batch = G["data_b"], G["data_c"]
        b_centred = b_centred + nu_lambda * W @ (lambda_batch - lambda_)
        c_centred = c_centred + nu_mu * (mu_batch - mu) @ W
        mu, lambda_ = mu + nu_mu * (mu_batch - mu), lambda_ + nu_lambda * (lambda_batch - lambda_)
        yield "offsets", {"mu": mu, "lambda": lambda_}
        if inner == 0:  # the data term is held, and so are the offsets that it is centred with
            data_mu, data_lambda, data_W = mu, lambda_, _centred(G, "data", mu, lambda_)
        model_W = _centred(G, "model", mu, lambda_)
        dW, db, dc = data_W - model_W, G["b"], G["c"]
        terms = {"data_mu": data_mu, "data_lambda": data_lambda, "data_W": data_W, "model_W": model_W}
        yield "centred", {**terms, "W": dW, "b": db - dW @ lambda_, "c": dc - mu @ dW}  # of the plain parameters

        W, b_centred, c_centred = W + rate * dW, b_centred + rate * db, c_centred + rate * dc
        yield "new", {"W": W, "b": b_centred - W @ lambda_, "c": c_centred - mu @ W}


def _centred(G: Arrays, term: str, mu: Array, lambda_: Array) -> Array:
    """Return <(v - mu)(p - lambda)'> (n, m), of the rows of a term."""
    return G[f"{term}_W"] - np.outer(mu, G[f"{term}_c"]) - np.outer(G[f"{term}_b"] - mu, lambda_)
