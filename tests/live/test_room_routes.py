"""The routes of a room: what phones may ask, and what they may not."""

import http.client
import json
import re
import socket
from threading import Thread
from urllib.parse import quote

import pytest

from pages.common.picture import Still
from pages.rooms import room as rooms
from pages.rooms import routes
from pages.rooms.registry import OPEN
from pages.rooms.rounds import FEWEST, Asked
from pages.rooms.routes import LARGEST, LARGEST_PICTURE
from pages.web.limiter import LIMITS, Limiter
from tests.live.conftest import VISITOR


@pytest.fixture
def room(monkeypatch):
    monkeypatch.setattr(rooms, "APART", 0.0)
    monkeypatch.setattr(routes, "LIMITER", Limiter(lambda: 0.0))  # no time passes
    made = OPEN.open(VISITOR)
    made.ask(Asked("Which <b>?", ("this", "that")))
    yield made
    OPEN.end(made)


@pytest.fixture
def call(port):
    """call(path, body, method, headers) -> (status, what it says)."""

    def called(path, body=None, method="POST", **headers):
        connection = http.client.HTTPConnection("localhost", port, timeout=100)
        named = {key.replace("_", "-"): text for key, text in headers.items()}
        connection.request(method, path, body if body is None or isinstance(body, bytes) else json.dumps(body), named)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, json.loads(text) if answer.headers.get_content_type() == "application/json" else text

    return called


def joined(call, room):
    status, found = call(f"/join/{room.code}/join")
    assert status == 200
    return found["token"]


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b'{"round": 1}',
        b'{"round": "1", "option": 0}',
        b'{"round": true, "option": 0}',
        b'{"round": 1, "option": 1e400}',
        b'{"round": 1, "option": null}',
        b"[" * LARGEST,
        b"\xff",
    ],
)
def test_what_is_no_answer_is_refused(call, room, body):
    token = joined(call, room)
    assert call(f"/join/{room.code}/answer", body, X_Token=token)[0] == 400
    assert room.standing.answers == 0


def test_an_answer_that_is_too_long_too_late_or_of_no_phone_is_refused(call, room):
    token, other = joined(call, room), OPEN.open(VISITOR)
    strange = joined(call, other)
    answer = {"round": 1, "option": 0}
    assert call(f"/join/{room.code}/answer", b" " * (LARGEST + 1), X_Token=token)[0] == 413
    for none in ("", "x", strange, token[:-1], "x" * 10_000):
        assert call(f"/join/{room.code}/answer", answer, X_Token=none)[0] == 401
        assert call(f"/join/{room.code}/seen", method="GET", X_Token=none)[0] == 401
    assert call(f"/join/{room.code}/answer", answer)[0] == 401
    room.close()
    assert call(f"/join/{room.code}/answer", answer, X_Token=token)[0] == 409
    assert room.standing.answers == 0
    OPEN.end(other)
    assert call(f"/join/{other.code}/join")[0] == 410


def test_a_page_that_shows_the_room_waits_for_what_the_teacher_does_in_a_picture(call, room):
    count = f"/join/{room.code}/count"
    before = call(count, method="GET", X_Key=room.screen)[1]
    waiting = Thread(target=room.keep_picture, args=("three", {"theta": [1]}))
    waiting.start()
    status, after = call(f"{count}?since={quote(before['since'])}", method="GET", X_Key=room.screen)
    waiting.join()
    assert (status, after["pictures"]) == (200, {"three": {"theta": [1]}})
    assert after["since"] != before["since"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"name": "three", "state": {"theta": [1]}}, 204),
        ({"name": 3, "state": 1}, 400),
        ({"name": "x" * 61, "state": 1}, 400),
        (b'{"name": "three", "state": NaN}', 400),
        (b"[" * 5_000, 400),
        (b" " * (LARGEST_PICTURE + 1), 413),
    ],
)
def test_only_the_teacher_draws_and_only_a_small_state(call, room, body, status):
    picture = f"/join/{room.code}/picture"
    token = joined(call, room)
    for key in ("", room.screen, token):
        assert call(picture, body, X_Key=key, X_Token=token)[0] == 404
    assert not room.pictures
    assert call(picture, body, X_Key=room.key)[0] == status
    assert bool(room.pictures) == (status == 204)


