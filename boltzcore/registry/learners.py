"""The learners by name: what people and forms need to know of each."""

from typing import Any

from boltzcore import learners, observations
from boltzcore.learners import lbfgs, pseudo_likelihood
from boltzcore.learners.base import lower_rate
from boltzcore.learners.conditional import inference_of
from boltzcore.learners.insertion import frank_wolfe
from boltzcore.learners.log_linear import greedy, pairwise
from boltzcore.learners.log_linear.tables import KL
from boltzcore.learners.operations import MESSAGE
from boltzcore.learners.tempering import parallel, trajectory
from boltzcore.learners.tempering.base import ACCEPTED, HIGH, LOG_Z, LOW, ladder_figures
from boltzcore.measures.measure import NATS, SHARE
from boltzcore.models.base import FEW_ROWS
from boltzcore.registry.info import LearnerInfo, Suggestion

SMALLER_RATE = "a smaller rate than {rate:.6g}"
OF_CHAINS = "Products of units with the weights (two in each Gibbs step of a chain), outer products of the terms of "
OF_PAIRS = (
    "Products of the input with its weights, p(h | v) of the data, outer products of both terms of the gradient, steps "
    "of the weights"
)
WORST = (
    "A support vector machine: the clean image must score better than each other one by the number of pixels in which "
    "they differ. The worst offender is found "
)
FEW_PIXELS = 100  # columns up to which an image is small, and a sweep takes well below a second
CONVERGED = "L-BFGS has converged: nothing is left to be gained."


def _minibatches(**fields: Any) -> tuple[Suggestion, ...]:
    """Return the first trainings by mini-batches: few rows, whose updates cost next to nothing, get more of them."""
    return Suggestion(10_000, 100, fields, rows=FEW_ROWS), Suggestion(3_000, 30, fields)


# What learners of a family share.
MINIBATCHES: dict[str, Any] = {
    "models": ("rbm",),
    "advice": (SMALLER_RATE,),
    "divergence_fix": lower_rate,
    "suggested": _minibatches(),
}
CONTRASTIVE: dict[str, Any] = MINIBATCHES | {
    "operations": f"{OF_CHAINS}the gradient, and steps of the weights.",
    "observe": observations.observe_update,
}
CD: dict[str, Any] = CONTRASTIVE | {
    "family": "CD",
    "cost": "Gibbs steps of each chain in an update: {K}; terms of the gradient: 2.",
    "advice": (SMALLER_RATE, "more Gibbs steps than K = {K}"),
    "suggested": _minibatches(K=12),  # as in Upadhya and Sastry's small experiments
    "gibbs_steps": ("K",),
}
DCP: dict[str, Any] = CONTRASTIVE | {
    "family": "DCP",
    "cost": "Gibbs steps of each chain in an update: d K' = {gibbs_steps}, as in CD-{gibbs_steps}; terms of the "
    "gradient: d + 1 (CD: 2).",
    "advice": (SMALLER_RATE, "more Gibbs steps than K' = {K_prime}"),
    "suggested": _minibatches(d=3, K_prime=4),
    "gibbs_steps": ("d", "K_prime"),
}
CENTRED: dict[str, Any] = {
    "operations": f"{OF_CHAINS}the gradient, the offsets' parts of the gradient, and steps of the weights."
}
LADDER = {ACCEPTED: SHARE, LOG_Z: "nats", LOW: "nats", HIGH: "nats"}
CONDITIONAL: dict[str, Any] = MINIBATCHES | {
    "models": ("crbm",),
    "cost": "An update takes, for each image of the batch, at most {iterations} + epoch iterations of the inference, "
    "fewer where it converges.",
    "units": {"converged": SHARE},
    "inference": inference_of,
    "suggested": (  # small images, which say little each, larger steps
        Suggestion(1_000, 20, {"rate": 0.2}, rows=FEW_ROWS, columns=FEW_PIXELS),
        Suggestion(2_000, 20, {"rate": 0.2}, columns=FEW_PIXELS),
        Suggestion(500, 50),
    ),
}
CONDITIONAL_SAMPLING: dict[str, Any] = CONDITIONAL | {
    "family": "CD",
    "cost": "Gibbs steps of a chain for each image of the batch in an update: {K}.",
    "advice": (SMALLER_RATE, "more Gibbs steps than K = {K}"),
}
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
    "operations": "Sums over all rows for each bias and each coupling, and what each moves of the rows' fields.",
    "stop_reason": "The last sweep changed the log-pseudo-likelihood of all rows by less than {tau:g} nats.",
}


