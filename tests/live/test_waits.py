"""What is said to who waits."""

import pytest

from boltzcore.figures.reading import waited
from boltzcore.quoting import span
from boltzcore.runs.snapshot import Snapshot
from boltzcore.runs.stopwatch import Left, Wait
from boltzcore.warmup import KERNELS, WORK
from pages.common.warm import progress_text
from pages.live.run_frame import waits
from pages.web.background import Promise


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 s"),
        (8.7, "9 s"),
        (42, "40 s"),
        (58, "1 min"),
        (94, "1 min 30 s"),
        (119, "2 min"),
        (3580, "1 h"),
        (5100, "1 h 20 min"),
        (100_000, "28 h"),
    ],
)
def test_a_length_of_time_is_as_round_as_an_estimate(seconds, text):
    assert span(seconds) == text


def test_the_rest_of_a_training_is_told_while_it_is_known():
    assert waits(Snapshot("running"), ()) == {"wait": None, "progress": ""}
    assert waits(Snapshot("running", left=Left(41.0)), ())["progress"] == "about 40 s left"
    assert waits(Snapshot("running", left=Left(41.0, most=True)), ())["progress"] == "at most 40 s left"


@pytest.mark.parametrize(
    ("place", "text"),
    [(1, "next in the line"), (2, "1 training is ahead of this one"), (4, "3 trainings are ahead of this one")],
)
def test_who_stands_in_the_line_is_told_how_many_go_first(place, text):
    assert waits(Snapshot("queued", place=place), ())["progress"] == f"Waiting for room to train: {text}"


def test_what_is_under_way_is_told_with_its_seconds():
    wait = Wait("Estimating the likelihood", 9.0, 14.0)
    expected = {"what": "Estimating the likelihood", "seconds": 9.0, "about": 14.0}
    assert waits(Snapshot("running", wait=wait), ())["wait"] == expected


@pytest.mark.parametrize(
    ("seconds", "about", "text"),
    [
        (0.4, 9.0, "Fetching"),
        (3.7, None, "Fetching: 3 s so far"),
        (9.2, 14.4, "Fetching: 9 s of about 14"),
        (15.0, 14.4, "Fetching: 15 s so far"),
        (100.9, 140.2, "Fetching: 1 min 40 s of about 2 min 20 s"),
    ],
)
def test_a_bar_says_how_long_it_takes(seconds, about, text):
    assert waited(Wait("Fetching", seconds, about)) == text


def test_a_promise_is_waited_for_until_it_is_kept():
    promise = Promise("Working out what nobody else does")
    assert waits(Snapshot("paused"), (promise,))["wait"]["what"] == "Working out what nobody else does"
    promise.set_result(1)
    assert waits(Snapshot("paused"), (promise,))["wait"] is None
    assert Promise("Working out what nobody else does").wait.about is not None  # the last time tells


def test_the_compiling_is_told_by_the_pace_of_this_machine():
    assert progress_text(0, 33, 2.0, 0) == "Preparing the compiled kernels: 2 s so far."
    assert progress_text(11, 33, 120.0, 11).endswith(
        f"11 of about {KERNELS}, 120 s so far; this page needs the first 33, about 4 min left."
    )
    assert progress_text(40, 33, 120.0, 11).endswith(
        f"40 of about {KERNELS}, 120 s so far; this page needs the first 33."
    )


def test_every_piece_of_the_compiling_says_how_much_it_compiles():
    assert all(each.kernels >= 1 for each in WORK)
