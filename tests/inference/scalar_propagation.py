"""Message passing edge by edge, eq. 8-12 of Ping and Ihler, in float64 logarithms: right for weights of any size."""

import math
from itertools import product

import numpy as np


def propagate(rbm, kind, iterations):
    """[(v, h, pairwise, log-odds of the messages to visible units, and to hidden ones)] after each iteration."""
    n, m = rbm.W.shape
    w = {edge: float(rbm.W[edge]) for edge in product(range(n), range(m))}
    to_v, to_h = {(i, j): (0.0, 0.0) for i, j in w}, {(i, j): (0.0, 0.0) for i, j in w}  # log m(0), log m(1)
    gather = max if kind == "max" else log_sum
    found = []
    for _ in range(iterations):
        hidden = {j: beliefs(rbm.c[j], [to_h[k, j] for k in range(n)]) for j in range(m)}  # (9)
        for i, j in w:  # (8)
            to_v[i, j] = normal(
                [gather(v * w[i, j] * h + hidden[j][h] - to_h[i, j][h] for h in (0, 1)) for v in (0, 1)]
            )
        visible = {i: beliefs(rbm.b[i], [to_v[i, k] for k in range(m)]) for i in range(n)}  # (11)
        for i, j in w:
            if kind == "mixed":  # (12)
                best = int(visible[i][1] > visible[i][0])
                to_h[i, j] = normal([best * w[i, j] * h + visible[i][best] - to_v[i, j][best] for h in (0, 1)])
            else:  # (10)
                to_h[i, j] = normal(
                    [gather(v * w[i, j] * h + visible[i][v] - to_v[i, j][v] for v in (0, 1)) for h in (0, 1)]
                )
        hidden = {j: beliefs(rbm.c[j], [to_h[k, j] for k in range(n)]) for j in range(m)}
        pairs = np.empty((n, m))
        for i, j in w:
            joint = {
                (v, h): v * w[i, j] * h + visible[i][v] - to_v[i, j][v] + hidden[j][h] - to_h[i, j][h]
                for v in (0, 1)
                for h in (0, 1)
            }
            pairs[i, j] = math.exp(joint[1, 1] - log_sum(joint.values()))
        found.append(
            (
                on(visible),
                on(hidden),
                pairs,
                *(np.array([told[edge][1] for edge in w]).reshape(n, m) for told in (to_v, to_h)),
            )
        )
    return found


def log_sum(terms):
    terms = list(terms)
    largest = max(terms)
    return largest + math.log(sum(math.exp(t - largest) for t in terms))


def normal(message):
    return message[0] - message[0], message[1] - message[0]


def beliefs(bias, messages):
    return math.fsum(m[0] for m in messages), float(bias) + math.fsum(m[1] for m in messages)


def on(units):
    """P(unit = 1) of each."""
    return np.array([math.exp(told[1] - log_sum(told)) for _, told in sorted(units.items())])
