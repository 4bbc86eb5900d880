"""What a diagnosis names, what it passes over, and what it says to try."""

import dataclasses

import numpy as np
import pytest

from boltzcore.data import Dataset, Examples, load
from boltzcore.inference.annealing import Annealing
from boltzcore.learners import BSLM, CD, PCD, TrajectoryTempering
from boltzcore.measures import diagnose
from boltzcore.measures.diagnosis import Case
from boltzcore.measures.diagnosis.fit import likelihood_fell
from boltzcore.measures.measure import MeasureContext
from boltzcore.models import RBM, CRBMSetup, FVBMSetup, InfiniteRBMSetup, RBMSetup
from boltzcore.names import Names
from tests.tools.diagnoses import is_named, twins
from tests.tools.diagnoses import sound as sound_trainings
from tests.tools.diagnoses import spoilt as spoilt_trainings

DIGITS = load("digits")
BARS = load("bars-and-stripes")
SETUP = RBMSetup(hidden=8)


def trained(learner, setup=SETUP, data=DIGITS, updates=200, seed=0):
    """(model, learner and state) after so many updates."""
    state = learner.start(setup.initial(data.train, seed=seed), data.train, seed=seed)
    state = learner.advance(state, data.train, updates=updates)
    return state.model, {"learner": learner, "state": state}


def names(findings):
    return [finding.name for finding in findings]


def found(name, findings):
    """The one finding of that name."""
    return next(finding for finding in findings if finding.name == name)


@pytest.fixture(scope="module")
def sound():
    return trained(PCD(rate=0.05, K=2), updates=1500)


def test_nothing_is_said_of_a_sound_training(sound):
    model, training = sound
    assert diagnose(model, DIGITS, **training) == []
    assert diagnose(model, DIGITS) == []


@pytest.mark.parametrize(("ends", "fell"), [((-21, None), False), ((-21, -14), False), ((-25, -24), True)])
@pytest.mark.parametrize("later", [(), ((2000, (-16, None)),)])
def test_a_likelihood_fell_only_where_the_newest_estimate_ends_below_an_earlier_one(ends, fell, later):
    """Estimates with a lower end and, of some, an upper one."""
    name = "train_log_likelihood_ais"
    records = [
        (count, {name: low + 0.1, f"{name}_low": low, **({} if high is None else {f"{name}_high": high})})
        for count, (low, high) in ((100, (-22.1, -21.9)), (1000, (-15, None)), (1500, ends), *later)
    ]
    case = Case(None, BARS, False, None, None, MeasureContext(0), records)
    assert (likelihood_fell(case) is not None) == (fell and not later)


def test_rows_alone_are_taken_too(sound):
    model, training = sound
    assert diagnose(model, DIGITS.train, **training) == []
    assert diagnose(model, DIGITS.train.v) == []


def test_the_state_stays_as_it_is(sound):
    model, training = sound
    state = training["state"]
    chains, W = state.chains.copy(), model.W.copy()
    diagnose(model, DIGITS, **training)
    assert (state.chains == chains).all()
    assert (model.W == W).all()


def test_it_says_the_same_twice():
    model, training = trained(PCD(rate=0.5), updates=500)
    assert diagnose(model, DIGITS, **training) == diagnose(model, DIGITS, **training) != []


def test_a_rate_too_large_is_named_with_a_tenth_of_it_to_go_on_with():
    model, training = trained(CD(rate=2.0))
    finding = found("rate too large", diagnose(model, DIGITS, **training))
    assert finding.remedy.fields == {"learner.rate": 0.2}
    assert finding.remedy.live
    assert "% of their size" in finding.evidence


def test_a_rate_too_small_is_named_with_a_larger_one():
    model, training = trained(CD(rate=1e-5))
    finding = found("rate too small", diagnose(model, DIGITS, **training))
    assert 1e-4 < finding.remedy.fields["learner.rate"] <= 0.05
    assert finding.remedy.live


def test_small_batches_and_few_chains_are_named_with_their_number():
    model, training = trained(PCD(rate=0.02, batch_size=3))
    findings = diagnose(model, DIGITS, **training)
    assert "3 of 1,297 rows" in found("batch too small", findings).evidence
    assert found("chains too few", findings).remedy.fields == {"learner.chains_per_row": 17}
    assert not found("batch too small", findings).remedy.live


def test_few_rows_are_no_small_batch():
    model, training = trained(CD(rate=0.1, batch_size=0), data=BARS)
    assert "batch too small" not in names(diagnose(model, BARS, **training))


