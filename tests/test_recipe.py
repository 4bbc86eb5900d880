"""A recipe: compared, changed, and carried through JSON and links."""

import dataclasses
import json

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from boltzcore import Recipe
from boltzcore.data import Corruption
from boltzcore.inference import Annealing, Inference
from boltzcore.learners import CD, BeliefPropagationMLE
from boltzcore.measures import MEASURES
from boltzcore.models import CRBMSetup
from boltzcore.parameters import Parameter, Parameters
from boltzcore.quoting import Refusal
from boltzcore.registry import DATASETS, MODELS, learners_of
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import MOST_RECORDS
from boltzcore.training.recipe_diff import apply_diff, to_diff
from boltzcore.training.schedule import Schedule
from tests.runs.toys import refused


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
    learner = draw(settings_of(draw(st.sampled_from(list(learners_of(model).values()))).learner))
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


@settings(max_examples=40)
@given(recipes(), recipes(), st.booleans())
def test_what_differs_from_another_recipe_gives_an_equal_recipe(recipe, other, staged):
    if staged:
        other = dataclasses.replace(other, before=dataclasses.replace(other, changes=()))
    base = other.to_query()
    assert Recipe.from_query(apply_diff(to_diff(recipe, base), base)) == recipe
    assert to_diff(other, base) == {}


@settings(max_examples=60)
@given(recipes())
def test_json_and_links_give_an_equal_recipe(recipe):
    for copy in (Recipe.from_json(recipe.to_json()), Recipe.from_query(recipe.to_query())):
        assert copy == recipe
        assert hash(copy) == hash(recipe)
        assert copy.to_json() == recipe.to_json()


def test_a_link_names_only_what_is_not_at_its_default():
    assert Recipe().to_query() == {"model": "rbm", "data": "digits", "learner": "CD"}
    assert Recipe.from_query({"run": "abc", "PCD.rate": "nonsense", "embed": "true"}) == Recipe()
    query = Recipe(learner=CD(rate=0.3), schedule=Schedule(seed=7)).to_query()
    assert query == {"model": "rbm", "data": "digits", "learner": "CD", "CD.rate": "0.3", "schedule.seed": "7"}


def test_only_a_conditional_model_sees_corrupted_inputs():
    noise = Corruption(rate=0.3)
    plain, conditional = (
        Recipe(model, "bars-and-stripes", learner, corruption=noise).dataset()
        for model, learner in (("rbm", "CD"), ("crbm", "MSSVM"))
    )
    assert plain.train.corruption is None
    assert conditional.train.corruption == conditional.test.corruption == noise
    with pytest.raises(ValueError, match="size"):
        Recipe("crbm", "bars-and-stripes", "MSSVM", corruption=Corruption("patch")).dataset()


def test_the_inference_of_a_recipe_goes_with_the_epoch_and_the_changes():
    recipe = Recipe("crbm", learner=BeliefPropagationMLE(iterations=5, tolerance=0.01))
    assert [recipe.inference(count, count / 4) for count in (0, 4, 5, 40)] == [
        Inference("sum-product", n, 0.01) for n in (6, 6, 7, 15)
    ]
    assert Recipe().inference(40, 4) is None


