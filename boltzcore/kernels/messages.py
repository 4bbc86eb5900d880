"""Sum-, max- and mixed-product belief propagation between the two layers of an RBM (Ping and Ihler, Algorithm 1).

Messages to hidden units are kept in one array, of odds ratios or, for max-product and for weights
beyond `ODDS_REACH`, of log-odds; those to visible units are made anew from it where they are needed. Rows are padded to
whole tiles with weights of 0, whose messages say nothing.

As odds a message is the ratio m(1) / m(0). With E = e**W of an edge, s the ratio last sent over it to the hidden unit,
and the hidden unit's belief as probabilities p (on) and q (off), the ratio to the visible unit is

    r = (s q + E p) / (s q + p) = n / d

and with the visible unit's belief pa, qa the answer to the hidden unit is (n qa + E d pa) / (n qa + d pa). So one array
s serves both directions, r is never formed, and a message up and down costs one division; logarithms are taken of
products of many messages. A belief that is sent as certain (pa 0 or 1) gives the answers 1 and E: those of
mixed-product propagation.

No overflow: belief log-odds are kept within +-80, enough for a cavity that matters (|w| + 15 at most); so with |w| <=
40 all of s, n and d are within e**+-40 and their products with E within e**+-80, inside float32's e**+-87. Products of
messages are as long as keeps them within e**+-80. Log-odds need no such care.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import kernel
from boltzcore.kernels.rows import require_tiles
from boltzcore.kernels.simd import LANES, TILE, answer_odds, at_line, multiply_odds, sum_lanes, sum_lanes_in_double
from boltzcore.kernels.vector import exp32, log32

f4, f8, i8 = np.float32, np.float64, np.int64

SUM, MIXED, LOG_SUM, LOG_MIXED, LOG_MAX = range(5)  # what is propagated, and in which form
ODDS_REACH = 40.0  # largest |weight| of the odds form
BOUND = 80.0  # on log-odds of beliefs, and on logarithms of products
LONGEST = 32  # messages in a product: its rounding stays under 2e-6
GROUP = 8  # visible units whose logarithms are taken together, to hide their latency
BLOCKS = 8  # parts of the visible units, summed in order: results do not depend on the number of threads


class Edges(NamedTuple):
    """Messages over the edges, and their form.

    form : SUM, ...
    table : (n_visible, width), e**W or, for the log forms, W
    sent : (n_visible, width), messages last sent to hidden units, as odds ratios or, for the log forms, log-odds
    length : number of messages in a product
    kept : share of an old message in the new one (damping)
    """

    form: int
    table: NDArray[np.float32]
    sent: NDArray[np.float32]
    length: int
    kept: np.float32


class Visible(NamedTuple):
    """The visible units of an instance: (n_visible,) biases, and beliefs that they are on."""

    b: NDArray[np.float32]
    v: NDArray[np.float32]


class Hidden(NamedTuple):
    """Beliefs of the hidden units of an instance: (width,) log-odds, and probabilities to be on and off."""

    field: NDArray[np.float32]
    p: NDArray[np.float32]
    q: NDArray[np.float32]


class Instances(NamedTuple):
    """State of n instances.

    b, c : (n, n_visible) and (n, n_hidden) biases; v, h : beliefs, shaped as these
    residuals : (n, iterations), nan after an instance has stopped; ran : (n,) iterations run
    converged : (n,) True if the last residual is below the tolerance
    """

    b: NDArray[np.float32]
    c: NDArray[np.float32]
    v: NDArray[np.float32]
    h: NDArray[np.float32]
    residuals: NDArray[np.float32]
    ran: NDArray[np.int64]
    converged: NDArray[np.bool_]


class Group(NamedTuple):
    """Buffers for a group of visible units: products (GROUP * TILE,), numerators and denominators, and their beliefs
    (GROUP,) as probabilities and log-odds.
    """

    above: NDArray[np.float32]
    below: NDArray[np.float32]
    on: NDArray[np.float32]
    off: NDArray[np.float32]
    field: NDArray[np.float32]


@kernel(inline="always")
def _sigmoids(x):
    x = min(max(x, f4(-BOUND)), f4(BOUND))
    e = exp32(-abs(x))
    large = f4(1.0) / (f4(1.0) + e)
    return (large, e * large) if x > f4(0.0) else (e * large, large)


@kernel
def begin(field, n, p, q):
    """p, q (width,) = the belief of n units with these log-odds as probabilities; padding is surely off."""
    for k in range(n):
        p[k], q[k] = _sigmoids(field[k])
    for k in range(n, p.size):
        p[k], q[k] = f4(0.0), f4(1.0)


@kernel
def _blank_group():
    return Group(
        at_line(GROUP * TILE),
        at_line(GROUP * TILE),
        np.empty(GROUP, np.float32),
        np.empty(GROUP, np.float32),
        np.empty(GROUP, np.float32),
    )


@kernel
def _beliefs(edges, b, hidden, first, rows, group):
    """Set the beliefs of a group: `rows` visible units from `first` on, made of all messages to them."""
    above, below, on, off, field = group
    width = edges.table.shape[1]
    tiles, length = width // TILE, edges.length
    factors, ratios = edges.table.reshape(-1), edges.sent.reshape(-1)
    for r in range(rows):
        field[r] = b[first + r]
    for tile in range(0, tiles, length):
        count, p, q = min(length, tiles - tile), hidden.p[tile * TILE :], hidden.q[tile * TILE :]
        for r in range(rows):
            at = i8((first + r) * width + tile * TILE)
            multiply_odds(above, below, i8(r * TILE), ratios, factors, at, p, q, i8(count))
        for k in range(rows * TILE):
            above[k] = log32(above[k] / below[k])
        for r in range(rows):
            field[r] += sum_lanes(above, i8(r * TILE), i8(TILE // LANES))
    for r in range(rows):
        on[r], off[r] = _sigmoids(field[r])


@kernel
def _sweep_odds(edges, visible, hidden, first, last, part):
    width, p, q, v = edges.table.shape[1], hidden.p, hidden.q, visible.v
    factors, ratios = edges.table.reshape(-1), edges.sent.reshape(-1)
    group, products = _blank_group(), at_line(width)
    on, off = group.on, group.off
    for k in range(width):
        products[k] = f4(1.0)
    change, multiplied = f4(0.0), 0
    for begins in range(first, last, GROUP):
        rows = min(GROUP, last - begins)
        _beliefs(edges, visible.b, hidden, begins, rows, group)
        for r in range(rows):
            i = begins + r
            change = max(change, abs(on[r] - v[i]))
            v[i] = on[r]
            if edges.form == MIXED:
                on[r] = f4(1.0) if group.field[r] > f4(0.0) else f4(0.0)
                off[r] = f4(1.0) - on[r]
            answer_odds(ratios, factors, i8(i * width), p, q, products, on[r], off[r], edges.kept, i8(width // TILE))
            multiplied += 1
            if multiplied == edges.length or i == last - 1:
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
def _log_odds(edges, b, field, i, up, cavity):
    """Log-odds of visible unit i, the sum of its bias and messages to it, which go to `up`; cavity : room, as wide."""
    for k in range(up.size):
        cavity[k] = field[k] - edges.sent[i, k]
    _through(edges.table[i], cavity, up, edges.form == LOG_MAX)
    return f4(f8(b[i]) + sum_lanes_in_double(up, i8(0), i8(up.size // LANES)))


@kernel
def _sweep_logs(edges, visible, hidden, first, last, part):
    b, v, field, kept, hidden_max = visible.b, visible.v, hidden.field, edges.kept, edges.form == LOG_MAX
    width = edges.table.shape[1]
    up, cavity, new = np.empty(width, np.float32), np.empty(width, np.float32), np.empty(width, np.float32)
    change = f4(0.0)
    for i in range(first, last):
        w, old = edges.table[i], edges.sent[i]
        log_odds = _log_odds(edges, b, field, i, up, cavity)
        on, _ = _sigmoids(log_odds)
        change = max(change, abs(on - v[i]))
        v[i] = on
        if edges.form == LOG_MIXED:
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
def sweep(edges, visible, hidden, first, last, parts):
    """The visible units of the blocks first..last, of BLOCKS in all, take their messages and answer them: half of an
    iteration up, half down. Returns the largest change of a belief.

    edges, visible, hidden : `Edges`, of which `sent` changes, `Visible`, whose v are replaced, and `Hidden`
    parts : (BLOCKS, width) float64, those of the blocks set to the sums of the log-odds of their new messages
    """
    n_visible, width = edges.table.shape
    require_tiles(edges.table, width)
    require_tiles(edges.sent, width)
    require_tiles(hidden.p, width)
    require_tiles(parts, width)
    change = f4(0.0)
    for block in range(first, last):
        low, high, part = n_visible * block // BLOCKS, n_visible * (block + 1) // BLOCKS, parts[block]
        for k in range(width):
            part[k] = 0.0
        if edges.form in (SUM, MIXED):
            change = max(change, _sweep_odds(edges, visible, hidden, low, high, part))
        else:
            change = max(change, _sweep_logs(edges, visible, hidden, low, high, part))
    return change


@kernel
def settle(c, parts, hidden):
    """The hidden units' belief from the `parts` (BLOCKS, width) of all sweeps; returns its largest change.

    c : (n_hidden,) biases; hidden : `Hidden`, replaced
    """
    require_tiles(hidden.p, c.size)
    require_tiles(parts, c.size)
    change = f4(0.0)
    for k in range(c.size):
        total = f8(c[k])
        for block in range(parts.shape[0]):
            total += parts[block, k]
        hidden.field[k] = f4(total)
        before = hidden.p[k]
        hidden.p[k], hidden.q[k] = _sigmoids(hidden.field[k])
        change = max(change, abs(hidden.p[k] - before))
    return change


@kernel
def propagate(edges, instances, tolerance, first, last, pairwise):
    """Run each of the instances first..last until it converges or has run its iterations.

    edges : `Edges`, their `sent` room for one instance in turn; instances : `Instances`, all but b and c replaced
    pairwise : None, or (n_visible, width), to which the sums of P(v = 1, h = 1) over instances are added and v replaced
        by their marginals (`SUM` and `LOG_SUM` only)
    """
    b, c, v, h, residuals, ran, converged = instances
    n_visible, width = edges.table.shape
    require_tiles(edges.table, c.shape[1])
    require_tiles(edges.sent, c.shape[1])
    if pairwise is not None:
        require_tiles(pairwise, c.shape[1])
    nothing = f4(1.0) if edges.form in (SUM, MIXED) else f4(0.0)
    hidden, off = Hidden(at_line(width), at_line(width), at_line(width)), np.empty(n_visible, np.float32)
    parts = np.zeros((BLOCKS, width))
    for n in range(first, last):
        visible = Visible(b[n], v[n])
        for i in range(n_visible):
            for k in range(width):
                edges.sent[i, k] = nothing
        begin(b[n], n_visible, v[n], off)  # as a single instance begins, to the last digit
        begin(c[n], c.shape[1], hidden.p, hidden.q)
        for k in range(width):
            hidden.field[k] = c[n, k] if k < c.shape[1] else f4(0.0)
        for t in range(residuals.shape[1]):
            change = sweep(edges, visible, hidden, 0, BLOCKS, parts)
            change = max(change, settle(c[n], parts, hidden))
            residuals[n, t] = change
            ran[n] = t + 1
            if change < tolerance:
                converged[n] = True
                break
        for k in range(c.shape[1]):
            h[n, k] = hidden.p[k]
        if pairwise is not None:
            if edges.form == SUM:
                _add_pairwise_odds(edges, visible, hidden, pairwise)
            else:
                _add_pairwise_logs(edges, visible, hidden, pairwise)


@kernel
def _add_row(s, E, hidden, on, off, sums):
    """sums += P(v = 1, h = 1) of the edges of a visible unit with belief (on, off)."""
    for k in range(s.size):
        p, rest = hidden.p[k], s[k] * hidden.q[k]
        n_off, d_on = (rest + E[k] * p) * off, (rest + p) * on
        both = E[k] * d_on * p
        sums[k] += both / (both + (n_off * p + rest * (n_off + d_on)))


@kernel
def _add_pairwise_odds(edges, visible, hidden, sums):
    b, group = visible.b, _blank_group()
    for begins in range(0, b.size, GROUP):
        rows = min(GROUP, b.size - begins)
        _beliefs(edges, b, hidden, begins, rows, group)
        for r in range(rows):
            i = begins + r
            visible.v[i] = group.on[r]
            _add_row(edges.sent[i], edges.table[i], hidden, group.on[r], group.off[r], sums[i])


@kernel
def _add_pairwise_logs(edges, visible, hidden, sums):
    W, b, v = edges.table, visible.b, visible.v
    width = W.shape[1]
    up, cavity = np.empty(width, np.float32), np.empty(width, np.float32)
    for i in range(b.size):
        v[i] = _sigmoids(_log_odds(edges, b, hidden.field, i, up, cavity))[0]
        for k in range(width):
            sums[i, k] += v[i] * _sigmoids(W[i, k] + cavity[k])[0]  # P(v = 1) P(h = 1 | v = 1)
