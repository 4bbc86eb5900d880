"""The arithmetic that the views of sweeps, of greedy steps and of conditional updates show, as a browser adds it up,
against the numbers of the dissection; and that mouse and keys choose what it is of.
"""

import json

import numpy as np
import pytest

from boltzcore.data import BayesNet, Corruption, RandomFVBM, load
from boltzcore.learners import (
    BSLM,
    LSSVM,
    MSSVM,
    BeliefPropagationMLE,
    CDPercLoss,
    ConditionalCD,
    ConditionalLR,
    GradientAscent,
    GreedyMDL,
    MeanFieldMLE,
)
from boltzcore.learners.log_linear import steps
from boltzcore.learners.walkthrough import chains, greedy
from boltzcore.models import CRBMSetup, FVBMSetup, LogLinear
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.recipe import Recipe
from pages.inside.families import conditional
from pages.inside.trace import Trace


@pytest.fixture
def opened(look):
    """Opens the view of an update after some others; gives the UpdateTrace, the page and its sums."""

    def started(learner, model, data, updates):
        state = learner.start(model, data.train, seed=1)
        taken, _, page, sums = look(learner, learner.advance(state, data.train, updates=updates), data)
        return taken, page, sums

    return started


def fvbm(d):
    data = RandomFVBM(d=d, n=200).load()
    return FVBMSetup().initial(data.train, seed=1), data


@pytest.mark.parametrize("learner", [BSLM(), GradientAscent(mu=1.5)], ids=["BSLM", "GradientAscent"])
def test_the_sums_of_a_sweep_are_its_log_odds_and_its_steps(opened, learner):
    taken, page, sums = opened(learner, *fvbm(5), 2)
    for i, phase in enumerate(taken.phases):
        for j in range(5):
            np.testing.assert_allclose(sums(i, "u", j), [-phase.arrays["log_odds"][j]], atol=1e-9)
        if i:
            np.testing.assert_allclose(
                sums(i, "now", 0), [phase.arrays["pulls"].sum(), phase.arrays["after"]], atol=1e-9
            )
    coupling = taken.phases[-1].arrays
    np.testing.assert_allclose(sums(0, "m", 9), [coupling["pulls"].sum(), coupling["after"]], atol=1e-9)
    canvas = page.locator("canvas")
    canvas.click(position={"x": 180, "y": 20})  # beside everything
    assert page.evaluate("opened.lab.chosen.pick") == "now"
    canvas.press("ArrowDown")
    canvas.press("ArrowDown")
    assert page.evaluate("opened.lab.chosen") == {"pick": "u", "index": 1}


def test_the_sums_of_a_long_sweep_add_up_to_what_it_adds_where_it_flies_past(opened):
    taken, page, sums = opened(BSLM(), *fvbm(9), 2)
    shown = page.evaluate("opened.trace.phases.map(({ folded, reached }) => [folded, reached[0]])")
    assert sum(folded or 1 for folded, _ in shown) == len(taken.phases) == 46
    for i, (folded, reached) in enumerate(shown):
        if folded:
            np.testing.assert_allclose(sums(i, "now", 0), [reached - shown[i - 1][1]], atol=1e-9)


def test_the_sums_of_a_greedy_step_are_what_it_gains_and_costs(opened):
    taken, page, sums = opened(GreedyMDL(), LogLinear((2,) * 5), BayesNet(nodes=5, n=300).load(), 3)
    present, candidates, chosen, pairs = (phase.arrays for phase in taken.phases)
    order = page.evaluate("opened.trace.phases[0].listed")
    for k, at in enumerate(order):
        np.testing.assert_allclose(sums(0, "p", k), [-present["adjusting"][at], -present["removing"][at]], atol=1e-9)
    for k, worth in enumerate(candidates["gain"] - candidates["price"]):
        np.testing.assert_allclose(sums(1, "c", k), [worth], atol=1e-9)
    np.testing.assert_allclose(sums(2, "now", 0), [-chosen["change"]], atol=1e-9)
    for k, after in enumerate(pairs["after"]):
        above, below = sums(3, "y", k)
        np.testing.assert_allclose(above / below, after, atol=1e-9)
    page.evaluate("opened.view.draw(1, 1, themeOf(document.body))")
    canvas = page.locator("canvas")
    canvas.click(position={"x": 100, "y": 40 + 46 + 10})
    assert page.evaluate("opened.lab.chosen") == {"pick": "c", "index": 1}
    canvas.press("ArrowDown")
    assert page.evaluate("opened.lab.chosen") == {"pick": "c", "index": 2}


