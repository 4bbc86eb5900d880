"""Only a learner whose update is that of a registered class has a reference."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from boltzcore.data import load
from boltzcore.learners import CD, PCD, SDCP, ConditionalCD
from boltzcore.learners.contrastive import Contrastive
from boltzcore.models import RBMSetup
from boltzcore.reference import has_reference, trace


class Advancing(CD):
    def advance(self, state, data, **options):
        return state


class Property(SDCP):
    inner_steps = property(lambda self: 2 * self.d)


class Flag(CD):
    persistent = True


class Expecting(ConditionalCD):
    def expect(self, W, batch, tick):
        return super().expect(2 * W, batch, tick)


class Mixin(Contrastive):
    advance = Advancing.advance


class Between(CD, Mixin):
    """The base after CD, but before that of CD, changes the update."""


class OfTheFamily(Contrastive):
    gibbs_steps = 1


@dataclass(frozen=True)
class Gentle(PCD):
    title: ClassVar[str] = "Gentle PCD"
    rate: float = 0.01


@pytest.fixture
def rows():
    return load("bars-and-stripes").train


@pytest.fixture
def state(rows):
    return PCD().start(RBMSetup(hidden=2).initial(rows, seed=0), rows, seed=0)


@pytest.mark.parametrize("kind", [Advancing, Property, Flag, Expecting, Between, OfTheFamily])
def test_a_learner_whose_update_is_its_own_has_no_reference(kind, rows, state):
    assert not has_reference(kind())
    with pytest.raises(NotImplementedError, match=kind.__name__):
        trace(kind(), state, rows)


def test_one_with_another_title_and_other_defaults_has_that_of_its_base(rows, state):
    assert has_reference(Gentle())
    own, base = (trace(learner, state, rows).models[-1].W for learner in (Gentle(), PCD(rate=0.01)))
    np.testing.assert_array_equal(own, base)
