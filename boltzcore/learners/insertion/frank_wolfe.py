"""Frank-Wolfe learning of infinite RBMs: one hidden unit at a time (Ping, Liu and Ihler 2016, Algorithm 1)."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.kernels import random as streams
from boltzcore.learners.base import Learner, State, check_advance, gibbs_steps_field, rate_field
from boltzcore.learners.insertion.algorithm import (
    FrankWolfeState,
    Update,
    unit_figures,
    with_rows,
)
from boltzcore.models import InfiniteRBM
from boltzcore.models.infinite import MOST_UNITS
from boltzcore.parameters import parameter
from boltzcore.ticks import Tick, idle, portion

EXACT = 16  # visible units up to which expectations are sums over all states: 2**16 rows times units, in float64
LARGE = 1_000.0  # a weight beyond: the unit has no price that holds it
LOST = 10.0  # times what coin tosses would say of the data, in nats: no steps on alpha bring a likelihood below back


@dataclass(frozen=True)
class FrankWolfe(Learner):
    """Inserts, at each update, the hidden unit along which the likelihood rises fastest; then counts and biases move.

    With correction 'none' it is the paper's: every unit counts once, so that the model is an RBM of as many. 'line' and
    'full' make J = E log p - lambda/2 sum_i c_i |w_i|**2 larger in the counts c_i and the visible biases, along one
    line after another or in all of them: for these it is concave, and with exact expectations it never falls.

    Expectations under the model are sums over all states up to 16 visible units; those of more, enumerable or not, come
    from persistent chains, for a correction computes the response of each unit to each state again and again.
    """

    libraries: ClassVar[tuple[str, ...]] = ("scipy",)
    same_everywhere: ClassVar[bool] = False
    state_type: ClassVar[type[State]] = FrankWolfeState

    lambda_: float = parameter(
        0.001,
        low=0.0,
        high=100.0,
        symbol="\N{GREEK SMALL LETTER LAMDA}",
        live=True,
        help="Penalty on a unit's squared weights: too large, no unit is worth inserting; too small, weights explode.",
        label="Penalty",
    )
    correction: str = parameter(
        "full",
        choices=("none", "line", "full"),
        help="After an insertion: none (the paper's, every unit counts once), line (the new count, then the biases, as "
        "far as each line rises), full (all counts and biases anew; units whose count falls to 0 leave).",
    )
    ball: float = parameter(
        0.0,
        low=0.0,
        high=1e6,
        symbol="C",
        help="Keep each unit within squared length C, in place of the penalty. 0 keeps the penalty.",
        label="Ball of weights",
    )
    temperature: str = parameter(
        "units",
        choices=("units", "gradient"),
        symbol="\N{GREEK SMALL LETTER ALPHA}",
        help="Without correction: alpha is the number of units, which makes an RBM, or goes by its gradient, with the "
        "biases, each step no farther than the likelihood rises.",
    )
    away: bool = parameter(
        False,
        help="Take an away step, which removes or shrinks the worst unit, where that gains more than inserting one. "
        "With the full correction units leave by themselves.",
        label="Away steps",
    )
    samples: int = parameter(
        1_000, low=10, high=100_000, scale="log", symbol="S", help="Persistent chains that stand for the model."
    )
    K: int = gibbs_steps_field(10, "Gibbs steps of each chain before an insertion.", high=10_000, live=False)
    steps: int = parameter(
        200,
        low=0,
        high=10_000,
        help="Without correction: steps on the visible biases after an insertion, each after a Gibbs step of a batch.",
        label="Steps on the biases",
    )
    M: int = parameter(
        1_000,
        low=1,
        high=100_000,
        scale="log",
        symbol="M",
        help="Chains that take part in a step on the visible biases, the next ones at each; all of them where they are "
        "fewer.",
        label="Chains of a step on the biases",
    )
    rounds: int = parameter(
        20,
        low=1,
        high=1_000,
        help="With a correction: how often counts and biases move as far as the chains stand for the model, which then "
        "take a Gibbs step. Small models, whose states are summed over, need one.",
        label="Rounds of correction",
    )
    rate: float = rate_field(0.1, "Step size on the biases.")
    restarts: int = parameter(
        3,
        low=1,
        high=100,
        help="Random starts of the search for a unit; the best is inserted.",
        label="Starts of a unit",
    )
    sigma: float = parameter(
        0.1,
        low=1e-4,
        high=10.0,
        scale="log",
        symbol="\N{GREEK SMALL LETTER SIGMA}",
        help="Standard deviation of a unit's weights where its search starts; never 0, for there nothing pulls them.",
    )
    iterations: int = parameter(
        100, low=1, high=10_000, scale="log", help="Iterations of a search at most.", label="L-BFGS iterations"
    )

    # -- the contract ------------------------------------------------------------------------------------

    def start(self, model: InfiniteRBM, data: Examples | NDArray, *, seed: int) -> FrankWolfeState:
        """The State before the first unit is inserted."""
        rows = examples(data)
        chains = np.zeros((0, model.n_visible), np.uint8)
        if model.n_visible > EXACT:
            drawn = rows.epoch(0, seed).v  # chains start at the data
            chance = None if rows.weight is None else rows.weight / rows.total
            few = streams.generator(seed, streams.UNIT).choice(len(rows), self.samples, p=chance)
            chains = np.ascontiguousarray(drawn[few], np.uint8)
        width = model.n_visible + 1
        no_updates = np.zeros(0, np.int64)
        return FrankWolfeState(
            model,
            0,
            0,
            seed,
            figures=unit_figures(model),
            unit=np.zeros(0, np.float32),
            before=0.0,
            after=0.0,
            arrived=np.arange(1 - model.n_units, 1),
            removed=np.zeros((0, width), np.float32),
            removed_arrived=no_updates,
            removed_at=no_updates,
            mean_before=np.zeros(model.n_visible, np.float32),
            mean_after=np.zeros(model.n_visible, np.float32),
            mean_softplus=np.zeros(0),
            chains=chains,
        )

    def advance(
        self, state: FrankWolfeState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> FrankWolfeState:
        """The State `updates` insertions later, or where no unit is worth one."""
        check_advance(self, state, updates)
        given, beyond = examples(data), state.done
        for update in range(updates):
            if state.done and not beyond:
                break
            state = with_rows(state, given)
            state = Update(self, state, portion(tick, update / updates, 1 / updates)).run()
        return state


def divergence_sign(learner: FrankWolfe, state: FrankWolfeState) -> str:
    """Return the sign that parameters are beyond reason though finite, as the beginning of a sentence; "" for none."""
    largest = float(np.abs(state.unit).max(initial=0.0))
    if largest > LARGE:
        return f"The newest unit's weights reach {largest:,.4g}"
    # whole units may count too much, for a while
    if learner.correction == "none" and learner.temperature == "gradient":
        if len(state.unit) and not state.model.alpha and not state.done:
            return "No hidden unit counts any longer"
        coins = state.model.n_visible * math.log(2.0)
        if state.objective < -LOST * coins:
            return f"The objective has come to {state.objective:,.4g} nats, where coin tosses have {-coins:,.4g},"
    return f"Counts come to {MOST_UNITS:,} together" if state.model.alpha > 0.99 * MOST_UNITS else ""


def larger_penalty(learner: FrankWolfe) -> tuple[str, float] | None:
    """Return the field and value to go on with after a divergence; None within a ball, where nothing is paid."""
    declared = learner.named("lambda_")
    larger = min(max(10 * learner.lambda_, declared.default), declared.high or math.inf)
    return None if learner.ball else ("lambda_", larger)


def max_new_units(learner: FrankWolfe, updates: int) -> float:
    """Return the hidden units that a training inserts at most; inf if they may count a fraction."""
    return float(updates) if learner.correction == "none" and learner.temperature == "units" else math.inf
