"""Whether a diagnosis names what is wrong, and is silent where nothing is.

python -m tests.diagnoses [--seed 0]

Twenty trainings are spoilt on purpose, one way each, and have to be named rightly in 18 at the least; twenty sound ones
have to be passed over in silence in 19.
"""

import argparse
import dataclasses
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from boltzcore.data import Clusters, Dataset, Examples, Ising, Senate, load
from boltzcore.inference.annealing import USUAL, Annealing
from boltzcore.learners import CD, PCD, SDCP, SSD, CenteredGradient, Learner, TemperedPCD, TrajectoryTempering
from boltzcore.measures import Finding, diagnose
from boltzcore.models import RBM, RBMSetup

ENOUGH_NAMED, ENOUGH_SILENT = 18, 19


@dataclass(frozen=True)
class Training:
    """One that is diagnosed after so many updates.

    spoil : what is done to the model that it starts from
    """

    data: Dataset
    setup: RBMSetup
    learner: Learner
    updates: int
    spoil: Callable[[RBM], RBM] = lambda model: model
    annealing: Annealing = USUAL

    def findings(self, seed: int) -> list[Finding]:
        rows, learner = self.data.train, self.learner
        state = learner.start(self.spoil(self.setup.initial(rows, seed=seed)), rows, seed=seed)
        state = learner.advance(state, rows, updates=self.updates)
        return diagnose(state.model, self.data, learner=learner, state=state, annealing=self.annealing, seed=seed)


def half(**fields: float) -> Callable[[RBM], RBM]:
    """Every second hidden unit spoilt: its weights times `W`, plus `all`, and `c` added to its bias."""

    def spoil(model: RBM) -> RBM:
        W, c = model.W.copy(), model.c.copy()
        W[:, ::2] = W[:, ::2] * fields.get("W", 1.0) + fields.get("all", 0.0)
        c[::2] += fields.get("c", 0.0)
        return RBM(W, model.b, c)

    return spoil


def with_column(data: Dataset, column: int, value: int | None = None, *, beside: bool = True) -> Dataset:
    """A data set with a copy of a column, or with one that has the same value in all rows: beside the others, or in
    place of the one after it.
    """

    def more(rows: Examples) -> Examples:
        made = rows.v[:, [column]] if value is None else np.full((len(rows), 1), value, rows.v.dtype)
        if beside:
            return dataclasses.replace(rows, v=np.hstack([rows.v, made]))
        v = rows.v.copy()
        v[:, column + 1] = made[:, 0]
        return dataclasses.replace(rows, v=v)

    return dataclasses.replace(data.mapped(more), names=None)


def first_rows(data: Dataset, n: int) -> Dataset:
    """A data set with fewer training rows."""
    return dataclasses.replace(data, train=data.train.head(n))


def rbm(hidden: int, sigma: float = 0.01, visible_bias: str = "base rate") -> RBMSetup:
    return RBMSetup(hidden=hidden, sigma=sigma, visible_bias=visible_bias)


def spoilt() -> Mapping[str, tuple[str, Training]]:
    """{how it was spoilt: (what should be named, the training)}."""
    digits, mnist, votes = load("digits"), load("mnist-small"), Senate().load()
    bars, clusters = load("bars-and-stripes"), load("clusters")
    usual = PCD(rate=0.02, K=5)
    return {
        "a table with a column of ones": (
            "constant columns",
            Training(with_column(votes, 0, 1), rbm(8), CD(rate=0.05), 1500),
        ),
        "a pixel that is always on": (
            "constant columns",
            Training(with_column(digits, 27, 1, beside=False), rbm(16), usual, 2000),
        ),
        "a table with a column twice": (
            "duplicated columns",
            Training(with_column(votes, 0), rbm(8), CD(rate=0.05), 1500),
        ),
        "a pixel in place of its neighbour": (
            "duplicated columns",
            Training(with_column(digits, 27, beside=False), rbm(16), usual, 2000),
        ),
        "PCD at rate 0.5": ("rate too large", Training(digits, rbm(20), PCD(rate=0.5), 3000)),
        "CD at rate 1, early": ("rate too large", Training(digits, rbm(20), CD(rate=1.0), 200)),
        "spectral descent with small batches": (
            "rate too large",
            Training(digits, rbm(20), SSD(rate=0.1, K=5, batch_size=20), 500),
        ),
        "CD at rate 1e-5": ("rate too small", Training(digits, rbm(20), CD(rate=1e-5), 3000)),
        "weights that nothing changes": (
            "rate too small",
            Training(bars, rbm(8, 0.5), CD(rate=1e-5, K=12, batch_size=0), 2000),
        ),
        "two rows a batch": ("batch too small", Training(digits, rbm(20), CD(rate=0.02, batch_size=2), 3000)),
        "four chains": ("chains too few", Training(digits, rbm(20), PCD(rate=0.02, batch_size=4), 3000)),
        "weights that start large": ("weights explode", Training(digits, rbm(20, 3.0), CD(rate=0.02), 500)),
        "weights that grow without end": (
            "weights explode",
            Training(bars, rbm(4), CD(rate=0.3, K=12, batch_size=0), 100_000),
        ),
        "hidden biases of 30": ("saturated units", Training(digits, rbm(20, 0.1), usual, 1000, half(c=30.0))),
        "units that nothing reaches": ("dead units", Training(digits, rbm(20), usual, 2000, half(W=0.0, c=-20.0))),
        "units that count pixels": ("all-ones features", Training(mnist, rbm(30), CD(rate=0.005), 50, half(all=0.5))),
        "sixty rows": (
            "overfitting",
            Training(first_rows(digits, 60), rbm(25), CD(rate=0.05, K=10, batch_size=20), 20_000),
        ),
        "PCD on clusters": (
            "chains not at equilibrium",
            Training(clusters, rbm(16), PCD(rate=0.05, batch_size=100), 1500),
        ),
        "an estimate of 20 temperatures": (
            "likelihood not to be believed",
            Training(mnist, rbm(64), PCD(rate=0.05, batch_size=200), 600, annealing=Annealing(temperatures=20)),
        ),
        "biases at 0": (
            "mean not learnt",
            Training(mnist, rbm(50, visible_bias="zero"), CD(rate=0.005, batch_size=300), 40),
        ),
    }


