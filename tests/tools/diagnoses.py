"""How often a diagnosis names what is wrong, and is silent where nothing is.

python -m tests.tools.diagnoses [--first 0] [--seeds 4]

Trainings are spoilt on purpose, one way each, or two at once, over several learners and data, and so many seeds; 56 of
60 have to be named rightly. Sound ones have to be passed over in silence in 59 of 60.
"""

import argparse
import dataclasses
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from boltzcore.data import Clusters, Dataset, Examples, Senate, load
from boltzcore.inference.annealing import USUAL, Annealing
from boltzcore.learners import CD, PCD, SDCP, CenteredGradient, Learner, TrajectoryTempering
from boltzcore.measures import MeasureContext, diagnose, log_likelihood
from boltzcore.measures.diagnosis import Finding
from boltzcore.measures.measure import rows_to_measure
from boltzcore.models import RBM, RBMSetup
from boltzcore.names import Names

ENOUGH_NAMED, ENOUGH_SILENT = 56 / 60, 59 / 60  # shares
SMALLER_RATE = "a smaller rate"  # among what is to try
RECORDS = 10  # of the likelihood, over a training


Spoil = Callable[[RBM, np.random.Generator], RBM]


@dataclass(frozen=True)
class Training:
    """One that is diagnosed after so many updates.

    spoil, ruin : changes of the model before the training, and after it
    changes : {update: fields of the learner from there on}
    bare : whether the model alone is diagnosed, as one from a file
    """

    data: Dataset
    setup: RBMSetup
    learner: Learner
    updates: int
    spoil: Spoil | None = None
    ruin: Spoil | None = None
    changes: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    bare: bool = False
    annealing: Annealing = USUAL

    def trained(self, seed: int) -> tuple[Learner, Any, list[tuple[int, Mapping[str, float]]]]:
        """The learner as it is at the end, its State and the records on the way."""
        rows, learner, generator = self.data.train, self.learner, np.random.default_rng(seed)
        model = self.setup.initial(rows, seed=seed)
        state = learner.start(self.spoil(model, generator) if self.spoil else model, rows, seed=seed)
        measured, records = rows_to_measure(self.data.mapped(lambda split: split.spread(500)), seed), []
        for count in sorted({*self.changes, *np.linspace(0, self.updates, RECORDS + 1).astype(int).tolist()}):
            state = learner.advance(state, rows, updates=count - state.count)
            context = MeasureContext(seed, count, Annealing(50, 300))
            records.append((count, log_likelihood(state.model, measured, context)))
            learner = learner.changed(**self.changes.get(count, {}))
        if self.ruin:
            state = dataclasses.replace(state, model=self.ruin(state.model, generator))
        return learner, state, records

    def findings(self, seed: int) -> list[Finding]:
        learner, state, records = self.trained(seed)
        training = {} if self.bare else {"learner": learner, "state": state, "records": records}
        return diagnose(state.model, self.data, annealing=self.annealing, seed=seed, **training)


def half(**fields: float) -> Spoil:
    """Every second hidden unit spoilt: its weights times `W`, and `c` added to its bias."""

    def spoil(model: RBM, _generator: np.random.Generator) -> RBM:
        W, c = model.W.copy(), model.c.copy()
        W[:, ::2] = W[:, ::2] * fields.get("W", 1.0)
        c[::2] += fields.get("c", 0.0)
        return RBM(W, model.b, c)

    return spoil


def biases(noise: float = 0.0, more: float = 0.0) -> Spoil:
    """Visible biases with noise and a number added."""

    def spoil(model: RBM, generator: np.random.Generator) -> RBM:
        return RBM(model.W, model.b + noise * generator.standard_normal(len(model.b)) + more, model.c)

    return spoil


def with_opposite(data: Dataset, column: int) -> Dataset:
    """A data set with the opposite of a column beside the others."""

    def more(rows: Examples) -> Examples:
        return dataclasses.replace(rows, v=np.hstack([rows.v, rows.v.max() - rows.v[:, [column]]]))

    return dataclasses.replace(data.mapped(more), names=None, shape=None)


