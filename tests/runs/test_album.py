"""Albums: looks back at a run, few enough, spread evenly, and whole or not at all."""

import os
from itertools import pairwise

import pytest

from boltzcore.runs import album as album_module
from boltzcore.runs.album import EVERY, MAGIC, Album


@pytest.fixture
def file(tmp_path):
    return tmp_path / "looks.bin"


def filled(file, counts=range(10), size=100):
    album = Album(file)
    for count in counts:
        album.add(count, bytes([count % 256]) * size)
    return album


def test_looks_are_found_again_by_who_opens_the_file_later(file):
    filled(file)
    again = Album(file)
    assert (again.counts, again.damage) == (tuple(range(10)), "")
    assert again.look(7) == bytes([7]) * 100
    assert again.look(70) is None
    again.add(10, b"new")
    assert Album(file).look(10) == b"new"


def test_a_look_at_an_earlier_update_takes_the_place_of_the_later_ones(file):
    album = filled(file)
    album.add(4, b"again")
    assert album.counts == Album(file).counts == (0, 1, 2, 3, 4)
    assert Album(file).look(4) == b"again"
    album.add(0, b"first")
    assert Album(file).counts == (0,)


@pytest.mark.parametrize(("largest", "most"), [(10_000, 400), (20_000_000, 50)], ids=["bytes", "looks"])
def test_a_full_album_keeps_the_first_and_every_second_look_and_takes_half_as_many(file, monkeypatch, largest, most):
    monkeypatch.setattr(album_module, "LARGEST", largest)
    monkeypatch.setattr(album_module, "MOST", most)
    album, moment, due = Album(file), 0.0, 0.0
    for count in range(3000):  # an update each tenth of a second
        if moment >= due:
            album.add(count, b"x" * 200)
            due = moment + album.every
        moment += 0.1
    counts, again = album.counts, Album(file)
    assert counts[0] == 0
    assert counts[-1] > 2900
    assert 15 < len(counts) <= 50
    gaps = {later - earlier for earlier, later in pairwise(counts)}
    assert max(gaps) <= 2 * min(gaps) + 2
    assert file.stat().st_size <= largest
    assert (again.counts, again.every) == (counts, album.every)
    assert album.every > EVERY


def test_nothing_is_kept_of_a_run_that_is_not_on_disk(tmp_path):
    album = Album(tmp_path / "deleted" / "looks.bin")
    album.add(1, b"look")
    assert (album.counts, album.damage) == ((), "")
    assert not (tmp_path / "deleted").exists()


def test_a_look_that_is_too_large_is_not_kept(file, monkeypatch):
    monkeypatch.setattr(album_module, "LARGEST_LOOK", 1000)
    album = filled(file)
    album.add(20, b"x" * 1001)
    assert album.counts[-1] == 9


def test_a_file_that_ends_too_early_loses_the_last_looks_and_says_so(file):
    filled(file)
    file.write_bytes(file.read_bytes()[:-30])
    album = Album(file)
    assert album.counts == tuple(range(9))
    assert album.damage == "looks.bin is damaged: the looks at this training after update 8 are lost."
    album.add(12, b"next")
    assert Album(file).counts == (*range(9), 12)
    assert Album(file).damage == ""


@pytest.mark.parametrize(
    "content",
    [b"", b"GIF89a", MAGIC, MAGIC + b"\xff" * 4, MAGIC + bytes(4) + b"\xff" * 40, b"\x00" * 22_000_100],
    ids=["empty", "another kind", "too short", "thinned too often", "impossible lengths", "too large"],
)
def test_a_file_that_is_no_album_is_said_and_written_anew(file, content):
    file.write_bytes(content)
    album = Album(file)
    assert album.counts == ()
    assert album.damage.startswith("looks.bin is damaged, so that")
    album.add(3, b"new")
    assert (Album(file).counts, Album(file).damage) == ((3,), "")


def test_what_is_no_file_is_not_opened(file):
    os.mkfifo(file)  # to open it would be to wait for ever
    album = Album(file)
    assert "damaged" in album.damage
    album.add(1, b"look")
    assert Album(file).counts == (1,)


def test_looks_that_fall_back_or_were_changed_end_what_is_believed(file):
    filled(file, range(5))
    content = bytearray(file.read_bytes())
    content[-150] ^= 1  # in the fourth
    file.write_bytes(content)
    assert Album(file).counts == (0, 1, 2)


def test_a_look_that_is_changed_while_it_is_kept_is_not_shown(file):
    album = filled(file)
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    assert album.look(9) is None
    assert album.look(8) is not None


def test_a_full_disk_costs_a_look_and_no_more(file, monkeypatch):
    album = filled(file)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(album_module, "_put", full)
    with pytest.raises(OSError, match="No space"):
        album.add(10, b"lost")
    monkeypatch.undo()
    assert album.counts == tuple(range(10))
    album.add(11, b"kept")
    assert Album(file).counts == (*range(10), 11)


def test_a_look_that_a_full_disk_cuts_off_is_no_damage(file, monkeypatch):
    album = filled(file)

    def cut_off(stream, look, found) -> None:
        stream.write(found[:5])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(album_module, "_put", cut_off)
        with pytest.raises(OSError, match="No space left"):
            album.add(10, b"more" * 10)
    assert (album.counts, album.damage) == (tuple(range(10)), "")
    assert (Album(file).counts, Album(file).damage) == (tuple(range(10)), "")
    album.add(10, b"new")
    assert Album(file).look(10) == b"new"
