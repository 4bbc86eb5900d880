"""scipy's L-BFGS as updates of a learner: so many iterations each, begun anew from where the last update ended."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.learners.base import State
from boltzcore.learners.walkthrough.recorder import NOT_RECORDING, Recorder
from boltzcore.learners.walkthrough.trace import UpdateTrace
from boltzcore.threads import one_for_blas

# theta -> (what is to be made small, its derivatives)
Objective = Callable[[NDArray[np.float64]], tuple[float, NDArray[np.float64]]]
CONVERGED = "L-BFGS has converged: nothing is left to be gained."
SHORT = "short_of_tolerance"  # in a State's info: the largest derivative, where it came to rest above the tolerance
PATH_POINTS = 32  # of an update, that are recorded
S = TypeVar("S", bound=State)


def descended(
    objective: Objective,
    start: NDArray[np.float64],
    iterations: int,
    tolerance: float,
    recorder: Recorder = NOT_RECORDING,
) -> Any:
    """scipy's `OptimizeResult` of up to so many iterations; `ended` says whether more would change anything."""
    from scipy.optimize import minimize  # a third of a second to import

    options = {"maxiter": iterations, "gtol": tolerance, "ftol": 0.0, "maxcor": 30}
    path = recorder.path(PATH_POINTS, start, objective)
    with one_for_blas():
        return minimize(objective, start, jac=True, method="L-BFGS-B", options=options, callback=path)


def ended(found: Any) -> bool:
    """Whether it has converged, or no step along its direction gains anything that float64 can tell."""
    return bool(found.status != 1)


def info_after(info: Mapping[str, float], found: Any, tolerance: float) -> dict[str, float]:
    """A State's info after an update that may be the last."""
    left = float(np.abs(found.jac).max(initial=0.0))
    return {**info, SHORT: left} if ended(found) and left > tolerance else {**info}


def why_ended(state: State, tolerance: float) -> str:
    """The sentence that says why L-BFGS stopped."""
    left = state.info.get(SHORT)
    return CONVERGED if left is None else short_of_tolerance(left, tolerance)


def short_of_tolerance(left: float, tolerance: float) -> str:
    """The sentence of an L-BFGS that stopped with a derivative of `left`, above the tolerance."""
    return (
        f"L-BFGS came to rest short of the tolerance {tolerance:g}: a derivative of {left:.2g} is left, and no further "
        "step gains anything that float64 can tell."
    )


def repeated(state: S, updates: int, once: Callable[[S], S]) -> S:
    """The State so many updates later, or where one of them comes to its end; one that is done goes on."""
    beyond = state.done
    for _ in range(updates):
        if state.done and not beyond:
            break
        state = once(state)
    return state


def trace(state: S, objective: Objective, of_data: NDArray[np.float64], once: Callable[[Recorder], S]) -> UpdateTrace:
    """The trace of the update that `once` makes, by at most `PATH_POINTS` of the points of its search.

    objective : minimised, its derivatives are means under the model less those of the data, `of_data`

    The phases "search" have the `iteration`, `theta` there, the `value` that is maximised, and its `slope`: the means
    over the `data` less those of the `model`. "new" has the `curve` of all values, whether the search is `done`, and
    the largest derivative where it came to rest `short` of the tolerance (else 0).
    """
    recorder = Recorder(0, state.model)
    after = once(recorder)
    path = recorder.paths[-1]
    for iteration, theta in path.points():
        value, gradient = objective(theta)
        means = {"slope": -gradient, "data": of_data, "model": of_data + gradient}
        recorder.record("search", iteration=iteration, value=-value, theta=theta, **means)
    recorder.set_model(after.model)
    recorder.record("new", curve=-np.array(path.values), done=after.done, short=after.info.get(SHORT, 0.0))
    return UpdateTrace("newton", tuple(recorder.phases), tuple(recorder.models), after)
