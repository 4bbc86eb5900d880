"""Random numbers of a reference update: the same as in the kernels, addressed by (seed, purpose, step, row)."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from boltzcore.kernels import rows as kernel_rows
from boltzcore.kernels.elementwise import exp, sigmoid
from boltzcore.kernels.random import uniforms

TIE = 1e-6  # closer to its probability than this, a draw depends on rounding, so the kernel's draw is used

Array = NDArray[Any]


def parameters(rbm: Any) -> tuple[Array, Array, Array]:
    """Return W, b and c of an RBM in double precision."""
    return rbm.W.astype(float), rbm.b.astype(float), rbm.c.astype(float)


class Bernoulli(NamedTuple):
    """Drawn units: log-odds, probabilities, uniforms, and True for units that are on (u < p); (rows, n) each."""

    field: Array
    p: Array
    u: Array
    on: Array


class Draws:
    """Random streams of one update.

    Parameters
    ----------
    seed, purpose, step : int
        Address of the streams; row s of an array draws from (seed, purpose, step, s).
    """

    def __init__(self, seed: int, purpose: int, step: int) -> None:
        self._of = seed, purpose, step

    def uniforms(self, rows: int, n: int, first: int = 0) -> Array:
        """Return (rows, n) uniforms on (0, 1): words `first`, `first` + 1, ... of the stream of each row."""
        return uniforms(*self._of, np.arange(rows), n, first)

    def bernoulli(
        self, states: Array, W: Array, bias: Array, n: int, first: int, beta: Any = 1.0, base: Any = 0.0
    ) -> Bernoulli:
        """Draw n units for each row of `states` (rows, k), with the log-odds bias + states W (W is (k, n)).

        At inverse temperatures beta, (rows, 1), the log-odds are beta (bias + states W) + (1 - beta) base.
        """
        u = self.uniforms(len(states), n, first)
        field = beta * (bias + states @ W) + (1 - beta) * base
        return self._decide(field, u, lambda: _kernel_draw(states, W, bias, u, beta, base))

    def from_uniforms(self, field: Array, u: Array) -> Bernoulli:
        """Draw units with these log-odds from given uniforms, (rows, n) each."""
        return self._decide(field, u, lambda: u < sigmoid(field.astype(np.float32)))

    def _decide(self, field: Array, u: Array, kernel_draw: Callable[[], Array]) -> Bernoulli:
        p = expit(field)
        on = u < p
        near = np.abs(u - p) < TIE
        if near.any():
            on[near] = kernel_draw()[near]
        return Bernoulli(field, p, u, on.astype(np.uint8))


def _kernel_draw(states: Array, W: Array, bias: Array, u: Array, beta: Any, base: Any) -> Array:
    """Return the draws of the kernel, whose float32 sums have a different order."""
    matrix, fields = kernel_rows.blank(*W.shape), kernel_rows.blank(len(states), W.shape[1])
    matrix[:, : W.shape[1]] = W
    kernel_rows.hidden_fields(matrix, np.asarray(bias, np.float32), np.ascontiguousarray(states, np.uint8), fields)
    field = beta * fields[:, : W.shape[1]] + (1 - beta) * base
    return u * (np.float32(1) + exp(-field.astype(np.float32))) < 1
