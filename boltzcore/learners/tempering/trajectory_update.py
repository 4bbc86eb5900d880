"""The update of parallel trajectory tempering (Bereux et al. 2026); `reference/trajectory_tempering.py` explains it."""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference.annealing import LogPartition
from boltzcore.kernels import exchange
from boltzcore.learners.batches import Minibatches, MinibatchState
from boltzcore.learners.contrastive.blocks import Workspace
from boltzcore.learners.operations import product, step
from boltzcore.learners.tempering.base import ACCEPTED, Tempering, ascend_gradient, estimate, log_ratio, workspace
from boltzcore.learners.tempering.exchanges import Exchanges, Pause, Proposal, free_energies, machine_of
from boltzcore.models import RBM
from boltzcore.parameters import parameter
from boltzcore.ticks import Tick, idle, portion

ANNEAL, TRAIN, WARM, COLLECT = range(4)
FROZEN, REJECTED, FACTOR = "models_frozen", "models_rejected", "rate_factor"
SWEEPS = 20  # of an update that warms up or collects, and the least number of a warming up
LONGEST = 2_000  # sweeps of a warming up: a model that takes longer is given up
TIMES = 20  # autocorrelation times of a warming up
GENEROUS = 0.6  # share of accepted exchanges above which the next step of annealing is twice as long
RECOVERY = 1.02  # factor by which a lowered rate recovers in an update


@dataclass(frozen=True, eq=False)
class TrajectoryState(MinibatchState):
    """A State with chains, the frozen model and its samples.

    chains, energies : (C, n_visible) uint8, (C,) chains, and free energies under the model that they were drawn from
    samples, samples_energies : (R, n_visible) uint8, (R,) samples of the frozen model, and free energies under it
    reservoir, reservoir_energies : the same, as exchanges have changed them since
    base : (n_visible,) float32 log-odds of the independent units that annealing starts from
    W, b, c : the frozen model
    log_z, influence : its log Z, and (FAMILIES,) the influence of each family of chains on it
    swaps : (sweeps, C) uint8 accepted exchanges since warming up began
    pending : (collected, n_visible) uint8 samples so far of the model that is being frozen
    phase : of the next update: ANNEAL, TRAIN, WARM or COLLECT
    reached, heading, stride : fraction of the way to the first model of the frozen model and of the model now, and
        length of the next step on this way; all 1 in training
    wait, waited : sweeps between two collections, and since the last one
    since, frozen, rejected : updates since the last freeze or rejection, and number of freezes and of rejections
    factor : of the rate, after rejections and large steps
    acceptance : share of the latest proposals that were accepted
    """

    chains: NDArray[np.uint8] = field(kw_only=True)
    energies: NDArray[np.float64] = field(kw_only=True)
    samples: NDArray[np.uint8] = field(kw_only=True)
    samples_energies: NDArray[np.float64] = field(kw_only=True)
    reservoir: NDArray[np.uint8] = field(kw_only=True)
    reservoir_energies: NDArray[np.float64] = field(kw_only=True)
    base: NDArray[np.float32] = field(kw_only=True)
    W: NDArray[np.float32] = field(kw_only=True)
    b: NDArray[np.float32] = field(kw_only=True)
    c: NDArray[np.float32] = field(kw_only=True)
    log_z: float = field(kw_only=True)
    influence: NDArray[np.float64] = field(kw_only=True)
    swaps: NDArray[np.uint8] = field(kw_only=True)
    pending: NDArray[np.uint8] = field(kw_only=True)
    phase: int = ANNEAL
    reached: float = 0.0
    heading: float = 0.0
    stride: float = 1.0
    wait: int = 1
    waited: int = 0
    since: int = 0
    frozen: int = 0
    rejected: int = 0
    factor: float = 1.0
    acceptance: float = 1.0

    @property
    def chains_of_model(self) -> NDArray[np.uint8] | None:
        return self.chains if self.heading == 1.0 else None

    @property
    def checkpoint(self) -> RBM:
        """The frozen model."""
        return RBM(self.W, self.b, self.c)


@dataclass(frozen=True)
class TrajectorySettings(Tempering):
    """Hyper-parameters of parallel trajectory tempering."""

    reservoir: int = parameter(
        10,
        low=1,
        high=100,
        scale="log",
        help="Samples of the frozen model for each chain.",
        label="Reservoir",
    )
    alpha: float = parameter(
        0.3,
        low=0.01,
        high=0.99,
        symbol="\N{GREEK SMALL LETTER ALPHA}",
        help="Share of exchanges accepted below which the model is frozen as the next rung.",
        label="Freeze below",
    )
    alpha_min: float = parameter(
        0.1,
        low=0.001,
        high=0.99,
        symbol="\N{GREEK SMALL LETTER ALPHA}_min",
        help="Share of exchanges accepted below which the model goes back to the last rung.",
        label="Go back below",
    )
    sweeps: int = parameter(
        1, low=1, high=100, scale="log", help="Exchanges, each with its Gibbs steps, in an update.", live=True
    )
    step_bound: float = parameter(
        0.2,
        low=0.0,
        high=100.0,
        help="How far an update may move the chains' free energies (their standard deviation, in nats) before the rate "
        "is lowered; it comes back slowly. 0: no bound, and a rate that is halved by a rejection stays so, as in the "
        "paper.",
        label="Largest step",
    )


