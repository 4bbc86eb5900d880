"""Parts shared by the reference updates of RBMs: p(h | v), F(v), Gibbs steps, and the gradient."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from scipy.special import expit

from boltzcore.learners.ascending import Ascending, AscendingState
from boltzcore.reference.draws import Array, Draws

Arrays = dict[str, Any]  # arrays by name; a single number may be a plain one
Phase = tuple[str, Arrays]
Theta = tuple[Array, Array, Array]  # W (n, m), b (n,) and c (m,) of an RBM
Phases = Iterator[Phase]
T = TypeVar("T")
PhasesThen = Generator[Phase, None, T]  # yields phases and returns a result


def hidden_given_visible(v: Array, W: Array, c: Array) -> Arrays:
    """Return rows v (rows, n) with the log-odds `field` and probabilities `p` of their hidden units, (rows, m)."""
    field = c + v @ W
    return {"v": v, "field": field, "p": expit(field)}


def free_energy(v: Array, W: Array, b: Array, c: Array) -> Array:
    """Return F(v) = -b'v - sum_j log(1 + e**(c_j + v'W_j)) of rows v (rows, n); p(v) = e**-F(v) / Z."""
    return -(v * b).sum(axis=1) - np.logaddexp(0.0, c + v @ W).sum(axis=1)


def gibbs_steps(
    v: Array, W: Array, b: Array, c: Array, draws: Draws, steps: range, beta: Any = 1.0, base: Any = 0.0
) -> PhasesThen[Array]:
    """Yield the half steps of block Gibbs sampling from v (rows, n); return the final v.

    Step k of a row takes the words k (m + n), ... of the row's stream: m for the hidden units, then n for the visible.
    At inverse temperatures beta (rows, 1) log-odds are multiplied by beta; `base` are those of v at beta = 0.
    """
    n, m = W.shape
    for k in steps:
        h = draws.bernoulli(v, W, c, m, k * (m + n), beta)
        yield "hidden", {"v": v, **h._asdict(), "h": h.on}
        visible = draws.bernoulli(h.on, W.T, b, n, k * (m + n) + m, beta, base)
        v = visible.on
        yield "visible", {"h": h.on, **visible._asdict(), "v": v}
    return v


def difference(data: Arrays, model: Arrays) -> Arrays:
    """Return the gradient G of W, b and c, and its two terms as `data_W`, `model_W` and so on.

    A term is <v p'> (n, m), <v> (n,) and <p> (m,) over rows with their p = p(h = 1 | v), see `hidden_given_visible`.
    """
    of_data, of_model = (
        {"W": v.T @ p / len(v), "b": v.mean(0), "c": p.mean(0)}
        for v, p in ((rows["v"], rows["p"]) for rows in (data, model))
    )
    G = {name: of_data[name] - of_model[name] for name in of_data}
    return named_terms(of_data, of_model) | G


def named_terms(data: Arrays, model: Arrays) -> Arrays:
    """Return both terms of a gradient, with prefixed names."""
    return {f"data_{name}": data[name] for name in data} | {f"model_{name}": model[name] for name in model}


@dataclass
class Step:
    """Gradient steps of an update, with the options of Hinton's guide (2012), sections 7 to 10.

    settings : the learner, whose fields are the options
    rate : learning rate of this update
    velocity : of W, b and c by name; 0 before the first step
    """

    settings: Ascending
    rate: float
    velocity: Arrays

    @classmethod
    def of_update(cls, settings: Ascending, state: AscendingState, length: int) -> "Step":
        """Return the steps of the next update of a State; `length` is the number of updates in an epoch."""
        shapes = {name: getattr(state.model, name).shape for name in "Wbc"}
        ends = np.cumsum([np.prod(shape) for shape in shapes.values()])[:-1]
        flat = state.velocity.astype(float) if state.velocity.size else np.zeros(sum(map(np.prod, shapes.values())))
        parts = zip(shapes, np.split(flat, ends), strict=True)
        velocity = {name: part.reshape(shapes[name]) for name, part in parts}
        return cls(settings, float(settings.rates(state.stage_count, 1, length)[0]), velocity)

    def ascend(self, theta: Theta, G: Arrays) -> PhasesThen[Arrays]:
        """Yield G after the options, if there are any, and the parameters after the step; return these.

        G is scaled to the norm `clip` if it is longer, and W's part is decreased by weight_decay W + l1_decay sign(W).
        Then velocity <- momentum velocity + rate G, and theta <- theta + velocity.

        Phases: "options", with velocity / eta, eta the rate without a schedule; "new".
        """
        settings, norm = self.settings, np.sqrt(sum((G[name] ** 2).sum() for name in "Wbc"))
        factor = min(1.0, settings.clip / norm) if settings.clip and norm else 1.0
        decay = {"W": settings.weight_decay * theta[0] + settings.l1_decay * np.sign(theta[0])}
        for name in "Wbc":
            direction = factor * G[name] - decay.get(name, 0.0)
            self.velocity[name] = settings.momentum * self.velocity[name] + self.rate * direction
        if settings.has_options:
            yield "options", {name: each / settings.rate for name, each in self.velocity.items()}
        new = {name: array + self.velocity[name] for name, array in zip("Wbc", theta, strict=True)}
        yield "new", new
        return new