@pytest.mark.parametrize("says", ["Moved", "Dropped"])
def test_the_sums_of_a_term_that_moves_or_is_dropped_are_what_that_saves(opened, says):
    data, learner, model = BayesNet(nodes=6, n=300).load(), GreedyMDL(), LogLinear((2,) * 6)
    if says == "Dropped":  # a term that hardly says anything, where all else is as good as it gets
        best = learner.advance(learner.start(model, data.train, seed=1), data.train, updates=99).model
        model, learner = LogLinear((2,) * 6, {**best.theta, 0b111: 0.001}), GreedyMDL(penalty=0.001)
    taken, page, sums = opened(learner, model, data, 8 if says == "Moved" else 0)
    np.testing.assert_allclose(sums(2, "now", 0), [-taken.phases[-2].arrays["change"]], atol=1e-9)
    assert page.evaluate("opened.view.sum(2).verdict").count("shorter") == 1
    page.evaluate("opened.view.draw(2, 1, themeOf(document.body))")
    assert page.locator("canvas").get_attribute("aria-label").startswith(says)
    page.evaluate(
        "document.querySelector('canvas').ariaLabel = 'kept'; opened.view.draw(2, .5, themeOf(document.body))"
    )
    assert page.locator("canvas").get_attribute("aria-label") == "kept"  # a frame tells nothing anew


def test_where_no_further_term_may_come_it_is_said_and_nothing_breaks(opened, monkeypatch):
    data, learner = BayesNet(nodes=4, n=300).load(), GreedyMDL()
    state = learner.start(LogLinear((2,) * 4), data.train, seed=1)
    best = learner.advance(state, data.train, updates=99).model
    for module in (steps, greedy):
        monkeypatch.setattr(module, "MOST_TERMS", best.n_terms)
    taken, page, sums = opened(learner, best, data, 0)
    assert [phase.kind for phase in taken.phases] == ["present", "candidates", "over"]
    for place in (1, 2):
        assert sums(place, "now", 0) == []
        assert page.evaluate(f"opened.view.sum({place}).verdict") == "No further term may come."


RESTORING = [
    ConditionalLR(rate=0.3),
    ConditionalCD(rate=0.3, K=2),
    CDPercLoss(rate=0.3, K=3),
    MeanFieldMLE(rate=0.3),
    BeliefPropagationMLE(rate=0.3),
    LSSVM(rate=0.3),
    MSSVM(rate=0.3),
]


def added(phase, given, W):
    """What the sums of a phase of a conditional update come to, of hidden units and of pixels."""
    told = phase.arrays
    if phase.kind == "given":
        return {"h": told["c"], "v": told["b"]}
    if phase.kind in ("start", "augmented"):
        return {"v": told.get("b", given["b"])}
    if phase.kind == "clamped":
        return {"h": given["c"] + told["v"] @ W}
    if phase.kind in ("hidden", "visible"):
        return {phase.kind[0]: told["field"]}
    if phase.kind in ("begin", "iteration"):
        return {layer: told[f"field_{layer}"] for layer in "hv"}
    if phase.kind == "free":
        hidden = {"h": told["data_h"] - told["h"]} if "h" in told else {}
        return hidden | {"v": given["v"] - told["v"]}
    return {}


@pytest.mark.parametrize("learner", RESTORING, ids=lambda learner: type(learner).__name__)
def test_the_sums_of_a_conditional_update_are_its_fields_beliefs_and_new_weights(opened, learner):
    model = CRBMSetup(hidden=5, sigma=1.5, hidden_bias=0.0)  # its hidden units have much to say
    recipe = Recipe(model, "bars-and-stripes", learner, corruption=Corruption(rate=0.15))
    data = PreparedData.from_recipe(recipe).stages[0].dataset
    taken, _, sums = opened(learner, recipe.model.initial(data.train, seed=1), data, 20)
    shown = conditional.phases(taken)
    given, last, after = taken.phases[0].arrays, len(shown) - 1, taken.models[-1]
    for i, phase in enumerate(taken.phases[each.index] for each in shown):
        for layer, wanted in added(phase, given, taken.models[0].W).items():
            if layer == "v" or learner.hidden_units:
                found = [sums(i, layer, k)[0] for k in range(len(wanted))]
                np.testing.assert_allclose(found, wanted, atol=2e-5)
    np.testing.assert_allclose(
        [sums(last, "i", k) for k in (0, 12, 80)], after.W_vx.reshape(-1, 1)[[0, 12, 80]], atol=1e-6
    )
    if learner.hidden_units:
        np.testing.assert_allclose(
            [sums(last, "w", k) for k in (0, 7, 44)], after.W.reshape(-1, 1)[[0, 7, 44]], atol=1e-6
        )
        np.testing.assert_allclose([sums(last, "g", k) for k in (0, 7)], after.W_hx.reshape(-1, 1)[[0, 7]], atol=1e-6)


