"""Standard errors of a log-linear model's values, held against known laws."""

import numpy as np
import pytest

from boltzcore.data import Examples
from boltzcore.measures.term_estimates import estimated_terms, term_estimates
from boltzcore.models import LogLinear

MIXED = LogLinear((2, 3, 4), {1: 0.5, 4: -0.4, 6: 0.3, 13: 0.3})


def rows(law: LogLinear, n: int, seed: int) -> Examples:
    return Examples(law.sample(n, seed).astype(np.uint8), levels=law.layout.cardinalities)


def test_the_values_are_those_of_maximum_likelihood():
    data = rows(MIXED, 300, 0)
    found = estimated_terms(MIXED, data)
    fitted = LogLinear(MIXED.cardinalities, dict(zip(MIXED.terms.tolist(), found.theta.tolist(), strict=True)))
    x = MIXED.layout.digits(np.arange(24))
    np.testing.assert_allclose(fitted.probabilities() @ MIXED.functions(x), MIXED.functions(data.v).mean(axis=0))


def test_the_fit_ascends_from_values_far_away():
    data = rows(MIXED, 300, 0)
    far = LogLinear(MIXED.cardinalities, {1: -14.0, 4: 14.0, 6: -14.0, 13: 14.0})
    np.testing.assert_allclose(estimated_terms(far, data).theta, estimated_terms(MIXED, data).theta)


def test_of_rows_as_the_law_has_them_the_covariance_is_the_inverse_of_fisher_s_information():
    states, p = MIXED.layout.digits(np.arange(24)).astype(np.uint8), MIXED.probabilities()
    found = estimated_terms(MIXED, Examples(states, weight=1_000 * p, levels=MIXED.layout.cardinalities))
    information = np.cov(MIXED.functions(states).T, aweights=p, bias=True)
    np.testing.assert_allclose(found.covariance, np.linalg.inv(information) / found.rows, atol=1e-12)


def test_weights_are_copies_of_rows():
    data = rows(MIXED, 40, 2)
    once, often = estimated_terms(MIXED, data.distinct()), estimated_terms(MIXED, data)
    np.testing.assert_allclose(once.covariance, often.covariance)


@pytest.mark.parametrize(
    ("model", "data"),
    [
        (LogLinear((2, 2)), [[0, 1]]),  # no term
        (LogLinear((2, 2), {3: 0.5}), [[0, 0], [1, 1]]),  # no maximum
        (LogLinear((2,) * 25, {2**25 - 1: 0.5}), [[0] * 25]),  # too many states
        (LogLinear((2, 2), {3: 0.5}), [[0, 0, 1]]),  # another width
    ],
)
def test_what_has_no_intervals_is_refused(model, data):
    with pytest.raises(ValueError, match=r"no term|no maximum|states|2 codes"):
        estimated_terms(model, np.array(data, np.uint8))


def test_terms_read_as_odds_ratios_the_strongest_first():
    law = LogLinear((2, 2, 2), {1: 0.2, 2: 0.01, 3: 0.4, 6: -0.2})
    data = rows(law, 4_000, 0)
    table = term_estimates(law, data)
    assert table["order"].tolist() == [2, 2, 1, 1]
    counts = np.histogram2d(data.v[:, 0], data.v[:, 1], bins=2)[0]  # the third column is linked to the second alone
    ratio = counts[0, 0] * counts[1, 1] / (counts[0, 1] * counts[1, 0])
    assert table["odds_ratio"][0] == pytest.approx(ratio, rel=1e-6)
    assert (table["odds_low"] < table["odds_ratio"]).all()
    assert (table["odds_ratio"] >= 1).all()  # of what is more often
    p = np.sort(table["p"])
    np.testing.assert_allclose(np.sort(table["p_holm"]), np.maximum.accumulate(p * [4, 3, 2, 1]).clip(max=1))
