"""Approximate answers about a model."""

from boltzcore.inference.annealing import Annealing, LogPartition, annealed_importance_sampling, reverse_annealed_importance_sampling
from boltzcore.inference.gibbs import gibbs

__all__ = ["Annealing", "LogPartition", "annealed_importance_sampling", "gibbs", "reverse_annealed_importance_sampling"]
