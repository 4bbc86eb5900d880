"""The share of rows that logistic regression on hidden units misses, against a plain call of scikit-learn."""

import dataclasses

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from boltzcore.data import load
from boltzcore.data.examples import Dataset, Examples
from boltzcore.measures import classification_error
from boltzcore.measures.measure import all_rows
from boltzcore.models import InfiniteRBM
from tests.models import exact

N_VISIBLE, N_HIDDEN = 64, 12


@pytest.fixture(scope="module")
def rows():
    return all_rows(load("digits", binarise="threshold"), 0)


@pytest.fixture(scope="module")
def rbm():
    return exact.random_rbm(N_VISIBLE, N_HIDDEN, 0.3)


def count_missed(rbm, rows):
    """Of each split by scikit-learn alone, in float64."""

    def answers(v):
        return 1 / (1 + np.exp(-(v.astype(np.float64) @ rbm.W + rbm.c)))

    plain = LogisticRegression(C=1.0, max_iter=10_000, tol=1e-6).fit(answers(rows.train.v), rows.labels["train"])
    return {split: 1 - plain.score(answers(each.v), rows.labels[split]) for split, each in rows.splits.items()}


def test_it_is_the_error_of_a_plain_logistic_regression_on_the_sigmoids(rows, rbm):
    got, plain = classification_error(rbm, rows), count_missed(rbm, rows)
    assert set(got) == {f"{name}_classification_error" for name in rows.splits if name != "train"}
    for name in got:
        split = name.removesuffix("_classification_error")
        one = 1 / len(rows.splits[split])
        assert got[name] == pytest.approx(plain[split], abs=2.5 * one)  # rows on the edge of two labels
        assert 0 < got[name] < 0.5


def test_each_unit_is_taken_once_whatever_its_count(rows, rbm):
    several = InfiniteRBM(InfiniteRBM.from_rbm(rbm).units, np.linspace(0.1, 5.0, N_HIDDEN), rbm.b)
    assert classification_error(several, rows) == classification_error(rbm, rows)


def test_a_model_without_units_and_data_without_labels_give_nothing(rows, rbm):
    empty = InfiniteRBM(np.zeros((0, N_VISIBLE + 1)), np.zeros(0), np.zeros(N_VISIBLE))
    assert classification_error(empty, rows) == {}
    assert classification_error(rbm, dataclasses.replace(rows, labels={})) == {}
    only = {"train": rows.labels["train"]}
    assert classification_error(rbm, dataclasses.replace(rows, labels=only)) == {}
    one_kind = rows.labels | {"train": np.zeros_like(rows.labels["train"])}
    assert classification_error(rbm, dataclasses.replace(rows, labels=one_kind)) == {}


def test_a_row_that_weighs_two_counts_as_two_rows():
    rng = np.random.default_rng(0)
    v, weight = (rng.random((60, 8)) < 0.4).astype(np.uint8), rng.integers(0, 3, 60) + (np.arange(60) == 0)
    labels = v[:, 0] + v[:, 1]
    weighted = Dataset(*[Examples(v, weight=weight)] * 3, dict.fromkeys(("train", "test"), labels))
    copies = Dataset(*[Examples(v.repeat(weight, 0))] * 3, dict.fromkeys(("train", "test"), labels.repeat(weight)))
    rbm = exact.random_rbm(8, 5)
    assert classification_error(rbm, weighted) == pytest.approx(classification_error(rbm, copies), abs=1e-9)
    assert "validation_classification_error" not in classification_error(rbm, copies)  # no labels of those
