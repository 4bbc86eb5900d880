"""The contract of every registered learner, including the example of boltzcore/README.md."""

import dataclasses
import re
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_equal

from boltzcore import Recipe, threads, train
from boltzcore.data import Corruption, Examples, flip, load
from boltzcore.learners import Learner
from boltzcore.learners.base import flat_fields
from boltzcore.learners.conditional import inference_of
from boltzcore.models import CRBMSetup, RBMSetup
from boltzcore.models.base import Setup
from boltzcore.reference import has_reference, trace
from boltzcore.reference.equations import FAMILIES
from boltzcore.registry import LEARNERS, MODELS
from boltzcore.ticks import Stopped
from boltzcore.training.checkpoint import arrays_of, load_state
from boltzcore.training.schedule import Schedule
from tests.conftest import REPOSITORY
from tests.reference.test_frank_wolfe import same_search as same_search
from tests.runs.toys import records, refused

# Starts and data on which much can be learnt; any other model is tried with its own start, on the data of its recipe.
TOYS = {
    "rbm": RBMSetup(hidden=6, sigma=0.1, visible_bias="zero"),
    "crbm": CRBMSetup(hidden=6, sigma=0.1, visible_bias="zero", input_weight=0.0),
}
# Fields of learners that do much within an update; any other is tried as it is declared.
QUICK = {
    "FrankWolfe": {
        "correction": "none",
        "temperature": "gradient",
        "steps": 5,
        "samples": 50,
        "K": 2,
        "restarts": 1,
        "iterations": 9,
    },
    "TemperedPCD": {"chains": 20, "temperatures": 4},
}
NOISY = ("fvbm",)  # where one column settles another, as in clean patterns, the best model lies at infinity
NOISE = Corruption(rate=0.1)  # of a conditional model's inputs
# These promise no likelihood: they only want the data to be more probable than others, by a margin or than what a chain
# finds.
RANKING = ("CDPercLoss", "LSSVM", "MSSVM")
STORING = ("Hebbian",)
README = "PlainCD"  # the example of boltzcore/README.md


def readme_code() -> str:
    return next(
        block
        for block in re.findall(
            r"```python\n(.*?)```", (REPOSITORY / "boltzcore" / "README.md").read_text(encoding="utf-8"), re.DOTALL
        )
        if "class " in block
    )


@pytest.fixture(autouse=True)
def readme() -> Iterator[None]:
    exec(compile(readme_code(), "boltzcore/README.md", "exec"), {"__name__": "readme"})
    yield
    del LEARNERS[README]


@pytest.fixture(params=[*LEARNERS, README])
def kind(request: pytest.FixtureRequest) -> type:
    return LEARNERS[request.param].learner


def model_of(kind: type) -> str:
    return LEARNERS[kind.__name__].models[0]


def toy(kind: type, **fields: object) -> Learner:
    return kind(**QUICK.get(kind.__name__, {}) | fields)


def setup_of(kind: type) -> Setup:
    model = model_of(kind)
    return TOYS.get(model) or MODELS[model].setup()


def conditional(kind: type) -> bool:
    return "corruption" in MODELS[model_of(kind)].parts


@pytest.mark.parametrize("name", LEARNERS)
def test_a_model_of_another_kind_is_refused(name):
    rows = load("bars-and-stripes").train
    for other in (entry.setup() for each, entry in MODELS.items() if each not in LEARNERS[name].models):
        with pytest.raises(ValueError, match=r"^model must"):
            toy(LEARNERS[name].learner).start(other.initial(rows, seed=0), rows, seed=0)


def test_rows_of_another_width_or_of_more_values_and_a_seed_that_is_no_number_are_refused(kind, data):
    model = setup_of(kind).initial(data, seed=0)
    for change in ({"v": data.v[:, :4]}, {"levels": 3}):
        with pytest.raises(ValueError, match="have"):
            toy(kind).start(model, dataclasses.replace(data, **change), seed=0)
    with refused("seed"):
        toy(kind).start(model, data, seed="x")


@pytest.fixture
def data(kind) -> Examples:
    rows = np.tile(load("bars-and-stripes").train.v, (10, 1))[:, ::-1].copy()
    return fitting(kind, Examples(flip(rows, 0.2, seed=0) if model_of(kind) in NOISY else rows))


