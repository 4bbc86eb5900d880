"""After the warm-up nothing is left to compile."""

import subprocess
import sys

import pytest

from boltzcore.registry import MODELS, learners_of
from boltzcore.training.presets import PRESETS
from boltzcore.training.starts import start_for
from boltzcore.warmup import TITLES, needed
from tests.conftest import REPOSITORY

# In a process of its own: in this one other tests have compiled more.
CODE = """
import dataclasses, sys
import numpy as np
from numba.core.dispatcher import Dispatcher
from boltzcore import Recipe, train
from boltzcore.data import Examples
from boltzcore.inference import Annealing, Inference
from boltzcore.trained import TRAINED
from boltzcore.registry import LEARNERS, MODELS
from boltzcore.training.prepared import PreparedData
from boltzcore.training.presets import PRESETS
from boltzcore.training.schedule import Schedule
from boltzcore.training.loop import measure_context
from boltzcore.warmup import find_missing, needed, warm_up

QUICK = {"batch_size": 5, "samples": 50, "M": 20, "steps": 3, "rounds": 2, "restarts": 1, "iterations": 3}

def compiled():
    rooms = [module for name, module in sys.modules.items() if name.startswith("boltzcore.kernels")]
    values = [value for room in rooms for value in vars(room).values() if isinstance(value, Dispatcher)]
    kernels = {value.py_func.__qualname__: value for value in values}
    return {(name, str(signature)) for name, kernel in kernels.items() for signature in kernel.nopython_signatures}

def run(recipe):
    recipe = dataclasses.replace(
        recipe, schedule=Schedule(length=2, unit="updates"), annealing=Annealing(temperatures=3)
    )
    prepared = PreparedData.from_recipe(recipe)
    exact = not recipe.needs("annealing", prepared.dataset.train.n_visible)
    for step in train(recipe, prepared=prepared):
        recipe.entry.observe(step.state, None, prepared.rows, measure_context(recipe, prepared, step.state, exact))

def made(kind, **fields):
    there = {p.name for p in kind.parameters()}
    return kind(**{name: value for name, value in fields.items() if name in there})

pieces, first = warm_up(), next(iter(PRESETS.values())).recipe
while next(pieces)[0] != needed(first):
    pass
before = compiled()
run(first)
assert compiled() == before, "the first preset compiles what its pieces do not"
list(pieces)
assert not find_missing(), "what was done is not known to be done"
before = compiled()
digits = type(Recipe().data)
for info in LEARNERS.values():
    kind, model = info.learner, info.models[0]
    for data in ("digits", "bars-and-stripes", digits(binarise="each epoch")):
        for hidden in (3, 300) if model == "rbm" else (3,):
            try:
                run(Recipe(made(MODELS[model].setup, hidden=hidden), data, made(kind, **QUICK)))
            except ValueError:  # data that this model does not take
                continue
    if model == "rbm":
        rows = (np.random.default_rng(0).random((20, 500)) < 0.2).astype(np.uint8)
        for data in (Examples(rows), Examples(255 * rows, levels=256)):
            learner = made(kind, batch_size=7)
            state = learner.start(MODELS["rbm"].setup(hidden=300).initial(data, seed=0), data, seed=0)
            learner.advance(state, data, updates=4)
for trained in TRAINED.values():
    for kind in Inference.named("kind").choices:
        blank = np.zeros((3, 784), np.uint8)
        x = None if trained.corruption is None else trained.corruption.apply(blank, (28, 28), seed=0)
        Inference(kind, iterations=2).infer(trained.model(), x)
later = compiled() - before
sys.exit("\\n".join(name + signature for name, signature in sorted(later)) or 0)
"""


@pytest.mark.nightly
@pytest.mark.timeout(600)
def test_nothing_compiles_after_the_warm_up():
    done = subprocess.run([sys.executable, "-c", CODE], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"compiled after the warm-up:\n{done.stderr}"


def test_a_training_of_every_model_waits_for_a_piece_of_the_work():
    recipes = [preset.recipe for preset in PRESETS.values()]
    shown = {recipe.model.name for recipe in recipes}
    others = {name: next(iter(learners_of(name))) for name in MODELS if name not in shown}
    recipes += [start_for(name, "bars-and-stripes", learner) for name, learner in others.items()]
    assert {needed(recipe) for recipe in recipes} <= set(TITLES)
    assert needed(recipes[0]) == TITLES[1]  # what a newcomer waits for
