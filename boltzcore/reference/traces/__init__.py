"""How the reference updates are called for the next update of a training, a family of learners a file."""

from boltzcore.reference.traces import contrastive, coordinate, insertion

__all__ = ["contrastive", "coordinate", "insertion"]
