"""The study of five clusters, made small."""

import numpy as np
import pytest

from boltzcore.inference.exact import exact_rows
from boltzcore.models import RBM
from boltzcore.papers import equilibrium
from boltzcore.ticks import idle
from tests.models import exact


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(equilibrium, "RATES", (0.05,))
    monkeypatch.setattr(equilibrium, "OPERATIONS", {"quick": 150_000_000})


@pytest.mark.nightly
def test_each_training_is_a_row_and_goes_on_from_those_kept():
    found = list(equilibrium.rows("quick", idle))
    assert [row["learner"] for row in found] == ["PCD-1", "PCD-10", "PT", "PTT"]
    for row in found:
        assert sum(row["model_shares"]) == pytest.approx(1)
        assert sum(row["chain_shares"]) == pytest.approx(1)
        assert -70 < row["log_likelihood"] < -21
    assert "ladder_log_z_less_exact" in found[-1]
    assert list(equilibrium.rows("quick", idle, found[:3])) == found[3:]
    assert len(equilibrium.table(found)) == 2 + len(found)


def test_rows_of_a_model_are_drawn_from_it():
    model = exact.random_rbm(4, 3, 1.5, seed=2)
    v = exact_rows(RBM(model.W, model.b, model.c), 20_000, 0)
    found = np.bincount(v @ [8, 4, 2, 1], minlength=16)
    wanted = 20_000 * exact.visible_probabilities(model)
    assert ((found - wanted) ** 2 / wanted).sum() < 45
