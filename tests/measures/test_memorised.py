"""The share of a model's samples that are rows of its data."""

import numpy as np
import pytest

from boltzcore.data import Dataset, Examples
from boltzcore.data.corruption import Corruption
from boltzcore.measures.memorised import memorised
from boltzcore.models import CRBM, FVBM, RBM, InfiniteRBM, LogLinear

B = np.array([30.0, 30.0, -30.0])  # of a model of the row 1, 1, 0 alone
NONE = np.zeros((3, 1))
MODELS = {
    "rbm": RBM(NONE, B, np.zeros(1)),
    "infinite": InfiniteRBM(np.zeros((1, 4)), np.array([1.5]), B),
    "fvbm": FVBM(np.zeros((3, 3)), B),
    "crbm": CRBM(NONE, np.zeros((3, 3)), NONE.T, B, np.zeros(1)),
}


def data(*rows: list[int]) -> Dataset:
    return Dataset(train := Examples(list(rows)), None, train, shape=(1, 3)).corrupted(Corruption(rate=0.5))


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_every_sample_of_a_model_of_one_row_is_that_row(model):
    assert memorised(model, data([0, 0, 0], [1, 1, 0])) == 1.0
    assert memorised(model, data([0, 0, 0], [1, 0, 0])) == 0.0


@pytest.mark.parametrize("model", [RBM(NONE, np.zeros(3), np.zeros(1)), LogLinear([2, 2, 2])], ids=["rbm", "table"])
def test_of_a_model_that_knows_nothing_it_is_the_share_of_states_that_are_rows(model):
    assert memorised(model, data([0, 0, 0], [1, 1, 0], [1, 1, 0])) == pytest.approx(0.25, abs=0.05)
