"""How often the verdict on chains is wrong, on models whose law is known exactly.

python -m tests.tools.light [--seeds 2]

Rows drawn from the model exactly are sound, however atypical: as many as a learner has chains are judged of each
trained model, and 100 of each random one. A learner's own chains are sound where two distances from their model's law
are no larger than in 1,000 sets of as many independent rows: that of the shares of rows nearest to each pattern, and
that of the hidden units' means. They are unsound where a sixth of them more than by chance is at the wrong pattern.
What is in between is counted apart. The verdict is that of the measure `equilibrium_gap`. Its thresholds were chosen on
seeds 0 to 2; those from 100 on, which are taken here, had no part in that.
"""

import argparse
import math
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boltzcore.data import load
from boltzcore.data.clusters import Clusters, Mixture
from boltzcore.data.examples import Dataset, Examples
from boltzcore.inference.exact import exact_rows
from boltzcore.inference.verdict import AT, NOT, UNSURE, Verdict
from boltzcore.learners import PCD, TemperedPCD, TrajectoryTempering
from boltzcore.measures import MeasureContext, equilibrium_gap
from boltzcore.measures.equilibrium import verdict_in
from boltzcore.models import RBM, RBMSetup

FIRST = 100  # seed
ROWS, SETS = 20_000, 1_000  # rows of a law, sets of them as many as there are chains
FAR = 1 / 6  # share of chains
PATTERNS = 32  # of data that have no more of them each is one; of others 10 rows are
PIECE = 50  # updates
INFINITE = {"low": -math.inf, "high": math.inf}
EXACT = "drawn exactly"
TRUTHS = (EXACT, "sound", "in between", "unsound")
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


def _exactly(model: RBM) -> NDArray[np.uint8]:
    return exact_rows(model, ROWS, 0)


def truth(
    data: Dataset, model: RBM, chains: NDArray[np.uint8], law: Callable[[RBM], NDArray[np.uint8]] = _exactly
) -> str:
    """How near chains are to the law of their model, of which `law` draws rows: one of `TRUTHS`."""
    rows, generator, n = law(model), np.random.default_rng(0), len(chains)
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


def looked_at(name: str, case: Case, seeds: range) -> list[tuple[str, Verdict]]:
    """The truth about each model, and the verdict; a line for each."""
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
                    chains = learner.chains_of_model(state)
                    assert chains is not None
                    whose = (
                        f"{name:22}{type(learner).__name__:20}K {learner.K:<3}rate {rate:<5g}{state.count:7,} updates"
                    )
                    drawn = exact_rows(state.model, len(chains), seed)
                    for true, v in ((truth(data, state.model, chains), chains), (EXACT, drawn)):
                        found.append((true, judged(whose, true, state.model, data, v, seed, state.count)))
    return found


def random_models(
    name: str, n_visible: int, n_hidden: int, deviation: float, seeds: range
) -> list[tuple[str, Verdict]]:
    """The verdicts on exact draws of models with normal weights and biases that favour no state; a line for each."""
    found = []
    for seed in seeds:
        W = np.random.default_rng(seed).normal(0, deviation, (n_visible, n_hidden))
        model = RBM(W, -W.sum(axis=1) / 2, -W.sum(axis=0) / 2)
        v = exact_rows(model, 100, seed)
        found.append((EXACT, judged(name, EXACT, model, Dataset(Examples(v), None, Examples(v)), v, seed, 0)))
    return found


def judged(
    whose: str, true: str, model: RBM, data: Dataset, chains: NDArray[np.uint8], seed: int, step: int
) -> Verdict:
    """The verdict on chains, printed with the figures that it comes from."""
    told = equilibrium_gap(model, data, MeasureContext(seed, step, chains=chains))
    verdict = verdict_in(told)
    assert verdict is not None
    low, high = (told.get(f"equilibrium_gap_{end}", far) for end, far in INFINITE.items())
    print(
        f"{whose} seed {seed:<4}: {true:14}gap {told['equilibrium_gap']:7.2f} ({low:6.2f} to {high:5.2f}), chi-square "
        f"{told['equilibrium_chi_square']:6.2f}: {verdict.word}",
        flush=True,
    )
    return verdict


def table(title: str, counted: Counter[tuple[str, Verdict]]) -> str:
    """How often each truth got each verdict."""
    verdicts = (AT, UNSURE, NOT)
    lines = [f"{title:28}" + "".join(f"{each.word:>20}" for each in verdicts)]
    lines += [f"{true:28}" + "".join(f"{counted[true, each]:20}" for each in verdicts) for true in TRUTHS]
    return "\n".join(lines)


def shares(counted: Counter[tuple[str, Verdict]]) -> tuple[float, ...]:
    """The share of exact draws and of sound chains that were called unsound, and of unsound ones called sound."""
    wrong = ((EXACT, NOT), ("sound", NOT), ("unsound", AT))
    return tuple(counted[true, verdict] / max(1, of(counted, true)) for true, verdict in wrong)


def of(counted: Counter[tuple[str, Verdict]], true: str) -> int:
    """How many there were of a truth."""
    return sum(counted[true, each] for each in (AT, UNSURE, NOT))


def errors(counted: Counter[tuple[str, Verdict]]) -> str:
    """The false alarms and the misses, in two sentences."""
    drawn, alarms, misses = shares(counted)
    return (
        f"False alarms: {counted[EXACT, NOT]} of {of(counted, EXACT)} drawn exactly ({drawn:.1%}), "
        f"{counted['sound', NOT]} of {of(counted, 'sound')} sound ({alarms:.1%}). "
        f"Misses: {counted['unsound', AT]} of {of(counted, 'unsound')} unsound ({misses:.1%})."
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=2, help="of each training")
    parser.add_argument("--first", type=int, default=FIRST, help="the first of them")
    asked = parser.parse_args()
    found = [
        each
        for name, case in CASES.items()
        for each in looked_at(name, case, range(asked.first, asked.first + asked.seeds))
    ]
    for name, (n_visible, n_hidden, deviation, models) in RANDOM.items():
        found += random_models(name, n_visible, n_hidden, deviation, range(asked.first, asked.first + models))
    counted = Counter(found)
    print(f"\n{table('', counted)}\n{len(found)} sets of chains. {errors(counted)}")
    *alarms, misses = shares(counted)
    return int(max(alarms) > 0.05 or misses > 0.1)


if __name__ == "__main__":
    sys.exit(main())
