"""An infinite RBM during an update of Frank-Wolfe: rows that stand for it, and how its counts and biases move."""

import math

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference.fractional import metropolis
from boltzcore.kernels import random as streams
from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.learners.insertion.correction import Reweighted, effective, normalised, step_while_rising
from boltzcore.learners.insertion.rows import WeightedRows, squares
from boltzcore.learners.operations import product
from boltzcore.learners.walkthrough import insertion as phases
from boltzcore.learners.walkthrough.recorder import NOT_RECORDING, Recorder
from boltzcore.learners.walkthrough.search_path import spread
from boltzcore.models import InfiniteRBM
from boltzcore.models.infinite import MOST_UNITS
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick, idle, portion

_ELSEWHERE = 1 << 19  # the place among the calls of an update that chains which do not move draw from
FEWEST = 0.01  # units: alpha goes no lower by its gradient, so that no count is rounded to 0
KEPT = 0.5  # share of the samples that must be left, in effect, as counts move away from where they were drawn


class WorkingModel:
    """A model with the data and persistent chains; without chains its expectations are sums over all states.

    answers : (n_units,) what the data answer to each unit (`WeightedRows.answers`)
    accepted : the share of the chains' steps that were accepted so far
    effective : the least number of samples that were left, in effect, so far
    gibbs_steps : of each chain, on average
    operations : multiplications and additions so far
    """

    def __init__(
        self,
        model: InfiniteRBM,
        data: WeightedRows,
        answers: NDArray[np.float64],
        chains: NDArray[np.uint8],
        *,
        penalty: float,
        seed: int,
        update: int,
        tick: Tick,
        recorder: Recorder = NOT_RECORDING,
    ) -> None:
        self.model, self.data, self.answers, self.chains = model, data, answers, chains.copy()
        self.exact = not len(chains)
        self.effective = float(len(chains))
        self.operations = 0
        self._penalty, self._seed, self._update, self._tick = penalty, seed, update, tick
        self._moved, self._accepted, self._calls, self._recorder = 0, 0.0, 0, recorder
        if self.exact:
            n = model.n_visible
            states = (np.arange(1 << n)[:, None] >> np.arange(n) & 1).astype(np.uint8)
            self._pool = WeightedRows.from_rows(states, np.full(1 << n, 0.5**n))

    @property
    def gibbs_steps(self) -> int:
        return self._moved // max(1, len(self.chains))

    @property
    def accepted(self) -> float:
        return self._accepted / self._moved if self._moved else 1.0

    # -- what stands for it --------------------------------------------------------------------------------

    def let_go_on(self, steps: int, chains: slice = slice(None), tick: Tick = idle) -> None:
        """Take Gibbs steps of some of the chains under the model as it is; sums over all states need none."""
        if self.exact:
            return
        self.chains[chains], accepted = metropolis(
            self.model,
            self.chains[chains],
            steps,
            seed=self._seed,
            step=(self._update << 20) + self._calls,
            purpose=streams.INSERT,
            tick=tick,
        )
        self._calls += 1
        if moved := steps * len(self.chains[chains]):
            self._moved += moved
            self.operations += 2 * product(moved, self.model.n_visible, self.model.n_units)
            self._accepted += moved * accepted

    def elsewhere(self, steps: int, tick: Tick = idle) -> WeightedRows:
        """WeightedRows to which the chains would have come after some more steps, which they do not take."""
        self.operations += 2 * product(steps * len(self.chains), self.model.n_visible, self.model.n_units)
        v, _ = metropolis(
            self.model,
            self.chains,
            steps,
            seed=self._seed,
            step=(self._update << 20) + _ELSEWHERE,
            purpose=streams.INSERT,
            tick=tick,
        )
        return WeightedRows.from_rows(v, np.full(len(v), 1.0 / len(v)))

    def pool(self, chains: slice = slice(None)) -> WeightedRows:
        """WeightedRows that stand for the model: all states by their probabilities, or chains."""
        if not self.exact:
            v = self.chains[chains]
            return WeightedRows.from_rows(v, np.full(len(v), 1.0 / len(v)))
        self.operations += product(len(self._pool.v), self.model.n_visible + 1, self.model.n_units)
        log_weight = self.model.log_weights(tick=self._tick)
        weight = exp_in_double(log_weight - log_weight.max())
        return self._pool.weighted(weight / math.fsum(weight))

    def slopes(self, pool: WeightedRows) -> NDArray[np.float64]:
        """(n_units,) of each unit there is: how fast J rises with its count."""
        self.operations += product(len(pool.v), self.model.n_visible + 1, self.model.n_units)
        return self.answers - pool.answers(self.model.units) - self.price

    @property
    def price(self) -> NDArray[np.float64]:
        """(n_units,) lambda/2 |w|**2 of each unit there is."""
        price: NDArray[np.float64] = 0.5 * self._penalty * squares(self.model.units)
        return price

    # -- how it changes ------------------------------------------------------------------------------------

    def set(self, counts: NDArray, b: NDArray) -> None:
        """Other counts and biases; counts that are more together than there may be are so many less."""
        if (alpha := counts.sum(dtype=np.float64)) > MOST_UNITS:
            counts = counts * (0.9999 * MOST_UNITS / alpha)
        self.model = InfiniteRBM(self.model.units, counts.astype(np.float32), b.astype(np.float32))

    def take_in(self, unit: NDArray[np.float32], counts: NDArray[np.float32]) -> None:
        """One unit more, and counts of all."""
        self.model = InfiniteRBM(np.concatenate([self.model.units, unit[None]]), counts, self.model.b)
        self.operations += product(self.data.count, self.model.n_visible + 1, 1)
        self.answers = np.append(self.answers, self.data.answers(unit[None]))

    def let_leave(self, left: NDArray[np.bool_]) -> None:
        """Without these units."""
        self.model = InfiniteRBM(self.model.units[~left], self.model.counts[~left], self.model.b)
        self.answers = self.answers[~left]

    def descend(self, steps: int, batch: int, rate: float) -> None:
        """The paper's steps on the visible biases (eq. 10), each after a Gibbs step of a batch of the chains."""
        target, recorded = self.data.mean, spread(steps, phases.STEPS)
        for k in range(steps):
            few = self._batch(k, steps, batch)
            pool, before = self.pool(few), self.model
            self.operations += product(len(pool.v), self.model.n_visible, 1)
            self.set(before.counts, before.b + rate * (target - pool.mean))
            if k in recorded:
                arguments = (self.data, k + 1, before.b, self.model.b, pool.mean)
                self._recorder.record("biases", phases.biases, *arguments)

    def ascend(self, steps: int, batch: int, rate: float) -> None:
        """The same with steps on alpha, the sum of the counts, before those on the biases.

        Given the units' shares the likelihood is concave in alpha and the biases, so that a step along either gradient
        is of the rate, or ends where the likelihood is largest on its line. By samples it also ends where too few of
        them would still stand for the model.
        """
        if not (alpha := self.model.alpha):
            return self.descend(steps, batch, rate)
        units, b, recorded = self.model.units, self.model.b.astype(np.float64), spread(steps, phases.STEPS)
        share = self.model.counts.astype(np.float64) / alpha
        target, of_data, kept = self.data.mean, math.fsum(share * self.answers), 0.0 if self.exact else KEPT
        for k in range(steps):
            few = self._batch(k, steps, batch)
            if not self.exact:
                pool = self.pool(few)
                mixture, log_weight = pool.mixture(units, share), np.zeros(len(pool.v))
            elif not k:
                pool = self._pool
                mixture = pool.mixture(units, share)
                log_weight = alpha * mixture + (pool.v * b).sum(axis=1)
            before, slope = self.model, of_data - float((normalised(log_weight) * mixture).sum())
            up = 1.0 if slope > 0 else -1.0
            most = 0.9999 * MOST_UNITS - alpha if slope > 0 else alpha - FEWEST
            if (most := min(rate * abs(slope), most)) > 0:
                step = up * step_while_rising(log_weight, up * mixture, up * of_data, most, kept)
                alpha, log_weight = alpha + step, log_weight + step * mixture
            mean = pool.weighted(normalised(log_weight)).mean
            answered = len(units) if k == 0 or not self.exact else 0
            self.operations += product(len(pool.v), self.model.n_visible + 1, answered + 2)
            pull = target - mean
            moves = (pool.v * pull).sum(axis=1)
            step = step_while_rising(log_weight, moves, math.fsum(target * pull), rate, kept)
            b, log_weight = b + step * pull, log_weight + step * moves
            self.set(alpha * share, b)
            if k in recorded:
                arguments = (self.data, k + 1, before.b, self.model.b, mean)
                self._recorder.record("biases", phases.biases, *arguments, counts=self.model.counts)

    def _batch(self, k: int, steps: int, batch: int) -> slice:
        """The chains of step k on the biases, a Gibbs step later."""
        self._tick(0.4 + 0.6 * k / steps)
        batches = max(1, -(-len(self.chains) // batch))
        few = slice(k % batches * batch, (k % batches + 1) * batch)
        self.let_go_on(1, few)
        return few

    def rise(self, rounds: int, moved: int | None) -> None:
        """Make J larger in all counts and biases, or in the count that has moved and then along the biases' gradient.

        Of chains, again and again: as far as they stand for the model, and then they go on under the new one. Over
        all states once is enough; there `rounds` are steps along the biases' gradient.
        """
        kept, recorded = 0.0 if self.exact else KEPT, spread(rounds, phases.STEPS)
        for k in range(1 if self.exact else rounds):
            part = portion(self._tick, 0.4 + 0.6 * k / rounds, 0.6 / rounds)
            theta, pool = np.concatenate([self.model.counts, self.model.b]).astype(np.float64), self.pool()
            of_data = np.concatenate([self.answers, self.data.mean])
            problem = Reweighted(self.model, pool, of_data, self._penalty, exact=self.exact, tick=part)
            recorder = self._recorder if k in recorded else NOT_RECORDING
            with one_for_blas():
                if moved is not None:
                    found = problem.along_count(theta, moved, kept)
                    recorder.record("line", phases.line, problem, moved, theta, found)
                    for step in range(rounds) if self.exact else (k,):
                        before, found = found, problem.along_biases(found, kept)
                        if step in recorded:
                            arguments = (self.data, step + 1, problem, before, found)
                            recorder.record("biases", phases.biases_along, *arguments)
                elif self.exact:
                    found = problem.maximum(theta, recorder)
                    recorder.record_each(phases.counts_by_sums, problem, recorder.paths)
                else:
                    found = problem.towards(theta, kept)
                    recorder.record("counts", phases.counts_by_samples, k + 1, problem, found)
            self.operations += problem.operations
            self.set(np.maximum(found[: problem.k], 0.0), found[problem.k :])
            if not self.exact:
                left = effective(problem.weights(found)) / len(pool.v)
                self.effective = min(self.effective, left * len(self.chains))
                self.let_go_on(1)
