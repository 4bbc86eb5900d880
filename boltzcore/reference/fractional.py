"""Fractional RBMs in plain numpy: their expectations, and chains of them (Ping, Liu and Ihler 2016, section 3.3)."""

from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from boltzcore.kernels.random import ACCEPT, INSERT, generator
from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import gibbs_steps

ADVANCED = 1 << 19  # step, within an update, of the streams of `Chains.advanced`


class FractionalRBM(NamedTuple):
    """p(v) ∝ exp(sum_i c_i log(1 + e**(w_i'v)) + b'v), eq. 11; in w_i'v, a 1 is appended to v.

    Parameters
    ----------
    units : array (k, n + 1)
        w_i, the hidden bias last.
    counts : array (k,)
        c_i = alpha q(w_i).
    b : array (n,)
    """

    units: Array
    counts: Array
    b: Array

    def log_weights(self, v: Array) -> Array:
        """Return log p(v) + log Z of states v (rows, n + 1), each ending with a 1."""
        log_p: Array = np.logaddexp(0, v @ self.units.T) @ self.counts + v[:, :-1] @ self.b
        return log_p

    def approximation(self) -> "FractionalRBM":
        """Return the RBM of eq. 12: w_i repeated by the whole part of c_i, and once scaled by the rest of c_i."""
        rest = self.counts % 1
        units = np.concatenate([np.repeat(self.units, self.counts.astype(int), axis=0), rest[:, None] * self.units])
        units = units[np.append(np.ones(len(units) - len(rest), bool), rest > 0)]
        return FractionalRBM(units, np.ones(len(units)), self.b)


class WeightedStates(NamedTuple):
    """States v (rows, n + 1), each ending with a 1, and weights (rows,) that sum to 1: <f> is a weighted sum.

    exact : True if they are all 2**n states, False for samples
    """

    v: Array
    weight: Array
    exact: bool = False

    @classmethod
    def from_rows(cls, rows: Array, weight: Array | None = None) -> "WeightedStates":
        v = np.column_stack([rows, np.ones(len(rows))])
        return cls(v, np.full(len(v), 1 / len(v)) if weight is None else weight)

    @property
    def mean(self) -> Array:
        """Mean <v> (n,)."""
        return self.weight @ self.v[:, :-1]

    def mean_softplus(self, units: Array) -> Array:
        """Return <log(1 + e**(w'v))> for a unit w (n + 1,), or (k,) for units (k, n + 1)."""
        return self.weight @ np.logaddexp(0, self.v @ units.T)


class Chains:
    """Persistent chains of a fractional RBM that changes; without chains, expectations are sums over all states.

    A step is a Gibbs step of the approximation, accepted with probability min(1, A), see eq. 12.

    Parameters
    ----------
    v : array (chains, n) of 0 and 1
    seed, update : int
        The n-th call of `run` in an update draws from (seed, INSERT, update 2**20 + n, chain).
    """

    def __init__(self, v: Array, seed: int, update: int) -> None:
        self.v, self.exact = v, not len(v)
        self._seed, self._update, self._calls = seed, update, 0

    def run(self, model: FractionalRBM, steps: int, batch: slice = slice(None)) -> None:
        """Move the chains of a batch."""
        if not self.exact:
            self.v = self.v.copy()
            self.v[batch] = self._moved(model, self.v[batch], steps, self._calls)
            self._calls += 1

    def advanced(self, model: FractionalRBM, steps: int) -> WeightedStates:
        """Return the states that the chains would reach in some more steps, without moving them."""
        return WeightedStates.from_rows(self._moved(model, self.v, steps, ADVANCED))

    def states(self, model: FractionalRBM, batch: slice = slice(None)) -> WeightedStates:
        """Return states for <f>_model: the chains of a batch, or all 2**n states with their probabilities."""
        if not self.exact:
            return WeightedStates.from_rows(self.v[batch])
        n = len(model.b)
        all_states = WeightedStates.from_rows(np.arange(2**n)[:, None] >> np.arange(n) & 1)
        return all_states._replace(weight=softmax(model.log_weights(all_states.v)), exact=True)

    def batch(self, k: int, size: int) -> slice:
        """Return the slice of the chains that take part in step k: the next `size` of them."""
        batches = max(1, -(-len(self.v) // size))
        return slice(k % batches * size, (k % batches + 1) * size)

    def _moved(self, model: FractionalRBM, v: Array, steps: int, call: int) -> Array:
        step, rbm = (self._update << 20) + call, model.approximation()
        if (model.counts % 1 == 0).all():  # for an RBM all proposals are accepted
            return _gibbs(v, rbm, Draws(self._seed, INSERT, step), steps)
        acceptance = generator(self._seed, ACCEPT, step * 64 + INSERT)
        for k in range(steps):
            new = _gibbs(v, rbm, Draws(self._seed, INSERT, step + (k << 40)), 1)
            before, after = (
                model.log_weights(each) - rbm.log_weights(each)
                for each in (WeightedStates.from_rows(v).v, WeightedStates.from_rows(new).v)
            )
            accepted = acceptance.random(len(v)) < np.exp(np.minimum(after - before, 0))  # A
            v = np.where(accepted[:, None], new, v)
        return v


def _gibbs(v: Array, rbm: FractionalRBM, draws: Draws, steps: int) -> Array:
    """Return v after some Gibbs steps of an RBM; without hidden units, draw as with one unit whose weights are 0."""
    units = rbm.units if len(rbm.units) else np.zeros((1, len(rbm.b) + 1))
    *_, (_, end) = gibbs_steps(v, units[:, :-1].T, rbm.b, units[:, -1], draws, range(steps))
    return end["v"]


def log(weight: Array) -> Array:
    """Return the logarithm of weights, which may be 0 by underflow."""
    return np.log(np.maximum(weight, np.finfo(float).tiny))