def with_constant(data: Dataset, column: int) -> Dataset:
    """A data set with a column that is on in all rows."""

    def on(rows: Examples) -> Examples:
        v = rows.v.copy()
        v[:, column] = 1
        return dataclasses.replace(rows, v=v)

    return dataclasses.replace(data.mapped(on), names=None)


def first_rows(data: Dataset, n: int) -> Dataset:
    """A data set with fewer training rows."""
    return dataclasses.replace(data, train=data.train.head(n))


def black_and_white(n: int = 1500) -> Dataset:
    """Every second pixel of MNIST's images in each direction, binarised."""

    def smaller(rows: Examples) -> Examples:
        return Examples((rows.v[:n].reshape(-1, 28, 28)[:, ::2, ::2].reshape(-1, 196) > 127).astype(np.uint8))

    return dataclasses.replace(load("mnist-small").mapped(smaller), names=None, shape=(14, 14))


def own_table(n: int = 600, columns: int = 12, seed: int = 0) -> Dataset:
    """Answers of people of three kinds, with names of columns."""
    generator = np.random.default_rng(seed)
    p = generator.beta(0.6, 0.6, (3, columns))
    v = (generator.random((n, columns)) < p[generator.integers(0, 3, n)]).astype(np.uint8)
    train, rest = Examples(v[: 2 * n // 3]), Examples(v[2 * n // 3 :])
    return Dataset(train, rest, rest, names=Names(tuple(f"q{i + 1}" for i in range(columns))))


def rbm(hidden: int, sigma: float = 0.01, visible_bias: str = "base rate") -> RBMSetup:
    return RBMSetup(hidden=hidden, sigma=sigma, visible_bias=visible_bias)


@cache
def spoilt() -> Mapping[str, tuple[str, Training]]:
    """{how it was spoilt: (what should be named, and after a dash what should not, the training)}."""
    digits, mnist, clusters = load("digits"), load("mnist-small"), load("clusters")
    bars, table = load("bars-and-stripes"), own_table()
    usual = PCD(rate=0.02, K=5)
    return {
        "a pixel that is always on": (
            "constant columns",
            Training(with_constant(digits, 28), rbm(16), usual, 2000),
        ),
        "answers and their opposite, PCD": (
            "duplicated columns",
            Training(with_opposite(table, 3), rbm(6), PCD(rate=0.05), 1000),
        ),
        "bars beside the opposite of a pixel, centred": (
            "duplicated columns",
            Training(with_opposite(bars, 4), rbm(8), CenteredGradient(rate=0.1, batch_size=0), 1000),
        ),
        "PCD at rate 0.5": ("rate too large", Training(digits, rbm(20), PCD(rate=0.5), 3000)),
        "CD at rate 1e-5": ("rate too small", Training(digits, rbm(20), CD(rate=1e-5), 3000)),
        "two rows a batch": ("batch too small", Training(digits, rbm(20), CD(rate=0.02, batch_size=2), 3000)),
        "weights that grow without end": (
            "weights explode",
            Training(bars, rbm(4), CD(rate=0.3, K=12, batch_size=0), 100_000),
        ),
        "hidden biases of 30": ("saturated units", Training(digits, rbm(20, 0.1), usual, 1000, half(c=30.0))),
        "units that nothing reaches": ("dead units", Training(digits, rbm(20), usual, 2000, half(W=0.0, c=-20.0))),
        "sixty rows": ("overfitting", Training(first_rows(digits, 60), rbm(20), CD(rate=0.05, K=10), 20_000)),
        "forty answers at rate 3, centred": (
            "overfitting & a smaller rate",
            Training(first_rows(table, 40), rbm(16), CenteredGradient(rate=3.0, batch_size=10), 2000),
        ),
        "PCD on clusters": (
            "chains not at equilibrium",
            Training(clusters, rbm(16), PCD(rate=0.05, batch_size=100), 1500),
        ),
        "an estimate of 20 temperatures": (
            "unreliable likelihood",
            Training(mnist, rbm(64), PCD(rate=0.05, batch_size=200), 600, annealing=Annealing(temperatures=20)),
        ),
        "biases at 0": (
            "mean not learnt",
            Training(mnist, rbm(50, visible_bias="zero"), CD(rate=0.005, batch_size=300), 40),
        ),
        "biases that are 4 larger, S-DCP": (
            "biases off - rate too large",
            Training(table, rbm(8), SDCP(rate=0.05), 1000, ruin=biases(more=4.0)),
        ),
        "a file with noise on its biases": (
            "biases off",
            Training(digits, rbm(20), usual, 2000, ruin=biases(noise=3.0), bare=True),
        ),
        "a rate raised to 3, bars": (
            "likelihood fell",
            Training(bars, rbm(8, 0.1), CD(rate=0.1, batch_size=0), 6000, changes={3000: {"rate": 3.0}}),
        ),
    }


@cache
def sound() -> Mapping[str, Training]:
    """{what it is: the training}."""
    digits, mnist, votes = load("digits"), load("mnist-small"), Senate().load()
    bars, table, black = load("bars-and-stripes"), own_table(), black_and_white()
    usual = PCD(rate=0.02, K=5)
    return {
        "digits, before the first update": Training(digits, rbm(20), usual, 0),
        "digits, PCD": Training(digits, rbm(20), usual, 7000),
        "digits, a rate raised": Training(digits, rbm(20), CD(rate=0.02), 3000, changes={1500: {"rate": 0.1}}),
        "digits, S-DCP": Training(digits, rbm(32), SDCP(rate=0.05), 1500),
        "digits, PTT": Training(digits, rbm(32), TrajectoryTempering(rate=0.05, batch_size=100), 1500),
        "binarised MNIST, PCD, a file": Training(black, rbm(16), usual, 3000, bare=True),
        "MNIST, PCD": Training(mnist, rbm(200), PCD(rate=0.02, batch_size=300), 1000),
        "bars, on the plateau": Training(bars, rbm(4), CD(rate=0.3, K=12, batch_size=0), 300),
        "votes, PCD": Training(votes, rbm(8), PCD(rate=0.05, K=5), 2000),
        "answers, CD": Training(table, rbm(3), CD(rate=0.05), 2000),
        "answers, PCD, early": Training(table, rbm(4), PCD(rate=0.05, K=2), 150),
        "few clusters, CD": Training(Clusters(D=6).load(), rbm(8), CD(rate=0.05, K=5, batch_size=100), 2000),
    }


def is_named(wanted: str, findings: Sequence[Finding], learner: Learner) -> bool:
    """Whether there are all findings wanted, "one & another", and none of those after " - "."""
    names = {finding.name for finding in findings}
    rates = [finding.remedy.fields.get("learner.rate", np.inf) for finding in findings]
    if min(rates, default=np.inf) < learner.values().get("rate", 0.0):
        names.add(SMALLER_RATE)
    needed, _, wrong = wanted.partition(" - ")
    return set(needed.split(" & ")) <= names and wrong not in names


def main() -> int:
    """Print the seeds of which each training was named rightly, or passed over; 1 where these are too few."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, default=4, help="how many seeds, one after the other")
    given = parser.parse_args()
    began, seeds, right = time.process_time(), range(given.first, given.first + given.seeds), Counter[bool]()
    bad, good = spoilt(), {what: ("", training) for what, training in sound().items()}
    for table in (bad, good):
        for what, (wanted, training) in table.items():
            found = {seed: training.findings(seed) for seed in seeds}
            well = [is_named(wanted, each, training.learner) if wanted else not each for each in found.values()]
            right[bool(wanted)] += sum(well)
            others = Counter(each.name for findings in found.values() for each in findings)
            seen = ", ".join(f"{name} {n}" for name, n in others.items()) or "nothing"
            print(f"{sum(well)} of {len(seeds)}: {what} ({wanted or 'sound'}): {seen}", flush=True)
    named, silent = (right[kind] / len(table) / len(seeds) for kind, table in ((True, bad), (False, good)))
    print(f"Seeds {seeds[0]} to {seeds[-1]}: {right[True]} of {len(bad) * len(seeds)} spoilt trainings named rightly,")
    print(f"{right[False]} of {len(good) * len(seeds)} sound ones silent, in {time.process_time() - began:.0f} s")
    return int(named < ENOUGH_NAMED or silent < ENOUGH_SILENT)


if __name__ == "__main__":
    raise SystemExit(main())
