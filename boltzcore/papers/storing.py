"""A result that is stored row by row, so that a study that was stopped goes on from the rows that it has made."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from boltzcore import __version__, threads
from boltzcore.comparison.trials import data_digest
from boltzcore.papers import STUDIES
from boltzcore.papers.stored import (
    RESULTS,
    Provenance,
    StoredResult,
    left_of,
    numerics_of,
    seeds_of,
    sources_of,
    write,
)
from boltzcore.papers.study import Row
from boltzcore.processor import processor
from boltzcore.ticks import Tick


def stored_rows(
    name: str, scale: str, tick: Tick, folder: Path = RESULTS, *, began: float | None = None
) -> Iterator[Row]:
    """The rows of a study, each stored before it is given. Those that a former call was stopped after come first, where
    they were made by the same versions of the same data and the study can go on.

    began : by `time.monotonic`, when the work on it began; now unless given

    Raises OSError where they cannot be written.
    """
    study = STUDIES[name]
    numerics, data = numerics_of(name, scale), _digests(name, scale, tick)
    left = left_of(name, scale, folder)
    rows, seconds = list[Row](), 0.0
    if left is not None and not study.begins_anew and left.is_current and left.provenance.data == data:
        rows, seconds = list(left.rows), left.provenance.seconds
    yield from tuple(rows)
    began = time.monotonic() if began is None else began

    def keep(*, finished: bool) -> None:
        provenance = Provenance(
            command=f"python -m boltzcore study {name} --scale {scale} --store",
            version=__version__,
            numerics=numerics,
            seeds=seeds_of(study, scale),
            data=data,
            processor=processor(),
            threads=threads.CORES,
            seconds=seconds + time.monotonic() - began,
            date=datetime.now(UTC).strftime("%Y-%m-%d"),
        )
        write(StoredResult(name, scale, finished, tuple(rows), provenance), folder)

    for row in study.rows(scale, tick) if study.begins_anew else study.rows(scale, tick, tuple(rows)):
        rows.append(row)
        keep(finished=False)
        yield row
    keep(finished=True)


def _digests(name: str, scale: str, tick: Tick) -> dict[str, tuple[str, ...]]:
    found = dict[str, list[str]]()
    for source in sources_of(STUDIES[name], scale):
        tick(0.0)
        found.setdefault(source.name, []).append(data_digest(source))
    return {key: tuple(digests) for key, digests in found.items()}
