"""Learners: a file or folder for each family, the base class (`base`), and a list of all learners.

A new learner needs a file with a subclass of `Learner`, an import here, and an entry in `registry`.
"""

from boltzcore.learners.base import Learner
from boltzcore.learners.conditional import (
    LSSVM,
    MSSVM,
    BeliefPropagationMLE,
    CDPercLoss,
    ConditionalCD,
    ConditionalLR,
    MeanFieldMLE,
)
from boltzcore.learners.contrastive import CD, CSDCP, PCD, SDCP, SSD, CenteredGradient
from boltzcore.learners.hebbian import Hebbian
from boltzcore.learners.insertion.frank_wolfe import FrankWolfe
from boltzcore.learners.lbfgs import PairwiseExact, PseudoLikelihoodLBFGS
from boltzcore.learners.log_linear.greedy import GreedyMDL
from boltzcore.learners.log_linear.pairwise import PairwisePCD
from boltzcore.learners.potts import PottsPCD, PottsPseudoLikelihood
from boltzcore.learners.pseudo_likelihood import BSLM, GradientAscent
from boltzcore.learners.tempering.parallel import TemperedPCD
from boltzcore.learners.tempering.trajectory import TrajectoryTempering

__all__ = [
    "BSLM",
    "CD",
    "CSDCP",
    "LSSVM",
    "MSSVM",
    "PCD",
    "SDCP",
    "SSD",
    "BeliefPropagationMLE",
    "CDPercLoss",
    "CenteredGradient",
    "ConditionalCD",
    "ConditionalLR",
    "FrankWolfe",
    "GradientAscent",
    "GreedyMDL",
    "Hebbian",
    "Learner",
    "MeanFieldMLE",
    "PairwiseExact",
    "PairwisePCD",
    "PottsPCD",
    "PottsPseudoLikelihood",
    "PseudoLikelihoodLBFGS",
    "TemperedPCD",
    "TrajectoryTempering",
]
