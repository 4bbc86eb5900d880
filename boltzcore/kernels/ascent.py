"""The step that a contrastive learner takes from the statistics of its two phases, for small and for large RBMs."""

import numpy as np

from boltzcore.kernels import kernel

f4 = np.float32

EPSILON = f4(np.finfo(np.float32).eps)


@kernel
def sharp(gradient):
    """The sharp operator of the Schatten-infinity norm: U V' times the nuclear norm, where gradient = U diag(s) V'.

    Directions whose singular value is nought but for rounding take no part: of the many maximisers there, the smallest.
    LAPACK and BLAS round in their own ways on each processor: in float64, so that what is rounded to float32 nearly
    always agrees.
    A gradient that is not finite comes back as it is, for LAPACK would end the process.
    """
    bits = gradient.reshape(-1).view(np.int32)
    for k in range(bits.size):
        if bits[k] & np.int32(0x7F800000) == np.int32(
            0x7F800000
        ):  # fastmath takes away what asks for infinities by value
            return gradient
    U, s, V = np.linalg.svd(gradient.astype(np.float64), False)
    least = s[0] * EPSILON * max(gradient.shape)
    for k in range(s.size):
        if s[k] <= least:
            V[k] = 0.0
    return (s.sum() * np.dot(U, V)).astype(np.float32)


@kernel
def slide(offset, mean, nu):
    """offset += nu (mean - offset): a moving average with sliding factor nu."""
    for k in range(offset.size):
        offset[k] += nu * (mean[k] - offset[k])


@kernel
def ascend(W, b, c, data, model, first, offsets, spectral, rate):
    """W, b, c += rate * direction, in place.

    W, b, c : (n_visible, n_hidden or more), (n_visible,), (n_hidden,) float32; columns of W beyond n_hidden are padding
    data, model : (v p', v, p) averaged over the rows of either phase, shaped as (W, b, c); those of `model` become the
        direction
    first, offsets : (mu, lambda) that the data phase was centred with, and those of now; empty arrays where nothing is
        centred
    spectral : None, or anything else to let W go along `sharp` of its gradient; the latter is compiled apart

    With offsets the gradient is the centred one, <(v - mu)(p - lambda)'>. A model with offsets mu, lambda and biases
    b', c' is the plain one with b = b' - W lambda and c = c' - W'mu, which their re-parameterisation leaves as they
    are: so a step of (W, b', c') moves b and c by what it says and back by the step of W times the offsets.
    """
    n_visible, n_hidden = b.size, c.size
    dW, db, dc = model
    mu, lambda_ = offsets
    centred = mu.size > 0
    if centred:
        for q in range(n_visible):
            of_model, of_data = mu[q], first[0][q]
            v_model, v_data = db[q] - of_model, data[1][q] - of_data
            for j in range(n_hidden):
                there = dW[q, j] - of_model * dc[j] - v_model * lambda_[j]
                dW[q, j] = (data[0][q, j] - of_data * data[2][j] - v_data * first[1][j]) - there
    else:
        for q in range(n_visible):
            for j in range(n_hidden):
                dW[q, j] = data[0][q, j] - dW[q, j]
    for q in range(n_visible):
        db[q] = data[1][q] - db[q]
    for j in range(n_hidden):
        dc[j] = data[2][j] - dc[j]
    if spectral is not None:
        dW[:, :n_hidden] = sharp(np.ascontiguousarray(dW[:, :n_hidden]))
    if centred:
        for q in range(n_visible):
            along = f4(0.0)
            for j in range(n_hidden):
                along += dW[q, j] * lambda_[j]
                dc[j] -= mu[q] * dW[q, j]
            db[q] -= along
    for q in range(n_visible):
        b[q] += rate * db[q]
        for j in range(n_hidden):
            W[q, j] += rate * dW[q, j]
    for j in range(n_hidden):
        c[j] += rate * dc[j]
