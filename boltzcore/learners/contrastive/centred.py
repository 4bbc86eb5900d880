"""Centred gradients: visible and hidden units are taken from moving means of them."""

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.learners.contrastive.base import Contrastive, ContrastiveState
from boltzcore.learners.contrastive.cd import CD
from boltzcore.models import RBM
from boltzcore.parameters import parameter


@dataclass(frozen=True, eq=False)
class CentredState(ContrastiveState):
    """A ContrastiveState whose units have offsets: a learner that does not centre cannot go on from it."""


@dataclass(frozen=True)
class Centred(Contrastive):
    """A mixin for centred learners of the family: offsets that start at the data mean and at one half."""

    state_type: ClassVar[type[ContrastiveState]] = CentredState
    centred: ClassVar[bool] = True

    nu_mu: float = parameter(
        0.01,
        low=0.0,
        high=1.0,
        symbol="\N{GREEK SMALL LETTER NU}_\N{GREEK SMALL LETTER MU}",
        help="How fast the visible units' offset follows the mean of the mini-batch: 0 not at all, 1 at once.",
        live=True,
        label="Visible offset's sliding factor",
    )
    nu_lambda: float = parameter(
        0.01,
        low=0.0,
        high=1.0,
        symbol="\N{GREEK SMALL LETTER NU}_\N{GREEK SMALL LETTER LAMDA}",
        help="How fast the hidden units' offset follows their mean over the mini-batch: 0 not at all, 1 at once.",
        live=True,
        label="Hidden offset's sliding factor",
    )

    @property
    def slides(self) -> tuple[float, float]:
        return self.nu_mu, self.nu_lambda

    def start(self, model: RBM, data: Examples | NDArray, *, seed: int) -> ContrastiveState:
        """The State before the first update; chains start at the first rows of the data."""
        state = super().start(model, data, seed=seed)
        mu, lambda_ = examples(data).mean().astype(np.float32), np.full(model.n_hidden, 0.5, np.float32)
        return dataclasses.replace(state, mu=mu, lambda_=lambda_)


@dataclass(frozen=True)
class CenteredGradient(Centred, CD):
    """Centred gradient: CD-K with units taken from moving means (Melchior, Fischer and Wiskott 2016, Algorithm 1).

    The same as CSDCP with d = 1.
    """
