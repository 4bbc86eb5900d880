"""Boltzmann machines: models, learners and measures on compiled kernels.

from boltzcore import Recipe, train

for step in train(Recipe(data="digits", learner="CD")):
    print(step.record)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boltzcore.runs.comparing import compare
    from boltzcore.runs.comparison import Comparison
    from boltzcore.runs.recipe import Recipe
    from boltzcore.runs.result import Result
    from boltzcore.runs.training import Step, train

__all__ = ["Comparison", "Recipe", "Result", "Step", "compare", "train"]
__version__ = "0.1.0"

_HOMES = {
    "Comparison": "boltzcore.runs.comparison",
    "Recipe": "boltzcore.runs.recipe",
    "Result": "boltzcore.runs.result",
    "Step": "boltzcore.runs.training",
    "compare": "boltzcore.runs.comparing",
    "train": "boltzcore.runs.training",
}


def __getattr__(name: str) -> Any:
    """A public name, found when first asked for: importing boltzcore alone loads no compiled code."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
