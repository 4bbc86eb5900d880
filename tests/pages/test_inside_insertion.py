"""What is said of an insertion and of a run of L-BFGS: a sentence for each kind of phase, true of its numbers."""

import re

import numpy as np
import pytest

from boltzcore.data import BayesNet, RandomFVBM, load
from boltzcore.learners import FrankWolfe, PairwiseExact, PseudoLikelihoodLBFGS
from boltzcore.learners.walkthrough.equations import FAMILIES as KINDS
from boltzcore.models import FVBMSetup, InfiniteRBM, InfiniteRBMSetup, LogLinearSetup
from pages.inside.families import insertion, newton
from pages.inside.families.step_view import paced
from pages.inside.trace import Trace
from tests.learners.test_frank_wolfe_dissection import spoilt

BARS = load("bars-and-stripes", D=3)
FEW = {"samples": 60, "restarts": 2, "K": 2, "rounds": 8}


def apart(learner, updates, dataset=BARS, model=None):
    data = dataset.train.head(200)
    model = model or InfiniteRBMSetup().initial(data, seed=1)
    state = learner.advance(learner.start(model, data, seed=1), data, updates=updates)
    return learner.trace_update(state, data), learner


@pytest.fixture(scope="module")
def insertions():
    return [
        apart(FrankWolfe(lambda_=0.01, restarts=2), 3),
        apart(FrankWolfe(lambda_=0.02, restarts=4), 10),
        apart(FrankWolfe(lambda_=0.01, correction="line", rounds=8), 2),
        apart(FrankWolfe(lambda_=0.3, correction="none", away=True, steps=5), 0, model=spoilt()),
        apart(FrankWolfe(lambda_=5.0, restarts=1), 0),
        apart(FrankWolfe(**FEW), 2, load("digits")),
        apart(FrankWolfe(ball=1.0, correction="none", steps=5, **FEW), 1, load("digits")),
    ]


def said(taken, learner, kind):
    return [
        (each.arrays, insertion.sentence(taken, learner, i)) for i, each in enumerate(taken.phases) if each.kind == kind
    ]


def test_each_kind_of_phase_has_a_sentence_of_whole_words(insertions):
    found = set()
    for taken, learner in insertions:
        for shown in insertion.phases(taken):
            text = insertion.sentence(taken, learner, shown.index)
            assert re.fullmatch(r"[A-Zh0-9].+\.", text), text
            assert not re.search(r"nan|\bNone\b|array|\{|  ", text), text
            assert len(text) < 230, text
            found.add(taken.phases[shown.index].kind)
    assert found == set(KINDS["insertion"])


def test_the_search_is_told_where_it_comes_forward_and_all_of_it_is_passed(insertions):
    for taken, _ in insertions:
        shown = insertion.phases(taken)
        places = [k for k, phase in enumerate(taken.phases) if phase.kind == "search"]
        told = [each for each in shown if taken.phases[each.index].kind == "search"]
        assert [k for each in told for k in (each.folded or [each.index])] == places
        assert (told[0].index, told[-1].index) == (places[0], places[-1])
        assert len(told) <= 7
        assert [each.index for each in shown] == sorted(each.index for each in shown)
        kinds = [taken.phases[each.index].kind for each in shown]
        assert kinds.index("start") < kinds.index("search") < kinds.index("found")


def test_looks_are_as_far_apart_as_the_descent_goes():
    taken, _ = apart(FrankWolfe(lambda_=0.01), 1)
    n = sum(phase.kind == "search" for phase in taken.phases)
    fast = [0.0] + [-10.0] * (n - 1)  # all at once, then nothing
    assert len(paced(taken, fast)) == min(n, 3)
    assert len(paced(taken, [0.0] * n)) == min(n, 2)  # nothing at all


def test_a_unit_that_is_worth_its_price_comes_and_one_that_is_not_ends_the_training(insertions):
    for taken, learner in insertions:
        kinds = {phase.kind for phase in taken.phases}
        for arrays, text in said(taken, learner, "worth"):
            assert ("It is worth" in text) == (not arrays["worthless"]) == ("insert" in kinds)
        if "over" in kinds:
            last = Trace(taken, learner, BARS, 0).head()["phases"][-1]
            assert (last["words"], last["arrays"]) == (insertion.OVER["worthless"], {})


