"""Quantities shared by the findings of a diagnosis, each computed when it is first read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset, Examples
from boltzcore.inference.equilibrium import Gap
from boltzcore.kernels.elementwise import sigmoid
from boltzcore.measures.activity import activities, always_off, always_on
from boltzcore.measures.equilibrium import chains_from_rows, gap_of
from boltzcore.measures.likelihood import base_rate_log_likelihood, log_likelihood, smoothed_rates
from boltzcore.measures.measure import Figures, MeasureContext, rows_to_measure
from boltzcore.models import RBM, InfiniteRBM
from boltzcore.models.base import ExactModel
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, portion

UPDATES = 5  # updates that measure the size of one: by chance some are several times as large as others
ROWS = 2000  # rows on which hidden units are examined
RARE = 0.01  # smallest share of a value with which errors of means are compared


class Units(NamedTuple):
    """Hidden units of an RBM on some training rows.

    v : (n, n_visible) the rows, 0/1; odds : (n, n_hidden) log-odds of the units; p : (n, n_hidden) p(h = 1 | v)
    off, on : (n_hidden,) units that are always off, or always on
    spread : (n_hidden,) standard deviation of the log-odds over rows, nats: large if the unit distinguishes rows
    """

    v: NDArray
    odds: NDArray[np.float64]
    p: NDArray[np.float32]
    off: NDArray[np.bool_]
    on: NDArray[np.bool_]
    spread: NDArray[np.float64]

    @property
    def stuck(self) -> float:
        """Share of the units that are always on or always off."""
        return float((self.off | self.on).mean())


class Change(NamedTuple):
    """Root mean square of the changes by the next updates of a training.

    weights : change of all weights together, relative to their size; inf if these are 0
    odds : change of the log-odds of hidden units on training rows, nats
    """

    weights: float
    odds: float


@dataclass(frozen=True, eq=False)
class Case:
    """A model and its training data.

    dataset : the known splits; if only rows are known, the training rows are also the held-out ones
    learner, state : learner and current State of the training; None if only the model is known
    records : its measurements so far, by update
    """

    model: Any
    dataset: Dataset
    learner: Any
    state: Any
    context: MeasureContext
    records: Sequence[tuple[int, Mapping[str, float]]]

    @cached_property
    def rows(self) -> Dataset:
        """At most 5,000 rows of each split, gray pixels drawn once."""
        return rows_to_measure(self.dataset, self.context.seed)

    @cached_property
    def mean(self) -> NDArray[np.float64]:
        """(n_visible,) share of the training rows in which each pixel is on."""
        return self.dataset.train.mean()

    @property
    def pixels(self) -> str:
        """Word for the visible units."""
        return "columns" if self.dataset.shape is None else "pixels"

    @cached_property
    def units(self) -> Units | None:
        """Hidden units of an RBM; None for other models."""
        if not isinstance(self.model, RBM):
            return None
        rows = self.rows.train.spread(ROWS)
        odds, p = self.model.hidden_field(rows.v), activities(self.model, rows.v, tick=self._tick(0, 0.05))
        mean, centre = (np.average(each.astype(np.float64), axis=0, weights=rows.weight) for each in (p, odds))
        spread = np.sqrt(np.average((odds - centre) ** 2, axis=0, weights=rows.weight))
        return Units(rows.v, odds, p, always_off(mean), always_on(mean), spread)

    @cached_property
    def change(self) -> Change | None:
        """Size of an update, from the next ones on a copy of the State; None without a rate, or for other models."""
        if self.state is None or self.units is None or self.field("rate") is None:
            return None
        tick, state, size = self._tick(0.05, 0.1), self.state.copy(), float(np.linalg.norm(self.model.W))
        weights, odds = np.zeros(UPDATES), np.zeros(UPDATES)
        for i in range(UPDATES):
            part = portion(tick, i / UPDATES, 1 / UPDATES)
            after = self.learner.advance(state, self.dataset.train, updates=1, tick=part)
            W, c = (np.subtract(getattr(after.model, name), getattr(state.model, name), dtype=float) for name in "Wc")
            weights[i], odds[i] = np.linalg.norm(W), np.linalg.norm(self.units.v @ W + c) / self.units.odds.size**0.5
            state = after.copy()
        share, moved = (float(np.sqrt(np.mean(each**2))) for each in (weights, odds))
        return Change(share / size if size else np.inf, moved)

    @cached_property
    def mean_error(self) -> float:
        """Error of the columns' means in an RBM's reconstructions, relative to the share of their rarer value."""
        assert self.units is not None
        rows = self.rows.train.spread(ROWS)
        made = sigmoid(self.model.b + self.units.p @ self.model.W.T)
        mean = rows.mean()
        off = np.abs(np.average(made, axis=0, weights=rows.weight) - mean).mean()
        return float(off / max(np.minimum(mean, 1 - mean).mean(), RARE))

    @cached_property
    def likelihood(self) -> Figures:
        """Figures of the log-likelihood, exact or estimated; {} if neither is possible."""
        if not isinstance(self.model, RBM | InfiniteRBM | ExactModel):
            return {}
        try:
            return log_likelihood(self.model, self.rows, replace(self.context, tick=self._tick(0.1, 0.55)))
        except Refusal:  # parameters too large to be summed: another finding reports them
            return {}

    @cached_property
    def gain(self) -> float | None:
        """Log-likelihood of the training rows minus that of independent columns, nats per example."""
        for name in ("train_log_likelihood", "train_log_likelihood_ais"):
            if name in self.likelihood:
                base = base_rate_log_likelihood(self.dataset.train, self.rows.train, pseudocount=0)
                return self.likelihood[name] - base
        return None

    def beyond_base(self, rows: Examples) -> NDArray[np.float64]:
        """Return the log-likelihood of each row, without log Z, minus that of independent columns, (n,)."""
        model, train = self.model, self.dataset.train
        ours = -model.free_energy(rows.v) if isinstance(model, RBM | InfiniteRBM) else model.log_likelihood(rows.v)
        base = np.log(smoothed_rates(train))[np.arange(train.n_visible), rows.v.astype(np.int64)].sum(axis=1)
        return np.asarray(ours - base)

    @cached_property
    def own_chains(self) -> NDArray[np.uint8] | None:
        """Chains (n, n_visible) that the learner continues from update to update."""
        return None if self.state is None else self.state.chains_of_model

    @cached_property
    def gap(self) -> Gap | None:
        """Equilibrium gap of the learner's own chains, or of chains that start at training rows."""
        if not isinstance(self.model, RBM):
            return None
        begun, gone_on = (replace(self.context, tick=self._tick(*part)) for part in ((0.55, 0.65), (0.65, 1.0)))
        try:
            chains = chains_from_rows(self.model, self.rows, begun) if self.own_chains is None else self.own_chains
            return gap_of(self.model, self.rows, gone_on, chains, self.context.annealing.temperatures)
        except Refusal:  # parameters too large to be summed, or a single chain
            return None

    def field(self, name: str) -> Any:
        """Return the value of a field of the learner; None if there is no such field."""
        return None if self.learner is None else self.learner.values().get(name)

    def smaller_rate(self) -> dict[str, float]:
        """Return a tenth of the learning rate, as fields of a remedy; {} without a rate."""
        if (rate := self.field("rate")) is None:
            return {}
        return {"learner.rate": max(round_digits(rate / 10), self.learner.named("rate").low or 0.0)}

    def is_live(self, name: str) -> bool:
        """Return True if the learner has this field and it may change during training."""
        return self.field(name) is not None and self.learner.named(name).live

    def named(self, columns: NDArray) -> list[str]:
        """Return the names of some columns."""
        names = None if self.dataset.names is None else self.dataset.names.columns
        return [names[i] if names else f"{self.pixels.removesuffix('s')} {i + 1}" for i in columns]

    def _tick(self, begin: float, end: float) -> Tick:
        return portion(self.context.tick, begin, end - begin)


def round_digits(value: float) -> float:
    """Round to two significant digits."""
    return float(f"{value:.2g}")
