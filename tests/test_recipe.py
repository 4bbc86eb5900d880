"""A recipe: compared, changed, and carried through JSON and links."""

import dataclasses
import json

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from boltzcore import Recipe
from boltzcore.data import Corruption
from boltzcore.inference import Annealing, Inference
from boltzcore.measures import MEASURES
from boltzcore.models import CRBMSetup
from boltzcore.parameters import Parameter, Parameters, Refusal
from boltzcore.registry import DATASETS, MODELS, learners_of
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.recipe import MOST_RECORDS
from boltzcore.runs.recipe_diff import apply_diff, to_diff
from boltzcore.runs.schedule import Schedule


def value_of(declared: Parameter) -> st.SearchStrategy:
    if declared.choices:
        return st.sampled_from(declared.choices)
    if declared.kind is bool:
        return st.booleans()
    return (
        st.integers(int(declared.low), int(declared.high))
        if declared.kind is int
        else st.floats(declared.low, declared.high)
    )


@st.composite
def settings_of(draw, maker: type[Parameters]) -> Parameters:
    values = {p.name: draw(value_of(p)) for p in maker.parameters() if draw(st.booleans())}
    try:
        return maker(**values)
    except ValueError:  # two fields that exclude each other
        reject()


@st.composite
def recipes(draw) -> Recipe:
    model = draw(st.sampled_from(sorted(MODELS)))
    measures = draw(st.none() | st.lists(st.sampled_from(MODELS[model].measures), unique=True).map(tuple))
    taken = MODELS[model].measures if measures is None else measures
    units = {figure for name in taken for figure in MEASURES[name].units}
    judged = bool(units & set(MODELS[model].merit))
    schedule = draw(settings_of(Schedule))
    schedule = schedule if "free_energy_gap" in units else schedule.changed(gap_limit=0.0)
    # no more records than a recipe of two such stages may take
    schedule = schedule.changed(every=max(schedule.every, schedule.length // 40_000 + 1))
    schedule = schedule if schedule.most_records <= MOST_RECORDS // 2 else schedule.changed(between=0)
    learner = draw(settings_of(draw(st.sampled_from(list(learners_of(model).values())))))
    live = [p for p in type(learner).parameters() if p.live]
    change = st.sampled_from(live).flatmap(lambda p: st.tuples(st.integers(0, 10**9), st.just(p.name), value_of(p)))
    return Recipe(
        model=draw(settings_of(MODELS[model].setup)),
        data=draw(settings_of(DATASETS[draw(st.sampled_from(sorted(DATASETS)))])),
        learner=learner,
        schedule=schedule if judged else schedule.changed(patience=0),
        measures=measures,
        changes=tuple(draw(st.lists(change, max_size=3))) if live else (),
        annealing=draw(settings_of(Annealing)),
        corruption=draw(settings_of(Corruption)),
    )


@given(recipes(), recipes(), st.booleans())
def test_what_differs_from_another_recipe_gives_an_equal_recipe(recipe, other, staged):
    if staged:
        other = dataclasses.replace(other, before=dataclasses.replace(other, changes=()))
    base = other.to_query()
    text = to_diff(recipe, base)
    assert Recipe.from_query(apply_diff(text, base)) == recipe
    assert to_diff(other, base) == ""


@given(recipes())
def test_json_and_links_give_an_equal_recipe(recipe):
    for copy in (Recipe.from_json(recipe.to_json()), Recipe.from_query(recipe.to_query())):
        assert copy == recipe
        assert hash(copy) == hash(recipe)
        assert copy.to_json() == recipe.to_json()


def test_a_link_names_only_what_is_not_at_its_default():
    assert Recipe().to_query() == {"model": "rbm", "data": "digits", "learner": "CD"}
    query = Recipe(learner=learners_of("rbm")["CD"](rate=0.3), schedule=Schedule(seed=7)).to_query()
    assert query == {"model": "rbm", "data": "digits", "learner": "CD", "CD.rate": "0.3", "schedule.seed": "7"}


def test_the_annealing_is_part_of_a_recipe_and_may_be_absent_from_its_file():
    recipe = Recipe(annealing=Annealing(chains=7, start="uniform"))
    assert recipe.to_query() == {
        "model": "rbm",
        "data": "digits",
        "learner": "CD",
        "annealing.chains": "7",
        "annealing.start": "uniform",
    }
    told = json.loads(recipe.to_json())
    assert told.pop("annealing") == {"chains": 7, "temperatures": 1000, "start": "uniform", "tolerance": 0.0}
    assert Recipe.from_json(json.dumps(told)) == Recipe()


def test_the_corruption_is_part_of_a_recipe_and_may_be_absent_from_its_file():
    recipe = Recipe("crbm", learner="MSSVM", corruption=Corruption("patch", size=12, value=1))
    query = {
        "model": "crbm",
        "data": "digits",
        "learner": "MSSVM",
        "corruption.kind": "patch",
        "corruption.size": "12",
        "corruption.value": "1",
    }
    assert recipe.to_query() == query
    told = json.loads(recipe.to_json())
    assert told.pop("corruption") == {"kind": "patch", "rate": 0.1, "size": 12, "value": 1, "redrawn": "each epoch"}
    assert told["schedule"].pop("patience") == 0
    assert Recipe.from_json(json.dumps(told)) == Recipe("crbm", learner="MSSVM")


def test_only_a_conditional_model_sees_corrupted_inputs():
    noise = Corruption(rate=0.3)
    plain, conditional = (
        Recipe(model, "bars-and-stripes", learner, corruption=noise).dataset()
        for model, learner in (("rbm", "CD"), ("crbm", "MSSVM"))
    )
    assert plain.train.corruption is None
    assert conditional.train.corruption == conditional.test.corruption == noise
    with pytest.raises(ValueError, match="size must be a whole number from 1 to 3, not 8"):
        Recipe("crbm", "bars-and-stripes", "MSSVM", corruption=Corruption("patch")).dataset()


def test_the_inference_of_a_recipe_goes_with_the_epoch_and_the_changes():
    recipe = Recipe("crbm", learner=learners_of("crbm")["BeliefPropagationMLE"](iterations=5, tolerance=0.01))
    assert [recipe.inference(count, 4) for count in (0, 4, 5, 40)] == [
        Inference("sum-product", n, 0.01) for n in (6, 6, 7, 15)
    ]
    assert Recipe().inference(40, 4) is None


def test_a_link_passes_over_the_parameters_of_other_things():
    assert Recipe.from_query({"run": "abc", "PCD.rate": "nonsense", "embed": "true"}) == Recipe()


def test_recipes_with_other_settings_differ():
    first = Recipe()
    others = [
        Recipe(learner="PCD"),
        Recipe(schedule=Schedule(seed=1)),
        Recipe(measures=()),
        first.changed(at=3, rate=0.2),
    ]
    assert len({first, *others}) == len(others) + 1
    assert first == Recipe("rbm", "digits", "CD")


def test_a_live_change_holds_from_its_update_on():
    recipe = Recipe(learner=learners_of("rbm")["CD"](rate=0.5)).changed(at=100, rate=0.1).changed(at=20, rate=0.2)
    assert recipe.changes == ((20, "rate", 0.2), (100, "rate", 0.1))
    assert [recipe.learner_at(count).rate for count in (0, 19, 20, 99, 100, 10**6)] == [0.5, 0.5, 0.2, 0.2, 0.1, 0.1]


def test_the_last_of_several_changes_at_one_update_holds():
    recipe = Recipe().changed(at=5, rate=0.2).changed(at=5, rate=0.3)
    assert recipe.learner_at(5).rate == 0.3


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Recipe(model="rbmm"), "model must be one of .*rbm.*, not 'rbmm'"),
        (lambda: Recipe(data="digit"), "data must be one of .*digits.*, not 'digit'"),
        (lambda: Recipe(learner="cd"), "learner must be one of CD, .*, not 'cd'"),
        (lambda: Recipe(measures=("beauty",)), "measures must be one of .*log_likelihood.*, not 'beauty'"),
        (lambda: Recipe(schedule=Schedule(length=0)), "length must be a whole number from 1 to .*, not 0"),
        (
            lambda: Recipe(schedule=Schedule(length=10_000_000)),
            "every must be so large that a training takes at most 100,000 records; 1 for a length of 10,000,000 gives "
            "10,000,001",
        ),
        (
            lambda: Recipe(schedule=Schedule(length=99_999), before=Recipe()),
            "at most 100,000 records, its stages before included; 1 for a length of 99,999 gives 100,051",
        ),
        (lambda: Recipe(schedule=Schedule(unit="hours")), "unit must be one of epochs, updates, not 'hours'"),
        (
            lambda: Recipe(changes=((5, "batch_size", 10),)),
            "batch_size cannot change during a training; CD lets you change .*rate",
        ),
        (lambda: Recipe(changes=((-1, "rate", 0.1),)), "changes must name an update from 0 to .*, not -1"),
        (lambda: Recipe(changes=((5, "rate", -1),)), "rate must be a number from .*, not -1"),
        (lambda: Recipe(changes=((5, "speed", 1),)), "CD has no field 'speed'; its fields are: .*rate"),
        (lambda: Recipe.from_query({"learner": "XYZ"}), "learner must be one of CD, .*, not 'XYZ'"),
        (lambda: Recipe.from_query({"CD.rate": "fast"}), "rate must be a number from .*, not 'fast'"),
        (lambda: Recipe.from_query({"CD.speed": "1"}), "CD has no field 'speed'"),
        (lambda: Recipe.from_query({"rbm.hidden": "0"}), "hidden must be a whole number from 1 to .*, not 0"),
        (
            lambda: Recipe.from_query({"rbm.hidden": "10000000"}),
            "hidden must be a whole number from 1 to .*, not 10000000",
        ),
        (lambda: Recipe.from_query({"annealing.chains": "1"}), "chains must be a whole number from 2 to .*, not 1"),
        (lambda: Recipe.from_query({"annealing.speed": "1"}), "Annealing has no field 'speed'"),
        (lambda: Recipe.from_query({"corruption.kind": "blur"}), "kind must be one of flip, .*, not 'blur'"),
        (
            lambda: Recipe.from_query({"schedule.patience": "-1"}),
            "patience must be a whole number from 0 to .*, not -1",
        ),
        (lambda: Recipe("crbm"), "learner must be one of .*MSSVM.* for the model crbm, not CD"),
        (
            lambda: Recipe(CRBMSetup(), learner="MSSVM", measures=("log_likelihood",)),
            "measures must be one of pixel_errors for the model crbm, not 'log_lik",
        ),
        (
            lambda: Recipe(measures=("pixel_errors",)),
            "measures must be one of log_likelihood, .* for the model rbm, not 'pixel_errors'",
        ),
        (lambda: Recipe.from_query({"changes": "5:rate"}), "changes must be written as update:field:value"),
        (lambda: Recipe.from_query({"changes": "soon:rate:0.1"}), "changes must be written as update:field:value"),
        (lambda: Recipe.from_query({"changes": "٣:rate:0.1"}), "changes must be written as update:field:value"),
        (lambda: Recipe.from_query({"changes": "1_0:rate:0.1"}), "changes must be written as update:field:value"),
        (lambda: Recipe.from_query({"changes": "5:rate:٠.١"}), "rate must be a number from .*, not '٠.١'"),
        (lambda: Recipe.from_query({"schedule.length": "٣"}), "length must be a whole number from .*, not '٣'"),
        (lambda: Recipe.from_query({"changes": "5:rate:nan"}), "rate must be a number from .*, not nan"),
        (lambda: Recipe.from_query({"measures": "beauty"}), "measures must be one of"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(make, sentence):
    with pytest.raises(ValueError, match=sentence) as refusal:
        make()
    assert "\n" not in str(refusal.value)


def test_records_are_bounded_and_the_longest_trainings_are_not_refused():
    for schedule in (Schedule(length=99_999), Schedule(length=1_000_000, every=20), Schedule(0, 10_000_000, every=101)):
        recipe = Recipe(schedule=schedule)
        longest = schedule.changed(length=recipe.longest)
        assert dataclasses.replace(recipe, schedule=longest).schedule.most_records <= MOST_RECORDS
        if recipe.longest < 10_000_000:
            with pytest.raises(Refusal, match="records") as refusal:
                dataclasses.replace(recipe, schedule=longest.changed(length=recipe.longest + 1))
            assert refusal.value.field == "schedule.every"
    assert Recipe(schedule=Schedule(length=9), before=Recipe()).longest == 99_948


def test_a_part_of_the_wrong_kind_is_named():
    with pytest.raises(TypeError, match=r"data must be a name or .*, not \[\[0, 1\]\]"):
        Recipe(data=[[0, 1]])


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "7", "{}", '{"model": 3}', "[" * 100_000, '"' + "x" * 1000, '{"model": {"name": "rbm"}}']
)
def test_other_files_are_not_recipes(text):
    with pytest.raises(ValueError, match="This is not a recipe of Boltzmann Lab"):
        Recipe.from_json(text)


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        (("learner", "rate"), 1e999, "rate must be a number"),
        (("learner", "rate"), "0.1", "rate must be a number"),
        (("learner", "name"), ["CD"], "learner must be one of"),
        (("model", "width"), 3, "has no field 'width'"),
        (("schedule", "name"), "x", "Schedule has no field 'name'"),
        (("changes",), [[1e999, "rate", 0.1]], "changes must name an update .* not inf"),
        (("changes",), [[1, "rate", {}]], "rate must be a number"),
        *(
            (("changes",), [[update, "rate", 0.1]], "changes must name an update from 0 to .*, not")
            for update in (1.5, 2.0, "3", True, None, [1], -1, 2**60)
        ),
        *((("learner", "K"), value, "K must be a whole number") for value in (1.5, "3", True, None)),
        (("schedule", "length"), 1e308, "length must be a whole number"),
        (("measures",), ["beauty"], "measures must be one of"),
        (("annealing",), 7, "not a recipe"),
        (("corruption",), [1], "not a recipe"),
        (("corruption", "rate"), 2, "rate must be a number from 0 to 1, not 2"),
        (("annealing", "start"), "cold", "start must be one of base rate, uniform, not 'cold'"),
    ],
)
def test_a_tampered_recipe_is_refused(path, value, sentence):
    told = json.loads(Recipe().to_json())
    part = told
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(ValueError, match=sentence):
        Recipe.from_json(json.dumps(told))


