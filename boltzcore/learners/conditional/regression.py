"""Logistic regression: a conditional RBM without its hidden units."""

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boltzcore.kernels.elementwise import sigmoid
from boltzcore.learners.conditional.base import Batch, Conditional, Expected, Floats
from boltzcore.models import CRBM
from boltzcore.ticks import Tick


@dataclass(frozen=True)
class ConditionalLR(Conditional):
    """Logistic regression of each visible unit on the input: a CRBM of which only W_vx and b_v are not 0 (section
    6).
    """

    title: ClassVar[str] = "Logistic regression (LR)"
    about: ClassVar[str] = (
        "Predicts each pixel from a weighted sum of the input's pixels: a conditional RBM of which only W_vx and b_v "
        "are learnt."
    )
    family: ClassVar[str] = "LR"
    source: ClassVar[str] = "Ping and Ihler, section 6"
    hidden_units: ClassVar[bool] = False

    @property
    def cost(self) -> str:
        """The cost of an update, in a sentence."""
        return "An update costs one product with the input's weights: there is nothing to infer."

    def initial_model(self, model: CRBM) -> CRBM:
        return dataclasses.replace(
            model, W=np.zeros_like(model.W), W_hx=np.zeros_like(model.W_hx), b_h=np.zeros_like(model.b_h)
        )

    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        return Expected(sigmoid(batch.b), batch.mean_h)
