"""What is said to who waits."""

import pytest

from boltzcore.quoting import span
from boltzcore.runs.snapshot import Snapshot
from boltzcore.runs.stopwatch import Left, Wait
from boltzcore.warmup import WORK
from pages.live.run_frame import waits
from pages.web.background import Promise


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "1 s"), (42, "40 s"), (58, "1 min"), (94, "1 min 30 s"), (5100, "1 h 20 min")]
)
def test_a_length_of_time_is_as_round_as_an_estimate(seconds, text):
    assert span(seconds) == text


def test_the_rest_of_a_training_and_its_place_in_the_line_are_told_while_they_are_known():
    assert waits(Snapshot("running"), ()) == {"wait": None, "progress": ""}
    assert span(41.0) in waits(Snapshot("running", left=Left(41.0)), ())["progress"]
    assert "3" in waits(Snapshot("queued", place=4), ())["progress"]


def test_what_is_under_way_is_told_with_its_seconds():
    wait = Wait("Estimating the likelihood", 9.0, 14.0)
    expected = {"what": "Estimating the likelihood", "seconds": 9.0, "about": 14.0}
    assert waits(Snapshot("running", wait=wait), ())["wait"] == expected


def test_a_promise_is_waited_for_until_it_is_kept():
    promise = Promise("Working out what nobody else does")
    assert waits(Snapshot("paused"), (promise,))["wait"]["what"] == "Working out what nobody else does"
    promise.set_result(1)
    assert waits(Snapshot("paused"), (promise,))["wait"] is None
    assert Promise("Working out what nobody else does").wait.about is not None  # the last time tells


def test_every_piece_of_the_compiling_says_how_much_it_compiles():
    assert all(each.kernels >= 1 for each in WORK)
