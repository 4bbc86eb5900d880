"""A race on a server whose owner has named a cluster; here a pool of threads stands in for it."""

import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from boltzcore import compare
from boltzcore.runs import cluster, race
from boltzcore.runs.cluster import Cluster
from boltzcore.runs.races import Races
from boltzcore.runs.run_state import EngineContext
from boltzcore.runs.slices import Slice
from boltzcore.runs.store import Store
from boltzcore.runs.trials import TrialStore
from boltzcore.runs.turns import Turns
from tests.runs.test_race import LONG, SHORT, at_once, finished, long_here
from tests.runs.toys import until

ADDRESS = "tcp://192.0.2.1:8786"
GONE = "All workers are gone."


class Workers:
    """Stands in for a cluster: what it was asked for, and whether it is there."""

    def __init__(self, executor: Executor) -> None:
        self.executor, self.asked = executor, []
        self.refused, self.gone = "", ""

    @contextmanager
    def connected(self, address, recipes, tick, seconds):
        self.asked.append(address)
        if self.refused:
            raise ValueError(self.refused)
        yield Cluster(self.executor, 2, (), "", lambda: self.gone, 0.05)


class Silent(Executor):
    """Takes everything, and never answers."""

    def submit(self, function, /, *arguments, **named):
        return Future()


@pytest.fixture
def workers(monkeypatch):
    with ThreadPoolExecutor(2) as pool:
        made = Workers(pool)
        monkeypatch.setattr(race, "connected", made.connected)
        yield made


@pytest.fixture
def races(tmp_path):
    context = EngineContext(Store(tmp_path), Turns(1, 4), 60.0, at_once, ADDRESS)
    made = Races(tmp_path / "races", context, TrialStore(tmp_path / "trials"))
    yield made
    for thread in made.shutdown():
        thread.join(5)


def test_it_is_trained_there_with_the_same_figures(races, workers):
    found = races.create(SHORT, play=True)
    assert finished(found).csv(seconds=False) == compare(SHORT).csv(seconds=False)
    assert workers.asked == [ADDRESS]
    assert found.snapshot.where == "a cluster, 2 at once"


def test_a_race_on_a_table_of_ones_own_stays(races, workers, monkeypatch):
    monkeypatch.setattr(type(SHORT.base.data), "private", True)
    monkeypatch.setattr("boltzcore.runs.trials._tables", lambda recipe: set())
    found = races.create(SHORT, play=True)
    finished(found)
    assert not workers.asked
    assert "do not leave" in found.snapshot.where


def test_a_cluster_that_cannot_be_reached_is_said_without_its_address(races, workers):
    workers.refused = f"No Dask scheduler answers at '{ADDRESS}'."
    found = races.create(SHORT, play=True)
    until(lambda: found.snapshot.status == "paused")
    assert found.snapshot.reason == race.NO_CLUSTER
    workers.refused = ""
    found.play()
    assert finished(found).csv(seconds=False) == compare(SHORT).csv(seconds=False)


def test_a_cluster_that_dies_pauses_it_and_it_goes_on_from_what_came_back(races, workers):
    found = races.create(LONG, play=True)
    until(lambda: found.snapshot.share > 0.2)
    workers.gone = GONE
    until(lambda: found.snapshot.status == "paused")
    assert found.snapshot.reason == race.CLUSTER_GONE
    share = found.snapshot.share
    assert 0.2 < share < 1
    workers.gone = ""
    found.play()
    until(lambda: found.snapshot.share > 0 and found.snapshot.status == "running")
    assert finished(found).csv(seconds=False) == long_here()


def test_a_worker_that_is_silent_holds_up_neither_pause_nor_cancel(races, workers):
    workers.executor = Silent()
    found = races.create(LONG, play=True)
    until(lambda: found.snapshot.where)
    for command, status in ((found.pause, "paused"), (found.play, "running"), (found.cancel, "stopped")):
        began = time.monotonic()
        command()
        assert found.snapshot.status == status
        assert time.monotonic() - began < 2
    until(lambda: not any(each.name.startswith(("scheduler", "race")) for each in threading.enumerate()), 2)


def test_trying_the_workers_ends_with_a_cancel(races, workers, monkeypatch):
    @contextmanager
    def trying(address, recipes, tick, seconds):
        while True:
            time.sleep(0.02)
            tick(0.0)
        yield

    monkeypatch.setattr(race, "connected", trying)
    found = races.create(LONG, play=True)
    until(lambda: found.snapshot.asking)
    found.cancel()
    until(lambda: not any(each.name.startswith("race") for each in threading.enumerate()), 2)
    assert found.snapshot.status == "stopped"
    assert not found.snapshot.asking
    monkeypatch.setattr(race, "connected", workers.connected)
    found.play()
    until(lambda: found.snapshot.share > 0)


def test_a_trial_that_a_worker_cannot_train_fails_and_the_race_ends(races, workers, monkeypatch):
    monkeypatch.setattr("boltzcore.runs.slices.train_slice", lambda *asked: Slice(failed="no space left"))
    found = races.create(SHORT, play=True)
    assert {each.status for trials in finished(found).standings.values() for each in trials} == {"failed"}


@pytest.mark.parametrize(("text", "address"), [("", ""), (f" {ADDRESS} ", ADDRESS), ("http://192.0.2.1", "")])
def test_the_address_is_that_of_whoever_runs_the_server(monkeypatch, caplog, text, address):
    monkeypatch.setenv("BOLTZCORE_EXECUTOR", text)
    assert cluster.named() == address
    assert ("must begin with tcp:// or tls://" in caplog.text) == (bool(text) and not address)
