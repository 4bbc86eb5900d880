"""Figures for Python users."""

import numpy as np
import pytest

from boltzcore import Comparison, compare, plotting, train
from boltzcore.models import FVBM
from tests.runs.toys import batch

BASE = batch(4, every=2)


def test_a_training_is_a_line_and_several_have_names():
    records = [step.record for step in train(BASE) if step.record]
    (line,) = plotting.plot_training(records, "train_log_likelihood").data
    assert list(line.y) == [record.values["train_log_likelihood"] for record in records]
    two = plotting.plot_training({"a": records, "b": records[:2]}, "train_log_likelihood", axis="updates")
    assert [(line.name, list(line.x)) for line in two.data] == [("a", [0, 2, 4]), ("b", [0, 2])]
    with pytest.raises(ValueError, match="figure"):
        plotting.plot_training(records, "no_such_figure")


def test_couplings_and_comparisons_are_drawn():
    M = np.array([[0.0, 0.5], [0.5, 0.0]])
    assert plotting.plot_couplings(FVBM(M, np.zeros(2))).data[0].z[1][0] is None
    result = compare(Comparison(BASE, {"one": {"CD.K": 1}, "two": {"CD.K": 2}}, trials=2, axis="updates", budget=4))
    assert {line.name for line in plotting.plot_comparison(result).data} == {"one", "two"}
