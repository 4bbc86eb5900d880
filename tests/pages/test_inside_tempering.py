"""What is said of an update with exchanges: a sentence for each phase, true of its numbers."""

import pytest

from boltzcore.data import load
from boltzcore.learners import TemperedPCD, TrajectoryTempering
from boltzcore.learners.walkthrough.equations import FAMILIES as KINDS
from boltzcore.models import RBMSetup
from pages.inside.families import tempering
from pages.inside.trace import Trace

DATA = load("bars-and-stripes")


def taken_apart(learner, updates):
    """Each of so many updates."""
    state = learner.start(RBMSetup(hidden=5, sigma=0.5).initial(DATA.train, seed=1), DATA.train, seed=2)
    for _ in range(updates):
        yield learner.trace_update(state, DATA.train, row=3)
        state = learner.advance(state, DATA.train)


def test_every_kind_of_phase_is_told_and_long_runs_of_sweeps_fly_past():
    hasty = TrajectoryTempering(4.0, 7, chains=10, alpha=0.6, alpha_min=0.5, step_bound=0.0)
    seen = set()
    for learner, updates in ((TemperedPCD(0.3, 7, chains=10), 12), (hasty, 40)):
        for taken in taken_apart(learner, updates):
            shown = tempering.phases(taken)
            told = [i for each in shown for i in each.folded or (each.index,)]
            assert told == list(range(len(taken.phases)))
            assert len(shown) < 25
            seen |= {taken.phases[each.index].kind for each in shown}
            for i, phase in enumerate(taken.phases):
                said = tempering.sentence(taken, learner, i)
                assert said.endswith(".")
                if phase.kind == "swap" and len(phase.arrays["lower"]) > 1:
                    assert f"{phase.arrays['accepted'].sum()} of {len(phase.arrays['lower'])} pairs do" in said
    assert seen == set(KINDS["tempering"])


@pytest.mark.parametrize("learner", [TemperedPCD(0.3, 7, chains=10), TrajectoryTempering(0.3, 7, chains=10)])
def test_what_travels_is_small_and_whole(learner):
    *_, taken = taken_apart(learner, 6)
    head = Trace(taken, learner, DATA, 5).head()
    assert [each["kind"] for each in head["phases"]][-1] == "journey"
    assert all(array["type"] for phase in head["phases"] for array in phase["arrays"].values())
