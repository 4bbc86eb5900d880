"""Experiments of Takabatake and Akaho, Full-Span Log-Linear Model and Fast Learning Algorithm.

The paper's extension by hidden variables is not implemented.
"""

import dataclasses
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from boltzcore import threads
from boltzcore.data.bayes_net import BayesNet
from boltzcore.data.ising import Ising
from boltzcore.learners import GreedyMDL, PairwiseExact, PairwisePCD
from boltzcore.measures import MeasureContext
from boltzcore.measures.kl import kl_to_data, kl_to_truth
from boltzcore.models import LogLinear, LogLinearSetup
from boltzcore.papers.study import Cell, Row, Study, portions
from boltzcore.registry import info_of
from boltzcore.ticks import Tick, portion

SETS: Mapping[str, Any] = {"Ising5x4": Ising(), "BN20-37": BayesNet(parents=2), "BN20-54": BayesNet(parents=3)}
SIZES = {"S": 1_000, "L": 100_000}  # rows
LEARNERS: Mapping[str, Any] = {"FL": GreedyMDL(), "BM-DI": PairwiseExact(iterations=1_000), "BM-PCD": PairwisePCD()}
DRAWS = {"quick": 1, "paper": 5}  # draws of the rows, and of the network with its tables; the paper has one
TIMINGS = 3


class Reported(NamedTuple):
    """A row of the paper's table 1."""

    kl_to_data: float
    kl_to_truth: float
    terms: int
    seconds: int


REPORTED = {
    ("Ising5x4S", "FL"): Reported(2.501, 0.012, 31, 5),
    ("Ising5x4S", "BM-DI"): Reported(2.424, 0.087, 210, 13),
    ("Ising5x4S", "BM-PCD"): Reported(2.504, 0.094, 210, 3),
    ("Ising5x4L", "FL"): Reported(0.476, 0.004, 37, 9),
    ("Ising5x4L", "BM-DI"): Reported(0.473, 0.002, 210, 12),
    ("Ising5x4L", "BM-PCD"): Reported(0.528, 0.053, 210, 3),
    ("BN20-37S", "FL"): Reported(4.355, 0.317, 39, 5),
    ("BN20-37S", "BM-DI"): Reported(4.746, 0.863, 210, 17),
    ("BN20-37S", "BM-PCD"): Reported(4.803, 0.903, 210, 3),
    ("BN20-37L", "FL"): Reported(0.697, 0.026, 105, 12),
    ("BN20-37L", "BM-DI"): Reported(1.422, 0.750, 210, 19),
    ("BN20-37L", "BM-PCD"): Reported(1.477, 0.806, 210, 3),
    ("BN20-54S", "FL"): Reported(3.288, 0.697, 41, 5),
    ("BN20-54S", "BM-DI"): Reported(3.743, 1.301, 210, 23),
    ("BN20-54S", "BM-PCD"): Reported(3.826, 1.338, 210, 3),
    ("BN20-54L", "FL"): Reported(0.430, 0.057, 192, 23),
    ("BN20-54L", "BM-DI"): Reported(1.545, 1.166, 210, 21),
    ("BN20-54L", "BM-PCD"): Reported(1.620, 1.242, 210, 3),
}


def parts(scale: str) -> list[Any]:
    """Return every draw of every data set."""
    draws = range(DRAWS[scale])
    return [dataclasses.replace(SETS[name], n=n, seed=draw) for name in SETS for n in SIZES.values() for draw in draws]


def table_1(scale: str, cells: Sequence[Cell], tick: Tick) -> Iterator[Row]:
    """Yield, per set and model, a value for each draw: distances from data and truth, terms, CPU seconds."""
    for (data, model), part in portions(cells, tick):
        size = SIZES[data[-1]]
        trials = [
            _trial(dataclasses.replace(SETS[data[:-1]], n=size, seed=draw), LEARNERS[model], draw, of_draw)
            for draw, of_draw in portions(range(DRAWS[scale]), part)
        ]
        reported = REPORTED[data, model]._asdict()
        yield {
            "rows": size,
            "draws": len(trials),
            **{figure: [trial[figure] for trial in trials] for figure in trials[0]},
            **{f"reported_{figure}": value for figure, value in reported.items()},
        }


def _trial(data: Any, learner: Any, seed: int, tick: Tick) -> Mapping[str, float]:
    dataset, seconds = data.load(portion(tick, 0.0, 0.1)), []
    rows = dataset.train
    rows.distinct()  # all three start from the distinct rows
    for _, part in portions(range(TIMINGS), portion(tick, 0.1, 0.8)):
        with threads.use(1):
            began = time.process_time()
            state = learner.start(LogLinearSetup().initial(rows, seed=seed), rows, seed=seed)
            # up to its usual length, or until its own stopping rule holds
            state = learner.advance(state, rows, updates=info_of(learner).length[0], tick=part)
            seconds.append(time.process_time() - began)
    context = MeasureContext(tick=portion(tick, 0.9, 0.1))
    return {
        **kl_to_data(state.model, dataset, context),
        **kl_to_truth(state.model, dataset, context),
        "terms": state.model.n_terms,
        "seconds": statistics.median(seconds),
        "updates": state.count,
    }


STUDIES: Mapping[str, Study] = {
    "fsll-table-1": Study(
        title="The full-span log-linear model against pairwise Boltzmann machines (table 1, figures 3 and 4)",
        full={"paper": "networks drawn anew, as the paper prints no tables"},
        source="Takabatake and Akaho, section 3, table 1, figures 3 and 4",
        scales={
            "quick": "one draw of each set, three timings",
            "paper": "five draws of each set (the paper has one), three timings of each",
        },
        names=("data", "model"),
        cells=lambda scale: [(name + size, model) for name in SETS for size in SIZES for model in LEARNERS],
        make=table_1,
        parts=parts,
        computations=(LogLinear, *map(type, LEARNERS.values()), kl_to_data, kl_to_truth),
    )
}