def fitting(kind: type, data: Examples) -> Examples:
    """The data, with corrupted copies as inputs where the model is conditional."""
    return data.corrupted(NOISE, (3, 3)) if conditional(kind) else data


def merit(kind: type, model, data: Examples) -> float:
    """Return what must rise: the mean exact log-likelihood, of clean rows given corrupted ones if the model is
    conditional, or minus twenty times the error.
    """
    if not conditional(kind):
        return model.log_likelihood(data.v).mean()
    seen = data.epoch(0, seed=77)
    if kind.__name__ not in RANKING:
        return model.log_likelihood(seen.v, seen.x).mean()
    beliefs = inference_of(toy(kind), 1).infer(model, seen.x)
    return -20 * ((beliefs.v > 0.5) != seen.v).mean()


def start(kind: type, data: Examples, seed: int = 1):
    return toy(kind).start(setup_of(kind).initial(data, seed=seed), data, seed=seed)


def refusal_of(kind: type, data: Examples) -> str:
    """Return why a learner does not take data; "" if it does."""
    try:
        start(kind, data)
    except ValueError as refusal:
        return str(refusal)
    return ""


def arrays(state) -> dict[str, np.ndarray]:
    """Every array of a State and its model, copied."""
    return {name: np.array(value) for name, value in flat_fields(state).items() if isinstance(value, np.ndarray)}


def numbers(state) -> dict[str, object]:
    """Every number of a State but those of the training loop."""
    found = {name: value for name, value in flat_fields(state).items() if not name.startswith("progress.")}
    return {name: value for name, value in found.items() if isinstance(value, bool | int | float | str)}


def assert_same(one, other) -> None:
    assert numbers(one) == numbers(other)
    assert_same_arrays(one, other)


def assert_same_arrays(one, other) -> None:
    assert_equal(arrays(one), arrays(other))


def test_bounds_are_honoured(kind):
    for p in kind.parameters():
        if p.low is not None:
            assert getattr(kind(**{p.name: p.low}), p.name) == p.low
            with pytest.raises(ValueError, match=f"^{p.name} must be"):
                kind(**{p.name: p.low - 1})
        if p.high is not None:
            assert getattr(kind(**{p.name: p.high}), p.name) == p.high
            with pytest.raises(ValueError, match=f"^{p.name} must be"):
                kind(**{p.name: p.high * 2 + 1})


def test_one_seed_gives_the_same_numbers_and_another_gives_others(kind, data):
    first, again, other = (toy(kind).advance(start(kind, data, seed), data, updates=20) for seed in (1, 1, 2))
    assert_same(first, again)
    assert kind.random is any(not np.array_equal(arrays(first)[name], arrays(other)[name]) for name in arrays(first))


def test_numbers_do_not_depend_on_the_cuts(kind, data):
    whole = toy(kind).advance(start(kind, data), data, updates=30)
    cut = start(kind, data)
    for updates in (1, 2, 20, 7):
        if not cut.done:
            cut = toy(kind).advance(cut, data, updates=updates)
    assert_same(whole, cut)


def test_numbers_do_not_depend_on_the_threads(kind, data):
    model = setup_of(kind).initial(data, seed=1)
    if model_of(kind) in TOYS:  # large enough to be shared
        v = (np.random.default_rng(0).random((90, 49)) < 0.3).astype(np.uint8)
        data = Examples(v).corrupted(NOISE, (7, 7)) if conditional(kind) else Examples(v)
        model = setup_of(kind).changed(hidden=45).initial(data, seed=1)
    found = []
    for count in (1, 2):
        with threads.use(count):
            found.append(toy(kind).advance(toy(kind).start(model, data, seed=2), data, updates=3))
    assert_same(*found)


def test_other_data_of_the_same_size_are_learnt_from_whether_or_not_a_state_has_its_caches(kind, data):
    other = fitting(kind, Examples(flip(data.v, 0.2, seed=5)))
    state = toy(kind).advance(start(kind, data), data, updates=3)
    assert_same(*(toy(kind).advance(each, other, updates=2) for each in (state.copy(), state)))
    for each in (state.copy(), state):
        with pytest.raises(ValueError, match="have"):
            toy(kind).advance(each, dataclasses.replace(data, v=data.v[:, :4]))


