"""An insertion taken apart: each phase by sums of plain numpy, and by the paper's own formulas."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boltzcore.data import Examples, load
from boltzcore.learners import FrankWolfe
from boltzcore.learners.insertion.search import PATH_POINTS
from boltzcore.learners.walkthrough.insertion import AGREE, ALIKE, PICTURES, REST, ROUNDING, STEPS
from boltzcore.learners.walkthrough.search_path import SearchPath, spread
from boltzcore.models import InfiniteRBM, InfiniteRBMSetup
from tests.models.test_infinite import drawn, states

PRICE = 0.01
SMALL = {"lambda_": PRICE, "samples": 200, "restarts": 2, "K": 2, "steps": 20, "rounds": 12}


@pytest.fixture(params=["none", "gradient", "line", "full"])
def learner(request):
    if request.param == "gradient":
        return FrankWolfe(correction="none", temperature="gradient", **SMALL)
    return FrankWolfe(correction=request.param, **SMALL)


@pytest.fixture(params=["bars-and-stripes", "digits"], ids=["by sums", "by chains"])
def data(request):
    return load("bars-and-stripes", D=3).train if request.param != "digits" else load("digits").train.head(300)


@pytest.fixture
def state(learner, data):
    return begun(learner, data, 2)


def begun(learner, data: Examples, updates: int, model: InfiniteRBM | None = None):
    model = model or InfiniteRBMSetup().initial(data, seed=1)
    return learner.advance(learner.start(model, data, seed=1), data, updates=updates)


def told(taken, kind):
    return [phase.arrays for phase in taken.phases if phase.kind == kind]


def ones(v):
    return np.column_stack([v, np.ones(len(v))])


def softplus(v, units):
    return np.logaddexp(0, ones(v) @ units.T.astype(float))


def sides(learner, state, data):
    """((rows, weights) of the data, (rows, weights) of what stands for the model), the latter chains that went on."""
    few = data.distinct()
    if not len(state.chains):
        v = states(data.n_visible)
        return (few.v, few.weight / few.total), (v, np.exp(state.model.log_likelihood(v)))
    still = dataclasses.replace(learner, correction="none", steps=0)  # after which chains stay where they went
    v = still.advance(state, data).chains
    return (few.v, few.weight / few.total), (v, np.full(len(v), 1 / len(v)))


def test_the_last_parameters_are_those_of_advance_and_the_state_stays(learner, data, state):
    before = state.copy()
    taken, after = learner.trace_update(state, data, row=3), learner.advance(state, data)
    for name in ("units", "counts", "b"):
        assert_array_equal(getattr(taken.models[-1], name), getattr(after.model, name))
        assert_array_equal(getattr(state.model, name), getattr(before.model, name))
    assert_array_equal(taken.after.chains, after.chains)
    assert_array_equal(state.chains, before.chains)
    assert taken.after.info == after.info
    assert [phase.at for phase in taken.phases] == sorted(phase.at for phase in taken.phases)


def test_what_stands_for_the_model_is_told_by_its_means_and_a_few_rows(learner, data, state):
    (first,) = told(learner.trace_update(state, data, row=3), "samples")
    (v, p), (of_model, q) = sides(learner, state, data)
    assert first["model_rows"] == len(of_model)
    assert_allclose(first["data_mean"], p @ v, atol=1e-12)
    assert_allclose(first["model_mean"], q @ of_model, atol=1e-9)
    assert_array_equal(first["data"][0], v[3])
    assert len(first["data"]) == len(first["model"]) == PICTURES
    if len(state.chains):
        few = spread(len(of_model), PICTURES)
        assert_array_equal(first["model"], of_model[few])
        assert_array_equal(first["before"], state.chains[few])


def test_units_that_are_there_have_the_slope_of_j_in_their_counts(learner, data, state):
    (present,) = told(learner.trace_update(state, data), "present")
    (v, p), (of_model, q) = sides(learner, state, data)
    units = state.model.units
    price = PRICE / 2 * (units.astype(float) ** 2).sum(axis=1)
    assert_array_equal(present["count"], state.model.counts)
    slope = p @ softplus(v, units) - q @ softplus(of_model, units) - price
    assert_allclose(present["slope"], slope, atol=2e-5)


def test_the_search_makes_the_objective_small_and_is_pulled_as_it_says(learner, data, state):
    taken = learner.trace_update(state, data)
    (starts,), looks, (found,) = (told(taken, kind) for kind in ("start", "search", "found"))
    (v, p), (of_model, q) = sides(learner, state, data)
    assert starts["w"].shape == (2, data.n_visible + 1)
    best = int(found["reached"].argmin())
    assert found["reached"][best] == taken.after.after
    assert found["curve"][0] == taken.after.before
    assert_array_equal(looks[0]["w"], starts["w"][best])
    assert_array_equal(looks[-1]["w"].astype(np.float32), found["unit"])
    assert_array_equal(found["ended"][best], found["unit"])
    assert_array_equal(taken.after.unit, found["unit"])
    assert looks[0]["iteration"] == 0
    assert looks[-1]["iteration"] == len(found["curve"]) - 1
    assert len(looks) <= PATH_POINTS
    assert (np.diff(found["curve"]) <= 1e-12).all()
    for look in looks:
        w = look["w"]
        data_part, model_part = p @ softplus(v, w[None])[:, 0], q @ softplus(of_model, w[None])[:, 0]
        assert_allclose(look["data"], data_part, atol=2e-5)
        assert_allclose(look["model"], model_part, atol=2e-5)
        assert_allclose(look["price"], PRICE / 2 * w @ w, atol=1e-9)
        assert_allclose(look["objective"], look["price"] + look["model"] - look["data"], atol=1e-9)
        assert look["objective"] == found["curve"][look["iteration"]]
        on, of_on = (1 / (1 + np.exp(-ones(rows) @ w)) for rows in (v, of_model))
        assert_allclose(look["data_pull"], (p * on) @ ones(v), atol=2e-5)
        assert_allclose(look["model_pull"], (q * of_on) @ ones(of_model), atol=2e-5)
        assert_allclose(look["price_pull"], PRICE * w, atol=1e-12)
        assert_allclose(look["slope"], look["data_pull"] - look["model_pull"] - PRICE * w, atol=1e-9)
        assert_allclose(look["length"], np.linalg.norm(w))
    slopes = np.abs([look["slope"] for look in looks])
    assert_array_equal([look["rests"] for look in looks], slopes < REST * slopes.max())
    assert slopes[-1].max() < 0.2 * slopes[0].max()  # moments match where it ends


def test_within_a_ball_the_price_pulls_at_nothing(data):
    learner = FrankWolfe(ball=1.0, correction="none", **SMALL)
    taken = learner.trace_update(begun(learner, data, 1), data)
    for look in told(taken, "search"):
        assert not look["price_pull"].any()
        assert_allclose(look["slope"], look["data_pull"] - look["model_pull"], atol=1e-9)


def test_what_is_missing_is_told_and_whether_it_is_next_to_nothing(learner, data, state):
    taken = learner.trace_update(state, data)
    for each in [*told(taken, "samples"), *told(taken, "biases"), *told(taken, "new")]:
        missing = each["data_mean"] - each["model_mean"]
        assert_allclose(each["missing"], missing, atol=ROUNDING)
        assert not each["missing"][np.abs(missing) < ROUNDING].any()
        assert_allclose(each["off"], np.abs(missing).max(), atol=ROUNDING)
        assert each["agree"] == (each["off"] < AGREE)


def test_the_found_unit_is_told_by_whom_it_answers_and_its_gap(learner, data, state):
    taken = learner.trace_update(state, data)
    (found,), (present,) = told(taken, "found"), told(taken, "present")
    (v, p), (of_model, q) = sides(learner, state, data)
    for side, (rows, weight) in enumerate(((v, p), (of_model, q))):
        on = 1 / (1 + np.exp(-ones(rows) @ found["unit"].astype(float)))
        assert_allclose(found["on"][side], weight @ on, atol=1e-4)
        assert_allclose(found["sure"][side], weight[np.abs(on - 0.5) > 0.25].sum(), atol=0.02)
    far = {"on": np.subtract(*found["on"]), "sure": np.subtract(*found["sure"])}
    assert all(far[name] > ALIKE for name in {str(found["apart"])} & set(far))
    share = state.model.counts / state.model.alpha
    gap = state.model.alpha * (-found["reached"].min() - share @ present["slope"])
    assert_allclose(found["gap"], gap, atol=1e-6)
    (worth,) = told(taken, "worth")
    assert (worth["value"], worth["worthless"], worth["again"]) == (found["reached"].min(), False, False)


def test_what_follows_leads_from_the_insertion_to_the_end(learner, data, state):
    taken = learner.trace_update(state, data)
    (insert,), (new,) = told(taken, "insert"), told(taken, "new")
    before, between, last = taken.models
    assert_array_equal(insert["before"], before.counts)
    assert_array_equal(insert["after"], between.counts)
    assert_array_equal(new["counts"], last.counts)
    share = before.alpha / between.n_units if learner.temperature == "gradient" else 1.0
    assert_allclose(insert["after"][-1], share if learner.correction == "none" else 0.0, rtol=1e-6)
    assert_allclose(new["model_mean"], taken.after.mean_after, atol=1e-7)
    gone = [k for each in told(taken, "leave") for k in each["units"]]
    assert last.n_units == between.n_units - len(gone)
    kinds = {"none": {"biases"}, "line": {"line", "biases"}, "full": {"counts"}}[learner.correction]
    follow = [phase.kind for phase in taken.phases if phase.at == 1]
    assert set(follow) - {"insert", "leave"} == kinds
    assert all(0 < follow.count(kind) <= STEPS for kind in kinds)


def test_biases_move_along_data_less_model(learner, data, state):
    if learner.correction == "full":
        pytest.skip("biases move with the counts")
    taken = learner.trace_update(state, data)
    steps = told(taken, "biases")
    rounds = learner.steps if learner.correction == "none" else learner.rounds
    assert (steps[0]["step"], steps[-1]["step"]) == (1, rounds)
    assert_array_equal(steps[0]["before"], taken.models[1].b)
    for each in steps:
        slope = each["data_mean"] - each["model_mean"]
        moved = each["after"].astype(float) - each["before"]
        fixed = learner.correction == "none" and "counts" not in each
        rate = learner.rate if fixed else moved @ slope / (slope @ slope)
        assert_allclose(moved, rate * slope, atol=1e-6)
        assert rate >= 0
        assert rate <= learner.rate * 1.001 or learner.correction != "none"
    if not len(state.chains) and learner.correction == "none" and learner.temperature == "units":
        v = states(data.n_visible)
        assert_allclose(steps[0]["model_mean"], np.exp(taken.models[1].log_likelihood(v)) @ v, atol=1e-6)
    if not len(state.chains):
        assert_array_equal(steps[-1]["after"].astype(np.float32), taken.models[-1].b)


def J(model: InfiniteRBM, data: Examples) -> float:
    price = PRICE / 2 * model.counts.astype(float) @ (model.units.astype(float) ** 2).sum(axis=1)
    return data.average(model.log_likelihood(data.v)) - price


def rise(model: InfiniteRBM, data: Examples):
    """The slope of J in each count."""
    v = states(data.n_visible)
    difference = data.distinct().weight / len(data) @ softplus(data.distinct().v, model.units)
    difference -= np.exp(model.log_likelihood(v)) @ softplus(v, model.units)
    return difference - PRICE / 2 * (model.units.astype(float) ** 2).sum(axis=1)


def test_full_makes_j_as_large_as_it_says(data):
    learner = FrankWolfe(correction="full", **SMALL)
    taken = learner.trace_update(begun(learner, data, 2), data)
    steps = told(taken, "counts")
    if len(taken.after.chains):
        assert all(0.5 <= each["left"] <= 1 for each in steps)
        assert (steps[0]["step"], steps[-1]["step"]) == (1, learner.rounds)
        return
    reached = [J(InfiniteRBM(taken.models[1].units, each["counts"], each["b"]), data) for each in steps]
    assert reached[-1] == max(reached) > J(taken.models[1], data)
    worth, last = (
        told(taken, "worth")[0]["value"],
        InfiniteRBM(taken.models[1].units, steps[-1]["counts"], steps[-1]["b"]),
    )
    assert_allclose(rise(taken.models[1], data)[-1], -worth, atol=1e-4)  # what the new unit was found by
    assert np.abs(rise(last, data)[steps[-1]["counts"] > 0]).max() < 1e-3 * -worth
    assert_array_equal(steps[-1]["counts"][steps[-1]["counts"] > 0].astype(np.float32), taken.models[-1].counts)
    assert_array_equal(steps[-1]["b"].astype(np.float32), taken.models[-1].b)


def test_a_line_goes_to_where_j_is_largest():
    data = load("bars-and-stripes", D=3).train
    learner = FrankWolfe(correction="line", **SMALL)
    taken = learner.trace_update(begun(learner, data, 2), data)
    (line,), base = told(taken, "line"), taken.models[1]
    assert (line["unit"], line["before"]) == (base.n_units - 1, 0.0)
    along = [InfiniteRBM(base.units, np.append(base.counts[:-1], count), base.b) for count in line["at"]]
    assert_allclose(line["J"], [J(each, data) for each in along], atol=1e-5)
    step = line["at"][1] - line["at"][0]
    assert abs(line["at"][line["J"].argmax()] - line["after"]) <= step
    assert_allclose(line["after"], taken.models[-1].counts[-1], rtol=1e-6)


def test_units_whose_count_comes_to_nought_are_told():
    data = load("bars-and-stripes", D=3).train
    learner = FrankWolfe(correction="full", lambda_=PRICE, restarts=1)
    state = begun(learner, data, 0)
    for _ in range(30):
        taken = learner.trace_update(state, data)
        left = told(taken, "leave")
        if left:
            break
        state = taken.after
    gone = left[0]["units"]
    assert_array_equal(told(taken, "counts")[-1]["counts"][gone], 0)
    assert_array_equal(taken.after.gone, taken.models[1].units[gone])


def spoilt():
    small = drawn(9, [1, 1, 1], size=0.1)
    bad = np.concatenate([np.tile([4.0, -4.0], 5)[:9], [-6.0]]).astype(np.float32)
    return InfiniteRBM(np.insert(small.units, 1, bad, axis=0), np.ones(4), np.zeros(9))


def test_an_away_step_of_all_counts_tells_them_as_they_change():
    data = load("bars-and-stripes", D=3).train
    learner = FrankWolfe(correction="none", lambda_=0.3, away=True, steps=5, temperature="gradient")
    taken = learner.trace_update(begun(learner, data, 0, spoilt()), data)
    (shrink,), steps = told(taken, "shrink"), told(taken, "biases")
    assert_array_equal(shrink["before"], np.ones(4))
    assert_allclose(shrink["after"], np.array([4, 0, 4, 4]) / 3, rtol=1e-6)
    assert_array_equal(taken.models[1].counts, shrink["after"])
    assert not steps[0]["counts"][1]
    assert_allclose(np.delete(steps[-1]["counts"], 1), taken.models[-1].counts)


def test_an_away_step_tells_the_worst_unit():
    data = load("bars-and-stripes", D=3).train
    learner = FrankWolfe(correction="none", lambda_=0.3, away=True, steps=5)
    taken = learner.trace_update(begun(learner, data, 0, spoilt()), data)
    assert_array_equal(told(taken, "shrink")[0]["after"], [1, 0, 1, 1])
    assert not any("counts" in each for each in told(taken, "biases"))
    (away,), (present,) = told(taken, "away"), told(taken, "present")
    assert (away["worst"], away["taken"]) == (1, True)
    assert_allclose(away["lead"], present["slope"].mean() - present["slope"][1], atol=1e-9)
    assert away["lead"] > away["rival"]
    assert_array_equal(told(taken, "leave")[0]["units"], [1])
    assert not told(taken, "insert")
    assert taken.models[-1].n_units == 3


@pytest.mark.parametrize("rows", ["bars-and-stripes", "digits"])
def test_no_unit_worth_inserting_is_the_end(rows):
    data = load(rows).train.head(100)
    learner = FrankWolfe(lambda_=5.0, samples=50, restarts=1, K=1)
    taken = learner.trace_update(begun(learner, data, 0), data)
    (worth,), (over,) = told(taken, "worth"), told(taken, "over")
    assert worth["worthless"] == (worth["value"] > worth["bound"])
    assert worth["again"] == (rows == "digits")  # chains find a unit by chance
    looks = told(taken, "search")
    assert looks[-1]["length"] < 0.1 * looks[0]["length"]
    assert str(told(taken, "found")[0]["apart"]) == "nothing"
    assert (bool(worth["worthless"]), str(over["why"]), taken.after.done) == (True, "worthless", True)
    assert not told(taken, "insert")


def test_gray_rows_are_those_of_the_update():
    v = np.random.default_rng(0).integers(0, 256, (40, 5)).astype(np.uint8)
    data = Examples(v, levels=256)
    learner = FrankWolfe(**SMALL)
    state = begun(learner, data, 1)
    taken, after = learner.trace_update(state, data), learner.advance(state, data)
    assert_array_equal(taken.models[-1].b, after.model.b)
    assert_allclose(told(taken, "samples")[0]["data_mean"], data.epoch(1, seed=1).v.mean(axis=0), atol=1e-12)


def test_a_row_that_is_not_there_is_refused(learner, data, state):
    with pytest.raises(ValueError, match="row must be a whole number from 0 to"):
        learner.trace_update(state, data, row=10**6)


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 200])
def test_a_few_of_a_long_sequence(n):
    few = spread(n, 8)
    assert len(few) == min(n, 8)
    assert few[:1] + few[-1:] == ([0, n - 1] if n else [])


@pytest.mark.parametrize("iterations", [0, 1, 5, 40, 1000])
def test_of_a_long_search_few_looks_are_kept(iterations):
    path = SearchPath(4, np.zeros(1), 0.0)
    for k in range(1, iterations + 1):
        path(type("Result", (), {"x": np.full(1, k), "fun": -k}))
    looks = path.points()
    assert len(looks) == min(4, iterations + 1)
    assert [int(x[0]) for _, x in looks] == [k for k, _ in looks]
    assert (looks[0][0], looks[-1][0], len(path.values)) == (0, iterations, iterations + 1)
