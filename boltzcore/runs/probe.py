"""What a machine is tried with before it trains for others, and why one is refused: it has to give our digits."""

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib.metadata import version

import numpy as np

from boltzcore.learners.base import State
from boltzcore.processor import processor
from boltzcore.quoting import why
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.training import train
from boltzcore.runs.trials import key_of
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick, idle

VERSIONS = {library: version(library) for library in ("numpy", "numba", "scipy", "scikit-learn")}
TRIED = 0.5  # seconds of training, here, by which a worker's digits are held against ours


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


def answer_to(trying: Sequence[Trying]) -> Answer:
    """Train as one is asked to, and say what came of it; called on the worker. Its kernels are compiled by this. Where
    its code or data are others nothing is trained.
    """
    found = []
    try:
        recipes = [Recipe.from_json(each.recipe) for each in trying]
        keys = [key_of(recipe) for recipe in recipes]
        if keys != [each.key for each in trying]:
            return Answer(processor(), dict(VERSIONS), tuple((key, "") for key in keys))
        with one_for_blas():
            for recipe, key, each in zip(recipes, keys, trying, strict=True):
                next(train(recipe))  # measures have kernels, too
                found.append((key, _digest(_after(recipe, each.updates))))
    except Exception as error:  # Dask would have to take it apart
        return Answer(failed=why(error) or type(error).__name__)
    return Answer(processor(), dict(VERSIONS), tuple(found))


def stages_of(recipes: Sequence[Recipe]) -> list[Recipe]:
    """Every stage of the recipes by itself."""
    return [replace(stage, before=None) for recipe in recipes for stage in recipe.stages]


def tryings(recipes: Sequence[Recipe], tick: Tick) -> Iterator[Trying]:
    """One for each learner and model."""
    kinds: dict[tuple[type, type], Recipe] = {}
    for stage in stages_of(recipes):
        kinds.setdefault((type(stage.model), type(stage.learner)), stage)
    with one_for_blas():
        for recipe in kinds.values():
            updates, began = 1, time.monotonic()
            state = _after(recipe, updates, tick)
            while 2 * (time.monotonic() - began) < TRIED and not state.done:
                updates, began = 2 * updates, time.monotonic()
                state = _after(recipe, updates, tick)
            yield Trying(recipe.to_json(), key_of(recipe), updates, _digest(state))


def _after(recipe: Recipe, updates: int, tick: Tick = idle) -> State:
    """The State after so many updates."""
    prepared = PreparedData.from_recipe(recipe, tick)
    data, seed = prepared.dataset.train, recipe.schedule.seed
    state = recipe.learner.start(recipe.model.initial(data, seed=seed), data, seed=seed)
    return recipe.learner.advance(state, data, updates=updates, tick=tick)


def _digest(state: State) -> str:
    """The digest of all arrays of a State."""
    digest = hashlib.sha256()
    for owner in (state, state.model):
        for each in fields(owner):
            value = getattr(owner, each.name)
            if isinstance(value, np.ndarray) and not each.metadata.get("cache"):
                digest.update(repr((each.name, value.dtype.str, value.shape)).encode())
                digest.update(np.ascontiguousarray(value).data)
    return digest.hexdigest()


def refused(worker: str, answer: Answer, recipes: Sequence[Recipe], trying: Sequence[Trying]) -> str:
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
    promised = {type(each.learner) for each in stages_of(recipes) if each.learner.same_everywhere}
    for each, (_, digest) in zip(trying, answer.found, strict=True):
        learner = Recipe.from_json(each.recipe).learner
        if type(learner) in promised and digest != each.digest:
            return f"The worker {worker} gives other digits with {learner.title}."
    return ""
