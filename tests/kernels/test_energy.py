"""Free energies against plain numpy."""

import numpy as np
import pytest

from boltzcore.kernels import energy


@pytest.mark.parametrize(("n", "n_visible", "n_hidden"), [(1, 1, 1), (5, 13, 7), (3, 64, 33)])
def test_free_energies(n, n_visible, n_hidden):
    rng = np.random.default_rng(n)
    W, b, c = (rng.normal(size=shape).astype(np.float32) for shape in ((n_visible, n_hidden), n_visible, n_hidden))
    bits, fractions = rng.integers(0, 2, (n, n_visible), np.uint8), rng.random((n, n_visible))

    def wanted(v):
        v = v.astype(np.float64)
        return -v @ b - np.logaddexp(0, v @ W.astype(np.float64) + c).sum(axis=1)

    assert energy.free_energy_of_model(bits, W, b, c) == pytest.approx(wanted(bits), rel=1e-12)
    assert energy.free_energy_of_model(fractions, W, b, c) == pytest.approx(wanted(fractions), rel=1e-12)
    fields = (bits @ W + c).astype(np.float32)
    assert energy.free_energy(bits, np.tile(b, (n, 1)), fields) == pytest.approx(wanted(bits), rel=1e-5)
