"""Rate of wrong verdicts on chains, on models whose law is known exactly.

python -m tests.tools.light

Rows drawn from the model exactly are sound, however atypical: as many as a learner has chains are judged of each
trained model, and 100 of each random one. A learner's own chains are sound where two distances from their model's law
are no larger than in 1,000 sets of as many independent rows: that of the shares of rows nearest to each pattern, and
that of the hidden units' means. They are unsound where a sixth of them more than by chance is at the wrong pattern.
What is in between is counted apart. The verdict is that of the measure `equilibrium_gap`. Its thresholds were chosen on
seeds 0 to 2; those from 100 on, which are taken here, had no part in that.
"""

import sys
from dataclasses import dataclass

import numpy as np
import pandas
from numpy.typing import NDArray

from boltzcore.data import load
from boltzcore.data.clusters import Clusters, Mixture
from boltzcore.data.examples import Dataset, Examples
from boltzcore.inference.equilibrium import AT, NOT
from boltzcore.inference.samples import exact_rows
from boltzcore.learners import PCD, TemperedPCD, TrajectoryTempering
from boltzcore.measures import MeasureContext, equilibrium_gap
from boltzcore.measures.equilibrium import verdict_in
from boltzcore.models import RBM, RBMSetup

FIRST, SEEDS = 100, 2  # the first seed, and seeds of each training
ROWS, SETS = 20_000, 1_000  # rows of a law, sets of them as many as there are chains
FAR = 1 / 6  # share of chains
PATTERNS = 32  # of data that have no more of them each is one; of others 10 rows are
PIECE = 50  # updates
EXACT = "drawn exactly"
RANDOM = {"random 50 x 10": (50, 10, 2.0, 60), "random 100 x 12": (100, 12, 3.0, 60)}  # units, SD of weights, models


@dataclass(frozen=True)
class Case:
    """Data, and trainings on them with each learner at each rate, looked at after so many operations.

    batch_size : rows; 0 for all, and as many chains as make about 100
    """

    data: Dataset
    hidden: int
    rates: tuple[float, ...]
    batch_size: int
    operations: tuple[float, ...]


CASES = {
    "clusters": Case(Clusters().load(), 12, (0.01, 0.05), 100, (2e9, 6e9)),
    "clusters 6 x 6": Case(Clusters(D=6).load(), 10, (0.02, 0.1), 100, (3e8, 1e9)),
    "Bars & Stripes 4 x 4": Case(load("bars-and-stripes", D=4), 12, (0.05, 0.2), 0, (3e8, 1e9)),
    "Bars & Stripes 3 x 3": Case(load("bars-and-stripes"), 8, (0.05, 0.3), 0, (1e8, 5e8)),
    "Shifting Bar": Case(load("shifting-bar"), 6, (0.1, 0.5), 0, (5e8, 1.5e9)),
    "digits": Case(load("digits"), 12, (0.02, 0.1), 100, (5e8, 2e9)),
}


