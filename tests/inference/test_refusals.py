"""Wrong arguments of inference are named."""

from functools import partial

import numpy as np
import pytest

from boltzcore.inference import (
    annealed_importance_sampling,
    belief_propagation,
    complete,
    draw_samples,
    equilibrium_gap,
    gibbs,
    mean_field,
    recall,
    reverse_annealed_importance_sampling,
)
from boltzcore.inference.filling import fill
from boltzcore.models import FVBM, LogLinear, Potts
from tests.models import exact
from tests.runs.toys import refused

RBM, CRBM = exact.random_rbm(3, 2), exact.random_crbm(3, 2, 3)
OTHERS = FVBM(np.zeros((3, 3)), np.zeros(3)), Potts([3], np.zeros(3), np.zeros((3, 3)))
ROWS, X, UNKNOWN, RAGGED = np.zeros((5, 3)), np.zeros(3), np.zeros(3, bool), [[0, 1, 0], [0, 1]]


anneal = partial(annealed_importance_sampling, RBM)
anneal_back = partial(reverse_annealed_importance_sampling, RBM, samples=ROWS)
propagate = partial(belief_propagation, CRBM, x=X)
fill_in = partial(complete, RBM, v=X, known=UNKNOWN)
measure_gap = partial(equilibrium_gap, RBM, chains=ROWS, temperatures=5)
move = partial(gibbs, RBM, v=ROWS, steps=1, seed=0)
remember = partial(recall, RBM)
TEMPERATURES = (1, 10**12, "many", [[0, 1]], [[0], [0, 1]], [], [0, 0.5], [0.1, 1], [0, 0.5, 0.5, 1], [0, np.nan, 1])
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
    (propagate, "x"): (None, np.zeros(4), np.zeros((2, 3, 1)), np.full(3, np.nan), RAGGED),
    (partial(mean_field, CRBM), "x"): (None, "abc", RAGGED),
    (fill_in, "known"): (np.zeros(2, bool), np.zeros(3), [[True], [True, False]]),
    (fill_in, "v"): (X + 0.5, X[:2]),
    (fill_in, "chains"): (0,),
    (fill_in, "burn_in"): (-1,),
    (fill_in, "steps"): (0,),
    (measure_gap, "chains"): (ROWS[:1], ROWS[:, :2], ROWS + 0.5),
    (move, "v"): (X, ROWS[:, :2], ROWS + 0.9),
    (remember, "start"): (X[:2], X + 0.5),
    (measure_gap, "particles"): (1,),
    (move, "purpose"): ("x", -1),
    (partial(fill, LogLinear((2,)), [[-1]]), "seed"): ("x",),
    (partial(draw_samples, exact.random_rbm(30, 30)), "mean"): ("x", [0.5]),
} | {
    (partial(annealed_importance_sampling, model), name): wrong
    for model in OTHERS
    for name, wrong in {"chains": (0, "x"), "seed": ("x",), "step": (-1,), "base": ("x", [0, 0], [np.nan] * 3)}.items()
}


@pytest.mark.parametrize(("call", "name", "wrong"), [(*key, each) for key, wrong in WRONG.items() for each in wrong])
def test_what_is_wrong_is_named(call, name, wrong):
    with pytest.raises(ValueError, match=f"^{name} must"):
        call(**{name: wrong})


@pytest.mark.parametrize("call", [draw_samples, belief_propagation, recall, equilibrium_gap, complete, fill])
def test_a_model_of_another_kind_is_refused(call):
    with refused("rbm" if call in (equilibrium_gap, complete) else "model"):
        call("RBM", *[X] * {draw_samples: 0, complete: 2}.get(call, 1))
