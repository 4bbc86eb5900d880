"""Entries that no declaration holds: the user manual, uploads, and citations."""

from pathlib import Path

from boltzcore.data import own
from boltzcore.data.mnist import MNISTSmall
from boltzcore.jobs.store import KEPT, UNTOUCHED
from boltzcore.papers.citations import BIBTEX, PAPERS, PROJECT, SOURCES
from pages.common import entries
from pages.handbook.entry import Entry, entry
from pages.rooms.room import FEWEST, LASTS

_HOUR = 3_600


def entries_of_manual() -> tuple[Entry, ...]:
    """Return the sections of the user manual."""
    _, *texts = Path(__file__).with_name("manual.md").read_text(encoding="utf-8").split("\n## ")
    parts = [text.partition("\n\n") for text in texts]
    return tuple(Entry(entries.entry("manual", title.replace(" ", "-")), title, body) for title, _, body in parts)


def entries_of_uploads() -> tuple[Entry, ...]:
    """What happens to what somebody brings."""
    return (
        entry(
            "upload",
            "table",
            "A table of your own",
            "It is read once, and its rows are kept on the machine that serves the app, nowhere else. "
            f"Once the server has run for {own.UNUSED / _HOUR:g} hours since its upload it is forgotten, unless a "
            "training uses it; then it is kept as long as that training.",
            "A secret in your address opens it, and so do links that you make for others in the Library and can "
            "withdraw. The digest in a recipe names its content and opens nothing.",
            "Others who watch a training on it see names of columns, curves and counts, but no rows and no samples.",
        ),
        entry(
            "upload",
            "picture",
            "A picture, or a drawing",
            "A picture of a digit is read into memory, where the digit is cut out, and is forgotten when you "
            "close the page. The digit as the model sees it, and a drawing, are in the page's address: so "
            "that a link shows them.",
        ),
        entry(
            "upload",
            "model",
            "A model's file",
            "Only arrays of numbers and names are read, never programs. It stays in memory as long as your page is "
            "open.",
        ),
        entry(
            "upload",
            "trainings",
            "Trainings",
            f"A training is kept with its recipe, its records and its model: the latest {KEPT:,} of all visitors, "
            f"those that were never begun for {UNTOUCHED / _HOUR:g} hours. Anyone with its address can watch "
            "it, and the Library lists it, unless it learns from an uploaded table; only its owner can control it.",
            "A cookie identifies visitors while a page is open. Nothing else is recorded of them, and "
            "the app asks no other machine for anything but the files of published data sets.",
        ),
        _of_class(),
    )


def _of_class() -> Entry:
    return entry(
        "upload",
        "class",
        "Answers of a class",
        "A room is in memory alone: its answers are counted, never shown or kept by phone, and all of it is "
        f"forgotten after {LASTS / _HOUR:g} hours, or when the teacher ends it, except its code, so that phones "
        "can say that it is over. A phone keeps one token in its own storage, by which the room knows that it has "
        "answered; no name, no account. Histograms are shown only after a question is closed, and from "
        f"{FEWEST} answers on.",
    )


def entries_of_citing() -> tuple[Entry, ...]:
    """The project, the papers that it builds, and where its learners are from."""
    return (
        entry("cite", "boltzmannlab", "This project", PROJECT, code=BIBTEX),
        *(entry("cite", f"paper-{number}", paper.title, paper.citation) for number, paper in PAPERS.items()),
        entry("cite", "sources", "Where learners are from", *SOURCES),
        entry(
            "cite",
            "data",
            "Data sets",
            "Each data set says where it is from and under which licence. The sample that comes along is of "
            f"{MNISTSmall.title.partition(',')[0]}.",
        ),
    )
