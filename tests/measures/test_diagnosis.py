"""Findings of a diagnosis, the differences that it passes over, and the remedies that it names."""

import dataclasses

import numpy as np
import pytest

from boltzcore import learners
from boltzcore.data import Dataset, Examples, load
from boltzcore.inference.annealing import Annealing
from boltzcore.learners import CD, PCD, TrajectoryTempering
from boltzcore.measures import diagnose
from boltzcore.models import RBM, CRBMSetup, FVBMSetup, InfiniteRBMSetup, LogLinearSetup, PottsSetup, RBMSetup
from boltzcore.names import Names
from boltzcore.training.recipe import Recipe
from boltzcore.training.remedies import apply_remedy, live_changes
from tests.measures.faulty import is_named
from tests.measures.faulty import sound as sound_trainings
from tests.measures.faulty import spoilt as spoilt_trainings

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


def test_nothing_is_said_of_a_sound_training_and_its_state_stays(sound):
    model, training = sound
    chains, W = training["state"].chains.copy(), model.W.copy()
    assert diagnose(model, DIGITS, **training) == []
    assert (training["state"].chains == chains).all()
    assert (model.W == W).all()
    assert diagnose(model, DIGITS) == []


@pytest.mark.parametrize(
    ("learner", "name", "field", "low", "high", "live"),
    [
        (CD(rate=2.0), "rate too large", "learner.rate", 0.2, 0.2, True),
        (CD(rate=1e-5), "rate too small", "learner.rate", 1e-4, 0.05, True),
        (PCD(rate=0.02, batch_size=3), "batch too small", "learner.batch_size", 10, 1000, False),
    ],
)
def test_fields_that_spoil_a_training_are_named_with_others(learner, name, field, low, high, live):
    model, training = trained(learner)
    finding = found(name, diagnose(model, DIGITS, **training))
    assert low <= finding.remedy.fields[field] <= high
    assert finding.remedy.live == live


def test_a_start_without_the_mean_is_named():
    model, training = trained(CD(rate=0.005), RBMSetup(hidden=8, visible_bias="zero"), updates=20)
    finding = found("mean not learnt", diagnose(model, DIGITS, **training))
    assert finding.remedy.fields == {"model.visible_bias": "base rate"}


@pytest.mark.parametrize(("ends", "fell"), [((-21, None), False), ((-21, -14), False), ((-25, -24), True)])
@pytest.mark.parametrize("later", [(), ((2000, (-16, None)),)])
def test_a_likelihood_fell_only_where_the_newest_estimate_ends_below_an_earlier_one(ends, fell, later):
    """Estimates with a lower end and, of some, an upper one."""
    name = "train_log_likelihood_ais"
    records = [
        (count, {name: low + 0.1, f"{name}_low": low, **({} if high is None else {f"{name}_high": high})})
        for count, (low, high) in ((100, (-22.1, -21.9)), (1000, (-15, None)), (1500, ends), *later)
    ]
    model = SETUP.initial(BARS.train, seed=0)
    assert ("likelihood fell" in names(diagnose(model, BARS, records=records))) == (fell and not later)


def test_a_fallen_likelihood_is_met_by_a_field_of_the_learner():
    records = [(count, {"train_log_likelihood": -4.0 - 5 * count}) for count in (0, 1)]
    for setup, learner, fields in (
        (InfiniteRBMSetup(), learners.FrankWolfe(correction="none"), {"learner.correction": "full"}),
        (FVBMSetup(), learners.GradientAscent(mu=3.0), {"learner.mu": 1.0}),
        (FVBMSetup(), learners.Hebbian(), {}),
    ):
        model, training = trained(learner, setup, BARS, updates=1)
        findings = diagnose(model, BARS, records=records, **training)
        assert found("likelihood fell", findings).remedy.fields == fields


def spoilt(model, **fields):
    """Every second hidden unit with other weights or biases."""
    arrays = {"W": model.W.copy(), "c": model.c.copy()}
    for name, value in fields.items():
        arrays[name][..., ::2] = value
    return RBM(arrays["W"], model.b, arrays["c"])


def test_units_are_distinguished(sound):
    model, _ = sound
    assert names(diagnose(spoilt(model, c=60.0), DIGITS)) == ["dead units"]
    unused = diagnose(spoilt(model, W=0.0, c=-9.0), DIGITS)
    assert names(unused) == ["unused units"]
    assert unused[0].remedy.fields == {"model.hidden": 4}
    weighted = Examples(np.vstack([v := DIGITS.train.v, 1 - v]), weight=np.arange(2 * len(v)) < len(v))
    assert "dead units" in names(diagnose(spoilt(model, W=2.0, c=-64.0), weighted))


def test_weights_are_large_by_themselves_or_beside_the_base_rate():
    model = RBMSetup(hidden=8, sigma=4.0).initial(DIGITS.train, seed=0)
    for large in (model, RBM(10 * model.W, model.b, model.c)):
        assert "weights explode" in names(diagnose(large, DIGITS))


def test_overfitting_needs_held_out_rows():
    few = dataclasses.replace(DIGITS, train=DIGITS.train.head(40))
    model, training = trained(CD(rate=0.1, K=5), RBMSetup(hidden=16), few, updates=8000)
    finding = found("overfitting", diagnose(model, few, **training))
    assert finding.remedy.fields == {"model.hidden": 8}
    assert "overfitting" not in names(diagnose(model, few.train, **training))
    both = (Examples(few.train.v.repeat(20, axis=0)), Examples(few.train.v, weight=np.full(40, 20)))
    repeated, weighted = (found("overfitting", diagnose(model, dataclasses.replace(few, train=each))) for each in both)
    assert repeated == weighted
    worse_than_independent = RBM(6 * model.W, 6 * model.b, 6 * model.c)
    assert "overfitting" in names(diagnose(worse_than_independent, few))


