"""Products of float32 matrices: their sums run term after term, bit for bit."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from boltzcore.kernels import dense

sizes = st.integers(1, 150)


def matrices(*shapes, seed):
    rng = np.random.default_rng(seed)
    return tuple(rng.normal(size=shape).astype(np.float32) for shape in shapes)


def term_after_term(left, right, start):
    out = start.copy()
    for q in range(len(right)):
        out += left[:, q : q + 1] * right[q]
    return out


@settings(max_examples=40)
@given(m=st.integers(1, 9), n=sizes, columns=sizes, seed=st.integers(0, 99))
def test_a_product_adds_its_terms_in_order(m, n, columns, seed):
    left, right, bias = matrices((m, n), (n, columns), (m, columns), seed=seed)
    assert_array_equal(dense.product(left, dense.whole(right), bias), term_after_term(left, right, bias))
    assert_array_equal(
        dense.product(left, dense.whole(right), bias[0]), term_after_term(left, right, np.tile(bias[0], (m, 1)))
    )


@settings(max_examples=40)
@given(m=st.integers(1, 40), n=sizes, columns=sizes, seed=st.integers(0, 99))
def test_parts_of_a_transposed_product_make_the_whole(m, n, columns, seed):
    left, right, start = matrices((n, m), (n, columns), (m, columns), seed=seed)
    out = dense.whole(start)
    for first, last in ((0, m // 3), (m // 3, m)):
        dense.add_transposed_product(left, dense.whole(right), out, first, last)
    assert_array_equal(out[:, :columns], term_after_term(left.T, right, start))
    assert not out[:, columns:].any()
