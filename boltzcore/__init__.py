"""Boltzmann machines: models, learners and measures on compiled kernels.

from boltzcore import Recipe, train

for step in train(Recipe(data="digits", learner="CD")):
    print(step.record)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boltzcore.comparison.compare import compare as compare
    from boltzcore.comparison.comparison import Comparison as Comparison
    from boltzcore.comparison.result import Result as Result
    from boltzcore.registry import register as register
    from boltzcore.training.loop import Fit as Fit
    from boltzcore.training.loop import Step as Step
    from boltzcore.training.loop import fit as fit
    from boltzcore.training.loop import train as train
    from boltzcore.training.recipe import Recipe as Recipe
    from boltzcore.training.schedule import Schedule as Schedule
    from boltzcore.training.starts import start_for as start_for

__version__ = "0.1.0"

_HOMES = {
    "Comparison": "boltzcore.comparison.comparison",
    "Fit": "boltzcore.training.loop",
    "Recipe": "boltzcore.training.recipe",
    "Result": "boltzcore.comparison.result",
    "Schedule": "boltzcore.training.schedule",
    "Step": "boltzcore.training.loop",
    "compare": "boltzcore.comparison.compare",
    "fit": "boltzcore.training.loop",
    "register": "boltzcore.registry",
    "start_for": "boltzcore.training.starts",
    "train": "boltzcore.training.loop",
}
__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    """Return a public name, imported on first use: importing boltzcore alone loads no compiled code."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
