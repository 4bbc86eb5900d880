"""Results of studies as files: rows with their provenance, written row by row so that a stopped study can continue."""

import hashlib
import json
import math
import time
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from boltzcore import __version__, threads
from boltzcore.data.source import Source, data_digest
from boltzcore.home import ASSETS, make_folder, replace_file
from boltzcore.papers import STUDIES
from boltzcore.papers.study import Row, Study
from boltzcore.processor import processor
from boltzcore.quoting import Refusal, error_message
from boltzcore.ticks import Tick
from boltzcore.training.numerics import versions_of
from boltzcore.training.recipe import Recipe

RESULTS = ASSETS / "results"
MOST_BYTES, MOST_ROWS, DEEPEST = 2**21, 10_000, 3  # limits of a stored file: bytes, rows of its table, nesting of lists
DIGITS = 9  # significant digits of a stored number


@dataclass(frozen=True)
class Provenance:
    """Origin of a result.

    numerics : versions of all computations behind its numbers, as `numerics_of` returns them
    seeds : of its trainings and its data, in ascending order
    data : {name of a data set: digests of its rows}
    processor, threads, seconds : hardware that made the result, and the time it took
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
    """The rows of a study at a scale; `finished` is false if it was stopped before its last row."""

    study: str
    scale: str
    finished: bool
    rows: tuple[Row, ...]
    provenance: Provenance

    @property
    def is_current(self) -> bool:
        """True if the study would give the same numbers now."""
        return self.provenance.numerics == numerics_of(self.study, self.scale)


@lru_cache(maxsize=256)
def numerics_of(name: str, scale: str) -> Mapping[str, int | str]:
    """Return {computation or library: its version} for everything that the numbers of a study depend on, itself
    included, and as "parts" a digest of its recipes and data sets, without fields at their default.
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
    """Return the data sets of a study, each once."""
    parts = study.parts(scale)
    stages = (part for each in parts for part in (each.stages if isinstance(each, Recipe) else (each,)))
    return list(dict.fromkeys(part.data if isinstance(part, Recipe) else part for part in stages))


def seeds_of(study: Study, scale: str) -> tuple[int, ...]:
    """Return the seeds of a study's trainings and data, in ascending order."""
    recipes = (stage for part in study.parts(scale) if isinstance(part, Recipe) for stage in part.stages)
    drawn: Iterable[Any] = (source.values().get("seed") for source in sources_of(study, scale))
    return tuple(sorted({stage.schedule.seed for stage in recipes} | {seed for seed in drawn if isinstance(seed, int)}))


# -- writing ------------------------------------------------------------------------------------------


def stored_rows(
    name: str, scale: str, tick: Tick, folder: Path = RESULTS, *, began: float | None = None
) -> Iterator[Row]:
    """Yield the rows of a study, each stored before it is yielded. Rows of a stopped call come first, if they were made
    by the same versions from the same data, then those that another study shares; a finished result is computed again.

    began : when the work began, by `time.monotonic`; by default now

    Raises OSError if the rows cannot be written.
    """
    numerics, data = numerics_of(name, scale), dict[str, tuple[str, ...]]()
    for source in sources_of(STUDIES[name], scale):
        tick(0.0)
        data[source.name] = (*data.get(source.name, ()), data_digest(source))
    left = load(name, scale, folder)
    if left is not None and (left.finished or not left.is_current or left.provenance.data != data):
        left = None
    kept = left.rows if left else ()
    kept = (*kept, *_shared(name, scale, data, kept, folder))
    rows, seconds = list(kept), left.provenance.seconds if left else 0.0
    yield from kept
    began = time.monotonic() if began is None else began
    order = {cell: i for i, cell in enumerate(STUDIES[name].cells(scale))}

    def store(*, finished: bool) -> None:
        provenance = Provenance(
            command=f"python -m boltzcore study {name} --scale {scale} --store",
            version=__version__,
            numerics=numerics,
            seeds=seeds_of(STUDIES[name], scale),
            data=data,
            processor=processor(),
            threads=threads.CORES,
            seconds=seconds + time.monotonic() - began,
            date=datetime.now(UTC).strftime("%Y-%m-%d"),
        )
        ordered = sorted(rows, key=lambda row: order[STUDIES[name].cell_of(row)])
        result = StoredResult(name, scale, finished, tuple(ordered), provenance)
        make_folder(folder)
        with replace_file(file_of(name, scale, folder), private=False) as stream:
            stream.write(f"{json.dumps(_round(asdict(result)), indent=1, allow_nan=False)}\n".encode())

    for row in STUDIES[name].rows(scale, tick, kept):
        rows.append(row)
        store(finished=False)
        yield row
    store(finished=True)


