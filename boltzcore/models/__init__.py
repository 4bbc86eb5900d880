"""Models: frozen dataclasses of parameters, with what is exact about them."""

from boltzcore.models.rbm import RBM, RBMSetup

__all__ = ["RBM", "RBMSetup"]
