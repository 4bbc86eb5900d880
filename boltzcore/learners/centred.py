"""Centred gradients: visible and hidden units are taken from moving means of them."""

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.learners.base import State
from boltzcore.learners.contrastive import CD, Contrastive, ContrastiveState, Offsets
from boltzcore.models import RBM
from boltzcore.parameters import parameter


@dataclass(frozen=True, eq=False)
class CentredState(ContrastiveState):
    """A ContrastiveState with the offsets mu (n_visible,) and lambda_ (n_hidden,) of the units, float32.

    Its model is the plain one: the centred parameterisation with biases b', c' is that with b = b' - W lambda, c = c' -
    W'mu.
    """

    mu: NDArray[np.float32] = dataclasses.field(kw_only=True)
    lambda_: NDArray[np.float32] = dataclasses.field(kw_only=True)


@dataclass(frozen=True)
class Centred(Contrastive):
    """What makes a learner of the family a centred one: offsets that start at the data mean and at one half."""

    state_type: ClassVar[type[State]] = CentredState

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

    def _first(self, model: RBM, data: Examples, *, seed: int, **carried: Any) -> CentredState:
        mu, lambda_ = data.mean().astype(np.float32), np.full(model.n_hidden, 0.5, np.float32)
        return CentredState(model, 0, 0, seed, **carried, mu=mu, lambda_=lambda_)

    def _offsets(self, state: ContrastiveState) -> Offsets:
        assert isinstance(state, CentredState)
        return state.mu.copy(), state.lambda_.copy()

    def _carry(self, offsets: Offsets) -> dict[str, Any]:
        return dict(zip(("mu", "lambda_"), offsets, strict=True))


@dataclass(frozen=True)
class CenteredGradient(Centred, CD):
    """Centred gradient: CD-K with units taken from moving means (Melchior, Fischer and Wiskott 2016, Algorithm 1).

    The same as CSDCP with d = 1.
    """

    title: ClassVar[str] = "Centred gradient (CG-K)"
    source: ClassVar[str] = "Melchior, Fischer and Wiskott 2016; Upadhya and Sastry 2017, Algorithm 4 with d = 1"
