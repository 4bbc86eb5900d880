"""The study at equal operations, made small."""

import pytest

from boltzcore.papers import equal_work, equal_work_large
from boltzcore.ticks import idle

BEST = -3.41  # of Bars & Stripes 4 x 4: 30 patterns, two of them twice


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(equal_work, "TASKS", {"bars": equal_work.TASKS["bars"]})
    monkeypatch.setattr(equal_work, "OPERATIONS", {"quick": 30_000_000})


def test_each_training_is_a_row_and_goes_on_from_those_kept():
    found = list(equal_work.rows("quick", idle))
    assert [(row["rate"], row["learner"]) for row in found] == [
        (rate, name) for rate in (0.05, 0.2) for name in ("CD-1", "PCD-1", "PCD-10", "PT", "PTT")
    ]
    assert all(-14 < row["log_likelihood"] < BEST + 0.1 for row in found)
    assert ["equilibrium_gap" in row for row in found[:5]] == [False, True, True, True, True]
    assert list(equal_work.rows("quick", idle, found[:8])) == found[8:]
    assert len(equal_work.table(found)) == 1 + len(found)


def test_where_likelihoods_are_estimates_each_training_is_a_row_too(monkeypatch):
    monkeypatch.setattr(equal_work_large, "DATA", equal_work.TASKS["bars"].data)
    monkeypatch.setattr(equal_work_large, "HIDDEN", 4)
    monkeypatch.setattr(equal_work_large, "OPERATIONS", {"quick": 3_000_000})
    few = {name: each.changed(batch_size=0) for name, each in equal_work_large.LEARNERS.items()}
    monkeypatch.setattr(equal_work_large, "LEARNERS", few)
    found = list(equal_work_large.rows("quick", idle))
    assert [row["learner"] for row in found] == list(few)
    assert all(row["low"] <= row["log_likelihood"] <= row["high"] for row in found)
    assert "rate_factor" in found[-1]
    assert list(equal_work_large.rows("quick", idle, found[:4])) == found[4:]
    assert len(equal_work_large.table(found)) == 1 + len(found)