class Trajectory:
    """A training between two States.

    Parameters
    ----------
    settings : TrajectorySettings
    state : TrajectoryState
        Its arrays are changed in place.
    batches : Minibatches, optional
        Needed for training, not for annealing.
    way : sequence of RBM
        Models that annealing leads through, the last of them the state's own; () for the straight way to that.

    Attributes
    ----------
    at : SimpleNamespace
        The fields of the State; `swaps` and `pending` as lists.
    """

    def __init__(
        self,
        settings: TrajectorySettings,
        state: TrajectoryState,
        batches: Minibatches | None = None,
        way: Sequence[RBM] = (),
    ) -> None:
        at = SimpleNamespace(**{each.name: getattr(state, each.name) for each in dataclasses.fields(state)})
        at.swaps, at.pending = list(state.swaps), list(state.pending)
        self.at, self._settings, self._batches = at, settings, batches
        origin = RBM(np.zeros_like(state.model.W), state.base, np.zeros_like(state.model.c))
        self._way = (origin, *(way or (state.model,)))
        last = machine_of(state.checkpoint)
        self._exchanges = Exchanges(at.chains, at.energies, at.reservoir, at.reservoir_energies, last, state.seed)
        self._space = self._current_model()

    def update(self, tick: Tick) -> None:
        """Take the next update."""
        at, done = self.at, 0.0

        def pause() -> None:
            tick(done)

        self._exchanges.begin(at.count, pause)
        if at.phase == ANNEAL:
            self._anneal()
        elif at.phase == TRAIN:
            self._train(tick)
        else:
            for k in range(SWEEPS):
                done = k / SWEEPS
                self._freeze()
                if at.phase not in (WARM, COLLECT):
                    break
        at.operations += product(self._exchanges.products, *at.W.shape)
        self._exchanges.products = 0
        at.count += 1

    def state(self) -> TrajectoryState:
        """Return the State after the updates so far."""
        at = self.at
        frozen, rejected = float(at.frozen), float(at.rejected)
        figures = {ACCEPTED: at.acceptance, FROZEN: frozen, REJECTED: rejected, FACTOR: at.factor}
        carried = {
            "model": at.model if at.heading < 1.0 else self._space.rbm(),
            "figures": figures,
            "swaps": np.array(at.swaps, np.uint8).reshape(-1, len(at.chains)),
            "pending": np.array(at.pending, np.uint8).reshape(-1, at.base.size),
        }
        return TrajectoryState(**{**vars(at), **carried})

    def log_partition(self, pause: Pause = idle) -> LogPartition | None:
        """Return log Z of the model now, three standard errors either way; None in annealing."""
        at = self.at
        if at.heading < 1.0:
            return None
        machine = self._space.machine
        now, weights = free_energies(machine, at.chains, pause), np.empty(len(at.chains))
        exchange.weights(at.energies, now, weights)
        forward = free_energies(machine, at.samples, pause) - at.samples_energies
        backward = free_energies(self._exchanges.last, at.chains, pause) - now
        influence = at.influence.copy()
        return estimate(at.log_z + log_ratio(forward, backward, weights, len(now), influence), influence)

    # -- updates ---------------------------------------------------------------------------------------

    def _anneal(self) -> None:
        """Step towards the first model; the step is halved after one that was too long."""
        at = self.at
        at.heading = min(1.0, at.reached + at.stride)
        self._space = self._current_model()
        proposal = self._propose()
        if at.acceptance < self._settings.alpha_min:
            self._reject()
            return
        if at.acceptance > GENEROUS:
            at.stride = min(1.0, 2 * at.stride)
        self._exchange(proposal)
        self._begin_freeze()

    def _train(self, tick: Tick) -> None:
        """Exchange, run the chains and move the parameters; or freeze the model, or go back to the frozen one."""
        at, settings, exchanges, space = self.at, self._settings, self._exchanges, self._space
        proposal = self._propose()
        few = at.acceptance < settings.alpha
        if few and (at.acceptance < settings.alpha_min or at.since <= 1):
            self._reject()
            return
        self._exchange(proposal)
        if few:
            self._begin_freeze()
            return
        for _ in range(1, settings.sweeps):
            self._sweep()
        assert self._batches is not None
        batch = self._batches.batch(at.count)
        part = portion(tick, 0.9, 0.1)
        ascend_gradient(space, batch, exchanges.chains, exchanges.fields, settings.rate * at.factor, part)
        exchanges.products += 2 * len(batch) + len(at.chains)
        at.operations += step(at.W.size)
        at.since += 1
        if bound := settings.step_bound:
            at.factor = min(1.0, RECOVERY * at.factor, at.factor * bound / max(proposal.spread, 1e-9))

    def _freeze(self) -> None:
        """Take a sweep of warming up or of collecting samples, and end either when it is complete."""
        at, accepted = self.at, self._sweep()
        if at.phase == WARM:
            at.swaps.append(accepted.copy())
            n = len(at.swaps)
            if n == LONGEST or (n % SWEEPS == 0 and (n // SWEEPS).bit_count() == 1):
                self._check_warm()
            return
        at.waited += 1
        if at.waited >= at.wait:
            at.pending.extend(at.chains.copy())
            at.waited = 0
        if len(at.pending) == len(at.samples):
            self._end_freeze()

    def _check_warm(self) -> None:
        """Collect samples if the chains have warmed up, give the model up if they cannot, or else go on."""
        at, swaps = self.at, np.array(self.at.swaps)
        late = int(swaps[len(swaps) // 2 :].sum()) / swaps[len(swaps) // 2 :].size
        integrated, exponential = exchange.autocorrelation(swaps)
        warm = len(swaps) >= TIMES * max(integrated, exponential)
        if late < self._settings.alpha_min or (len(swaps) >= LONGEST and not warm):
            self._reject()
        elif warm:
            at.phase, at.wait, at.waited = COLLECT, math.ceil(2 * integrated), 0
            at.swaps.clear()

    def _begin_freeze(self) -> None:
        self.at.phase = WARM
        self._refill()  # exchanges have left chains in it that lag behind their model

    def _end_freeze(self) -> None:
        """Make the model now the frozen one."""
        at, exchanges, model = self.at, self._exchanges, self._space.rbm()
        machine, samples = self._space.machine, np.array(at.pending)
        energies = free_energies(machine, samples, exchanges.pause)
        forward = free_energies(machine, at.samples, exchanges.pause) - at.samples_energies
        backward = free_energies(exchanges.last, samples, exchanges.pause) - energies
        exchanges.products += 3 * len(samples)
        even = np.full(len(samples), 1 / len(samples))
        at.log_z += log_ratio(forward, backward, even, len(at.chains), at.influence)
        at.W, at.b, at.c, exchanges.last = model.W, model.b, model.c, machine_of(model)
        at.samples, at.samples_energies = samples, energies
        self._refill()
        at.pending.clear()
        at.reached, at.since, at.frozen = at.heading, 0, at.frozen + 1
        at.phase = TRAIN if at.reached == 1.0 else ANNEAL

    def _reject(self) -> None:
        """Go back to the frozen model, with its samples for chains."""
        at = self.at
        self._refill()
        self._exchanges.restart(at.samples, at.samples_energies)
        at.swaps.clear()
        at.pending.clear()
        at.since, at.heading, at.rejected = 0, at.reached, at.rejected + 1
        if at.reached == 1.0:
            at.phase, at.factor = TRAIN, at.factor / 2
            self._space = self._workspace(RBM(at.W, at.b, at.c))
        else:
            at.phase, at.stride = ANNEAL, at.stride / 2

    # -- parts of updates --------------------------------------------------------------------------------

    def _propose(self) -> Proposal:
        proposal = self._exchanges.propose(self._space.machine)
        self.at.acceptance = proposal.acceptance
        return proposal

    def _exchange(self, proposal: Proposal) -> None:
        self._exchanges.swap(proposal)
        self._exchanges.run_chains(self._space.machine, self._settings.K)
        self.at.work += self._settings.K

    def _sweep(self) -> NDArray[np.uint8]:
        self.at.work += self._settings.K
        return self._exchanges.run_sweep(self._space.machine, self._settings.K)

    def _refill(self) -> None:
        self._exchanges.refill(self.at.samples, self.at.samples_energies)

    def _current_model(self) -> Workspace:
        """Return the model of the chains: in annealing one between two of the way."""
        heading = self.at.heading
        if heading == 1.0:
            return self._workspace(self._way[-1])
        place = heading * (len(self._way) - 1)
        n, t = int(place), np.float32(place - int(place))
        one, other = self._way[n : n + 2]
        W, b, c = (getattr(one, name) + t * (getattr(other, name) - getattr(one, name)) for name in "Wbc")
        return self._workspace(RBM(W, b, c))

    def _workspace(self, model: RBM) -> Workspace:
        return workspace(model, max(self._batches.size if self._batches else 1, len(self.at.chains)))
