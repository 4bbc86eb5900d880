"""Approximate inference in models."""

from boltzcore.inference.annealing import (
    Annealing,
    annealed_importance_sampling,
    reverse_annealed_importance_sampling,
)
from boltzcore.inference.completion import complete
from boltzcore.inference.equilibrium import Gap, equilibrium_gap, verdict_on
from boltzcore.inference.fractional import metropolis as metropolis  # with it, an InfiniteRBM is sampled and annealed
from boltzcore.inference.gibbs import gibbs
from boltzcore.inference.mean_field import mean_field
from boltzcore.inference.propagation import belief_propagation
from boltzcore.inference.recall import recall
from boltzcore.inference.samples import draw_samples
from boltzcore.inference.spec import Inference

__all__ = [
    "Annealing",
    "Gap",
    "Inference",
    "annealed_importance_sampling",
    "belief_propagation",
    "complete",
    "draw_samples",
    "equilibrium_gap",
    "gibbs",
    "mean_field",
    "recall",
    "reverse_annealed_importance_sampling",
    "verdict_on",
]
