"""Learners of RBMs and infinite RBMs."""

from typing import Any

from boltzcore import learners, observations
from boltzcore.learners.insertion import frank_wolfe
from boltzcore.learners.tempering import parallel, trajectory
from boltzcore.learners.tempering.exchanges import ACCEPTED, HIGH, LOG_Z, LOW, ladder_figures
from boltzcore.measures.measure import NATS, SHARE
from boltzcore.models.base import FEW_ROWS
from boltzcore.registry.info import MINIBATCHES, SMALLER_RATE, LearnerInfo, Suggestion, minibatch_suggestions

OF_CHAINS = "Products of units with the weights (two in each Gibbs step of a chain), outer products of the terms of "
CONTRASTIVE: dict[str, Any] = MINIBATCHES | {
    "operations": f"{OF_CHAINS}the gradient, and steps of the weights.",
    "observe": observations.observe_update,
}
CD: dict[str, Any] = CONTRASTIVE | {
    "family": "CD",
    "cost": "Gibbs steps of each chain in an update: {K}; terms of the gradient: 2.",
    "advice": (SMALLER_RATE, "more Gibbs steps than K = {K}"),
    "suggested": minibatch_suggestions(K=12),  # as in Upadhya and Sastry's small experiments
    "gibbs_steps": ("K",),
}
DCP: dict[str, Any] = CONTRASTIVE | {
    "family": "DCP",
    "cost": "Gibbs steps of each chain in an update: d K' = {gibbs_steps}, as in CD-{gibbs_steps}; terms of the "
    "gradient: d + 1 (CD: 2).",
    "advice": (SMALLER_RATE, "more Gibbs steps than K' = {K_prime}"),
    "suggested": minibatch_suggestions(d=3, K_prime=4),
    "gibbs_steps": ("d", "K_prime"),
}
CENTRED: dict[str, Any] = {
    "operations": f"{OF_CHAINS}the gradient, the offsets' parts of the gradient, and steps of the weights."
}
LADDER = {ACCEPTED: SHARE, LOG_Z: "nats", LOW: "nats", HIGH: "nats"}