def test_only_phones_of_the_room_draw_and_read_its_pictures(call, room):
    token, other = joined(call, room), OPEN.open(VISITOR)
    room.ask(Asked("Draw", (), demonstration=True, draws=True))
    room.keep_stills(room.question, [Still("data:image/png;base64,AA", "<b>")])
    pattern, stills, bits = f"/join/{room.code}/pattern", f"/join/{room.code}/stills", {"bits": "f0" * 8}
    for none in ("", joined(call, other), room.key, room.screen):
        assert call(pattern, bits, X_Token=none)[0] == 401
        assert call(stills, method="GET", X_Token=none, X_Key=room.key)[0] == 401
    for body in (b"", b"[]", b'{"bits": 7}', b'{"bits": null}'):
        assert call(pattern, body, X_Token=token)[0] == 400
    assert call(pattern, {"bits": "f" * LARGEST}, X_Token=token)[0] == 413
    assert call(pattern, {"bits": "<script>"}, X_Token=token)[0] == 409
    status, seen = call(pattern, bits, X_Token=token)
    assert (status, seen["pattern"], seen["accepted"]) == (200, "f0" * 8, False)
    assert call(pattern, {"bits": "0f" * 8}, X_Token=token)[0] == 409  # the teacher has seen another one
    assert list(room.drawings.waiting.values()) == ["f0" * 8]
    assert not other.drawings.waiting
    assert call(stills, method="GET", X_Token=token) == (200, [["data:image/png;base64,AA", "<b>"]])
    OPEN.end(other)


def begun(port, room, token):
    """A connection on which an answer has begun and does not go on."""
    head = f"POST /join/{room.code}/answer HTTP/1.1\r\nHost: x\r\nX-Token: {token}\r\nContent-Length: 50\r\n\r\n"
    connection = socket.create_connection(("localhost", port), timeout=100)
    connection.sendall(head.encode() + b'{"round": 1,')
    return connection


def test_an_answer_that_never_ends_is_given_up_and_leaving_in_the_middle_is_no_error(
    call, port, room, monkeypatch, caplog
):
    leaver, waiter = joined(call, room), joined(call, room)
    begun(port, room, leaver).close()
    monkeypatch.setattr(routes, "PATIENCE", 0.2)
    with begun(port, room, waiter) as connection:
        assert b" 408 " in connection.recv(100)
    assert room.standing.answers == 0
    assert not [each for each in caplog.records if each.exc_info]


def test_counts_are_for_the_teacher_and_no_route_says_how_answers_are_spread(call, room):
    tokens = [joined(call, room) for _ in range(FEWEST)]
    for token in tokens:
        _, before = call(f"/join/{room.code}/answer", {"round": 1, "option": 1}, X_Token=token)
    room.reveal()
    count = f"/join/{room.code}/count"
    status, found = call(count, method="GET", X_Key=room.key)
    assert (status, found["answers"], found["phones"]) == (200, FEWEST, FEWEST)
    known = {"phones", "round", "answers", "closed", "revealed", "demonstration", "turn", "since", "pictures"}
    known |= {"over", "votes", "explained", "seconds", "final"}
    assert set(found) == known
    for key in ("", "x", room.key[:-1], tokens[0]):
        assert call(count, method="GET", X_Key=key)[0] == 404
    assert set(call(f"/join/{room.code}/seen", method="GET", X_Token=tokens[0])[1]) == set(before)


def test_another_site_reaches_nothing(call, room):
    token = joined(call, room)
    strange = {"Sec_Fetch_Site": "cross-site", "X_Token": token}
    assert call(f"/join/{room.code}/join", **strange)[0] == 403
    assert call(f"/join/{room.code}/seen", method="GET", **strange)[0] == 403
    assert call(f"/join/{room.code}/answer", {"round": 1, "option": 0}, **strange)[0] == 403
    assert call(f"/join/{room.code}/count", method="GET", Sec_Fetch_Site="same-site", X_Key=room.key)[0] == 403
    assert room.standing.answers == 0


def test_codes_are_guessed_so_often_and_phones_that_have_joined_go_on(call, ask, room):
    token, most, before = joined(call, room), LIMITS["joins"].address, OPEN.open(VISITOR)
    assert most > 100  # a class joins from one address within a minute
    assert call(f"/join/{room.code}/join", method="GET")[0] == 405
    OPEN.end(before)
    assert {call(f"/join/{before.code}/seen", method="GET")[0] for _ in range(most)} == {410}  # of all its phones
    found = [call(f"/join/AAA{i:03}/seen", method="GET")[0] for i in range(most)]
    assert found == [404] * (most - 1) + [429]
    assert call(f"/join/{room.code}/join")[0] == 429  # else a guess would be answered
    assert int(ask(f"/join/{room.code}/seen").headers["retry-after"]) >= 1
    assert call(f"/join/{room.code}/seen", method="GET", X_Token=token)[0] == 200
    status, seen = call(f"/join/{room.code.lower()}/answer", {"round": 1, "option": 1}, X_Token=token)
    assert (status, seen["mine"], room.standing.answers) == (200, 1, 1)
    assert call(f"/join/{room.code}/count", method="GET", X_Key=room.key)[0] == 200


def test_the_page_of_a_phone_lets_nothing_else_in(ask):
    page = ask("/join/ABCDE")
    text = page.text()
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"\bsrc=|href=|innerHTML", text)
