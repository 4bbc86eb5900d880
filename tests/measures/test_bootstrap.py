"""Bootstrap intervals of a log-linear model's values, held against known laws."""

import numpy as np
import pytest
from scipy.optimize import linprog

from boltzcore.data import Examples
from boltzcore.kernels import random as streams
from boltzcore.measures.bootstrap import Resampled, resampled
from boltzcore.models import LogLinear

MIXED = LogLinear((2, 3, 4), {1: 0.5, 4: -0.4, 6: 0.3, 13: 0.3})


def rows(law: LogLinear, n: int, seed: int) -> Examples:
    return Examples(law.sample(n, seed).astype(np.uint8), levels=law.layout.cardinalities)


def test_the_values_are_those_of_maximum_likelihood():
    data = rows(MIXED, 300, 0)
    found = resampled(MIXED, data, drawings=19)
    fitted = LogLinear(MIXED.cardinalities, dict(zip(MIXED.terms.tolist(), found.values.tolist(), strict=True)))
    x = MIXED.layout.digits(np.arange(24))
    expected = fitted.probabilities() @ MIXED.functions(x)
    np.testing.assert_allclose(expected, MIXED.functions(data.v).mean(axis=0), atol=1e-4)


def test_intervals_cover_the_values_of_the_law():
    covered = []
    for seed in range(12):
        low, high = resampled(MIXED, rows(MIXED, 150, seed), drawings=59, seed=seed).interval(0.9)
        covered.append((low <= MIXED.values) & (MIXED.values <= high))
    assert 0.8 <= np.mean(covered) <= 0.98


def test_drawings_go_by_the_seed_and_weights_are_copies_of_rows():
    data = rows(MIXED, 40, 2)
    twice = data.distinct()
    first = resampled(MIXED, data, drawings=9)
    np.testing.assert_array_equal(first.drawn, resampled(MIXED, twice, drawings=9).drawn)
    assert not np.array_equal(first.drawn, resampled(MIXED, data, drawings=9, seed=1).drawn)


def test_an_interval_leaves_as_many_drawings_out_at_either_end():
    drawn = np.random.default_rng(0).permutation(99)[:, None] + 100.0
    low, high = Resampled(np.zeros(1), drawn, 10).interval(0.9)  # 5 of 100 ranks lie outside at either end
    assert (low[0], high[0]) == (104, 194)


def test_a_drawing_without_a_maximum_opens_the_interval():
    law = LogLinear((2, 2), {1: 0.0, 3: 0.0})
    v = np.array([[0, 0]] * 20 + [[1, 1]] * 20 + [[0, 1]], np.uint8)  # a third of the drawings have no row that differs
    found = resampled(law, v, drawings=199)
    assert 0.2 < np.isinf(found.drawn[:, 1]).mean() < 0.5
    low, high = found.interval(0.95)
    assert np.isfinite(low).all()
    assert (np.isfinite(high[0]), high[1]) == (True, np.inf)


def test_values_without_a_maximum_are_infinite_along_a_direction_in_which_the_likelihood_never_falls():
    rng = np.random.default_rng(6)
    law = LogLinear((2,) * 5, {int(y): float(rng.normal() * 0.6) for y in rng.choice(np.arange(1, 32), 8, False)})
    data = rows(law, 60, 6)
    found, seen = resampled(law, data, drawings=99), data.distinct()
    assert not np.isnan(found.drawn).any()
    of_all, of_seen, open_ones = law.functions(law.layout.digits(np.arange(32))), law.functions(seen.v), 0
    for b, values in enumerate(found.drawn):
        again = streams.generator(0, streams.BOOTSTRAP, b).multinomial(60, seen.weight / 60)
        beyond, sign = of_all - again @ of_seen / 60, np.sign(values)
        never = np.zeros(8)
        bounds = [
            ((1, None) if up > 0 else (None, -1)) if far else (0, 0)
            for up, far in zip(sign, np.isinf(values), strict=True)
        ]
        if any(far != (0, 0) for far in bounds):
            open_ones += 1
            assert linprog(never, A_ub=beyond, b_ub=np.zeros(32), bounds=bounds).status == 0
        else:  # no direction gains anywhere without a loss elsewhere
            slack = linprog(beyond.sum(axis=0), A_ub=beyond, b_ub=np.zeros(32), bounds=[(-1, 1)] * 8)
            assert slack.fun > -1e-6
    assert open_ones > 5


@pytest.mark.parametrize(
    ("model", "data"),
    [
        (LogLinear((2, 2)), [[0, 1]]),  # no term
        (LogLinear((2, 2), {3: 0.5}), [[0, 0], [1, 1]]),  # no maximum
        (LogLinear((2,) * 19, {2**19 - 1: 0.5}), [[0] * 19]),  # too many states
        (LogLinear((2, 2), {3: 0.5}), [[0, 0, 1]]),  # another width
    ],
)
def test_what_has_no_intervals_is_refused(model, data):
    with pytest.raises(ValueError, match=r"no term|no maximum|states|2 codes"):
        resampled(model, np.array(data, np.uint8))
