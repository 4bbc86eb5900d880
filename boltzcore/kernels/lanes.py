"""Contrastive learning of small RBMs: rows of the batch as SIMD lanes, many updates in one call."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import kernel
from boltzcore.kernels.ascent import Options, SufficientStatistics, ascend, clear, slide
from boltzcore.kernels.random import root_key, row_key, turns_on
from boltzcore.kernels.simd import LANES, at_line, sum_lanes, sum_products, weigh_four, weigh_one
from boltzcore.kernels.vector import exp32, sigmoid32

i8, f4 = np.int64, np.float32


class Updates(NamedTuple):
    """The rows and the rates that some updates take.

    rows : (n, n_visible) uint8; order : (updates, batch) those of each update's mini-batch, of which the first sizes[u]
    are taken; rates : (updates,)
    """

    rows: NDArray[np.uint8]
    order: NDArray[np.int32]
    sizes: NDArray[np.int64]
    rates: NDArray[np.float32]


class CarriedState(NamedTuple):
    """Arrays carried from update to update, changed in place.

    chains : (chains, n_visible) uint8, ends of the Gibbs chains of the model term
    mu, lambda_ : (n_visible,) and (n_hidden,) float32 offsets; empty without centring
    """

    chains: NDArray[np.uint8]
    mu: NDArray[np.float32]
    lambda_: NDArray[np.float32]


class Algorithm(NamedTuple):
    """Settings in which the algorithms of the contrastive family differ.

    persistent : True if chains continue from one update to the next, False if they start at the mini-batch
    spectral, options : as in `ascent.ascend`
    inner_steps, gibbs_steps : steps of the parameters in an update, and Gibbs steps of the chains before each
    slides : (2,) float32 sliding factors of the offsets, as in `ascent.slide`
    """

    persistent: bool
    spectral: bool | None
    inner_steps: int
    gibbs_steps: int
    slides: NDArray[np.float32]
    options: Options


@kernel
def _fields(weights, bias, states, out):
    """out (n_out, LANES) = bias + weights' states, weights (n_in, n_out), states (n_in, LANES)."""
    flat, lanes, sums = weights.reshape(-1), states.reshape(-1), out.reshape(-1)
    n_in, n_out, one, side = i8(weights.shape[0]), i8(weights.shape[1]), i8(1), i8(LANES)
    for j in range(0, n_out - 3, 4):
        weigh_four(sums, i8(j * LANES), side, bias, flat, i8(j), one, n_out, lanes, i8(0), side, n_in)
    for j in range(n_out // 4 * 4, n_out):
        weigh_one(sums, i8(j * LANES), side, bias, flat, i8(j), one, n_out, lanes, i8(0), side, n_in)


@kernel
def _draw(fields, lows, highs, counter, states):
    for j in range(states.shape[0]):
        for i in range(LANES):
            on = turns_on(exp32(-fields[j, i]), counter + j, lows[i], highs[i])
            states[j, i] = f4(1.0) if on else f4(0.0)


@kernel
def _add_statistics(v, h, live, scale, term):
    """Add scale * (v h', v, h) of the first `live` lanes to a term's averages; h is overwritten by scale * h, and the
    other lanes of both by 0.
    """
    units, features, sums = v.reshape(-1), h.reshape(-1), term.p
    for j in range(h.shape[0]):
        for i in range(LANES):
            h[j, i] = scale * h[j, i] if i < live else f4(0.0)
        sums[j] += sum_lanes(features, i8(j * LANES), i8(1))
    on, both = term.v, term.vp
    for q in range(v.shape[0]):
        for i in range(LANES):
            v[q, i] = v[q, i] if i < live else f4(0.0)
        on[q] += scale * sum_lanes(units, i8(q * LANES), i8(1))
        for j in range(h.shape[0]):
            both[q, j] += sum_products(units, i8(q * LANES), features, i8(j * LANES), i8(1))


@kernel
def _load(rows, order, first, live, v):
    """v (n_visible, LANES) = rows[order[first : first + live]], 0 in the other lanes."""
    for q in range(v.shape[0]):
        for i in range(LANES):
            v[q, i] = f4(rows[order[first + i], q]) if i < live else f4(0.0)


@kernel
def _sigmoid(fields, h):
    for j in range(h.shape[0]):
        for i in range(LANES):
            h[j, i] = sigmoid32(fields[j, i])


@kernel
def _blank(machine, mu, lambda_):
    """Return an empty term with these offsets."""
    vp, v, p = np.empty_like(machine.W), np.empty_like(machine.b), np.empty_like(machine.c)
    return SufficientStatistics(vp, v, p, mu, lambda_)


@kernel
def contrastive(machine, kept, updates, algorithm, stream):
    """Mini-batch updates in place, one for each of updates.order; update u is number stream.step + u of the training.

    machine : an `RBMArrays`, W (n_visible, n_hidden) and WT without padding, one b and c for all rows
    kept, updates, algorithm : a `CarriedState`, `Updates` and an `Algorithm`
    The data term is that of the parameters before the first inner step; both terms use p(h | v) (Upadhya and Sastry
    2017, Algorithms 1, 3 and 4). Chain i draws words as row i in `rows.gibbs`.
    """
    W, WT, b, c = machine
    n_visible, n_hidden = W.shape
    chains, K = kept.chains, algorithm.gibbs_steps
    data = _blank(machine, np.empty_like(kept.mu), np.empty_like(kept.lambda_))
    model = _blank(machine, kept.mu, kept.lambda_)
    v = at_line(n_visible * LANES).reshape(n_visible, LANES)
    h = at_line(n_hidden * LANES).reshape(n_hidden, LANES)
    visible = at_line(n_visible * LANES).reshape(n_visible, LANES)
    hidden = at_line(n_hidden * LANES).reshape(n_hidden, LANES)
    lows, highs = np.empty(LANES, np.uint32), np.empty(LANES, np.uint32)
    same = np.empty(chains.shape[0], np.int32)
    for i in range(same.size):
        same[i] = i
    for u in range(updates.order.shape[0]):
        order, size = updates.order[u], updates.sizes[u]
        n_chains = chains.shape[0] if algorithm.persistent else size
        root = root_key(stream.seed, stream.purpose, stream.step + u)
        clear(data)
        for inner in range(algorithm.inner_steps):
            clear(model)
            for q in range(n_visible):
                for j in range(n_hidden):
                    WT[j, q] = W[q, j]
            for first in range(0, max(size, n_chains), LANES):
                live = min(LANES, size - first)
                if inner == 0 and live > 0:
                    _load(updates.rows, order, first, live, v)
                    _fields(W, c, v, hidden)
                    _sigmoid(hidden, h)
                    _add_statistics(v, h, live, f4(1.0) / f4(size), data)
                live = min(LANES, n_chains - first)
                if live <= 0:
                    continue
                if algorithm.persistent or inner > 0:
                    _load(chains, same, first, live, v)
                    _fields(W, c, v, hidden)
                for i in range(LANES):
                    lows[i], highs[i] = row_key(root, stream.first_row + first + i)
                for k in range(inner * K, inner * K + K):
                    counter = k * (n_hidden + n_visible)
                    _draw(hidden, lows, highs, counter, h)
                    _fields(WT, b, h, visible)
                    _draw(visible, lows, highs, counter + n_hidden, v)
                    _fields(W, c, v, hidden)
                _sigmoid(hidden, h)
                _add_statistics(v, h, live, f4(1.0) / f4(n_chains), model)
                for i in range(live):
                    for q in range(n_visible):
                        chains[first + i, q] = np.uint8(v[q, i])
            if kept.mu.size > 0:
                slide(data, model, algorithm.slides, inner == 0)
            ascend(machine, data, model, algorithm.spectral, updates.rates[u], algorithm.options)
