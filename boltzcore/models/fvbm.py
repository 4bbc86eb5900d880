"""Fully visible Boltzmann machine, and its exact computations."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.arrays import as_numbers
from boltzcore.kernels import random as streams
from boltzcore.kernels.elementwise import exp_in_double, softplus_in_double
from boltzcore.kernels.spins import fields
from boltzcore.models import pseudo_likelihood, states
from boltzcore.models.base import ExactModel, Model, Rows, Setup, check_binary
from boltzcore.models.landscape import MOST, Landscape
from boltzcore.models.state_probabilities import draw_index
from boltzcore.parameters import parameter, whole
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, idle

MOST_UNITS = 2_000  # two million couplings
MOST_SAMPLES = 10_000_000
LARGEST = 1e100  # largest absolute parameter: sums over columns and rows stay finite
_ROWS, _PRODUCTS = 1_000, 2**25  # rows between two ticks, and columns squared times rows: some 30 ms


@dataclass(frozen=True, eq=False)
class FVBM(ExactModel):
    """p(x) = e**(x'Mx/2 + b'x) / Z over x in {-1, +1} (Nguyen and Wood 2016, eq. 1.1).

    M : (d, d) float64 couplings, symmetric, the diagonal zero
    b : (d,) float64 biases
    Rows x are spins, -1 and +1, or codes, 0 and 1, which represent them: a 0 among them means codes, a -1 spins.
    Raises Refusal naming the array if shapes disagree, a value is not finite or beyond 1e100, or M is not such a
    matrix.

    >>> import numpy as np
    >>> from boltzcore.models import FVBM
    >>> pair = FVBM(np.array([[0, 1], [1, 0]]), np.zeros(2))
    >>> pair.log_likelihood([[1, 1], [1, -1]]).round(3).tolist()
    [-0.82, -2.82]
    """

    ARRAYS: ClassVar[dict[str, tuple[str, int]]] = {"M": ("f", 2), "b": ("f", 1)}
    SIZES: ClassVar[dict[str, str]] = {"n_visible": "visible units"}
    EQUATIONS: ClassVar[Mapping[str, str]] = {
        "Distribution": "p(x) = e^(x'M x / 2 + b'x) / Z, each x_j -1 or 1, M symmetric with a diagonal of 0",
        "A column given all others": "p(x_j | others) = sigma(2 x_j eta_j), eta_j = b_j + sum_k m_jk x_k",
        "Log-pseudo-likelihood": "P_n = sum_n sum_j log p(x_nj | others), over all rows and columns",
    }
    SOURCE: ClassVar[str] = "Nguyen and Wood 2016, eq. 1.1 and 2.1"

    M: NDArray[np.float64]
    b: NDArray[np.float64]

    def __post_init__(self) -> None:
        self._take_arrays(np.float64)
        d = len(self.b)
        if d == 0 or self.M.shape != (d, d):
            raise Refusal(f"M must have shape ({d}, {d}) to match b, with no side empty, not {self.M.shape}.", "M")
        if self.M.diagonal().any() or not np.array_equal(self.M, self.M.T):
            raise Refusal("M must be symmetric, with a diagonal of zeros.", "M")
        if (largest := max(np.abs(self.M).max(), np.abs(self.b).max())) > LARGEST:
            raise Refusal(f"M and b must hold values from -{LARGEST:g} to {LARGEST:g}, not of size {largest:g}.")

    @classmethod
    def from_theta(cls, theta: NDArray[np.float64], d: int) -> "FVBM":
        """Return the machine of d units with parameters theta, (d(d+1)/2,): b, then the upper triangle of M in
        lexicographic order.
        """
        return cls(*pseudo_likelihood.unflatten(theta, d))

    @property
    def theta(self) -> NDArray[np.float64]:
        """All parameters (d(d+1)/2,): b, then the upper triangle of M in lexicographic order."""
        return pseudo_likelihood.flatten(self.M, self.b)

    @property
    def n_visible(self) -> int:
        return len(self.b)

    @property
    def enumerable(self) -> bool:
        """Return True if the model has few enough units for exact sums over its states."""
        return self.n_visible <= states.LIMIT

    def log_partition(self, *, tick: Tick = idle) -> float:
        """Return log Z in nats, exact, by enumerating all states. Raises Refusal if there are more than 25 units."""
        self._check_sums(self.enumerable, states.LIMIT)
        return states.log_partition(self.M, self.b, tick)

    def log_likelihood(self, x: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return log p(x) of each row, (n,), in nats, exact. Raises Refusal if there are more than 25 units."""
        rows = self.check_rows(x)
        log_z = self.log_partition(tick=tick)
        return self._over(rows, lambda part, field: 0.5 * (part * (field + self.b)).sum(axis=1), tick) - log_z

    def probabilities(self, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return the probability of each state, (2**d,): in a state's index bit i is set if unit i is +1.

        Raises Refusal if there are more than 25 units.
        """
        log_z = self.log_partition(tick=tick)
        out = np.empty(1 << self.n_visible)
        for first, block in states.log_weights(self.M, self.b, tick):
            begin = first * block.shape[1]
            out[begin : begin + block.size] = exp_in_double(block - log_z).reshape(-1)
        return out

    def marginals(self, *, tick: Tick = idle) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return E[x], (d,), and E[xx'], (d, d), exact. Raises Refusal if there are more than 25 units."""
        self._check_sums(self.enumerable, states.LIMIT)
        return states.marginals(self.M, self.b, tick)

    def landscape(self, most: int = MOST) -> Landscape | None:
        if self.n_visible > most:
            return None
        return Landscape(-np.concatenate([part.flatten() for _, part in states.log_weights(self.M, self.b)]))

    def sample(self, n: int, seed: int, *, tick: Tick = idle) -> NDArray[np.int8]:
        """Return spins (n, d), drawn exactly and independently. Raises Refusal if there are more than 25 units:
        `boltzcore.inference.gibbs` samples from larger models.
        """
        n, seed = whole("n", n, 0, MOST_SAMPLES), whole("seed", seed, 0, 2**63 - 1)
        index = draw_index(self.probabilities(tick=tick), n, seed)
        out = np.empty((n, self.n_visible), np.int8)
        for i in range(self.n_visible):
            out[:, i] = 2 * (index >> i & 1) - 1
        return out

    def field(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return eta = Mx + b of rows x, (n, d): half the log-odds of each unit being +1, given the others."""
        rows = self.check_rows(x)
        out = np.empty_like(rows)
        fields(rows, self.M, self.b, out)
        return out

    def log_pseudo_likelihood(self, x: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return the sum over the units of log p(x_j | the others) of each row, (n,), in nats (eq. 2.1; the sum over
        the rows is P_n).
        """
        rows = self.check_rows(x)
        return self._over(rows, lambda part, field: -softplus_in_double(-2.0 * part * field).sum(axis=1), tick)

    def check_rows(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return x as (n, d) of -1.0 and +1.0; raise Refusal unless its rows hold -1 and +1, or 0 and 1."""
        return spins(x, self.n_visible).astype(np.float64)

    def _over(
        self, rows: NDArray[np.float64], of: Callable[[NDArray, NDArray], NDArray], tick: Tick
    ) -> NDArray[np.float64]:
        """Return the results of `of`, (n,), for rows and their fields, block by block."""
        out = np.empty(len(rows))
        piece = max(1, min(_ROWS, _PRODUCTS // self.n_visible**2))
        for i in range(0, len(rows), piece):
            part = rows[i : i + piece]
            out[i : i + piece] = of(part, self.field(part))
            tick(i / len(rows))
        return out


def spins(x: ArrayLike, d: int | None = None) -> NDArray[np.int8]:
    """Return rows of spins, or of codes 0 and 1, as (n, d) of -1 and +1; raise Refusal if they are neither, or not of
    d units.

    A 0 among them means codes, a -1 spins; rows of nothing but 1 are the same in both.
    """
    allowed = f"rows of {'' if d is None else f'{d} units, '}-1 and +1, or 0 and 1"
    rows = as_numbers("x", x, (None, d), allowed)
    on = rows == 1
    for off in (0, -1):
        if (on | (rows == off)).all():
            return np.where(on, np.int8(1), np.int8(-1))
    raise Refusal("x must hold only -1 and +1, or only 0 and 1.", "x")


def check_two_valued(data: Rows) -> None:
    """Raise Refusal if rows have more than two values, or pixels that are redrawn each epoch."""
    check_binary(data, "a fully visible machine")
    if data.gray:
        raise Refusal(
            "data must be rows of two values for a fully visible machine, not images of 256 levels whose pixels are "
            "resampled each epoch: set binarise to threshold.",
            "data",
        )


@dataclass(frozen=True)
class FVBMSetup(Setup):
    """Initial values of a fully visible machine (Nguyen and Wood 2016, section 5): normal couplings and biases."""

    name: ClassVar[str] = "fvbm"
    kind: ClassVar[type[Model]] = FVBM
    variance: float = parameter(
        0.5,
        low=0.0,
        high=10.0,
        symbol="\N{GREEK SMALL LETTER SIGMA}\N{SUPERSCRIPT TWO}",
        help="Variance of the initial couplings and biases, which have mean 0. If a maximiser exists, it is unique, "
        "whatever the start.",
        label="Initial variance",
    )

    @classmethod
    def first(cls, rows: int, columns: int) -> Self:
        return cls(variance=0.0)  # random couplings of many columns start far below the base rate

    def check(self, data: Rows) -> None:
        check_two_valued(data)
        if data.n_visible > MOST_UNITS:
            raise Refusal(
                f"data must have at most {MOST_UNITS:,} columns for a fully visible machine, not {data.n_visible:,}: "
                "all pairs are coupled.",
                "data",
            )

    def drawn(self, data: Rows, seed: int) -> FVBM:
        d, deviation = data.n_visible, np.sqrt(self.variance)
        return FVBM.from_theta(streams.normal_in_double(d * (d + 1) // 2, deviation, seed, streams.INITIAL), d)
