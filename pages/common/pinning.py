"""Trainings that a session has pinned: their curves are drawn with those of the training that it shows."""

from boltzcore.jobs.engine import Run
from boltzcore.quoting import Refusal
from pages.common import lab
from pages.web.session import SESSION

PINS = 5  # pinned runs of a session: more curves could not be distinguished
FULL = f"At most {PINS} runs can be pinned: unpin one first."


def pin(run: Run) -> None:
    """Pin the curve of this run to the charts of later ones. Raises Refusal if the maximum is reached."""
    there = [each for each in SESSION.pinned if each != run.id]
    if len(there) >= PINS:
        raise Refusal(FULL)
    SESSION.pinned = [*there, run.id]


def pins_in(text: str) -> list[str]:
    """Return the ids of pinned runs in a text, each once."""
    return list(dict.fromkeys(each for each in text.split(",") if each))


def runs() -> tuple[Run, ...]:
    """Return the pinned runs of this session that still exist."""
    found = tuple(run for each in SESSION.pinned if (run := lab.engine().get(each)))
    SESSION.pinned = [run.id for run in found]
    return found
