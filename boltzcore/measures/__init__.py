"""What is measured of a model on data.

A measure is a function (model, rows, *, seed, step, annealing, inference, tick) -> {name: float}; `rows` are the splits
of a data set as `rows_to_measure` gives them, `annealing` says how log Z is estimated where it must be, `inference` how
a conditional model predicts. A figure that cannot be had is left out.
"""

from collections.abc import Callable
from types import MappingProxyType

from boltzcore.measures.activity import hidden_activity
from boltzcore.measures.chains import chain_autocorrelation
from boltzcore.measures.likelihood import base_rate_log_likelihood, free_energy_gap, log_likelihood
from boltzcore.measures.reconstruction import reconstruction_error
from boltzcore.measures.restoration import restoration_errors
from boltzcore.measures.rows import rows_to_measure

MEASURES: MappingProxyType[str, Callable[..., dict[str, float]]] = MappingProxyType(
    {
        "log_likelihood": log_likelihood,
        "free_energy_gap": free_energy_gap,
        "reconstruction_error": reconstruction_error,
        "hidden_activity": hidden_activity,
        "chain_autocorrelation": chain_autocorrelation,
        "pixel_errors": restoration_errors,
    }
)


def measures_of(model: type) -> tuple[str, ...]:
    """The names of the measures that can be taken of such a model: those whose first argument is one."""
    return tuple(name for name, measure in MEASURES.items() if measure.__annotations__["model"] is model)


__all__ = [
    "MEASURES",
    "base_rate_log_likelihood",
    "free_energy_gap",
    "log_likelihood",
    "measures_of",
    "reconstruction_error",
    "rows_to_measure",
]
