"""Bennett's acceptance ratio: the ratio of two normalisers from samples of both laws (Bennett 1976)."""

from boltzcore.kernels import kernel
from boltzcore.kernels.vector import exp64, log64

HALVINGS = 60  # of the bracket: more than float64 can tell


@kernel
def log_mean_exp(x):
    """log of the mean of e**x, in the order of x."""
    top = x[0]
    for k in range(x.size):
        top = max(top, x[k])
    total = 0.0
    for k in range(x.size):
        total += exp64(x[k] - top)
    return top + log64(total / x.size)


@kernel
def _accepted(x):
    return 1.0 / (1.0 + exp64(-min(max(x, -500.0), 500.0)))


@kernel
def _excess(forward, backward, weights, shift, count, d):
    """What both sides of the self-consistent equation differ by at log Z0 / Z1 = d: it rises with d."""
    there, back = 0.0, 0.0
    for k in range(forward.size):
        there += _accepted(d - shift - forward[k])
    for k in range(backward.size):
        back += weights[k] * _accepted(shift - backward[k] - d)
    return there - count * back


@kernel
def ratio(forward, backward, weights, n_chains, n_groups, influence):
    """(log Z1 / Z0 of laws e**-F0 / Z0 and e**-F1 / Z1, effective sample size of their overlap).

    A sample accepted with probability a counts 4 a (1 - a): of one law all do, of laws without overlap none.

    forward : (n,) F1 - F0 at samples of law 0; backward : (m,) F0 - F1 at samples of law 1
    weights : (m,) importance weights of the latter, which sum to 1
    n_chains, n_groups : sample k of either is of chain k % n_chains, and chain i of group i % n_groups; groups are
        independent of each other
    influence : (n_groups,) to which is added how much each group pulls the result up: the variance is n_groups /
        (n_groups - 1) times the sum of the squares
    """
    squares = 0.0
    for k in range(weights.size):
        squares += weights[k] * weights[k]
    count = 1.0 / squares
    shift = log64(forward.size / count)
    low = -log_mean_exp(-forward)
    high = low
    reach = 1.0
    while _excess(forward, backward, weights, shift, count, low) > 0.0:
        low -= reach
        reach *= 2.0
    reach = 1.0
    while _excess(forward, backward, weights, shift, count, high) < 0.0:
        high += reach
        reach *= 2.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if _excess(forward, backward, weights, shift, count, middle) < 0.0:
            low = middle
        else:
            high = middle
    d = 0.5 * (low + high)
    there, back, slope = 0.0, 0.0, 0.0
    for k in range(forward.size):
        a = _accepted(d - shift - forward[k])
        there += a / forward.size
        slope += a * (1.0 - a)
    for k in range(backward.size):
        a = _accepted(shift - backward[k] - d)
        back += weights[k] * a
        slope += count * weights[k] * a * (1.0 - a)
    slope = max(slope, 1e-300)
    for k in range(forward.size):
        influence[k % n_chains % n_groups] += (_accepted(d - shift - forward[k]) - there) / slope
    for k in range(backward.size):
        influence[k % n_chains % n_groups] -= count * weights[k] * (_accepted(shift - backward[k] - d) - back) / slope
    return -d, 4.0 * slope
