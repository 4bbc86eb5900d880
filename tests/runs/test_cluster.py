"""A Dask cluster of processes on this machine."""

import signal
import threading
import time
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from boltzcore import Comparison, compare
from boltzcore.runs import cluster
from boltzcore.runs.cluster import connected
from boltzcore.runs.scheduler import trained_at
from boltzcore.runs.slices import Elsewhere
from tests.dask_processes import processes
from tests.runs.test_slices import figures, recipe

OTHER_KERNEL = """
from boltzcore.kernels import lanes
def patched(machine, *rest, run=lanes.contrastive):
    run(machine, *rest)
    machine.c[0] += 1e-6
lanes.contrastive = patched
"""


def two(length, trials):
    return Comparison(recipe(length), {"CD-1": {}, "CD-3": {"CD.K": 3}}, trials=trials, axis="updates")


def check_that_a_worker_may_die(workers, worker):
    comparison, ticks = two(60_000, trials=2), []

    def killing(fraction):
        ticks.append(fraction)
        if fraction > 0.2 and worker.poll() is None:
            worker.send_signal(signal.SIGKILL)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("boltzcore.runs.comparing.Elsewhere", lambda executor: Elsewhere(executor, seconds=0.05))
        result = compare(comparison, executor=workers.executor, threads=2, tick=killing)
    assert worker.poll() is not None
    assert max(ticks) > 0.2
    assert figures(result) == figures(compare(comparison))


def check_that_a_scheduler_that_dies_ends_it_with_a_sentence(made):
    endless = two(5_000_000, trials=1)
    with connected(made.address, [endless.trial("CD-1", 0)], seconds=0.2) as there, trained_at(there.place):

        def killing(fraction):
            if fraction > 0:
                made.scheduler.kill()

        result = compare(endless, tick=killing)
        killed = time.monotonic()
        assert "does not answer any more" in there.gone()
        standings = [each for trials in result.standings.values() for each in trials]
        assert {each.status for each in standings} == {"cancelled"}
        assert any(each.records for each in standings)
    assert time.monotonic() - killed < 5


def test_a_cluster_gives_the_figures_of_this_process_whoever_is_refused_and_whoever_dies(tmp_path):
    comparison = two(20_000, trials=2)
    with processes(tmp_path) as made:
        first, _, odd = made.worker("one"), made.worker("two"), made.worker("odd", OTHER_KERNEL)
        made.wait_for(3)
        with connected(made.address, [comparison.trial(name, 0) for name in comparison.names]) as workers:
            assert workers.at_once == 2
            (refused,) = workers.refused
            assert "gives other digits with Contrastive divergence" in refused
            result = compare(comparison, executor=workers.executor, threads=workers.at_once)
            assert figures(result) == figures(compare(comparison))
            odd.terminate()
            check_that_a_worker_may_die(workers, first)
        check_that_a_scheduler_that_dies_ends_it_with_a_sentence(made)
    assert not [each for each in threading.enumerate() if each.name.startswith("scheduler ")]


def test_a_worker_that_dies_while_it_is_tried_is_refused_and_nobody_waits_for_it(monkeypatch):
    future = SimpleNamespace(done=lambda: False, cancel=lambda: None)
    there = iter([{"tcp://1.2.3.4:5": 1}])
    client = SimpleNamespace(nthreads=lambda: next(there, {}), submit=lambda *of, **how: future)
    monkeypatch.setattr(cluster, "_client", lambda address, tick: nullcontext(client))
    monkeypatch.setattr(cluster, "LOOKED_EVERY", 0.0)
    said = r"can be used: The worker tcp://1\.2\.3\.4:5 cannot train: it is gone\.$"
    with pytest.raises(ValueError, match=said), connected("tcp://1.2.3.4", [recipe(10)]):
        pass


def test_an_address_where_nobody_answers_says_so(monkeypatch):
    monkeypatch.setattr("boltzcore.runs.cluster.ANSWERS", 0.5)
    with pytest.raises(ValueError, match="No Dask scheduler answers"), connected("tcp://127.0.0.1:9", [recipe(10)]):
        pass
    with pytest.raises(ValueError, match="needs certificates"), connected("tls://127.0.0.1:9", [recipe(10)]):
        pass
    with pytest.raises(ValueError, match="must begin with tcp:// or tls://"), connected("http://x", [recipe(10)]):
        pass
