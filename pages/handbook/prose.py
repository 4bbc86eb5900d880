"""Entries that no declaration holds: the user manual, uploads, and citations."""

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


def entries_of_manual() -> tuple[Entry, ...]:
    """Return the sections of the user manual."""
    _, *texts = Path(__file__).with_name("manual.md").read_text(encoding="utf-8").split("\n## ")
    parts = [text.partition("\n\n") for text in texts]
    return tuple(Entry(entries.entry("manual", title.replace(" ", "-")), title, body) for title, _, body in parts)


def entries_of_uploads() -> tuple[Entry, ...]:
    """Return how uploads, trainings and answers are kept."""
    return (
        entry(
            "upload",
            "table",
            "A table of your own",
            "It is read once, and its rows are kept on this server only. "
            f"Once the server has run for {own.UNUSED / _HOUR:g} hours after the upload, it is deleted, unless a "
            "training uses it; then it is kept as long as that training.",
            "A secret in your address opens it, and so do links that you make for others in the Library and can "
            "withdraw. The digest in a recipe identifies its content but gives no access.",
            "Others who watch a training on it see names of columns, curves and counts, but no rows or samples.",
        ),
        entry(
            "upload",
            "picture",
            "An image or a drawing",
            "An image of a digit is read into memory, where the digit is cut out, and is deleted when you "
            "close the page. The digit as the model sees it, or a drawing, is in the page's address, so links show it.",
        ),
        entry(
            "upload",
            "model",
            "A model file",
            "Only arrays of numbers and names are read, never programs. It stays in memory while your page is open.",
        ),
        entry(
            "upload",
            "trainings",
            "Trainings",
            f"A training is kept with its recipe, its records and its model: the latest {KEPT:,} of all visitors, "
            f"those never started for {UNTOUCHED / _HOUR:g} hours. Anyone with its address can watch "
            "it, and the Library lists it, unless it learns from an uploaded table; only its owner can control it.",
            "A cookie identifies visitors while a page is open. Nothing else is recorded about them, and "
            "the app contacts no other server, except for the files of published data sets.",
        ),
        _of_class(),
    )


def _of_class() -> Entry:
    return entry(
        "upload",
        "class",
        "Answers of a class",
        "A room is in memory only: its answers are counted, never shown or kept by phone. All of it is deleted after "
        f"{LASTS / _HOUR:g} hours, or when the teacher ends it, except its code, so that phones can show that it is "
        "over. A phone stores one token, by which the room knows that it has answered: no name, no account. "
        f"Histograms are shown only after a question is closed, and with {FEWEST} answers or more.",
    )


def entries_of_citing() -> tuple[Entry, ...]:
    """The project, the papers that it builds, and where its learners are from."""
    return (
        entry("cite", "boltzmannlab", "This project", PROJECT, code=BIBTEX),
        *(entry("cite", f"paper-{number}", paper.title, paper.citation) for number, paper in PAPERS.items()),
        entry("cite", "sources", "Sources of learners", *SOURCES),
        entry(
            "cite",
            "data",
            "Data sets",
            "Each data set names its source and licence. The bundled sample is from "
            f"{MNISTSmall.title.partition(',')[0]}.",
        ),
    )
