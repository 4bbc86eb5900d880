"""Counts for the operator of a server, and nothing of any visitor."""

import errno
import json
from unittest.mock import Mock

from pages.common import lab
from pages.rooms.registry import OPEN
from tests.live.conftest import VISITOR, until


def counts(ask):
    answer = ask("/health")
    assert answer.status == 200
    return json.loads(answer.text())


def test_health_counts_trainings_streams_rooms_and_memory(ask, run):
    assert ask("/health", sec_fetch_site="cross-site").status == 403
    until(lambda: not counts(ask)["streams"])  # of tests before
    before = counts(ask)
    assert run.id not in json.dumps(before)
    assert all(isinstance(value, int) for name, value in before.items() if name != "preparing")
    assert 0 < before["memory"] < before["memory_allowed"] * 2
    room = OPEN.open(VISITOR)
    room.join(VISITOR)
    stream = ask(f"/live/{run.id}/stream")
    stream.frame()
    run.play()
    try:
        until(lambda: run.snapshot.status == "running")
        watched, now = room.watched, counts(ask)
        assert room.watched == watched  # it counts for no teacher
        for name in ("rooms", "phones", "streams"):
            assert now[name] == before[name] + 1, name
    finally:
        run.pause()
        OPEN.end(room)
    until(lambda: counts(ask)["running"] < now["running"])
    assert (counts(ask)["rooms"], counts(ask)["phones"]) == (before["rooms"], before["phones"])


def test_a_disk_that_fails_is_a_sentence_and_a_line_in_the_log(ask, monkeypatch, caplog):
    monkeypatch.setattr(lab, "engine", Mock(side_effect=OSError(errno.ELOOP, "Links in a circle", "/secret/runs")))
    answer = ask("/health")
    assert answer.status == 503
    assert "secret" not in answer.text()
    (line,) = caplog.records
    assert not line.exc_info
