"""A training raced against itself at other rates."""

from boltzcore import Recipe
from boltzcore.learners import CD
from boltzcore.runs.rates import of_rates
from boltzcore.runs.schedule import Schedule
from tests.runs.toys import batch


def test_it_stands_between_a_third_and_three_times_its_rate():
    found = of_rates(batch(rate=0.1))
    assert found.names == ("rate 0.0333", "rate 0.1", "rate 0.3")
    assert [each.learner.rate for _, each in found.contenders] == [0.0333, 0.1, 0.3]


def test_rates_that_are_not_allowed_are_left_out_and_a_learner_without_a_rate_has_none():
    highest = CD.named("rate").high
    assert of_rates(batch(rate=highest)).names == (f"rate {highest / 3:.3g}", f"rate {highest:g}")
    assert of_rates(Recipe("log-linear", "senate", "GreedyMDL", Schedule(length=3, unit="updates"))) is None
