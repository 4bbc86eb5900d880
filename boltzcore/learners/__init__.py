"""Learners: one file per family, and the protocol (`base`)."""

from boltzcore.learners.base import Learner, State
from boltzcore.learners.centred import CenteredGradient
from boltzcore.learners.contrastive import CD, PCD
from boltzcore.learners.dc_programming import CSDCP, SDCP
from boltzcore.learners.reference import ScikitLearn
from boltzcore.learners.spectral import SSD

__all__ = ["CD", "CSDCP", "PCD", "SDCP", "SSD", "CenteredGradient", "Learner", "ScikitLearn", "State"]
