"""A running Dask cluster as an executor of trials: its workers are tried before the first trial, and are to give our
digits.
"""

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from boltzcore.processor import processor
from boltzcore.quoting import quoted, why
from boltzcore.runs.code_digest import VERSIONS
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.slices import ASKED_EVERY, check_may_leave
from boltzcore.runs.training import train
from boltzcore.runs.trials import key_of
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick, idle

if TYPE_CHECKING:
    from distributed import Client

KINDS = ("tcp://", "tls://")  # of addresses
ANSWERS = 10.0  # seconds in which a scheduler has to answer
COMPILES = 600.0  # seconds that a worker may take to be tried, kernels that it has to compile included
TRIED = 0.5  # seconds of training, here, by which a worker's digits are held against ours
RETRIES = 2  # times that Dask begins a slice again whose worker is gone, before we hear of it


@dataclass(frozen=True)
class Trying:
    """What a worker is tried with: a recipe as JSON, what names it, its data and its code here, so many updates, and
    the digest of the State after them.
    """

    recipe: str
    key: str
    updates: int
    digest: str


@dataclass(frozen=True)
class Answer:
    """What a worker says when it is tried: its processor, its versions of libraries, and what `Trying` has, by its own
    code: (key, digest) of each.

    failed : "", or why it cannot train, and then nothing else counts
    """

    processor: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    found: tuple[tuple[str, str], ...] = ()
    failed: str = ""


@dataclass(frozen=True)
class Cluster:
    """The workers of a cluster that give our digits.

    executor : trains on them; at_once : how many trials at a time
    notes : sentences on workers that were refused, and on learners whose digits depend on the processor
    """

    executor: Executor
    at_once: int
    notes: tuple[str, ...]


