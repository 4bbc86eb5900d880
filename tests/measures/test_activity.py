"""Hidden activity against plain numpy."""

import numpy as np
import pytest

from boltzcore.data.examples import Dataset, Examples
from boltzcore.measures.activity import always_off, always_on, hidden_activity, mean_activity
from boltzcore.models import RBM
from tests.models import exact


@pytest.mark.parametrize(("n", "n_visible", "n_hidden"), [(1, 1, 1), (7, 5, 3), (300, 37, 70), (513, 20, 33)])
def test_activity_is_the_mean_of_the_conditional_probability(n, n_visible, n_hidden):
    rbm = exact.random_rbm(n_visible, n_hidden)
    v = (np.random.default_rng(1).random((n, n_visible)) < 0.4).astype(np.uint8)
    v.setflags(write=False)
    wanted = exact.sigmoid(v @ rbm.W.astype(np.float64) + rbm.c).mean(axis=0)
    np.testing.assert_allclose(mean_activity(rbm, v), wanted, atol=2e-6)


def test_dead_units_are_those_that_are_always_off_or_always_on():
    logits = np.array([-20.0, -4.0, 0.0, 4.0, 20.0])
    rbm = RBM(np.zeros((3, 5)), np.zeros(3), logits)
    rows = Examples(np.eye(3, dtype=np.uint8))
    activity = mean_activity(rbm, rows.v)
    assert always_off(activity).tolist() == [True, False, False, False, False]
    assert always_on(activity).tolist() == [False, False, False, False, True]
    got = hidden_activity(rbm, Dataset(rows, None, rows))
    assert got == {"hidden_activity": pytest.approx(0.5, abs=1e-6), "dead_units": 2.0}
