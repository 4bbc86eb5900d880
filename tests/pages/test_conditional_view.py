"""What a conditional update is told in: a sentence for each phase of each learner, true of the very numbers."""

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
from pages.inside.families import conditional
from pages.inside.trace import Trace

DATA = Examples(load("bars-and-stripes").train.v).corrupted(Corruption(rate=0.15), (3, 3))


def taken(learner, updates: int = 40):
    state = learner.start(CRBMSetup(hidden=5, sigma=0.5, hidden_bias=0.0).initial(DATA, seed=1), DATA, seed=2)
    return learner.trace_update(learner.advance(state, DATA, updates=updates), DATA, row=1)


def sentences(learner) -> dict[str, list[str]]:
    """Of each kind, in the order in which they are told."""
    told, found = taken(learner), {}
    for shown in conditional.phases(told):
        kind = told.phases[shown.index].kind
        found.setdefault(kind, []).append(conditional.sentence(told, learner, shown.index))
    return found


@pytest.mark.parametrize(
    ("learner", "kinds", "free"),
    [
        (ConditionalLR(rate=0.3), "given free error new", "No pixel knows of another"),
        (ConditionalCD(rate=0.3), "given clamped hidden visible free difference new", "The end of the chain"),
        (CDPercLoss(rate=0.3, K=3), "given clamped start hidden visible energy free difference new", "clean row"),
        (MeanFieldMLE(rate=0.3), "given clamped begin iteration free difference new", "come to rest"),
        (BeliefPropagationMLE(rate=0.3), "given clamped begin iteration free difference new", "come to rest"),
        (LSSVM(rate=0.3), "given clamped augmented begin iteration free difference new", "with its hidden units"),
        (MSSVM(rate=0.3), "given clamped augmented begin iteration free difference new", "stay in doubt"),
    ],
    ids=lambda each: type(each).__name__ if hasattr(each, "rate") else "",
)
def test_each_phase_of_each_learner_has_its_sentence(learner, kinds, free):
    found = sentences(learner)
    assert list(found) == kinds.split()
    assert free in found["free"][0]
    assert all(each.endswith(".") and 30 < len(each) < 220 for some in found.values() for each in some)
    assert ("hidden unit" in found["given"][0]) == learner.hidden_units


def test_what_each_round_passes_on_is_told_by_its_kind():
    rounds = {
        sentences(each)["iteration"][0].split("The largest")[0] for each in (MeanFieldMLE(), BeliefPropagationMLE())
    }
    rounds |= {sentences(each)["iteration"][0].split("The largest")[0] for each in (LSSVM(), MSSVM())}
    assert len(rounds) == 4


def test_a_round_says_how_much_beliefs_changed_and_whether_they_rest():
    rounds = sentences(BeliefPropagationMLE(rate=0.3))["iteration"]
    assert rounds[0].startswith("Round 1: ")
    assert ["they rest" in each for each in rounds] == [False] * (len(rounds) - 1) + [True]
    hurried = BeliefPropagationMLE(rate=0.3, iterations=1, tolerance=0.0)
    told = taken(hurried)
    rounds = sum(each.kind == "iteration" for each in told.phases)
    found = sentences(hurried)
    assert not any("they rest" in each for each in found["iteration"])
    assert f"after the {rounds} rounds" in found["free"][0]


def test_a_search_says_which_sample_was_taken_or_that_there_was_none():
    said = set()
    for updates in range(0, 60, 4):
        told = taken(CDPercLoss(rate=0.3, K=3), updates)
        at = next(k for k, each in enumerate(told.phases) if each.kind == "energy")
        best, sentence = told.phases[at].arrays["taken"], conditional.sentence(told, CDPercLoss(), at)
        again = np.array_equal(told.phases[at + 1].arrays["v"], told.phases[0].arrays["v"])
        assert ("No sample" in sentence) == (best == 0)
        assert (f"ample {best} is" in sentence) == (best > 0)
        assert ("lower by rounding" in sentence) == (best > 0 and again)
        free = conditional.sentence(told, CDPercLoss(), at + 1)
        assert ("nothing is to be learnt" in free) == again
        said.add((best > 0, again))
    assert said >= {(True, False), (False, True)}


@pytest.mark.parametrize("lower", [1e-7, 1e-4, 3.0])
def test_a_sample_that_was_taken_is_told_so_however_little_likelier_it_is(lower):
    told = taken(CDPercLoss(rate=0.3, K=3), 0)
    at = next(k for k, each in enumerate(told.phases) if each.kind == "energy")
    free = told.phases[at + 1].arrays["v"]
    free[:] = 1 - told.phases[0].arrays["v"]
    told.phases[at].arrays.update(energy=np.array([-50, -49, -50 - lower, -48]), taken=np.array(2))
    assert "sample 2 is likelier" in conditional.sentence(told, CDPercLoss(), at)
    assert "set against the clean row" in conditional.sentence(told, CDPercLoss(), at + 1)
    free[:] = told.phases[0].arrays["v"]
    assert "rounding alone" in conditional.sentence(told, CDPercLoss(), at)
    assert "nothing is to be learnt" in conditional.sentence(told, CDPercLoss(), at + 1)


def test_the_bonus_says_how_many_biases_it_turns():
    told = taken(MSSVM(rate=0.3))
    at = next(k for k, each in enumerate(told.phases) if each.kind == "augmented")
    before, after = told.phases[0].arrays["b"], told.phases[at].arrays["b"]
    turned = int(((before > 0) != (after > 0)).sum())
    assert (f"{turned} pixels" if turned > 1 else "one pixel" if turned else "No bias") in conditional.sentence(
        told, MSSVM(), at
    )


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
