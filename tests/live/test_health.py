"""What an operator is told of a server: counts, and nothing of anybody."""

import errno
import json
import logging

import pytest

from pages.common import lab
from pages.rooms.room import OPEN
from pages.web.log import OURS, open_log
from tests.live.conftest import SOMEBODY, until


def counts(ask):
    answer = ask("/health")
    assert answer.status == 200
    return json.loads(answer.text())


def test_health_counts_trainings_streams_rooms_and_memory(ask, run):
    before = counts(ask)
    assert 0 < before["memory"] < before["memory_allowed"] * 2
    room = OPEN.open(SOMEBODY)
    room.join(SOMEBODY)
    stream = ask(f"/live/{run.id}/stream")
    stream.frame()
    run.play()
    try:
        until(lambda: run.snapshot.status == "running")
        now = counts(ask)
        for name in ("rooms", "phones", "streams"):
            assert now[name] == before[name] + 1, name
    finally:
        run.pause()
        OPEN.end(room)
    until(lambda: counts(ask)["running"] == now["running"] - 1)
    assert (counts(ask)["rooms"], counts(ask)["phones"]) == (before["rooms"], before["phones"])


def test_a_disk_that_fails_is_a_sentence_and_a_line_in_the_log(ask, monkeypatch, caplog):
    def looped():
        raise OSError(errno.ELOOP, "Too many levels of symbolic links", "/secret/runs")

    monkeypatch.setattr(lab, "engine", looped)
    answer = ask("/health")
    assert answer.status == 503
    assert "symbolic links" in (told := answer.text())
    assert "secret" not in told
    (line,) = caplog.records
    assert not line.exc_info


def test_health_holds_numbers_and_says_nothing_of_anybody(ask, run):
    found = counts(ask)
    assert run.id not in json.dumps(found)
    assert all(isinstance(value, int) for name, value in found.items() if name != "preparing")
    assert found["preparing"] == ""


def test_a_look_at_health_counts_for_no_teacher(ask, monkeypatch):
    room = OPEN.open(SOMEBODY)
    watched = room.watched
    counts(ask)
    assert room.watched == watched
    OPEN.end(room)


def test_another_site_is_told_nothing(ask):
    assert ask("/health", sec_fetch_site="cross-site").status == 403


@pytest.fixture
def loggers():
    found = [logging.getLogger(name) for name in OURS]
    before = [(each.handlers[:], each.level) for each in found]
    yield found
    for each, (handlers, level) in zip(found, before, strict=True):
        each.handlers[:], each.level = handlers, level


def test_the_log_has_a_line_with_its_time_once(loggers, capsys):
    open_log()
    open_log()
    loggers[0].getChild("runs.turns").info("%s waits.", "The training 1")
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert said[0].endswith(" INFO The training 1 waits.")
