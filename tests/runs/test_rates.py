"""A training raced against itself at other rates."""

from boltzcore import Recipe
from boltzcore.learners import CD, GreedyMDL
from boltzcore.models import LogLinearSetup, RBMSetup
from boltzcore.runs.rates import of_rates
from boltzcore.runs.schedule import Schedule


def recipe(rate: float) -> Recipe:
    return Recipe(RBMSetup(hidden=3), "bars-and-stripes", CD(rate, 0), Schedule(length=30, every=10))


def test_it_stands_between_a_third_and_three_times_its_rate():
    found = of_rates(recipe(0.1))
    assert found.names == ("rate 0.0333", "rate 0.1", "rate 0.3")
    assert [each.learner.rate for _, each in found.contenders] == [0.0333, 0.1, 0.3]


def test_rates_that_are_not_allowed_are_left_out():
    highest = CD.named("rate").high
    assert of_rates(recipe(highest)).names == (f"rate {highest / 3:.3g}", f"rate {highest:g}")


def test_a_learner_without_a_rate_has_none():
    greedy = Recipe(LogLinearSetup(), "senate", GreedyMDL(), Schedule(length=3, unit="updates"))
    assert of_rates(greedy) is None
