"""The arithmetic of conditional updates, as a browser adds it up, against the numbers of the trace."""

import json

import numpy as np
import pytest

from boltzcore.data import Corruption, load
from boltzcore.learners import BeliefPropagationMLE
from boltzcore.models import CRBMSetup
from boltzcore.registry import info_of, learners_of
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from pages.inside.families import conditional
from pages.inside.trace import Trace
from tests.golden.cases import keep_fields

RESTORING = [keep_fields(info.learner, rate=0.3, K=3) for info in learners_of("crbm").values()]


def add_up(phase, given, W):
    """Return the sums of a phase of a conditional update, of hidden units and of pixels."""
    computed = phase.arrays
    if phase.kind == "given":
        return {"h": computed["c"], "v": computed["b"]}
    if phase.kind in ("start", "augmented"):
        return {"v": computed.get("b", given["b"])}
    if phase.kind == "clamped":
        return {"h": given["c"] + computed["v"] @ W}
    if phase.kind in ("hidden", "visible"):
        return {phase.kind[0]: computed["field"]}
    if phase.kind in ("begin", "iteration"):
        return {layer: computed[f"field_{layer}"] for layer in "hv"}
    if phase.kind == "free":
        hidden = {"h": computed["data_h"] - computed["h"]} if "h" in computed else {}
        return hidden | {"v": given["v"] - computed["v"]}
    return {}


@pytest.mark.parametrize("learner", RESTORING, ids=lambda learner: type(learner).__name__)
def test_the_sums_of_a_conditional_update_are_its_fields_beliefs_and_new_weights(look, learner):
    model = CRBMSetup(hidden=5, sigma=1.5, hidden_bias=0.0)  # its hidden units have much to say
    recipe = Recipe(model, "bars-and-stripes", learner, corruption=Corruption(rate=0.15))
    data = PreparedData.from_recipe(recipe).stages[0].dataset
    state = learner.start(recipe.model.initial(data.train, seed=1), data.train, seed=1)
    taken, _, _, sums = look(learner, learner.advance(state, data.train, updates=20), data)
    shown = conditional.phases(taken)
    given, last, after = taken.phases[0].arrays, len(shown) - 1, taken.models[-1]
    for i, phase in enumerate(taken.phases[each.index] for each in shown):
        for layer, wanted in add_up(phase, given, taken.models[0].W).items():
            if layer == "v" or info_of(learner).hidden_units:
                found = [sums(i, layer, k)[0] for k in range(len(wanted))]
                np.testing.assert_allclose(found, wanted, atol=2e-5)
    np.testing.assert_allclose(
        [sums(last, "i", k) for k in (0, 12, 80)], after.W_vx.reshape(-1, 1)[[0, 12, 80]], atol=1e-6
    )
    if info_of(learner).hidden_units:
        np.testing.assert_allclose(
            [sums(last, "w", k) for k in (0, 7, 44)], after.W.reshape(-1, 1)[[0, 7, 44]], atol=1e-6
        )
        np.testing.assert_allclose([sums(last, "g", k) for k in (0, 7)], after.W_hx.reshape(-1, 1)[[0, 7]], atol=1e-6)


def test_the_messages_of_a_unit_of_a_large_model_are_added_up_once_they_have_come(look):
    digits, learner = load("digits").corrupted(Corruption(rate=0.15)), BeliefPropagationMLE()
    model = CRBMSetup(hidden=70, sigma=0.3, hidden_bias=0.0).initial(digits.train, seed=1)
    state = learner.start(model, digits.train, seed=2)
    taken, _, page, sums = look(learner, state, digits)
    trace = Trace(taken, learner, digits, state.count)
    at = next(k for k, phase in enumerate(taken.phases) if phase.kind == "iteration")
    assert sums(at, "v", 30) == []
    assert page.evaluate(f"opened.view.sum({at}).verdict") == "Loading …"
    came = {f"{axis}{k}": trace.unit(axis, k) for axis, k in (("v", 30), ("h", 69))}
    page.evaluate(
        """came => { opened.trace.unit = (axis, k) => came[axis + k] && Object.fromEntries(
          Object.entries(came[axis + k]).map(([where, some]) => [where, some.map(arraysOf)])); }""",
        json.loads(json.dumps(came)),
    )
    for layer, k in (("v", 30), ("h", 69)):
        np.testing.assert_allclose(sums(at, layer, k)[0], taken.phases[at].arrays[f"field_{layer}"][k], atol=1e-5)
