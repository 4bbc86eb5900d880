"""Measures of a model on data, each a `measure.Measure`."""

from boltzcore.measures.activity import hidden_activity
from boltzcore.measures.classification import classification_error
from boltzcore.measures.diagnosis import diagnose
from boltzcore.measures.equilibrium import equilibrium_gap
from boltzcore.measures.kl import kl_to_data, kl_to_truth
from boltzcore.measures.likelihood import (
    base_rate_log_likelihood,
    free_energy_gap,
    log_likelihood,
    log_pseudo_likelihood,
)
from boltzcore.measures.measure import Measure, MeasureContext
from boltzcore.measures.reconstruction import reconstruction_error
from boltzcore.measures.restoration import pixel_errors

MEASURES: dict[str, Measure] = {
    each.name: each
    for each in (
        log_likelihood,
        log_pseudo_likelihood,
        kl_to_data,
        kl_to_truth,
        free_energy_gap,
        reconstruction_error,
        hidden_activity,
        equilibrium_gap,
        pixel_errors,
        classification_error,
    )
}


def measures_of(kind: type) -> tuple[str, ...]:
    """The names of the measures that can be taken of such a model.

    >>> from boltzcore.measures import measures_of
    >>> from boltzcore.models import FVBM
    >>> "log_pseudo_likelihood" in measures_of(FVBM)
    True
    """
    return tuple(name for name, measure in MEASURES.items() if measure.takes(kind))


__all__ = [
    "MEASURES",
    "MeasureContext",
    "base_rate_log_likelihood",
    "classification_error",
    "diagnose",
    "equilibrium_gap",
    "free_energy_gap",
    "hidden_activity",
    "kl_to_data",
    "kl_to_truth",
    "log_likelihood",
    "log_pseudo_likelihood",
    "measures_of",
    "pixel_errors",
    "reconstruction_error",
]
