"""Trainings spoilt on purpose, one way each, or two at once, and sound ones: what a diagnosis has to say of each."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from boltzcore.data import Dataset, Examples, Senate, load
from boltzcore.inference.annealing import Annealing
from boltzcore.learners import CD, PCD, SDCP, CenteredGradient, Learner
from boltzcore.measures import MeasureContext, diagnose, log_likelihood
from boltzcore.measures.diagnosis.findings import Finding
from boltzcore.measures.measure import rows_to_measure
from boltzcore.models import RBM, RBMSetup
from boltzcore.names import Names

SMALLER_RATE = "a smaller rate"  # among what is to try
RECORDS = 10  # of the likelihood, over a training


@dataclass(frozen=True)
class Training:
    """One that is diagnosed after so many updates.

    ruin : a change of the model after the training
    changes : {update: fields of the learner from there on}
    bare : whether the model alone is diagnosed, as one from a file
    """

    data: Dataset
    setup: RBMSetup
    learner: Learner
    updates: int
    ruin: Callable[[RBM, np.random.Generator], RBM] | None = None
    changes: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    bare: bool = False

    def findings(self, seed: int) -> list[Finding]:
        """Return the findings of the diagnosis, with the records of the training."""
        rows, learner = self.data.train, self.learner
        state = learner.start(self.setup.initial(rows, seed=seed), rows, seed=seed)
        measured, records = rows_to_measure(self.data.mapped(lambda split: split.spread(500)), seed), []
        for count in sorted({*self.changes, *np.linspace(0, self.updates, RECORDS + 1).astype(int).tolist()}):
            state = learner.advance(state, rows, updates=count - state.count)
            context = MeasureContext(seed, count, Annealing(50, 300))
            records.append((count, log_likelihood(state.model, measured, context)))
            learner = learner.changed(**self.changes.get(count, {}))
        if self.ruin:
            state = dataclasses.replace(state, model=self.ruin(state.model, np.random.default_rng(seed)))
        training = {} if self.bare else {"learner": learner, "state": state, "records": records}
        return diagnose(state.model, self.data, seed=seed, **training)


def with_opposite(data: Dataset, column: int) -> Dataset:
    """A data set with the opposite of a column beside the others."""

    def more(rows: Examples) -> Examples:
        return dataclasses.replace(rows, v=np.hstack([rows.v, rows.v.max() - rows.v[:, [column]]]))

    return dataclasses.replace(data.mapped(more), names=None, shape=None)


def own_table(n: int = 600, columns: int = 12) -> Dataset:
    """Answers of people of three kinds, with names of columns."""
    generator = np.random.default_rng(0)
    p = generator.beta(0.6, 0.6, (3, columns))
    v = (generator.random((n, columns)) < p[generator.integers(0, 3, n)]).astype(np.uint8)
    train, rest = Examples(v[: 2 * n // 3]), Examples(v[2 * n // 3 :])
    return Dataset(train, rest, rest, names=Names(tuple(f"q{i + 1}" for i in range(columns))))


def rbm(hidden: int, sigma: float = 0.01) -> RBMSetup:
    return RBMSetup(hidden=hidden, sigma=sigma)


@cache
def spoilt() -> Mapping[str, tuple[str, Training]]:
    """{how it was spoilt: (what should be named, and after a dash what should not, the training)}."""
    bars, table = load("bars-and-stripes"), own_table()
    forty = dataclasses.replace(table, train=table.train.head(40))
    return {
        "answers and their opposite, PCD": (
            "duplicated columns",
            Training(with_opposite(table, 3), rbm(6), PCD(rate=0.05), 1000),
        ),
        "bars beside the opposite of a pixel, centred": (
            "duplicated columns",
            Training(with_opposite(bars, 4), rbm(8), CenteredGradient(rate=0.1, batch_size=0), 1000),
        ),
        "forty answers at rate 3, centred": (
            f"overfitting & {SMALLER_RATE}",
            Training(forty, rbm(16), CenteredGradient(rate=3.0, batch_size=10), 2000),
        ),
        "biases that are 4 larger, S-DCP": (
            "biases off - rate too large",
            Training(table, rbm(8), SDCP(rate=0.05), 1000, lambda model, _: RBM(model.W, model.b + 4, model.c)),
        ),
        "a file with noise on its biases": (
            "biases off",
            Training(load("digits"), rbm(20), PCD(rate=0.02, K=5), 2000, noisy, bare=True),
        ),
        "a rate raised to 3, bars": (
            "likelihood fell",
            Training(bars, rbm(8, 0.1), CD(rate=0.1, batch_size=0), 6000, changes={3000: {"rate": 3.0}}),
        ),
    }


def noisy(model: RBM, generator: np.random.Generator) -> RBM:
    return RBM(model.W, model.b + 3 * generator.standard_normal(len(model.b)), model.c)


@cache
def sound() -> Mapping[str, Training]:
    """{what it is: the training}."""
    return {
        "bars, on the plateau": Training(load("bars-and-stripes"), rbm(4), CD(rate=0.3, K=12, batch_size=0), 300),
        "votes, PCD": Training(Senate().load(), rbm(8), PCD(rate=0.05, K=5), 2000),
        "answers, CD": Training(own_table(), rbm(3), CD(rate=0.05), 2000),
    }


def is_named(wanted: str, findings: Sequence[Finding], learner: Learner) -> bool:
    """Return True if all findings wanted, "one & another", are there, and none of those after " - "."""
    names = {finding.name for finding in findings}
    rates = [finding.remedy.fields.get("learner.rate", np.inf) for finding in findings]
    if min(rates, default=np.inf) < learner.values().get("rate", 0.0):
        names.add(SMALLER_RATE)
    needed, _, wrong = wanted.partition(" - ")
    return set(needed.split(" & ")) <= names and wrong not in names
