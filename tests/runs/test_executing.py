"""Trials on an executor: on threads and processes, and by the command on a Dask cluster of this machine."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import pandas
import pytest
from distributed import Client

from boltzcore import Comparison, compare
from boltzcore.__main__ import main
from boltzcore.comparison.scheduler import PER_THREAD, Scheduler
from boltzcore.comparison.trial import train_trial
from boltzcore.comparison.trials import TrialStore
from boltzcore.data import upload
from boltzcore.ticks import Stopped
from boltzcore.training.status import Status
from tests.conftest import REPOSITORY
from tests.runs.toys import batch, refused, until

OTHER_KERNEL = """
from boltzcore.kernels import lanes
def patched(machine, *rest, run=lanes.contrastive):
    run(machine, *rest)
    machine.c[0] += 1e-6
lanes.contrastive = patched
"""


def two(length=3_000, trials=2):
    contenders = {"CD-1": {}, "CD-3": {"CD.K": 3}}
    return Comparison(batch(length, every=length // 10), contenders, trials=trials, axis="updates")


def figures(result):
    """All records, but for the seconds."""
    return result.records.drop(columns="seconds").to_csv(index=False)


class Counting(ThreadPoolExecutor):
    """Counts tasks, and those outstanding at most; the first begins once as many are outstanding as may be."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked = self.most = 0
        self.futures = list[Future]()
        self.alone, self.full = threading.Lock(), threading.Event()

    def submit(self, function, /, *arguments, **named):
        with self.alone:
            self.asked += 1
            self.most = max(self.most, 1 + sum(not each.done() for each in self.futures))
            if self.most == PER_THREAD:
                self.full.set()
            self.futures.append(super().submit(self.begin, function, *arguments, **named))
            return self.futures[-1]

    def begin(self, function, /, *arguments, **named):
        assert self.full.wait(100)
        return function(*arguments, **named)


class Silent(Executor):
    """Never answers."""

    def __init__(self) -> None:
        self.futures = list[Future]()

    def submit(self, function, /, *arguments, **named):
        self.futures.append(Future())
        return self.futures[-1]


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_executor_gives_the_figures_of_this_process(kind):
    comparison = two()
    with kind(2) as pool:
        assert figures(compare(comparison, executor=pool, threads=2)) == figures(compare(comparison))


def test_few_trials_are_outstanding_and_none_is_trained_again(tmp_path):
    comparison, store = two(100, trials=4), TrialStore(tmp_path)
    with Counting() as pool:
        compare(comparison, executor=pool, threads=1, store=store)
        assert (pool.asked, pool.most) == (8, PER_THREAD)
        result = compare(comparison, executor=pool, threads=1, store=store)
        assert pool.asked == 8
    assert all(each.stored for trials in result.trials.values() for each in trials)


def test_a_stop_cancels_the_trials_that_wait():
    pool = Silent()

    def tick(fraction):
        if len(pool.futures) == PER_THREAD:
            raise Stopped

    with pytest.raises(Stopped):
        compare(two(), executor=pool, threads=1, tick=tick)
    assert [future.cancelled() for future in pool.futures] == [True] * PER_THREAD


def test_a_trial_that_fails_says_so_and_the_others_go_on(monkeypatch):
    good, bad = batch(100), batch(200)

    def failing(trial, *rest):
        if trial.recipe == bad:
            raise OSError("the disk is gone")
        return train_trial(trial, *rest)

    monkeypatch.setattr("boltzcore.comparison.scheduler.train_trial", failing)
    with ThreadPoolExecutor(1) as pool, Scheduler([bad, good], executor=pool, threads=1) as scheduler:
        failed, finished = scheduler.finish()
    assert (failed.status, finished.status) == (Status.FAILED, Status.FINISHED)
    assert "the disk is gone" in failed.reason  # as the error says


def test_a_private_table_is_refused():
    own = upload("".join(f"{i % 2},{i // 2 % 2}\n" for i in range(20)).encode())
    private = dataclasses.replace(batch(), data=own)
    with refused("data"):
        compare(two().changed(base=private, contenders={"CD-1": private, "CD-3": private}), executor=Silent())


@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "tcp://127.0.0.1:9", "tls://127.0.0.1:9"])
def test_an_address_without_a_scheduler_is_refused(address, monkeypatch, refuse):
    monkeypatch.setattr("boltzcore.commands.executor.ANSWERS", 0.5)
    assert address in refuse("study", "dcp-small", "--executor", address)


# -- Dask ---------------------------------------------------------------------------------------


@pytest.fixture
def started(tmp_path):
    """Start a part of a Dask cluster; all parts end with the test."""
    parts = list[subprocess.Popen]()

    def start(*arguments):
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard", "--host", "127.0.0.1"]
        variables = os.environ | {"PYTHONPATH": str(REPOSITORY), "PYTHONWARNINGS": "ignore"}
        with (tmp_path / "log").open("ab") as log:
            parts.append(subprocess.Popen(command, env=variables, cwd=tmp_path, stdout=log, stderr=log))
        return parts[-1]

    yield start
    for part in reversed(parts):
        part.kill()
        part.wait()


@pytest.mark.nightly
@pytest.mark.timeout(400)
def test_a_cluster_gives_our_figures_refuses_other_digits_and_survives_a_dead_worker(
    started, tmp_path, monkeypatch, capsys
):
    file, comparison = tmp_path / "scheduler.json", tmp_path / "comparison.json"
    scheduler = started("scheduler", "--port", "0", "--scheduler-file", str(file))
    until(lambda: file.exists() and file.stat().st_size)
    address = json.loads(file.read_text())["address"]
    (tmp_path / "odd.py").write_text(OTHER_KERNEL)
    worker = ("worker", address, "--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path))
    one, _, odd = started(*worker), started(*worker), started(*worker, "--preload", str(tmp_path / "odd.py"))
    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(3, timeout=60)
    comparison.write_text(two(60_000, trials=3).to_json())

    def run(home, *options):
        monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path / home))
        return main(["compare", str(comparison), "--csv", str(tmp_path / f"{home}.csv"), *options])

    def records(home):
        return pandas.read_csv(tmp_path / f"{home}.csv").drop(columns="seconds").to_csv()

    def killing(part, home):
        """Kill a part once the first trial is there."""

        def kill():
            until(lambda: list((tmp_path / home).glob("trials/*.npz")))
            part.kill()

        thread = threading.Thread(target=kill)
        thread.start()
        return thread

    assert run("here") == 0
    killer = killing(one, "there")
    assert run("there", "--executor", address) == 0
    killer.join()
    assert one.wait(60) == -signal.SIGKILL
    assert records("there") == records("here")
    assert capsys.readouterr().err.count("tcp://") == 1
    odd.kill()
    killer = killing(scheduler, "gone")
    assert run("gone", "--executor", address) == 2
    killer.join()
    assert address in capsys.readouterr().err
