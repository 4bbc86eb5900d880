"""Addresses of the entries of the reference."""

from boltzcore.parameters import Parameters
from boltzcore.registry import DATASETS, LEARNERS, MODELS, OPTIONAL_PARTS
from boltzcore.training.schedule import Schedule

PAGE = "reference"  # the last part of its address


def owners() -> dict[str, type[Parameters]]:
    """{name in links: declarations} of the owners of the fields of recipes."""
    return {
        **{name: model.setup for name, model in MODELS.items()},
        **DATASETS,
        **{name: info.learner for name, info in LEARNERS.items()},
        "schedule": Schedule,
        **{name: part.kind for name, part in OPTIONAL_PARTS.items()},
    }


def entry(kind: str, name: str) -> str:
    """Return the name of an entry in addresses: its kind, "model", "learner", "measure", "data", "part", "term",
    "class" or "function", or the owner of a field, and its name in that kind.
    """
    return f"{kind}-{name}".lower()
