"""Only a registered learner has a reference, also in a later stage."""

import dataclasses

import numpy as np
import pytest

from boltzcore.data import load
from boltzcore.learners import PCD, Hebbian
from boltzcore.learners.base import StageProgress
from boltzcore.models import FVBMSetup, RBMSetup
from boltzcore.reference import has_reference, trace


class Advancing(PCD):
    def advance(self, state, data, **options):
        return state


def test_a_subclass_which_may_have_an_update_of_its_own_has_no_reference():
    rows = load("bars-and-stripes").train
    state = PCD().start(RBMSetup(hidden=2).initial(rows, seed=0), rows, seed=0)
    assert has_reference(PCD())
    assert not has_reference(Advancing())
    with pytest.raises(NotImplementedError, match="Advancing"):
        trace(Advancing(), state, rows)


def test_a_later_stage_stores_its_own_patterns():
    rows = load("bars-and-stripes").train
    begun = Hebbian().start(FVBMSetup().initial(rows, seed=0), rows, seed=0)
    later = dataclasses.replace(begun, count=2, progress=StageProgress(from_count=2))
    shown = trace(Hebbian(), later, rows).models[-1].M
    np.testing.assert_allclose(shown, Hebbian().advance(later, rows).model.M)
