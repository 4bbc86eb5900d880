"""A Dask cluster of processes on this machine."""

import signal
import threading
import time

import pytest

from boltzcore import Comparison, Recipe, compare
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.runs.cluster import connected
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.scheduler import trained_at
from boltzcore.runs.slices import Elsewhere
from tests.dask_processes import processes

OTHER_NUMPY = "from boltzcore.runs import code_digest; code_digest.VERSIONS['numpy'] = '1.0'"
OTHER_KERNEL = """
from boltzcore.kernels import lanes
def patched(machine, *rest, run=lanes.contrastive):
    run(machine, *rest)
    machine.c[0] += 1e-6
lanes.contrastive = patched
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
    with processes(tmp_path_factory.mktemp("cluster")) as made:
        yield made


def test_a_cluster_gives_the_figures_of_this_process_and_others_are_refused_by_name(cluster):
    address, worker = cluster.address, cluster.worker
    first, _, *others = worker("one"), worker("two"), worker("old", OTHER_NUMPY), worker("odd", OTHER_KERNEL)
    cluster.wait_for(4)
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


def test_a_scheduler_that_dies_ends_it_with_a_sentence_and_nothing_hangs(tmp_path):
    endless = Comparison(recipe(5_000_000), {"CD-1": {}, "CD-3": {"CD.K": 3}}, trials=1, axis="updates")
    with processes(tmp_path) as made:
        made.worker("one")
        made.wait_for(1)
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


def test_an_address_where_nobody_answers_says_so(monkeypatch):
    monkeypatch.setattr("boltzcore.runs.cluster.ANSWERS", 0.5)
    with pytest.raises(ValueError, match="No Dask scheduler answers"), connected("tcp://127.0.0.1:9", [recipe(10)]):
        pass
    with pytest.raises(ValueError, match="must begin with tcp:// or tls://"), connected("http://x", [recipe(10)]):
        pass


def test_no_thread_of_a_scheduler_is_left():
    assert not [each for each in threading.enumerate() if each.name.startswith("scheduler ")]
