"""Gradient steps with the options of Hinton's guide (2012): momentum, weight decay, a falling rate, clipping."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from boltzcore.kernels.ascent import Options
from boltzcore.learners.batches import Minibatches, MinibatchLearner, MinibatchState
from boltzcore.learners.blocks import NO_OFFSETS
from boltzcore.learners.operations import step
from boltzcore.parameters import parameter

SCHEDULES = ("constant", "linear", "cosine")
LEAST = 0.01  # fraction of the rate at which a schedule ends
# cos(pi t) for t in [0, 1/2] as a Taylor series in t**2 by Horner's rule: digits do not depend on a library
_COSINE = [1.0]
for _k in range(1, 11):
    _COSINE.append(-_COSINE[-1] * np.pi**2 / (2 * _k * (2 * _k - 1)))


@dataclass(frozen=True, eq=False)
class AscendingState(MinibatchState):
    """A State that carries the velocity of the parameters.

    velocity : (n_visible n_hidden + n_visible + n_hidden,) float32, of W row by row, b and c; empty without momentum
    """

    velocity: NDArray[np.float32] = dataclasses.field(kw_only=True, default_factory=NO_OFFSETS.copy)


@dataclass(frozen=True)
class Ascending(MinibatchLearner):
    """Base class of learners of RBMs that take a gradient step for each mini-batch.

    The direction g of W, b and c is scaled to the norm `clip` if its norm is larger, and weight_decay W + l1_decay
    sign(W) is subtracted from the direction of W. The parameters move by the velocity v <- momentum v + rate g. By
    default all options are off.
    """

    _: dataclasses.KW_ONLY
    momentum: float = parameter(
        0.0, low=0.0, high=0.999, minor=True, help="Share of each step that is added to the next one; 0 for none."
    )
    weight_decay: float = parameter(
        0.0,
        low=0.0,
        high=1.0,
        minor=True,
        live=True,
        help="Multiple of each weight that is subtracted from its gradient (L2), such as 0.0002; 0 for none.",
    )
    l1_decay: float = parameter(
        0.0,
        low=0.0,
        high=1.0,
        minor=True,
        live=True,
        help="Constant pull of each weight towards 0 in its gradient (L1), such as 0.0002; 0 for none.",
        label="L1 decay",
    )
    clip: float = parameter(
        0.0,
        low=0.0,
        high=1e6,
        minor=True,
        live=True,
        help="Largest norm of the gradient of all parameters; a longer one is scaled down. 0 for no limit.",
        label="Gradient clip",
    )
    rate_schedule: str = parameter(
        "constant",
        choices=SCHEDULES,
        minor=True,
        help="Constant, or falling to a hundredth of the rate along a line or half a cosine wave.",
    )
    schedule_epochs: int = parameter(
        50, low=1, high=1_000_000, minor=True, help="Epochs over which the rate falls; it is constant after them."
    )

    @property
    def has_options(self) -> bool:
        """True if a step is anything but the rate times the gradient."""
        return any((self.momentum, self.weight_decay, self.l1_decay, self.clip)) or self.rate_schedule != SCHEDULES[0]

    def first_velocity(self, model: Any) -> NDArray[np.float32]:
        """Return the velocity before the first update."""
        return np.zeros(self._n_velocities(model), np.float32)

    def rates(self, count: int, updates: int, length: int, dtype: DTypeLike = np.float32) -> NDArray[np.floating]:
        """Return the rates (updates,) from update `count` on; `length` is the number of updates in an epoch."""
        if self.rate_schedule == "constant":
            return np.full(updates, self.rate, dtype)
        t = np.minimum(np.arange(count, count + updates) / (self.schedule_epochs * length), 1.0)
        if self.rate_schedule == "cosine":
            half = np.minimum(t, 1 - t)
            wave = np.polynomial.polynomial.polyval(half * half, _COSINE)
            t = np.where(t <= 0.5, 1 - wave, 1 + wave) / 2
        return np.asarray(self.rate * (1 - (1 - LEAST) * t), dtype)

    def options(self, velocity: NDArray[np.float32]) -> Options:
        """Return the options in the form that the kernels take; they change the velocity in place."""
        f4 = np.float32
        return Options(f4(self.momentum), f4(self.weight_decay), f4(self.l1_decay), f4(self.clip), velocity)

    def step_operations(self, size: int) -> int:
        """Return the operations of a step of `size` parameters: two for each, and two more for each option."""
        return step(size) * (1 + sum(map(bool, (self.momentum, self.weight_decay, self.l1_decay, self.clip))))

    def carried_shapes(self, model: Any, batches: Minibatches) -> dict[str, tuple[int, ...]]:
        return super().carried_shapes(model, batches) | {"velocity": (self._n_velocities(model),)}

    def _n_velocities(self, model: Any) -> int:
        return model.W.size + model.b.size + model.c.size if self.momentum else 0
