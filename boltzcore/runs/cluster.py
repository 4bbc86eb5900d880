"""A running Dask cluster as a place of trials: its workers are tried before the first trial, and are to give our
digits.
"""

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from boltzcore.processor import processor
from boltzcore.quoting import quoted, why
from boltzcore.runs.probe import Answer, Trying, answer_to, refused, tryings
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.result import digits_depend
from boltzcore.runs.scheduler import Place
from boltzcore.runs.slices import ASKED_EVERY, SLICE, Elsewhere, check_may_leave
from boltzcore.threads import beside
from boltzcore.ticks import Tick, idle

if TYPE_CHECKING:
    from distributed import Client

KINDS = ("tcp://", "tls://")  # of addresses
PORT = 8786  # of a scheduler, where an address names none
ANSWERS = 10.0  # seconds in which a scheduler has to answer
COMPILES = 600.0  # seconds that a worker may take to be tried, kernels that it has to compile included
RETRIES = 2  # times that Dask begins a slice again whose worker is gone, before we hear of it
SILENT = 30.0  # seconds without an answer after which a scheduler is taken for gone
LOOKED_EVERY = 1.0  # seconds between two looks whether scheduler and workers are there
CLOSES = 2.0  # seconds that taking leave of a scheduler may take
_VARIABLE = "BOLTZCORE_EXECUTOR"

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Cluster:
    """The workers of a cluster that give our digits.

    executor : trains on them; at_once : how many trials at a time
    refused : sentences on workers that cannot be used, with their addresses
    depends : a sentence where digits of a learner depend on the processor, and there are several kinds; else ""
    gone : says in a sentence that scheduler or workers are gone; "" as long as they are there
    seconds : of a slice
    """

    executor: Executor
    at_once: int
    refused: tuple[str, ...]
    depends: str
    gone: Callable[[], str]
    seconds: float

    @property
    def place(self) -> Place:
        """Where its trials are trained, for a scheduler."""
        return Place(Elsewhere(self.executor, self.seconds, self.gone), self.at_once)


def named() -> str:
    """The address of the cluster that BOLTZCORE_EXECUTOR names, for whoever serves others; "" where it names none."""
    address = os.environ.get(_VARIABLE, "").strip()
    if address and not address.startswith(KINDS):
        logger.warning("%s is passed over: %s", _VARIABLE, _wrong(address))
        return ""
    return address


def _wrong(address: str) -> str:
    return f"The address of a cluster must begin with {' or '.join(KINDS)}, not {quoted(address)}."


@contextmanager
def connected(address: str, recipes: Sequence[Recipe], tick: Tick = idle, seconds: float = SLICE) -> Iterator[Cluster]:
    """The cluster whose scheduler is at this address, for these recipes, in slices of so many seconds. Who reaches a
    scheduler runs code there, so an address is never taken from a visitor. Certificates of tls:// are those that Dask
    is configured with.

    Raises Refusal where a recipe learns from a table of somebody's own, ValueError with a sentence where Dask is not
    installed, nobody answers, or no worker gives our digits, and what `tick` does.
    """
    check_may_leave(recipes)
    if not address.startswith(KINDS):
        raise ValueError(_wrong(address))
    with _client(address, tick) as client:
        trying = tuple(tryings(recipes, tick))
        try:
            threads: dict[str, int] = client.nthreads()
            answers = _tried(client, sorted(threads), trying, tick)
        except (OSError, RuntimeError) as error:
            raise ValueError(f"The Dask scheduler at {quoted(address)} is gone: {why(error)}.") from None
        told = {worker: refused(worker, answer, recipes, trying) for worker, answer in answers.items()}
        good = [worker for worker, sentence in told.items() if not sentence]
        wrong = tuple(filter(None, told.values()))
        if not good:
            raise ValueError(f"No worker of {quoted(address)} can be used: {' '.join(wrong) or 'it has none.'}")
        # Dask would take equal calls for one, and a slice begun again is a call like the one before.
        executor = client.get_executor(pure=False, workers=good, allow_other_workers=False, retries=RETRIES)
        at_once = sum(threads[worker] for worker in good)
        depends = digits_depend(recipes, {processor(), *(answers[worker].processor for worker in good)})
        with _looking(client, address, good) as gone:
            yield Cluster(executor, at_once, wrong, depends, gone, seconds)


