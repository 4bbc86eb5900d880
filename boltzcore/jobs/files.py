"""The files of a run: its newest and its best state, and its records; read as far as they are whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from boltzcore.home import replacing
from boltzcore.learners.base import State
from boltzcore.training.checkpoint import load_state, save_state
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Recipe
from boltzcore.training.trace import read_whole_records, trace_csv

STATE, BEST, TRACE = "state.npz", "best.npz", "trace.csv"


@dataclass(frozen=True)
class Found:
    """The contents of the files of a run.

    state, best : None where there is none, or none that is whole
    records : those before the first that cannot be read, and none later than the state
    damage : "" or sentences on what is missing
    """

    state: State | None = None
    best: State | None = None
    records: tuple[Record, ...] = ()
    damage: str = ""


def write_files(folder: Path, state: State, best: State | None, records: Sequence[Record]) -> None:
    """Write the files one by one, each whole or not at all. Raises OSError where that cannot be done.

    Were the process to end between two of them, each would be of no earlier update than the next.
    """
    with replacing(folder / TRACE) as stream:
        stream.write(trace_csv(records).encode())
    if best is not None:
        save_state(folder / BEST, best)
    save_state(folder / STATE, state)
    if best is None:  # of an earlier stage, or of a training that was begun again
        (folder / BEST).unlink(missing_ok=True)


def read_files(folder: Path, recipe: Recipe, count: int) -> Found:
    """The files of a training of `recipe` that had come to update `count` when it was last to be saved.

    Its state is the newest that is whole, of no later update: one beyond was given up for the best; and the best is
    newer than the newest where the process ended between the two files.
    """
    states, damages = dict[str, State](), list[str]()
    for name in (STATE, BEST):
        if (folder / name).exists() or (name == STATE and count):
            try:
                states[name] = load_state(folder / name, recipe)
            except ValueError as error:
                damages.append(str(error))
    if not states:
        return Found(damage=f"The files of this run are damaged: {' '.join(damages)}" if damages else "")
    possible = [state for state in states.values() if state.count <= count] or list(states.values())
    state = max(possible, key=lambda each: (each.progress.stage, each.count))
    best = states.get(BEST)
    if best is not None and (best.count > state.count or best.progress.stage != state.progress.stage):
        best = None
    if STATE not in states:
        damages.append(f"The best state, of update {state.count:,}, takes its place.")
    records, whole = read_whole_records(folder / TRACE)
    if not whole:
        lost = f"those after update {records[-1].count:,}" if records else "all"
        damages.append(f"{TRACE} is missing or damaged; of its records {lost} are lost.")
    return Found(state, best, _until(state, records), " ".join(damages))


def _until(state: State, records: Sequence[Record]) -> tuple[Record, ...]:
    """The records that a training had taken when it was at a State."""
    now = [record for record in records if record.count == state.count]
    # where a stage ends and the next begins two are taken of one update
    of_state = now[: 2 if state.progress.stage and state.progress.from_count == state.count else 1]
    return (*(record for record in records if record.count < state.count), *of_state)