def sound() -> Mapping[str, Training]:
    """{what it is: the training}."""
    digits, mnist, votes = load("digits"), load("mnist-small"), Senate().load()
    bars, clusters = load("bars-and-stripes"), load("clusters")
    usual = PCD(rate=0.02, K=5)
    return {
        "digits, before the first update": Training(digits, rbm(20), usual, 0),
        "digits, PCD, early": Training(digits, rbm(20), usual, 70),
        "digits, PCD": Training(digits, rbm(20), usual, 7000),
        "digits, CD": Training(digits, rbm(16), CD(rate=0.1), 3500),
        "digits, CD, 64 units": Training(digits, rbm(64), CD(rate=0.05), 3000),
        "digits, CD of 12 steps": Training(digits, rbm(16), CD(rate=0.05, K=12), 3000),
        "digits, centred gradient": Training(digits, rbm(32), CenteredGradient(rate=0.05), 3000),
        "digits, S-DCP": Training(digits, rbm(32), SDCP(rate=0.05), 1500),
        "digits, spectral descent": Training(digits, rbm(20), SSD(rate=0.1, K=5, batch_size=500), 500),
        "digits, PT": Training(digits, rbm(32), TemperedPCD(rate=0.05, batch_size=100), 1500),
        "digits, PTT": Training(digits, rbm(32), TrajectoryTempering(rate=0.05, batch_size=100), 1500),
        "MNIST, PCD": Training(mnist, rbm(200), PCD(rate=0.02, batch_size=300), 1000),
        "MNIST, CD of 10 steps": Training(mnist, rbm(100), CD(rate=0.02, K=10, batch_size=100), 1000),
        "bars, CD": Training(bars, rbm(8, 0.1), CD(rate=0.1, K=12, batch_size=0), 3000),
        "bars, on the plateau": Training(bars, rbm(4), CD(rate=0.3, K=12, batch_size=0), 300),
        "shifting bar, S-DCP": Training(
            load("shifting-bar"), rbm(4), SDCP(rate=0.3, d=3, K_prime=4, batch_size=0), 15_000
        ),
        "votes, PCD": Training(votes, rbm(8), PCD(rate=0.05, K=5), 2000),
        "Ising, PCD": Training(Ising().load(), rbm(16), PCD(rate=0.02, K=5, batch_size=100), 3000),
        "clusters, PTT": Training(clusters, rbm(16), TrajectoryTempering(rate=0.05, batch_size=100), 1500),
        "few clusters, CD": Training(Clusters(D=6).load(), rbm(8), CD(rate=0.05, K=5, batch_size=100), 2000),
    }


def main() -> int:
    """Print what was found of each training; 1 where fewer were named rightly, or passed over, than should be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    seed = parser.parse_args().seed
    began, named, silent, others = time.process_time(), 0, 0, 0
    for how, (name, training) in (bad := spoilt()).items():
        found = [finding.name for finding in training.findings(seed)]
        named += name in found
        others += len(set(found) - {name})
        print(f"{'named' if name in found else 'MISSED'}: {how} ({name}): {', '.join(found) or 'nothing'}", flush=True)
    for what, training in (good := sound()).items():
        findings = training.findings(seed)
        silent += not findings
        print(f"{'ALARM' if findings else 'silent'}: {what}", *(f"  {each.evidence}" for each in findings), flush=True)
    print(f"{named} of {len(bad)} named rightly, with {others} further findings; {silent} of {len(good)} silent")
    print(f"{time.process_time() - began:.0f} s of processor time")
    return int(named < ENOUGH_NAMED or silent < ENOUGH_SILENT)


if __name__ == "__main__":
    raise SystemExit(main())
