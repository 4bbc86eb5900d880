"""Contrastive learning of RBMs in plain numpy.

CD-K and PCD-K (Hinton 2002; Tieleman 2008; Upadhya and Sastry 2017, Algorithm 1), S-DCP (Algorithms 2 and 3), CS-DCP
(Algorithm 4), which is the centred gradient of Melchior et al. if d = 1, and stochastic spectral descent (Carlson,
Cevher and Carin 2015).
"""

import numpy as np

from boltzcore.learners import CSDCP, CenteredGradient
from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import Arrays, Phases, Step, Theta, difference, gibbs_steps, hidden_given_visible

EPSILON = np.finfo(np.float32).eps


def cd_update(theta: Theta, minibatch: Array, chains: Array, draws: Draws, *, step: Step, K: int, d: int = 1) -> Phases:
    """Yield the phases of one update of CD-K, PCD-K or S-DCP; the last phase has the new parameters.

    The gradient of the log-likelihood is <v h'>_data - <v h'>_model. The model term is estimated at the ends of K
    Gibbs steps, which CD starts at the mini-batch and PCD at the ends of the last update's chains.

    S-DCP takes d steps. The negative log-likelihood is a difference f - g of convex functions. The gradient of g, the
    data term, is held at its value before the update; d gradient steps on f follow, each after K' = `K` Gibbs steps of
    the chains, which start at the mini-batch and continue through all d steps.

    Parameters
    ----------
    theta : tuple of arrays W (n, m), b (n,), c (m,)
        Parameters before the update; the paper has m visible and n hidden units, and W transposed.
    minibatch : array (rows, n) of 0 and 1
    chains : array (chains, n) of 0 and 1
        Initial states of the chains: the mini-batch, except for PCD.
    draws : Draws
    step : Step
        Step along a gradient: theta <- theta + eta G, unless it has options; their phase precedes "new".
    K, d
        Gibbs steps of each chain per inner step, and number of inner steps.

    Phases: "data", "start", "hidden", "visible", "end", "difference", "new".
    """
    W, b, c = theta
    data = hidden_given_visible(minibatch, W, c)  # p(h | v) before the update gives the gradient of g
    yield "data", data

    v = chains
    yield "start", {"v": v}
    for inner in range(d):
        v = yield from gibbs_steps(v, W, b, c, draws, range(inner * K, (inner + 1) * K))
        end = hidden_given_visible(v, W, c)
        yield "end", end

        G = difference(data, end)  # gradient of g minus the chains' estimate of the gradient of f
        yield "difference", G
        new = yield from step.ascend((W, b, c), G)
        W, b, c = new.values()


def csdcp_update(
    theta: Theta,
    offsets: tuple[Array, Array],
    minibatch: Array,
    draws: Draws,
    settings: CSDCP | CenteredGradient,
    step: Step,
) -> Phases:
    """Yield the phases of one update of CS-DCP; the last one has the new parameters.

    As S-DCP (`cd_update`), with v - mu and p - lambda in place of v and p. The algorithm has centred biases, b' and c':
    p(h = 1 | v) = sigma((v - mu)'W + c') and p(v = 1 | h) = sigma(W (h - lambda) + b'). They are those of a plain RBM
    with b = b' - W lambda and c = c' - W'mu, which is what comes in and goes out. In each inner step the offsets slide
    towards the means of the mini-batch, and b' and c' with them, so that the model stays as it is.

    Parameters
    ----------
    theta, minibatch, draws, step
        As `cd_update`.
    offsets : tuple of arrays mu (n,), lambda (m,)
        Of the visible and of the hidden units before the update.

    Phases: "data", "start", "hidden", "visible", "end", "difference", "offsets", "centred", "new".
    """
    (W, b, c), (mu, lambda_) = theta, offsets
    data = hidden_given_visible(minibatch, W, c)
    yield "data", data
    v = minibatch
    yield "start", {"v": v}
    K_prime, nu_mu, nu_lambda = settings.gibbs_steps, settings.nu_mu, settings.nu_lambda
    for inner in range(settings.inner_steps):
        v = yield from gibbs_steps(v, W, b, c, draws, range(inner * K_prime, (inner + 1) * K_prime))
        end = hidden_given_visible(v, W, c)
        yield "end", end
        G = difference(data, end)
        yield "difference", G

        mu_batch, lambda_batch = G["data_b"], G["data_c"]
        mu, lambda_ = mu + nu_mu * (mu_batch - mu), lambda_ + nu_lambda * (lambda_batch - lambda_)
        yield "offsets", {"mu": mu, "lambda": lambda_}
        if inner == 0:  # the data term and the offsets that it is centred with are held
            data_mu, data_lambda, data_W = mu, lambda_, _centred(G, "data", mu, lambda_)
        model_W = _centred(G, "model", mu, lambda_)
        dW, db, dc = data_W - model_W, G["b"], G["c"]
        terms = {"data_mu": data_mu, "data_lambda": data_lambda, "data_W": data_W, "model_W": model_W}
        plain = {"W": dW, "b": db - dW @ lambda_, "c": dc - mu @ dW}  # gradient of the plain parameters
        yield "centred", terms | plain

        new = yield from step.ascend((W, b, c), plain)
        W, b, c = new.values()


def _centred(G: Arrays, term: str, mu: Array, lambda_: Array) -> Array:
    """Return <(v - mu)(p - lambda)'> (n, m), of the rows of a term."""
    return G[f"{term}_W"] - np.outer(mu, G[f"{term}_c"]) - np.outer(G[f"{term}_b"] - mu, lambda_)


def ssd_update(theta: Theta, minibatch: Array, draws: Draws, *, step: Step, K: int) -> Phases:
    """Yield the phases of one update of stochastic spectral descent; the last one has the new parameters.

    Like CD-K, but W moves along the sharp operator of its gradient G = U diag(s) V', which is (sum s) U V': a step
    equally large in all singular directions. The biases take the plain gradient.

    Parameters
    ----------
    theta, minibatch, draws, step, K
        As `cd_update`.

    Phases: "data", "start", "hidden", "visible", "end", "difference", "equalised", "new".
    """
    for phase, G in cd_update(theta, minibatch, minibatch, draws, step=step, K=K):
        yield phase, G
        if phase == "difference":
            break

    U, s, Vt = np.linalg.svd(G["W"], full_matrices=False)
    Vt[s <= s[0] * EPSILON * max(G["W"].shape)] = 0  # directions that are zero up to rounding
    equal = {"W": s.sum() * U @ Vt, "b": G["b"], "c": G["c"]}
    yield "equalised", {"s": s, **equal}
    yield from step.ascend(theta, equal)
