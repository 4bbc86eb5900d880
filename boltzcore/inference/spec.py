"""Specification of an inference: its kind and its stopping rule, as parameters."""

from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import ArrayLike

from boltzcore.inference.beliefs import Beliefs
from boltzcore.inference.mean_field import mean_field
from boltzcore.inference.propagation import belief_propagation
from boltzcore.models import CRBM, RBM
from boltzcore.parameters import Parameters, parameter
from boltzcore.ticks import Tick, idle

KINDS = {"sum-product": "sum", "max-product": "max", "mixed-product": "mixed"}


@dataclass(frozen=True)
class Inference(Parameters):
    """Kind and stopping rule of an inference (Ping and Ihler, sections 5 and 6).

    numerics : version of its numbers, raised whenever they change

    >>> import numpy as np
    >>> from boltzcore.inference import Inference
    >>> from boltzcore.models import RBM
    >>> rbm = RBM(np.array([[2.0], [-2.0]]), np.zeros(2), np.zeros(1))
    >>> (Inference("mean field").infer(rbm).v > 0.5).tolist()
    [True, False]
    """

    name: ClassVar[str] = "inference"
    numerics: ClassVar[int] = 1
    kind: str = parameter(
        "sum-product",
        choices=(*KINDS, "mean field"),
        help="Belief propagation for marginals (sum-product), for the best image and hidden units together "
        "(max-product) or for the best image with hidden units summed out (mixed-product); or mean field, which treats "
        "all units as independent.",
        label="Inference",
    )
    iterations: int = parameter(
        30, low=1, high=1000, scale="log", symbol="T", help="Maximum number of rounds of messages."
    )
    tolerance: float = parameter(
        1e-3,
        low=0.0,
        high=0.5,
        symbol="\N{GREEK SMALL LETTER EPSILON}",
        help="Stop when every belief changes by less than this in an iteration; 0 never stops early.",
    )
    damping: float = parameter(
        0.0,
        low=0.0,
        high=0.95,
        help="Share of the old message in the new one, which reduces oscillation. In the paper, BP is best undamped.",
    )

    def infer(self, model: RBM | CRBM, x: ArrayLike | None = None, *, tick: Tick = idle) -> Beliefs:
        """Infer the beliefs of an RBM, or of a CRBM given one input (n_x,) or rows of them (n, n_x)."""
        settings = {"iterations": self.iterations, "tolerance": self.tolerance, "damping": self.damping}
        if self.kind == "mean field":
            return mean_field(model, x, **settings, tick=tick)  # type: ignore[arg-type]
        return belief_propagation(model, x, kind=KINDS[self.kind], **settings, tick=tick)  # type: ignore[arg-type]
