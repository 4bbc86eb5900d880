"""The model suggested for a table, by its validation rows."""

import numpy as np
import pytest

from boltzcore.data import upload
from boltzcore.quoting import Refusal
from boltzcore.training.suggested import suggest_model


def table(*columns, **options):
    text = "".join(",".join(map(str, row)) + "\n" for row in zip(*columns, strict=True))
    return upload(text.encode()).changed(**options)


def test_couplings_of_many_values_suit_a_potts_model():
    generator = np.random.default_rng(0)
    first = generator.integers(0, 5, 600)  # of each value of the one, the other has two: terms for each cost much
    second, third = (first + generator.integers(0, 2, 600)) % 5, (first + 2 * generator.integers(0, 2, 600)) % 5
    found = suggest_model(table(*(np.array([*"abcde"])[codes] for codes in (first, second, third))))
    assert (found.model, found.rows) == ("potts", 120)
    assert found.difference == pytest.approx(found.means["potts"] - found.means["log-linear"])
    assert found.difference > 2 * found.error > 0


def test_the_parity_of_three_columns_suits_a_log_linear_model():
    a, b = np.random.default_rng(0).integers(0, 2, (2, 200))
    found = suggest_model(table(a, b, (a + b) % 2, np.arange(200) % 3))
    assert found.model == "log-linear"
    assert found.means["log-linear"] == pytest.approx(-np.log(4 * 3), abs=0.02)
    assert found.difference > np.log(2) - 0.05  # nats that a known parity takes off the third column


def test_of_independent_columns_the_model_of_the_higher_mean_is_named_though_it_is_not_clear():
    generator = np.random.default_rng(0)
    found = suggest_model(table(*generator.integers(0, 3, (3, 300))))
    assert found.model == max(found.means, key=found.means.get)
    assert 0 <= found.difference <= 2 * found.error


def test_a_table_is_compared_only_where_that_can_say_something():
    columns = np.random.default_rng(0).integers(0, 3, (18, 40))
    many = suggest_model(table(*columns))
    assert (many.model, many.means) == ("potts", None)  # 3^18 states
    with pytest.raises(Refusal, match="states"):
        suggest_model(table(*columns[:15]))
    assert suggest_model(table(*columns[:3], validation=0)) is None
    assert suggest_model(table(*(columns[:3] > 0).astype(int))) is None
