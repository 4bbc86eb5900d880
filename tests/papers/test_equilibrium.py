"""The study of five clusters, made small."""

import pytest

from boltzcore.papers import STUDIES, equilibrium
from boltzcore.ticks import idle


@pytest.mark.nightly
def test_each_training_is_a_row_and_goes_on_from_those_kept(monkeypatch):
    monkeypatch.setattr(equilibrium, "RATES", (0.05,))
    monkeypatch.setattr(equilibrium, "OPERATIONS", {"quick": 150_000_000})
    study = STUDIES["everything-looks-right"]
    found = list(study.rows("quick", idle))
    assert [row["learner"] for row in found] == ["PCD-1", "PCD-10", "PT", "PTT"]
    for row in found:
        assert sum(row["model_shares"]) == pytest.approx(1)
        assert sum(row["chain_shares"]) == pytest.approx(1)
        assert -70 < row["log_likelihood"] < -21
    assert "ladder_log_z_less_exact" in found[-1]
    assert list(study.rows("quick", idle, found[:3])) == found[3:]
