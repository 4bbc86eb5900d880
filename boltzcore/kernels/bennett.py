"""Bennett's acceptance ratio: the ratio of two normalisers from samples of both distributions (Bennett 1976)."""

import numpy as np

from boltzcore.kernels.elementwise import exp_in_double, log_in_double, sum_in_order

HALVINGS = 60  # halvings of the bracket: beyond float64's precision


def _accepted(x):
    return 1.0 / (1.0 + exp_in_double(-np.clip(x, -500.0, 500.0)))


def ratio(forward, backward, weights, n_chains, n_groups):
    """Return (log Z1 / Z0 of e**-F0 / Z0 and e**-F1 / Z1, effective sample size of their overlap, influence).

    A sample accepted with probability a counts 4 a (1 - a): 1 for equal distributions, 0 without overlap.

    forward : (n,) F1 - F0 at samples of distribution 0; backward : (m,) F0 - F1 at samples of distribution 1
    weights : (m,) importance weights of the latter, which sum to 1
    n_chains, n_groups : sample k of either belongs to chain k % n_chains, and chain i to group i % n_groups; groups are
        independent
    The influence, (n_groups,), is the contribution of each group to the error: the variance is n_groups / (n_groups -
    1) times the sum of the squares.
    """
    count = 1.0 / sum_in_order(weights * weights)
    shift = float(log_in_double(forward.size / count))

    def accepted(d):
        return _accepted(d - shift - forward), _accepted(shift - backward - d)

    def excess(d):
        """Return the difference of both sides of the self-consistent equation at log Z0 / Z1 = d: it grows with d."""
        there, back = accepted(d)
        return sum_in_order(there) - count * sum_in_order(weights * back)

    top = -forward.min()  # the bracket grows from -log of the mean of e**-forward
    low = high = -(top + float(log_in_double(sum_in_order(exp_in_double(-forward - top)) / forward.size)))
    reach = 1.0
    while excess(low) > 0.0:
        low, reach = low - reach, 2.0 * reach
    reach = 1.0
    while excess(high) < 0.0:
        high, reach = high + reach, 2.0 * reach
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if excess(middle) < 0.0 else (low, middle)
    d = 0.5 * (low + high)
    there, back = accepted(d)
    slope = sum_in_order(np.concatenate([there * (1.0 - there), count * weights * back * (1.0 - back)]))
    slope = max(slope, 1e-300)
    pulls = there - sum_in_order(there / there.size), -count * weights * (back - sum_in_order(weights * back))
    groups = [np.arange(pull.size) % n_chains % n_groups for pull in pulls]
    influence = np.bincount(np.concatenate(groups), np.concatenate(pulls) / slope, n_groups)
    return -d, 4.0 * slope, influence
