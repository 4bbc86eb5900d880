"""Results of studies as files: rows, and by what they were made. `storing` writes them, nobody does by hand."""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from boltzcore.data.source import Source
from boltzcore.home import ASSETS, make_folder, replacing
from boltzcore.papers import STUDIES
from boltzcore.papers.study import Row, Study
from boltzcore.quoting import why
from boltzcore.training.numerics import versions_of
from boltzcore.training.recipe import Recipe

RESULTS = ASSETS / "results"
MOST_BYTES, MOST_ROWS, DEEPEST = 2**21, 10_000, 3  # of a file; of its table; lists within lists
DIGITS = 9  # significant ones of a stored number


@dataclass(frozen=True)
class Provenance:
    """By what a result was made.

    numerics : versions of all that its numbers follow from, as `numerics_of` has them
    seeds : of its trainings and its data, in order
    data : {name of a data set: digests of its rows}
    processor, threads, seconds : on what it was made, and how long it took
    date : of its last row, UTC
    """

    command: str
    version: str
    numerics: Mapping[str, int | str]
    seeds: tuple[int, ...]
    data: Mapping[str, tuple[str, ...]]
    processor: str
    threads: int
    seconds: float
    date: str


@dataclass(frozen=True)
class StoredResult:
    """What a study has given at a scale; `finished` is false where it was stopped before its last row."""

    study: str
    scale: str
    finished: bool
    rows: tuple[Row, ...]
    provenance: Provenance

    @property
    def is_current(self) -> bool:
        """True if the study would make the same numbers now."""
        return self.provenance.numerics == numerics_of(self.study, self.scale)


@lru_cache(maxsize=256)
def numerics_of(name: str, scale: str) -> Mapping[str, int | str]:
    """Return {computation or library: its version} for all that the numbers of a study follow from, itself included,
    and as "parts" a digest of its recipes and data sets without fields at their default.
    """
    study = STUDIES[name]
    parts = list(study.parts(scale))
    recipes = [part for part in parts if isinstance(part, Recipe)]
    sources = [part for part in parts if isinstance(part, Source)]
    texts = [[part.to_query() for part in recipes], [[source.name, source.texts()] for source in sources]]
    return {
        "parts": hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()[:16],
        name: study.numerics,
        **versions_of(recipes, (*study.computations, *map(type, sources))),
    }


def sources_of(study: Study, scale: str) -> list[Source]:
    """The data sets of a study, each once."""
    parts = study.parts(scale)
    stages = (part for each in parts for part in (each.stages if isinstance(each, Recipe) else (each,)))
    return list(dict.fromkeys(part.data if isinstance(part, Recipe) else part for part in stages))


def file_of(name: str, scale: str, folder: Path = RESULTS, *, finished: bool = True) -> Path:
    """Where a result lies; one that is not finished lies beside it."""
    return folder / f"{name}-{scale}{'' if finished else '.part'}.json"


def stored(name: str, scale: str, folder: Path = RESULTS) -> StoredResult | None:
    """The result of a study at a scale, else what a study that was stopped has left of it; None where neither is.
    Raises ValueError where a file is not what `storing` writes.
    """
    finished = _result(file_of(name, scale, folder), name, scale)
    return left_of(name, scale, folder) if finished is None else finished


def left_of(name: str, scale: str, folder: Path = RESULTS) -> StoredResult | None:
    """What a study that was stopped has left; None where nothing is. Raises ValueError as `stored` does."""
    return _result(file_of(name, scale, folder, finished=False), name, scale)


def results(name: str) -> dict[str, StoredResult]:
    """{scale: the result of a study}, the scale "paper" first, then what took longest; a damaged file raises
    ValueError.
    """
    found = [result for scale in STUDIES[name].scales if (result := stored(name, scale)) is not None]
    found.sort(key=lambda result: (result.scale != "paper", -result.provenance.seconds))
    return {result.scale: result for result in found}


