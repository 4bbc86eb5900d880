"""Looking back: what of a run is kept while somebody watches, and served to who scrubs."""

import json

import pytest

from boltzcore.runs.engine import Engine
from boltzcore.runs.store import Store
from pages.common import lab
from pages.live import history, routes
from tests.live.conftest import until


def test_who_watches_has_looks_kept_from_the_start_on_that_can_be_asked_for(ask, run):
    stream = ask(f"/live/{run.id}/stream")
    run.play()
    until(lambda: len(run.frame_history.counts) > 3)
    run.pause()
    last = stream.frame(lambda frame: frame["status"] == "paused" and frame["count"])["count"]  # not that before Play
    until(lambda: run.frame_history.counts[-1] == last)  # how it came to rest
    counts = json.loads(ask(f"/live/{run.id}/history").text())
    assert counts == list(run.frame_history.counts)
    assert counts[0] == 0
    look = ask(f"/live/{run.id}/history/{counts[1]}").json()
    assert look["count"] == look["at"]["updates"] == counts[1]
    assert ["Status", "Looking back"] in look["figures"]
    assert any("pictures" in panel for panel in look["panels"].values())
    assert {"key": "curve", "curve": True} in look["panels"].values()


def test_each_step_is_kept_and_a_frame_tells_of_it(ask, run):
    stream = ask(f"/live/{run.id}/stream")
    stream.frame()
    for count in range(1, 4):
        run.step()
        until(lambda count=count: run.frame_history.counts[-1:] == (count,))
    run.step()
    told = stream.frame(lambda frame: frame["count"] == 4)["history"]
    assert (told["count"], told["last"], told["damage"]) == (4, [0, 1, 2, 3], "")


def test_looks_are_the_same_for_all_and_kept_where_everybody_has_chosen_something(ask, run):
    stream = ask(f"/live/{run.id}/stream?choose.axis=work")
    stream.frame()
    until(lambda: run.frame_history.counts == (0,))
    run.step()
    until(lambda: run.frame_history.counts == (0, 1))


def test_nothing_is_kept_where_nobody_watches(run):
    run.step()
    until(lambda: run.snapshot.state.count == 1 and run.snapshot.status == "paused" and not run.unsaved)
    assert run.frame_history.counts == ()


def test_of_a_training_that_goes_on_while_nobody_watches_looks_are_kept_too(ask, run, monkeypatch):
    monkeypatch.setattr(history, "SELDOM", 0.2)
    run.keep_going = True
    stream = ask(f"/live/{run.id}/stream?choose.axis=work")
    stream.frame()
    stream.close()
    watched = routes.WATCHING._watched
    until(lambda: not any(each.streams for each in list(watched.values()) if each.broadcast.subject is run))
    before = len(run.frame_history.counts)
    run.play()
    until(lambda: len(run.frame_history.counts) > before + 2)


def test_of_many_that_are_watched_fewer_looks_are_taken(ask, run, monkeypatch):
    monkeypatch.setattr(history, "CROWD", 60.0)
    ask(f"/live/{run.id}/stream").frame()
    until(lambda: run.frame_history.counts == (0,))
    run.play()
    until(lambda: run.snapshot.state.count > 5000)
    run.pause()
    until(lambda: len(run.frame_history.counts) > 1)
    assert len(run.frame_history.counts) <= 3  # the start, perhaps one under way, and the rest


def test_looks_outlive_a_restart(ask, run):
    ask(f"/live/{run.id}/stream").frame()
    until(lambda: run.frame_history.counts == (0,))
    until(lambda: not run.unsaved)
    again = Engine(Store(lab.engine().store.folder)).get(run.id)
    assert again.frame_history.counts == (0,)
    assert again.frame_history.frame(0) == run.frame_history.frame(0)


def test_a_damaged_file_costs_the_earlier_frames_and_is_said(ask, run):
    until(lambda: not run.unsaved)
    (lab.engine().store.folder / "runs" / run.id / "looks.bin").write_bytes(b"\x00" * 1000)
    frame = ask(f"/live/{run.id}/stream").frame()
    assert frame["history"]["damage"].startswith("looks.bin is damaged, so that earlier moments of this training")
    assert frame["status"] == "paused"


@pytest.mark.parametrize("count", ["7", "-1", "1e5", "%D9%A3", "x", "9" * 20, "9" * 5000])
def test_a_look_that_is_not_kept_is_not_found(ask, run, count):
    until(lambda: not run.unsaved)
    run.frame_history.add(0, b"kept")
    answer = ask(f"/live/{run.id}/history/{count}")
    assert (answer.status, answer.text()) == (404, "This earlier moment is not kept.")


def test_a_look_that_somebody_else_wrote_is_not_served(ask, run):
    until(lambda: not run.unsaved)
    run.frame_history.add(3, b"<script>")
    assert ask(f"/live/{run.id}/history/3").status == 404


@pytest.mark.parametrize("what", ["history", "history/0"])
def test_looks_are_given_to_our_own_pages_and_of_runs_that_are_here(ask, run, what):
    assert ask(f"/live/{run.id}/{what}", sec_fetch_site="cross-site").status == 403
    assert ask(f"/live/{'0' * 16}/{what}").status == 404


def test_a_look_that_cannot_be_kept_is_logged_once_in_a_line(ask, run, monkeypatch, caplog):
    tries = []

    def full(*_) -> None:
        tries.append(1)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(history, "AGAIN", 0.0)
    monkeypatch.setattr(run.frame_history, "add", full)
    ask(f"/live/{run.id}/stream")
    run.play()
    until(lambda: len(tries) > 2)
    run.pause()
    (said,) = [each for each in caplog.records if "could not be kept" in each.message]
    assert not said.exc_info
