"""Logistic regression: a conditional RBM without its hidden units."""

import dataclasses
from dataclasses import dataclass

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

    def initial_model(self, model: CRBM) -> CRBM:
        return dataclasses.replace(
            model, W=np.zeros_like(model.W), W_hx=np.zeros_like(model.W_hx), b_h=np.zeros_like(model.b_h)
        )

    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        return Expected(sigmoid(batch.b), None)
