"""What is said of each family of dissections beside its numbers: a sentence for each phase, and which phases are told
one by one. A family's drawing is in the file of its name in JavaScript.
"""

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from boltzcore.data import Dataset
from boltzcore.learners.dissection import Dissection
from pages.inside.families import conditional, contrastive, coordinate, greedy, insertion, newton, sampled

# Each has `told(dissection) -> [Shown]` and `sentence(dissection, learner, index) -> str`.
FAMILIES: Mapping[str, ModuleType] = {
    "contrastive": contrastive,
    "conditional": conditional,
    "coordinate": coordinate,
    "greedy": greedy,
    "insertion": insertion,
    "newton": newton,
    "sampled": sampled,
}

# What some families tell of a phase besides: arrays that are worked out where they are looked at, and words.
Further = Callable[[Dissection, Dataset, int], Mapping[str, Any]]
ARRAYS: Mapping[str, Further] = {"coordinate": coordinate.arrays}
WORDS: Mapping[str, Further] = {"greedy": greedy.words}
