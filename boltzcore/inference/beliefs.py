"""The result of an inference: beliefs about every unit, and how it converged."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.models import CRBM, RBM


@dataclass(frozen=True, eq=False)
class Beliefs:
    """Beliefs about the units of an RBM, or of a CRBM given one input or rows of them.

    v, h : (n_visible,) and (n_hidden,), or (n, ...) for rows of inputs: the belief that a unit is on; float32.
        Marginals where they come of sum-product or mean field; max-product's are max-marginals, mixed-product's those
        of the best v
    residuals : (iterations,) or (n, most iterations): the largest change of any belief in each iteration, nan once it
        has stopped
    converged : whether the last residual is under the tolerance; (n,) for rows
    iterations : how many were run; (n,) for rows
    kind : "sum", "max", "mixed" or "mean field"
    rbm : the model, for one instance; None for rows
    sent : the messages last sent to hidden units as the kernels keep them, for one instance of belief propagation;
        as_odds, whether as ratios

    >>> import numpy as np
    >>> from boltzcore.inference import belief_propagation
    >>> from boltzcore.models import RBM
    >>> beliefs = belief_propagation(RBM(np.ones((2, 1)), np.zeros(2), np.zeros(1)))
    >>> beliefs.converged, beliefs.pairwise().round(2).tolist()
    (True, [[0.57], [0.57]])
    """

    v: NDArray[np.float32]
    h: NDArray[np.float32]
    residuals: NDArray[np.float32]
    converged: bool | NDArray[np.bool_]
    iterations: int | NDArray[np.int64]
    kind: str
    rbm: RBM | None = None
    sent: NDArray[np.float32] | None = None
    as_odds: bool = False

    @cached_property
    def to_hidden(self) -> NDArray[np.float32]:
        """(n_visible, n_hidden) log-odds of the messages last sent to hidden units; ValueError for mean field and for
        rows of inputs.
        """
        if self.rbm is None or self.sent is None:
            raise ValueError(
                "messages must be of one instance of belief propagation, not of mean field or of rows of inputs."
            )
        sent = self.sent[:, : self.rbm.n_hidden]
        return np.log(sent) if self.as_odds else sent

    @cached_property
    def _cavities(self) -> tuple[NDArray, NDArray, NDArray]:
        """(cavity log-odds of hidden units, messages to visible units, cavity log-odds of visible units), all
        (n_visible, n_hidden) float64.
        """
        down = self.to_hidden.astype(np.float64)
        rbm = self._model
        W = rbm.W.astype(np.float64)
        hidden = rbm.c + down.sum(axis=0) - down
        up = through(W, hidden, self.kind)
        return hidden, up, (rbm.b + up.sum(axis=1))[:, None] - up

    @property
    def _model(self) -> RBM:
        if self.rbm is None:
            raise ValueError("rbm must be of one instance, not of rows of inputs.")
        return self.rbm

    @property
    def messages(self) -> tuple[NDArray, NDArray]:
        """Messages to visible and to hidden units, (n_visible, n_hidden) log-odds each; the former made anew from the
        latter: those that the next iteration would begin with. `History` has those that made `v`.

        Raises ValueError for mean field and for rows of inputs.
        """
        return self._cavities[1], self.to_hidden

    def pairwise(self) -> NDArray[np.float64]:
        """(n_visible, n_hidden) belief that both units of an edge are on (Ping and Ihler, eq. 18); for mean field the
        product of the two.

        The messages to visible units are made anew from the latest to hidden units: at convergence they are those last
        sent.
        Raises ValueError for rows of inputs.
        """
        if self.kind == "mean field" and self.v.ndim == 1:
            return np.outer(self.v, self.h).astype(np.float64)
        hidden, _, visible = self._cavities
        odds = np.stack([np.zeros_like(hidden), hidden, visible, visible + hidden + self._model.W])
        odds -= odds.max(axis=0)
        return np.exp(odds[3]) / np.exp(odds).sum(axis=0)

    @property
    def log_partition(self) -> float | None:
        """log Z in nats: Bethe's approximation for sum-product, a lower bound for mean field; None for the others and
        for rows of inputs.
        """
        if self.rbm is None or self.kind not in ("sum", "mean field"):
            return None
        W, b, c = (array.astype(np.float64) for array in (self.rbm.W, self.rbm.b, self.rbm.c))
        if self.kind == "mean field":
            v, h = self.v.astype(np.float64), self.h.astype(np.float64)
            return float(v @ W @ h + v @ b + h @ c + _entropy(v) + _entropy(h))
        hidden, up, visible = self._cavities
        fields = np.concatenate([b + up.sum(axis=1), c + self.to_hidden.astype(np.float64).sum(axis=0)])
        edge = (
            np.logaddexp(np.logaddexp(0, hidden), visible + np.logaddexp(0, hidden + W))
            - np.logaddexp(0, hidden)
            - np.logaddexp(0, visible)
        )
        return float(np.logaddexp(0, fields).sum() - edge.sum())


def _entropy(p: NDArray[np.float64]) -> float:
    inside = np.clip(p, 1e-300, 1 - 1e-16)
    return float(-(p * np.log(inside) + (1 - p) * np.log1p(-inside)).sum())


def through(W: NDArray, cavity: NDArray, kind: str) -> NDArray:
    """Log-odds of messages to visible units over weights W, from hidden units whose other messages say `cavity`: what
    the unit being on or off makes of the two values of the visible one, summed or, for "max", the larger.
    """
    message = np.maximum(W + cavity, 0) - np.maximum(cavity, 0)
    if kind != "max":
        message += np.log1p(np.exp(-np.abs(W + cavity))) - np.log1p(np.exp(-np.abs(cavity)))
    return message


def weights_and_biases(
    model: RBM | CRBM, x: ArrayLike | None
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], bool]:
    """(W, visible biases (n, n_visible), hidden biases (n, n_hidden), whether there is but one instance).

    Raises ValueError where an input is missing, or there is one that the model does not take.
    """
    if isinstance(model, RBM):
        if x is not None:
            raise ValueError("x must be None for an RBM: it takes no input.")
        return model.W, model.b[None], model.c[None], True
    if x is None:
        raise ValueError(f"x must be one input of {model.n_x} values or rows of them for a CRBM, not None.")
    inputs = np.asarray(x)
    b, c = model.fields(inputs[None] if inputs.ndim == 1 else inputs)
    return model.W, b, c, inputs.ndim == 1
