"""What a greedy step of Takabatake and Akaho's model takes as its states become more: time and memory."""

import time
import tracemalloc
from collections.abc import Iterator, Mapping

import numpy as np

from boltzcore import threads
from boltzcore.data.examples import Examples
from boltzcore.learners import GreedyMDL
from boltzcore.models import LogLinear, LogLinearSetup
from boltzcore.papers.study import Row, Study
from boltzcore.ticks import Tick, portion

ROWS = 20_000
STEPS = 64  # with one of them the duals are computed anew
SPACES: Mapping[str, tuple[tuple[int, int], ...]] = {  # (values, variables)
    "quick": ((2, 16), (2, 18), (2, 20), (2, 22), (3, 13), (4, 10)),
    "paper": ((2, 16), (2, 18), (2, 20), (2, 22), (2, 24), (2, 26), (3, 13), (3, 16), (4, 10), (4, 13)),
}
LEARNER = GreedyMDL(threshold=1e-9)


def chain(values: int, variables: int) -> Examples:
    """Rows whose every column repeats the one before with a probability of 0.6, and is any value else."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, values, (ROWS, variables))
    for i in range(1, variables):
        again = rng.random(ROWS) < 0.6
        x[again, i] = x[again, i - 1]
    return Examples(x, levels=(values,) * variables)


def _sizes(scale: str, tick: Tick) -> Iterator[Row]:
    """Every space: wall seconds a step on one thread and on two, the longest between two ticks, the peak of memory."""
    spaces = SPACES[scale]
    for values, variables in ((2, 4), (3, 4)):  # the first on a machine waits for a compiler
        small = chain(values, variables)
        _seconds(LogLinearSetup().initial(small, seed=0), small, 1, portion(tick, 0.0, 0.0))
    for k, (values, variables) in enumerate(spaces):
        part = portion(tick, k / len(spaces), 1 / len(spaces))
        rows = chain(values, variables)
        rows.distinct()
        model = LogLinearSetup().initial(rows, seed=0)
        megabytes = _megabytes(model, rows, portion(part, 0.0, 0.2))
        one, gap = _seconds(model, rows, 1, portion(part, 0.2, 0.5))
        two, _ = _seconds(model, rows, 2, portion(part, 0.7, 0.3))
        yield {
            "values": values,
            "variables": variables,
            "states": model.n_states,
            "seconds": one,
            "seconds_two_threads": two,
            "gap": gap,
            "megabytes": megabytes,
        }


def _seconds(model: LogLinear, rows: Examples, count: int, tick: Tick) -> tuple[float, float]:
    """(seconds a step on so many threads, the longest between two ticks)."""
    last, gap = 0.0, 0.0

    def report(done: float) -> None:
        nonlocal last, gap
        now = time.perf_counter()
        last, gap = now, max(gap, now - last)
        tick(done)

    with threads.use(count):
        state = LEARNER.start(model, rows, seed=0)
        began = last = time.perf_counter()
        state = LEARNER.advance(state, rows, updates=STEPS, tick=report)
        return (time.perf_counter() - began) / state.count, gap


def _megabytes(model: LogLinear, rows: Examples, tick: Tick) -> float:
    """The most that a start and two steps hold at once, in millions of bytes; numpy reports its arrays."""
    tracemalloc.start()
    try:
        LEARNER.advance(LEARNER.start(model, rows, seed=0), rows, updates=2, tick=tick)
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def _table(rows: list[Row]) -> list[str]:
    return [
        "",
        f"{STEPS} steps of the greedy search on {ROWS:,} rows, from a model without a term. Wall time.",
        f"{'space':>8}{'states':>12}{'ms a step':>12}{'ns a state':>12}{'two threads':>13}{'tick, ms':>10}{'MB':>9}",
        *(
            f"{row['values']:>4}^{row['variables']:<3}{row['states']:>12,}{1e3 * row['seconds']:>12.2f}"
            f"{1e9 * row['seconds'] / row['states']:>12.2f}{1e3 * row['seconds_two_threads']:>13.2f}"
            f"{1e3 * row['gap']:>10.0f}{row['megabytes']:>9.0f}"
            for row in rows
        ),
    ]


STUDIES: Mapping[str, Study] = {
    "fsll-size": Study(
        title="What a greedy step takes: time and memory by the number of states",
        source="Takabatake and Akaho, sections 2.2.2 and 2.2.6",
        reported="A step takes O(|X| log |X|) time, and four tables of |X| numbers: with 4 GB 26 variables of two "
        "values, 16 of three or 13 of four.",
        scales={"quick": "up to 2^22 states", "paper": "up to 2^26 states, 3^16 and 4^13"},
        rows=_sizes,
        table=_table,
    )
}
