"""Models: frozen dataclasses of parameters, with what is exact about them."""

from boltzcore.models.crbm import CRBM, CRBMSetup
from boltzcore.models.rbm import RBM, RBMSetup

__all__ = ["CRBM", "RBM", "CRBMSetup", "RBMSetup"]
