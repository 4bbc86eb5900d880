"""Contrastive learning of small RBMs: rows of the batch as SIMD lanes, many updates in one call."""

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.ascent import ascend, slide
from boltzcore.kernels.random import GIBBS, root_key, row_key, unit, word
from boltzcore.kernels.simd import LANES, at_line, sum_lanes, sum_products, weigh_four, weigh_one
from boltzcore.kernels.vector import exp32, sigmoid32

u4, u8, i8, f4 = np.uint32, np.uint64, np.int64, np.float32


@kernel
def _fields(weights, bias, states, out):
    """out (n_out, LANES) = bias + weights' states, weights (n_in, n_out), states (n_in, LANES)."""
    flat, lanes, sums = weights.reshape(-1), states.reshape(-1), out.reshape(-1)
    n_in, n_out = weights.shape
    for j in range(0, n_out - 3, 4):
        weigh_four(
            sums, i8(j * LANES), i8(LANES), bias, flat, i8(j), i8(1), i8(n_out), lanes, i8(0), i8(LANES), i8(n_in)
        )
    for j in range(n_out // 4 * 4, n_out):
        weigh_one(
            sums, i8(j * LANES), i8(LANES), bias, flat, i8(j), i8(1), i8(n_out), lanes, i8(0), i8(LANES), i8(n_in)
        )


@kernel
def _draw(fields, lows, highs, counter, states):
    for j in range(states.shape[0]):
        for i in range(LANES):
            u = unit(word(u4(counter + j), lows[i], highs[i]))
            states[j, i] = f4(1.0) if u * (f4(1.0) + exp32(-fields[j, i])) < f4(1.0) else f4(0.0)


@kernel
def _add_statistics(v, h, live, scale, dW, db, dc):
    """Add scale * (v h', v, h) of the first `live` lanes; h is overwritten by scale * h, and the other lanes of both
    by 0.
    """
    units, features = v.reshape(-1), h.reshape(-1)
    for j in range(h.shape[0]):
        for i in range(LANES):
            h[j, i] = scale * h[j, i] if i < live else f4(0.0)
        dc[j] += sum_lanes(features, i8(j * LANES), i8(1))
    for q in range(v.shape[0]):
        for i in range(LANES):
            v[q, i] = v[q, i] if i < live else f4(0.0)
        db[q] += scale * sum_lanes(units, i8(q * LANES), i8(1))
        for j in range(h.shape[0]):
            dW[q, j] += sum_products(units, i8(q * LANES), features, i8(j * LANES), i8(1))


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
def _zero(statistics):
    dW, db, dc = statistics
    dW[:] = f4(0.0)
    db[:] = f4(0.0)
    dc[:] = f4(0.0)


@kernel
def _copy(source, out):
    for k in range(out.size):  # a copy by slices takes a second or two to compile
        out[k] = source[k]


@kernel
def _blank(n_visible, n_hidden):
    return np.empty((n_visible, n_hidden), np.float32), np.empty(n_visible, np.float32), np.empty(n_hidden, np.float32)


@kernel
def contrastive(W, b, c, rows, order, sizes, chains, offsets, slides, persistent, spectral, d, K, rate, seed, count):
    """`len(order)` mini-batch updates in place; update u is number count + u of the training.

    W (n_visible, n_hidden), b, c : float32, updated
    rows : (n, n_visible) uint8; order : (updates, batch) rows of each update's mini-batch, of which
        the first sizes[u] are taken
    chains : (chains, n_visible) uint8, where the negative phase ends; it starts there if `persistent`,
        else at the mini-batch
    offsets : (mu, lambda), updated with the sliding factors `slides`; empty where nothing is centred
    d, K : inner steps of an update, each after K Gibbs steps on which the chains go on; the data term is
        that of the parameters before the first
    spectral, rate : as in `ascent.ascend`
    Both phases use p(h | v) (Upadhya and Sastry 2017, Algorithms 1, 3 and 4). Streams as in `rows.gibbs`.
    """
    n_visible, n_hidden = W.shape
    WT = np.empty((n_hidden, n_visible), np.float32)
    of_data, of_model = _blank(n_visible, n_hidden), _blank(n_visible, n_hidden)
    first_offsets = np.empty(offsets[0].size, np.float32), np.empty(offsets[1].size, np.float32)
    v = at_line(n_visible * LANES).reshape(n_visible, LANES)
    h = at_line(n_hidden * LANES).reshape(n_hidden, LANES)
    visible = at_line(n_visible * LANES).reshape(n_visible, LANES)
    hidden = at_line(n_hidden * LANES).reshape(n_hidden, LANES)
    lows, highs = np.empty(LANES, np.uint32), np.empty(LANES, np.uint32)
    same = np.empty(chains.shape[0], np.int32)
    for i in range(same.size):
        same[i] = i
    for u in range(order.shape[0]):
        size = sizes[u]
        n_chains = chains.shape[0] if persistent else size
        root = root_key(seed, GIBBS, count + u)
        _zero(of_data)
        for inner in range(d):
            _zero(of_model)
            for q in range(n_visible):
                for j in range(n_hidden):
                    WT[j, q] = W[q, j]
            for first in range(0, max(size, n_chains), LANES):
                live = min(LANES, size - first)
                if inner == 0 and live > 0:
                    _load(rows, order[u], first, live, v)
                    _fields(W, c, v, hidden)
                    _sigmoid(hidden, h)
                    _add_statistics(v, h, live, f4(1.0) / f4(size), of_data[0], of_data[1], of_data[2])
                live = min(LANES, n_chains - first)
                if live <= 0:
                    continue
                if persistent or inner > 0:
                    _load(chains, same, first, live, v)
                    _fields(W, c, v, hidden)
                for i in range(LANES):
                    key = row_key(root, first + i)
                    lows[i], highs[i] = u4(key & u8(0xFFFFFFFF)), u4(key >> u8(32))
                for k in range(inner * K, inner * K + K):
                    counter = k * (n_hidden + n_visible)
                    _draw(hidden, lows, highs, counter, h)
                    _fields(WT, b, h, visible)
                    _draw(visible, lows, highs, counter + n_hidden, v)
                    _fields(W, c, v, hidden)
                _sigmoid(hidden, h)
                _add_statistics(v, h, live, f4(1.0) / f4(n_chains), of_model[0], of_model[1], of_model[2])
                for i in range(live):
                    for q in range(n_visible):
                        chains[first + i, q] = np.uint8(v[q, i])
            slide(offsets[0], of_data[1], slides[0])
            slide(offsets[1], of_data[2], slides[1])
            if inner == 0:
                _copy(offsets[0], first_offsets[0])
                _copy(offsets[1], first_offsets[1])
            ascend(W, b, c, of_data, of_model, first_offsets, offsets, spectral, rate)
