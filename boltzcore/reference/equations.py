"""The phases of updates, and the equation of each."""

from collections.abc import Mapping

OPTIONS = "G becomes V / eta, V <- momentum V + rate (G - decay of W), |G| at most the clip"
# {family of updates: {kind of phase: its equation}}, complete
FAMILIES: Mapping[str, Mapping[str, str]] = {
    "contrastive": {
        "data": "p(h_j = 1 | v) = sigma(c_j + sum_i v_i W_ij), v a row of the data",
        "start": "v^0, where the chain begins",
        "hidden": "h_j = 1 if u < sigma(c_j + sum_i v_i W_ij), u uniform in (0, 1)",
        "visible": "v_i = 1 if u < sigma(b_i + sum_j W_ij h_j), u uniform in (0, 1)",
        "end": "p(h_j = 1 | v) = sigma(c_j + sum_i v_i W_ij), v the end of the chain",
        "offsets": "mu <- mu + nu_mu (<v> - mu), lambda <- lambda + nu_lambda (<p> - lambda)",
        "difference": "G = <v p'>_data - <v p'>_model",
        "centred": "G = <(v - mu)(p - lambda)'>_data - <(v - mu)(p - lambda)'>_model",
        "equalised": "G = U diag(s) V' becomes (sum s) U V'",
        "options": OPTIONS,
        "new": "theta <- theta + eta G",
    },
    "conditional": {
        "given": "b(x) = b_v + W_vx x, c(x) = b_h + W_hx x",
        "clamped": "p(h_j = 1 | v, x) = sigma(c_j(x) + sum_i v_i W_ij), v the clean row",
        "augmented": "b_i(x) + 1 - 2 v_i: each pixel that differs from the clean row gains 1",
        "start": "v_i = 1 if u < sigma(b_i(x)), u uniform in (0, 1)",
        "hidden": "h_j = 1 if u < sigma(c_j(x) + sum_i v_i W_ij), u uniform in (0, 1)",
        "visible": "v_i = 1 if u < sigma(b_i(x) + sum_j W_ij h_j), u uniform in (0, 1)",
        "energy": "F(v | x) = -b(x)'v - sum_j log(1 + e^(c_j(x) + sum_i v_i W_ij))",
        "begin": "v_i = sigma(b_i(x)): from the biases alone",
        "iteration": "p(v_i = 1) = sigma(b_i(x) + sum_j m_ji), p(h_j = 1) = sigma(c_j(x) + sum_i m_ij), "
        "m messages of this round",
        "free": "v and h of the model, compared with the clean row",
        "difference": "G = <v h'>_clamped - <v h'>_free, of the input's weights <v x'> and <h x'> likewise",
        "error": "G = <v x'>_clamped - <v x'>_free",
        "new": "theta <- theta + eta G",
    },
    "greedy": {
        "present": "the best move of each term there is: theta_y to where its dual is that of the data, or to 0",
        "candidates": "gain = KL before - KL after <= (a - b)^2 / (1 - a^2) of duals a of the model, b of the data; "
        "price = m (ln N / 2N + sum_i ln(n (|X_i| - 1)) / N), m the price of the settings",
        "chosen": "what shortens the description most: the largest gain - price",
        "over": "nothing shortens it by more than epsilon",
    },
    "hebbian": {
        "pattern": "x, the next pattern, each x_j = -1 or 1",
        "new": "m_jk <- m_jk + w x_j x_k / d, w copies of the pattern, d units",
        "over": "every pattern is stored",
    },
    "insertion": {
        "samples": "<f>_data = sum_n f(v_n) / N, <f>_model = sum_v p(v) f(v), or sum_s f(v_s) / S of S chains",
        "present": "dJ/dc_i = <log(1 + e^(w_i'v))>_data - <log(1 + e^(w_i'v))>_model - lambda/2 |w_i|^2",
        "start": "w = sigma z, z standard normal",
        "search": "f(w) = lambda/2 |w|^2 + <log(1 + e^(w'v))>_model - <log(1 + e^(w'v))>_data, "
        "-df/dw = <v p>_data - <v p>_model - lambda w, p = sigma(w'v)",
        "found": "w* = argmin f, as far as it was found, gap = alpha (-f(w*) - sum_i c_i/alpha dJ/dc_i)",
        "worth": "f(w*) < 0, and not by chance",
        "away": "the worst unit goes if l - min_i dJ/dc_i > -f(w*) - l, l = sum_i c_i/alpha dJ/dc_i",
        "insert": "q <- (1 - 1/t) q + 1/t delta(w*), alpha <- t: counts c_i = alpha q_i; before a correction c_new = 0",
        "shrink": "c_worst <- 0; where alpha is to stay all others grow by alpha / (alpha - c_worst)",
        "biases": "b <- b + eta (<v>_data - <v>_model); with alpha by gradient at most that, while <log p>_data rises",
        "counts": "(c, b) <- argmax J, or a step towards it, c >= 0, J = <log p>_data - lambda/2 sum_i c_i |w_i|^2",
        "leave": "c_i = 0",
        "new": "<v>_data - <v>_model, what is left to be explained",
        "over": "no unit worth inserting, or the newest would be inserted again",
    },
    "sampled": {
        "data": "<x_i>_data, <x_i x_j>_data: how often a column is 1, and two are, among the rows",
        "start": "x, the chain, which continues from update to update",
        "unit": "x_i = 1 if u < sigma(theta_i + sum_j theta_ij x_j), u uniform in (0, 1)",
        "chains": "<x_i>_model, <x_i x_j>_model: the same among the chains",
        "difference": "g = <f>_data - <f>_model, f all x_i and x_i x_j",
        "new": "theta <- theta + eta g",
    },
    "tempering": {
        "data": "p(h_j = 1 | v) = sigma(c_j + sum_i v_i W_ij), v a row of the data",
        "rungs": "log p_k(v) = (1 - beta) a'v + beta b'v + sum_j log(1 + e^(beta f_j)) - log Z_k, "
        "f = c + W'v, a of independent units, beta from 0 to 1; or p_1 of the model frozen last, and p_2 of that now",
        "gibbs": "Gibbs steps of each rung's chain under p_k",
        "decide": "alpha = sum_s w_s min(1, e^D) over the chains, w_s in proportion to p(x_s) now over p(x_s) then",
        "swap": "x of rung k and y of the next change places if log u < D, "
        "D = log p_(k+1)(x) / p_k(x) + log p_k(y) / p_(k+1)(y), u uniform in (0, 1)",
        "back": "theta <- theta of the model frozen last; the rate factor, or the stride of annealing, <- half of it",
        "freeze": "the model now is to be the next rung: it stands still until its samples are collected",
        "frozen": "log Z of the new rung = log Z of the last + log of Bennett's ratio",
        "difference": "G = <v p'>_data - <v p'>_model, of the chains of the last rung",
        "options": OPTIONS,
        "new": "theta <- theta + eta G",
    },
    "coordinate": {
        "rows": "odds against x_j = e^(-2 x_j eta_j), eta_j = b_j + sum_k m_jk x_k",
        "bias": "b_j <- b_j + (mu / n) dP_n/db_j",
        "coupling": "m_jk <- m_jk + (mu / 2n) dP_n/dm_jk",
    },
}
