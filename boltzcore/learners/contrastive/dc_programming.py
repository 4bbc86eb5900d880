"""RBM learning as difference-of-convex programming: S-DCP, and CS-DCP with centred gradients."""

from dataclasses import dataclass

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


@dataclass(frozen=True)
class CSDCP(Centred, SDCP):
    """S-DCP with centred gradients (Upadhya and Sastry 2017, Algorithm 4). With d = 1 it is the centred gradient."""
