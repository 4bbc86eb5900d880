"""Boltzmann machines: models, learners and measures on compiled kernels.

from boltzcore import Recipe, train

for step in train(Recipe(data="digits", learner="CD")):
    print(step.record)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boltzcore.comparison.compare import compare
    from boltzcore.comparison.comparison import Comparison
    from boltzcore.comparison.result import Result
    from boltzcore.registry import register
    from boltzcore.training.loop import Fit, Step, fit, train
    from boltzcore.training.recipe import Recipe
    from boltzcore.training.schedule import Schedule
    from boltzcore.training.starts import start_for

__all__ = [
    "Comparison",
    "Fit",
    "Recipe",
    "Result",
    "Schedule",
    "Step",
    "compare",
    "fit",
    "register",
    "start_for",
    "train",
]
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


def __getattr__(name: str) -> Any:
    """A public name, found when first asked for: importing boltzcore alone loads no compiled code."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
