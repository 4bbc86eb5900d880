"""What a conditional update is told in: a sentence for each phase of each learner, true of the very numbers."""

import base64
import re

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
from pages.inside.families import conditional
from pages.inside.trace import Trace

DATA = Examples(load("bars-and-stripes").train.v).corrupted(Corruption(rate=0.15), (3, 3))


def taken(learner, updates: int = 40):
    state = learner.start(CRBMSetup(hidden=5, sigma=0.5, hidden_bias=0.0).initial(DATA, seed=1), DATA, seed=2)
    return learner.trace_update(learner.advance(state, DATA, updates=updates), DATA, row=1)


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
    told = taken(learner)
    shown = [each.index for each in conditional.phases(told)]
    assert list(dict.fromkeys(told.phases[index].kind for index in shown)) == kinds.split()
    assert all(conditional.sentence(told, learner, index) for index in shown)


def test_a_sample_that_was_taken_is_told_so_however_little_likelier_it_is():
    told = taken(CDPercLoss(rate=0.3, K=3), 0)
    at = next(k for k, each in enumerate(told.phases) if each.kind == "energy")
    free, clean, said = told.phases[at + 1].arrays["v"], told.phases[0].arrays["v"], []
    for lower, row in ((1e-7, 1 - clean), (1e-4, 1 - clean), (3.0, 1 - clean), (1e-7, clean.copy())):
        free[:] = row
        told.phases[at].arrays.update(energy=np.array([-50, -49, -50 - lower, -48]), taken=np.array(2))
        sentences = [conditional.sentence(told, CDPercLoss(), phase) for phase in (at, at + 1)]
        said.append([re.sub(r"[\d.e\u2212-]+", "", sentence) for sentence in sentences])
    assert said[0] == said[1] == said[2]
    assert all(other != one for other, one in zip(said[3], said[0], strict=True))


def test_long_rows_of_rounds_and_steps_fly_past():
    many = taken(BeliefPropagationMLE(rate=0.3, iterations=30, tolerance=0.0))
    shown = [each for each in conditional.phases(many) if many.phases[each.index].kind == "iteration"]
    assert len(shown) == 7
    assert len(shown[3].folded) > 20
    assert all("to_v_W" in many.phases[each.index].arrays for each in shown)  # what is told has its messages
    chain = taken(ConditionalCD(rate=0.3, K=12))
    steps = [each for each in conditional.phases(chain) if chain.phases[each.index].kind in ("hidden", "visible")]
    assert [len(each.folded) for each in steps] == [0] * 4 + [16] + [0] * 4


@pytest.mark.parametrize("learner", [MSSVM(), BeliefPropagationMLE(), MeanFieldMLE()], ids=lambda each: each.predicts)
def test_of_a_large_model_only_the_messages_of_the_unit_that_is_asked_for_travel(learner):
    digits = load("digits").corrupted(Corruption(rate=0.15))
    few = digits.train.head(50)
    start = learner.start(CRBMSetup(hidden=70, sigma=0.3, hidden_bias=0.0).initial(few, seed=1), few, seed=2)
    told = learner.trace_update(start, few)
    trace, shown = Trace(told, learner, digits, 0), conditional.phases(told)
    for axis, layer, k, many in (("v", "v", 7, 70), ("h", "h", 69, 64)):
        phases, name, rounds = trace.unit(axis, k)["phases"], f"to_{layer}_W", 0
        for each, sent, head in zip(shown, phases, trace.head()["phases"], strict=True):
            arrays = told.phases[each.index].arrays
            if name not in arrays:
                continue
            assert "bytes" not in head["arrays"][name]
            row = np.frombuffer(base64.b64decode(sent[name]["bytes"]), "<f4")
            assert row.shape == (many,)
            bias = [phase for phase in told.phases if phase.kind in ("given", "augmented")][-1].arrays["b"]
            bias = bias[k] if layer == "v" else told.phases[0].arrays["c"][k]
            assert bias + row.sum(dtype=float) == pytest.approx(arrays[f"field_{layer}"][k], abs=1e-5)
            rounds += 1
        assert rounds > 1
