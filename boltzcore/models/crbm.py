"""Conditional restricted Boltzmann machine with binary units, and its exact computations."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.arrays import as_numbers
from boltzcore.kernels import dense
from boltzcore.kernels import random as streams
from boltzcore.models.base import Model, Rows, Setup, check_binary
from boltzcore.models.rbm import RBM, first_biases, hidden_field, sigma_field, visible_bias
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, idle


@dataclass(frozen=True, eq=False)
class CRBM(Model):
    """p(v, h | x) = e**(v'Wh + v'W_vx x + h'W_hx x + b_v'v + b_h'h) / Z(x) over v and h in {0, 1} (Ping and Ihler, eq.
    3).

    W : (n_visible, n_hidden) float32
    W_vx : (n_visible, n_x) float32, from the input to the visible units
    W_hx : (n_hidden, n_x) float32, from the input to the hidden units
    b_v, b_h : (n_visible,) and (n_hidden,) float32 biases
    Raises Refusal naming the array if shapes disagree or a value is not finite.

    >>> import numpy as np
    >>> from boltzcore.models import CRBM
    >>> crbm = CRBM(np.zeros((2, 1)), 4 * np.eye(2), np.zeros((1, 2)), np.full(2, -2.0), np.zeros(1))
    >>> crbm.given([1, 0]).b.tolist()  # each pixel is drawn to its input
    [2.0, -2.0]
    """

    ARRAYS: ClassVar[dict[str, tuple[str, int]]] = {
        "W": ("f", 2),
        "W_vx": ("f", 2),
        "W_hx": ("f", 2),
        "b_v": ("f", 1),
        "b_h": ("f", 1),
    }
    SIZES: ClassVar[dict[str, str]] = {"n_visible": "visible units", "n_hidden": "hidden units", "n_x": "inputs"}
    EQUATIONS: ClassVar[Mapping[str, str]] = {
        "Distribution": "p(v, h | x) = e^(v'W h + v'W_vx x + h'W_hx x + b_v'v + b_h'h) / Z(x)",
        "Biases given the input": "b(x) = b_v + W_vx x, c(x) = b_h + W_hx x: with these it is an RBM",
        "Free energy": "F(v | x) = -b(x)'v - sum_j log(1 + e^(c_j(x) + sum_i v_i W_ij))",
    }
    SOURCE: ClassVar[str] = "Ping and Ihler, eq. 3"

    W: NDArray[np.float32]
    W_vx: NDArray[np.float32]
    W_hx: NDArray[np.float32]
    b_v: NDArray[np.float32]
    b_h: NDArray[np.float32]

    def __post_init__(self) -> None:
        self._take_arrays()
        wanted = {
            "W": (self.n_visible, self.n_hidden),
            "W_vx": (self.n_visible, self.n_x),
            "W_hx": (self.n_hidden, self.n_x),
        }
        for name, shape in wanted.items():
            found = getattr(self, name).shape
            if found != shape or 0 in shape:
                raise Refusal(f"{name} must have shape {shape} with no side empty, not {found}.", name)

    @property
    def n_visible(self) -> int:
        return len(self.b_v)

    @property
    def n_hidden(self) -> int:
        return len(self.b_h)

    @property
    def n_x(self) -> int:
        return self.W_vx.shape[1]

    def given(self, x: ArrayLike) -> RBM:
        """Return the RBM for an input x, (n_x,)."""
        b, c = self.fields([x])  # type: ignore[arg-type]
        return RBM(self.W, b[0], c[0])

    def fields(self, x: ArrayLike) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the biases of visible and hidden units given each row of x: (n, n_visible) and (n, n_hidden)."""
        rows = self.check_inputs(x)
        b = dense.product(rows, dense.whole(self.W_vx.T), self.b_v)
        return b, dense.product(rows, dense.whole(self.W_hx.T), self.b_h)

    def log_partition(self, x: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return log Z(x) for each row of x, (n,), in nats, exact. Raises Refusal if both layers have more than 25
        units.
        """
        return np.array([self.given(row).log_partition(tick=tick) for row in self.check_inputs(x)])

    def log_likelihood(self, v: ArrayLike, x: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return log p(v | x) of each pair of rows, (n,), in nats, exact. Raises Refusal if the model is too large to
        enumerate.
        """
        rows, inputs = self.check_rows(v), self.check_inputs(x)
        if len(rows) != len(inputs):
            raise Refusal(f"v and x must have the same number of rows, not {len(rows)} and {len(inputs)}.")
        return np.array(
            [self.given(given).log_likelihood(row[None], tick=tick)[0] for row, given in zip(rows, inputs, strict=True)]
        )

    def check_inputs(self, x: ArrayLike) -> NDArray[np.float32]:
        """Return x as float32; raise Refusal unless it is (n, n_x) with finite values."""
        rows = as_numbers("x", x, (None, self.n_x), f"rows of {self.n_x} inputs").astype(np.float32)
        if not np.isfinite(rows).all():
            raise Refusal("x must hold finite values.", "x")
        return rows


@dataclass(frozen=True)
class CRBMSetup(Setup):
    """Size and initial values of a conditional RBM whose input is a corrupted copy of its output: W_hx is 0, W_vx
    diagonal. W_vx is 0 if the numbers of inputs and outputs differ.
    """

    name: ClassVar[str] = "crbm"
    kind: ClassVar[type[Model]] = CRBM
    hidden: int = hidden_field(64, "|h|", "Number of hidden units; the paper uses 256 for images of 28 × 28.")
    sigma: float = sigma_field("Standard deviation of the initial weights W.")
    visible_bias: str = visible_bias("b_v")
    input_weight: float = parameter(
        4.0,
        low=0.0,
        high=20.0,
        symbol="W_vx",
        help="Initial weight from each input pixel to its own output pixel. If it is small, belief propagation "
        "converges slowly at first.",
    )
    hidden_bias: float = parameter(
        -3.0,
        low=-20.0,
        high=20.0,
        symbol="b_h",
        help="Initial biases of the hidden units. With 0 the units first learn what a bias could, and belief "
        "propagation converges slowly.",
    )

    def check(self, data: Rows) -> None:
        check_binary(data, "a conditional RBM")
        if self.input_weight and (n_x := _inputs(data)) != data.n_visible:
            raise Refusal(
                f"input_weight must be 0 for {n_x} inputs and {data.n_visible} outputs, which differ in number, not "
                f"{self.input_weight:.6g}.",
                "input_weight",
            )

    def initial(self, data: Any, *, seed: int, before: Any = None) -> CRBM:
        found: CRBM = super().initial(data, seed=seed, before=before)
        if found.W.any():
            return found
        # After logistic regression all hidden units are alike, and no learner would make them different.
        W = streams.normal(found.W.shape, self.sigma, seed, streams.INITIAL)
        return replace(found, W=W, b_h=np.full_like(found.b_h, self.hidden_bias))

    def drawn(self, data: Rows, seed: int) -> CRBM:
        n, n_x = data.n_visible, _inputs(data)
        W = streams.normal((n, self.hidden), self.sigma, seed, streams.INITIAL)
        W_vx, W_hx = np.zeros((n, n_x), np.float32), np.zeros((self.hidden, n_x), np.float32)
        np.fill_diagonal(W_vx, self.input_weight)
        b_h = np.full(self.hidden, self.hidden_bias, np.float32)
        return CRBM(W, W_vx, W_hx, first_biases(self.visible_bias, data), b_h)


def _inputs(data: Rows) -> int:
    """Return the number of inputs; data without inputs will have copies of the outputs."""
    return data.n_visible if data.x is None else data.x.shape[1]
