"""The study at equal operations, made small."""

import pytest

from boltzcore.papers import equal_work
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
