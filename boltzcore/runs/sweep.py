"""Many trainings at once: a thread for each core, every training on one."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

from boltzcore.runs.recipe import Recipe
from boltzcore.runs.training import Record, train
from boltzcore.threads import CORES, one_for_blas
from boltzcore.ticks import Stopped, Tick, idle

TICK_EVERY = 0.1  # seconds between two ticks


def sweep(recipes: Sequence[Recipe], tick: Tick = idle) -> Iterator[tuple[int, tuple[Record, ...]]]:
    """Train every recipe; yields (its index, its records) in the order in which they end.

    Raises what a training raises, and Stopped where `tick` does; the trainings under way then end, too.
    """
    end = threading.Event()

    def watched(fraction: float = 0.0) -> None:
        if end.is_set():
            raise Stopped

    def records(recipe: Recipe) -> tuple[Record, ...]:
        return tuple(step.record for step in train(recipe, tick=watched) if step.record is not None)

    for data in {recipe.data for recipe in recipes}:
        data.load(tick)  # once, and not by every thread at the same time
    with one_for_blas(), ThreadPoolExecutor(CORES, thread_name_prefix="sweep") as pool:
        pending = {pool.submit(records, recipe): index for index, recipe in enumerate(recipes)}
        try:
            while pending:
                done, _ = wait(pending, TICK_EVERY, FIRST_COMPLETED)
                for future in done:
                    yield pending.pop(future), future.result()
                tick(1 - len(pending) / len(recipes))
        finally:
            end.set()
            pool.shutdown(cancel_futures=True)
