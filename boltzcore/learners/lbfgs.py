"""scipy's L-BFGS as updates of a learner: so many iterations each, begun anew from where the last update ended."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.learners.base import State
from boltzcore.threads import one_for_blas

# theta -> (what is to be made small, its derivatives)
Objective = Callable[[NDArray[np.float64]], tuple[float, NDArray[np.float64]]]
S = TypeVar("S", bound=State)


@dataclass(frozen=True, eq=False)
class LBFGSState(State):
    """A State after updates by L-BFGS.

    residual : the largest derivative if L-BFGS stopped above its tolerance, else 0
    """

    residual: float = 0.0

    @property
    def why_done(self) -> str:
        if not self.residual:
            return ""
        return (
            f"L-BFGS came to rest short of its tolerance: a derivative of {self.residual:.2g} is left, and no further "
            "step gains anything that float64 can tell."
        )


def descended(objective: Objective, start: NDArray[np.float64], iterations: int, tolerance: float) -> Any:
    """scipy's `OptimizeResult` of up to so many iterations; `ended` says whether more would change anything."""
    from scipy.optimize import minimize  # a third of a second to import

    options = {"maxiter": iterations, "gtol": tolerance, "ftol": 0.0, "maxcor": 30}
    with one_for_blas():
        return minimize(objective, start, jac=True, method="L-BFGS-B", options=options)


def ended(found: Any) -> bool:
    """Whether it has converged, or no step along its direction gains anything that float64 can tell."""
    return bool(found.status != 1)


def residual(found: Any, tolerance: float) -> float:
    """Return the largest derivative that is left if it is above the tolerance, else 0."""
    left = float(np.abs(found.jac).max(initial=0.0))
    return left if ended(found) and left > tolerance else 0.0


def repeated(state: S, updates: int, once: Callable[[S], S]) -> S:
    """The State so many updates later, or where one of them comes to its end; one that is done goes on."""
    beyond = state.done
    for _ in range(updates):
        if state.done and not beyond:
            break
        state = once(state)
    return state
