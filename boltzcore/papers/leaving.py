"""Which studies may be trained on an executor, and why the others stay in this process."""

from boltzcore.papers import STUDIES
from boltzcore.parameters import Refusal
from boltzcore.runs.recipe import Recipe

LEAVE = ("dcp-small", "dcp-chains")  # all that they do is trainings of recipes, on a scheduler
STAY = {
    "dcp-": "it estimates its models by annealing at epochs on the way, and what comes back from an executor is a "
    "training's records and last states",
    "crbm-": "it follows each training in this process to the best model, which it then tries on all test images",
    "bslm-": "it looks at every sweep of its trainings as it is made",
    "fw-": "each of its trainings goes on from states in the middle of another",
    "everything-": "its trainings end by their operations, and each is measured from its last state in this process",
    "equal-": "its trainings end by their operations, and each is measured from its last state in this process",
    "fsll-": "its fits are timed in this process, and are no trainings of recipes",
}  # {how a study's name begins: why}


def recipes_elsewhere(name: str, scale: str) -> list[Recipe]:
    """The trainings of a study that an executor may make. Raises Refusal where it has to stay in this process."""
    if name not in LEAVE:
        because = next(why for begins, why in STAY.items() if name.startswith(begins))
        raise Refusal(f"--executor takes {' or '.join(LEAVE)}, not {name}: {because}.")
    return [part for part in STUDIES[name].parts(scale) if isinstance(part, Recipe)]
