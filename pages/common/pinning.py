"""Trainings that a session has pinned: their curves are drawn with those of the training that it shows."""

from boltzcore.jobs.engine import Run
from pages.common import lab
from pages.web.session import SESSION

PINS = 5  # pinned runs of a session: more curves than these and one could not be distinguished
FULL = f"At most {PINS} runs can be pinned: unpin one first."


def pin(run: Run) -> None:
    """Keep the curve of this run on the chart beside those of later ones. ValueError where there are as many as there
    may be.
    """
    there = [each for each in SESSION.pinned if each != run.id]
    if len(there) >= PINS:
        raise ValueError(FULL)
    put([*there, run.id])


def unpin(*run_ids: str) -> None:
    """Draw these pinned curves no more."""
    put([each for each in SESSION.pinned if each not in run_ids])


def pins_in(text: str) -> list[str]:
    """The ids of pinned runs that a text names, each once."""
    return list(dict.fromkeys(each for each in text.split(",") if each))


def put(ids: list[str]) -> None:
    """Make these the pinned runs of this session."""
    SESSION.pinned = ids


def runs() -> tuple[Run, ...]:
    """The pinned runs of this session, those that are still here."""
    found = tuple(run for each in SESSION.pinned if (run := lab.engine().get(each)))
    put([run.id for run in found])
    return found
