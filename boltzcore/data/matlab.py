"""Matrices out of published Matlab files."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.files import Published


def read_matrices(path: Path, published: Published, wanted: Mapping[str, tuple[int, int]]) -> dict[str, NDArray]:
    """{name: matrix} of a .mat file; ValueError where it is not the published file, or naming the matrix and the shape
    it must have.

    Only a file with the published checksum is opened: a damaged one can end the process inside scipy's compiled reader.
    """
    import pooch
    from scipy.io import loadmat

    algorithm, _, checksum = published.checksum.partition(":")
    if pooch.file_hash(str(path), alg=algorithm) != checksum:
        raise ValueError(
            f"{path.name} is not the file that its authors published (checksum {published.checksum}); it may be "
            "damaged or cut off."
        )
    found = loadmat(path, variable_names=list(wanted), appendmat=False)
    for name, shape in wanted.items():
        matrix = found.get(name)
        if (
            not isinstance(matrix, np.ndarray)
            or matrix.shape != shape
            or matrix.dtype.kind not in "fiub"
            or not np.isfinite(matrix).all()
        ):
            raise ValueError(f"{name} in {path.name} must be a {' x '.join(map(str, shape))} matrix of finite numbers.")
    return {name: found[name] for name in wanted}
