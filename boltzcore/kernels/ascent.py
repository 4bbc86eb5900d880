"""Gradient step of a contrastive learner from the statistics of its two phases, for small and for large RBMs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import kernel

f4 = np.float32

EPSILON = f4(np.finfo(np.float32).eps)


class SufficientStatistics(NamedTuple):
    """Averages for one term of the gradient, that of the data or that of the model.

    vp, v, p : v p', v and p = p(h = 1 | v) averaged over rows: (n_visible, n_hidden or more), (n_visible,), (n_hidden,)
    mu, lambda_ : (n_visible,) and (n_hidden,) offsets that it is centred with; empty without centring
    """

    vp: NDArray[np.float32]
    v: NDArray[np.float32]
    p: NDArray[np.float32]
    mu: NDArray[np.float32]
    lambda_: NDArray[np.float32]


class Options(NamedTuple):
    """Options of a step; 0 means off.

    momentum : share of the velocity that is kept
    weight_decay, l1_decay : multiples of W, and of its signs, subtracted from its direction
    clip : largest norm of the direction
    velocity : (n_visible n_hidden + n_visible + n_hidden,) of W row by row, b and c, changed in place; empty without
        momentum
    """

    momentum: np.float32
    weight_decay: np.float32
    l1_decay: np.float32
    clip: np.float32
    velocity: NDArray[np.float32]


@kernel
def sharp(gradient):
    """Return the sharp operator of the Schatten-infinity norm: U V' times the nuclear norm, with gradient = U diag(s)
    V'.

    Directions with singular values of 0 up to rounding are ignored: of the many maximisers, the smallest is returned.
    LAPACK and BLAS round differently on each processor, so it works in float64, whose rounding to float32 nearly always
    agrees. A gradient that is not finite is returned unchanged, because LAPACK would end the process.
    """
    bits = gradient.reshape(-1).view(np.int32)
    exponent = np.int32(0x7F800000)  # all set in values that are not finite; fastmath removes tests by value
    for k in range(bits.size):
        if bits[k] & exponent == exponent:
            return gradient
    U, s, V = np.linalg.svd(gradient.astype(np.float64), False)
    least = s[0] * EPSILON * max(gradient.shape)
    for k in range(s.size):
        if s[k] <= least:
            V[k] = 0.0
    return (s.sum() * np.dot(U, V)).astype(np.float32)


@kernel
def clear(term):
    """Set the averages of a term, not its offsets, to zero."""
    term.vp[:] = f4(0.0)
    term.v[:] = f4(0.0)
    term.p[:] = f4(0.0)


@kernel
def _slide(offset, mean, factor):
    for k in range(offset.size):
        offset[k] += factor * (mean[k] - offset[k])


@kernel
def _copy(source, out):
    for k in range(out.size):  # a copy by slices would take a second or two to compile
        out[k] = source[k]


@kernel
def slide(data, model, factors, first):
    """Move the offsets of the model's term towards the means of the data's, as moving averages with these factors of mu
    and lambda; in the first inner step of an update they are copied to the data's term.
    """
    _slide(model.mu, data.v, factors[0])
    _slide(model.lambda_, data.p, factors[1])
    if first:
        _copy(model.mu, data.mu)
        _copy(model.lambda_, data.lambda_)


@kernel
def _move(theta, direction, width, first, decays, factor, rate, options):
    """Move the first `width` columns of theta (rows, n) along a direction, with velocities from place `first` on."""
    for q in range(theta.shape[0]):
        for j in range(width):
            old, step = theta[q, j], factor * direction[q, j]
            if decays:
                sign = f4(1.0) if old > 0 else f4(-1.0) if old < 0 else f4(0.0)
                step -= options.weight_decay * old + options.l1_decay * sign
            step *= rate
            if options.velocity.size > 0:
                place = first + q * width + j
                step += options.momentum * options.velocity[place]
                options.velocity[place] = step
            theta[q, j] = old + step


@kernel
def _square(direction, width):
    total = 0.0
    for q in range(direction.shape[0]):
        for j in range(width):
            total += np.float64(direction[q, j]) * np.float64(direction[q, j])
    return total


@kernel
def _move_all(machine, direction, rate, options):
    """Move W, b and c of an `RBMArrays` along a direction, `SufficientStatistics`, with options."""
    W, b, c = machine.W, machine.b.reshape((1, -1)), machine.c.reshape((1, -1))
    dW, db, dc = direction.vp, direction.v.reshape((1, -1)), direction.p.reshape((1, -1))
    n_visible, n_hidden, factor = b.size, c.size, f4(1.0)
    if options.clip > 0:
        square = _square(dW, n_hidden) + _square(db, n_visible) + _square(dc, n_hidden)
        factor = f4(options.clip / max(np.sqrt(square), np.float64(options.clip)))
    places = n_visible * n_hidden
    _move(W, dW, n_hidden, 0, True, factor, rate, options)
    _move(b, db, n_visible, places, False, factor, rate, options)
    _move(c, dc, n_hidden, places + n_visible, False, factor, rate, options)


@kernel
def ascend(machine, data, model, spectral, rate, options):
    """Add rate * direction to W, b, c of an `RBMArrays`, in place, with `Options`; its WT is not changed.

    data, model : the terms of the gradient; the averages of `model` become the direction. Columns of W and vp beyond
        those of c are padding
    spectral : None, or anything else to move W along `sharp` of its gradient; this is compiled separately

    With offsets the gradient is the centred one, <(v - mu)(p - lambda)'>. A model with offsets mu, lambda and biases
    b', c' is the plain one with b = b' - W lambda and c = c' - W'mu, which re-parameterisation does not change: so a
    step of (W, b', c') moves b and c by their own steps minus the step of W times the offsets.
    """
    W, b, c = machine.W, machine.b, machine.c
    n_visible, n_hidden = b.size, c.size
    dW, db, dc, mu, lambda_ = model
    centred = mu.size > 0
    if centred:
        for q in range(n_visible):
            of_model, of_data = mu[q], data.mu[q]
            v_model, v_data = db[q] - of_model, data.v[q] - of_data
            for j in range(n_hidden):
                there = dW[q, j] - of_model * dc[j] - v_model * lambda_[j]
                dW[q, j] = (data.vp[q, j] - of_data * data.p[j] - v_data * data.lambda_[j]) - there
    else:
        for q in range(n_visible):
            for j in range(n_hidden):
                dW[q, j] = data.vp[q, j] - dW[q, j]
    for q in range(n_visible):
        db[q] = data.v[q] - db[q]
    for j in range(n_hidden):
        dc[j] = data.p[j] - dc[j]
    if spectral is not None:
        dW[:, :n_hidden] = sharp(np.ascontiguousarray(dW[:, :n_hidden]))
    if centred:
        for q in range(n_visible):
            along = f4(0.0)
            for j in range(n_hidden):
                along += dW[q, j] * lambda_[j]
                dc[j] -= mu[q] * dW[q, j]
            db[q] -= along
    if options.clip > 0 or options.weight_decay > 0 or options.l1_decay > 0 or options.velocity.size > 0:
        _move_all(machine, model, rate, options)
        return
    for q in range(n_visible):
        b[q] += rate * db[q]
        for j in range(n_hidden):
            W[q, j] += rate * dW[q, j]
    for j in range(n_hidden):
        c[j] += rate * dc[j]