@pytest.mark.parametrize("rows", ["bars-and-stripes", "digits"])
def test_where_nothing_is_worth_its_price_no_picture_is_said_to_come(rows):
    taken, learner = apart(FrankWolfe(lambda_=5.0, **FEW), 0, load(rows))
    words = [insertion.sentence(taken, learner, each.index) for each in insertion.phases(taken)]
    (found,), (worth,) = said(taken, learner, "found"), said(taken, learner, "worth")
    searched = [text for _, text in said(taken, learner, "search")]
    assert not any("picture" in text or "away from 0" in text for text in searched)
    assert any("nearer to 0" in text for text in searched[1:-1])
    assert "are in balance" in searched[-1]
    assert "answer to it nearly alike" in found[1]
    assert "It is not worth it" in worth[1]
    assert ("on other chains" in worth[1]) == bool(worth[0]["again"]) == (rows == "digits")
    assert not any("more strongly" in text or "1 iterations" in text or "0 times together" in text for text in words)
    assert ("agree with the data's, as before" in words[-2]) == (rows != "digits")


def test_what_an_away_step_does_to_counts_is_told(insertions):
    (text,) = (text for taken, learner in insertions for _, text in said(taken, learner, "shrink"))
    assert text == "The away step: h2 counts 0 times now, and all others count as before."
    learner = FrankWolfe(lambda_=0.3, correction="none", away=True, steps=5, temperature="gradient")
    taken, _ = apart(learner, 0, model=spoilt())
    assert "all others count more" in said(taken, learner, "shrink")[0][1]
    assert "All counts move" in said(taken, learner, "biases")[0][1]


def test_a_look_on_the_way_is_known_by_its_kind(insertions):
    for taken, learner in insertions:
        for phase in Trace(taken, learner, BARS, 0).head()["phases"]:
            assert {each["kind"] for each in phase["keyframes"]} <= {phase["kind"], *insertion.FOLLOWING}
            assert bool(phase["keyframes"]) == bool(phase["folded"])


def test_units_that_leave_are_named(insertions):
    named = 0
    for taken, learner in insertions:
        for arrays, text in said(taken, learner, "leave"):
            assert [int(each) - 1 for each in re.findall(r"\bh(\d+)\b", text)] == arrays["units"].tolist()
            named += 1
    assert named


def test_j_of_chains_is_said_to_be_known_within_a_round_only(insertions):
    for taken, learner in insertions:
        for arrays, text in said(taken, learner, "counts"):
            assert ("J cannot be compared between rounds" in text) == ("left" in arrays)


@pytest.mark.parametrize("of", ["FVBM", "log-linear"])
def test_a_run_of_l_bfgs_is_told_from_where_it_begins_to_where_it_ends(of):
    learner, dataset, setup = (
        (PseudoLikelihoodLBFGS(iterations=10), RandomFVBM(d=3, n=500).load(), FVBMSetup())
        if of == "FVBM"
        else (PairwiseExact(iterations=10), BayesNet(nodes=4, n=200).load(), LogLinearSetup())
    )
    state = learner.start(setup.initial(dataset.train, seed=1), dataset.train, seed=1)
    taken = learner.trace_update(state, dataset.train)
    shown = newton.phases(taken)
    words = [newton.sentence(taken, learner, each.index) for each in shown]
    assert [each.index for each in shown][-2:] == [len(taken.phases) - 2, len(taken.phases) - 1]
    assert words[0].startswith("Where the run begins")
    assert ("log-pseudo-likelihood" in words[1]) == (of == "FVBM")
    assert f"iteration {int(taken.phases[-2].arrays['iteration']):,}, the last" in words[-2]
    last = taken.phases[-1].arrays
    short, done = "L-BFGS came to rest" if last["short"] else "It has converged", last["done"]
    assert words[-1].startswith(short if done else "The run ends")
    assert {taken.phases[each.index].kind for each in shown} == set(KINDS["newton"])


def test_of_many_units_only_what_is_asked_for_travels():
    units = np.random.default_rng(0).normal(0, 0.1, (90, 65)).astype(np.float32)
    model = InfiniteRBM(units, np.ones(90), np.zeros(64))
    digits = load("digits")
    taken, learner = apart(FrankWolfe(correction="none", steps=0, **FEW), 0, digits, model)
    trace = Trace(taken, learner, digits, 0)
    head = trace.head()
    assert "bytes" not in head["models"][0]["units"]
    assert head["models"][0]["units"]["shape"] == (90, 65)
    assert trace.unit("h", 89)["models"][0]["units"]["shape"] == (65,)
    with pytest.raises(IndexError):
        trace.unit("h", 90)
