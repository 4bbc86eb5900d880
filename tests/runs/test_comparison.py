"""A comparison is a value: contenders that share data and merit, and trials with common random numbers."""

import dataclasses
import json

import pytest

from boltzcore.comparison.comparison import MOST_CONTENDERS, Comparison
from boltzcore.comparison.costs import AXES, FIELDS
from boltzcore.comparison.tuning import Tuning
from boltzcore.data.clusters import Clusters
from boltzcore.learners import CD, PCD
from boltzcore.models import RBMSetup
from boltzcore.training.loop import fit
from boltzcore.training.recipe import Recipe, Schedule
from tests.runs.toys import refused

BASE = Recipe(RBMSetup(hidden=4), "shifting-bar", CD(0.3, 0), Schedule(seed=7, length=50, every=10))


def compared(**fields) -> Comparison:
    contenders = {"CD-1": {}, "PCD-1": {"learner": "PCD", "PCD.rate": 0.1}, "wide": {"rbm.hidden": 9}}
    return Comparison(BASE, contenders, **fields)


def test_contenders_are_what_they_have_otherwise_than_the_base():
    recipes = dict(compared().contenders)
    assert recipes["CD-1"].learner == CD(0.3, 0)
    assert recipes["PCD-1"].learner == PCD(rate=0.1)
    assert recipes["wide"].model == RBMSetup(hidden=9)
    assert {recipe.data for recipe in recipes.values()} == {BASE.data}


def test_trial_i_of_every_contender_has_the_same_seed_in_all_its_stages():
    before = Recipe(RBMSetup(hidden=4), "shifting-bar", PCD(), Schedule(length=5))
    staged = Recipe(RBMSetup(hidden=4), "shifting-bar", CD(), Schedule(length=5), before=before)
    comparison = Comparison(BASE, {"one": BASE, "staged": staged}, seed=3)
    for name in comparison.names:
        for index in range(3):
            stages = comparison.trial(name, index).stages
            assert {stage.schedule.seed for stage in stages} == {3 + index}
    reseeded = dataclasses.replace(BASE, schedule=BASE.schedule.changed(seed=99))
    assert Comparison(BASE, {"one": reseeded, "staged": staged}, seed=3) == comparison


def test_without_randomness_trials_vary_the_data_s_seed_or_are_one_and_the_same():
    fitted = Recipe("log-linear", "bayes-net", "GreedyMDL", Schedule(length=5, unit="updates"))
    comparison = Comparison(fitted, {"greedy": fitted, "PCD": {"learner": "PairwisePCD"}}, seed=2, axis="updates")
    trials = [comparison.trial("greedy", index) for index in range(3)]
    assert [trial.data.seed for trial in trials] == [2, 3, 4]
    assert [comparison.trial("PCD", index).data for index in range(3)] == [trial.data for trial in trials]
    on_fixed = Recipe("log-linear", "senate", "GreedyMDL", Schedule(length=5, unit="updates"))
    same = Comparison(on_fixed, {"greedy": on_fixed, "cheap": {"GreedyMDL.price": 0.001}})
    assert same.trial("greedy", 0) == same.trial("greedy", 5)


def test_an_earlier_random_stage_makes_trials_differ():
    stages = [Recipe("log-linear", "senate", name, Schedule(length=5)) for name in ("PairwisePCD", "GreedyMDL")]
    staged = dataclasses.replace(stages[1], before=stages[0])
    assert Comparison(stages[1], {"alone": stages[1], "after PCD": staged}).fixed == {"alone"}


