"""Contrastive divergence, and its persistent form."""

from dataclasses import dataclass
from typing import ClassVar

from boltzcore.learners.base import gibbs_steps_field
from boltzcore.learners.contrastive.base import Contrastive, PersistentState


@dataclass(frozen=True)
class CD(Contrastive):
    """Contrastive divergence: K Gibbs steps from the mini-batch (Upadhya and Sastry 2017, Algorithm 1)."""

    K: int = gibbs_steps_field(1, "Gibbs steps from the start of a chain to the sample that an update uses.")

    @property
    def gibbs_steps(self) -> int:
        return self.K


@dataclass(frozen=True)
class PCD(CD):
    """Persistent contrastive divergence: chains go on from one mini-batch to the next (Tieleman 2008)."""

    state_type: ClassVar[type[PersistentState]] = PersistentState
    persistent: ClassVar[bool] = True