RBM_LEARNERS = (
    LearnerInfo(
        learners.CD,
        title="Contrastive divergence (CD-K)",
        source="Hinton 2002; Upadhya and Sastry 2017, Algorithm 1",
        about="Compares a mini-batch with the result of K Gibbs steps from its rows: the data become more probable, "
        "the samples less probable. The gradient is biased; a larger K reduces the bias.",
        **CD,
    ),
    LearnerInfo(
        learners.PCD,
        title="Persistent CD (PCD-K)",
        source="Tieleman 2008; Upadhya and Sastry 2017, section 3",
        about="Like CD, but the chains continue from one update to the next, and so come closer to the model's "
        "distribution.",
        **CD,
        keeps_chains=True,
    ),
    LearnerInfo(
        learners.CenteredGradient,
        title="Centred gradient (CG-K)",
        source="Melchior, Fischer and Wiskott 2016; Upadhya and Sastry 2017, Algorithm 4 with d = 1",
        about="CD with a moving mean subtracted from every unit, so that the step does not depend on which of the two "
        "values is coded as 1.",
        **CD | CENTRED,
    ),
    LearnerInfo(
        learners.SDCP,
        title="Stochastic DC programming (S-DCP)",
        source="Upadhya and Sastry 2017, Algorithms 2 and 3",
        about="The negative log-likelihood is a difference f - g of convex functions. An update linearises g and takes "
        "d gradient steps on f minus the tangent of g, each after K' Gibbs steps of chains that start at the "
        "mini-batch and continue. With d = 1 it is CD-K'.",
        **DCP,
    ),
    LearnerInfo(
        learners.CSDCP,
        title="Centred S-DCP (CS-DCP)",
        source="Upadhya and Sastry 2017, Algorithm 4",
        about="S-DCP with centred gradients: the offsets of all units follow their means from one inner step to the "
        "next. With d = 1 it is the centred gradient.",
        **DCP | CENTRED,
    ),
    LearnerInfo(
        learners.SSD,
        title="Stochastic spectral descent (SSD)",
        source="Carlson, Cevher and Carin 2015; Upadhya and Sastry 2017, section 4",
        about="Replaces the gradient of W by a step that is equally large in all its singular directions; the biases "
        "take the plain gradient. It needs large batches, because it also amplifies sampling noise.",
        **CD
        | {
            "cost": CD["cost"] + " It also takes a singular value decomposition of a matrix of the size of W.",
            "operations": f"{OF_CHAINS}the gradient, singular value decompositions, and steps of the weights.",
            "advice": (lambda ssd: "larger batches than {batch_size:,} rows" * bool(ssd.batch_size), *CD["advice"]),
            "suggested": (
                Suggestion(3_333, 33, {"K": 12, "rate": 0.02}, rows=FEW_ROWS),
                Suggestion(1_000, 10, {"K": 12, "batch_size": 0}, rows=200),
                Suggestion(1_000, 10, {"K": 12, "batch_size": 200}),
            ),
        },
    ),
    LearnerInfo(
        learners.TemperedPCD,
        title="Parallel tempering (PT)",
        source="Desjardins, Courville, Bengio, Vincent and Delalleau 2010",
        about="Like PCD, but each chain swaps states with replicas at higher temperatures, which mix faster. So it can "
        "leave modes that Gibbs steps alone cannot leave.",
        family="CD",
        **MINIBATCHES,
        cost="Gibbs steps of {chains:,} chains in an update: {K} at each of {temperatures} temperatures; "
        "terms of the gradient: 2.",
        operations="Products of units with the weights (two in each Gibbs step of a chain, at every temperature), "
        "outer products of the terms of the gradient, and steps of the weights; not the sweeps that estimate log Z.",
        units=LADDER,
        gibbs_steps=("K", "temperatures"),
        keeps_chains=True,
        memory=parallel.memory,
        estimates=ladder_figures,
    ),
    LearnerInfo(
        learners.TrajectoryTempering,
        title="Trajectory tempering (PTT)",
        source="Bereux, Decelle, Furtlehner, Rosset and Seoane 2024; for training, Bereux et al., arXiv:2607.27077",
        about="Like PCD, but chains are exchanged with samples of earlier models of this run, whose log Z is known. "
        "When too few exchanges are accepted, the current model is frozen as the next rung. This keeps the chains "
        "close to equilibrium and tracks log Z.",
        family="CD",
        **MINIBATCHES
        | {
            "advice": (SMALLER_RATE, "more Gibbs steps than K = {K}"),
            "suggested": (Suggestion(10_000, 100, {"rate": 0.2}, rows=FEW_ROWS), Suggestion(1_500, 15)),
        },
        cost="Gibbs steps of {chains:,} chains in an update: {K}, after an exchange; terms of the "
        "gradient: 2. Before a freeze up to 20 sweeps, without a gradient.",
        operations="Products of units with the weights (two in each Gibbs step of a chain, three in an exchange, those "
        "of warming up and of filling the reservoir among them), outer products of the terms of the gradient, and "
        "steps of the weights.",
        units=LADDER | dict.fromkeys((trajectory.FROZEN, trajectory.REJECTED, trajectory.FACTOR), ""),
        gibbs_steps=("K",),
        keeps_chains=True,
        memory=trajectory.memory,
        check=trajectory.check_fields,
        estimates=ladder_figures,
    ),
)
INFINITE_RBM_LEARNERS = (
    LearnerInfo(
        learners.FrankWolfe,
        title="Frank-Wolfe (FW)",
        source="Ping, Liu and Ihler 2016, Algorithm 1",
        about="Each update inserts the hidden unit along which the likelihood rises fastest, then adjusts the biases "
        "and, by default, the counts of all units.",
        family="FW",
        models=("infinite-rbm",),
        cost="An update inserts one hidden unit and adjusts the biases, or all counts and biases.",
        operations="Products of rows with a unit's weights, forward and backward, for each evaluation of the inner "
        "objective; those of chains, or of all states, with all units; and each evaluation of J during corrections.",
        stop_reason="No further hidden unit is worth inserting.",
        advice=(
            lambda fw: "a smaller norm ball than {ball}" if fw.ball else "a larger penalty than {lambda_}",
            lambda fw: "the full correction" * (fw.correction == "none"),
        ),
        units={
            frank_wolfe.GAP: NATS,
            frank_wolfe.INNER: NATS,
            frank_wolfe.OBJECTIVE: NATS,
            frank_wolfe.UNITS: "units",
            frank_wolfe.ALPHA: "units",
            frank_wolfe.EFFECTIVE: "samples",
            frank_wolfe.ACCEPTED: SHARE,
        },
        length=(100, "updates"),
        suggested=(  # more and wider searches if all states are summed over; else the cheapest step
            Suggestion(20, fields={"sigma": 1.0, "restarts": 10}, columns=frank_wolfe.EXACT),
            Suggestion(
                15,
                fields={"correction": "none", "lambda_": 0.05, "K": 50, "steps": 300, "M": 100, "rate": 0.2},
            ),
        ),
        max_new_units=frank_wolfe.max_new_units,
        divergence_sign=frank_wolfe.divergence_sign,
        divergence_fix=frank_wolfe.larger_penalty,
    ),
)
