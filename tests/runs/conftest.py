"""Engines that end with their test, and the toy learner under its name."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boltzcore import registry
from boltzcore.jobs.context import EngineContext
from boltzcore.jobs.engine import Engine
from boltzcore.jobs.seat import Seat
from boltzcore.jobs.store import Store
from boltzcore.jobs.turns import Turns
from tests.runs.toys import WALK, Clock, cd, whole


@pytest.fixture(scope="session", autouse=True)
def kernels() -> None:
    """Compile before anything is timed."""
    whole(cd(1))


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.LEARNERS, "Walk", WALK)


@pytest.fixture
def make_engine(tmp_path: Path) -> Iterator[Callable[..., Engine]]:
    """Engines on one store; each ends with the test, or when the next one is made."""
    made: list[Engine] = []
    before = set(threading.enumerate())

    def make(folder: Path = tmp_path, **options: object) -> Engine:
        for engine in made:
            engine.shutdown()
        made.append(Engine(Store(folder), **{"slots": 1, "admitted": 4, **options}))
        return made[-1]

    yield make
    for engine in made:
        engine.shutdown()
    left = [
        thread for thread in threading.enumerate() if thread.name.startswith("The training") and thread not in before
    ]
    for thread in left:
        thread.join(60)  # one of a run that was deleted may be about to end
    left = [thread for thread in left if thread.is_alive()]
    assert not left, f"threads still alive: {left}"


@pytest.fixture
def engine(make_engine: Callable[..., Engine]) -> Engine:
    return make_engine()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def context(tmp_path: Path, clock: Clock) -> EngineContext:
    """Context that runs, races and works share, with one slot; its leases end by `clock`."""
    ready = threading.Event()
    ready.set()
    return EngineContext(Store(tmp_path), Turns(1, 4), 60.0, lambda _recipe: ready, clock)


@pytest.fixture
def refusals(context: EngineContext, monkeypatch: pytest.MonkeyPatch) -> list[Seat]:
    """Seats that asked for a slot of `context` and have to wait, one entry for each time."""
    found, ask = list[Seat](), context.turns.ask

    def noted(member: Seat, owner: Seat | None = None) -> bool:
        has_slot = ask(member, owner)
        if not has_slot:
            found.append(member)
        return has_slot

    monkeypatch.setattr(context.turns, "ask", noted)
    return found
