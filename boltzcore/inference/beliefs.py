"""Result of an inference: beliefs about every unit, and its convergence."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.arrays import as_array
from boltzcore.models import CRBM, RBM
from boltzcore.parameters import check_kind
from boltzcore.quoting import Refusal


@dataclass(frozen=True, eq=False)
class Beliefs:
    """Beliefs about the units of an RBM, or of a CRBM given one input or rows of them.

    v, h : (n_visible,) and (n_hidden,), or (n, ...) for rows of inputs: the belief that a unit is on; float32.
        Marginals for sum-product and mean field, max-marginals for max-product, those of the best v for mixed-product
    residuals : (iterations,) or (n, most iterations): the largest change of any belief in each iteration, nan after
        convergence
    converged : True if the last residual is below the tolerance; (n,) for rows
    iterations : number of iterations run; (n,) for rows
    """

    v: NDArray[np.float32]
    h: NDArray[np.float32]
    residuals: NDArray[np.float32]
    converged: bool | NDArray[np.bool_]
    iterations: int | NDArray[np.int64]

    def single(self) -> "Beliefs":
        """Return the beliefs of the only row."""
        converged, ran = np.asarray(self.converged), np.asarray(self.iterations)
        return Beliefs(self.v[0], self.h[0], self.residuals[0], bool(converged[0]), int(ran[0]))


def weights_and_biases(
    model: RBM | CRBM, x: ArrayLike | None
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], bool]:
    """Return (W, visible biases (n, n_visible), hidden biases (n, n_hidden), True for a single instance).

    Raises Refusal if an input is missing, or does not fit the model.
    """
    check_kind(model, RBM | CRBM)
    if isinstance(model, RBM):
        if x is not None:
            raise Refusal("x must be None for an RBM: it takes no input.", "x")
        return model.W, model.b[None], model.c[None], True
    allowed = f"one input of {model.n_x} values or rows of them for a CRBM"
    if x is None:
        raise Refusal(f"x must be {allowed}, not None.", "x")
    inputs = as_array("x", x, allowed)
    b, c = model.fields(inputs[None] if inputs.ndim == 1 else inputs)
    return model.W, b, c, inputs.ndim == 1
