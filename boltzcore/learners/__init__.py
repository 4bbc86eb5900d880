"""Learners: one file per family, and the protocol (`base`)."""

from boltzcore.learners.base import Learner, State
from boltzcore.learners.centred import CenteredGradient
from boltzcore.learners.conditional import ConditionalLR
from boltzcore.learners.conditional_inference import LSSVM, MSSVM, BeliefPropagationMLE, MeanFieldMLE
from boltzcore.learners.conditional_sampling import CDPercLoss, ConditionalCD
from boltzcore.learners.contrastive import CD, PCD
from boltzcore.learners.dc_programming import CSDCP, SDCP
from boltzcore.learners.frank_wolfe import FrankWolfe
from boltzcore.learners.greedy import GreedyMDL
from boltzcore.learners.pairwise import PairwiseExact, PairwisePCD
from boltzcore.learners.pseudo_likelihood import BSLM, GradientAscent, PseudoLikelihoodLBFGS
from boltzcore.learners.reference import ScikitLearn
from boltzcore.learners.spectral import SSD

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
]
