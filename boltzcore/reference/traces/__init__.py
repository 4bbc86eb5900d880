"""Traces of the next update of a training by its reference, one file for each family of learners."""

from boltzcore.reference.traces import conditional, contrastive, coordinate, insertion, log_linear, tempering

__all__ = ["conditional", "contrastive", "coordinate", "insertion", "log_linear", "tempering"]
