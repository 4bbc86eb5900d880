"""What commands share that train on a cluster."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from boltzcore.runs.cluster import connected
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.scheduler import trained_at
from boltzcore.ticks import Tick

executor_option: Callable[[Any], Any] = click.option(
    "--executor", metavar="ADDRESS", help="Train on the Dask cluster whose scheduler is at tcp://HOST:PORT."
)

KEPT = "What came back from it is kept."


@contextmanager
def trained_on(address: str | None, recipes: Sequence[Recipe], tick: Tick) -> Iterator[Tick]:
    """Train in this process, or, where an address is given, on the cluster there; gives the tick to train with.

    Raises ValueError with a sentence where the cluster cannot be used, or is gone in the middle.
    """
    if address is None:
        yield tick
        return
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what is wrong is said in sentences
    with connected(address, recipes, tick) as cluster, trained_at(cluster.place):
        for note in filter(None, (*cluster.refused, cluster.depends)):
            click.echo(note, err=True)

        def watching(fraction: float = 0.0) -> None:
            if gone := cluster.gone():
                raise ValueError(f"{gone} {KEPT}")
            tick(fraction)

        try:
            yield watching
        except RuntimeError as ended:  # a study does not go on without one of its trainings
            gone = cluster.gone()
            raise ValueError(f"{gone} {KEPT}" if gone else str(ended)) from None