def test_a_live_change_holds_from_its_update_on():
    recipe = Recipe(learner=CD(rate=0.5)).changed(at=100, rate=0.1).changed(at=20, rate=0.2)
    assert recipe.changes == ((20, "rate", 0.2), (100, "rate", 0.1))
    assert [recipe.learner_at(count).rate for count in (0, 19, 20, 99, 100, 10**6)] == [0.5, 0.5, 0.2, 0.2, 0.1, 0.1]


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("learner", "XYZ"),
        ("CD.rate", "fast"),
        ("rbm.hidden", "10000000"),
        ("corruption.kind", "blur"),
        ("schedule.length", "٣"),
        *(("changes", text) for text in ("5:rate", "soon:rate:0.1", "1_0:rate:0.1")),
        ("measures", "beauty"),
    ],
)
def test_a_link_is_refused_by_its_field(field, text):
    with pytest.raises(Refusal) as refusal:
        Recipe.from_query({field: text})
    assert refusal.value.field == field
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("field", "make"),
    [
        ("learner", lambda: Recipe("crbm")),
        ("measures", lambda: Recipe(CRBMSetup(), learner="MSSVM", measures=("log_likelihood",))),
        ("measures", lambda: Recipe(measures="log_likelihood")),
        ("every", lambda: Recipe(schedule=Schedule(length=10_000_000))),
        ("every", lambda: Recipe(schedule=Schedule(length=99_999), before=Recipe())),
        ("batch_size", lambda: Recipe(changes=((5, "batch_size", 10),))),
        ("changes", lambda: Recipe(changes=((-1, "rate", 0.1),))),
        ("rate", lambda: Recipe(changes=((5, "rate", -1),))),
        ("speed", lambda: Recipe.from_query({"CD.speed": "1"})),
        ("rate", lambda: Recipe.from_query({"changes": "5:rate:٠.١"})),
    ],
)
def test_what_is_wrong_is_named_in_one_sentence(field, make):
    with pytest.raises(ValueError, match=rf"^(.* )?'?{field}\b.*\.$"):
        make()


@pytest.mark.parametrize("part", ["model", "learner", "schedule", "annealing", "corruption"])
def test_a_part_of_another_type_is_named(part):
    with pytest.raises(TypeError, match=rf"^{part}\b"):
        Recipe(**{part: 50})


def test_records_are_bounded_and_the_longest_trainings_are_not_refused():
    for length, every in ((99_999, 1), (1_000_000, 20), (10_000_000, 101)):
        schedule = Schedule(length=length, every=every)
        recipe = Recipe(schedule=schedule)
        longest = schedule.changed(length=recipe.longest)
        assert dataclasses.replace(recipe, schedule=longest).schedule.most_records <= MOST_RECORDS
        if recipe.longest < 10_000_000:
            with refused("schedule.every"):
                dataclasses.replace(recipe, schedule=longest.changed(length=recipe.longest + 1))
    assert Recipe(schedule=Schedule(length=9), before=Recipe()).longest == 99_948


@pytest.mark.parametrize("text", ["", "null", "[]", "{}", '{"model": 3}', "[" * 100_000, '{"model": {"name": "rbm"}}'])
def test_other_files_are_not_recipes(text):
    with pytest.raises(ValueError, match=r"\.$"):
        Recipe.from_json(text)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("CD.rate", "1e999"),
        ("CD.rate", 0.1),
        ("rbm.width", "3"),
        ("lenght", "3"),
        *(("changes", f"{update}:rate:0.1") for update in ("1e999", "1.5", "x", "True", "-1", 2**60)),
        *(("CD.K", value) for value in ("1.5", "x", True)),
        ("annealing", {}),
    ],
)
def test_a_tampered_recipe_is_refused(key, value):
    with pytest.raises(ValueError, match=r"\.$"):
        Recipe.from_json(json.dumps(json.loads(Recipe().to_json()) | {key: value}))


def test_a_refusal_knows_its_field_and_all_others():
    with pytest.raises(Refusal) as refusal:
        Recipe.from_query({"CD.rate": "fast", "CD.K": "0", "rbm.hidden": "-1", "schedule.seed": "3"})
    assert [each.field for each in refusal.value.all] == ["rbm.hidden", "CD.rate", "CD.K"]
    assert refusal.value.field == "rbm.hidden"
    with refused("shifting-bar.B"):
        Recipe.from_query({"data": "shifting-bar", "shifting-bar.N": "4", "shifting-bar.B": "7"})
    with refused("CD.batch_size"):
        PreparedData.from_recipe(Recipe(data="bars-and-stripes", learner=CD(batch_size=99)))