_ALL = (
    LearnerInfo(
        learners.CD,
        title="Contrastive divergence (CD-K)",
        source="Hinton 2002; Upadhya and Sastry 2017, Algorithm 1",
        about="Compares a mini-batch with where K Gibbs steps from its rows lead: what the data show is made more "
        "probable, what the chains show less so. The gradient is biased, the less the larger K is.",
        **CD,
    ),
    LearnerInfo(
        learners.PCD,
        title="Persistent contrastive divergence (PCD-K)",
        source="Tieleman 2008; Upadhya and Sastry 2017, section 3",
        about="As CD, but the chains go on from one update to the next, and so come nearer to what the model itself "
        "would show.",
        **CD,
        keeps_chains=True,
    ),
    LearnerInfo(
        learners.CenteredGradient,
        title="Centred gradient (CG-K)",
        source="Melchior, Fischer and Wiskott 2016; Upadhya and Sastry 2017, Algorithm 4 with d = 1",
        about="CD with a moving mean subtracted from every unit before units are multiplied, so that the step does not "
        "depend on which of two values is called 1.",
        **CD | CENTRED,
    ),
    LearnerInfo(
        learners.SDCP,
        title="Stochastic DC programming (S-DCP)",
        source="Upadhya and Sastry 2017, Algorithms 2 and 3",
        about="The negative log-likelihood is a difference f - g of convex functions. An update holds the slope of g "
        "and takes d gradient steps on f less its tangent, each after K' Gibbs steps of chains that start at the "
        "mini-batch and go on. With d = 1 it is CD-K'.",
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
        "take the plain gradient. It needs large batches, for it enlarges their noise, too.",
        **CD
        | {
            "cost": CD["cost"] + " Then it takes the singular values of a matrix of the size of W.",
            "operations": f"{OF_CHAINS}the gradient, singular value decompositions, and steps of the weights.",
            "advice": ("larger batches than {batch_size:,} rows (0: all)", *CD["advice"]),
            "suggested": (
                Suggestion(3_333, 33, {"K": 12, "rate": 0.02}, rows=FEW_ROWS),
                Suggestion(1_000, 10, {"K": 12, "batch_size": 0}, rows=200),
                Suggestion(1_000, 10, {"K": 12, "batch_size": 200}),
            ),
        },
    ),
    LearnerInfo(
        learners.TemperedPCD,
        title="PCD with parallel tempering (PT)",
        source="Desjardins, Courville, Bengio, Vincent and Delalleau 2010",
        about="As PCD, but each chain has companions at higher temperatures, which move freely, and swaps states with "
        "them: so it can leave a mode that Gibbs steps do not leave.",
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
        title="Parallel trajectory tempering (PTT)",
        source="Bereux, Decelle, Furtlehner, Rosset and Seoane 2024; as a training Bereux et al., arXiv:2607.27077",
        about="As PCD, but chains are exchanged with samples of an earlier model of this training, whose log Z is "
        "known; once too few exchanges are accepted, the current model is frozen as the next rung. So chains stay at "
        "equilibrium, and log Z comes along.",
        family="CD",
        **MINIBATCHES
        | {
            "advice": (SMALLER_RATE, "more sweeps than {sweeps}"),
            "suggested": (Suggestion(10_000, 100, {"rate": 0.2}, rows=FEW_ROWS), Suggestion(1_500, 15)),
        },
        cost="Gibbs steps of {chains:,} chains in an update: {gibbs_steps}, with their exchanges; terms of the "
        "gradient: 2. Before a freeze up to 20 sweeps, without a gradient.",
        operations="Products of units with the weights (two in each Gibbs step of a chain, three in an exchange, those "
        "of warming up and of filling the reservoir among them), outer products of the terms of the gradient, and "
        "steps of the weights.",
        units=LADDER | dict.fromkeys((trajectory.FROZEN, trajectory.REJECTED, trajectory.FACTOR), ""),
        gibbs_steps=("K", "sweeps"),
        keeps_chains=True,
        memory=trajectory.memory,
        check=trajectory.check_fields,
        estimates=ladder_figures,
    ),
    LearnerInfo(
        learners.ScikitLearn,
        title="scikit-learn's BernoulliRBM (reference)",
        source="scikit-learn, sklearn.neural_network.BernoulliRBM; Tieleman 2008",
        about="PCD-1 with sampled hidden units as scikit-learn computes it, called for each mini-batch: a reference "
        "for the other learners.",
        family="CD",
        **MINIBATCHES | {"suggested": (Suggestion(5_000, 100, rows=FEW_ROWS), Suggestion(3_000, 30))},
        cost="Gibbs steps of each chain in an update: 1; terms of the gradient: 2. It runs in numpy.",
        operations="Products of units with the weights, outer products of the gradient's terms, steps of the weights.",
    ),
    LearnerInfo(
        learners.BeliefPropagationMLE,
        title="Belief propagation (MLE-BP)",
        source="Ping and Ihler, section 4.1 and Algorithm 1",
        about="Climbs the conditional log-likelihood with the beliefs of sum-product belief propagation in place of "
        "the model's marginals, which are out of reach.",
        family="BP",
        **CONDITIONAL,
        operations=f"{OF_PAIRS}, and {MESSAGE} for each message of belief propagation and each pairwise belief.",
    ),
    LearnerInfo(
        learners.MeanFieldMLE,
        title="Mean field (MLE-MF)",
        source="Ping and Ihler, section 4.1",
        about="Climbs the conditional log-likelihood with the marginals of mean field in place of the model's, which "
        "are out of reach.",
        family="BP",
        **CONDITIONAL,
        operations=f"{OF_PAIRS}, and two products with the weights in each iteration of mean field.",
    ),
    LearnerInfo(
        learners.ConditionalCD,
        title="Contrastive divergence (CD-K)",
        source="Hinton 2002; Ping and Ihler, section 4.1",
        about="K Gibbs steps from the clean image of each pair, given its input, stand for the model's expectations.",
        **CONDITIONAL_SAMPLING,
        operations=f"{OF_PAIRS}, and two products with the weights in each Gibbs step.",
    ),
    LearnerInfo(
        learners.CDPercLoss,
        title="CD-PercLoss",
        source="Mnih, Larochelle and Hinton 2011; Ping and Ihler, section 6",
        about="A Gibbs chain starts at what the input alone says. Its most probable sample is set against the clean "
        "image where it is the more probable of the two; elsewhere nothing moves.",
        **CONDITIONAL_SAMPLING,
        operations=f"{OF_PAIRS}, and two products with the weights in each Gibbs step, and the free energies.",
    ),
    LearnerInfo(
        learners.ConditionalLR,
        title="Logistic regression (LR)",
        source="Ping and Ihler, section 6",
        about="Predicts each pixel from a weighted sum of the input's pixels: a conditional RBM of which only W_vx "
        "and b_v are learnt.",
        family="LR",
        **CONDITIONAL | {"cost": "An update costs one product with the input's weights: there is nothing to infer."},
        operations="Products of the input with its weights, the gradient, and steps of the weights.",
        hidden_units=False,
    ),
    LearnerInfo(
        learners.LSSVM,
        title="Latent structured SVM (LSSVM)",
        source="Yu and Joachims 2009; Ping and Ihler, sections 2 and 4.2",
        about=f"{WORST}together with its hidden units, by max-product.",
        family="max-margin",
        **CONDITIONAL,
        operations=f"{OF_PAIRS}, and {MESSAGE} for each message of belief propagation.",
    ),
    LearnerInfo(
        learners.MSSVM,
        title="Marginal structured SVM (MSSVM)",
        source="Ping, Liu and Ihler 2014; Ping and Ihler, section 4.2",
        about=f"{WORST}with the hidden units summed out, by mixed-product.",
        family="max-margin",
        **CONDITIONAL,
        operations=f"{OF_PAIRS}, and {MESSAGE} for each message of belief propagation.",
    ),
    LearnerInfo(
        learners.BSLM,
        title="Block lower-bound maximisation (BSLM)",
        source="Nguyen and Wood 2016, eq. 2.4 and 2.7",
        about="Moves one parameter after the other to the top of a parabola that touches the log-pseudo-likelihood "
        "from below, so that it never falls.",
        **SWEEPING,
    ),
    LearnerInfo(
        learners.GradientAscent,
        title="Gradient ascent (GA)",
        source="Hyvarinen 2006; Nguyen and Wood 2016, eq. 4.1 and 4.2",
        about="Moves one parameter after the other by a step mu along its derivative; with mu = 1 it is BSLM.",
        **SWEEPING,
        advice=("a step of at most 2",),
        divergence_fix=pseudo_likelihood.proved_step,
    ),
    LearnerInfo(
        learners.PseudoLikelihoodLBFGS,
        title="Quasi-Newton ascent (L-BFGS)",
        source="scipy.optimize.minimize, L-BFGS-B; the objective of Nguyen and Wood 2016, eq. 2.1",
        about="Moves all parameters at once, by L-BFGS on the log-pseudo-likelihood: its maximum, which sweeps "
        "approach.",
        **PSEUDO_LIKELIHOOD,
        cost="An update is up to {iterations:,} iterations, each a gradient over all rows or a few.",
        operations="For each gradient the fields of all rows, and the products of rows with what is left of them.",
        stop_reason=CONVERGED,
        check=lbfgs.check_maximiser,
    ),
    LearnerInfo(
        learners.GreedyMDL,
        title="Greedy description length (MDL)",
        source="Takabatake and Akaho, Algorithms 1 to 3",
        about="Appends, adjusts or removes one term at a time, whichever shortens the description of data and model "
        "most, and ends where nothing shortens it.",
        family="MDL",
        models=("log-linear",),
        cost="An update is one greedy step: a term is appended, adjusted or removed.",
        operations="For each step the transform of a table over every state (for n columns of two values n operations "
        f"each), {greedy.CHANGE} for the change of the cost along each candidate ({greedy.PENALTY} more with an L1 "
        f"penalty), and {greedy.STEP} for the probability of each state.",
        stop_reason="No step shortens the description by more than {threshold:g} nats per example: the search is over.",
        units={KL: NATS, greedy.COST: NATS, greedy.TERMS: ""},
        length=(10_000, "updates"),
        suggested=(Suggestion(100, fields={"price": 0.1}, rows=FEW_ROWS), Suggestion(100)),  # few rows outweigh no more
        check=greedy.check_weights,
    ),
    LearnerInfo(
        learners.PairwiseExact,
        title="Boltzmann machine, exact gradient (BM-DI)",
        source="Takabatake and Akaho, section 3.2; scipy.optimize.minimize, L-BFGS-B",
        about="Maximum likelihood of a model of single columns and pairs, by L-BFGS; every expectation is an exact "
        "sum over all states.",
        family="Pairwise",
        models=("log-linear",),
        cost="An update is up to {iterations:,} iterations, each a sum over all states or a few.",
        operations="For each gradient the transforms of a table over every state, there and back, and its "
        "normalisation.",
        stop_reason=CONVERGED,
        units={KL: NATS},
        length=(100, "updates"),
    ),
    LearnerInfo(
        learners.PairwisePCD,
        title="Boltzmann machine, persistent chains (BM-PCD)",
        source="Tieleman 2008; Takabatake and Akaho, section 3.3",
        about="Gradient steps of a model of single columns and pairs, whose expectations are those of chains that go "
        "on from update to update.",
        family="CD",
        models=("log-linear",),
        cost="An update is one Gibbs sweep of all chains ({chains:,}).",
        operations="A Gibbs step of each unit of each chain, products of the chains' units, and steps of the "
        "parameters.",
        advice=(SMALLER_RATE,),
        length=(10_000, "updates"),
        suggested=(Suggestion(500, 10, {"rate": 0.1}),),
        gibbs_steps=(),
        check=pairwise.check_two_values,
        divergence_fix=lower_rate,
    ),
    LearnerInfo(
        learners.FrankWolfe,
        title="Frank-Wolfe (FW)",
        source="Ping, Liu and Ihler 2016, Algorithm 1",
        about="Inserts with each update the hidden unit along which the likelihood rises fastest; then the counts of "
        "all units, and the biases, move.",
        family="FW",
        models=("infinite-rbm",),
        cost="An update is one inserted hidden unit, with all that follows it.",
        operations="Products of rows with a unit's weights, there and back, for each evaluation of the inner "
        "objective; those of chains, or of all states, with all units; and each evaluation of J as counts and biases "
        "move.",
        stop_reason="No further hidden unit is worth inserting.",
        advice=("a larger penalty or a smaller ball of weights", "the full correction"),
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
        suggested=(  # many and wide searches where all states are summed over; else the cheapest step
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

LEARNERS: dict[str, LearnerInfo] = {info.learner.__name__: info for info in _ALL}
