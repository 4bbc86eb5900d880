"""Stochastic spectral descent."""

from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.learners.contrastive.base import ContrastiveState
from boltzcore.learners.contrastive.cd import CD
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick, idle


@dataclass(frozen=True)
class SSD(CD):
    """Stochastic spectral descent (Carlson, Cevher and Carin 2015) on the gradient of CD-K.

    W moves along the sharp operator of its gradient G = U diag(s) V' for the Schatten-infinity norm: sum(s) U V', a
    step that is equally large in all singular directions. The biases take a plain gradient step: Upadhya and Sastry
    (2017) do not say how theirs move. It wants large batches: noise, too, is enlarged to the size of the largest
    direction.
    Its singular values come from LAPACK, the one library here whose rounding differs between processors: the same
    recipe nearly always gives the same digits there, but that is not promised.
    """

    libraries: ClassVar[tuple[str, ...]] = ("scipy",)
    same_everywhere: ClassVar[bool] = False
    spectral: ClassVar[bool] = True

    def advance(
        self, state: ContrastiveState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> ContrastiveState:
        """The State `updates` mini-batches later. Raises ValueError where state and data do not belong together."""
        import scipy.linalg  # noqa: F401 - the LAPACK behind the kernel's singular values, loaded before its threads are limited

        with one_for_blas():
            return super().advance(state, data, updates=updates, tick=tick)
