"""Sum-, max- and mixed-product belief propagation between the two layers of an RBM (Ping and Ihler, Algorithm 1).

Messages to hidden units are kept in one array, of odds ratios (`kernels.odds`) or, for max-product and for weights
beyond `ODDS_REACH`, of log-odds; those to visible units are made anew from it where they are needed. Rows are padded to
whole tiles with weights of 0, whose messages say nothing.

No overflow: belief log-odds are kept within +-80, enough for a cavity that matters (|w| + 15 at most); so with |w| <=
40 all of s, n and d are within e**+-40 and their products with E within e**+-80, inside float32's e**+-87. Products of
messages are as long as keeps them within e**+-80. Log-odds need no such care.
"""

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.odds import add_pairwise_odds, answer_odds, multiply_odds
from boltzcore.kernels.simd import LANES, TILE, at_line, sum_lanes, sum_lanes_in_double
from boltzcore.kernels.vector import exp32, log32

f4, f8, i8 = np.float32, np.float64, np.int64

SUM, MIXED, LOG_SUM, LOG_MIXED, LOG_MAX = range(5)  # what is propagated, and in which form
ODDS_REACH = 40.0  # largest |weight| of the odds form
BOUND = 80.0  # on log-odds of beliefs, and on logarithms of products
LONGEST = 32  # messages in a product: its rounding stays under 2e-6
GROUP = 8  # visible units whose logarithms are taken together: one after the other they would wait for each other
BLOCKS = 8  # parts of the visible units, summed one after the other: how many threads share them changes no number


def length_of_products(largest):
    """How many messages a product may take where no |weight| is above `largest`."""
    return int(max(1, min(LONGEST, BOUND / max(largest, 1e-6))))


@kernel(inline="always")
def _on_and_off(x):
    x = min(max(x, f4(-BOUND)), f4(BOUND))
    e = exp32(-abs(x))
    large = f4(1.0) / (f4(1.0) + e)
    return (large, e * large) if x > f4(0.0) else (e * large, large)


@kernel
def begin(field, n, p, q):
    """p, q (width,) = the belief of n units with these log-odds as probabilities; padding is surely off."""
    for k in range(n):
        p[k], q[k] = _on_and_off(field[k])
    for k in range(n, p.size):
        p[k], q[k] = f4(0.0), f4(1.0)


