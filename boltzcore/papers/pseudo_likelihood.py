"""Simulation of Nguyen and Wood (2016), A BSLM Algorithm for the Maximum Pseudo-Likelihood Estimation of Fully Visible
Boltzmann Machines.
"""

import math
import statistics
from collections.abc import Mapping
from typing import Any

import numpy as np

from boltzcore.data.random_fvbm import RandomFVBM
from boltzcore.learners import BSLM, PseudoLikelihoodLBFGS
from boltzcore.learners.base import State
from boltzcore.learners.pseudo_likelihood import INCREASE
from boltzcore.measures.separation import separation
from boltzcore.models import FVBM, FVBMSetup
from boltzcore.models.spectrum import Layout, expectations
from boltzcore.papers.study import Cell, Row, Study, portions, steps
from boltzcore.ticks import Tick
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule

COLUMNS = (5, 10, 15, 20)
STARTS, ROWS = 5, 16_000
VARIANCES = {"quick": 0.5, "paper": 0.5, "weak": 0.25**2}  # of the true biases and couplings
DRAWS = {"quick": 1, "paper": 20, "weak": 20}  # draws of the true model; the paper has one
AFTER = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)  # sweeps at which the curves of figure 1 are stored
SWEEPS = {"quick": 5_000, "paper": 50_000, "weak": 50_000}  # largest number of sweeps for each start
REPORTED = {5: 2.09e-6, 10: 5.96e-7, 15: 4.64e-7, 20: 2.89e-7}  # the paper's mean squared errors
FALL = 1e-12  # a decrease of P_n by more than this share of its last and smallest value is not rounding error


def recipe(scale: str, d: int, draw: int, start: int) -> Recipe:
    """Return one start of one scenario: the data's seed draws the true model, the training's seed the start."""
    return Recipe(
        FVBMSetup(variance=VARIANCES[scale]),
        RandomFVBM(d=d, variance=VARIANCES[scale], n=ROWS, seed=draw),
        BSLM(),
        Schedule(seed=start, length=SWEEPS[scale], unit="updates"),
        measures=(),
    )


def cells(scale: str) -> list[Cell]:
    """Return (d, draw) of every scenario."""
    return [(d, draw) for draw in range(DRAWS[scale]) for d in COLUMNS]


def _scenario(scale: str, d: int, draw: int, tick: Tick) -> Row:
    """Return the final state of each start of a scenario, and its distance from the truth if a maximiser exists."""
    data = RandomFVBM(d=d, variance=VARIANCES[scale], n=ROWS, seed=draw)
    rows, truth = data.load(tick).train, data.truth()
    found = separation(rows, tick)
    ends, increases = list[State](), list[list[float]]()
    for start, part in portions(range(STARTS), tick):
        increases.append([])
        for state, _ in steps(recipe(scale, d, draw, start), part):
            increases[-1].append(state.figures.get(INCREASE, 0.0))
        ends.append(state)
    reached = [_total(end.model, rows) for end in ends]
    row = {
        "distinct_rows": len(rows.distinct()),
        "maximiser": found.exists,
        "sweeps": [end.count for end in ends],
        "ended": sum(end.done for end in ends),
        "falls": sum(rise < -FALL * abs(p) for p, rises in zip(reached, increases, strict=True) for rise in rises),
        "log_pseudo_likelihood": reached,
        "after": list(AFTER),
        "increase": [[rises[k] if k < len(rises) else None for k in AFTER] for rises in increases],
        "log_pseudo_likelihood_after": [  # summed from the end, where it is most exact
            [p - math.fsum(rises[k + 1 :]) if k < len(rises) else None for k in AFTER]
            for p, rises in zip(reached, increases, strict=True)
        ],
        "reported_mse": REPORTED[d],
    }
    if not found.exists:
        return row
    learner = PseudoLikelihoodLBFGS()
    best = learner.advance(learner.start(ends[0].model, rows, seed=0), rows, updates=100, tick=tick).model
    return row | {
        "optimum": _total(best, rows),
        "mse": statistics.fmean(_squared(end.model, truth) for end in ends),
        "mse_of_optimum": _squared(best, truth),
        "cramer_rao": cramer_rao(truth, tick) / ROWS,
    }


def _total(model: FVBM, rows: Any) -> float:
    few = rows.distinct()
    return float(few.average(model.log_pseudo_likelihood(few.v)) * few.total)


def _squared(model: FVBM, truth: FVBM) -> float:
    """Return |theta_hat - theta_0|^2 / q, the paper's formula for one start."""
    apart = model.theta - truth.theta
    return float(apart @ apart / len(apart))


def cramer_rao(model: FVBM, tick: Tick) -> float:
    """Return the Cramer-Rao bound for one row, averaged over the parameters.

    The Fisher information is the covariance of the statistics x_j and x_j x_k; the mean of each product of two of them
    is a Walsh-Hadamard coefficient of the distribution.
    """
    d, means = model.n_visible, model.probabilities(tick=tick)
    expectations(Layout((2,) * d), means)  # with a minus for each unit of an odd number, which cancels in the trace
    first, second = np.triu_indices(d, 1)
    index = np.concatenate([1 << np.arange(d), (1 << first) | (1 << second)])
    tick(0.9)
    information = means[index[:, None] ^ index] - np.outer(means[index], means[index])
    return float(np.trace(np.linalg.inv(information)) / len(index))


STUDIES: Mapping[str, Study] = {
    "bslm-figure-1": Study(
        title="BSLM from five starts on 16,000 rows of a random machine (figure 1)",
        source="Nguyen and Wood 2016, section 5, figure 1",
        scales={
            "quick": "one draw of the truth for each d, at most 5,000 sweeps a start",
            "paper": "20 draws of the truth for each d (the paper has one), at most 50,000 sweeps a start",
            "weak": "as paper, with biases and couplings of standard deviation 0.25 in place of 0.71",
        },
        names=("d", "draw"),
        cells=cells,
        make=lambda scale, cells, tick: (_scenario(scale, d, draw, part) for (d, draw), part in portions(cells, tick)),
        parts=lambda scale: [recipe(scale, d, draw, start) for d, draw in cells(scale) for start in range(STARTS)],
        computations=(PseudoLikelihoodLBFGS,),
    ),
}
