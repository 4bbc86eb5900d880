"""Traces of the next update of a training by its reference, a file for each kind of model."""

from boltzcore.reference.traces import conditional, insertion, rbm, tables

__all__ = ["conditional", "insertion", "rbm", "tables"]