@pytest.mark.parametrize(
    ("setup", "learner", "updates", "fields"),
    [
        (PottsSetup(), learners.PottsPseudoLikelihood(price=0.001), 1, {"learner.price": 0.002}),
        (PottsSetup(), learners.PottsPseudoLikelihood(price=0), 40, {"learner.price": 0.01}),
        (PottsSetup(), learners.PottsPCD(), 40, {"learner": "PottsPseudoLikelihood"}),
        (LogLinearSetup(), learners.GreedyMDL(price=0.1), 40, {"learner.price": 0.2}),
        (LogLinearSetup(), learners.PairwiseExact(), 40, {"learner": "GreedyMDL"}),
        (FVBMSetup(), learners.BSLM(), 40, {}),
    ],
)
def test_against_overfitting_a_model_without_hidden_units_gets_a_price(setup, learner, updates, fields):
    coins = np.random.default_rng(0).integers(0, 2, (1_020, 8), np.uint8)
    rows = Dataset(Examples(coins[:20]), None, Examples(coins[20:]))
    model, training = trained(learner, setup, rows, updates=updates)
    remedy = found("overfitting", diagnose(model, rows, **training)).remedy
    assert remedy.fields == fields
    recipe = Recipe(model=setup, data=rows, learner=learner)
    assert bool(live_changes(recipe, remedy, updates)) == (updates == 1)  # a training that has ended does not go on
    assert bool(apply_remedy(recipe, remedy, updates)) == bool(fields)


@pytest.mark.parametrize(("kind", "remedies"), [(PCD, [{"learner": "TrajectoryTempering"}]), (TrajectoryTempering, [])])
def test_chains_that_miss_the_model_are_named(kind, remedies):
    """Five clusters, between which no Gibbs chain goes."""
    clusters = load("clusters")
    model, training = trained(kind(rate=0.05, batch_size=100), RBMSetup(hidden=16), clusters, updates=1500)
    findings = diagnose(model, clusters, **training)
    assert [each.remedy.fields for each in findings if each.name == "chains not at equilibrium"] == remedies


def test_chains_whose_hidden_means_are_not_the_models_are_named():
    """A model whose estimate of log Z misses nothing."""
    generator, learner = np.random.default_rng(0), PCD(batch_size=100)
    coins = Examples(generator.integers(0, 2, (500, 64), np.uint8))
    rows = Dataset(coins, coins, coins)
    state = learner.start(RBMSetup(hidden=4, sigma=0.05).initial(rows.train, seed=0), rows.train, seed=0)
    far = dataclasses.replace(state, chains=(generator.random((100, 64)) < 0.9).astype(np.uint8))
    for K, fields in ((1, {"learner.K": 5}), (learner.named("K").high, {"learner": "TrajectoryTempering"})):
        findings = diagnose(state.model, rows, learner=learner.changed(K=K), state=far)
        assert found("chains not at equilibrium", findings).remedy.fields == fields
    assert "chains not at equilibrium" not in names(diagnose(state.model, rows, learner=learner, state=state))


def test_an_estimate_of_few_temperatures_is_doubted_and_an_exact_likelihood_is_not():
    model = RBMSetup(hidden=30, sigma=1.0).initial(DIGITS.train, seed=0)
    finding = found("unreliable likelihood", diagnose(model, DIGITS, annealing=Annealing(50, 3)))
    assert finding.remedy.fields == {"annealing.temperatures": 30}
    small = RBMSetup(hidden=10, sigma=1.0).initial(DIGITS.train, seed=0)
    assert "unreliable likelihood" not in names(diagnose(small, DIGITS, annealing=Annealing(50, 3)))


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


def test_the_border_of_images_is_no_constant_column():
    data = load("mnist-small")
    model = RBMSetup(hidden=3).initial(data.train, seed=0)
    assert "constant columns" not in names(diagnose(model, data, annealing=Annealing(4, 3)))
    assert "constant columns" not in names(diagnose(model, data.train, annealing=Annealing(4, 3)))
    pixel = np.arange(784) == 406
    on = data.mapped(lambda split: dataclasses.replace(split, v=np.where(pixel, np.uint8(255), split.v)))
    finding = found("constant columns", diagnose(model, on, annealing=Annealing(4, 3)))
    assert finding.evidence == "1 of 784 pixels has one value in all rows: pixel 407."


@pytest.mark.parametrize("setup", [FVBMSetup(), InfiniteRBMSetup(), CRBMSetup()])
def test_other_models_are_diagnosed_by_their_data(setup):
    rows = coins()
    rows[:, 1] = 0
    data = table(rows)
    model = setup.initial(data.train, seed=0)
    assert names(diagnose(model, data)) == ["constant columns"]


@pytest.mark.parametrize("how", spoilt_trainings())
def test_a_spoilt_training_is_named_rightly(how):
    wanted, training = spoilt_trainings()[how]
    assert is_named(wanted, training.findings(2 if how.startswith("forty") else 7), training.learner)


@pytest.mark.parametrize("what", sound_trainings())
def test_a_sound_training_is_passed_over(what):
    assert sound_trainings()[what].findings(7) == []