def test_a_copy_goes_on_by_itself(kind, data):
    state = toy(kind).advance(start(kind, data), data, updates=10)
    kept = state.copy()
    before = arrays(kept)
    whole = toy(kind).advance(state, data, updates=20)
    assert_equal(arrays(kept), before)
    assert_same(whole, toy(kind).advance(kept, data, updates=20))


def test_an_update_that_is_taken_apart_is_the_one_that_comes_next(kind, data, same_search):
    learner = toy(kind)
    state = learner.advance(start(kind, data), data, updates=3)
    before = state.copy()
    if not has_reference(learner):
        with pytest.raises(NotImplementedError):
            trace(learner, state, data)
        return
    after = learner.advance(before.copy(), data)
    taken = trace(learner, state, data)
    assert_same(state, before)
    if taken.rows > 1:
        with pytest.raises(ValueError, match="row"):
            trace(learner, state, data, row=taken.rows)
    # Also for SSD: its LAPACK and numpy's round the singular vectors of float32 matrices differently, by some 1e-7.
    for name, array in arrays(after).items():
        if name.startswith("model."):
            assert_allclose(getattr(taken.models[-1], name.removeprefix("model.")), array, rtol=1e-5, atol=1e-5)
    assert {phase.kind for phase in taken.phases} <= set(FAMILIES[taken.family])
    assert all(0 <= phase.at < len(taken.models) for phase in taken.phases)


def test_rows_with_weights_teach_as_so_many_copies_do_or_are_refused(kind, data):
    weight = 1 + np.arange(len(data)) % 3
    copies = dataclasses.replace(data, v=data.v.repeat(weight, axis=0))
    weighted = dataclasses.replace(data, weight=weight)
    if refused := refusal_of(kind, weighted):
        assert "weight" in refused
        return
    first = toy(kind).advance(start(kind, weighted), weighted, updates=20)
    second = toy(kind).advance(start(kind, copies), copies, updates=20)
    for name, array in arrays(first).items():
        assert np.allclose(array, arrays(second)[name], rtol=1e-5, atol=1e-7), name


def test_a_plain_array_is_as_good_as_examples(kind, data):
    if conditional(kind):
        pytest.skip("a conditional model needs inputs, too")
    model = setup_of(kind).initial(data, seed=1)
    one, two = (toy(kind).advance(toy(kind).start(model, rows, seed=1), rows, updates=5) for rows in (data, data.v))
    assert_same(one, two)


def test_gray_rows_are_drawn_before_they_are_learnt_from(kind, data):
    """Intensities of 0 and 255 are drawn as 0 and 1, with no chance about it."""
    gray = dataclasses.replace(data, v=255 * data.v, levels=256)
    if refused := refusal_of(kind, gray):
        assert "256" in refused
        return
    assert_same_arrays(*(toy(kind).advance(start(kind, rows), rows, updates=5) for rows in (gray, data)))


def test_a_foreign_state_and_numbers_of_updates_that_are_none_are_refused(kind, data):
    state = start(kind, data)
    assert type(state) is kind.state_type
    foreign = type("Foreign", (type(state),), {})
    values = {field.name: getattr(state, field.name) for field in dataclasses.fields(state)}
    with pytest.raises(ValueError, match=f"{kind.__name__} continues from a {kind.state_type.__name__}"):
        toy(kind).advance(foreign(**values), data)
    for updates in (-1, 1.5, True):
        with pytest.raises(ValueError, match="updates must be a whole number from 0"):
            toy(kind).advance(state, data, updates=updates)


