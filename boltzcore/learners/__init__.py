"""Learners: one file per family, and the protocol (`base`)."""

from boltzcore.learners.base import Learner, State
from boltzcore.learners.contrastive import CD, PCD

__all__ = ["CD", "PCD", "Learner", "State"]