def test_more_temperatures_than_the_model_allows_are_refused_with_the_recipe():
    asked = {"data": "bars-and-stripes", "bars-and-stripes.D": "6", "annealing.temperatures": "1000000"}
    with pytest.raises(
        Refusal, match=r"^temperatures must be a whole number from 2 to 427,\d+ for a model of"
    ) as refusal:
        PreparedData.from_recipe(Recipe.from_query(asked | {"rbm.hidden": "10000"}))
    assert refusal.value.field == "annealing.temperatures"
    assert PreparedData.from_recipe(Recipe.from_query(asked | {"rbm.hidden": "4000"}))
    unmeasured = asked | {"rbm.hidden": "10000", "measures": ""}
    assert PreparedData.from_recipe(Recipe.from_query(unmeasured))


def test_a_refusal_knows_its_field_and_all_others():
    with pytest.raises(Refusal) as refusal:
        Recipe.from_query({"CD.rate": "fast", "CD.K": "0", "rbm.hidden": "-1", "schedule.seed": "3"})
    assert [each.field for each in refusal.value.all] == ["rbm.hidden", "CD.rate", "CD.K"]
    assert refusal.value.field == "rbm.hidden"
    with pytest.raises(Refusal, match="B must be a whole number from 1 to 3 for N = 4, not 7") as refusal:
        Recipe.from_query({"data": "shifting-bar", "shifting-bar.N": "4", "shifting-bar.B": "7"})
    assert refusal.value.field == "shifting-bar.B"
    for field, text in (("learner", "XYZ"), ("measures", "beauty"), ("changes", "5")):
        with pytest.raises(Refusal) as refusal:
            Recipe.from_query({field: text})
        assert refusal.value.field == field
    with pytest.raises(Refusal) as refusal:
        PreparedData.from_recipe(Recipe(data="bars-and-stripes", learner=learners_of("rbm")["CD"](batch_size=99)))
    assert refusal.value.field == "CD.batch_size"
