"""Estimates with no more effort than their interval asks for."""

import numpy as np
import pytest

from boltzcore.data.examples import Dataset, Examples
from boltzcore.inference import Annealing
from boltzcore.kernels import random as streams
from boltzcore.measures import MeasureContext, log_likelihood
from boltzcore.measures.likelihood import EFFORT
from boltzcore.measures.merit import in_full, merit
from boltzcore.models import RBM, InfiniteRBM

TRAIN = "train_log_likelihood_ais"
ROWS = Examples(np.random.default_rng(5).integers(0, 2, (60, 18), np.uint8))
DATA = Dataset(ROWS, None, Examples(ROWS.v[:20]))
FULL = Annealing(chains=100, temperatures=900)
EASY = Annealing(chains=100, temperatures=900, tolerance=0.05)


def rbm(sigma: float, seed: int = 0) -> RBM:
    W = streams.normal((18, 14), sigma, seed, streams.INITIAL)
    return RBM(W, streams.normal((18,), 0.02, seed, streams.SAMPLE), np.zeros(14, np.float32))


def measured(model, annealing, seed=0):
    return log_likelihood(model, DATA, MeasureContext(seed, 7, annealing, exact=False))


def test_the_interval_decides_how_much_effort_is_made():
    cases = ((0.01, 0.05), (0.5, 0.05), (0.5, 0.0001))
    taken = [measured(rbm(sigma), FULL.changed(tolerance=share)).get(EFFORT, 1.0) for sigma, share in cases]
    assert taken == [pytest.approx(32 * 30 / 90_000), pytest.approx(64 * 300 / 90_000), 1.0]


@pytest.mark.parametrize("tolerance", [0.05, 0.0001])
def test_an_estimate_follows_from_its_seed_and_the_full_one_is_the_usual_one(tolerance):
    model, annealing = rbm(0.5), FULL.changed(tolerance=tolerance)
    found = measured(model, annealing)
    assert found == measured(model, annealing)
    assert (found == measured(model, FULL)) == (EFFORT not in found)
    assert in_full(found) == (EFFORT not in found)
    assert (merit(found, (TRAIN,)) is None) == (EFFORT in found)


@pytest.mark.parametrize("sigma", [0.01, 0.5, 1.0])
def test_the_interval_holds_the_exact_likelihood_for_nearly_all_seeds(sigma):
    held, seeds = 0, 30
    for seed in range(seeds):
        model = rbm(sigma, seed)
        found = measured(model, EASY, seed)
        exact = log_likelihood(model, DATA)["train_log_likelihood"]
        held += found[f"{TRAIN}_low"] <= exact <= found.get(f"{TRAIN}_high", np.inf)
    assert held >= 0.9 * seeds


@pytest.mark.parametrize(
    "model",
    [
        RBM(np.zeros((40, 30)), np.linspace(-3, 3, 40), np.linspace(-1, 1, 30)),
        InfiniteRBM(np.zeros((0, 41)), np.zeros(0), np.linspace(-3, 3, 40)),
    ],
    ids=["rbm", "infinite"],
)
def test_without_weights_the_likelihood_is_known(model):
    rows = Examples(np.random.default_rng(1).integers(0, 2, (9, 40), np.uint8))
    found = log_likelihood(model, Dataset(rows, None, rows), MeasureContext(annealing=EASY, exact=False))
    b = model.b.astype(np.float64)
    exact = np.mean(rows.v @ b) - np.logaddexp(0, b).sum()
    assert found[TRAIN] == found[f"{TRAIN}_low"] == found[f"{TRAIN}_high"] == pytest.approx(exact, abs=1e-5)
    assert EFFORT not in found
