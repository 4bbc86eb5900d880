"""Approximate answers about a model."""

from boltzcore.inference.gibbs import gibbs

__all__ = ["gibbs"]
