"""Stochastic spectral descent."""

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.learners.base import First
from boltzcore.learners.contrastive.base import ContrastiveState
from boltzcore.learners.contrastive.cd import CD
from boltzcore.models.base import FEW_ROWS
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick, idle

FIRST_BATCH = 200  # rows of a batch of a first training: the noise of fewer is what its equal steps blow up


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

    title: ClassVar[str] = "Stochastic spectral descent (SSD)"
    about: ClassVar[str] = (
        "Replaces the gradient of W by a step that is equally large in all its singular directions; the biases take "
        "the plain gradient. It needs large batches, for it enlarges their noise, too."
    )
    source: ClassVar[str] = "Carlson, Cevher and Carin 2015; Upadhya and Sastry 2017, section 4"
    libraries: ClassVar[tuple[str, ...]] = ("scipy",)
    same_everywhere: ClassVar[bool] = False
    spectral: ClassVar[bool] = True

    @classmethod
    def first(cls, rows: int, columns: int) -> First:
        """The settings of a first training: shorter steps than the others', from as many rows as soon pay."""
        usual = super().first(rows, columns)
        fields = {"rate": 0.02} if rows < FEW_ROWS else {"batch_size": min(rows, FIRST_BATCH)}
        learner = usual.learner.changed(**fields)
        return dataclasses.replace(usual, learner=learner, length=usual.length // 3, every=usual.every // 3)

    @property
    def cost(self) -> str:
        """The cost of an update, in a sentence."""
        return f"{super().cost} Then it takes the singular values of a matrix of the size of W."

    def advice(self) -> tuple[str, ...]:
        larger = (f"larger batches than {self.batch_size:,} rows",) if self.batch_size else ()
        return (*larger, *super().advice())  # the noise of small batches is what its equal steps blow up

    def advance(
        self, state: ContrastiveState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> ContrastiveState:
        """The State `updates` mini-batches later. Raises ValueError where state and data do not belong together."""
        import scipy.linalg  # noqa: F401 - the LAPACK behind the kernel's singular values, loaded before its threads are limited

        with one_for_blas():
            return super().advance(state, data, updates=updates, tick=tick)