def spoilt(model, **fields):
    """Every second hidden unit with other weights or biases."""
    arrays = {"W": model.W.copy(), "c": model.c.copy()}
    for name, value in fields.items():
        arrays[name][..., ::2] = value
    return RBM(arrays["W"], model.b, arrays["c"])


def test_units_are_told_apart(sound):
    model, _ = sound
    assert names(diagnose(spoilt(model, c=60.0), DIGITS)) == ["saturated units"]
    dead = diagnose(spoilt(model, W=0.0, c=-9.0), DIGITS)
    assert names(dead) == ["dead units"]
    assert dead[0].evidence.startswith("4 of 8 hidden units")
    assert dead[0].remedy.fields == {"model.hidden": 4}
    even = diagnose(spoilt(model, W=0.2, c=-4.0), DIGITS)
    assert "all-ones features" in names(even)


def test_even_weights_are_right_where_all_columns_go_together():
    up = np.random.default_rng(0).random((300, 1)) < 0.5
    rows = (np.random.default_rng(1).random((300, 9)) < np.where(up, 0.9, 0.1)).astype(np.uint8)
    model = RBM(np.full((9, 2), 1.5, np.float32), np.full(9, -2.2, np.float32), np.full(2, -6.0, np.float32))
    assert "all-ones features" not in names(diagnose(model, rows))


def test_weights_are_large_by_themselves_or_beside_the_base_rate():
    model = RBMSetup(hidden=8, sigma=4.0).initial(DIGITS.train, seed=0)
    finding = found("weights explode", diagnose(model, DIGITS))
    assert "worse than independent pixels" in finding.evidence
    finding = found("weights explode", diagnose(RBM(10 * model.W, model.b, model.c), DIGITS))
    assert "largest weight" in finding.evidence


def test_parameters_beyond_any_sum_are_named_too():
    model = RBMSetup(hidden=30).initial(DIGITS.train, seed=0)
    assert "weights explode" in names(diagnose(RBM(model.W * 1e34, model.b, model.c), DIGITS))


def test_overfitting_needs_held_out_rows():
    few = dataclasses.replace(DIGITS, train=DIGITS.train.head(40))
    model, training = trained(CD(rate=0.1, K=5), RBMSetup(hidden=16), few, updates=8000)
    finding = found("overfitting", diagnose(model, few, **training))
    assert finding.remedy.fields == {"model.hidden": 8}
    assert "overfitting" not in names(diagnose(model, few.train, **training))
    worse_than_independent = RBM(6 * model.W, 6 * model.b, 6 * model.c)
    assert "overfitting" in names(diagnose(worse_than_independent, few))


def test_chains_that_miss_the_model_are_named():
    """Five clusters, between which no Gibbs chain goes."""
    clusters = load("clusters")
    model, training = trained(PCD(rate=0.05, batch_size=100), RBMSetup(hidden=16), clusters, updates=1500)
    finding = found("chains not at equilibrium", diagnose(model, clusters, **training))
    assert "the learner's own chains" in finding.evidence
    assert finding.remedy.fields == {"learner": "TrajectoryTempering"}
    model, training = trained(
        TrajectoryTempering(rate=0.05, batch_size=100), RBMSetup(hidden=16), clusters, updates=1500
    )
    assert diagnose(model, clusters, **training) == []


def test_chains_whose_hidden_means_are_not_the_models_are_named():
    """Where log Z misses nothing."""
    generator, learner = np.random.default_rng(0), PCD(batch_size=100)
    coins = Examples(generator.integers(0, 2, (500, 64), np.uint8))
    rows = Dataset(coins, coins, coins)
    state = learner.start(RBMSetup(hidden=4, sigma=0.05).initial(rows.train, seed=0), rows.train, seed=0)
    far = dataclasses.replace(state, chains=(generator.random((100, 64)) < 0.9).astype(np.uint8))
    finding = found("chains not at equilibrium", diagnose(state.model, rows, learner=learner, state=far))
    assert "The means of hidden units over the learner's own chains" in finding.evidence
    assert finding.remedy.fields == {"learner.K": 5}
    assert "chains not at equilibrium" not in names(diagnose(state.model, rows, learner=learner, state=state))


def test_an_estimate_of_few_temperatures_is_doubted_and_an_exact_likelihood_is_not():
    model = RBMSetup(hidden=30, sigma=1.0).initial(DIGITS.train, seed=0)
    finding = found("likelihood not to be believed", diagnose(model, DIGITS, annealing=Annealing(50, 3)))
    assert finding.remedy.fields == {"annealing.temperatures": 30}
    small = RBMSetup(hidden=10, sigma=1.0).initial(DIGITS.train, seed=0)
    assert "likelihood not to be believed" not in names(diagnose(small, DIGITS, annealing=Annealing(50, 3)))


