"""Wrong arguments of inference are named."""

import numpy as np
import pytest

from boltzcore.inference import (
    annealed_importance_sampling,
    belief_propagation,
    complete,
    equilibrium_gap,
    reverse_annealed_importance_sampling,
)
from tests.models import exact

RBM, CRBM = exact.random_rbm(3, 2), exact.random_crbm(3, 2, 3)
ROWS, X, UNKNOWN = np.zeros((5, 3)), np.zeros(3), np.zeros(3, bool)


def anneal(**given):
    annealed_importance_sampling(RBM, **given)


def anneal_back(samples=ROWS, **given):
    reverse_annealed_importance_sampling(RBM, samples, **given)


def propagate(x=X, **given):
    belief_propagation(CRBM, x, **given)


def fill_in(v=X, known=UNKNOWN, **given):
    complete(RBM, v, known, **given)


def measure_gap(chains=ROWS, **given):
    equilibrium_gap(RBM, chains, temperatures=5, **given)


TEMPERATURES = (1, 10**12, "many", [[0, 1]], [], [0, 0.5], [0.1, 1], [0, 0.5, 0.5, 1], [0, np.nan, 1])
WRONG = {
    (anneal, "chains"): (0, 2.5, True),
    (anneal, "temperatures"): TEMPERATURES,
    (anneal, "base"): ([0, 0], [0, np.inf, 0]),
    (anneal_back, "temperatures"): TEMPERATURES,
    (anneal_back, "base"): ([0, 0], [0, np.inf, 0]),
    (anneal_back, "samples"): (ROWS[:0], ROWS + 0.5),
    (propagate, "kind"): ("min",),
    (propagate, "iterations"): (0, 2.5),
    (propagate, "tolerance"): (-1e-3, np.nan),
    (propagate, "damping"): (1.5, True, 1),
    (propagate, "x"): (None, np.zeros(4), np.zeros((2, 3, 1)), np.full(3, np.nan)),
    (fill_in, "known"): (np.zeros(2, bool), np.zeros(3)),
    (fill_in, "v"): (X + 0.5, X[:2]),
    (fill_in, "chains"): (0,),
    (fill_in, "burn_in"): (-1,),
    (fill_in, "steps"): (0,),
    (measure_gap, "chains"): (ROWS[:1],),
    (measure_gap, "particles"): (1,),
}


@pytest.mark.parametrize(("call", "name", "wrong"), [(*key, each) for key, wrong in WRONG.items() for each in wrong])
def test_what_is_wrong_is_named(call, name, wrong):
    with pytest.raises(ValueError, match=f"^{name} must"):
        call(**{name: wrong})


def test_chains_of_another_size_or_of_other_values_are_refused():
    with pytest.raises(ValueError, match="visible units"):
        measure_gap(ROWS[:, :2])
    with pytest.raises(ValueError, match="at least one"):
        measure_gap(ROWS + 0.5)
