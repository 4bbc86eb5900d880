"""Learners of a conditional RBM that infer: by mean field or belief propagation, for likelihood or for a margin (Ping
and Ihler, section 4).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boltzcore.inference import propagation
from boltzcore.inference.mean_field import settle
from boltzcore.kernels import dense
from boltzcore.kernels.elementwise import sigmoid
from boltzcore.kernels.messages import Instances
from boltzcore.learners.conditional.base import Batch, Conditional, Expected, Floats
from boltzcore.learners.operations import MESSAGE, product
from boltzcore.ticks import Tick


@dataclass(frozen=True)
class Inferring(Conditional):
    """A learner whose model statistics are beliefs."""


@dataclass(frozen=True)
class MeanFieldMLE(Inferring):
    """Maximum likelihood with mean-field marginals in place of the model's (section 4.1)."""

    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        v, h, residuals, ran = settle(W, batch.b, batch.c, self.iterations_in(batch.epoch), self.tolerance, 0.0, tick)
        settled = residuals[np.arange(len(v)), ran - 1] < self.tolerance
        operations = 2 * product(int(ran.sum()), *W.shape)
        return Expected(v, h, work=_mean(ran), settled=int(settled.sum()), operations=operations)


@dataclass(frozen=True)
class BeliefPropagationMLE(Inferring):
    """Maximum likelihood with the beliefs of sum-product propagation in place of the model's marginals (section 4.1,
    eq. 5).
    """

    predicts: ClassVar[str] = "sum-product"

    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        messages = propagation.Messages.from_weights(W, "sum")
        beliefs = propagation.instances_of(batch.b, batch.c, self.iterations_in(batch.epoch))
        pairs = propagation.run_with_pairwise(messages, beliefs, 0.0, self.tolerance, tick=tick)
        operations = _of_messages(W, beliefs) + MESSAGE * len(batch.v) * W.size
        return Expected(
            beliefs.v,
            beliefs.h,
            pairs,
            work=_mean(beliefs.ran),
            settled=int(beliefs.converged.sum()),
            operations=operations,
        )


@dataclass(frozen=True)
class MaxMargin(Inferring):
    """A structured support vector machine: the best loss-augmented v is set against the data (section 4.2).

    The loss is Hamming's: what differs from the data gains 1 for each pixel, which moves the visible biases by 1 - 2v.
    """

    def infer_augmented(self, kind: str, W: Floats, batch: Batch, tick: Tick) -> Instances:
        """Return beliefs of the loss-augmented model."""
        messages, b = propagation.Messages.from_weights(W, kind), batch.b + 1 - 2 * batch.v
        beliefs = propagation.instances_of(b, batch.c, self.iterations_in(batch.epoch))
        propagation.run(messages, beliefs, 0.0, self.tolerance, tick=tick)
        return beliefs


@dataclass(frozen=True)
class LSSVM(MaxMargin):
    """Latent structured SVM: the best v and h together, by max-product propagation (Yu and Joachims 2009; Yang et al.
    2014).
    """

    predicts: ClassVar[str] = "max-product"

    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        beliefs = self.infer_augmented("max", W, batch, tick)
        v, h, data_h = (_rounded(belief) for belief in (beliefs.v, beliefs.h, batch.mean_h))
        return Expected(
            v,
            h,
            data_h=data_h,
            work=_mean(beliefs.ran),
            settled=int(beliefs.converged.sum()),
            operations=_of_messages(W, beliefs),
        )


@dataclass(frozen=True)
class MSSVM(MaxMargin):
    """Marginal structured SVM: the best v with the hidden units summed out, by mixed-product propagation (section 4.2,
    eq. 7).
    """

    predicts: ClassVar[str] = "mixed-product"

    def expect(self, W: Floats, batch: Batch, tick: Tick) -> Expected:
        beliefs = self.infer_augmented("mixed", W, batch, tick)
        v = _rounded(beliefs.v)
        return Expected(
            v,
            sigmoid(dense.product(v, dense.whole(W), batch.c)),
            work=_mean(beliefs.ran),
            settled=int(beliefs.converged.sum()),
            operations=_of_messages(W, beliefs) + product(len(v), *W.shape),
        )


def _of_messages(W: Floats, beliefs: Instances) -> int:
    """Operations of the message updates: one each way along every edge, in each iteration of each instance."""
    return 2 * MESSAGE * int(beliefs.ran.sum()) * W.size


def _rounded(belief: Floats) -> Floats:
    return (belief > 0.5).astype(np.float32)


def _mean(iterations: np.ndarray) -> int:
    return int(np.ceil(iterations.mean()))
