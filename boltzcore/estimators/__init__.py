"""The models as estimators of scikit-learn."""

from boltzcore.estimators.base import Estimator
from boltzcore.estimators.conditional import ConditionalRestrictedBoltzmann
from boltzcore.estimators.fully_visible import FullyVisibleBoltzmann
from boltzcore.estimators.log_linear import LogLinearModel, PottsModel
from boltzcore.estimators.restricted import InfiniteRestrictedBoltzmann, RestrictedBoltzmann

__all__ = [
    "ConditionalRestrictedBoltzmann",
    "Estimator",
    "FullyVisibleBoltzmann",
    "InfiniteRestrictedBoltzmann",
    "LogLinearModel",
    "PottsModel",
    "RestrictedBoltzmann",
]
