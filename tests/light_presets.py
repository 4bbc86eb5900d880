"""How often the verdict on chains is a false alarm in the presets that ask for it.

python -m tests.light_presets [--runs 200]

Each preset is trained to its end from several seeds, and each verdict of each training is held against the law of its
model: by enumeration, or, of models too large for it, by particles of an annealing that has three times the chains and
the temperatures of the preset's own. What sound and unsound are is told in `tests.light`.
"""

import argparse
import dataclasses
import sys
import time
from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference.annealing import annealed
from boltzcore.inference.exact import exact_rows
from boltzcore.inference.verdict import Verdict
from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.measures.equilibrium import verdict_in
from boltzcore.models import RBM
from boltzcore.models.rbm import base_rate_odds
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.presets import PRESETS
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.training import train
from boltzcore.ticks import idle
from tests.light import FIRST, ROWS, errors, shares, table, truth

ENUMERABLE = 20  # hidden units
LONGER = 3  # times the chains, and the temperatures, of a preset's own annealing
LARGE = 1 / 50  # of all runs, those of a preset whose law has to be annealed
STATED = 0.05  # share of sound chains that may be called unsound


def with_light() -> dict[str, Recipe]:
    """The recipes of the presets that ask for the verdict."""
    return {
        name: preset.recipe for name, preset in PRESETS.items() if "equilibrium_gap" in (preset.recipe.measures or ())
    }


def runs_of(recipes: dict[str, Recipe], runs: int) -> dict[str, int]:
    """How often each preset is run: a model that is too large for enumeration less often."""
    few = [name for name, recipe in recipes.items() if recipe.model.hidden > ENUMERABLE]
    of_few = dict.fromkeys(few, max(1, round(runs * LARGE)))
    small = [name for name in recipes if name not in few]
    rest = runs - sum(of_few.values())
    return {name: rest // len(small) + (i < rest % len(small)) for i, name in enumerate(small)} | of_few


def law_of(recipe: Recipe, prepared: PreparedData) -> Callable[[RBM], NDArray[np.uint8]]:
    """What draws rows from the law of a model of the recipe."""
    if recipe.model.hidden <= ENUMERABLE:
        return lambda model: exact_rows(model, ROWS, 0)
    base, how = base_rate_odds(prepared.dataset.train.mean()), recipe.annealing

    def particles(model: RBM) -> NDArray[np.uint8]:
        found = annealed(
            model,
            chains=LONGER * how.chains,
            temperatures=LONGER * how.temperatures,
            base=base,
            seed=FIRST,
            step=0,
            tick=idle,
        )
        weights = exp_in_double(found.log_z.log_weights - found.log_z.log_weights.max())
        drawn = np.random.default_rng(0).choice(len(weights), ROWS, p=weights / weights.sum())
        return found.v[drawn]

    return particles


def looked_at(name: str, recipe: Recipe, seed: int) -> list[tuple[str, Verdict]]:
    """The truth at each verdict of one run, and the verdict; a line for each."""
    recipe = dataclasses.replace(recipe, schedule=recipe.schedule.changed(seed=seed))
    prepared, found = PreparedData.from_recipe(recipe), []
    law, began = law_of(recipe, prepared), time.monotonic()
    for step in train(recipe, prepared=prepared):
        verdict = verdict_in(step.record.values) if step.record is not None else None
        chains = recipe.learner.chains_of_model(step.state)
        if verdict is None or chains is None:
            continue
        found.append((truth(prepared.dataset, step.state.model, chains, law), verdict))
        values = step.record.values  # type: ignore[union-attr]
        print(
            f"{name:24}seed {seed:<5}{step.state.count:7,} updates: {found[-1][0]:11}gap "
            f"{values['equilibrium_gap']:7.2f}, chi-square {values['equilibrium_chi_square']:6.2f}: {verdict.word} "
            f"({time.monotonic() - began:.0f} s)",
            flush=True,
        )
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200, help="in all")
    parser.add_argument("--preset", choices=[*with_light()], help="this one alone")
    asked = parser.parse_args()
    recipes, counted = with_light(), Counter[tuple[str, Verdict]]()
    for name, runs in runs_of(recipes, asked.runs).items():
        if asked.preset not in (None, name):
            continue
        seeds = range(FIRST, FIRST + runs)
        mine = Counter(each for seed in seeds for each in looked_at(name, recipes[name], seed))
        print(f"\n{table(f'{name}, {runs} runs', mine)}\n", flush=True)
        counted += mine
    print(errors(counted))
    return int(shares(counted)[1] > STATED)


if __name__ == "__main__":
    sys.exit(main())
