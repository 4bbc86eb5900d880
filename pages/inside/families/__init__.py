"""What is said of each family of dissections beside its numbers: a sentence for each phase, and which phases are told
one by one. A family's drawing is in the file of its name in JavaScript.
"""

from collections.abc import Mapping
from types import ModuleType

from pages.inside.families import conditional, contrastive

# Each has `told(dissection) -> [Shown]` and `sentence(dissection, learner, index) -> str`.
FAMILIES: Mapping[str, ModuleType] = {"contrastive": contrastive, "conditional": conditional}
