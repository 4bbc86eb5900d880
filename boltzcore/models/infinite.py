"""Restricted Boltzmann machine with infinitely many hidden units, storing those with positive counts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.kernels import enumeration as tables
from boltzcore.kernels.elementwise import softplus_in_double
from boltzcore.models import enumeration
from boltzcore.models.base import Model, Rows, Setup, check_binary
from boltzcore.models.landscape import MOST, MOST_HIDDEN, Landscape
from boltzcore.models.rbm import RBM, RBMSetup, first_biases, free_energies, visible_bias
from boltzcore.parameters import check_arguments
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, idle

MOST_UNITS = 10_000  # largest sum of counts: it is sampled as an RBM of that size
FEW = 20  # largest number of hidden units whose states each record of a training sums over


@dataclass(frozen=True, eq=False)
class InfiniteRBM(Model):
    """p(v) = e**(sum_i c_i log(1 + e**(w_i'v)) + b'v) / Z over v in {0, 1} (Ping, Liu and Ihler 2016, eq. 5 and 11).

    The paper's alpha q is sum_i c_i delta(w - w_i).
    units : (n_units, n_visible + 1) float32 weights of each unit, with the hidden bias last, for a constant 1 in v
    counts : (n_units,) float32, c_i >= 0, how often each unit is there; whole numbers give an RBM
    b : (n_visible,) float32 visible biases
    Raises Refusal naming the array when shapes disagree, a value is not finite, or a count is negative.

    >>> import numpy as np
    >>> from boltzcore.models import InfiniteRBM
    >>> InfiniteRBM(np.zeros((1, 4)), np.array([2.0]), np.zeros(3)).free_energy([[0, 0, 0]]).round(3).tolist()
    [-1.386]
    """

    ARRAYS: ClassVar[dict[str, tuple[str, int]]] = {"units": ("f", 2), "counts": ("f", 1), "b": ("f", 1)}
    SIZES: ClassVar[dict[str, str]] = {"n_visible": "visible units", "n_units": "hidden units"}
    EQUATIONS: ClassVar[Mapping[str, str]] = {
        "Distribution": "log p(v) = sum_i c_i log(1 + e^(w_i'v)) + b'v - log Z, where v in w_i'v ends with a 1",
        "Hidden units in effect": "alpha = sum_i c_i, q(w_i) = c_i / alpha",
    }
    SOURCE: ClassVar[str] = "Ping, Liu and Ihler 2016, eq. 5 and 11"

    units: NDArray[np.float32]
    counts: NDArray[np.float32]
    b: NDArray[np.float32]

    def __post_init__(self) -> None:
        self._take_arrays()
        if not len(self.b) or self.units.shape != (len(self.counts), len(self.b) + 1):
            raise Refusal(
                f"units must have shape (len(counts), len(b) + 1) = ({len(self.counts)}, {len(self.b) + 1}) and b must "
                f"not be empty; units has {self.units.shape}.",
                "units",
            )
        if len(self.counts) > MOST_UNITS or self.counts.min(initial=0.0) < 0 or self.alpha > MOST_UNITS:
            raise Refusal(
                f"counts must be up to {MOST_UNITS:,} numbers of 0 or more, together at most {MOST_UNITS:,}, not "
                f"{len(self.counts):,} of {self.counts.min(initial=np.inf):g} or more, together {self.alpha:g}.",
                "counts",
            )

    @property
    def n_visible(self) -> int:
        return len(self.b)

    @property
    def n_units(self) -> int:
        return len(self.counts)

    @property
    def alpha(self) -> float:
        """Effective number of hidden units: the sum of all counts (alpha of eq. 5)."""
        return float(self.counts.sum(dtype=np.float64))

    @property
    def whole(self) -> bool:
        """True if all counts are whole numbers, so that the model is an RBM."""
        return bool((self.counts == np.floor(self.counts)).all())

    # -- as an RBM ---------------------------------------------------------------------------------------

    @classmethod
    @check_arguments
    def from_rbm(cls, rbm: RBM) -> Self:
        """Return the same distribution, each hidden unit with count 1 (proposition 3.1)."""
        return cls(np.column_stack([rbm.W.T, rbm.c]), np.ones(rbm.n_hidden, np.float32), rbm.b)

    def once(self) -> RBM:
        """Return the RBM in which each unit occurs once: p(h | v) does not depend on the counts.

        Raises Refusal if there is no unit.
        """
        return RBM(self.units[:, :-1].T, self.b, self.units[:, -1])

    def to_rbm(self) -> RBM:
        """Return the RBM of the same distribution, each unit repeated by its count; without units, one with weights 0.

        Raises Refusal if a count is not whole; use `approximation` then.
        """
        if not self.whole:
            raise Refusal(
                "counts must be whole numbers for an RBM of the same distribution; approximation() is close to it.",
                "counts",
            )
        return self.approximation()

    def approximation(self) -> RBM:
        """Return the RBM of eq. 12: each unit repeated by the whole part of its count, and once with its weights times
        the rest. It has the same distribution if all counts are whole.
        """
        each = np.floor(self.counts).astype(np.int64)
        rest = self.counts - each
        parts = (rest > 0)[:, None] * (rest[:, None] * self.units)
        rows = np.concatenate([np.repeat(self.units, each, axis=0), parts[rest > 0]])
        if not len(rows):
            rows = np.zeros((1, self.n_visible + 1), np.float32)
        return RBM(rows[:, :-1].T, self.b, rows[:, -1])

    # -- the law -----------------------------------------------------------------------------------------

    def free_energy(self, v: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return F(v) = -sum_i c_i log(1 + e**(w_i'v)) - b'v of each row, (n,), in nats; log p(v) = -F(v) - log Z."""
        rows = self.check_rows(v)
        W, c = np.ascontiguousarray(self.units[:, :-1].T), self.units[:, -1].copy()
        return free_energies(rows, W, self.b, c, self.counts.astype(np.float64), tick=tick)

    @property
    def enumerable(self) -> bool:
        """Return True if exact sums over states are feasible: of its visible units, or of an RBM's hidden ones."""
        return self.n_visible <= enumeration.LIMIT or (self.whole and self.alpha <= enumeration.LIMIT)

    @property
    def weightless(self) -> bool:
        """True if all counts are 0."""
        return not self.counts.any()

    def log_weights(self, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return -F of every state, (2**n_visible,), unit 0 the lowest bit. Raises Refusal above 25 visible units."""
        self._check_sums(self.n_visible <= enumeration.LIMIT, enumeration.LIMIT)
        parts = enumeration.log_weights(self.units[:, :-1].T, self.b, self.units[:, -1], tick, self.counts)
        return np.concatenate([part.reshape(-1) for part in parts])

    def log_partition(self, *, tick: Tick = idle) -> float:
        """Return log Z in nats, exact: over the states of the visible units, or of the hidden ones of a small RBM.

        Raises Refusal if both are infeasible.
        """
        if self.n_visible <= enumeration.LIMIT or not self.whole:
            return float(tables.log_sum_exp(self.log_weights(tick=tick).reshape(1, -1)))
        if self.weightless:  # an RBM needs a unit, which would double Z
            return float(softplus_in_double(self.b).sum())
        return self.to_rbm().log_partition(tick=tick)

    def log_likelihood(self, v: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return log p(v) of each row, (n,), in nats, exact. Raises Refusal if the model is too large to enumerate."""
        log_z = self.log_partition(tick=tick)
        return -self.free_energy(v, tick=tick) - log_z

    def landscape(self, most: int = MOST) -> Landscape | None:
        if self.n_visible > most or self.n_units > MOST_HIDDEN:
            return None
        return Landscape(-self.log_weights())


@dataclass(frozen=True)
class InfiniteRBMSetup(Setup):
    """Setup of a model without hidden units, with these visible biases."""

    name: ClassVar[str] = "infinite-rbm"
    kind: ClassVar[type[Model]] = InfiniteRBM
    CONVERSIONS: ClassVar[dict[type[Model], Callable[[Any], Model]]] = {RBM: InfiniteRBM.from_rbm}
    visible_bias: str = visible_bias()

    @property
    def size(self) -> str:
        return "Variable number of hidden units"

    def needs(self, part: str, n_visible: int, hidden: float) -> bool:
        """Return True for annealing only if there are too many visible units for exact sums over their states, and
        there may be too many hidden units: no curve may change from exact to estimated during a training.
        """
        return part != "annealing" or not (n_visible <= enumeration.LIMIT or hidden <= FEW)

    def check(self, data: Rows) -> None:
        check_binary(data, "an infinite RBM")

    def drawn(self, data: Rows, seed: int) -> InfiniteRBM:
        empty = np.zeros((0, data.n_visible + 1), np.float32)
        return InfiniteRBM(empty, np.zeros(0, np.float32), first_biases(self.visible_bias, data))


RBMSetup.CONVERSIONS[InfiniteRBM] = InfiniteRBM.approximation