def test_the_exact_log_likelihood_rises_or_the_error_falls(kind, data):
    if kind.__name__ in STORING:
        pytest.skip("it promises to recall patterns: see tests/inference/test_recall.py")
    seldom = data.v.sum(axis=1) <= 3  # pixels that are seldom on: biases alone have something to learn
    v = data.v if model_of(kind) in NOISY else data.v[seldom]
    data = fitting(kind, Examples(np.tile(v, (-(-200 // len(v)), 1))))
    state = start(kind, data)
    before = merit(kind, state.model, data)
    length, unit = LEARNERS[kind.__name__].length
    updates = min(1000 if conditional(kind) else 3000, length if unit == "updates" else 3000)
    while state.count < updates and not state.done and merit(kind, state.model, data) <= before + 0.5:
        state = toy(kind).advance(state, data, updates=min(max(10, state.count), 250))
    assert merit(kind, state.model, data) > before + 0.5


def test_it_ticks_and_stops_leaving_the_state_whole(kind, data):
    state = toy(kind).advance(start(kind, data), data, updates=5)
    before, calm = arrays(state), toy(kind).advance(state.copy(), data, updates=5)

    def stop(fraction: float) -> None:
        assert 0 <= fraction <= 1
        raise Stopped

    with pytest.raises(Stopped):
        toy(kind).advance(state, data, updates=5, tick=stop)
    assert_equal(arrays(state), before)
    assert_same(calm, toy(kind).advance(state, data, updates=5))


# -- training by a recipe ---------------------------------------------------------------------


@pytest.fixture(params=[*LEARNERS, README])
def recipe(request: pytest.FixtureRequest) -> Recipe:
    kind = LEARNERS[request.param].learner
    small = {"batch_size": 0, "iterations": 1, "price": 0.0}  # so that there are many updates, each of all rows
    fields = {p.name: small[p.name] for p in kind.parameters() if p.name in small} | QUICK.get(request.param, {})
    schedule = Schedule(length=40, unit="updates", every=7, seed=3)
    model = model_of(kind)
    data = "bars-and-stripes" if conditional(kind) else "random-fvbm" if model in NOISY else "shifting-bar"
    return Recipe(setup_of(kind), data, toy(kind, **fields), schedule, corruption=NOISE)


def test_records_come_at_the_schedule_and_at_the_end_however_it_is_cut_by_the_clock(recipe):
    steps, whole = list(train(recipe, seconds=1e-9)), list(train(recipe))
    end, every = whole[-1].state.count, recipe.schedule.every
    assert end == recipe.schedule.length or whole[-1].state.done
    assert [step.record.count for step in whole] == [*range(0, end, every), end]
    assert all(np.isfinite(list(step.record.values.values())).all() for step in whole)
    assert len(steps) == end + 1
    assert records(steps) == records(whole)


def test_a_training_resumes_from_its_checkpoint(recipe, tmp_path):
    steps = list(train(recipe))
    middle = next(step.state for step in train(recipe) if step.state.count == 2 * recipe.schedule.every)
    np.savez(tmp_path / "state.npz", **arrays_of(middle))
    rest = list(train(recipe, resume=load_state(tmp_path / "state.npz", recipe)))
    assert records(rest) == records(steps)[3:]
    assert_same(rest[-1].state, steps[-1].state)


def test_advancing_beyond_its_own_end_does_no_harm(recipe):
    last = list(train(recipe))[-1].state
    data = recipe.dataset().train
    later = recipe.learner.advance(last.copy(), data, updates=5)
    assert later.count in (last.count, last.count + 5)  # some count no update beyond it
    assert later.done >= last.done
    assert all(np.isfinite(array).all() for array in arrays(later).values())


def test_a_live_change_is_replayed(recipe):
    live = next((p for p in type(recipe.learner).parameters() if p.live), None)
    if live is None:
        pytest.skip("nothing of this learner changes while it runs")
    watched, state = [], None
    for step in train(recipe, seconds=1e-9):
        watched.append(step)
        state = step.state
        if state.count == 16:
            break
    other = next(value for value in (live.high / 10, live.high / 20) if value != live.default)
    changed = recipe.changed(at=16, **{live.name: other})
    watched.extend(train(changed, resume=state))
    assert records(watched) == records(train(changed))
    assert records(watched) != records(train(recipe))


def test_what_does_not_fit_is_said_before_training(recipe):
    if "batch_size" not in recipe.learner.values():
        pytest.skip("this learner has no batch size")
    n = len(recipe.dataset().train)
    with pytest.raises(ValueError, match=rf"batch_size must be .* to {n}, .*, not {n + 1}"):
        list(train(dataclasses.replace(recipe, learner=recipe.learner.changed(batch_size=n + 1))))