def test_a_start_without_the_mean_is_named():
    model, training = trained(CD(rate=0.005), RBMSetup(hidden=8, visible_bias="zero"), updates=20)
    finding = found("mean not learnt", diagnose(model, DIGITS, **training))
    assert finding.remedy.fields == {"model.visible_bias": "base rate"}


def table(rows, names=("a", "b", "c", "d", "e")):
    rows = Examples(rows)
    return Dataset(rows, None, rows, names=Names(names))


def coins(columns=5, n=300):
    return (np.random.default_rng(3).random((n, columns)) < 0.4).astype(np.uint8)


def test_columns_that_say_nothing_or_the_same_are_named_as_the_table_names_them():
    rows = coins()
    rows[:, 1], rows[:, 3] = 1, rows[:, 0]
    model = RBMSetup(hidden=3).initial(Examples(rows), seed=0)
    constant, duplicated = diagnose(model, table(rows))[:2]
    assert constant.name == "constant columns"
    assert constant.evidence.endswith(": b.")
    assert duplicated.name == "duplicated columns"
    assert duplicated.evidence.endswith(": d as a.")
    assert duplicated.remedy.fields == {"data.leave_out": ("d",)}


def test_columns_of_few_rows_are_alike_by_chance():
    rows = (np.random.default_rng(0).random((12, 40)) < 0.2).astype(np.uint8)
    model = RBMSetup(hidden=3).initial(Examples(rows), seed=0)
    assert "duplicated columns" not in names(diagnose(model, rows))


def test_the_border_of_images_is_no_constant_column():
    data = load("mnist-small")
    model = RBMSetup(hidden=3).initial(data.train, seed=0)
    assert "constant columns" not in names(diagnose(model, data, annealing=Annealing(4, 3)))
    assert "constant columns" not in names(diagnose(model, data.train, annealing=Annealing(4, 3)))
    on = data.mapped(lambda split: dataclasses.replace(split, v=_with_pixel(split.v, 406)))
    finding = found("constant columns", diagnose(model, on, annealing=Annealing(4, 3)))
    assert finding.evidence == "1 of 784 pixels has one value in all rows: pixel 407."


def _with_pixel(v, i):
    v = v.copy()
    v[:, i] = 255
    return v


@pytest.mark.parametrize("setup", [FVBMSetup(), InfiniteRBMSetup(), CRBMSetup()])
def test_other_models_are_diagnosed_by_their_data(setup):
    rows = coins()
    rows[:, 1] = 0
    data = table(rows)
    model = setup.initial(data.train, seed=0)
    assert names(diagnose(model, data)) == ["constant columns"]


def test_a_learner_without_a_rate_is_taken_too():
    data = table(coins())
    learner = BSLM()
    state = learner.start(FVBMSetup().initial(data.train, seed=0), data.train, seed=0)
    assert diagnose(state.model, data, learner=learner, state=state) == []


def test_data_of_another_width_are_refused(sound):
    with pytest.raises(ValueError, match="64 visible units, but the rows of the data have 9"):
        diagnose(sound[0], BARS)


def test_ticks_never_fall():
    ticks = []
    model, training = trained(PCD(rate=0.05), RBMSetup(hidden=30), updates=50)
    diagnose(model, DIGITS, **training, annealing=Annealing(20, 50), tick=ticks.append)
    assert ticks == sorted(ticks)
    assert ticks[-1] <= 1


@pytest.mark.parametrize("sign", [1, -1])
def test_units_with_the_same_or_opposite_weights_are_twins(sound, sign):
    model = twins(sign, n=2)(sound[0], np.random.default_rng(0))
    found_twins = found("twin units", diagnose(model, DIGITS))
    assert found_twins.evidence.startswith("2 of 8 hidden units")
    assert found_twins.remedy.fields == {"model.hidden": 6}


@pytest.mark.parametrize(
    ("how", "seed"),
    [
        ("answers and their opposite, PCD", 7),
        ("bars beside the opposite of a pixel, centred", 7),
        ("forty answers at rate 3, centred", 2),
        ("biases that are 4 larger, S-DCP", 7),
        ("a file with noise on its biases", 7),
        ("twins from the start, bars", 7),
        ("a rate raised to 3, bars", 7),
    ],
)
def test_a_spoilt_training_is_named_rightly(how, seed):
    wanted, training = spoilt_trainings()[how]
    assert is_named(wanted, training.findings(seed), training.learner)


@pytest.mark.parametrize("what", ["answers, CD", "bars, on the plateau", "votes, PCD"])
def test_a_sound_training_is_passed_over(what):
    assert sound_trainings()[what].findings(7) == []
