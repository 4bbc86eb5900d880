"""Whatever happens to the files of the store: no exception, and no run is lost that was whole."""

import random
import shutil
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pytest

from boltzcore.runs.engine import Engine
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.store import Saved, Store
from boltzcore.runs.training import Step, train
from tests.runs.toys import cd, figures, until

IDS = ("a" * 16, "b" * 16, "c" * 16)
FILES = ("run.json", "trace.csv", "best.npz", "state.npz")
DAMAGES = 30


@dataclass(frozen=True)
class Kept:
    """A run as it was saved: its recipe, and the Steps of it."""

    recipe: Recipe
    steps: list[Step]


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> tuple[Path, dict[str, Kept]]:
    """A store of three runs, whose second-last record is the best state's."""
    store, runs = Store(tmp_path_factory.mktemp("store")), {}
    for seed, id in enumerate(IDS):
        recipe = cd(60, seed=seed)
        steps = list(islice(train(recipe), 4 + seed))
        records = tuple(step.record for step in steps)
        store.save(
            Saved(id, f"run {seed}", "h", 5.0, "paused", "", recipe, steps[-1].state, steps[-2].state, records, -5.0)
        )
        runs[id] = Kept(recipe, steps)
    return store.folder, runs


def truncate(file: Path, chance: random.Random) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: chance.randrange(len(content))])


def flip(file: Path, chance: random.Random) -> None:
    content = bytearray(file.read_bytes())
    for _ in range(chance.choice((1, 10, 1000))):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    file.write_bytes(content)


def delete(file: Path, chance: random.Random) -> None:
    file.unlink()


def directory(file: Path, chance: random.Random) -> None:
    file.unlink()
    file.mkdir()


def other(file: Path, chance: random.Random) -> None:
    file.write_bytes(chance.choice((b"", b"\0" * 100_000, b"PK\3\4" * 100, b"not of Boltzmann Lab\n" * 1000, b"{}")))


def swap(file: Path, chance: random.Random) -> set[Path]:
    """With the same file of another run, if that has one."""
    beside = file.parent.parent / chance.choice([id for id in IDS if id != file.parent.name]) / file.name
    if not beside.is_file():
        return set()
    content = file.read_bytes()
    file.write_bytes(beside.read_bytes())
    beside.write_bytes(content)
    return {beside}


ANY = (truncate, flip, delete, directory, other)


def damage(folder: Path, chance: random.Random) -> set[Path]:
    """Damage a file of a run; the files that may no longer be whole."""
    there = [file for id in IDS for name in FILES if (file := folder / "runs" / id / name).is_file()]
    file, how = chance.choice(there), chance.choice((*ANY, swap))
    return {file} | (how(file, chance) or set())


@pytest.mark.parametrize("while_open", [False, True], ids=["at the start", "while it is open"])
@pytest.mark.parametrize("seed", range(DAMAGES))
def test_no_damage_raises_or_loses_a_run_that_was_whole(kept, tmp_path, seed, while_open):
    original, runs = kept
    folder, chance = tmp_path / "store", random.Random(seed)
    shutil.copytree(original, folder)
    store = Store(folder) if while_open else None
    damaged = damage(folder, chance)
    lost = {file.parent.name for file in damaged if file.name == "run.json"}
    store = store or Store(folder)
    store.tidy()
    for each in (store, Store(folder)):
        assert {entry.id: entry.recipe is None for entry in each.list()} == {id: id in lost for id in IDS}
        for id, run in runs.items():
            if id in lost:
                with pytest.raises(ValueError, match="its recipe is missing"):
                    each.load(id)
                continue
            back = each.load(id)
            assert (back.recipe, back.key_hash) == (run.recipe, "h")
            names = {file.name for file in damaged if file.parent.name == id}
            if not names & {"state.npz", "best.npz", "trace.csv"}:
                assert (back.state.count, back.damage) == (run.steps[-1].state.count, "")
                assert figures(back.records) == figures(tuple(step.record for step in run.steps))
            elif "state.npz" not in names:
                assert back.state.count == run.steps[-1].state.count
            elif "best.npz" not in names:
                assert back.state.count >= run.steps[-2].state.count
            for one, step in zip(back.records, run.steps, strict=False):
                if "trace.csv" not in names:
                    assert figures((one,)) == figures((step.record,))


def test_an_engine_opens_whatever_a_damaged_store_holds_and_trains_on(kept, tmp_path):
    original, runs = kept
    folder, chance = tmp_path / "store", random.Random(1)
    shutil.copytree(original, folder)
    store = Store(folder)
    for _ in range(6):
        damage(folder, chance)
        store.list()
    engine = Engine(store)
    try:
        for id in runs:
            if (run := engine.get(id)) is not None:
                run.play()
                until(lambda run=run: run.snapshot.status in ("finished", "failed", "diverged"))
    finally:
        engine.shutdown()
    Store(folder).list()
