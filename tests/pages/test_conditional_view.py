"""Sentences of a conditional update, one for each phase of each learner, true of the very numbers."""

import base64

import numpy as np
import pytest

from boltzcore.data import Corruption, Examples, load
from boltzcore.learners import (
    LSSVM,
    MSSVM,
    BeliefPropagationMLE,
    CDPercLoss,
    ConditionalCD,
    ConditionalLR,
    MeanFieldMLE,
)
from boltzcore.models import CRBMSetup
from boltzcore.reference import trace
from pages.inside.families import conditional
from pages.inside.trace import Trace

DATA = Examples(load("bars-and-stripes").train.v).corrupted(Corruption(rate=0.15), (3, 3))


def taken(learner, updates: int = 40, row: int = 1):
    state = learner.start(CRBMSetup(hidden=5, sigma=0.5, hidden_bias=0.0).initial(DATA, seed=1), DATA, seed=2)
    return trace(learner, learner.advance(state, DATA, updates=updates), DATA, row=row)


@pytest.mark.parametrize(
    ("learner", "kinds"),
    [
        (ConditionalLR(rate=0.3), "given free error new"),
        (ConditionalCD(rate=0.3), "given clamped hidden visible free difference new"),
        (CDPercLoss(rate=0.3, K=3), "given clamped start hidden visible energy free difference new"),
        (MeanFieldMLE(rate=0.3), "given clamped begin iteration free difference new"),
        (BeliefPropagationMLE(rate=0.3), "given clamped begin iteration free difference new"),
        (LSSVM(rate=0.3), "given clamped augmented begin iteration free difference new"),
        (MSSVM(rate=0.3), "given clamped augmented begin iteration free difference new"),
    ],
    ids=lambda each: type(each).__name__ if hasattr(each, "rate") else "",
)
def test_each_phase_of_each_learner_has_its_sentence(learner, kinds):
    dissection = taken(learner)
    shown = [each.index for each in conditional.phases(dissection)]
    assert list(dict.fromkeys(dissection.phases[index].kind for index in shown)) == kinds.split()
    assert all(conditional.sentence(dissection, learner, index) for index in shown)


def test_sentences_tell_a_row_that_makes_a_step_from_one_that_makes_none():
    learner, of_step = CDPercLoss(rate=0.3, K=3), {}
    for row in range(14):
        dissection = taken(learner, row=row)
        at = next(k for k, each in enumerate(dissection.phases) if each.kind == "energy")
        step = bool(dissection.phases[at].arrays["taken"])
        of_step[step] = [conditional.sentence(dissection, learner, phase) for phase in (at, at + 1)]
    assert all(one != other for one, other in zip(of_step[True], of_step[False], strict=True))


def test_long_rows_of_rounds_and_steps_fly_past():
    many = taken(BeliefPropagationMLE(rate=0.3, iterations=30, tolerance=0.0))
    shown = [each for each in conditional.phases(many) if many.phases[each.index].kind == "iteration"]
    assert len(shown) == 7
    assert len(shown[3].folded) > 20
    assert all("to_v_W" in many.phases[each.index].arrays for each in shown)  # the trace has its messages
    chain = taken(ConditionalCD(rate=0.3, K=12))
    steps = [each for each in conditional.phases(chain) if chain.phases[each.index].kind in ("hidden", "visible")]
    assert [len(each.folded) for each in steps] == [0] * 4 + [16] + [0] * 4


@pytest.mark.parametrize("learner", [MSSVM(), BeliefPropagationMLE(), MeanFieldMLE()], ids=lambda each: each.predicts)
def test_of_a_large_model_only_the_messages_of_the_unit_that_is_asked_for_travel(learner):
    digits = load("digits").corrupted(Corruption(rate=0.15))
    few = digits.train.head(50)
    start = learner.start(CRBMSetup(hidden=70, sigma=0.3, hidden_bias=0.0).initial(few, seed=1), few, seed=2)
    dissection = trace(learner, start, few)
    sent_trace, shown = Trace(dissection, learner, digits, 0), conditional.phases(dissection)
    for axis, layer, k, many in (("v", "v", 7, 70), ("h", "h", 69, 64)):
        phases, name, rounds = sent_trace.unit(axis, k)["phases"], f"to_{layer}_W", 0
        for each, sent, head in zip(shown, phases, sent_trace.head()["phases"], strict=True):
            arrays = dissection.phases[each.index].arrays
            if name not in arrays:
                continue
            assert "bytes" not in head["arrays"][name]
            row = np.frombuffer(base64.b64decode(sent[name]["bytes"]), "<f4")
            assert row.shape == (many,)
            bias = [phase for phase in dissection.phases if phase.kind in ("given", "augmented")][-1].arrays["b"]
            bias = bias[k] if layer == "v" else dissection.phases[0].arrays["c"][k]
            assert bias + row.sum(dtype=float) == pytest.approx(arrays[f"field_{layer}"][k], abs=1e-5)
            rounds += 1
        assert rounds > 1
