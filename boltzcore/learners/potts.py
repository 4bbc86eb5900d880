"""Learners of Potts models: maximum pseudo-likelihood by L-BFGS with a penalty on each pair of columns, and PCD."""

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.inference import gibbs
from boltzcore.kernels import random as streams
from boltzcore.learners.base import CachedState, check_numbers, rate_field
from boltzcore.learners.lbfgs import LBFGS
from boltzcore.learners.log_linear.pairwise import ChainsState, PersistentChains
from boltzcore.learners.operations import product, step
from boltzcore.measures.separation import separation
from boltzcore.models.log_linear import cardinalities_of, check_columns
from boltzcore.models.potts import Potts
from boltzcore.names import Names
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick, idle

Vector = NDArray[np.float64]
_PRODUCTS = 2**27  # rows times values times contrasts between two ticks: some 50 ms
_EDGE = 0.1  # norms of couplings below this share of the price are smoothed
_CURVATURE = 0.3  # typical curvature of -P_n / n along a parameter


@dataclass(frozen=True, eq=False)
class Contrasts:
    """Distinct rows of data and the free parameters of a Potts model in the zero-sum gauge.

    A column of q values has q - 1 orthonormal contrasts, which sum to 0 over the values: h = B c and J = B C B' with
    B (D, K). The parameters theta are c (K,), then C of contrasts of two columns, the upper triangle row by row.

    value : (d, n) the value of each column in each row, counted from the column's first
    share : (n,) share of the data in each row, and `total` the weight of all
    basis, x : (D, K) B, and (K, n) the contrasts of each row
    upper, pair : places in C of theta's couplings, and (theta's couplings,) the number of the pair of columns of each
    """

    data: Any
    model: Potts
    value: NDArray[np.int64]
    share: Vector
    total: float
    basis: NDArray[np.float64]
    x: NDArray[np.float64]
    upper: tuple[NDArray[np.intp], ...]
    pair: NDArray[np.int64]

    @classmethod
    def from_data(cls, model: Potts, data: Examples | NDArray, tick: Tick = idle) -> "Contrasts":
        """Return the contrasts; Refusal if there are too many rows or they do not fit."""
        from scipy.linalg import block_diag, helmert  # importing it takes a tenth of a second

        rows = examples(data)
        check_columns(model.levels, rows)
        v, share = rows.shares()
        free = model.levels - 1
        check_numbers(len(v), free.sum())
        basis = 0.0 - block_diag(*(helmert(size).T for size in model.levels))  # a value against the mean of all before
        of = np.repeat(np.arange(model.n_visible), free)
        value = v.T.astype(np.int64)
        x = np.concatenate(
            [basis[first + row][:, of == j].T for j, (first, row) in enumerate(zip(model.first, value, strict=True))]
        )
        upper = np.nonzero(of[:, None] < of)
        pair = np.unique(of[upper[0]] * model.n_visible + of[upper[1]], return_inverse=True)[1]
        return cls(data, model, value, share, rows.total, basis, x, upper, pair)

    def theta(self, model: Potts) -> Vector:
        """Return the parameters of a model."""
        gauged = model.zero_sum()
        return np.concatenate([self.basis.T @ gauged.h, (self.basis.T @ gauged.J @ self.basis)[self.upper]])

    def potts(self, theta: Vector) -> Potts:
        """Return the model with these parameters."""
        c, C = self._parts(theta)
        J = self.basis @ C @ self.basis.T
        return Potts(self.model.levels, self.basis @ c, (J + J.T) / 2)

    def norms(self, theta: Vector) -> Vector:
        """Return the norm of each pair's couplings, (pairs,)."""
        return np.sqrt(np.bincount(self.pair, np.square(theta[self.basis.shape[1] :])))

    def loss(self, theta: Vector, tick: Tick) -> tuple[float, Vector]:
        """Return -P_n / n and its gradient."""
        (c, C), (D, K) = self._parts(theta), self.basis.shape
        h, M, loss = (self.basis @ c)[:, None], self.basis @ C, 0.0
        slopes, products = np.zeros(D), np.zeros((D, K))
        piece = max(1, _PRODUCTS // (D * max(K, 1)))
        for i in range(0, len(self.share), piece):
            tick(0.0)
            x, share = self.x[:, i : i + piece], self.share[i : i + piece]
            p, rows = M @ x + h, np.arange(len(share))
            for first, size, values in zip(
                self.model.first, self.model.levels, self.value[:, i : i + piece], strict=True
            ):
                part = p[first : first + size]
                part -= part.max(axis=0)
                loss -= share @ part[values, rows]
                np.exp(part, out=part)
                total = part.sum(axis=0)
                loss += share @ np.log(total)
                part *= share / total
                part[values, rows] -= share
            slopes += p.sum(axis=1)
            products += p @ x.T
        pairs = self.basis.T @ products
        return float(loss), np.concatenate([self.basis.T @ slopes, (pairs + pairs.T)[self.upper]])

    def _parts(self, theta: Vector) -> tuple[Vector, NDArray[np.float64]]:
        """Return c (K,) and the symmetric C (K, K)."""
        K = self.basis.shape[1]
        C = np.zeros((K, K))
        C[self.upper] = theta[K:]
        return theta[:K], C + C.T


@dataclass(frozen=True)
class PottsPseudoLikelihood(LBFGS):
    """Maximum pseudo-likelihood of a Potts model (Ekeberg et al. 2013) with a group lasso over the pairs of columns.

    Minimises -P_n / n + price sum_(i<j) ||J_ij|| + decay / 2 (|h|^2 + |J|^2), each pair counted once, in the zero-sum
    gauge. The price sets couplings of pairs that it outweighs to exactly 0. A run of L-BFGS covers pairs with
    couplings, or with a gradient above the price; norms are smoothed to a parabola below an edge, and pairs that end
    below it become 0.
    """

    random: ClassVar[bool] = False
    made_of: ClassVar[type[Contrasts]] = Contrasts

    iterations: int = parameter(50, low=1, high=10_000, scale="log", help="L-BFGS iterations per update.")
    tolerance: float = parameter(
        1e-6,
        low=1e-12,
        high=1e-2,
        scale="log",
        help="Converged once no derivative, divided by the root of the curvature, exceeds this.",
    )
    price: float = parameter(
        0.01,
        low=0.0,
        high=10.0,
        help="Price of a pair of columns, in nats per example: this times the norm of its couplings. A larger price "
        "makes couplings weaker, and more of them 0. 0 couples every pair.",
        live=True,
    )
    decay: float = parameter(
        1e-4,
        low=0.0,
        high=1.0,
        help="L2 penalty: half of this times the square of each parameter. Above 0 a best model always exists, even if "
        "two values never occur together; 0 is possible if each column has two values.",
        label="L2 price",
    )

    def start(self, model: Potts, data: Examples | NDArray, *, seed: int) -> CachedState:
        """Return the State before the first update. Raises Refusal by `check_decay`, or if the data do not fit."""
        check_decay(self, data)
        return super().start(model, data, seed=seed)

    def _update(self, state: CachedState, tick: Tick) -> CachedState:
        given: Contrasts = state.given
        D, K = given.basis.shape

        def loss(theta: Vector) -> tuple[float, Vector]:
            value, slopes = given.loss(theta, tick)
            return value + self.decay / 2 * float(theta @ theta), slopes + self.decay * theta

        with one_for_blas():
            theta = given.theta(state.model)
            norms, over = given.norms(theta), given.norms(loss(theta)[1]) - self.price
            moving = (norms > 0) | (over > self.tolerance)
            edge = np.clip(np.where(norms > 0, norms, over) / 2, 1e-12, max(_EDGE * self.price, 1e-12))
            free = np.concatenate([np.ones(K, np.bool_), moving[given.pair]])
            curvature = np.full(len(theta), _CURVATURE)  # the price curves most at short couplings
            curvature[K:] += (self.price / np.maximum(norms, edge))[given.pair]
            scale = 1 / np.sqrt(curvature[free])

            def objective(scaled: Vector) -> tuple[float, Vector]:
                theta[free] = scaled * scale
                (value, slopes), norms = loss(theta), given.norms(theta)
                value += self.price * float(np.where(norms < edge, (norms**2 / edge + edge) / 2, norms)[moving].sum())
                slopes[K:] += self.price * theta[K:] / np.maximum(norms, edge)[given.pair]
                return value, slopes[free] * scale

            operations = 2 * product(round(given.total), D, K)
            after, found = self._run(state, objective, theta[free] / scale, operations)
            theta[free] = found.x * scale
            small = given.norms(theta) < edge
            theta[K:][small[given.pair]] = 0.0
            settled = given.norms(loss(theta)[1]) <= self.price + self.tolerance
            return dataclasses.replace(
                after,
                model=given.potts(theta),
                done=state.done or (after.done and not (small & (moving | ~settled)).any()),
                work=after.work + 2,
                operations=after.operations + 2 * operations,
            )


def check_decay(
    learner: PottsPseudoLikelihood, data: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle
) -> None:
    """Raise Refusal if the objective may have no minimum on these rows, so that L-BFGS could not converge."""
    if learner.decay:
        return
    if max(cardinalities_of(examples(data))) > 2:
        raise Refusal("decay must be above 0 if a column has more than two values: there may be no maximum.", "decay")
    if (found := separation(data, tick)).exists is False:
        raise Refusal(f"decay must be above 0 for these data. {found.sentence(names)}", "decay")


@dataclass(frozen=True, eq=False)
class PairMoments:
    """Expectations of the data (D, D): of two values together, and of each value on the diagonal."""

    data: Any
    expected: NDArray[np.float64]

    @classmethod
    def from_data(cls, model: Potts, data: Examples | NDArray, tick: Tick = idle) -> "PairMoments":
        """Return the moments; Refusal if model and data do not fit."""
        rows, expected = examples(data), np.zeros((model.n_values,) * 2)
        check_columns(model.levels, rows)
        v, share = rows.shares()
        at = model.first + v
        for i in range(model.n_visible):
            tick(0.0)
            np.add.at(expected, (at[:, [i]], at), share[:, None])  # sums in the order of the rows
        return cls(data, expected)


@dataclass(frozen=True)
class PottsPCD(PersistentChains):
    """Persistent contrastive divergence of a Potts model: a step along the gradient in the zero-sum gauge.

    With two values in each column the gradient is that of the fully visible machine: M moves by a quarter of the rate
    times it, b by half.
    """

    rate: float = rate_field(0.2, PersistentChains.named("rate").help)

    def start(self, model: Potts, data: Examples | NDArray, *, seed: int) -> ChainsState:
        """Return the State before the first update. Raises Refusal if model and data do not fit."""
        given = PairMoments.from_data(model, data)
        drawn = streams.generator(seed, streams.PARTICLES).integers(0, model.levels, (self.chains, model.n_visible))
        chains = drawn.astype(np.min_scalar_type(model.levels.max() - 1))
        return ChainsState(model, 0, 0, seed, given=given, chains=chains)

    def _sweep(self, state: ChainsState, data: Examples | NDArray, updates: int, tick: Tick) -> tuple[ChainsState, int]:
        given, chains, model = state.given_for(data, PairMoments.from_data, tick), state.chains, state.model
        D, size, apart = model.n_values, model.levels[model.of_value], model.of_value[:, None] != model.of_value
        ones = np.zeros((len(chains), D))
        for update in range(state.count, state.count + updates):
            tick((update - state.count) / updates)
            chains = gibbs(model, chains, 1, seed=state.seed, step=update, purpose=streams.GIBBS)
            ones[:] = 0.0
            np.put_along_axis(ones, model.first + chains, 1.0, axis=1)
            with one_for_blas():  # sums of whole numbers: the same in any order
                slopes = given.expected - ones.T @ ones / len(chains)
            single = slopes.diagonal()
            over = single[:, None] / size  # the mean of a pair's slopes over the values of the other column
            pairs = np.where(apart, slopes - (over + over.T), 0.0)
            model = Potts(model.levels, model.h + self.rate * single, model.J + self.rate * pairs)
        operations = 2 * product(len(chains), D, D) + step(D * (D + 1) // 2)
        return dataclasses.replace(state, model=model, chains=chains, given=given), operations
