"""What a diagnosis finds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Remedy:
    """What to try against what was found.

    advice : in a sentence
    fields : {"learner.rate": the value to go on with, "model.hidden": ..., "learner": the name of another one}: what of
        a recipe to change, by the part that has it; {} where no field of it helps
    live : whether the training may go on with them; else a new one starts with them

    >>> from boltzcore.measures import Remedy
    >>> Remedy("Leave it out.", {"data.leave_out": ("budget",)}).live
    False
    """

    advice: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    live: bool = False


@dataclass(frozen=True)
class Finding:
    """What was seen in a model, its data or its training, and is not as it should be.

    name : what it is, in two or three words, always the same
    evidence : what was seen, with figures, in a sentence
    remedy : what to try

    >>> from boltzcore.data import rows_from_csv
    >>> from boltzcore.measures import diagnose
    >>> from boltzcore.models import FVBMSetup
    >>> votes = rows_from_csv(b"bill,budget\\nyes,no\\nno,no\\n")
    >>> [finding.evidence for finding in diagnose(FVBMSetup().initial(votes.train, seed=0), votes)]
    ['1 of 2 columns has one value in all rows: budget.']
    """

    name: str
    evidence: str
    remedy: Remedy