def learners(rate: float, case: Case) -> list[PCD | TemperedPCD | TrajectoryTempering]:
    size, copies = case.batch_size, 1 if case.batch_size else -(-100 // len(case.data.train))
    return [
        PCD(rate, size, chains_per_row=copies),
        PCD(rate, size, chains_per_row=copies, K=10),
        TemperedPCD(rate, size),
        TrajectoryTempering(rate, size),
    ]


def nearest(data: Dataset, v: NDArray[np.uint8]) -> NDArray[np.int64]:
    """(n,) which pattern each row is nearest to."""
    patterns = data.truth.patterns if isinstance(data.truth, Mixture) else np.unique(data.train.v, axis=0)
    if len(patterns) > PATTERNS:
        patterns = data.train.spread(10).v
    return np.array([(v != each).sum(axis=1) for each in patterns]).argmin(axis=0)


def truth(data: Dataset, model: RBM, chains: NDArray[np.uint8]) -> str:
    """Return how near chains are to the law of their model: sound, in between or unsound."""
    rows, generator, n = exact_rows(model, ROWS, 0), np.random.default_rng(0), len(chains)
    places, means = nearest(data, rows), 1 / (1 + np.exp(-model.hidden_field(rows)))
    shares = np.bincount(places, minlength=PATTERNS) / ROWS
    mean, variance = means.mean(axis=0), means.var(axis=0) + 1e-12

    def of_shares(found: NDArray[np.int64]) -> float:
        return float(np.abs(np.bincount(found, minlength=PATTERNS) / n - shares).sum()) / 2

    def of_means(found: NDArray[np.floating]) -> float:
        return float(np.mean((found.mean(axis=0) - mean) ** 2 / variance))

    sets = generator.integers(ROWS, size=(SETS, n))
    by_chance = [np.array([each(of[which]) for which in sets]) for each, of in ((of_shares, places), (of_means, means))]
    ours = of_shares(nearest(data, chains)), of_means(1 / (1 + np.exp(-model.hidden_field(chains))))
    if ours[0] - by_chance[0].mean() >= FAR:
        return "unsound"
    within = all(mine <= each.max() for mine, each in zip(ours, by_chance, strict=True))
    return "sound" if within else "in between"


def look_at(name: str, case: Case, seeds: range) -> list[tuple[str, str]]:
    """Return the truth about the chains of each trained model, and the verdict; print a line for each."""
    found, data = [], case.data
    for rate in case.rates:
        for learner in learners(rate, case):
            for seed in seeds:
                state = learner.start(
                    RBMSetup(hidden=case.hidden).initial(data.train, seed=seed), data.train, seed=seed
                )
                for operations in case.operations:
                    while (state.operations or 0) < operations:
                        state = learner.advance(state, data.train, updates=PIECE)
                    chains = state.chains_of_model
                    assert chains is not None
                    whose = f"{name:22}{type(learner).__name__:20}K {learner.K:<3}rate {rate:<5g}{state.count:7,}"
                    drawn = exact_rows(state.model, len(chains), seed)
                    for true, v in ((truth(data, state.model, chains), chains), (EXACT, drawn)):
                        found.append((true, judge(whose, true, state.model, data, v, seed, state.count)))
    return found


def look_at_random(name: str, n_visible: int, n_hidden: int, deviation: float, seeds: range) -> list[tuple[str, str]]:
    """Return verdicts on exact draws of models with normal weights and biases that favour no state."""
    found = []
    for seed in seeds:
        W = np.random.default_rng(seed).normal(0, deviation, (n_visible, n_hidden))
        model = RBM(W, -W.sum(axis=1) / 2, -W.sum(axis=0) / 2)
        v = exact_rows(model, 100, seed)
        data = Dataset(Examples(v), None, Examples(v))
        found.append((EXACT, judge(name, EXACT, model, data, v, seed, 0)))
    return found


def judge(whose: str, true: str, model: RBM, data: Dataset, chains: NDArray[np.uint8], seed: int, step: int) -> str:
    """Return the verdict on chains, printed with the figures that it comes from."""
    found = equilibrium_gap(model, data, MeasureContext(seed, step, chains=chains))
    verdict = verdict_in(found)
    assert verdict is not None
    figures = "  ".join(f"{figure.removeprefix('equilibrium_')} {value:.2f}" for figure, value in found.items())
    print(f"{whose} seed {seed:<4}: {true:14}{figures}: {verdict.word}", flush=True)
    return verdict.word


def main() -> int:
    """Print how often each truth got each verdict; 1 if too many verdicts are wrong."""
    found = [each for name, case in CASES.items() for each in look_at(name, case, range(FIRST, FIRST + SEEDS))]
    for name, (*model, n) in RANDOM.items():
        found += look_at_random(name, *model, range(FIRST, FIRST + n))
    table = pandas.crosstab(*np.array(found).T, rownames=["truth"], colnames=["verdict"])
    print(f"\n{table}\n{len(found)} sets of chains")

    def share(true: str, verdict: str) -> float:
        return sum(each == (true, verdict) for each in found) / max(1, sum(each[0] == true for each in found))

    return int(max(share(EXACT, NOT.word), share("sound", NOT.word)) > 0.05 or share("unsound", AT.word) > 0.1)


if __name__ == "__main__":
    sys.exit(main())
