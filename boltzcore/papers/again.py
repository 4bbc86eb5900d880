"""Studies made again where somebody doubts their rows: on a server, beside the stored result and never in its place."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, partial

from boltzcore.data.source import Source
from boltzcore.home import folder
from boltzcore.papers import STUDIES
from boltzcore.papers.exhibits import Exhibit
from boltzcore.papers.stored import StoredResult, file_of, left_of, results, sources_of, stored
from boltzcore.papers.storing import stored_rows
from boltzcore.papers.study import Row
from boltzcore.papers.verdicts import verdict
from boltzcore.parameters import Refusal
from boltzcore.runs.engine import Engine
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.work import Work
from boltzcore.ticks import Tick

FOLDER = "studies"  # below the data folder: what was made again here
LONGEST = 600.0  # seconds that a result took at most, of a study that a server makes again


@dataclass(frozen=True)
class Offer:
    """Whether a server makes a study again.

    scale : at which it does, "" where it does not; seconds : that the stored result of this scale took
    refusal : why not, in a sentence; "" where it does
    """

    scale: str = ""
    seconds: float = 0.0
    refusal: str = ""


def offer(name: str) -> Offer:
    """Whether a study is made again: at the scale whose stored result took least, where that is no longer than
    somebody waits.
    """
    try:
        took = {scale: found.provenance.seconds for scale, found in results(name).items() if found.finished}
    except ValueError as damaged:
        return Offer(refusal=str(damaged))
    if not took:
        return Offer(
            refusal="It is not made again here: no whole result of it is stored, which would tell how long it takes."
        )
    scale = min(took, key=took.__getitem__)
    if took[scale] > LONGEST:
        minutes = f"{took[scale] / 60:,.1f}".removesuffix(".0")
        return Offer(
            refusal=f"It is not made again here: the stored result at {scale} scale took {minutes} "
            f"minutes, and a page repeats only what took at most {LONGEST / 60:.0f}."
        )
    absent = dict.fromkeys(source.title for source in _sources(name, scale) if not source.at_hand())
    if absent:
        return Offer(refusal=f"It is not made again here: its data, {', '.join(absent)}, are not on this server.")
    return Offer(scale, took[scale])


@lru_cache(maxsize=256)
def _sources(name: str, scale: str) -> list[Source]:
    return sources_of(STUDIES[name], scale)


def begin(engine: Engine, name: str) -> Work:
    """Make a study again, or go on with it where that is under way. Raises Refusal where a server does not make it."""
    offered = offer(name)
    if offered.refusal:
        raise Refusal(offered.refusal)
    recipes = [part for part in STUDIES[name].parts(offered.scale) if isinstance(part, Recipe)]
    return engine.works.begin(name, partial(_rows, name, offered.scale), recipes[:1])


def _rows(name: str, scale: str, tick: Tick) -> Iterable[Row]:
    place = folder(FOLDER)
    try:
        left_of(name, scale, place)
    except ValueError:  # it is made from its beginning
        file_of(name, scale, place, finished=False).unlink()
    return stored_rows(name, scale, tick, place)


def made(name: str) -> StoredResult | None:
    """What was made again here of a study, as far as it is; None where nothing is that can be read."""
    offered = offer(name)
    try:
        return None if offered.refusal else stored(name, offered.scale, folder(FOLDER))
    except (ValueError, OSError):
        return None


def verdict_on(exhibit: Exhibit) -> str:
    """The verdict that follows from what was made again here; "" where that is not whole, or of a scale that lacks what
    the rules read.
    """
    found = {name: made(name) for name in exhibit.studies}
    rows = {name: result.rows for name, result in found.items() if result is not None and result.finished}
    if len(rows) < len(found):
        return ""
    try:
        return verdict(exhibit.checks(rows)).verdict
    except (KeyError, IndexError, ValueError, StopIteration):
        return ""


def equal_rows(made: StoredResult) -> int | None:
    """How many of these rows are among those that are stored of the same scale, but for seconds; None where none are
    stored, or they are times and sizes alone, as of a study without trainings and data.
    """
    kept = stored(made.study, made.scale)
    if kept is None or not list(STUDIES[made.study].parts(made.scale)):
        return None
    ours, theirs = (Counter(map(_without_seconds, found.rows)) for found in (made, kept))
    return (ours & theirs).total()


def _without_seconds(row: Row) -> str:
    return repr(sorted((key, value) for key, value in row.items() if "seconds" not in key))
