"""Models: frozen dataclasses of parameters, with their exact computations. One file per model."""

from pathlib import Path
from typing import Any, BinaryIO

from boltzcore.arrays import array_names, file_name
from boltzcore.models.base import Model
from boltzcore.models.crbm import CRBM, CRBMSetup
from boltzcore.models.fvbm import FVBM, FVBMSetup
from boltzcore.models.infinite import InfiniteRBM, InfiniteRBMSetup
from boltzcore.models.log_linear import LogLinear, LogLinearSetup
from boltzcore.models.potts import Potts, PottsSetup
from boltzcore.models.rbm import RBM, RBMSetup
from boltzcore.names import names_in
from boltzcore.quoting import Refusal, listed


def load(file: str | Path | BinaryIO) -> Model:
    """Return the model in an .npz file, of the kind with these arrays. Raises Refusal naming the file and the error.

    >>> import io
    >>> import numpy as np
    >>> from boltzcore.models import FVBM, load
    >>> file = io.BytesIO()  # or a path
    >>> FVBM(np.zeros((3, 3)), np.zeros(3)).save(file)
    >>> type(load(file)).__name__
    'FVBM'
    """
    there = set(array_names(file))
    kinds = [kind for kind in _kinds(Model) if kind.ARRAYS.keys() <= there]
    if not kinds:
        known = "; ".join(f"{', '.join(kind.ARRAYS)} ({kind.__name__})" for kind in _kinds(Model))
        raise Refusal(
            f"{file_name(file)} does not contain a model: it has arrays {listed(sorted(there), 'none')}, and models "
            f"have {known}."
        )
    return max(kinds, key=lambda kind: len(kind.ARRAYS)).load(file)


def _kinds(kind: Any) -> list[type[Model]]:
    """Return all subclasses that define their arrays."""
    found = [each for derived in kind.__subclasses__() for each in (derived, *_kinds(derived))]
    return [each for each in found if hasattr(each, "ARRAYS")]


__all__ = [
    "CRBM",
    "FVBM",
    "RBM",
    "CRBMSetup",
    "FVBMSetup",
    "InfiniteRBM",
    "InfiniteRBMSetup",
    "LogLinear",
    "LogLinearSetup",
    "Potts",
    "PottsSetup",
    "RBMSetup",
    "load",
    "names_in",
]
