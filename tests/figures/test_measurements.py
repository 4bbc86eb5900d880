"""Figures that are read from a training."""

import pytest

from boltzcore.data.corruption import Corruption
from boltzcore.learners import CD, PCD, SDCP, SSD, BeliefPropagationMLE, ConditionalCD
from boltzcore.models import RBMSetup
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Recipe
from boltzcore.training.recipe_diff import confounders
from boltzcore.training.schedule import Schedule
from pages.figures import measurements, naming


def records(*values: dict[str, float]) -> list[Record]:
    return [Record(10 * i, i / 2, 30 * i, 0.1 * i, each) for i, each in enumerate(values)]


def exact(*test: float) -> list[Record]:
    return records(*({"train_log_likelihood": y + 1, "test_log_likelihood": y} for y in test))


def estimate(value: float = -98.0, **ends: float) -> dict[str, float]:
    measured = {"train_log_likelihood_ais": value + 1, "test_log_likelihood_ais": value}
    return measured | {f"test_log_likelihood_ais_{end}": each for end, each in ends.items()}


def errors(*values: float, split: str = "validation") -> list[Record]:
    return records(*({f"{split}_error": y, f"{split}_changed_error": 2 * y, "test_error": y} for y in values))


def restoring(learner=None, **corruption) -> Recipe:
    return Recipe(model="crbm", learner=learner or BeliefPropagationMLE(), corruption=Corruption(**corruption))


def test_the_exact_likelihood_goes_before_the_estimate():
    both = exact(-3.0)[0].values | estimate()
    assert measurements.likelihood(records(both)) is measurements.EXACT
    assert measurements.likelihood(records(estimate())) is measurements.ESTIMATE
    assert measurements.likelihood(records({"free_energy_gap": 0.1})) is None
    assert measurements.likelihood([]) is None


@pytest.mark.parametrize(
    ("ends", "text"),
    [
        ({"low": -98.5, "high": -97.2}, "−98.00 ± 0.80"),
        ({"low": -98.001, "high": -97.999}, "−98.00 ± < 0.01"),
        ({"low": -98.5}, "−98.00, at least −98.50"),
        ({"high": -97.2}, "−98.00, at most −97.20"),
        ({}, "−98.00, no interval"),
    ],
)
def test_an_estimate_is_shown_with_its_interval(ends, text):
    assert measurements.last(records(estimate(**ends))) == text


def test_the_best_and_errors_are_those_of_the_test_curve():
    trained = exact(-10.0, -5.0, -1.0, 0.0, -2.0)
    assert measurements.best(trained) == "0.000"
    assert measurements.share(errors(0.1, 0.05, 0.0625), "validation_error") == "6.25\N{NO-BREAK SPACE}%"
    assert measurements.lowest_error(errors(0.1, 0.05, 0.0625)) == "5.00\N{NO-BREAK SPACE}%"


@pytest.mark.parametrize(
    ("pinned", "current", "names"),
    [
        (Recipe(learner=SDCP(d=3)), Recipe(learner=SDCP(d=6)), ("S-DCP 3×4, η 0.05", "S-DCP 6×4, η 0.05")),
        (
            Recipe(learner=SSD(K=5, batch_size=0)),
            Recipe(learner=CD(K=24, batch_size=20)),
            ("SSD, η 0.05, N_B all, K 5", "CD-24, η 0.05, N_B 20"),
        ),
        (Recipe(), Recipe(schedule=Schedule(seed=1, length=7)), ("CD-1, η 0.05, seed 0", "CD-1, η 0.05, seed 1")),
        (Recipe(), Recipe(model=RBMSetup(hidden=4)), ("CD-1, η 0.05, hidden units 16", "CD-1, η 0.05, hidden units 4")),
        (Recipe(), Recipe().changed(9, K=3), ("CD-1, η 0.05", "CD-1, η 0.05, K 1 → 3")),
        (Recipe(), Recipe(schedule=Schedule(length=7)), ("CD-1, η 0.05 (pinned)", "CD-1, η 0.05")),
        (
            restoring(rate=0.1, redrawn="once"),
            restoring(rate=0.1),
            ("MLE-BP, η 0.05, noise once", "MLE-BP, η 0.05, noise each epoch"),
        ),
    ],
)
def test_the_names_of_two_trainings_hold_what_they_do_not_share(pinned, current, names):
    curves = naming.name_curves([(pinned, [])], (current, []))
    assert tuple(curve.name.removesuffix(naming.UNLIKE) for curve in curves) == names


def test_the_error_of_validation_images_judges_and_that_of_test_images_where_there_are_none():
    assert measurements.judging_split(errors(0.1)) == "validation"
    assert measurements.judging_split(errors(0.1, split="test")) == "test"
    assert measurements.judging_split([]) == measurements.judging_split(exact(-1.0)) == ""


def test_trainings_are_compared_on_the_same_model_data_and_damage():
    for one, other, alike in (
        (restoring(), restoring(learner=ConditionalCD(), redrawn="once"), True),
        (Recipe(), Recipe(learner=PCD(), model=RBMSetup(hidden=3)), True),
        (restoring(), restoring(size=3), True),  # a size that is not used is no other damage
        (Recipe(), Recipe(data="shifting-bar"), False),
        (restoring(rate=0.2), restoring(), False),
        (restoring(), Recipe(), False),
    ):
        assert (naming.incomparable(one, other) == "") == alike


def test_a_curve_that_differs_in_more_than_learner_and_rate_is_marked():
    current = Recipe(learner=CD(rate=0.1, K=6))
    alike = [
        Recipe(learner=PCD(K=6)),
        Recipe(learner=SDCP(d=3, K_prime=2)),
        Recipe(learner=CD(rate=0.3, K=6), schedule=Schedule(seed=4)),
    ]
    unlike = {
        "Gibbs steps per update": Recipe(learner=CD(K=1)),
        "batch size": Recipe(learner=PCD(K=6, batch_size=7)),
        "hidden units": Recipe(learner=CD(K=6), model=RBMSetup(hidden=3)),
        "live changes": current.changed(at=5, rate=0.2),
    }
    *beside, _ = naming.name_curves([(recipe, []) for recipe in [*alike, *unlike.values()]], (current, []))
    assert [each.name.endswith(naming.UNLIKE) for each in beside] == [False] * len(alike) + [True] * len(unlike)
    for what, recipe in unlike.items():
        assert confounders(recipe, current) == (what,)
