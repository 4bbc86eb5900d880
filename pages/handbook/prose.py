"""Entries that are not made of declarations: the user manual, uploads, and citations."""

from pathlib import Path

from boltzcore.data import own
from boltzcore.data.mnist import MNISTSmall
from boltzcore.jobs.store import KEPT, UNTOUCHED
from boltzcore.papers.citations import BIBTEX, PAPERS, PROJECT, SOURCES
from pages.common import entries
from pages.handbook.entry import Entry, entry
from pages.rooms.room import LASTS
from pages.rooms.rounds import FEWEST

_HOUR = 3_600


def _parts(file: str) -> list[tuple[str, str]]:
    """Return (heading, text) of each section of a file in this folder."""
    _, *texts = Path(__file__).with_name(file).read_text(encoding="utf-8").split("\n## ")
    return [(heading, text) for heading, _, text in (each.partition("\n\n") for each in texts)]


def entries_of_manual() -> tuple[Entry, ...]:
    """Return the sections of the user manual."""
    parts = _parts("manual.md")
    return tuple(Entry(entries.entry("manual", title.replace(" ", "-")), title, body) for title, body in parts)


def entries_of_uploads() -> tuple[Entry, ...]:
    """Return the entries on the storage of uploads, trainings and answers."""
    hours = {"unused": own.UNUSED / _HOUR, "untouched": UNTOUCHED / _HOUR, "room": LASTS / _HOUR}
    parts = [
        (*heading.split(": "), body.format(kept=KEPT, fewest=FEWEST, **hours)) for heading, body in _parts("uploads.md")
    ]
    return tuple(Entry(entries.entry("upload", name), title, body) for name, title, body in parts)


def entries_of_citing() -> tuple[Entry, ...]:
    """Return the project, its papers, and the sources of its learners."""
    sample = MNISTSmall.title.partition(",")[0]
    data = f"Each data set names its source and licence. The bundled sample is from {sample}."
    return (
        entry("cite", "boltzmannlab", "This project", PROJECT, code=BIBTEX),
        *(entry("cite", f"paper-{number}", paper.title, paper.citation) for number, paper in PAPERS.items()),
        entry("cite", "sources", "Sources of learners", *SOURCES),
        entry("cite", "data", "Data sets", data),
    )
