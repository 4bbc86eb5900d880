"""The speeds that are offered for a training."""

from itertools import pairwise
from types import SimpleNamespace

import pytest

from boltzcore.jobs import pace as module
from boltzcore.jobs.pace import FASTEST, PACES, Pacer, nearest_pace


def test_the_speeds_go_evenly_from_one_update_a_second_to_as_fast_as_it_can():
    assert PACES[0] == 1.0
    ratios = [later / earlier for earlier, later in pairwise(PACES[:-1])]
    assert 1.3 < min(ratios) <= max(ratios) < 1.7


def test_each_speed_is_offered_as_itself_and_others_as_the_nearest():
    for pace in PACES[:-1]:
        assert nearest_pace(pace) == nearest_pace(1.1 * pace) == nearest_pace(pace / 1.1) == pace
    assert (nearest_pace(0.01), nearest_pace(1e9), nearest_pace(None)) == (1.0, 10_000.0, FASTEST)


def test_each_update_has_its_time_and_little_is_made_up_for(monkeypatch, clock):
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=clock))
    pacer, clock.now = Pacer(5.0), 100.0
    for count in range(1, 4):
        pacer.stepped(1, count)
        assert pacer.wait == pytest.approx(0.2)
        clock.now += 0.2
    clock.now += 60.0
    pacer.stepped(1, 4)
    assert -1.0 <= pacer.wait <= 0.2
    pacer.skip_wait()
    assert pacer.wait <= 0
