"""The rows of the speed table; their times are no matter of a test."""

import pytest

from boltzcore import bench
from boltzcore.bench import rbm, rows, units


def test_a_row_of_propagation_is_built_only_where_both_sides_agree(monkeypatch):
    bench.ROWS["bp"].build()
    monkeypatch.setattr(rows, "SAME", 1e-9)
    with pytest.raises(ValueError, match="baseline"):
        bench.ROWS["bp"].build()


def test_the_row_of_frank_wolfe_is_built_only_where_both_sides_agree(monkeypatch):
    monkeypatch.setattr(units, "blots", lambda n, seed=0: rbm.blots(n // 10, seed))
    ours, baseline = bench.ROWS["frank_wolfe"].build()
    ours(), baseline()
    monkeypatch.setattr(units, "GRADIENT", 1e-12)
    with pytest.raises(ValueError, match="baseline"):
        bench.ROWS["frank_wolfe"].build()


def test_an_unknown_row_is_refused():
    with pytest.raises(ValueError, match="bench"):
        bench.run(("speed",))
