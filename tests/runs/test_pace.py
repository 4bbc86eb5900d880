"""The speeds that are offered for a training."""

from itertools import pairwise

import pytest

from boltzcore.runs.pace import FASTEST, PACES, lasting, limit, offered


def test_the_speeds_go_evenly_from_one_update_a_second_to_as_fast_as_it_can():
    assert PACES[0] == 1.0
    assert limit(FASTEST) is None
    ratios = [later / earlier for earlier, later in pairwise(PACES[:-1])]
    assert 1.3 < min(ratios) <= max(ratios) < 1.7


@pytest.mark.parametrize("pace", PACES[:-1])
def test_each_speed_is_offered_as_itself_and_others_as_the_nearest(pace):
    assert offered(pace) == offered(1.1 * pace) == offered(pace / 1.1) == limit(pace)


def test_speeds_beyond_the_ends_are_offered_as_the_ends():
    assert offered(0.01) == 1.0
    assert offered(1e9) == 10_000.0
    assert offered(None) == FASTEST


def test_a_whole_training_lasts_its_seconds():
    assert lasting(5000) == 250.0
    assert lasting(0) > 0
