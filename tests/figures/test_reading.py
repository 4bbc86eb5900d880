"""What is read off a training."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from boltzcore.data.corruption import Corruption
from boltzcore.data.examples import Examples
from boltzcore.figures import naming, reading
from boltzcore.inference import Annealing
from boltzcore.inference.effort import efforts
from boltzcore.learners import (
    CD,
    CSDCP,
    PCD,
    SDCP,
    SSD,
    BeliefPropagationMLE,
    ConditionalCD,
    ConditionalLR,
    FrankWolfe,
    MeanFieldMLE,
)
from boltzcore.models import RBMSetup
from boltzcore.registry import MODELS, learners_of
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.recipe_diff import confounders
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.training import Record


def records(*values: dict[str, float]) -> list[Record]:
    return [Record(10 * i, i / 2, 30 * i, 0.1 * i, each) for i, each in enumerate(values)]


def exact(*test: float) -> list[Record]:
    return records(*({"train_log_likelihood": y + 1, "test_log_likelihood": y} for y in test))


def estimate(value: float = -98.0, **ends: float) -> dict[str, float]:
    told = {"train_log_likelihood_ais": value + 1, "test_log_likelihood_ais": value}
    return told | {f"test_log_likelihood_ais_{end}": each for end, each in ends.items()}


def restoring(learner=None, **corruption) -> Recipe:
    return Recipe(model="crbm", learner=learner or BeliefPropagationMLE(), corruption=Corruption(**corruption))


def test_the_exact_likelihood_goes_before_the_estimate():
    both = exact(-3.0)[0].values | estimate()
    assert reading.likelihood(records(both)) is reading.EXACT
    assert reading.likelihood(records(estimate())) is reading.ESTIMATE
    assert reading.likelihood(records({"free_energy_gap": 0.1})) is None
    assert reading.likelihood([]) is None


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
def test_an_estimate_is_told_with_its_interval(ends, text):
    assert reading.last(records(estimate(**ends))) == text


@pytest.mark.parametrize(
    ("counting", "text"),
    [(2.4, ("−98.00 ± ?", "2 of 100: do not trust it")), (5.0, ("−98.00, at least −98.50", "5 of 100"))],
)
def test_an_estimate_of_which_few_chains_count_is_told_as_one_not_to_trust(counting, text):
    values = estimate(low=-98.5) | {"ais_effective_sample_size": counting}
    assert (reading.last(records(values)), reading.counting(values, Annealing())) == text


def test_of_an_estimate_with_less_effort_its_own_chains_are_told():
    annealing = Annealing(chains=100, temperatures=3000)
    for effort, _ in efforts(annealing):
        share = effort.chains * effort.temperatures / (100 * 3000)
        told = reading.counting({"ais_effective_sample_size": 20.0, "ais_effort": share}, annealing)
        assert told == f"20 of {effort.chains}"


def test_an_exact_likelihood_is_told_without():
    assert reading.last(exact(-4.0, -3.25)) == "−3.250"


def test_the_best_and_the_climb_are_those_of_the_test_curve():
    trained = exact(-10.0, -5.0, -1.0, 0.0, -2.0)
    assert reading.best(trained) == "0.000"
    assert reading.climb(trained) == "epoch 1"
    assert reading.climb(records(estimate(-200.0), estimate(-100.0), estimate(-99.0))) == "epoch 0.5"


def test_where_nothing_is_known_a_dash_stands():
    assert [reading.best([]), reading.last([]), reading.climb([]), reading.climb(exact(-3.0, -4.0))] == ["–"] * 4


def test_no_share_of_a_climb_is_told_while_it_goes_on():
    assert reading.climb(exact(-10.0, -8.0, -6.0, -4.0)) == "–"
    assert reading.climb(exact(-10.0, -1.0, -1.0, -1.0)) == "epoch 0.5"


def test_a_learner_in_short():
    assert naming.name(CD(K=12, rate=0.3)) == "CD-12, η 0.3"
    assert naming.name(SDCP(rate=0.01, d=3, K_prime=4)) == "S-DCP 3×4, η 0.01"
    assert naming.name(CSDCP(rate=0.3)) == "CS-DCP 6×4, η 0.3"
    assert naming.name(FrankWolfe(lambda_=0.01)) == "FW, λ 0.01"
    assert naming.name(FrankWolfe(lambda_=0.01), ((9, "rate", 0.2),)) == "FW, λ 0.01, η 0.1 → 0.2"


def test_the_stages_of_a_recipe_are_told_in_a_sentence():
    first = Recipe(
        model="infinite-rbm", learner=FrankWolfe(lambda_=0.025), schedule=Schedule(length=30, unit="updates")
    )
    assert naming.stages(first) == ""
    assert naming.stages(Recipe(model=RBMSetup(hidden=30), learner=CD(K=10), before=first)) == (
        "First: Frank-Wolfe (penalty 0.025, 30 updates); then CD-10 from its best model."
    )


@pytest.mark.parametrize(
    ("pinned", "current", "names"),
    [
        (
            Recipe(learner=SSD(rate=0.1, batch_size=500)),
            Recipe(learner=SSD(rate=0.1)),
            ("SSD, η 0.1, N_B 500", "SSD, η 0.1, N_B 20"),
        ),
        (
            Recipe(learner=SSD(K=5, batch_size=0)),
            Recipe(learner=CD(K=24, batch_size=20)),
            ("SSD, η 0.05, N_B all, K 5", "CD-24, η 0.05, N_B 20"),
        ),
        (Recipe(learner=SDCP(d=3)), Recipe(learner=SDCP(d=6)), ("S-DCP 3×4, η 0.05", "S-DCP 6×4, η 0.05")),
        (
            Recipe(learner=CSDCP()),
            Recipe(learner=CSDCP(nu_mu=0.1)),
            ("CS-DCP 6×4, η 0.05, ν_μ 0.01", "CS-DCP 6×4, η 0.05, ν_μ 0.1"),
        ),
        (Recipe(learner=SDCP()), Recipe(learner=CSDCP()), ("S-DCP 6×4, η 0.05", "CS-DCP 6×4, η 0.05")),
        (Recipe(), Recipe(schedule=Schedule(seed=1, length=7)), ("CD-1, η 0.05, seed 0", "CD-1, η 0.05, seed 1")),
        (Recipe(), Recipe(model=RBMSetup(hidden=4)), ("CD-1, η 0.05, hidden units 16", "CD-1, η 0.05, hidden units 4")),
        (Recipe(), Recipe().changed(9, rate=0.1), ("CD-1, η 0.05", "CD-1, η 0.05 → 0.1")),
        (Recipe(), Recipe().changed(9, K=3), ("CD-1, η 0.05", "CD-1, η 0.05, K 1 → 3")),
        (Recipe(), Recipe(schedule=Schedule(length=7)), ("CD-1, η 0.05 (pinned)", "CD-1, η 0.05")),
        (restoring(), restoring(learner=ConditionalLR()), ("MLE-BP, η 0.05", "LR, η 0.05")),
        (
            restoring(rate=0.1, redrawn="once"),
            restoring(rate=0.1),
            ("MLE-BP, η 0.05, noise once", "MLE-BP, η 0.05, noise each epoch"),
        ),
    ],
)
def test_the_names_of_two_trainings_hold_what_they_do_not_share(pinned, current, names):
    curves = naming.compared([(pinned, [])], (current, []))
    assert tuple(curve.name.removesuffix(naming.UNLIKE) for curve in curves) == names


def seeded(*seeds: int, **more) -> list[Recipe]:
    return [Recipe(schedule=Schedule(seed=seed), **more) for seed in seeds]


def test_the_names_of_many_trainings_hold_what_any_two_of_them_do_not_share():
    assert naming.names(seeded(0, 1, 2), seeded(3)[0]) == [f"CD-1, η 0.05, seed {i}" for i in range(4)]
    many = [Recipe(), Recipe(learner=CD(rate=0.1)), Recipe(learner=SDCP())]
    assert naming.names(many, Recipe(learner=CD(batch_size=7))) == [
        "CD-1, η 0.05, N_B 20",
        "CD-1, η 0.1, N_B 20",
        "S-DCP 6×4, η 0.05, N_B 20",
        "CD-1, η 0.05, N_B 7",
    ]
    assert naming.names([Recipe(), Recipe(data="shifting-bar")]) == [
        "CD-1, η 0.05, Digits 8 x 8",
        "CD-1, η 0.05, Shifting Bar",
    ]
    assert naming.names([]) == []


def test_what_a_training_goes_on_from_is_told_where_another_begins_otherwise():
    alone = Recipe(learner=CD(K=10))
    before = Recipe(model="infinite-rbm", learner=FrankWolfe(), schedule=Schedule(length=5, unit="updates"))
    after = replace(alone, before=before)
    assert naming.names([after], alone) == ["CD-10, \u03b7 0.05, after FW", "CD-10, \u03b7 0.05, from its start"]
    assert naming.names([after], after)[1] == "CD-10, \u03b7 0.05"


def test_trainings_of_one_name_are_told_apart_by_which_is_pinned():
    twice = [Recipe(), Recipe(schedule=Schedule(length=7))]
    assert naming.names(twice, Recipe()) == ["CD-1, η 0.05 (pinned 1)", "CD-1, η 0.05 (pinned 2)", "CD-1, η 0.05"]
    assert naming.names(twice) == ["CD-1, η 0.05 (pinned 1)", "CD-1, η 0.05 (pinned 2)"]


@pytest.mark.parametrize("current", [CD(), SDCP()])
def test_pinned_trainings_of_one_family_have_dashes_of_their_own(current):
    pinned = [(recipe, []) for recipe in seeded(0, 1, 2, learner=CD()) + seeded(0, 1, learner=PCD())]
    *beside, shown = naming.compared(pinned, (Recipe(learner=current), []))
    assert [each.dash for each in beside] == ["solid", "dash", "dot", "dashdot", "longdash"]
    assert shown.dash == "solid"
    assert [each.dash for each in naming.compared([(Recipe(), []), (Recipe(learner=SDCP()), [])], (Recipe(), []))] == [
        "solid"
    ] * 3


def test_what_is_pinned_is_told_beside_what_a_chart_shows():
    old, older, new = (naming.Curve([], "CD", "solid", name) for name in ("old", "older", "new"))
    assert naming.together("It rises.", new, [], lambda records: "no") == "It rises."
    assert naming.together("It rises.", new, [old, older], lambda records: f"{len(records)} records.") == (
        "new: It rises. Pinned, old: 0 records. Pinned, older: 0 records."
    )


def test_many_changes_of_a_field_are_told_in_short():
    assert naming.value_sequence([0.1, 0.2]) == "0.1 → 0.2"
    assert naming.value_sequence([0.1, 0.1, 0.2, 0.4, 0.3]) == "0.1 → … → 0.3"


def test_where_a_training_was_is_told_in_at_most_two_decimals_or_in_updates():
    record = Record(12_345, 1234.56789, 0, 0.0, {})
    assert (reading.at(record, "epochs"), reading.at(record, "updates")) == ("1,234.57", "12,345")
    assert [reading.at(Record(0, epoch, 0, 0.0, {}), "epochs") for epoch in (0.0, 100.0, 0.5)] == ["0", "100", "0.5"]
    assert reading.climb(exact(-10.0, -5.0, -1.0, 0.0, -0.5), "updates") == "update 20"


def test_the_learners_of_a_family_have_dashes_of_their_own():
    assert naming.dash(CD()) == naming.dash(SDCP()) == "solid"
    assert naming.dash(PCD()) == naming.dash(MeanFieldMLE()) == "dash"
    for model in MODELS:
        found = Counter((learner.family, naming.dash(learner())) for learner in learners_of(model).values())
        sizes = Counter(learner.family for learner in learners_of(model).values())
        assert all(n == 1 for (family, _), n in found.items() if sizes[family] <= len(naming.DASHES))


def test_how_many_images_are_measured_in_words():
    assert reading.measured(Examples(np.zeros((5001, 2), np.uint8))) == "5,000 of 5,001 images"
    assert reading.measured(Examples(np.zeros((14, 2), np.uint8))) == "all 14 images"


def test_dead_units_in_words():
    assert reading.dead(np.array([0.5, 0.2])) == "no unit is dead"
    assert reading.dead(np.array([0.001, 0.2, 0.999, 0.002])) == "dead units: 2 of 4 always off, 1 of 4 always on"


def test_how_well_chains_mix_in_words():
    assert reading.mixing(0.5 ** np.arange(40)) == "Autocorrelation time: 3.0 Gibbs transitions."
    assert "longer than" in reading.mixing(0.99 ** np.arange(26))


def test_the_curve_is_told_in_words():
    assert (
        reading.likelihood_sentence(exact(-4.0, -3.0)) == "Test log-likelihood from -4.00 at epoch 0 to -3.00 at epoch "
        "0.5."
    )
    assert reading.likelihood_sentence(records(estimate())).startswith(
        "Test log-likelihood, estimated by AIS, from -98.00"
    )


def errors(*values: float, split: str = "validation") -> list[Record]:
    return records(*({f"{split}_error": y, f"{split}_changed_error": 2 * y, "test_error": y} for y in values))


def test_the_error_of_validation_images_judges_and_that_of_test_images_where_there_are_none():
    assert reading.judged(errors(0.1)) == "validation"
    assert reading.judged(errors(0.1, split="test")) == "test"
    assert reading.judged([]) == reading.judged(exact(-1.0)) == ""


def test_errors_are_told_in_percent():
    trained = errors(0.1, 0.05, 0.0625)
    assert reading.share(trained, "validation_error") == "6.25\N{NO-BREAK SPACE}%"
    assert reading.lowest_error(trained) == "5.00\N{NO-BREAK SPACE}%"
    assert [reading.share([], "validation_error"), reading.lowest_error([]), reading.percent(None)] == ["–"] * 3
    assert (
        reading.share_sentence(trained, "test_error", "Wrong pixels")
        == "Wrong pixels, in %, from 10.00 at epoch 0 to 6.25 at epoch 1."
    )


def test_trainings_are_compared_on_the_same_model_data_and_damage():
    assert naming.incomparable(restoring(), restoring(learner=ConditionalCD(), redrawn="once")) == ""
    assert naming.incomparable(Recipe(), Recipe(learner=PCD(), model=RBMSetup(hidden=3))) == ""
    assert naming.incomparable(restoring(), restoring(size=3)) == ""  # a size that is not used is no other damage
    assert "log-likelihoods of different data" in naming.incomparable(Recipe(), Recipe(data="shifting-bar"))
    assert "20 % of pixels flipped" in naming.incomparable(restoring(rate=0.2), restoring())
    assert "of another model, Conditional RBM" in naming.incomparable(restoring(), Recipe())


def test_a_curve_that_differs_in_more_than_learner_and_rate_is_marked():
    current = Recipe(learner=CD(rate=0.1, K=6))
    alike = [Recipe(learner=PCD(K=6)), Recipe(learner=SDCP(d=3, K_prime=2)), *seeded(4, learner=CD(rate=0.3, K=6))]
    unlike = {
        "Gibbs steps an update": Recipe(learner=CD(K=1)),
        "batch size": Recipe(learner=PCD(K=6, batch_size=7)),
        "hidden units": Recipe(learner=CD(K=6), model=RBMSetup(hidden=3)),
        "what was changed while it trained": current.changed(at=5, rate=0.2),
    }
    *beside, _ = naming.compared([(recipe, []) for recipe in [*alike, *unlike.values()]], (current, []))
    assert [each.name.endswith(naming.UNLIKE) for each in beside] == [False] * len(alike) + [True] * len(unlike)
    for what, recipe in unlike.items():
        assert confounders(recipe, current) == (what,)
