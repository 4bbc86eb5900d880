"""How the reference updates are called for the next update of a training, a family of learners a file."""

from boltzcore.reference.traces import conditional, contrastive, coordinate, insertion, log_linear, tempering

__all__ = ["conditional", "contrastive", "coordinate", "insertion", "log_linear", "tempering"]
