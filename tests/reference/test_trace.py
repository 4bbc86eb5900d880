"""Which learners have a reference: only those whose update is that of a registered class."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
import pytest

from boltzcore.data import load
from boltzcore.learners import BSLM, CD, CSDCP, PCD, SDCP, ConditionalCD
from boltzcore.learners.contrastive.base import Contrastive
from boltzcore.models import RBMSetup
from boltzcore.parameters import parameter
from boltzcore.reference import has_reference, trace
from boltzcore.reference.trace import UpdateTrace


@dataclass(frozen=True)
class Momentum(CD):
    momentum: float = parameter(0.9, low=0.0, high=1.0, help="Share of the last step.")

    def advance(self, state, data, *, updates=1, tick=None):
        return state


@dataclass(frozen=True)
class Twice(SDCP):
    @property
    def inner_steps(self):
        return 2 * self.d


class Persistent(CD):
    persistent = True


class Expecting(ConditionalCD):
    def expect(self, W, batch, tick):
        return super().expect(2 * W, batch, tick)


class Mixin(Contrastive):
    def advance(self, state, data, *, updates=1, tick=None):
        return state


class Between(CD, Mixin):
    """A base after CD, but before that of CD, changes the update."""


@dataclass(frozen=True)
class Base(Contrastive):
    @property
    def gibbs_steps(self):
        return 1


@dataclass(frozen=True)
class Gentle(PCD):
    """PCD by another name, with another rate."""

    title: ClassVar[str] = "Gentle PCD"
    rate: float = 0.01


OTHERS = {
    "advance": Momentum,
    "a property": Twice,
    "a flag": Persistent,
    "expectations": Expecting,
    "another base": Between,
    "of the family alone": Base,
}


@pytest.mark.parametrize("kind", OTHERS.values(), ids=OTHERS)
def test_a_learner_whose_update_is_its_own_is_not_followed(kind):
    assert not has_reference(kind())
    rows = load("bars-and-stripes").train
    state = CD().start(RBMSetup(hidden=2).initial(rows, seed=0), rows, seed=0)
    with pytest.raises(NotImplementedError, match=kind.__name__):
        trace(kind(), state, rows)


def test_another_title_and_other_defaults_are_followed():
    rows = load("bars-and-stripes").train
    state = PCD().start(RBMSetup(hidden=2).initial(rows, seed=0), rows, seed=0)
    own, other = (trace(learner, state, rows).models[-1].W for learner in (Gentle(), PCD(rate=0.01)))
    np.testing.assert_array_equal(own, other)


@pytest.mark.parametrize("learner", [CD(), SDCP(), CSDCP(), BSLM()])
def test_registered_learners_are_followed(learner):
    assert has_reference(learner)


@pytest.mark.parametrize("learner", [None, CD, object(), partial(CD)])
def test_what_is_no_learner_is_not_followed(learner):
    assert not has_reference(learner)


def test_a_kind_that_the_family_does_not_have_is_refused():
    with pytest.raises(ValueError, match="kind"):
        UpdateTrace("sampled", [None]).add("gibbs", {})
