"""RBM learning as difference-of-convex programming: S-DCP, and CS-DCP with centred gradients."""

import math
from dataclasses import dataclass
from typing import ClassVar

from boltzcore.learners.base import gibbs_steps_field
from boltzcore.learners.contrastive.base import Contrastive
from boltzcore.learners.contrastive.centred import Centred
from boltzcore.parameters import parameter


@dataclass(frozen=True)
class SDCP(Contrastive):
    """Stochastic difference-of-convex programming (Upadhya and Sastry 2017, Algorithms 2 and 3).

    -log-likelihood is f - g, both convex: f = log Z, g the mean of log sum_h e**-E over the data. An update holds
    grad g at its value for the parameters theta_t and takes d gradient steps on f(theta) - theta'grad g(theta_t); the
    Gibbs chains start at the mini-batch and go on through all d steps, K' Gibbs steps each, under the inner parameters.
    With d = 1 it is CD-K'.
    """

    title: ClassVar[str] = "Stochastic DC programming (S-DCP)"
    about: ClassVar[str] = (
        "The negative log-likelihood is a difference f - g of convex functions. An update holds the slope of g and "
        "takes d gradient steps on f less its tangent, each after K' Gibbs steps of chains that start at the "
        "mini-batch and go on. With d = 1 it is CD-K'."
    )
    family: ClassVar[str] = "DCP"
    source: ClassVar[str] = "Upadhya and Sastry 2017, Algorithms 2 and 3"

    d: int = parameter(
        6,
        low=1,
        high=100,
        scale="log",
        symbol="d",
        help="Steps of the parameters in an update. Matched with CD-K in cost by d K' = K; with d = 1 it is CD-K'.",
        live=True,
        label="Inner steps",
    )
    K_prime: int = gibbs_steps_field(
        4, "Gibbs steps before each inner step. Matched with CD-K in cost by d K' = K.", symbol="K'"
    )

    @property
    def inner_steps(self) -> int:
        return self.d

    @property
    def gibbs_steps(self) -> int:
        return self.K_prime

    @classmethod
    def budget_fields(cls, transitions: int) -> dict[str, int]:
        splits = [{"d": d, "K_prime": transitions // d} for d in range(1, transitions + 1) if transitions % d == 0]
        highest = {name: cls.named(name).high or transitions for name in ("d", "K_prime")}
        allowed = [split for split in splits if all(split[name] <= highest[name] for name in highest)]
        # the paper's K' = 4 or what is nearest, and more than the one inner step of CD where that can be
        return min(allowed, key=lambda split: (split["d"] == 1, abs(math.log(split["K_prime"] / 4))), default={})

    def advice(self) -> tuple[str, ...]:
        return (*super().advice(), f"more Gibbs steps than K' = {self.K_prime}")

    @property
    def cost(self) -> str:
        """The cost of an update beside CD-K, in a sentence (Upadhya and Sastry 2017, section 3.1)."""
        K = self.transitions
        return (
            f"An update takes d K' = {K} Gibbs steps of each chain, as CD-{K} does, and {self.d + 1} terms of the "
            "gradient (CD: 2)."
        )


@dataclass(frozen=True)
class CSDCP(Centred, SDCP):
    """S-DCP with centred gradients (Upadhya and Sastry 2017, Algorithm 4). With d = 1 it is the centred gradient."""

    title: ClassVar[str] = "Centred S-DCP (CS-DCP)"
    about: ClassVar[str] = (
        "S-DCP with centred gradients: the offsets of all units follow their means from one inner step to the next. "
        "With d = 1 it is the centred gradient."
    )
    source: ClassVar[str] = "Upadhya and Sastry 2017, Algorithm 4"
