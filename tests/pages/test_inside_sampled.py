"""What is said of a step by chains: a sentence for each phase, true of its numbers."""

import numpy as np

from boltzcore.data import RandomFVBM, load
from boltzcore.learners import PairwisePCD
from boltzcore.learners.walkthrough.equations import FAMILIES as KINDS
from boltzcore.models import LogLinearSetup
from pages.inside.families import sampled


def apart(dataset, **fields):
    data, learner = dataset.train, PairwisePCD(rate=0.3, **fields)
    state = learner.start(LogLinearSetup().initial(data, seed=1), data, seed=1)
    return learner.trace_update(learner.advance(state, data, updates=20), data), learner


def test_every_phase_of_a_small_machine_is_told_and_each_draw_as_it_fell_out():
    taken, learner = apart(load("bars-and-stripes", D=3), chains=4)
    shown = sampled.phases(taken)
    assert [each.index for each in shown] == list(range(len(taken.phases)))
    said = {i: sampled.sentence(taken, learner, i) for i in range(len(taken.phases))}
    assert {taken.phases[i].kind for i in said} == set(KINDS["sampled"])
    for i, phase in enumerate(taken.phases):
        if phase.kind == "unit":
            was, now = phase.arrays["x"][phase.arrays["unit"]], phase.arrays["on"][0]
            ends = ("It stays " if was == now else "It comes to be ") + ("on." if now else "off.")
            assert said[i].endswith(ends)
    assert any("All 4 chains" in text for text in said.values())


def test_the_middle_of_a_long_sweep_flies_past_and_one_chain_is_called_one():
    taken, learner = apart(RandomFVBM(d=16, n=200).load(), chains=1)
    shown = sampled.phases(taken)
    (past,) = [each for each in shown if each.folded]
    assert len(past.folded) == 16 - 2 * sampled.ENDS
    told = np.unique([i for each in shown for i in each.folded or (each.index,)])
    assert told.tolist() == list(range(len(taken.phases)))
    assert "one chain stands for the model" in " ".join(sampled.sentence(taken, learner, each.index) for each in shown)
