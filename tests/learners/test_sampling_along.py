"""Samples of a model by exchanges on the way to it."""

import numpy as np
import pytest

from boltzcore.learners import sample_along
from boltzcore.models import RBM
from tests.inference.test_equilibrium import two_modes
from tests.models import exact


def shares(v: np.ndarray, model: RBM) -> tuple[np.ndarray, np.ndarray]:
    places = 1 << np.arange(model.n_visible)
    seen = np.bincount(v @ places, minlength=2**model.n_visible) / len(v)
    wanted = np.bincount(exact.states(model.n_visible).astype(int) @ places, exact.visible_probabilities(model))
    return seen, wanted


@pytest.mark.parametrize("model", [exact.random_rbm(6, 4, 1.0, seed=3), two_modes(-2.0)], ids=["rough", "two modes"])
def test_they_have_the_law_of_the_model_and_its_log_z(model):
    model = RBM(model.W, model.b, model.c)
    found = [sample_along([model], 4000, seed=seed) for seed in range(2)]
    seen, wanted = shares(np.concatenate([each.v for each in found]), model)
    assert np.abs(seen - wanted).sum() / 2 < 0.06
    assert any(each.log_z.low < model.log_partition() < each.log_z.high for each in found)
    assert all(800 < each.effective <= 4000 for each in found)


def test_the_way_may_lead_through_earlier_models():
    model = two_modes(-2.0)
    found = sample_along([RBM(0.4 * model.W, 0.4 * model.b, 0.4 * model.c), model], 2000, mean=np.full(12, 0.5))
    seen, wanted = shares(found.v, model)
    assert np.abs(seen - wanted).sum() / 2 < 0.08


@pytest.mark.parametrize(
    "given",
    [
        {"models": []},
        {"models": [two_modes(), exact.random_rbm(3, 2, 1.0, seed=0)]},
        {"models": [two_modes()], "n": 0},
        {"models": [two_modes()], "mean": [0.5]},
        {"models": [two_modes()], "mean": np.full(12, np.nan)},
    ],
)
def test_bad_input_is_refused(given):
    with pytest.raises(ValueError, match=r"at least one|of one size|(n|mean) must be"):
        sample_along(**given)
