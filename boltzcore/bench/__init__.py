"""Benchmarks against straightforward numpy, measured in the same run, the two in turn.

Figures are CPU seconds of this process with one thread, the median of several turns; `ratio` is the median of the
turns' own ratios, so that changes of the machine's speed cancel.
"""

import statistics
import time

from boltzcore import registry, threads
from boltzcore.bench import fvbm, log_linear, propagation, rbm, units
from boltzcore.bench.rows import Row, Work
from boltzcore.processor import processor

ROWS: dict[str, Row] = {**rbm.ROWS, **propagation.ROWS, **fvbm.ROWS, **log_linear.ROWS, **units.ROWS}


def _seconds(work: Work) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def run(names: tuple[str, ...] = ()) -> list[dict[str, float | str]]:
    """Time the rows called `names` (all if empty), and return a list of {name, title, ratio, target, seconds,
    baseline_seconds, processor}.

    Raises Refusal for an unknown name.
    """
    for name in names:
        registry.entry(ROWS, "bench", name)
    results: list[dict[str, float | str]] = []
    with threads.one_for_blas():
        for name in names or ROWS:
            row = ROWS[name]
            ours, baseline = row.build()
            with threads.use(1):
                ours(), baseline()
                pairs = [(_seconds(ours), _seconds(baseline) * row.times) for _ in range(row.turns)]
            results.append(
                {
                    "name": name,
                    "title": row.title,
                    "ratio": statistics.median(theirs / own for own, theirs in pairs),
                    "target": row.target,
                    "seconds": statistics.median(own for own, _ in pairs),
                    "baseline_seconds": statistics.median(theirs for _, theirs in pairs),
                    "processor": processor(),
                }
            )
    return results
