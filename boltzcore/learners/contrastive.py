"""Contrastive learning of RBMs: CD, PCD, centred gradients, S-DCP, CS-DCP and spectral descent.

Upadhya and Sastry (2017), Algorithms 1 to 4: an update has d inner steps, one except in S-DCP and CS-DCP, each with
K Gibbs steps (K' in S-DCP). With p = p(h = 1 | v) and theta_0 the parameters before the update:

    data term      D = <v p'>_data under theta_0, held through all inner steps
    inner step l   each chain takes K Gibbs steps under theta_l. In the first inner step chains start at the mini-batch
                   (PCD: where the last update ended); later inner steps continue them
                   M_l = <v p'>_model, the mean over the chains
                   theta_(l+1) = theta_l + eta (D - M_l), and likewise the biases by <v> and <p>

With centred gradients v - mu and p - lambda replace v and p (Algorithm 4), and the offsets are moving averages of the
means of the mini-batches; spectral descent replaces the step of W by its sharp operator. With several chains per row,
each row of the mini-batch starts that number of chains; D is unchanged.
"""

import dataclasses
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.inference.gibbs import fill_fields, run_gibbs
from boltzcore.kernels import lanes, rows
from boltzcore.kernels.ascent import slide
from boltzcore.kernels.random import GIBBS, Stream
from boltzcore.kernels.rows import RBMArrays
from boltzcore.kernels.simd import LANES
from boltzcore.learners.ascending import Ascending, AscendingState
from boltzcore.learners.base import gibbs_steps_field
from boltzcore.learners.batches import Minibatches
from boltzcore.learners.blocks import NO_OFFSETS, Workspace
from boltzcore.learners.operations import product, singular_values
from boltzcore.models import RBM
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick, portion

SMALL = 2_048  # number of weights up to which vectorising over rows is faster than over columns of the weight matrix
MULTIPLICATIONS_A_CALL = 30_000_000  # multiplications in one compiled call of the small kernels: some milliseconds
MOST_CHAINS = 100_000  # chains of an update with several per row: as many as the largest batch has rows
NU = "\N{GREEK SMALL LETTER NU}"


@dataclass(frozen=True, eq=False)
class ContrastiveState(AscendingState):
    """A State with the chains and offsets that continue from update to update.

    chains : (chains, n_visible) uint8, the ends of the Gibbs chains, from which PCD continues
    mu, lambda_ : (n_visible,) and (n_hidden,) float32, the offsets of the units; empty if nothing is centred

    The model is the plain one: the centred parameterisation with biases b', c' is that with b = b' - W lambda,
    c = c' - W'mu.
    """

    chains: NDArray[np.uint8] = dataclasses.field(kw_only=True)
    mu: NDArray[np.float32] = dataclasses.field(kw_only=True, default_factory=NO_OFFSETS.copy)
    lambda_: NDArray[np.float32] = dataclasses.field(kw_only=True, default_factory=NO_OFFSETS.copy)


@dataclass(frozen=True, eq=False)
class PersistentState(ContrastiveState):
    """A ContrastiveState whose chains continue from update to update."""

    @property
    def chains_of_model(self) -> NDArray[np.uint8]:
        return self.chains