@pytest.mark.parametrize("axis", AXES)
def test_a_trial_ends_at_its_budget_alone_which_has_the_cost_of_earlier_stages(axis):
    early = dataclasses.replace(
        BASE, schedule=BASE.schedule.changed(patience=3, gap_limit=0.5), measures=("log_likelihood", "free_energy_gap")
    )
    stopping = Comparison(early, {"CD-1": {}, "CD-2": {"CD.K": 2}}, axis=axis)
    assert (stopping.trial("CD-2", 0).schedule.patience, stopping.trial("CD-2", 0).schedule.gap_limit) == (0, 0)
    staged = Comparison(STAGED, {"twice": STAGED, "CD-1": dataclasses.replace(STAGED, before=None)}, axis=axis)
    assert staged.cost == 2 * compared(axis=axis).cost
    ends = [fit(staged.trial(name, 0)).records[-1] for name in staged.names]
    assert {getattr(end, FIELDS[axis]) for end in ends} == {staged.cost}
    with refused("budget"):
        staged.changed(budget=staged.cost // 2).trial("twice", 0)


STAGED = dataclasses.replace(BASE, before=BASE)
PLAIN = Recipe(BASE.model, BASE.data, CD(), BASE.schedule)


@pytest.mark.parametrize(
    "comparison",
    [
        compared(),
        compared(trials=3, seed=11, axis="epochs", target=-2.5),
        compared(figure="reconstruction_error", tuning=Tuning({"rate": ("0.01", "0.1"), "batch_size": (0, 10)}, 3)),
        Comparison(BASE, {"a;b=c%": {}, "η 0.1, ½": {"CD.rate": "0.1"}}),  # what separates parameters in a link
        Comparison(STAGED, {"staged": STAGED, "plain": PLAIN}),  # back to a default, and without the base's stage
    ],
)
def test_json_and_link_give_an_equal_comparison(comparison):
    assert Comparison.from_json(comparison.to_json()) == comparison
    assert Comparison.from_query(comparison.to_query()) == comparison


@pytest.mark.parametrize(
    ("contenders", "field"),
    [
        ({"a": {}}, "contenders"),
        ({str(i): {} for i in range(MOST_CONTENDERS + 1)}, "contenders"),
        ({"a": {}, "": {}}, "contenders"),
        ({"a": {}, "b": 3}, "contenders"),
        ([("a", {}), ("a", {})], "contenders"),
        ({"a": {}, "b": {"data": "digits"}}, "contenders"),
        ({"a": {}, "b": {"measures": "log_likelihood"}}, "contenders"),
        ({"a": {}, "b": {"schedule.seed": 3}}, "contenders"),
        ({"a": {}, "b": {"PCD.rate": 0.1}}, "PCD.rate"),
        ({"a": {}, "b": {"CD.rat": 0.1}}, "CD.rat"),
        ({"a": {}, "b": {"CD.K": None}}, "CD.K"),
        ({"a": {}, "b": {"learner": "BSLM"}}, "learner"),
    ],
)
def test_contenders_that_cannot_be_compared_are_refused(contenders, field):
    with refused(field):
        Comparison(BASE, contenders)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("trials", value) for value in (0, True, 101)),
        ("seed", -1),
        *(("axis", value) for value in ("time", [])),
        *(("target", value) for value in (float("nan"), "high", 10**400)),
        *(("figure", value) for value in ([], None, "beauty", "kl_to_truth")),
    ],
)
def test_a_field_that_cannot_be_is_named(field, value):
    with refused(field):
        compared(**{field: value})


@pytest.mark.parametrize(
    ("given", "field"),
    [
        *((({"rate": values}, n), "tuning") for values, n in ((("1",), 2), (("1", "1"), 2), (("0.1", "0.2"), 0))),
        *((({"rate": ("0.1", value)}, 2), "rate") for value in ("fast", "-1")),
        (({"speed": ("1", "2")}, 2), "tuning"),
        (({}, 2), "tuning"),
        (({"rate": "0.1"}, 2), "tuning"),
        (((("rate", (0.1, 0.2)), ("rate", (0.1, 0.2))), 2), "tuning"),
        (({"rate": range(1, 8), "K": range(1, 9)}, 2), "tuning"),
    ],
)
def test_a_tuning_that_cannot_be_made_is_refused(given, field):
    with refused(field):
        compared(tuning=Tuning(*given))


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "{}", '{"trials": 3}', '{"model": [], "contender.1": "a"}', "[" * 100_000]
)
def test_what_is_no_comparison_is_refused_in_a_sentence(text):
    with pytest.raises(ValueError, match=r"comparison|recipe"):
        Comparison.from_json(text)