@kernel
def _beliefs(E, s, first, rows, length, b, p, q, above, below, on, off, field):
    """on, off, field = the beliefs of `rows` visible units from `first` on, made of all messages to them."""
    tiles = E.shape[1] // TILE
    factors, ratios = E.reshape(-1), s.reshape(-1)
    for r in range(rows):
        field[r] = b[first + r]
    for tile in range(0, tiles, length):
        count = min(length, tiles - tile)
        for r in range(rows):
            multiply_odds(
                above,
                below,
                i8(r * TILE),
                ratios,
                factors,
                i8((first + r) * E.shape[1] + tile * TILE),
                p[tile * TILE :],
                q[tile * TILE :],
                i8(count),
            )
        for k in range(rows * TILE):
            above[k] = log32(above[k] / below[k])
        for r in range(rows):
            field[r] += sum_lanes(above, i8(r * TILE), i8(TILE // LANES))
    for r in range(rows):
        on[r], off[r] = _on_and_off(field[r])


@kernel
def _sweep_odds(E, s, first, last, length, b, p, q, mixed, kept, v, part):
    width = E.shape[1]
    factors, ratios = E.reshape(-1), s.reshape(-1)
    above, below, products = at_line(GROUP * TILE), at_line(GROUP * TILE), at_line(width)
    on, off, field = np.empty(GROUP, np.float32), np.empty(GROUP, np.float32), np.empty(GROUP, np.float32)
    for k in range(width):
        products[k] = f4(1.0)
    change, multiplied = f4(0.0), 0
    for group in range(first, last, GROUP):
        rows = min(GROUP, last - group)
        _beliefs(E, s, group, rows, length, b, p, q, above, below, on, off, field)
        for r in range(rows):
            change = max(change, abs(on[r] - v[group + r]))
            v[group + r] = on[r]
            if mixed:
                on[r] = f4(1.0) if field[r] > f4(0.0) else f4(0.0)
                off[r] = f4(1.0) - on[r]
            answer_odds(
                ratios, factors, i8((group + r) * width), p, q, products, on[r], off[r], kept, i8(width // TILE)
            )
            multiplied += 1
            if multiplied == length or group + r == last - 1:
                for k in range(width):
                    part[k] += f8(log32(products[k]))
                    products[k] = f4(1.0)
                multiplied = 0
    return change


@kernel(inline="always")
def _soft(x):
    return log32(f4(1.0) + exp32(-abs(x)))


@kernel
def _through(w, cavity, out, hidden_max):
    """out = the log-odds of a message over weights w from a unit whose other messages have log-odds `cavity`."""
    for k in range(out.size):
        out[k] = max(w[k] + cavity[k], f4(0.0)) - max(cavity[k], f4(0.0))
    if not hidden_max:
        for k in range(out.size):
            out[k] += _soft(w[k] + cavity[k]) - _soft(cavity[k])


@kernel
def _sweep_logs(W, m, first, last, b, field, hidden_max, mixed, kept, v, part):
    width = W.shape[1]
    up, cavity, new = np.empty(width, np.float32), np.empty(width, np.float32), np.empty(width, np.float32)
    change = f4(0.0)
    for i in range(first, last):
        w, old = W[i], m[i]
        for k in range(width):
            cavity[k] = field[k] - old[k]
        _through(w, cavity, up, hidden_max)
        log_odds = f4(f8(b[i]) + sum_lanes_in_double(up, i8(0), i8(width // LANES)))
        on, _ = _on_and_off(log_odds)
        change = max(change, abs(on - v[i]))
        v[i] = on
        if mixed:
            certain = f4(1.0) if log_odds > f4(0.0) else f4(0.0)
            for k in range(width):
                new[k] = certain * w[k]
        else:
            for k in range(width):
                cavity[k] = log_odds - up[k]
            _through(w, cavity, new, hidden_max)
        for k in range(width):
            old[k] = new[k] + kept * (old[k] - new[k])
        for k in range(width):
            part[k] += f8(old[k])
    return change


@kernel
def sweep(form, table, messages, first, last, length, b, field, p, q, kept, v, part):
    """Visible units first..last take their messages and answer them: half of an iteration up, half down.

    form : SUM, ... ; table : (n_visible, width), e**W or, for the log forms, W; messages : (n_visible, width), changed
        in place;
    length : of products; b : (n_visible,) visible biases; field, p, q : (width,) the hidden units' belief as log-odds
        and as
    probabilities; kept : share of an old message in the new one (damping); v : (n_visible,) visible beliefs, replaced;
    part : (width,) float64, set to the sums of the log-odds of the new messages. Returns the largest change of v.
    """
    for k in range(part.size):
        part[k] = 0.0
    if form in (SUM, MIXED):
        return _sweep_odds(table, messages, first, last, length, b, p, q, form == MIXED, kept, v, part)
    return _sweep_logs(table, messages, first, last, b, field, form == LOG_MAX, form == LOG_MIXED, kept, v, part)


@kernel
def settle(c, parts, field, p, q):
    """The hidden units' belief from the `parts` (BLOCKS, width) of all sweeps; returns its largest change.

    c : (n_hidden,) biases; field, p, q : (width,), replaced
    """
    change = f4(0.0)
    for k in range(c.size):
        total = f8(c[k])
        for block in range(parts.shape[0]):
            total += parts[block, k]
        field[k] = f4(total)
        before = p[k]
        p[k], q[k] = _on_and_off(field[k])
        change = max(change, abs(p[k] - before))
    return change


@kernel
def propagate(
    form,
    table,
    messages,
    length,
    b,
    c,
    kept,
    iterations,
    tolerance,
    first,
    last,
    v,
    h,
    residuals,
    ran,
    settled,
    pairwise,
):
    """Run each of the instances first..last until it converges or has run its iterations.

    b, v : (n, n_visible) biases and beliefs; c, h : (n, n_hidden); messages : (n_visible, width) room for one instance;
    residuals : (n, iterations), filled as far as an instance runs; ran : (n,) iterations run; settled : (n,) whether
        the last residual
    is under the tolerance; pairwise : None, or (n_visible, width), to which the sums of P(v = 1, h = 1) over instances
    are added and v replaced by their marginals (`SUM` and `LOG_SUM` only).
    """
    n_visible, width = table.shape
    start = f4(1.0) if form in (SUM, MIXED) else f4(0.0)
    p, q, field, off = at_line(width), at_line(width), at_line(width), np.empty(n_visible, np.float32)
    parts = np.zeros((BLOCKS, width))
    for n in range(first, last):
        for i in range(n_visible):
            for k in range(width):
                messages[i, k] = start
        begin(b[n], n_visible, v[n], off)  # as a single instance begins, to the last digit
        begin(c[n], c.shape[1], p, q)
        for k in range(width):
            field[k] = c[n, k] if k < c.shape[1] else f4(0.0)
        for t in range(iterations):
            change = f4(0.0)
            for block in range(BLOCKS):
                low, high = n_visible * block // BLOCKS, n_visible * (block + 1) // BLOCKS
                change = max(
                    change, sweep(form, table, messages, low, high, length, b[n], field, p, q, kept, v[n], parts[block])
                )
            change = max(change, settle(c[n], parts, field, p, q))
            residuals[n, t] = change
            ran[n] = t + 1
            if change < tolerance:
                settled[n] = True
                break
        for k in range(c.shape[1]):
            h[n, k] = p[k]
        if pairwise is not None:
            if form == SUM:
                _add_pairwise_odds(table, messages, length, b[n], p, q, v[n], pairwise)
            else:
                _add_pairwise_logs(table, messages, b[n], field, v[n], pairwise)


@kernel
def _add_pairwise_odds(E, s, length, b, p, q, v, sums):
    factors, ratios, added = E.reshape(-1), s.reshape(-1), sums.reshape(-1)
    above, below = at_line(GROUP * TILE), at_line(GROUP * TILE)
    on, off, field = np.empty(GROUP, np.float32), np.empty(GROUP, np.float32), np.empty(GROUP, np.float32)
    for group in range(0, b.size, GROUP):
        rows = min(GROUP, b.size - group)
        _beliefs(E, s, group, rows, length, b, p, q, above, below, on, off, field)
        for r in range(rows):
            v[group + r] = on[r]
            add_pairwise_odds(
                added, ratios, factors, i8((group + r) * E.shape[1]), p, q, on[r], off[r], i8(E.shape[1] // TILE)
            )


@kernel
def _add_pairwise_logs(W, m, b, field, v, sums):
    width = W.shape[1]
    up, cavity = np.empty(width, np.float32), np.empty(width, np.float32)
    for i in range(b.size):
        for k in range(width):
            cavity[k] = field[k] - m[i, k]
        _through(W[i], cavity, up, False)
        v[i] = _on_and_off(f4(f8(b[i]) + sum_lanes_in_double(up, i8(0), i8(width // LANES))))[0]
        for k in range(width):
            sums[i, k] += v[i] * _on_and_off(W[i, k] + cavity[k])[0]  # P(v = 1) P(h = 1 | v = 1)
