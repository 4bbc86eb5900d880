"""Only a registered learner has a reference."""

import pytest

from boltzcore.data import load
from boltzcore.learners import PCD
from boltzcore.models import RBMSetup
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
