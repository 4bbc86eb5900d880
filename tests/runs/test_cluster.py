"""A Dask cluster of processes on this machine."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from boltzcore import Comparison, Recipe, compare
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.runs.cluster import connected
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.slices import Elsewhere
from tests.conftest import REPOSITORY

OTHER_NUMPY = "from boltzcore.runs import code_digest; code_digest.VERSIONS['numpy'] = '1.0'"
OTHER_DIGITS = """
from boltzcore.models import RBMSetup
def other(setup, data, seed, drawn=RBMSetup.drawn):
    model = drawn(setup, data, seed)
    return type(model)(model.W * 2, model.b, model.c)
RBMSetup.drawn = other
"""


def recipe(length):
    return Recipe(
        RBMSetup(hidden=4),
        "bars-and-stripes",
        CD(0.1, 0),
        Schedule(length=length, every=length // 10),
        measures=("log_likelihood",),
    )


def figures(result):
    """All records, but for the seconds."""
    return result.records.drop(columns="seconds").to_csv(index=False)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """(address of a scheduler, a function that starts a worker of some name; returns its process)."""
    place = tmp_path_factory.mktemp("cluster")
    began, file = [], place / "scheduler.json"
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY), "PYTHONWARNINGS": "ignore"}

    def start(*arguments):
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        with (place / "log").open("ab") as log:
            process = subprocess.Popen(command, env=environment, cwd=place, stdout=log, stderr=log)
        began.append(process)
        return process

    def worker(name, before=""):
        preloaded = place / f"{name}.py"
        preloaded.write_text(before)
        return start(
            "worker",
            *("--scheduler-file", str(file), "--name", name, "--nthreads", "1", "--host", "127.0.0.1"),
            *("--no-nanny", "--local-directory", str(place), "--preload", str(preloaded)),
        )

    start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
    end = time.monotonic() + 60
    while not file.exists():
        assert time.monotonic() < end, (place / "log").read_text()
        time.sleep(0.05)
    yield json.loads(file.read_text())["address"], worker
    for process in reversed(began):
        process.terminate()
    for process in began:
        process.wait(30)


def wait_for(address, workers):
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=60)


def test_a_cluster_gives_the_figures_of_this_process_and_others_are_refused_by_name(cluster):
    address, worker = cluster
    first, _, *others = worker("one"), worker("two"), worker("old", OTHER_NUMPY), worker("odd", OTHER_DIGITS)
    wait_for(address, 4)
    comparison = Comparison(recipe(20_000), {"CD-1": {}, "CD-3": {"CD.K": 3}}, trials=2, axis="updates")
    here = figures(compare(comparison))
    with connected(address, [comparison.trial(name, 0) for name in comparison.names]) as workers:
        assert workers.at_once == 2
        refused = "\n".join(workers.refused)
        assert "has other versions: numpy 1.0" in refused
        assert "gives other digits with Contrastive divergence" in refused
        assert len(workers.refused) == 2
        assert figures(compare(comparison, executor=workers.executor, threads=workers.at_once)) == here
        for process in others:
            process.terminate()

        ticks = []

        def killing(fraction):
            ticks.append(fraction)
            if fraction > 0.2 and first.poll() is None:
                first.send_signal(signal.SIGKILL)

        longer = Comparison(recipe(200_000), {"CD-1": {}, "CD-3": {"CD.K": 3}}, trials=2, axis="updates")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("boltzcore.runs.comparing.Elsewhere", lambda executor: Elsewhere(executor, seconds=0.2))
            result = compare(longer, executor=workers.executor, threads=2, tick=killing)
        assert first.poll() is not None
        assert max(ticks) > 0.2
        assert figures(result) == figures(compare(longer))


def test_an_address_where_nobody_answers_says_so(monkeypatch):
    monkeypatch.setattr("boltzcore.runs.cluster.ANSWERS", 0.5)
    with pytest.raises(ValueError, match="No Dask scheduler answers"), connected("tcp://127.0.0.1:9", [recipe(10)]):
        pass
    with pytest.raises(ValueError, match="must begin with tcp:// or tls://"), connected("http://x", [recipe(10)]):
        pass


def test_no_thread_of_a_scheduler_is_left():
    assert not [each for each in threading.enumerate() if each.name.startswith("scheduler ")]
