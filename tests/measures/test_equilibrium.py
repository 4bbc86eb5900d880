"""The equilibrium gap as a measure: of chains that go on, at records in full, sharing the likelihood's annealing."""

import dataclasses

import numpy as np
import pytest

from boltzcore import Recipe, train
from boltzcore.data import Examples, load
from boltzcore.data.examples import Dataset
from boltzcore.inference import annealing
from boltzcore.inference.annealing import Annealing
from boltzcore.learners import CD, PCD, TemperedPCD, TrajectoryTempering
from boltzcore.measures import MeasureContext, equilibrium_gap, log_likelihood
from boltzcore.measures.equilibrium import chains_from_rows
from boltzcore.models import RBMSetup
from boltzcore.training.schedule import Schedule

FIGURES = {"equilibrium_gap", "equilibrium_gap_low", "equilibrium_gap_high", "equilibrium_chi_square"}
QUICK = Annealing(chains=20, temperatures=20)


def records(learner, between=0, **fields):
    recipe = Recipe(
        RBMSetup(hidden=5),
        "bars-and-stripes",
        learner,
        Schedule(length=30, unit="updates", every=20, between=between),
        measures=("log_likelihood", "equilibrium_gap"),
        annealing=QUICK,
    )
    return [step.record for step in train(recipe) if step.record is not None]


@pytest.mark.parametrize(
    ("learner", "taken"),
    [
        (PCD(), 4),
        (TemperedPCD(chains=10, temperatures=3), 4),
        (TrajectoryTempering(chains=10), 4),
        (CD(), 0),
        (PCD(0.1, 1), 0),
    ],
)
def test_it_is_taken_of_learners_whose_chains_go_on(learner, taken):
    assert len(records(learner)[-1].values.keys() & FIGURES) == taken


def test_it_is_taken_at_records_in_full():
    taken = {record.count: "equilibrium_gap" in record.values for record in records(PCD(), between=5)}
    assert taken[20]
    assert taken[30]
    assert not any(taken[count] for count in (1, 5, 10, 15, 25))


def test_the_annealing_of_the_likelihood_is_shared(monkeypatch):
    rows = (np.random.default_rng(0).random((40, 30)) < 0.3).astype(np.uint8)
    model = RBMSetup(hidden=27, sigma=0.3).initial(Examples(rows), seed=0)  # too large to enumerate
    dataset, chains = Dataset(Examples(rows), None, Examples(rows)), rows[:10]
    runs, kernel = [], annealing.kernels.anneal
    monkeypatch.setattr(annealing.kernels, "anneal", lambda *a: runs.append(len(a[3].v)) or kernel(*a))
    alone = MeasureContext(annealing=QUICK, chains=chains)
    apart = log_likelihood(model, dataset, alone) | equilibrium_gap(model, dataset, alone)
    assert sorted(runs) == [10, 20, 20]
    runs.clear()
    shared = dataclasses.replace(alone, shared={})
    together = log_likelihood(model, dataset, shared) | equilibrium_gap(model, dataset, shared)
    assert sorted(runs) == [10, 20]
    assert together == apart


def test_a_model_without_chains_of_its_own_has_some_that_begin_at_rows():
    data = load("bars-and-stripes")
    model = RBMSetup(hidden=5).initial(data.train, seed=0)
    context = MeasureContext(annealing=QUICK)
    chains = chains_from_rows(model, data, context)
    assert chains.shape == (14, 9)
    assert equilibrium_gap(model, data, dataclasses.replace(context, chains=chains)).keys() >= FIGURES