def equal_rows(made: Iterable[Row], kept: Iterable[Row]) -> int:
    """Return how many rows are also among those kept, apart from their seconds."""
    ours, theirs = (
        Counter(repr(sorted((key, value) for key, value in row.items() if "seconds" not in key)) for row in rows)
        for rows in (made, kept)
    )
    return (ours & theirs).total()


def write(result: StoredResult, folder: Path = RESULTS) -> Path:
    """Write a result; raises OSError where it cannot be written."""
    file = file_of(result.study, result.scale, folder, finished=result.finished)
    make_folder(folder)
    text = json.dumps(_thinned(asdict(result)), indent=1, allow_nan=False)
    with replacing(file, private=folder != RESULTS) as stream:
        stream.write(f"{text}\n".encode())
    if result.finished:
        file_of(result.study, result.scale, folder, finished=False).unlink(missing_ok=True)
    return file


def _thinned(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _thinned(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_thinned(item) for item in value]
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    return value


# -- reading ------------------------------------------------------------------------------------------


def _result(file: Path, name: str, scale: str) -> StoredResult | None:
    try:
        return _read(file, file.stat().st_mtime_ns, name, scale)
    except FileNotFoundError:  # of a study that has just ended the part is removed
        return None


@lru_cache(maxsize=128)
def _read(file: Path, changed: int, name: str, scale: str) -> StoredResult:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise ValueError(f"it has more than {MOST_BYTES:,} bytes")
        return _checked(json.loads(file.read_text(encoding="utf-8"), parse_constant=_no_number), name, scale)
    except FileNotFoundError:
        raise
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"The stored result {file.name} cannot be read: {why(error)}.") from None


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _checked(kept: Any, name: str, scale: str) -> StoredResult:
    if not isinstance(kept, dict) or (kept.get("study"), kept.get("scale")) != (name, scale):
        raise ValueError("it is of another study or scale")
    rows, finished = kept["rows"], kept["finished"]
    if not isinstance(rows, list) or len(rows) > MOST_ROWS or not isinstance(finished, bool):
        raise ValueError(f"it must hold at most {MOST_ROWS:,} rows, and whether it is finished")
    if not all(isinstance(row, dict) and all(_is_value(value) for value in row.values()) for row in rows):
        raise ValueError("a row must hold texts, numbers and lists of numbers")
    return StoredResult(name, scale, finished, tuple(rows), _provenance(kept["provenance"]))


def _is_value(value: Any, depth: int = 0) -> bool:
    if isinstance(value, list):
        return depth < DEEPEST and all(_is_value(item, depth + 1) for item in value)
    return value is None or isinstance(value, str | int | float)


def _provenance(kept: Any) -> Provenance:
    fields: dict[str, Any] = {name: kept[name] for name in Provenance.__dataclass_fields__}
    texts = ("command", "version", "processor", "date")
    if not all(isinstance(fields[name], str) for name in texts):
        raise ValueError(f"{', '.join(texts)} must be texts")
    if not (_is_list(fields["seeds"], int) and isinstance(fields["threads"], int)):
        raise ValueError("seeds and threads must be whole numbers")
    if not isinstance(fields["seconds"], int | float) or not isinstance(fields["data"], dict):
        raise ValueError("seconds must be a number, and data must be digests by name")
    if not isinstance(numerics := fields["numerics"], dict) or not all(
        isinstance(value, int | str) for value in numerics.values()
    ):
        raise ValueError("numerics must be versions by name")
    if not all(_is_list(digests, str) for digests in fields["data"].values()):
        raise ValueError("digests must be texts")
    data = {name: tuple(digests) for name, digests in fields["data"].items()}
    return Provenance(**fields | {"seeds": tuple(fields["seeds"]), "data": data})


def _is_list(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def seeds_of(study: Study, scale: str) -> tuple[int, ...]:
    """The seeds of a study's trainings and data, in order."""
    recipes = (stage for part in study.parts(scale) if isinstance(part, Recipe) for stage in part.stages)
    drawn: Iterable[Any] = (source.values().get("seed") for source in sources_of(study, scale))
    return tuple(sorted({stage.schedule.seed for stage in recipes} | {seed for seed in drawn if isinstance(seed, int)}))