@contextmanager
def connected(address: str, recipes: Sequence[Recipe], tick: Tick = idle) -> Iterator[Cluster]:
    """The cluster whose scheduler is at this address, for these recipes. Who reaches a scheduler runs code there, so an
    address is never taken from a visitor. Certificates of tls:// are those that Dask is configured with.

    Raises Refusal where a recipe learns from a table of somebody's own, ValueError with a sentence where Dask is not
    installed, nobody answers, or no worker gives our digits.
    """
    check_may_leave(recipes)
    if not address.startswith(KINDS):
        raise ValueError(f"The address of a cluster must begin with {' or '.join(KINDS)}, not {quoted(address)}.")
    try:
        from distributed import Client
    except ImportError:
        raise ValueError("A cluster needs dask.distributed: pip install 'boltzcore[cluster]'.") from None
    try:
        client = Client(address, timeout=ANSWERS, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        raise ValueError(f"No Dask scheduler answers at {quoted(address)}: {why(error)}.") from None
    with client:
        trying = tuple(_tryings(recipes, tick))
        threads: dict[str, int] = client.nthreads()
        answers = _tried(client, sorted(threads), trying, tick)
        notes = {worker: _refused(worker, answer, recipes, trying) for worker, answer in answers.items()}
        good = [worker for worker, refused in notes.items() if not refused]
        if not good:
            told = " ".join(filter(None, notes.values())) or "it has none."
            raise ValueError(f"No worker of {quoted(address)} can be used: {told}")
        # Dask would take equal calls for one, and a slice begun again is a call like the one before.
        executor = client.get_executor(pure=False, workers=good, allow_other_workers=False, retries=RETRIES)
        kinds = {processor(), *(answers[worker].processor for worker in good)}
        elsewhere = sorted({each.learner.title for each in _stages(recipes) if not each.learner.same_everywhere})
        if elsewhere and len(kinds) > 1:
            notes[""] = (
                f"The digits of {', '.join(elsewhere)} depend on the processor, and here are {len(kinds)} kinds: "
                f"{'; '.join(sorted(kinds))}."
            )
        yield Cluster(executor, sum(threads[worker] for worker in good), tuple(filter(None, notes.values())))


def answer_to(trying: Sequence[Trying]) -> Answer:
    """Train as one is asked to, and say what came of it; called on the worker. Its kernels are compiled by this."""
    found = []
    try:
        with one_for_blas():
            for each in trying:
                recipe = Recipe.from_json(each.recipe)
                next(train(recipe))  # measures have kernels, too
                found.append((key_of(recipe), _digest_after(recipe, each.updates)))
    except Exception as error:  # Dask would have to take it apart
        return Answer(failed=why(error) or type(error).__name__)
    return Answer(processor(), dict(VERSIONS), tuple(found))


def _stages(recipes: Sequence[Recipe]) -> list[Recipe]:
    """Every stage of the recipes by itself."""
    return [replace(stage, before=None) for recipe in recipes for stage in recipe.stages]


def _tryings(recipes: Sequence[Recipe], tick: Tick) -> Iterator[Trying]:
    """One for each learner and model."""
    kinds: dict[tuple[type, type], Recipe] = {}
    for stage in _stages(recipes):
        kinds.setdefault((type(stage.model), type(stage.learner)), stage)
    with one_for_blas():
        for recipe in kinds.values():
            updates, began = 1, time.monotonic()
            digest = _digest_after(recipe, 1, tick)
            while 2 * (time.monotonic() - began) < TRIED:
                updates, began = 2 * updates, time.monotonic()
                digest = _digest_after(recipe, updates, tick)
            yield Trying(recipe.to_json(), key_of(recipe), updates, digest)


def _digest_after(recipe: Recipe, updates: int, tick: Tick = idle) -> str:
    """The digest of all arrays of the State after so many updates."""
    prepared = PreparedData.from_recipe(recipe, tick)
    data, seed = prepared.dataset.train, recipe.schedule.seed
    state = recipe.learner.start(recipe.model.initial(data, seed=seed), data, seed=seed)
    state = recipe.learner.advance(state, data, updates=updates, tick=tick)
    digest = hashlib.sha256()
    for owner in (state, state.model):
        for each in fields(owner):
            value = getattr(owner, each.name)
            if isinstance(value, np.ndarray) and not each.metadata.get("cache"):
                digest.update(repr((each.name, value.dtype.str, value.shape)).encode())
                digest.update(np.ascontiguousarray(value).data)
    return digest.hexdigest()


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
        until = time.monotonic() + COMPILES
        while not all(future.done() for future in asked.values()) and time.monotonic() < until:
            tick(0.0)
            time.sleep(ASKED_EVERY)
        for worker, future in asked.items():
            answers[worker] = _answer(future)
    return answers


def _answer(future: Any) -> Answer:
    if not future.done():
        future.cancel()
        return Answer(failed=f"it has not answered within {COMPILES:.0f} seconds")
    try:
        return future.result()
    except Exception as error:  # it has none of our code, or is gone
        return Answer(failed=why(error) or type(error).__name__)


def _refused(worker: str, answer: Answer, recipes: Sequence[Recipe], trying: Sequence[Trying]) -> str:
    """Why a worker cannot be used, in a sentence; "" where it can."""
    if answer.failed:
        return f"The worker {worker} cannot train: {answer.failed}."
    others = [
        f"{name} {answer.versions.get(name) or 'none'} (here {ours})"
        for name, ours in VERSIONS.items()
        if answer.versions.get(name) != ours
    ]
    if others:
        return f"The worker {worker} has other versions: {', '.join(others)}."
    if [key for key, _ in answer.found] != [each.key for each in trying]:
        return f"The worker {worker} has other code or other data."
    promised = {type(each.learner) for each in _stages(recipes) if each.learner.same_everywhere}
    for each, (_, digest) in zip(trying, answer.found, strict=True):
        learner = Recipe.from_json(each.recipe).learner
        if type(learner) in promised and digest != each.digest:
            return f"The worker {worker} gives other digits with {learner.title}."
    return ""
