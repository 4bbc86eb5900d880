"""Learners: a folder for each family, the contract (`base`), and the list of all that there are.

A new learner is a file with a subclass of `Learner`, an import here, and an entry in `registry/learners.py`.
"""

from boltzcore.learners.base import Learner, State
from boltzcore.learners.conditional.inferring import LSSVM, MSSVM, BeliefPropagationMLE, MeanFieldMLE
from boltzcore.learners.conditional.regression import ConditionalLR
from boltzcore.learners.conditional.sampling import CDPercLoss, ConditionalCD
from boltzcore.learners.contrastive.cd import CD, PCD
from boltzcore.learners.contrastive.centred import CenteredGradient
from boltzcore.learners.contrastive.dc_programming import CSDCP, SDCP
from boltzcore.learners.contrastive.spectral import SSD
from boltzcore.learners.insertion.frank_wolfe import FrankWolfe
from boltzcore.learners.log_linear.greedy import GreedyMDL
from boltzcore.learners.log_linear.pairwise import PairwiseExact, PairwisePCD
from boltzcore.learners.pseudo_likelihood.lbfgs import PseudoLikelihoodLBFGS
from boltzcore.learners.pseudo_likelihood.sweeping import BSLM, GradientAscent
from boltzcore.learners.reference import ScikitLearn
from boltzcore.learners.tempering.parallel import TemperedPCD
from boltzcore.learners.tempering.sampling import sample_along
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
    "Learner",
    "MeanFieldMLE",
    "PairwiseExact",
    "PairwisePCD",
    "PseudoLikelihoodLBFGS",
    "ScikitLearn",
    "State",
    "TemperedPCD",
    "TrajectoryTempering",
    "sample_along",
]
