"""A model that the project does not know, with its start, its learner and its data: what a newcomer would write.

Columns of three values, each on its own; no image, no rate, nothing drawn at random, and a learner that is done after
nine updates.
"""

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.data.examples import Dataset, Examples, examples
from boltzcore.data.source import Source
from boltzcore.learners.base import Learner, State
from boltzcore.models.base import ExactModel, Model, Setup
from boltzcore.names import Names
from boltzcore.parameters import Refusal, parameter
from boltzcore.registry import LearnerInfo, ModelEntry
from boltzcore.ticks import Tick, idle

VALUES, UPDATES = 3, 9


@dataclass(frozen=True, eq=False)
class Trinomial(ExactModel):
    """p(x) = prod_i rates[i, x_i] over x_i in {0, 1, 2}; rates (n, 3) float64, counts (n,) int64 of what was seen."""

    ARRAYS: ClassVar[dict[str, tuple[str, int]]] = {"rates": ("f", 2), "counts": ("i", 1)}
    SIZES: ClassVar[dict[str, str]] = {"n_visible": "columns of three values"}

    rates: NDArray[np.float64]
    counts: NDArray[np.int64]

    def __post_init__(self) -> None:
        if self.rates.shape != (len(self.counts), VALUES):
            raise ValueError(f"rates must have shape ({len(self.counts)}, {VALUES}), not {self.rates.shape}.")

    @property
    def n_visible(self) -> int:
        return len(self.counts)

    def log_likelihood(self, x: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """(n,) log p of each row of codes, nats."""
        return np.log(self.rates)[np.arange(self.n_visible), np.asarray(x)].sum(axis=1)


@dataclass(frozen=True)
class TrinomialSetup(Setup):
    """Starts at equal rates."""

    name: ClassVar[str] = "trinomial"
    kind: ClassVar[type[Model]] = Trinomial

    @property
    def size(self) -> str:
        return "Three values a column"

    def check(self, data: Examples) -> None:
        if data.gray or np.max(data.levels) > VALUES:
            raise Refusal(f"data must have at most three levels, not {np.max(data.levels)}.", "data")

    def drawn(self, data: Examples, seed: int) -> Trinomial:
        return Trinomial(np.full((data.n_visible, VALUES), 1 / VALUES), np.zeros(data.n_visible, np.int64))


@dataclass(frozen=True)
class Counting(Learner):
    """Goes from equal rates to those of the data in nine steps."""

    random: ClassVar[bool] = False

    pseudocount: float = parameter(1.0, low=1e-3, high=10.0, scale="log", help="Added to how often each value occurs.")

    def start(self, model: Trinomial, data: Examples, *, seed: int) -> State:
        return State(model, 0, 0, seed)

    def _advance(self, state: State, data: Examples, updates: int, tick: Tick) -> State:
        tick(0.0)
        rows = examples(data)
        rates = np.zeros((rows.n_visible, VALUES))
        rates[:, : rows.rates().shape[1]] = rows.rates()
        seen = (rates * rows.total + self.pseudocount) / (rows.total + VALUES * self.pseudocount)
        count = state.count + updates if state.done else min(state.count + updates, UPDATES)
        share = min(count, UPDATES) / UPDATES
        counts = np.full(rows.n_visible, round(rows.total * share), np.int64)
        model = Trinomial((1 - share) / VALUES + share * seen, counts)
        return dataclasses.replace(state, model=model, count=count, work=count, done=count >= UPDATES)


class Known:
    """Law that the weather was drawn from."""

    rates = np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8], [0.3, 0.3, 0.4], [0.05, 0.9, 0.05]])

    def log_likelihood(self, codes: NDArray) -> NDArray[np.float64]:
        return np.log(self.rates)[np.arange(len(self.rates)), codes].sum(axis=1)

    def sample(self, n: int, seed: int) -> NDArray[np.uint8]:
        drawn = np.random.default_rng(seed).random((n, len(self.rates), 1))
        return (drawn > self.rates.cumsum(axis=1)[:, :-1]).sum(axis=2).astype(np.uint8)


@dataclass(frozen=True)
class Weather(Source):
    """A table of four columns of three values."""

    name: ClassVar[str] = "weather"
    title: ClassVar[str] = "Weather"
    about: ClassVar[str] = "Four columns of three values each, drawn from known rates."

    def _load(self, tick: Tick) -> Dataset:
        train, validation, test = (Examples(Known().sample(n, k), levels=VALUES) for k, n in enumerate((300, 60, 60)))
        names = Names(("sky", "wind", "rain", "leaves"), (("clear", "hazy", "grey"),) * 4)
        return Dataset(train, validation, test, names=names, truth=Known())


ENTRY = ModelEntry(
    title="Independent columns of three values",
    kind=Trinomial,
    setup=TrinomialSetup,
    measures=("log_likelihood",),
    merit=("validation_log_likelihood", "train_log_likelihood"),
    work="Steps",
)
LEARNER = LearnerInfo(
    Counting,
    title="Counting",
    source="tests",
    about="Goes from equal rates to those of the data in nine steps.",
    family="a family without a hue",
    models=("trinomial",),
)
