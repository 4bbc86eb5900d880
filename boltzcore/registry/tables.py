"""Learners of fully visible machines, log-linear models and Potts models."""

from typing import Any

from boltzcore import learners
from boltzcore.learners import lbfgs, potts, pseudo_likelihood
from boltzcore.learners.base import lower_rate
from boltzcore.learners.log_linear import greedy, pairwise
from boltzcore.learners.log_linear.tables import KL
from boltzcore.measures.measure import NATS
from boltzcore.models.base import FEW_ROWS
from boltzcore.registry.info import FEW_PIXELS, SMALLER_RATE, LearnerInfo, Suggestion

CONVERGED = "L-BFGS has converged: the gradient is within the tolerance, or no step gains more than float64 precision."
PSEUDO_LIKELIHOOD: dict[str, Any] = {
    "family": "PL",
    "models": ("fvbm",),
    "length": (10_000, "updates"),
    "data_warning": pseudo_likelihood.warn_of_separation,
    "suggested": (Suggestion(200, columns=FEW_PIXELS), Suggestion(10)),  # the first updates gain most
}
SWEEPING: dict[str, Any] = PSEUDO_LIKELIHOOD | {
    "units": {pseudo_likelihood.INCREASE: "nats"},
    "cost": "An update is one sweep: each bias and each coupling in turn.",
    "operations": "Sums over all rows for each bias and each coupling, and updates of the rows' fields.",
    "stop_reason": "The last sweep changed the log-pseudo-likelihood of all rows by less than {tau} nats.",
}
CHAINS: dict[str, Any] = {
    "family": "CD",
    "cost": "An update is one Gibbs sweep of all chains ({chains:,}).",
    "advice": (SMALLER_RATE,),
    "length": (10_000, "updates"),
    "gibbs_steps": (),
    "divergence_fix": lower_rate,
}

TABLE_LEARNERS = (
    LearnerInfo(
        learners.BSLM,
        title="Lower-bound maximisation (BSLM)",
        source="Nguyen and Wood 2016, eq. 2.4 and 2.7",
        about="Moves each parameter in turn to the maximum of a parabola that is a lower bound of the "
        "log-pseudo-likelihood, which therefore never falls.",
        **SWEEPING,
    ),
    LearnerInfo(
        learners.GradientAscent,
        title="Gradient ascent (GA)",
        source="Hyvarinen 2006; Nguyen and Wood 2016, eq. 4.1 and 4.2",
        about="Moves each parameter in turn by a step mu along its derivative; with mu = 1 it is BSLM.",
        **SWEEPING,
        advice=("a step of at most 2",),
        divergence_fix=lambda _: ("mu", float(pseudo_likelihood.PROVED)),
    ),
    LearnerInfo(
        learners.PseudoLikelihoodLBFGS,
        title="Quasi-Newton ascent (L-BFGS)",
        source="scipy.optimize.minimize, L-BFGS-B; the objective of Nguyen and Wood 2016, eq. 2.1",
        about="Maximises the log-pseudo-likelihood over all parameters at once by L-BFGS.",
        **PSEUDO_LIKELIHOOD,
        cost="An update is up to {iterations:,} iterations, each with one or a few gradients over all rows.",
        operations="For each gradient, the fields of all rows and the products of rows with residuals.",
        stop_reason=CONVERGED,
        check=lbfgs.check_maximiser,
    ),
    LearnerInfo(
        learners.Hebbian,
        title="Hopfield network",
        source="Hopfield 1982; Amit, Gutfreund and Sompolinsky 1985",
        about="Starts with couplings of 0 and stores one pattern after the other: each raises the coupling of two "
        "units that agree in it and lowers that of two that differ.",
        family="Hebb",
        models=("fvbm",),
        cost="An update stores one pattern.",
        operations="For each pattern a product and a sum for each coupling.",
        stop_reason="Every pattern is stored.",
        length=(10_000, "updates"),
    ),
    LearnerInfo(
        learners.GreedyMDL,
        title="Greedy description length (MDL)",
        source="Takabatake and Akaho, Algorithms 1 to 3",
        about="Adds, adjusts or removes one term at a time, whichever shortens the description of data and model most, "
        "until no step shortens it.",
        family="MDL",
        models=("log-linear",),
        cost="An update is one greedy step: a term is added, adjusted or removed.",
        operations="For each step the transform of a table over every state (for n columns of two values n operations "
        f"each), {greedy.CHANGE} for the change of the cost along each candidate, and {greedy.STEP} for the "
        "probability of each state.",
        stop_reason="No step shortens the description by more than {threshold} nats per example: the search is over.",
        units={KL: NATS, greedy.COST: NATS, greedy.TERMS: ""},
        length=(10_000, "updates"),
        suggested=(Suggestion(100, fields={"price": 0.1}, rows=FEW_ROWS), Suggestion(100)),  # few rows support no more
        check=greedy.check_weights,
    ),
    LearnerInfo(
        learners.PairwiseExact,
        title="Exact gradient (BM-DI)",
        source="Takabatake and Akaho, section 3.2; scipy.optimize.minimize, L-BFGS-B",
        about="Maximum likelihood of a pairwise model by L-BFGS; every expectation is an exact sum over all states.",
        family="Pairwise",
        models=("log-linear",),
        cost="An update is up to {iterations:,} iterations, each with one or a few sums over all states.",
        operations="For each gradient, the forward and inverse transforms of a table over every state, and its "
        "normalisation.",
        stop_reason=CONVERGED,
        units={KL: NATS},
        length=(100, "updates"),
    ),
    LearnerInfo(
        learners.PairwisePCD,
        title="Persistent chains (BM-PCD)",
        source="Tieleman 2008; Takabatake and Akaho, section 3.3",
        about="Gradient steps of a pairwise model, with expectations estimated by persistent chains.",
        models=("log-linear",),
        **CHAINS,
        operations="A Gibbs step of each unit of each chain, products of the chains' units, and steps of the "
        "parameters.",
        suggested=(Suggestion(500, 10, {"rate": 0.1}),),
        check=pairwise.check_two_values,
    ),
    LearnerInfo(
        learners.PottsPseudoLikelihood,
        title="Pseudo-likelihood (L-BFGS)",
        source="Ekeberg et al. 2013; scipy.optimize.minimize, L-BFGS-B",
        about="Maximises the log-pseudo-likelihood by L-BFGS, less a price for each pair of columns: pairs that gain "
        "less than their price are not coupled.",
        family="PL",
        models=("potts",),
        cost="An update is up to {iterations:,} iterations, each with one or a few gradients over all rows.",
        operations="For each gradient, the fields of all rows and the products of rows with residuals.",
        stop_reason=CONVERGED,
        length=(1_000, "updates"),
        suggested=(Suggestion(1_000, fields={"iterations": 10}),),  # gives a visible curve
        check=potts.check_decay,
    ),
    LearnerInfo(
        learners.PottsPCD,
        title="Persistent chains (PCD)",
        source="Tieleman 2008",
        about="Gradient steps of the likelihood, with expectations estimated by persistent chains.",
        models=("potts",),
        **CHAINS,
        operations="A Gibbs step of each column of each chain, products of the chains' values, and steps of the "
        "parameters.",
        suggested=(Suggestion(1_000, 20, {"chains": 500}),),
    ),
)
