"""The log-linear model learns from rows with gaps, and stands in a Pipeline."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from boltzcore.estimators import LogLinearModel, PottsModel
from tests.learners.test_greedy import LAW, with_gaps


def divergence(X, machine) -> float:
    """KL of the law from what is learnt, nats."""
    p, states = LAW.probabilities(), LAW.layout.digits(np.arange(LAW.n_states))
    return float(p @ (np.log(p) - machine(random_state=0).fit(X).score_samples(states)))


@pytest.mark.parametrize("machine", [LogLinearModel, PottsModel])
def test_rows_with_gaps_are_learnt_from_by_expectation_maximisation(machine):
    rows, coded, rng = LAW.sample(2_000, 0).astype(float), with_gaps(2_000), np.random.default_rng(1)
    gaps = np.where(coded < 0, np.nan, coded)
    whole = gaps[~np.isnan(gaps).any(axis=1)]
    assert divergence(gaps, machine) < 3 * divergence(rows, machine) < 0.1 * divergence(whole, machine)
    with pytest.raises(ValueError, match="completions"):
        LogLinearModel().fit(np.where(rng.random((300, 20)) < 0.9, np.nan, rng.integers(0, 2, (300, 20))))


@pytest.mark.parametrize("machine", [LogLinearModel, PottsModel])
def test_transform_fills_and_encodes_rows_of_a_frame(machine):
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], 400)
    X = pd.DataFrame(
        {"colour": colour, "hot": np.where(rng.random(400) < np.where(colour == "red", 0.9, 0.1), "y", "n")}
    )
    X.iloc[:40, 1] = None
    made = machine(random_state=0).fit(X).transform(X)
    assert list(made.columns) == ["colour=blue", "colour=green", "colour=red", "hot=y"]
    np.testing.assert_array_equal(made["hot=y"][:40], colour[:40] == "red")
    assert not made.isna().any(axis=None)
    assert machine(random_state=0).fit(X.set_axis([0, 1], axis=1)).impute([["red", None]])[1].tolist() == ["y"]
    gray = machine(binarize=7.5, random_state=0).fit(16.0 * pd.get_dummies(colour))
    np.testing.assert_array_equal(gray.transform(16.0 * pd.get_dummies(colour)), pd.get_dummies(colour))
    pipe = make_pipeline(machine(random_state=0), LogisticRegression()).fit(X, colour == "red")
    assert pipe.score(X, colour == "red") > 0.95
