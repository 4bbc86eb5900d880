"""An infinite RBM during an update of Frank-Wolfe: its chains, and the steps of its counts and biases."""

import math

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference.fractional import metropolis
from boltzcore.kernels import random as streams
from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.learners.insertion.correction import Reweighted, effective, normalised, step_while_rising
from boltzcore.learners.insertion.rows import WeightedRows, squares
from boltzcore.learners.operations import product
from boltzcore.models import InfiniteRBM
from boltzcore.models.infinite import MOST_UNITS
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick, idle, portion

_ADVANCED = 1 << 19  # step, within an update, of the streams of `WorkingModel.advanced_chains`
LEAST_ALPHA = 0.01  # its gradient lowers alpha no further, so that no count is rounded to 0
LEAST_EFFECTIVE = 0.5  # share of the samples that stays effective as counts and biases move


class WorkingModel:
    """A model with the data and persistent chains; without chains its expectations are sums over all states.

    Parameters
    ----------
    model : InfiniteRBM
    data : WeightedRows
    mean_softplus : array (n_units,)
        Of each unit over the data (`WeightedRows.mean_softplus`).
    chains : array (chains, n_visible) of 0 and 1
        Empty for sums over all states.
    penalty : float
    seed, update : int
        Of the random streams.

    Attributes
    ----------
    exact : bool
        Expectations are sums over all states.
    effective : float
        Smallest effective sample size so far.
    operations : int
        Multiplications and additions so far.
    """

    def __init__(
        self,
        model: InfiniteRBM,
        data: WeightedRows,
        mean_softplus: NDArray[np.float64],
        chains: NDArray[np.uint8],
        *,
        penalty: float,
        seed: int,
        update: int,
        tick: Tick,
    ) -> None:
        self.model, self.data, self.mean_softplus, self.chains = model, data, mean_softplus, chains.copy()
        self.exact = not len(chains)
        self.effective = float(len(chains))
        self.operations = 0
        self._penalty, self._seed, self._update, self._tick = penalty, seed, update, tick
        self._moved, self._accepted, self._calls = 0, 0.0, 0
        if self.exact:
            n = model.n_visible
            states = (np.arange(1 << n)[:, None] >> np.arange(n) & 1).astype(np.uint8)
            self._pool = WeightedRows.from_rows(states, np.full(1 << n, 0.5**n))

    @property
    def gibbs_steps(self) -> int:
        """Gibbs steps of a chain so far, on average."""
        return self._moved // max(1, len(self.chains))

    @property
    def accepted(self) -> float:
        """Share of the chains' steps that were accepted so far."""
        return self._accepted / self._moved if self._moved else 1.0

    # -- expectations --------------------------------------------------------------------------------------

    def run_chains(self, steps: int, chains: slice = slice(None), tick: Tick = idle) -> None:
        """Take Gibbs steps of some chains under the current model; no-op without chains."""
        if self.exact:
            return
        self.chains[chains], accepted = self._metropolis(self.chains[chains], steps, self._calls, tick)
        self._calls += 1
        if moved := steps * len(self.chains[chains]):
            self._moved += moved
            self._accepted += moved * accepted

    def advanced_chains(self, steps: int, tick: Tick = idle) -> WeightedRows:
        """Return the rows that the chains would reach in some more steps, which they do not take."""
        v, _ = self._metropolis(self.chains, steps, _ADVANCED, tick)
        return WeightedRows.from_rows(v, np.full(len(v), 1.0 / len(v)))

    def _metropolis(self, v: NDArray[np.uint8], steps: int, call: int, tick: Tick) -> tuple[NDArray[np.uint8], float]:
        self.operations += 2 * product(steps * len(v), self.model.n_visible, self.model.n_units)
        step = (self._update << 20) + call
        return metropolis(self.model, v, steps, seed=self._seed, step=step, purpose=streams.INSERT, tick=tick)

    def pool(self, chains: slice = slice(None)) -> WeightedRows:
        """Return rows whose weighted means are the model's expectations: all states, or chains."""
        if not self.exact:
            v = self.chains[chains]
            return WeightedRows.from_rows(v, np.full(len(v), 1.0 / len(v)))
        self.operations += product(len(self._pool.v), self.model.n_visible + 1, self.model.n_units)
        log_weight = self.model.log_weights(tick=self._tick)
        weight = exp_in_double(log_weight - log_weight.max())
        return self._pool.weighted(weight / math.fsum(weight))

    def slopes(self, pool: WeightedRows) -> NDArray[np.float64]:
        """Return dJ/dc_i of each unit (n_units,)."""
        self.operations += product(len(pool.v), self.model.n_visible + 1, self.model.n_units)
        return self.mean_softplus - pool.mean_softplus(self.model.units) - self.price

    @property
    def price(self) -> NDArray[np.float64]:
        """lambda/2 |w_i|**2 of each unit (n_units,)."""
        price: NDArray[np.float64] = 0.5 * self._penalty * squares(self.model.units)
        return price

    # -- steps ---------------------------------------------------------------------------------------------

    def set(self, counts: NDArray, b: NDArray) -> None:
        """Set counts and biases; counts whose sum is too large are scaled down."""
        if (alpha := counts.sum(dtype=np.float64)) > MOST_UNITS:
            counts = counts * (0.9999 * MOST_UNITS / alpha)
        self.model = InfiniteRBM(self.model.units, counts.astype(np.float32), b.astype(np.float32))

    def add_unit(self, unit: NDArray[np.float32], counts: NDArray[np.float32]) -> None:
        """Add a unit, and set the counts of all."""
        self.model = InfiniteRBM(np.concatenate([self.model.units, unit[None]]), counts, self.model.b)
        self.operations += product(self.data.count, self.model.n_visible + 1, 1)
        self.mean_softplus = np.append(self.mean_softplus, self.data.mean_softplus(unit[None]))

    def remove_units(self, removed: NDArray[np.bool_]) -> None:
        """Remove the units of a mask (n_units,)."""
        self.model = InfiniteRBM(self.model.units[~removed], self.model.counts[~removed], self.model.b)
        self.mean_softplus = self.mean_softplus[~removed]

    def ascend_biases(self, steps: int, batch: int, rate: float) -> None:
        """Take the paper's steps on the visible biases (eq. 10), each after a Gibbs step of a batch of the chains."""
        target = self.data.mean
        for k in range(steps):
            pool = self.pool(self._run_batch(k, steps, batch))
            self.operations += product(len(pool.v), self.model.n_visible, 1)
            self.set(self.model.counts, self.model.b + rate * (target - pool.mean))

    def ascend_alpha_and_biases(self, steps: int, batch: int, rate: float) -> None:
        """Take steps on alpha, the sum of the counts, each followed by one on the biases.

        Given the units' shares the likelihood is concave in alpha and the biases. A step along either gradient is of
        the rate, or ends where the likelihood is largest on its line. By samples it also ends when too few of them
        would stay effective.
        """
        if not (alpha := self.model.alpha):
            return self.ascend_biases(steps, batch, rate)
        units, b = self.model.units, self.model.b.astype(np.float64)
        share = self.model.counts.astype(np.float64) / alpha
        target, of_data = self.data.mean, math.fsum(share * self.mean_softplus)
        kept = 0.0 if self.exact else LEAST_EFFECTIVE
        for k in range(steps):
            chains = self._run_batch(k, steps, batch)
            if not self.exact:
                pool = self.pool(chains)
                softplus, log_weight = pool.expected_softplus(units, share), np.zeros(len(pool.v))
            elif not k:
                pool = self._pool
                softplus = pool.expected_softplus(units, share)
                log_weight = alpha * softplus + (pool.v * b).sum(axis=1)
            slope = of_data - float((normalised(log_weight) * softplus).sum())
            up = 1.0 if slope > 0 else -1.0
            most = 0.9999 * MOST_UNITS - alpha if slope > 0 else alpha - LEAST_ALPHA
            if (most := min(rate * abs(slope), most)) > 0:
                step = up * step_while_rising(log_weight, up * softplus, up * of_data, most, kept)
                alpha, log_weight = alpha + step, log_weight + step * softplus
            evaluated = len(units) if k == 0 or not self.exact else 0
            self.operations += product(len(pool.v), self.model.n_visible + 1, evaluated + 2)
            pull = target - pool.weighted(normalised(log_weight)).mean
            moves = (pool.v * pull).sum(axis=1)
            step = step_while_rising(log_weight, moves, math.fsum(target * pull), rate, kept)
            b, log_weight = b + step * pull, log_weight + step * moves
            self.set(alpha * share, b)

    def _run_batch(self, k: int, steps: int, batch: int) -> slice:
        """Take a Gibbs step of the chains of step k, and return which they are."""
        self._tick(0.4 + 0.6 * k / steps)
        batches = max(1, -(-len(self.chains) // batch))
        chains = slice(k % batches * batch, (k % batches + 1) * batch)
        self.run_chains(1, chains)
        return chains

    def correct_counts(self, rounds: int, moved: int | None) -> None:
        """Raise J in all counts and biases, or in the count that has moved and then along the biases' gradient.

        By chains in rounds: as far as enough of them stay effective, then they run under the new model. Over all states
        one round is enough; `rounds` are then steps along the biases' gradient.
        """
        kept = 0.0 if self.exact else LEAST_EFFECTIVE
        for k in range(1 if self.exact else rounds):
            part = portion(self._tick, 0.4 + 0.6 * k / rounds, 0.6 / rounds)
            theta, pool = np.concatenate([self.model.counts, self.model.b]).astype(np.float64), self.pool()
            of_data = np.concatenate([self.mean_softplus, self.data.mean])
            problem = Reweighted(self.model, pool, of_data, self._penalty, exact=self.exact, tick=part)
            with one_for_blas():
                if moved is not None:
                    found = problem.along_count(theta, moved, kept)
                    for _ in range(rounds if self.exact else 1):
                        found = problem.along_biases(found, kept)
                elif self.exact:
                    found = problem.maximum(theta)
                else:
                    found = problem.newton_step(theta, kept)
            self.operations += problem.operations
            self.set(np.maximum(found[: problem.k], 0.0), found[problem.k :])
            if not self.exact:
                share = effective(problem.weights(found)) / len(pool.v)
                self.effective = min(self.effective, share * len(self.chains))
                self.run_chains(1)
