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


MODES = two_modes(-2.0)
EARLIER = RBM(0.4 * MODES.W, 0.4 * MODES.b, 0.4 * MODES.c)


@pytest.mark.parametrize(
    "way", [[exact.random_rbm(6, 4, 1.0, seed=3)], [MODES], [EARLIER, MODES]], ids=["rough", "two modes", "two models"]
)
def test_they_have_the_law_of_the_last_model_and_its_log_z(way):
    model = way[-1]
    found = [sample_along(way, 4000, mean=np.full(model.n_visible, 0.5), seed=seed) for seed in range(2)]
    seen, wanted = shares(np.concatenate([each.v for each in found]), model)
    assert np.abs(seen - wanted).sum() / 2 < 0.06
    assert any(each.log_z.low < model.log_partition() < each.log_z.high for each in found)
    assert all(800 < each.effective <= 4000 for each in found)
