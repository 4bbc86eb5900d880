"""Training on a Dask cluster: the commands' option, and the check of its workers."""

import hashlib
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import fields, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from boltzcore import __version__
from boltzcore.comparison.scheduler import TICK_EVERY, check_not_private
from boltzcore.comparison.trials import key_of
from boltzcore.quoting import Refusal, error_message, quoted
from boltzcore.registry import info_of
from boltzcore.threads import CORES, one_for_blas
from boltzcore.ticks import Tick
from boltzcore.training.loop import train
from boltzcore.training.recipe import Recipe

if TYPE_CHECKING:
    from distributed import Client

UPDATES = 3  # updates of a worker's test training, whose digest is compared with ours
NOTHING_LOST = "Completed trials are kept."
ANSWERS = 10.0  # seconds in which a scheduler must answer

executor_option: Callable[[Any], Any] = click.option(
    "--executor", metavar="ADDRESS", help="Train on the Dask cluster whose scheduler is at tcp://HOST:PORT."
)


@contextmanager
def open_executor(
    address: str | None, recipes: Sequence[Recipe], tick: Tick
) -> Iterator[tuple[Executor | None, int, Tick]]:
    """Yield an executor on the workers that reproduce our digits, the number of trials that it trains at once, and a
    tick for training; without an address None, the cores of this machine and `tick`.

    Raises
    ------
    Refusal
        If a recipe uses a private table, the address is invalid, Dask is not installed, no scheduler answers or no
        worker can be used; from the tick also if the scheduler or all workers are lost.
    """
    if address is None:
        yield None, CORES, tick
        return
    check_not_private(recipes)
    if not address.startswith(("tcp://", "tls://")):
        raise Refusal(f"--executor must begin with tcp:// or tls://, not {quoted(address)}.")
    try:
        from distributed import Client
    except ImportError:
        raise Refusal("--executor needs dask.distributed: pip install 'boltzcore[cluster]'.") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # the commands report errors
    try:
        client = Client(address, timeout=ANSWERS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise Refusal(f"No Dask scheduler answers at {quoted(address)}: {error}.") from None
    with client:
        threads = _threads(client, address)
        good = _check_workers(client, address, recipes, tick)

        def check_workers(fraction: float = 0.0) -> None:
            if not _threads(client, address).keys() & good:
                raise Refusal(f"No worker of {quoted(address)} is left. {NOTHING_LOST}")
            tick(fraction)

        # By default Dask merges equal tasks, and a repeated trial would equal its former task.
        executor = client.get_executor(pure=False, workers=sorted(good), allow_other_workers=False)
        yield executor, sum(threads[worker] for worker in good), check_workers


def _threads(client: "Client", address: str) -> dict[str, int]:
    """Return {address of a worker: its threads}."""
    try:
        if client.status != "running":
            raise OSError("the connection is closed")
        return dict(client.nthreads())
    except (OSError, RuntimeError):
        raise Refusal(f"The Dask scheduler at {quoted(address)} is no longer reachable. {NOTHING_LOST}") from None


def _check_workers(client: "Client", address: str, recipes: Sequence[Recipe], tick: Tick) -> set[str]:
    """Return the workers that reproduce our digits; the others are named on standard error.

    Workers of one host are checked one after the other: if two processes compile the same kernels at the same time,
    they damage each other's cache.
    """
    stages = [replace(stage, before=None) for recipe in recipes for stage in recipe.stages]
    stages = list({(type(stage.model), type(stage.learner)): stage for stage in stages}.values())
    asked = [stage.to_json() for stage in stages]
    ours = digests_of(asked)
    hosts: dict[str, list[str]] = {}
    for worker in sorted(_threads(client, address)):
        hosts.setdefault(worker.rpartition(":")[0], []).append(worker)
    good = set[str]()
    for turn in zip_longest(*hosts.values()):
        answers = {
            worker: client.submit(digests_of, asked, pure=False, workers=[worker], allow_other_workers=False)
            for worker in turn
            if worker is not None
        }
        while _threads(client, address).keys() & {worker for worker, each in answers.items() if not each.done()}:
            tick(0.0)
            time.sleep(TICK_EVERY)
        for worker, answer in answers.items():
            if wrong := _difference(answer, ours, stages):
                click.echo(f"The worker {worker} {wrong}.", err=True)
            else:
                good.add(worker)
    if not good:
        raise Refusal(f"No worker of {quoted(address)} can be used.")
    return good


def _difference(answer: Any, ours: Sequence[tuple[str, str, str]], stages: Sequence[Recipe]) -> str:
    """Return the reason why the worker with this answer cannot be used; "" if it can."""
    if not answer.done():
        return "is gone"
    try:
        found = answer.result()
    except Exception as error:  # for example, it lacks our code
        return f"cannot train: {error_message(error) or type(error).__name__}"
    for stage, (*versions, digest), (*own_versions, own) in zip(stages, found, ours, strict=True):
        if versions != own_versions:
            return "has another version of boltzcore or of its libraries, or other data"
        if stage.learner.same_everywhere and digest != own:
            return f"computes different numbers with {info_of(stage.learner).title}"
    return ""


def digests_of(recipes: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return for each recipe (as JSON) the version of boltzcore here, the recipe's key, which covers the data and the
    versions of libraries, and the digest of the arrays after `UPDATES` updates, which also compiles its kernels.
    """
    found = []
    with one_for_blas():
        for recipe in map(Recipe.from_json, recipes):
            schedule = recipe.schedule.changed(length=UPDATES, unit="updates", every=UPDATES, between=0)
            *_, last = train(replace(recipe, schedule=schedule, changes=()))
            digest = hashlib.sha256()
            for owner in (last.state, last.state.model):
                for each in fields(owner):
                    if isinstance(value := getattr(owner, each.name), np.ndarray) and not each.metadata.get("cache"):
                        digest.update(repr((each.name, value.dtype.str, value.shape)).encode())
                        digest.update(np.ascontiguousarray(value).data)
            found.append((__version__, key_of(recipe), digest.hexdigest()))
    return found
