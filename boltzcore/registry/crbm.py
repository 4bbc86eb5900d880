"""Learners of conditional RBMs."""

from typing import Any

from boltzcore import learners
from boltzcore.learners.conditional import inference_of
from boltzcore.learners.operations import MESSAGE
from boltzcore.measures.measure import SHARE
from boltzcore.models.base import FEW_ROWS
from boltzcore.registry.info import FEW_PIXELS, MINIBATCHES, SMALLER_RATE, LearnerInfo, Suggestion

OF_PAIRS = (
    "Products of the input with its weights, p(h | v) of the data, outer products of both terms of the gradient, steps "
    "of the weights"
)
WORST = (
    "A support vector machine: the clean image must outscore any other image by the number of pixels in which they "
    "differ. The most violating image is found "
)
CONDITIONAL: dict[str, Any] = MINIBATCHES | {
    "models": ("crbm",),
    "cost": "An update takes, for each image of the batch, at most {iterations} + epoch iterations of the inference, "
    "fewer if it converges.",
    "units": {"converged": SHARE},
    "inference": inference_of,
    "suggested": (  # small images, with little information each, need larger steps
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

CRBM_LEARNERS = (
    LearnerInfo(
        learners.BeliefPropagationMLE,
        title="Belief propagation (MLE-BP)",
        source="Ping and Ihler, section 4.1 and Algorithm 1",
        about="Gradient ascent on the conditional log-likelihood, with beliefs from sum-product belief propagation "
        "instead of the intractable marginals.",
        family="BP",
        **CONDITIONAL,
        operations=f"{OF_PAIRS}, and {MESSAGE} for each message of belief propagation and each pairwise belief.",
    ),
    LearnerInfo(
        learners.MeanFieldMLE,
        title="Mean field (MLE-MF)",
        source="Ping and Ihler, section 4.1",
        about="Gradient ascent on the conditional log-likelihood, with mean-field marginals instead of the intractable "
        "ones.",
        family="BP",
        **CONDITIONAL,
        operations=f"{OF_PAIRS}, and two products with the weights in each iteration of mean field.",
    ),
    LearnerInfo(
        learners.ConditionalCD,
        title="Contrastive divergence (CD-K)",
        source="Hinton 2002; Ping and Ihler, section 4.1",
        about="Estimates the model's expectations by K Gibbs steps from the clean image of each pair, given its input.",
        **CONDITIONAL_SAMPLING,
        operations=f"{OF_PAIRS}, and two products with the weights in each Gibbs step.",
    ),
    LearnerInfo(
        learners.CDPercLoss,
        title="CD-PercLoss",
        source="Mnih, Larochelle and Hinton 2011; Ping and Ihler, section 6",
        about="A Gibbs chain starts from the prediction of the input alone. If its most probable sample is more "
        "probable than the clean image, the update favours the clean image; otherwise nothing changes.",
        **CONDITIONAL_SAMPLING,
        operations=f"{OF_PAIRS}, and two products with the weights in each Gibbs step, and the free energies.",
    ),
    LearnerInfo(
        learners.ConditionalLR,
        title="Logistic regression (LR)",
        source="Ping and Ihler, section 6",
        about="Predicts each pixel from a weighted sum of the input pixels: a conditional RBM in which only W_vx and "
        "b_v are learnt.",
        family="LR",
        **CONDITIONAL | {"cost": "An update costs one product with the input weights; there is no inference."},
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
)
