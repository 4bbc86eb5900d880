"""Estimates of the time of a piece of work and of the rest, by a training's own pace, on a clock that we turn."""

from itertools import pairwise

import pytest

from boltzcore.jobs.stopwatch import Stopwatch, Wait
from boltzcore.training.loop import UPDATES

LIKELIHOOD = "Estimating the likelihood"


@pytest.fixture
def watch(clock):
    return Stopwatch(clock)


def measured(clock, watch, seconds, *, ticks=10):
    """A record that takes so long; the waits that were shown."""
    waits = []
    watch.begin(LIKELIHOOD, True)
    for k in range(ticks):
        watch.report_progress(k / ticks)
        clock.now += seconds / ticks
        waits.append(watch.waiting)
    return waits


def trained(clock, watch, *, of, each, record, every):
    """A training of so many updates and records of so many seconds; (seconds that were really left, as estimated) now
    and then.
    """
    pairs = []
    measured(clock, watch, record)
    watch.stepped(0, recorded=True)
    for count in range(1, of + 1):
        watch.begin(UPDATES)
        clock.now += each
        if count % every == 0:
            measured(clock, watch, record)
        watch.stepped(count, recorded=count % every == 0)
        updates, records = of - count, -(-of // every) - count // every
        pairs.append((updates * each + records * record, watch.left(updates, records)))
    return pairs


def test_a_wait_is_estimated_by_its_own_pace_as_soon_as_that_shows(clock, watch):
    waits = measured(clock, watch, 14.0)
    assert waits[0] == Wait(LIKELIHOOD, pytest.approx(1.4))
    assert [each.about for each in waits[2:-1]] == [pytest.approx(14.0)] * 7


def test_what_it_took_to_begin_with_is_no_pace(clock, watch):
    watch.begin(LIKELIHOOD, True)
    clock.now += 5.0
    for k in range(30):
        watch.report_progress(k / 100)
        clock.now += 0.1
    assert watch.waiting.about == pytest.approx(15.0, rel=0.05)


@pytest.mark.parametrize(("waited", "about"), [(0.5, 14.0), (15.0, None)])
def test_the_next_wait_is_expected_to_last_as_long_as_the_last_one_until_it_has_lasted_longer(
    clock, watch, waited, about
):
    measured(clock, watch, 14.0)
    watch.stepped(0, recorded=True)
    watch.begin(LIKELIHOOD, True)
    clock.now += waited
    assert watch.waiting == Wait(LIKELIHOOD, pytest.approx(waited), about and pytest.approx(about))


def test_work_whose_parts_begin_anew_tells_no_length_of_its_own(clock, watch):
    watch.begin(LIKELIHOOD, True)
    for share in (0.3, 0.9, 0.2, 0.8):
        watch.report_progress(share)
        clock.now += 1.0
    assert watch.waiting.about is None


def test_word_of_a_wait_goes_out_seldom_and_of_short_updates_never(clock, watch):
    for what, times in ((LIKELIHOOD, 5), (UPDATES, 0)):
        watch.begin(what, what == LIKELIHOOD)
        due = []
        for _ in range(100):
            clock.now += 0.1
            due.append(watch.due)
        assert sum(due) == times
    assert watch.waiting is None


def test_a_pause_and_a_look_in_between_are_no_part_of_a_wait(clock, watch):
    watch.begin(LIKELIHOOD, True)
    clock.now += 3.0
    with watch.nested("Drawing the model"):
        clock.now += 1.5
        assert watch.waiting.what == "Drawing the model"
    clock.now += 600.0
    watch.rested(600.0)
    assert watch.waiting == Wait(LIKELIHOOD, pytest.approx(3.0))


@pytest.mark.parametrize(
    ("each", "record", "every"),
    [(0.05, 0.0, 50), (0.01, 10.0, 100), (3.0, 0.2, 5), (0.2, 2.0, 10)],
    ids=["cheap records", "dear records", "slow updates", "both"],
)
def test_the_rest_is_estimated_truly_and_runs_down_without_jumps(clock, watch, each, record, every):
    estimates = [(truth, left) for truth, left in trained(clock, watch, of=600, each=each, record=record, every=every)]
    known = [(truth, left) for truth, left in estimates if left is not None]
    assert len(known) > 0.9 * len(estimates)
    assert all(abs(left - truth) <= 0.2 * truth + 2.0 for truth, left in known)
    lefts = [left for _, left in known]
    assert all(later <= left + 1e-6 for left, later in pairwise(lefts))


def test_nothing_is_known_of_the_rest_before_the_pace_shows(clock, watch):
    estimates = trained(clock, watch, of=100, each=0.1, record=0.0, every=100)
    assert [left for _, left in estimates[:15]] == [None] * 15


def test_another_pace_is_estimated_anew(clock, watch):
    trained(clock, watch, of=100, each=0.1, record=0.0, every=10)
    watch.reset()
    assert watch.left(100, 0) is None
    for count in range(100, 131):
        watch.stepped(count, recorded=False)
        clock.now += 1.0
    assert watch.left(100, 0) == pytest.approx(100.0, rel=0.1)
