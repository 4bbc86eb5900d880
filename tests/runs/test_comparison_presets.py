"""The comparisons worth making first ask what they say they ask."""

import dataclasses

from boltzcore.runs.comparison_presets import COMPARISON_PRESETS
from boltzcore.runs.costs import cost_at
from boltzcore.runs.training import train


def test_earlier_stages_leave_most_of_the_budget_to_the_last():
    staged = [
        (preset.comparison, preset.comparison.trial(name, 0).before)
        for preset in COMPARISON_PRESETS.values()
        for name, recipe in preset.comparison.contenders
        if recipe.before is not None
    ]
    assert staged
    for comparison, before in staged:
        *_, last = train(dataclasses.replace(before, measures=()))
        assert cost_at(comparison.axis, last.record) < 0.5 * comparison.cost
