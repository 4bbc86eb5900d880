"""The history of a run: frames of earlier updates, few enough, spread evenly, and whole or not at all."""

import os
import threading
import time
from itertools import pairwise

import pytest

from boltzcore.runs import frame_history as module
from boltzcore.runs.frame_history import EVERY, MAGIC, FrameHistory


@pytest.fixture
def file(tmp_path):
    return tmp_path / "looks.bin"


def filled(file, counts=range(10), size=100):
    history = FrameHistory(file)
    for count in counts:
        history.add(count, bytes([count % 256]) * size)
    return history


def test_frames_are_found_again_by_who_opens_the_file_later(file):
    filled(file)
    again = FrameHistory(file)
    assert (again.counts, again.damage) == (tuple(range(10)), "")
    assert again.frame(7) == bytes([7]) * 100
    assert again.frame(70) is None
    again.add(10, b"new")
    assert FrameHistory(file).frame(10) == b"new"


def test_a_frame_of_an_earlier_update_takes_the_place_of_the_later_ones(file):
    history = filled(file)
    history.add(4, b"again")
    assert history.counts == FrameHistory(file).counts == (0, 1, 2, 3, 4)
    assert FrameHistory(file).frame(4) == b"again"
    history.add(0, b"first")
    assert FrameHistory(file).counts == (0,)


@pytest.mark.parametrize(("largest", "most"), [(10_000, 400), (20_000_000, 50)], ids=["bytes", "frames"])
def test_a_full_history_keeps_the_first_and_every_second_frame_and_takes_half_as_many(file, monkeypatch, largest, most):
    monkeypatch.setattr(module, "LARGEST", largest)
    monkeypatch.setattr(module, "MOST", most)
    history, moment, due = FrameHistory(file), 0.0, 0.0
    for count in range(3000):  # an update each tenth of a second
        if moment >= due:
            history.add(count, b"x" * 200)
            due = moment + history.every
        moment += 0.1
    counts, again = history.counts, FrameHistory(file)
    assert counts[0] == 0
    assert counts[-1] > 2900
    assert 15 < len(counts) <= 50
    gaps = {later - earlier for earlier, later in pairwise(counts)}
    assert max(gaps) <= 2 * min(gaps) + 2
    assert file.stat().st_size <= largest
    assert (again.counts, again.every) == (counts, history.every)
    assert history.every > EVERY


def test_nothing_is_kept_of_a_run_that_is_not_on_disk(tmp_path):
    history = FrameHistory(tmp_path / "deleted" / "looks.bin")
    history.add(1, b"frame")
    assert (history.counts, history.damage) == ((), "")
    assert not (tmp_path / "deleted").exists()


def test_a_frame_that_is_too_large_is_not_kept(file, monkeypatch):
    monkeypatch.setattr(module, "LARGEST_FRAME", 1000)
    history = filled(file)
    history.add(20, b"x" * 1001)
    assert history.counts[-1] == 9


def test_a_file_that_ends_too_early_loses_the_last_frames_and_says_so(file):
    filled(file)
    file.write_bytes(file.read_bytes()[:-30])
    history = FrameHistory(file)
    assert history.counts == tuple(range(9))
    assert history.damage == "looks.bin is damaged: the moments of this training after update 8 are lost."
    history.add(12, b"next")
    assert FrameHistory(file).counts == (*range(9), 12)
    assert FrameHistory(file).damage == ""


@pytest.mark.parametrize(
    "content",
    [b"", b"GIF89a", MAGIC, MAGIC + b"\xff" * 4, MAGIC + bytes(4) + b"\xff" * 40, b"\x00" * 22_000_100],
    ids=["empty", "another kind", "too short", "thinned too often", "impossible lengths", "too large"],
)
def test_a_file_that_is_no_history_is_said_and_written_anew(file, content):
    file.write_bytes(content)
    history = FrameHistory(file)
    assert history.counts == ()
    assert history.damage.startswith("looks.bin is damaged, so that")
    history.add(3, b"new")
    assert (FrameHistory(file).counts, FrameHistory(file).damage) == ((3,), "")


def test_what_is_no_file_is_not_opened(file):
    os.mkfifo(file)  # to open it would be to wait for ever
    history = FrameHistory(file)
    assert "damaged" in history.damage
    history.add(1, b"frame")
    assert FrameHistory(file).counts == (1,)


def test_frames_that_fall_back_or_were_changed_end_what_is_believed(file):
    filled(file, range(5))
    content = bytearray(file.read_bytes())
    content[-150] ^= 1  # in the fourth
    file.write_bytes(content)
    assert FrameHistory(file).counts == (0, 1, 2)


def test_a_frame_that_is_changed_while_it_is_kept_is_not_shown(file):
    history = filled(file)
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    assert history.frame(9) is None
    assert history.frame(8) is not None


def test_a_full_disk_costs_a_frame_and_no_more(file, monkeypatch):
    history = filled(file)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "_put", full)
    with pytest.raises(OSError, match="No space"):
        history.add(10, b"lost")
    monkeypatch.undo()
    assert history.counts == tuple(range(10))
    history.add(11, b"kept")
    assert FrameHistory(file).counts == (*range(10), 11)


def test_a_frame_that_a_full_disk_cuts_off_is_no_damage(file, monkeypatch):
    history = filled(file)

    def cut_off(stream, entry, found) -> None:
        stream.write(found[:5])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(module, "_put", cut_off)
        with pytest.raises(OSError, match="No space left"):
            history.add(10, b"more" * 10)
    assert (history.counts, history.damage) == (tuple(range(10)), "")
    assert (FrameHistory(file).counts, FrameHistory(file).damage) == (tuple(range(10)), "")
    history.add(10, b"new")
    assert FrameHistory(file).frame(10) == b"new"


def test_one_writer_at_a_time(file, monkeypatch):
    history, write, inside, most = filled(file), module._put, [], []

    def slowly(*given):
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.05)
        write(*given)
        inside.pop()

    monkeypatch.setattr(module, "_put", slowly)
    writers = [threading.Thread(target=history.add, args=(count, b"new")) for count in (10, 11, 12)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert most == [1, 1, 1]
    assert FrameHistory(file).counts == history.counts