def test_the_browser_says_of_a_search_what_was_taken(opened):
    learner = CDPercLoss(rate=0.3, K=3)
    recipe = Recipe(CRBMSetup(hidden=5, sigma=0.5), "bars-and-stripes", learner, corruption=Corruption(rate=0.15))
    data = PreparedData.from_recipe(recipe).stages[0].dataset
    taken, page, _ = opened(learner, recipe.model.initial(data.train, seed=1), data, 0)
    at = next(k for k, phase in enumerate(taken.phases) if phase.kind == "energy")
    told = """([i, energy, best, again]) => {
      const { phases } = opened.trace, free = phases[i + 1];
      Object.assign(phases[i], { energy, taken: [best] });
      phases[0].v.forEach((on, q) => { free.v[q] = again ? on : 1 - on; });
      return opened.view.sum(i).verdict;
    }"""
    for energy, best, again, says in [
        ([-50, -49, -50 - 1e-4, -48], 2, False, "Sample 2 lies lowest, a hair below"),
        ([-50, -49, -53, -48], 2, False, "3.00 below the clean row"),
        ([-50, -49, -50 - 1e-6, -48], 2, True, "nothing is to be learnt"),
        ([-50, -49, -50, -48], 0, True, "no lower than the clean row: this row makes no step"),
    ]:
        verdict = page.evaluate(told, [at, energy, best, again])
        assert says in verdict
        assert ("no step" in verdict) == (best == 0)


def test_where_messages_are_too_many_to_be_kept_a_belief_names_the_page_that_shows_them(opened, monkeypatch):
    monkeypatch.setattr(chains, "MOST_MESSAGES", 0)
    learner = BeliefPropagationMLE(rate=0.3)
    recipe = Recipe(CRBMSetup(hidden=5), "bars-and-stripes", learner, corruption=Corruption(rate=0.15))
    data = PreparedData.from_recipe(recipe).stages[0].dataset
    taken, page, sums = opened(learner, recipe.model.initial(data.train, seed=1), data, 0)
    at = next(k for k, phase in enumerate(taken.phases) if phase.kind == "iteration")
    for layer in "hv":
        assert sums(at, layer, 2) == []
        assert "Denoise & complete" in page.evaluate("i => opened.view.sum(i).verdict", at)


def test_the_messages_of_a_unit_of_a_large_model_are_added_up_once_they_have_come(look):
    digits, learner = load("digits").corrupted(Corruption(rate=0.15)), BeliefPropagationMLE()
    model = CRBMSetup(hidden=70, sigma=0.3, hidden_bias=0.0).initial(digits.train, seed=1)
    state = learner.start(model, digits.train, seed=2)
    taken, _, page, sums = look(learner, state, digits)
    trace = Trace(taken, learner, digits, state.count)
    at = next(k for k, phase in enumerate(taken.phases) if phase.kind == "iteration")
    assert sums(at, "v", 30) == []
    assert page.evaluate(f"opened.view.sum({at}).verdict") == "Its numbers are on their way."
    came = {f"{axis}{k}": trace.unit(axis, k) for axis, k in (("v", 30), ("h", 69))}
    page.evaluate(
        """came => { opened.trace.unit = (axis, k) => came[axis + k] && Object.fromEntries(
          Object.entries(came[axis + k]).map(([where, some]) => [where, some.map(arraysOf)])); }""",
        json.loads(json.dumps(came)),
    )
    for layer, k in (("v", 30), ("h", 69)):
        np.testing.assert_allclose(sums(at, layer, k)[0], taken.phases[at].arrays[f"field_{layer}"][k], atol=1e-5)
