"""Samples of a model by exchanges on the way to it."""

import numpy as np
import pytest

from boltzcore.learners import sample_along
from boltzcore.models import RBM
from boltzcore.ticks import Stopped
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
    found = [sample_along([model], 5000, seed=seed) for seed in range(4)]
    seen, wanted = shares(np.concatenate([each.v for each in found]), model)
    assert np.abs(seen - wanted).sum() / 2 < 0.05
    assert sum(each.log_z.low < model.log_partition() < each.log_z.high for each in found) >= 3
    assert all(1000 < each.effective <= 5000 for each in found)


def test_the_way_may_lead_through_earlier_models():
    model = two_modes(-2.0)
    found = sample_along([RBM(0.4 * model.W, 0.4 * model.b, 0.4 * model.c), model], 2000, mean=np.full(12, 0.5))
    seen, wanted = shares(found.v, model)
    assert np.abs(seen - wanted).sum() / 2 < 0.08


def test_the_same_seed_draws_the_same():
    model = two_modes()
    one, again, other = (sample_along([model], 300, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.v, again.v)
    assert one.log_z.value == again.log_z.value != other.log_z.value
    assert one.v.shape == (300, model.n_visible)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"models": []}, "at least one"),
        ({"models": [two_modes(), exact.random_rbm(3, 2, 1.0, seed=0)]}, "of one size"),
        ({"models": [two_modes()], "n": 0}, "n must be"),
        ({"models": [two_modes()], "mean": [0.5]}, "mean must be"),
        ({"models": [two_modes()], "mean": np.full(12, np.nan)}, "mean must be"),
    ],
)
def test_bad_input_gets_a_sentence(given, sentence):
    with pytest.raises(ValueError, match=sentence):
        sample_along(**given)


def test_it_can_be_stopped():
    def stop(fraction: float = 0.0) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        sample_along([two_modes()], 100, tick=stop)
