"""Which trainings a session has pinned: their curves are drawn beside that of the one it shows."""

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
    SESSION.pinned = [*there, run.id]


def pins_in(text: str) -> list[str]:
    """The ids of pinned runs that a text names, each once."""
    return list(dict.fromkeys(each for each in text.split(",") if each))


def runs() -> tuple[Run, ...]:
    """The pinned runs of this session, those that are still here."""
    found = tuple(run for each in SESSION.pinned if (run := lab.engine().get(each)))
    SESSION.pinned = [run.id for run in found]
    return found