def test_a_key_that_a_comparison_does_not_have_is_named():
    with pytest.raises(ValueError, match="trails"):
        Comparison.from_json(json.dumps(compared().to_query() | {"trails": "3"}))


@pytest.mark.parametrize(
    ("field", "text"),
    [
        *((field, "ten") for field in ("trials", "seed", "target")),
        *(
            ("tuning", text)
            for text in ("", "rate", "rate:0.1,0.2", "rate:0.1,0.2;K:1", "rate:0.1,0.2:x", "rate:0.1,0.2:999")
        ),
    ],
)
def test_a_link_with_another_value_is_refused(field, text):
    with refused(field):
        Comparison.from_query(compared().to_query() | {field: text})


def test_each_contender_tries_the_settings_of_the_grid_that_it_has():
    grid = {"rate": (0.01, 0.1), "K": range(1, 6), "d": range(1, 6), "K_prime": range(1, 6)}
    contenders = {"CD-1": {}, "CD-9": {"CD.K": 9}, "S-DCP": {"learner": "SDCP"}}
    comparison = Comparison(BASE, contenders, axis="updates", tuning=Tuning(grid, 2))
    assert comparison.tuning_runs == {"CD-1": 20, "CD-9": 20, "S-DCP": 100}  # as many as each may have
    assert comparison.settings["CD-1"] == comparison.settings["CD-9"]
    tried = [comparison.tuning_trial("S-DCP", index).learner for index in range(100)]
    assert len({(each.rate, each.d, each.K_prime) for each in tried}) == 50
    assert Comparison.from_query(comparison.to_query()) == Comparison.from_json(comparison.to_json()) == comparison


def test_a_tuning_tries_the_same_values_for_each_on_seeds_that_no_trial_has():
    tuning = Tuning({"rate": ("0.01", "0.1")}, 2)
    comparison = compared(trials=3, seed=5, tuning=tuning)
    trials = {comparison.trial("CD-1", index).schedule.seed for index in range(3)}
    for name in comparison.names:
        tried = [comparison.tuning_trial(name, index) for index in range(comparison.tuning_runs[name])]
        assert [each.learner.rate for each in tried] == [0.01, 0.01, 0.1, 0.1]
        seeds = [each.schedule.seed for each in tried]
        assert seeds[:2] == seeds[2:]
        assert len(set(seeds)) == 2
        assert trials.isdisjoint(seeds)
    tuned = comparison.tuned({"CD-1": "rate=0.1", "PCD-1": "rate=0.01", "wide": "rate=0.1"})
    assert [recipe.learner.rate for _, recipe in tuned.contenders] == [0.1, 0.01, 0.1]
    assert tuned.tuning is None
    of_both = compared(tuning=Tuning({"hidden": (2, 8), "rate": (0.1, 0.2)}, 1))
    taken = of_both.tuned({name: list(of_both.settings[name])[place] for place, name in enumerate(of_both.names)})
    found = [(recipe.model.hidden, recipe.learner.rate) for _, recipe in taken.contenders]
    assert found == [(2, 0.1), (2, 0.2), (8, 0.1)]


@pytest.mark.parametrize(("rows", "epochs"), [(300, 30), (600, 60)])
def test_a_budget_of_whole_epochs_is_not_rounded_up(rows, epochs):
    base = Recipe(RBMSetup(hidden=2), Clusters(D=2, n=rows), CD(0.1, 1), Schedule(length=epochs, every=10))
    comparison = Comparison(base, {"CD-1": {}, "CD-2": {"CD.K": 2}}, axis="epochs")
    assert rows / base.learner.batch_size * epochs * (1 / rows) > epochs  # as floating-point numbers have it
    assert comparison.cost == comparison.trial("CD-2", 0).schedule.length == epochs
    with refused("budget"):
        comparison.changed(axis="updates", budget=10_000_001).trial("CD-1", 0)
    begun = base.schedule.changed(length=rows + 1, unit="updates")
    assert comparison.changed(base=Recipe(base.model, base.data, base.learner, begun)).cost == 2
