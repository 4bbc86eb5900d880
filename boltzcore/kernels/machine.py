"""The parameters of a restricted Boltzmann machine as kernels take them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Machine(NamedTuple):
    """Weights (n_visible, n_hidden), their transpose, visible and hidden biases; float32.

    W, WT : their columns filled up, or cut, as the kernel says that takes them
    b, c : (n_visible,) and (n_hidden,), or (rows, ...) where each row has biases of its own
    """

    W: NDArray[np.float32]
    WT: NDArray[np.float32]
    b: NDArray[np.float32]
    c: NDArray[np.float32]
