"""Contrastive divergence, and its persistent form."""

from dataclasses import dataclass
from typing import ClassVar

from boltzcore.learners.base import gibbs_steps_field
from boltzcore.learners.contrastive.base import Contrastive


@dataclass(frozen=True)
class CD(Contrastive):
    """Contrastive divergence: K Gibbs steps from the mini-batch (Upadhya and Sastry 2017, Algorithm 1)."""

    title: ClassVar[str] = "Contrastive divergence (CD-K)"
    about: ClassVar[str] = (
        "Compares a mini-batch with where K Gibbs steps from its rows lead: what the data show is made more probable, "
        "what the chains show less so. The gradient is biased, the less the larger K is."
    )
    family: ClassVar[str] = "CD"
    source: ClassVar[str] = "Hinton 2002; Upadhya and Sastry 2017, Algorithm 1"

    K: int = gibbs_steps_field(1, "Gibbs steps from the start of a chain to the sample that an update uses.")

    @property
    def gibbs_steps(self) -> int:
        return self.K

    def advice(self) -> tuple[str, ...]:
        return (*super().advice(), f"more Gibbs steps than K = {self.K}")

    @classmethod
    def budget_fields(cls, transitions: int) -> dict[str, int]:
        return {"K": transitions} if transitions <= (cls.named("K").high or transitions) else {}


@dataclass(frozen=True)
class PCD(CD):
    """Persistent contrastive divergence: chains go on from one mini-batch to the next (Tieleman 2008)."""

    title: ClassVar[str] = "Persistent contrastive divergence (PCD-K)"
    about: ClassVar[str] = (
        "As CD, but the chains go on from one update to the next, and so come nearer to what the model itself would "
        "show."
    )
    source: ClassVar[str] = "Tieleman 2008; Upadhya and Sastry 2017, section 3"
    persistent: ClassVar[bool] = True
