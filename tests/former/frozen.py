"""Names that other people's links, files and scripts hold: none of them may go."""

from typing import Any

import click

from boltzcore.commands.every import commands
from boltzcore.data import DATASETS
from boltzcore.parameters import Parameters
from boltzcore.registry import LEARNERS, MODELS, OPTIONAL_PARTS
from boltzcore.runs.presets import PRESETS
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from boltzcore.trained import TRAINED


def _fields(kind: type[Parameters]) -> dict[str, str]:
    """{name of a field: its default, as a link writes it}."""
    return {declared.name: declared.write(declared.default) for declared in kind.parameters()}


def _options(command: click.Command) -> list[str]:
    return [option for each in command.params for option in (*each.opts, *each.secondary_opts)]


def frozen() -> dict[str, Any]:
    """The names of registries with the fields and defaults behind them, of commands with their options, of presets and
    of trained models.
    """
    return {
        "models": {name: _fields(each.setup) for name, each in MODELS.items()},
        "measures": {name: list(each.measures) for name, each in MODELS.items()},
        "learners": {name: _fields(kind) for name, kind in LEARNERS.items()},
        "data": {name: _fields(kind) for name, kind in DATASETS.items()},
        "sections": {name: _fields(each.kind) for name, each in OPTIONAL_PARTS.items()},
        "schedule": {"schedule": _fields(Schedule)},
        "commands": {name: _options(each) for name, each in commands.commands.items()},
        "trained": {"names": list(TRAINED)},
        "presets": {"names": list(PRESETS)},
    }


def links() -> list[dict[str, Any]]:
    """Links of trainings and the recipes that they stand for: every preset, and every learner at its defaults."""
    recipes = [preset.recipe for preset in PRESETS.values()]
    recipes += [Recipe(model=kind.models[0], data="digits", learner=name) for name, kind in LEARNERS.items()]
    return [{"query": recipe.to_query(), "recipe": recipe.to_json()} for recipe in recipes]
