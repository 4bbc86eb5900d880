"""Tables over all states against the definition of every transform; the same digits on any number of threads."""

import numpy as np
import pytest

from boltzcore import threads
from boltzcore.models import spectrum
from boltzcore.models.spectrum import Layout
from tests.models.test_log_linear import local

LARGE = [(2,) * 16, (4, 2, 2, 3, 3, 2, 2, 2, 2, 2, 2), (3,) * 10, (2, 2, 5, 7, 2, 2, 2, 2, 2, 2, 2)]


def apply_functions(table: np.ndarray, sizes, transposed: bool) -> np.ndarray:
    """Each axis' local functions in turn; variable 0 varies fastest."""
    shaped = table.reshape(tuple(reversed(sizes)))
    for i, size in enumerate(sizes):
        axis = len(sizes) - 1 - i
        phi = local(size).T if transposed else local(size)
        shaped = np.moveaxis(np.tensordot(phi, shaped, (1, axis)), 0, axis)
    return shaped.reshape(-1)


@pytest.mark.parametrize("sizes", LARGE)
def test_transforms_are_those_of_the_local_functions(sizes):
    layout = Layout(sizes)
    p = np.random.default_rng(0).random(layout.size)
    for transform, transposed in ((spectrum.expectations, False), (spectrum.log_weights, True)):
        table = layout.arrange(p).copy()
        transform(layout, table)
        assert np.allclose(layout.public(table), apply_functions(p, sizes, transposed), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("sizes", LARGE)
def test_a_step_moves_all_duals_as_the_law_does(sizes):
    layout = Layout(sizes)
    rng = np.random.default_rng(1)
    p = rng.random(layout.size)
    p /= p.sum()
    duals = apply_functions(p, sizes, transposed=False)
    for y in [1, layout.size - 1, *rng.integers(1, layout.size, 6).tolist()]:
        one = np.zeros(layout.size)
        one[y] = 0.7
        moved = p * np.exp(apply_functions(one, sizes, transposed=True))
        wanted = apply_functions(moved / moved.sum(), sizes, transposed=False)
        table = layout.arrange(duals).copy()
        place = int(layout.place(np.array([y]))[0])
        spectrum.step(layout, table, place, float(np.tanh(0.7)), float(duals[y]))
        assert np.allclose(layout.public(table), wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("sizes", LARGE)
def test_digits_are_the_same_on_any_number_of_threads(sizes):
    layout = Layout(sizes)
    found = []
    for count in (1, 2, 3):
        with threads.use(count):
            table = np.random.default_rng(2).normal(0, 1e-4, layout.size)
            spectrum.log_weights(layout, table)
            log_z = spectrum.normalise(table)
            spectrum.expectations(layout, table)
            for place in (1, layout.size // 3, layout.size - 1):
                spectrum.step(layout, table, place, 0.1, float(table[place]))
            found.append((log_z, table.tobytes()))
    assert found[0] == found[1] == found[2]
    assert found[0][0] == pytest.approx(np.log(layout.size), abs=0.1)
