"""The updates of parallel trajectory tempering, phase by phase.

With F the free energy under the model now and F* under the frozen one, a chain x and a sample y are exchanged with
probability min(1, e**D), D = [F(x) - F*(x)] - [F(y) - F*(y)]. The share a that would be accepted decides, the chains
weighted by e**(F' - F), F' their free energies when they were drawn: they still follow the model before
the last step.
    a >= alpha              exchange, Gibbs steps, a step of the parameters
    alpha_min <= a < alpha  exchange, and freeze: warm up for 20 autocorrelation times, collect samples two of them
                            apart, log Z of the new rung by Bennett's ratio
    a < alpha_min           back to the frozen model, its samples for chains, half the rate
"""

import dataclasses
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from boltzcore.inference.annealing import LogPartition
from boltzcore.kernels import exchange
from boltzcore.kernels.ascent import ascend
from boltzcore.kernels.machine import Machine
from boltzcore.learners.batches import Minibatches
from boltzcore.learners.contrastive.blocks import Workspace
from boltzcore.learners.operations import added, product, step
from boltzcore.learners.tempering.base import ACCEPTED, estimate, log_ratio
from boltzcore.learners.tempering.exchanges import Exchanges, Pause, Proposal, free_energies, machine_of, nothing
from boltzcore.learners.walkthrough import tempering as walkthrough
from boltzcore.learners.walkthrough.recorder import NOT_RECORDING, Recorder
from boltzcore.models import RBM
from boltzcore.ticks import Tick

if TYPE_CHECKING:
    from boltzcore.learners.tempering.trajectory import TrajectoryState, TrajectoryTempering

ANNEAL, TRAIN, WARM, COLLECT = range(4)
FROZEN, REJECTED, FACTOR = "models_frozen", "models_rejected", "rate_factor"
SWEEPS = 20  # of an update that warms up or collects, and the least that a warming up takes
LONGEST = 2_000  # sweeps of a warming up: a model that takes longer is given up
TIMES = 20  # autocorrelation times that a warming up lasts
GENEROUS = 0.6  # share of exchanges accepted from which the next step of annealing is twice as long
RECOVERY = 1.02  # how much of a lowered rate comes back in an update