@contextmanager
def _client(address: str, tick: Tick) -> Iterator["Client"]:
    try:
        from distributed import Client, Security
    except ImportError:
        raise ValueError("A cluster needs dask.distributed: pip install 'boltzcore[cluster]'.") from None
    if address.startswith("tls://") and Security().get_connection_args("client").get("ssl_context") is None:
        raise ValueError(f"{quoted(address)} needs certificates, and Dask is configured with none.")
    made: list[Client] = []
    left = threading.Event()

    def leave() -> None:
        left.set()
        for client in made:
            with suppress(Exception):  # whoever is gone needs no leave
                client.close(timeout=CLOSES)

    def make() -> None:
        place = urlsplit(address)
        with socket.create_connection((place.hostname, place.port or PORT), ANSWERS):
            pass  # Dask would ask again and again where nobody listens
        made.append(Client(address, timeout=ANSWERS, set_as_default=False))
        if left.is_set():
            leave()

    try:
        try:
            beside(make, tick)
        except (OSError, TimeoutError, ValueError, TypeError) as error:
            raise ValueError(f"No Dask scheduler answers at {quoted(address)}: {why(error)}.") from None
        yield made[0]
    finally:
        leave()


@contextmanager
def _looking(client: "Client", address: str, good: Sequence[str]) -> Iterator[Callable[[], str]]:
    """What says whether scheduler and workers are gone. A thread asks: the scheduler may never answer."""
    over = threading.Event()
    heard = {"at": time.monotonic(), "workers": len(good)}

    def look() -> None:
        while not over.wait(LOOKED_EVERY):
            with suppress(Exception):  # `gone` sees to that
                heard.update(workers=len(client.nthreads().keys() & set(good)), at=time.monotonic())

    def gone() -> str:
        if client.status != "running" or time.monotonic() > heard["at"] + SILENT:
            return f"The Dask scheduler at {quoted(address)} does not answer any more."
        return "" if heard["workers"] else f"All workers of {quoted(address)} are gone."

    threading.Thread(target=look, name="cluster", daemon=True).start()
    try:
        yield gone
    finally:
        over.set()


def _tried(client: "Client", workers: Sequence[str], trying: Sequence[Trying], tick: Tick) -> dict[str, Answer]:
    """What each worker answers, or why it does not: one after the other on each machine, for processes that compile the
    same kernels at the same time would damage each other's cache.
    """
    by_host: dict[str, list[str]] = {}
    for worker in workers:
        by_host.setdefault(worker.rpartition(":")[0], []).append(worker)
    answers: dict[str, Answer] = {}
    for round_ in zip_longest(*by_host.values()):
        asked = {
            worker: client.submit(answer_to, trying, pure=False, workers=[worker], allow_other_workers=False)
            for worker in round_
            if worker is not None
        }
        there, looked = set(asked), time.monotonic()
        until = looked + COMPILES
        while not all(asked[worker].done() for worker in there) and time.monotonic() < until:
            tick(0.0)
            time.sleep(ASKED_EVERY)
            if time.monotonic() > looked + LOOKED_EVERY:  # what only a worker that is gone may do waits for ever
                there, looked = there & client.nthreads().keys(), time.monotonic()
        for worker, future in asked.items():
            late = f"it has not answered within {COMPILES:.0f} seconds" if worker in there else "it is gone"
            answers[worker] = _answer(future, late)
    return answers


def _answer(future: Any, late: str) -> Answer:
    if not future.done():
        future.cancel()
        return Answer(failed=late)
    try:
        return future.result()
    except Exception as error:  # it has none of our code, or is gone
        return Answer(failed=why(error) or type(error).__name__)