@dataclass(frozen=True)
class Contrastive(Ascending):
    """Base class of the family: a data term at the mini-batch, minus a model term at the end of Gibbs chains.

    persistent : True if chains continue from one mini-batch to the next
    centred : True if units have offsets
    spectral : True if W moves along the sharp operator of its gradient
    """

    state_type: ClassVar[type[ContrastiveState]] = ContrastiveState
    persistent: ClassVar[bool] = False
    centred: ClassVar[bool] = False
    spectral: ClassVar[bool] = False

    _: dataclasses.KW_ONLY
    chains_per_row: int = parameter(
        1,
        low=1,
        high=1000,
        scale="log",
        help="Gibbs chains per row of a batch: more chains reduce the noise of the gradient, but the cost of an update "
        "grows in proportion.",
        label="Chains per row",
    )

    @property
    @abstractmethod
    def gibbs_steps(self) -> int:
        """Gibbs steps of each chain before each step of the parameters."""

    @property
    def inner_steps(self) -> int:
        """Steps of the parameters in an update."""
        return 1

    @property
    def copies(self) -> int:
        """Number of chains that start at each row of a mini-batch; 1 for persistent chains."""
        return 1 if self.persistent else self.chains_per_row

    def start(self, model: RBM, data: Examples | NDArray, *, seed: int) -> ContrastiveState:
        """Return the State before the first update; chains start at the first rows of the data."""
        batches = self.minibatches(model, data, seed)
        if self.chains_per_row > 1 and batches.size * self.chains_per_row > MOST_CHAINS:
            raise Refusal(
                f"chains_per_row must be at most {max(1, MOST_CHAINS // batches.size):,} with batches of "
                f"{batches.size:,} rows, not {self.chains_per_row:,}.",
                "chains_per_row",
            )
        first = np.array(batches.data.head(batches.size).epoch(0, seed).v, np.uint8)
        chains = np.repeat(first, self.chains_per_row, axis=0)
        velocity = self.first_velocity(model)
        return self.state_type(model, 0, 0, seed, chains=chains, velocity=velocity, batches=batches)

    def _advance(self, state: ContrastiveState, data: Examples | NDArray, updates: int, tick: Tick) -> ContrastiveState:
        batches = self.checked_batches(state, data)
        now = state.copy()  # the copy's chains and offsets are changed in place
        steps = self.inner_steps * self.gibbs_steps
        small = now.model.W.size <= SMALL and steps * _multiplications(now) <= 10 * MULTIPLICATIONS_A_CALL
        model = (self._run_small if small else self._run_large)(now, batches, updates, tick)
        n_rows = batches.rows_of(state.count, updates) * self.copies
        n_chains = len(state.chains) * updates if self.persistent else n_rows
        return dataclasses.replace(
            now,
            model=model,
            count=state.count + updates,
            work=state.work + updates * steps * self.chains_per_row,
            operations=state.operations + self._operations(n_rows, n_chains, updates, *state.model.W.shape),
            batches=batches,
        )

    def _run_large(self, state: ContrastiveState, batches: Minibatches, updates: int, tick: Tick) -> RBM:
        """Return the model after some updates; the State's chains and offsets are updated in place."""
        d, K, slides = self.inner_steps, self.gibbs_steps, self._slides()
        space = Workspace.from_model(state.model, len(state.chains), state.mu, state.lambda_)
        rates, options = self.rates(state.stage_count, updates, batches.length), self.options(state.velocity)
        for update in range(state.count, state.count + updates):
            of_update = portion(tick, (update - state.count) / updates, 1 / updates)
            minibatch = np.repeat(batches.batch(update), self.copies, axis=0)
            chains = state.chains if self.persistent else state.chains[: len(minibatch)]
            if not self.persistent:
                chains[:] = minibatch
            stream, fields = Stream(np.uint64(state.seed), GIBBS, update, 0), space.fields[: len(chains)]
            space.set_data_term(minibatch, portion(of_update, 0, 0))
            for inner in range(d):
                if inner or self.persistent:  # otherwise the fields of the mini-batch are still valid
                    fill_fields(space.machine, chains, fields, portion(of_update, inner / d, 0))
                rows.transpose(space.machine.W, space.machine.c.size, space.machine.WT)
                run_gibbs(space.machine, chains, fields, stream, inner * K, K, portion(of_update, inner / d, 1 / d))
                space.set_term(space.model, chains, fields)
                slide(space.data, space.model, slides, inner == 0)
                space.ascend(rates[update - state.count], options, spectral=self.spectral)
        return space.rbm()

    def _run_small(self, state: ContrastiveState, batches: Minibatches, updates: int, tick: Tick) -> RBM:
        """Return the same for a small RBM, up to rounding, with many updates in one compiled call (`kernels.lanes`)."""
        model, d, K = state.model, self.inner_steps, self.gibbs_steps
        machine = RBMArrays(model.W.copy(), np.empty(model.W.shape[::-1], np.float32), model.b.copy(), model.c.copy())
        kept = lanes.CarriedState(state.chains, state.mu, state.lambda_)
        rates, options = self.rates(state.stage_count, updates, batches.length), self.options(state.velocity)
        algorithm = lanes.Algorithm(self.persistent, self.spectral or None, d, K, self._slides(), options)
        at_once, done = max(1, MULTIPLICATIONS_A_CALL // (_multiplications(state) * (d * (K + 1) + 1))), 0
        while done < updates:
            tick(done / updates)
            v, order, sizes = batches.updates(state.count + done, min(at_once, updates - done))
            some_rates = rates[done : done + len(order)]
            some = lanes.Updates(v, np.repeat(order, self.copies, axis=1), sizes * self.copies, some_rates)
            stream = Stream(np.uint64(state.seed), GIBBS, state.count + done, 0)
            lanes.contrastive(machine, kept, some, algorithm, stream)
            done += len(order)
        return RBM(machine.W, machine.b, machine.c)

    def _slides(self) -> NDArray[np.float32]:
        return np.array([self.values().get(name, 0.0) for name in ("nu_mu", "nu_lambda")], np.float32)

    def _operations(self, n_rows: int, n_chains: int, updates: int, n: int, m: int) -> int:
        """Return the operations of Algorithms 1 to 4: p(h | v) of the data and the data term, then in each inner step
        p(h | v) of the chains, their Gibbs steps, the model term and a step. Chains of CD share p(h | v) of the data.

        n_rows, n_chains : in all updates
        """
        of_rows = product(n_rows, n, m) * (2 if self.persistent else 1)
        of_chains = product(n_chains, n, m) * self.inner_steps * (2 * self.gibbs_steps + 2)
        of_step = self.step_operations(n * m)
        if self.centred:  # mu and lambda are subtracted in both terms, and W's step changes b and c
            of_step += (2 * 2 + 2) * product(1, n, m)
        if self.spectral:
            of_step += singular_values(n, m) + product(n, min(n, m), m)
        return of_rows + of_chains + updates * self.inner_steps * of_step

    def carried_shapes(self, model: RBM, batches: Minibatches) -> dict[str, tuple[int, ...]]:
        mu, lambda_ = model.W.shape if self.centred else (0, 0)
        chains = batches.size * self.chains_per_row, model.n_visible
        return super().carried_shapes(model, batches) | {"chains": chains, "mu": (mu,), "lambda_": (lambda_,)}


def _multiplications(state: ContrastiveState) -> int:
    """Return the cost of a Gibbs step of all chains: whole lanes of rows, and drawing the units."""
    return -(-len(state.chains) // LANES) * LANES * (state.model.W.size + 16 * sum(state.model.W.shape))


@dataclass(frozen=True)
class CD(Contrastive):
    """Contrastive divergence: K Gibbs steps from the mini-batch (Upadhya and Sastry 2017, Algorithm 1)."""

    K: int = gibbs_steps_field(1, "Gibbs steps per update.")

    @property
    def gibbs_steps(self) -> int:
        return self.K


@dataclass(frozen=True)
class PCD(CD):
    """Persistent contrastive divergence: chains continue from one mini-batch to the next (Tieleman 2008)."""

    state_type: ClassVar[type[PersistentState]] = PersistentState
    persistent: ClassVar[bool] = True


@dataclass(frozen=True)
class SDCP(Contrastive):
    """Stochastic difference-of-convex programming (Upadhya and Sastry 2017, Algorithms 2 and 3).

    -log-likelihood is f - g, both convex: f = log Z, g the mean of log sum_h e**-E over the data. An update holds
    grad g at its value for the parameters theta_t and takes d gradient steps on f(theta) - theta'grad g(theta_t); the
    Gibbs chains start at the mini-batch and run through all d steps, K' Gibbs steps each, under the inner parameters.
    With d = 1 it is CD-K'. Each inner step has a gradient of its own, as in Algorithms 2 and 4: Algorithm 3 as printed
    never sets its sum over the mini-batch back to 0, so that it would also contain those of all inner steps before.
    """

    d: int = parameter(
        6,
        low=1,
        high=100,
        scale="log",
        symbol="d",
        help="Parameter steps per update. The cost is about that of CD-K if d K' = K; with d = 1 it is CD-K'.",
        live=True,
        label="Inner steps",
    )
    K_prime: int = gibbs_steps_field(
        4, "Gibbs steps before each inner step. The cost is about that of CD-K if d K' = K.", symbol="K'"
    )

    @property
    def inner_steps(self) -> int:
        return self.d

    @property
    def gibbs_steps(self) -> int:
        return self.K_prime


@dataclass(frozen=True)
class Centred(Contrastive):
    """Mixin for centred learners: offsets that start at the data mean and at one half."""

    centred: ClassVar[bool] = True

    nu_mu: float = parameter(
        0.01,
        low=0.0,
        high=1.0,
        symbol=f"{NU}_\N{GREEK SMALL LETTER MU}",
        help="How fast the visible offset follows the mean over the mini-batch: 0 not at all, 1 immediately.",
        live=True,
        label="Visible sliding factor",
    )
    nu_lambda: float = parameter(
        0.01,
        low=0.0,
        high=1.0,
        symbol=f"{NU}_\N{GREEK SMALL LETTER LAMDA}",
        help="How fast the hidden offset follows the mean over the mini-batch: 0 not at all, 1 immediately.",
        live=True,
        label="Hidden sliding factor",
    )

    def start(self, model: RBM, data: Examples | NDArray, *, seed: int) -> ContrastiveState:
        """Return the State before the first update; chains start at the first rows of the data."""
        mu, lambda_ = examples(data).mean().astype(np.float32), np.full(model.n_hidden, 0.5, np.float32)
        return dataclasses.replace(super().start(model, data, seed=seed), mu=mu, lambda_=lambda_)


@dataclass(frozen=True)
class CenteredGradient(Centred, CD):
    """Centred gradient: CD-K with moving means subtracted from units (Melchior, Fischer and Wiskott 2016, Algorithm 1).

    The same as CSDCP with d = 1.
    """


@dataclass(frozen=True)
class CSDCP(Centred, SDCP):
    """S-DCP with centred gradients (Upadhya and Sastry 2017, Algorithm 4). With d = 1 it is the centred gradient."""


@dataclass(frozen=True)
class SSD(CD):
    """Stochastic spectral descent (Carlson, Cevher and Carin 2015) on the gradient of CD-K.

    W moves along the sharp operator of its gradient G = U diag(s) V' for the Schatten-infinity norm: sum(s) U V', a
    step that is equally large in all singular directions. The biases take a plain gradient step: Upadhya and Sastry
    (2017) do not define one. It needs large batches, because noise is also scaled up to the size of the largest
    direction. Its singular values come from LAPACK, whose rounding differs between processors: the same recipe nearly
    always gives the same digits on another one, but that is not guaranteed.
    """

    libraries: ClassVar[tuple[str, ...]] = ("scipy",)
    same_everywhere: ClassVar[bool] = False
    spectral: ClassVar[bool] = True

    def _advance(self, state: ContrastiveState, data: Examples | NDArray, updates: int, tick: Tick) -> ContrastiveState:
        import scipy.linalg  # noqa: F401 - the LAPACK behind the kernel's singular values, loaded before its threads are limited

        with one_for_blas():
            return super()._advance(state, data, updates, tick)