class Trajectory:
    """A training under way: the parts of a State that `update` changes."""

    def __init__(
        self,
        learner: "TrajectoryTempering",
        state: "TrajectoryState",
        batches: Minibatches | None,
        recorder: Recorder = NOT_RECORDING,
        way: Sequence[RBM] = (),
    ) -> None:
        """way : models that annealing leads through, the last of them the state's own; () for the straight way there"""
        self._learner, self._state, self._batches, self._recorder = learner, state, batches, recorder
        origin = RBM(np.zeros_like(state.model.W), state.base, np.zeros_like(state.model.c))
        self._way = (origin, *(way or (state.model,)))
        last = machine_of(state.checkpoint)
        self.chains = Exchanges(
            state.chains, state.energies, state.reservoir, state.reservoir_energies, last, state.seed, recorder
        )
        self.samples, self.samples_energies = state.samples, state.samples_energies
        self.log_z, self.influence = state.log_z, state.influence
        self.swaps, self.pending = list(state.swaps), list(state.pending)
        self.phase, self.reached, self.heading, self.stride = state.phase, state.reached, state.heading, state.stride
        self.wait, self.waited, self.since, self.factor = state.wait, state.waited, state.since, state.factor
        self.frozen, self.rejected = state.frozen, state.rejected
        self.acceptance, self.work, self.operations = state.info.get(ACCEPTED, 1.0), state.work, state.operations
        self._model = self._on_the_way()

    # -- what comes next --------------------------------------------------------------------------

    def update(self, number: int, tick: Tick) -> None:
        """One update of the training."""
        done = 0.0

        def pause() -> None:
            tick(done)

        self.chains.begin(number, pause)
        if self.phase in (WARM, COLLECT):
            for k in range(SWEEPS):
                done = k / SWEEPS
                self._freeze()
                if self.phase not in (WARM, COLLECT):
                    break
        elif self.phase == ANNEAL:
            self._anneal()
        else:
            self._train(number, tick)
        W = self._model.machine.W[:, : self._model.machine.c.size]
        self.operations = added(self.operations, product(self.chains.products, *W.shape))
        self.chains.products = 0

    def _anneal(self) -> None:
        """A step from independent pixels towards the first model, shorter after each that was too long."""
        self.heading = min(1.0, self.reached + self.stride)
        self._model = self._on_the_way()
        proposal = self._proposed()
        if self.acceptance < self._learner.alpha_min:
            self._reject()
            return
        if self.acceptance > GENEROUS:
            self.stride = min(1.0, 2 * self.stride)
        self._exchanged(proposal)
        self._warm_up()

    def _train(self, number: int, tick: Tick) -> None:
        learner, chains, space = self._learner, self.chains, self._model
        proposal = self._proposed()
        few = self.acceptance < learner.alpha
        if few and (self.acceptance < learner.alpha_min or self.since <= 1):
            self._reject()
            return
        self._exchanged(proposal)
        if few:
            self._warm_up()
            return
        for _ in range(1, learner.sweeps):
            self._swept()
        assert self._batches is not None
        v, order, sizes = self._batches.updates(number, 1)
        batch, row, n_hidden = v[order[0, : sizes[0]]], self._recorder.row, space.machine.c.size
        rate = np.float32(learner.rate * self.factor)
        space.set_data_term(batch, lambda fraction: tick(0.9 + 0.1 * fraction))
        self._recorder.record("data", walkthrough.data_row, batch[row], space.fields[row, :n_hidden])
        space.set_term_of(chains.chains, chains.fields)
        self._recorder.record("difference", walkthrough.difference, space.data, space.model, n_hidden)
        ascend(space.machine, space.data, space.model, None, rate)
        if self._recorder.recording:
            self._recorder.set_model(space.rbm())
            self._recorder.record("new", walkthrough.step, space.model, rate, n_hidden)
        chains.known = False
        chains.products += 2 * int(sizes[0]) + len(chains.chains)
        self.operations = added(self.operations, step(space.machine.b.size * space.machine.c.size))
        self.since += 1
        if learner.step_bound:
            self.factor = min(
                1.0, RECOVERY * self.factor, self.factor * learner.step_bound / max(proposal.spread, 1e-9)
            )

    def _freeze(self) -> None:
        """A sweep of warming up or of collecting; at the end of either what follows."""
        accepted = self._swept()
        if self.phase == WARM:
            self.swaps.append(accepted.copy())
            n = len(self.swaps)
            if n == LONGEST or (n % SWEEPS == 0 and (n // SWEEPS).bit_count() == 1):
                self._look()
            return
        self.waited += 1
        if self.waited >= self.wait:
            self.pending.extend(self.chains.chains.copy())
            self.waited = 0
        if len(self.pending) == len(self.samples):
            self._keep()

    def _look(self) -> None:
        """Whether the chains have warmed up: to collect, to go on, or to give up."""
        swaps = np.array(self.swaps)
        late = int(swaps[len(swaps) // 2 :].sum()) / swaps[len(swaps) // 2 :].size
        integrated, exponential = exchange.autocorrelation(swaps)
        if late < self._learner.alpha_min:
            self._reject()
        elif len(swaps) >= TIMES * max(integrated, exponential):
            self.phase, self.wait, self.waited = COLLECT, math.ceil(2 * integrated), 0
            self.swaps.clear()
        elif len(swaps) >= LONGEST:
            self._reject()

    def _keep(self) -> None:
        """The model now becomes the frozen one."""
        machine, last = self._model.machine, self.chains.last
        samples = np.array(self.pending)
        energies = free_energies(machine, samples, self.chains.pause)
        forward = free_energies(machine, self.samples, self.chains.pause) - self.samples_energies
        backward = free_energies(last, samples, self.chains.pause) - energies
        self.chains.products += 3 * len(samples)
        even = np.full(len(samples), 1 / len(samples))
        self.log_z += log_ratio(forward, backward, even, len(self.chains.chains), self.influence)
        self.chains.last = _copy(machine)
        self.samples, self.samples_energies = samples, energies
        self._refill()
        self.pending.clear()
        self.reached, self.since = self.heading, 0
        self.frozen += 1
        self._recorder.record("frozen", log_z=[self.log_z])
        self.phase = TRAIN if self.reached == 1.0 else ANNEAL

    def _reject(self) -> None:
        """Back to the frozen model."""
        self._refill()
        self.chains.restart(self.samples, self.samples_energies)
        self.swaps.clear()
        self.pending.clear()
        self.since, self.heading = 0, self.reached
        self.rejected += 1
        if self.reached == 1.0:
            self.phase = TRAIN
            self.factor /= 2
            self._model = self._space(self._frozen())
            self._recorder.set_model(self._frozen())
        else:
            self.phase = ANNEAL
            self.stride /= 2
        self._recorder.record("back", factor=[self.factor])

    def _warm_up(self) -> None:
        """From here on the model stands still until it is frozen or given up."""
        self.phase = WARM
        self._recorder.record("freeze")
        self._refill()  # exchanges have left in it chains that lag behind

    def _refill(self) -> None:
        self.chains.reservoir[:], self.chains.reservoir_energies[:] = self.samples, self.samples_energies

    # -- sweeps, counted -------------------------------------------------------------------------------

    def _proposed(self) -> Proposal:
        proposal = self.chains.propose(self._model.machine)
        self.acceptance = proposal.acceptance
        self._recorder.record("decide", acceptance=[self.acceptance])
        return proposal

    def _exchanged(self, proposal: Proposal) -> None:
        self.chains.swap(proposal)
        self.chains.go_on(self._model.machine, self._learner.K)
        self.work += self._learner.K

    def _swept(self) -> np.ndarray:
        self.work += self._learner.K
        return self.chains.sweep_once(self._model.machine, self._learner.K)

    # -- models ----------------------------------------------------------------------------------------

    def _on_the_way(self) -> Workspace:
        """The model that the chains are of now."""
        if self.heading == 1.0:
            return self._space(self._way[-1])
        place = self.heading * (len(self._way) - 1)
        n, t = int(place), np.float32(place - int(place))
        one, other = self._way[n : n + 2]
        W, b, c = (getattr(one, name) + t * (getattr(other, name) - getattr(one, name)) for name in "Wbc")
        return self._space(RBM(W, b, c))

    def _space(self, model: RBM) -> Workspace:
        nothing = np.empty(0, np.float32)
        size = max(self._batches.size if self._batches else 1, len(self.chains.chains))
        return Workspace.from_model(model, size, nothing, nothing)

    def _frozen(self) -> RBM:
        last = self.chains.last
        return RBM(last.W[:, : last.c.size], last.b, last.c)

    def log_partition(self, pause: Pause = nothing) -> LogPartition | None:
        """log Z of the model now; None where it is on the way to the first. pause is called now and then."""
        if self.heading < 1.0:
            return None
        machine, chains = self._model.machine, self.chains
        now = free_energies(machine, chains.chains, pause)
        shares = np.empty(len(now))
        exchange.weights(chains.energies, now, shares)
        forward = free_energies(machine, self.samples, pause) - self.samples_energies
        backward = free_energies(chains.last, chains.chains, pause) - now
        influence = self.influence.copy()
        value = self.log_z + log_ratio(forward, backward, shares, len(now), influence)
        return estimate(value, influence)

    def state(self) -> "TrajectoryState":
        """The State now, its count as it was."""
        last = self._frozen()
        told = {
            ACCEPTED: self.acceptance,
            FROZEN: float(self.frozen),
            REJECTED: float(self.rejected),
            FACTOR: self.factor,
        }
        n_visible = last.n_visible
        return dataclasses.replace(
            self._state,
            model=self._state.model if self.heading < 1.0 else self._model.rbm(),
            work=self.work,
            operations=self.operations,
            info={**self._state.info, **told},
            chains=self.chains.chains,
            energies=self.chains.energies,
            samples=self.samples,
            samples_energies=self.samples_energies,
            reservoir=self.chains.reservoir,
            reservoir_energies=self.chains.reservoir_energies,
            W=last.W,
            b=last.b,
            c=last.c,
            log_z=self.log_z,
            influence=self.influence,
            swaps=np.array(self.swaps, np.uint8).reshape(-1, len(self.chains.chains)),
            pending=np.array(self.pending, np.uint8).reshape(-1, n_visible),
            phase=self.phase,
            reached=self.reached,
            heading=self.heading,
            stride=self.stride,
            wait=self.wait,
            waited=self.waited,
            since=self.since,
            frozen=self.frozen,
            rejected=self.rejected,
            factor=self.factor,
        )


def _copy(machine: Machine) -> Machine:
    return Machine(*(each.copy() for each in machine))