def _shared(name: str, scale: str, data: Mapping[str, tuple[str, ...]], kept: Iterable[Row], folder: Path) -> list[Row]:
    """Return the rows of a study, without those in `kept`, that other studies have made from the same data."""
    study, found = STUDIES[name], dict[Hashable, Row]()
    if study.same_as is None:
        return []
    for other, each in STUDIES.items():
        if other == name or each.same_as is None or scale not in each.scales:
            continue
        result = load(other, scale, folder)
        if result is not None and result.is_current and result.provenance.data == data:
            for row in result.rows:
                made = {key: value for key, value in row.items() if key not in each.names}
                found[each.same_as(scale, each.cell_of(row))] = made
    left = set(study.cells(scale)) - set(map(study.cell_of, kept))
    return [
        dict(zip(study.names, cell, strict=True)) | dict(found[key])
        for cell in study.cells(scale)
        if cell in left and (key := study.same_as(scale, cell)) in found
    ]


def _round(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _round(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_round(item) for item in value]
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    return value


# -- reading ------------------------------------------------------------------------------------------


def file_of(name: str, scale: str, folder: Path = RESULTS) -> Path:
    """Return the file of a result."""
    return folder / f"{name}-{scale}.json"


def load(name: str, scale: str, folder: Path = RESULTS) -> StoredResult | None:
    """Return the result of a study at a scale; None if there is none. Raises Refusal if its file is damaged."""
    file = file_of(name, scale, folder)
    return _read(file, file.stat().st_mtime_ns, name, scale) if file.exists() else None


def results(name: str) -> dict[str, StoredResult]:
    """Return {scale: the result of a study}, starting with the scale "paper", then by falling time; raises Refusal
    as `load` does.
    """
    found = [result for scale in STUDIES[name].scales if (result := load(name, scale)) is not None]
    found.sort(key=lambda result: (result.scale != "paper", -result.provenance.seconds))
    return {result.scale: result for result in found}


@lru_cache(maxsize=128)
def _read(file: Path, changed: int, name: str, scale: str) -> StoredResult:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise ValueError(f"it has more than {MOST_BYTES:,} bytes")
        kept = json.loads(file.read_text(encoding="utf-8"))
        rows, finished, by = kept["rows"], kept["finished"], kept["provenance"]
        if (kept["study"], kept["scale"]) != (name, scale):
            raise ValueError("it is of another study or scale")
        if not isinstance(rows, list) or len(rows) > MOST_ROWS or not isinstance(finished, bool):
            raise ValueError(f"it must hold at most {MOST_ROWS:,} rows, and whether it is finished")
        if not all(isinstance(row, dict) and all(map(_is_value, row.values())) for row in rows):
            raise ValueError("a row must hold texts, finite numbers and lists of numbers")
        data = {source: tuple(digests) for source, digests in by["data"].items()}
        provenance = Provenance(**by | {"seeds": tuple(by["seeds"]), "data": data})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Refusal(f"The stored result {file.name} cannot be read: {error_message(error)}.") from None
    return StoredResult(name, scale, finished, tuple(rows), provenance)


def _is_value(value: Any, depth: int = 0) -> bool:
    if isinstance(value, list):
        return depth < DEEPEST and all(_is_value(item, depth + 1) for item in value)
    return value is None or isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))
