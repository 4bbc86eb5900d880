"""What a diagnosis looks at: a model, its data and its training, and what is computed of them once for all findings."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.data.examples import Dataset, Examples, examples
from boltzcore.inference import equilibrium
from boltzcore.kernels.elementwise import sigmoid
from boltzcore.measures.activity import activities
from boltzcore.measures.annealed import annealed_particles, base_of
from boltzcore.measures.equilibrium import chains_from_rows
from boltzcore.measures.likelihood import base_rate_log_likelihood, log_likelihood
from boltzcore.measures.measure import Figures, MeasureContext
from boltzcore.measures.rows import rows_to_measure
from boltzcore.models import RBM, ExactModel, InfiniteRBM
from boltzcore.parameters import Parameter
from boltzcore.ticks import Tick, portion

RATE, BATCH = "rate", "batch_size"  # fields of learners that a diagnosis knows
UPDATES = 5  # that are made to see how large one is: by chance some are several times as large as others
ROWS = 2000  # on which hidden units are looked at
RARE = 0.01  # share of a value, below which means are not compared with it
SMALLEST_IMAGE = 64  # pixels of rows of which nobody says whether they are images
# Shares of the time, about: what each of these is done at.
_UNITS, _UPDATE, _LIKELIHOOD, _GAP = 0.05, 0.1, 0.55, 1.0


class Learning(Protocol):
    """What is asked of a learner: its fields and its updates."""

    def advance(self, state: Any, data: Any, *, updates: int = 1, tick: Tick = ...) -> Any: ...

    def values(self) -> dict[str, Any]: ...

    def named(self, name: str) -> Parameter: ...


@dataclass(frozen=True, eq=False)
class Units:
    """The hidden units of an RBM on some training rows.

    v : (n, n_visible) the rows, 0/1; odds : (n, n_hidden) log-odds of the units; p : (n, n_hidden) p(h = 1 | v)
    """

    v: NDArray
    odds: NDArray[np.float64]
    p: NDArray[np.float32]

    @cached_property
    def activity(self) -> NDArray[np.float64]:
        """(n_hidden,) how often each is on."""
        return self.p.mean(axis=0, dtype=np.float64)

    @cached_property
    def spread(self) -> NDArray[np.float64]:
        """(n_hidden,) standard deviation of the log-odds over rows, nats: what a unit tells of one row from another."""
        return self.odds.std(axis=0)


@dataclass(frozen=True, eq=False)
class Updates:
    """What the next updates of a training are like, made on a copy of its State.

    weights : how far one changes the weights, as a share of their size; inf where these are 0
    odds : how far one moves the log-odds of hidden units on training rows, nats; both root mean squares
    """

    weights: float
    odds: float


@dataclass(frozen=True, eq=False)
class Case:
    """A model and what it was trained on; the findings read the rest.

    dataset : the splits that are known; of rows alone the training rows are also the held-out ones
    bare : whether nothing but rows is known of the data, not even whether they are images
    learner, state : of the training, as it is now; None where only the model is known
    records : its figures so far, by update
    """

    model: Any
    dataset: Dataset
    bare: bool
    learner: Learning | None
    state: Any
    context: MeasureContext
    records: Sequence[tuple[int, Mapping[str, float]]]

    @cached_property
    def rows(self) -> Dataset:
        """At most 5,000 rows of each split, gray pixels drawn once."""
        return rows_to_measure(self.dataset, self.context.seed)

    @cached_property
    def mean(self) -> NDArray[np.float64]:
        """(n_visible,) how often each pixel is on in the training rows."""
        return self.dataset.train.mean()

    @cached_property
    def shape(self) -> tuple[int, int] | None:
        """(height, width) of the images that the rows are; None where they are none. Bare rows of a square number of
        columns are taken for images.
        """
        side = round(self.dataset.train.n_visible**0.5)
        if self.bare and side**2 == self.dataset.train.n_visible >= SMALLEST_IMAGE:
            return side, side
        return self.dataset.shape

    @cached_property
    def pixels(self) -> str:
        """What the visible units are called."""
        return "columns" if self.shape is None else "pixels"

    @cached_property
    def units(self) -> Units | None:
        """None of a model that is no RBM."""
        if not isinstance(self.model, RBM):
            return None
        v = self.rows.train.spread(ROWS).v
        return Units(v, self.model.hidden_field(v), activities(self.model, v, tick=self._tick(0, _UNITS)))

    @cached_property
    def updates(self) -> Updates | None:
        """None where the learner has no rate, or the model is no RBM."""
        if self.learner is None or self.state is None or self.units is None or self.field(RATE) is None:
            return None
        tick, state, size = self._tick(_UNITS, _UPDATE), self.state.copy(), float(np.linalg.norm(self.model.W))
        weights, odds = np.zeros(UPDATES), np.zeros(UPDATES)
        for i in range(UPDATES):
            of_it = portion(tick, i / UPDATES, 1 / UPDATES)
            after = self.learner.advance(state, self.dataset.train, updates=1, tick=of_it)
            W, c = (np.subtract(getattr(after.model, name), getattr(state.model, name), dtype=float) for name in "Wc")
            weights[i], odds[i] = np.linalg.norm(W), np.linalg.norm(self.units.v @ W + c) / self.units.odds.size**0.5
            state = after.copy()
        share, moved = (float(np.sqrt(np.mean(each**2))) for each in (weights, odds))
        return Updates(share / size if size else np.inf, moved)

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
        """The figures of the log-likelihood, exact or estimated; {} where neither can be had."""
        if not isinstance(self.model, RBM | InfiniteRBM | ExactModel):
            return {}
        try:
            context = dataclasses.replace(self.context, tick=self._tick(_UPDATE, _LIKELIHOOD))
            return log_likelihood(self.model, self.rows, context)
        except ValueError:  # parameters so large that nothing can be summed: another finding says so
            return {}

    @cached_property
    def climbed(self) -> float | None:
        """How far the log-likelihood of the training rows is above that of independent columns, nats per example."""
        for name in ("train_log_likelihood", "train_log_likelihood_ais"):
            if name in self.likelihood:
                base = base_rate_log_likelihood(self.dataset.train, self.rows.train, pseudocount=0)
                return self.likelihood[name] - base
        return None

    @cached_property
    def own_chains(self) -> NDArray[np.uint8] | None:
        """(n, n_visible) those that the learner goes on with from update to update; None where it has none."""
        return None if self.state is None else self.state.chains_of_model

    @cached_property
    def gap(self) -> equilibrium.Gap | None:
        """Whether the learner's own chains are where the model is, else those that begin at training rows; None where
        that cannot be said.
        """
        if not isinstance(self.model, RBM):
            return None
        tick, how = self._tick(_LIKELIHOOD, _GAP), self.context.annealing
        chains = self.own_chains
        try:
            if chains is None:
                begun = dataclasses.replace(self.context, tick=portion(tick, 0, 0.2))
                chains = chains_from_rows(self.model, self.rows, begun)
            forward = annealed_particles(self.model, self.rows, self.context, portion(tick, 0.2, 0.4))
            return equilibrium.equilibrium_gap(
                self.model,
                chains,
                particles=how.chains,
                temperatures=how.temperatures,
                base=base_of(self.rows, self.context),
                seed=self.context.seed,
                step=self.context.step,
                forward=forward,
                tick=portion(tick, 0.6, 0.4),
            )
        except ValueError:  # as above, or a single chain
            return None

    def field(self, name: str) -> Any:
        """The value of a field of the learner; None where it has none of that name, or none is known."""
        return None if self.learner is None else self.learner.values().get(name)

    def smaller_rate(self) -> dict[str, float]:
        """A tenth of the learning rate, as the fields of a remedy; {} where none is known."""
        rate = self.field(RATE)
        if rate is None or self.learner is None:
            return {}
        return {f"learner.{RATE}": max(rounded(rate / 10), self.learner.named(RATE).low or 0.0)}

    def live(self, *names: str) -> bool:
        """Whether all these fields of the learner may change while it runs."""
        return self.learner is not None and all(self.learner.named(name).live for name in names)

    def named(self, columns: NDArray) -> list[str]:
        """What some columns are called."""
        names = None if self.dataset.names is None else self.dataset.names.columns
        return [names[i] if names else f"{self.pixels.removesuffix('s')} {i + 1}" for i in columns]

    def _tick(self, begin: float, end: float) -> Tick:
        return portion(self.context.tick, begin, end - begin)


def rounded(value: float) -> float:
    """To two digits, as somebody would choose it."""
    return float(f"{value:.2g}")


def dataset_of(data: Dataset | Examples | ArrayLike) -> Dataset:
    """Rows without splits as a data set whose training rows are all there is."""
    if isinstance(data, Dataset):
        return data
    rows = examples(data)
    return Dataset(rows, None, rows)
