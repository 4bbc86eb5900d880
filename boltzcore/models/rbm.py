"""Restricted Boltzmann machine with binary units, and its exact computations."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.kernels import random as streams
from boltzcore.kernels.elementwise import log_in_double, softplus_in_double
from boltzcore.kernels.energy import free_energy_of_model
from boltzcore.models import enumeration
from boltzcore.models.base import FEW_ROWS, Model, Rows, Setup, check_binary, check_units
from boltzcore.models.landscape import MOST, MOST_HIDDEN, Landscape
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, idle

ROWS, FIELDS = 1000, 2**18  # rows of a product between two ticks, and the largest number of their hidden fields


@dataclass(frozen=True, eq=False)
class RBM(Model):
    """p(v, h) = e**(v'Wh + b'v + c'h) / Z over v and h in {0, 1} (Upadhya and Sastry 2017, eq. 1).

    W : (n_visible, n_hidden) float32 weights, C-order
    b : (n_visible,) float32 visible biases
    c : (n_hidden,) float32 hidden biases
    Raises Refusal naming the array if shapes disagree or a value is not finite.

    >>> import numpy as np
    >>> from boltzcore.models import RBM
    >>> rbm = RBM(np.zeros((3, 2)), np.zeros(3), np.zeros(2))
    >>> round(float(rbm.log_partition() / np.log(2)), 6)
    5.0
    """

    ARRAYS: ClassVar[dict[str, tuple[str, int]]] = {"W": ("f", 2), "b": ("f", 1), "c": ("f", 1)}
    SIZES: ClassVar[dict[str, str]] = {"n_visible": "visible units", "n_hidden": "hidden units"}
    EQUATIONS: ClassVar[Mapping[str, str]] = {
        "Distribution": "p(v, h) = e^(v'W h + b'v + c'h) / Z, where Z is the sum of the numerator over all v and h",
        "Free energy": "F(v) = -b'v - sum_j log(1 + e^(c_j + sum_i v_i W_ij)), p(v) = e^(-F(v)) / Z",
        "Hidden units": "p(h_j = 1 | v) = sigma(c_j + sum_i v_i W_ij)",
        "Visible units": "p(v_i = 1 | h) = sigma(b_i + sum_j W_ij h_j)",
        "Gradient": "d log p(v)/dW_ij = v_i p(h_j = 1 | v) - <v_i h_j>_model",
    }
    SOURCE: ClassVar[str] = "Upadhya and Sastry 2017, eq. 1"

    W: NDArray[np.float32]
    b: NDArray[np.float32]
    c: NDArray[np.float32]

    def __post_init__(self) -> None:
        self._take_arrays()
        if self.W.shape != (len(self.b), len(self.c)) or 0 in self.W.shape:
            shape = len(self.b), len(self.c)
            raise Refusal(f"W must have shape {shape} to match b and c, with no side empty, not {self.W.shape}.", "W")

    @property
    def n_visible(self) -> int:
        return len(self.b)

    @property
    def n_hidden(self) -> int:
        return len(self.c)

    @property
    def enumerable(self) -> bool:
        """Return True if the smaller layer has few enough units for exact sums over its states."""
        return min(self.W.shape) <= enumeration.LIMIT

    def hidden_field(self, v: ArrayLike) -> NDArray[np.float64]:
        """Return the log-odds of each hidden unit given rows v, (n, n_hidden)."""
        return self.check_rows(v) @ self.W.astype(np.float64) + self.c

    def visible_field(self, h: ArrayLike) -> NDArray[np.float64]:
        """Return the log-odds of each visible unit given rows h, (n, n_visible)."""
        return check_units("h", h, self.n_hidden) @ self.W.T.astype(np.float64) + self.b

    def free_energy(self, v: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return F(v) = -log sum_h e**-E(v, h) of each row, (n,), in nats; log p(v) = -F(v) - log Z."""
        return free_energies(self.check_rows(v), self.W, self.b, self.c, tick=tick)

    @property
    def weightless(self) -> bool:
        """True if all weights are 0."""
        return not self.W.any()

    def log_partition(self, *, tick: Tick = idle) -> float:
        """Return log Z in nats, exact, by enumerating the smaller layer; without weights all units are independent.

        Raises Refusal if both layers have more than 25 units and there are weights.
        """
        if not self.enumerable and self.weightless:
            return float(softplus_in_double(self.b).sum() + softplus_in_double(self.c).sum())
        self._check_sums(self.enumerable, enumeration.LIMIT)
        if self.n_hidden <= self.n_visible:
            return enumeration.log_partition(self.W.T, self.c, self.b, tick)
        return enumeration.log_partition(self.W, self.b, self.c, tick)

    def log_likelihood(self, v: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return log p(v) of each row, (n,), in nats, exact. Raises Refusal if the model is too large to enumerate."""
        log_z = self.log_partition(tick=tick)
        return -self.free_energy(v, tick=tick) - log_z

    def landscape(self, most: int = MOST) -> Landscape | None:
        if self.n_visible > most or self.n_hidden > MOST_HIDDEN:
            return None
        weights = np.concatenate([part.flatten() for part in enumeration.log_weights(self.W, self.b, self.c)])
        return Landscape(-weights)


def free_energies(
    rows: NDArray[Any], W: NDArray[Any], b: NDArray[Any], c: NDArray[Any], counts: Any = 1.0, *, tick: Tick = idle
) -> NDArray[np.float64]:
    """Return the free energies of rows, (n,), in nats, under the RBM with these parameters, in blocks of rows.

    counts : (n_hidden,) multiplicity of each hidden unit, any real number
    """
    out, some = np.empty(len(rows)), min(ROWS, max(1, FIELDS // max(1, len(c))))
    for i in range(0, len(rows), some):
        out[i : i + some] = free_energy_of_model(rows[i : i + some], W, b, c, counts)
        tick(i / len(rows))
    return out


def base_rate_odds(mean: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log-odds of independent visible units with this mean, (n_visible,).

    A mean of 0 or 1 has infinite log-odds, so means are clipped to [0.001, 0.999].
    """
    p = np.clip(mean, 1e-3, 1 - 1e-3)
    odds: NDArray[np.float64] = log_in_double(p / (1 - p))
    return odds


def hidden_field(default: int, symbol: str, help: str) -> Any:
    """Declare the number of hidden units."""
    return parameter(default, low=1, high=10_000, scale="log", symbol=symbol, help=help, label="Hidden units")


def sigma_field(help: str) -> Any:
    """Declare the standard deviation of the initial weights."""
    sigma = "\N{GREEK SMALL LETTER SIGMA}"
    return parameter(0.01, low=1e-6, high=10.0, scale="log", symbol=sigma, help=help)


def visible_bias(symbol: str = "b") -> Any:
    """Declare the initial visible biases."""
    return parameter(
        "base rate",
        symbol=symbol,
        choices=("base rate", "zero"),
        help="Initial visible biases: the log-odds of each pixel's mean over the training rows, or zero.",
    )


def first_biases(start: str, data: Rows) -> NDArray[np.float32]:
    """Return the visible biases, (n_visible,), for an option of `visible_bias`."""
    b = base_rate_odds(data.mean()) if start == "base rate" else np.zeros(data.n_visible)
    return b.astype(np.float32)


@dataclass(frozen=True)
class RBMSetup(Setup):
    """Size and initial values of an RBM (Upadhya and Sastry 2017, section 4.1): hidden biases 0, normal weights."""

    name: ClassVar[str] = "rbm"
    kind: ClassVar[type[Model]] = RBM
    CONVERSIONS: ClassVar[dict[type[Model], Callable[[Any], Model]]] = {}  # `infinite` adds one
    hidden: int = hidden_field(
        16,
        "n",
        "Number of hidden units. Up to 25 the log-likelihood is exact; each unit beyond 20 doubles the time to measure "
        "it.",
    )
    sigma: float = sigma_field("Standard deviation of the initial weights.")
    visible_bias: str = visible_bias()

    @classmethod
    def first(cls, rows: int, columns: int) -> Self:
        # with few patterns, training leaves the base rate late if all units start alike
        return cls(sigma=0.5) if rows < FEW_ROWS else cls()

    def needs(self, part: str, n_visible: int, hidden: float) -> bool:
        """Return True for annealing only if neither layer is small enough for exact sums over its states."""
        return part != "annealing" or min(n_visible, hidden) > enumeration.LIMIT

    def check(self, data: Rows) -> None:
        check_binary(data, "an RBM")

    def drawn(self, data: Rows, seed: int) -> RBM:
        W = streams.normal((data.n_visible, self.hidden), self.sigma, seed, streams.INITIAL)
        return RBM(W, first_biases(self.visible_bias, data), np.zeros(self.hidden, np.float32))
