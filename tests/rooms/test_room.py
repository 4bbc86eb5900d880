"""Rooms of a class: one answer a phone, and counts alone."""

import threading

import pytest

from pages.rooms import room as rooms
from pages.rooms.room import FEWEST, Asked, NotAllowed, Rooms
from pages.web.answers import Full
from pages.web.limiter import LIMITS, PHONES, Limit, Visitor

TEACHER = Visitor("visitor 0", "192.0.2.1")
QUESTION = Asked("Which?", ("this", "that", "neither"))


@pytest.fixture
def room():
    return Rooms().open(TEACHER)


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(rooms, "APART", 0.0)


def joined(room, phones):
    """Phones of different visitors at different addresses."""
    return [room.phone_of(room.join(Visitor(f"visitor {i}", f"192.0.2.{i}"))) for i in range(phones)]


def test_one_answer_a_phone_and_the_last_one_counts(room):
    room.ask(QUESTION)
    phones = joined(room, FEWEST)
    for phone in phones:
        room.answer(phone, 1, 0)
    room.answer(phones[0], 1, 2)
    assert (room.standing.phones, room.standing.answers) == (FEWEST, FEWEST)
    room.reveal()
    assert room.histograms() == [{"this": FEWEST - 1, "that": 0, "neither": 1}]


def test_a_phone_is_shown_its_own_answer_and_no_others(room):
    assert room.seen_by("") == {"round": 0}
    room.ask(QUESTION)
    mine, other = joined(room, 2)
    room.answer(other, 1, 1)
    seen = room.seen_by(mine)
    asked = {"round": 1, "text": "Which?", "options": QUESTION.options, "context": "", "closed": False}
    assert seen == asked | {"mine": None}
    room.answer(mine, 1, 2)
    assert room.seen_by(mine)["mine"] == 2


@pytest.mark.parametrize(
    ("number", "option", "sentence"),
    [(0, 0, "closed"), (2, 0, "closed"), (1, 3, "no such answer"), (1, -1, "no such answer")],
)
def test_what_is_no_answer_is_refused(room, number, option, sentence):
    room.ask(QUESTION)
    (phone,) = joined(room, 1)
    with pytest.raises(NotAllowed, match=sentence):
        room.answer(phone, number, option)
    assert room.standing.answers == 0


def test_nothing_is_taken_after_closing_nor_of_the_question_before(room):
    room.ask(QUESTION)
    (phone,) = joined(room, 1)
    room.close()
    with pytest.raises(NotAllowed, match="closed"):
        room.answer(phone, 1, 0)
    room.ask(QUESTION)
    with pytest.raises(NotAllowed, match="closed"):
        room.answer(phone, 1, 0)
    room.answer(phone, 2, 0)


def test_answers_that_come_too_fast_are_refused(room, monkeypatch):
    monkeypatch.setattr(rooms, "APART", 60.0)
    room.ask(QUESTION)
    (phone,) = joined(room, 1)
    room.answer(phone, 1, 0)
    with pytest.raises(Full, match="too fast"):
        room.answer(phone, 1, 1)
    assert room.seen_by(phone)["mine"] == 0


def test_a_histogram_comes_once_it_is_revealed_and_never_of_few(room):
    room.ask(QUESTION)
    phones = joined(room, FEWEST)
    for phone in phones[:-1]:
        room.answer(phone, 1, 0)
    with pytest.raises(NotAllowed, match=f"^{FEWEST - 1} have answered, and answers are shown from {FEWEST} on"):
        room.reveal()
    assert not room.standing.closed  # who asked for too few goes on
    assert room.histograms() == []
    room.answer(phones[-1], 1, 1)
    room.close()
    assert room.histograms() == []
    room.reveal()
    assert room.histograms() == [{"this": FEWEST - 1, "that": 1, "neither": 0}]


def test_a_closed_question_is_opened_again_with_its_answers_until_they_are_shown(room):
    room.ask(QUESTION)
    phones = joined(room, FEWEST)
    for phone in phones[:-1]:
        room.answer(phone, 1, 0)
    room.close()
    room.reopen()
    assert (room.standing.answers, room.standing.closed) == (FEWEST - 1, False)
    room.answer(phones[-1], 1, 2)
    room.reveal()
    with pytest.raises(NotAllowed, match="shown already"):
        room.reopen()
    assert room.standing.closed


def test_every_change_of_the_teacher_is_another_turn_and_answers_are_none(room):
    turns = [room.standing.turn]
    for change in (lambda: room.ask(QUESTION), room.close, room.reopen, lambda: room.show({"run": "x"})):
        change()
        turns.append(room.standing.turn)
    assert len(set(turns)) == len(turns)
    for phone in joined(room, FEWEST):
        room.answer(phone, 1, 0)
    room.show({"run": "x"})
    assert room.standing.turn == turns[-1]
    room.reveal()
    assert room.standing.turn != turns[-1]


def test_asked_again_both_times_are_shown_and_another_question_begins_anew(room):
    phones = joined(room, FEWEST)
    for number, option in ((1, 0), (2, 1)):
        room.ask(QUESTION)
        for phone in phones:
            room.answer(phone, number, option)
        if number == 2:
            assert len(room.histograms()) == 1
        room.reveal()
    assert [each["that"] for each in room.histograms()] == [0, FEWEST]
    room.ask(Asked("Another?", ("yes", "no")))
    assert room.histograms() == []


def test_tokens_are_those_of_one_room(room):
    token = room.join(TEACHER)
    assert room.phone_of(token)
    assert Rooms().open(TEACHER).phone_of(token) is None
    name, _, sign = token.partition(".")
    for other in ("", ".", name, f"{name}.", f"x.{sign}", f"{name}.{sign[:-1]}0é", token + "0"):
        assert room.phone_of(other) is None


def test_a_full_room_says_so_and_gives_the_place_of_who_left(room, monkeypatch):
    phones = joined(room, PHONES)
    room.ask(QUESTION)
    room.answer(phones[0], 1, 0)
    with pytest.raises(Full):
        room.join(TEACHER)
    monkeypatch.setattr(rooms, "UNSEEN", -1.0)
    assert room.phone_of(room.join(TEACHER))
    assert room.standing.phones == 2
    assert room.seen_by(phones[0])["mine"] == 0


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("", ("a", "b"), "1 to 300"),
        ("x" * 301, ("a", "b"), "301"),
        ("x", ("a",), "2 to 7 different answers, not 1"),
        ("x", ("a", "a"), "not 1"),
        ("x", tuple("abcdefgh"), "not 8"),
        ("x", ("a", "b" * 121), "1 to 120"),
    ],
)
def test_a_question_that_cannot_be_asked_says_why(text, options, sentence):
    with pytest.raises(NotAllowed, match=sentence):
        Asked(text, options)


def test_rooms_are_found_by_code_in_any_case_and_opened_by_their_key():
    open_ = Rooms()
    room = open_.open(TEACHER)
    assert open_.get(room.code.lower()) is room
    assert open_.of_teacher(room.code, room.key) is room
    for key in ("", "é", room.key[:-1], room.screen):
        assert open_.of_teacher(room.code, key) is None
    assert open_.of_screen(room.code, room.screen) is room
    for key in ("", "é", room.screen[:-1], room.key):
        assert open_.of_screen(room.code, key) is None
    open_.end(room)
    assert open_.get(room.code) is None
    assert open_.over(room.code.lower())
    assert not open_.over("NONE22")


def test_rooms_are_bounded_and_those_that_nobody_watches_make_place(monkeypatch):
    monkeypatch.setitem(LIMITS, "rooms", Limit("rooms", 1, 1, 2, 3))
    open_, others = Rooms(), [Visitor(f"visitor {i}", f"192.0.2.{1 + i // 3}") for i in range(5)]
    first, _ = open_.open(others[0]), open_.open(others[1])
    for by in (others[0], others[2]):  # a visitor's share, and that of the address
        with pytest.raises(Full):
            open_.open(by)
    assert open_.open(others[3])
    with pytest.raises(Full):
        open_.open(others[4])
    monkeypatch.setattr(rooms, "EMPTY", -1.0)
    open_.open(others[4])
    assert open_.get(first.code) is None


def test_the_visitor_with_most_rooms_makes_place_for_one_who_has_none(monkeypatch):
    monkeypatch.setitem(LIMITS, "rooms", Limit("rooms", 3, 3, 3, 9))
    open_, hostile = Rooms(), Visitor("visitor hostile", TEACHER.address)
    taken = [open_.open(hostile) for _ in range(3)]
    for room in taken:
        room.join(hostile)
    with pytest.raises(Full):
        open_.open(hostile)
    assert all(open_.get(room.code) for room in taken)
    mine = open_.open(TEACHER)
    assert [open_.get(room.code) is None for room in taken] == [True, False, False]
    with pytest.raises(Full):
        open_.open(hostile)
    assert open_.get(mine.code) is mine


def test_a_room_is_over_after_its_time(monkeypatch):
    open_ = Rooms()
    room = open_.open(TEACHER)
    monkeypatch.setattr(rooms, "LASTS", -1.0)
    assert room.over
    assert open_.get(room.code) is None
    assert open_.over(room.code)


def test_no_answer_is_lost_between_threads(room):
    room.ask(QUESTION)
    phones = joined(room, 60)

    def answering(some):
        for option in (0, 1, 2):
            for phone in some:
                room.answer(phone, 1, option)

    threads = [threading.Thread(target=answering, args=(phones[k::6],)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    room.reveal()
    assert room.histograms() == [{"this": 0, "that": 0, "neither": 60}]


def test_of_questions_before_the_last_only_counts_are_kept(room):
    room.ask(QUESTION)
    phones = joined(room, FEWEST)
    for phone in phones:
        room.answer(phone, 1, 1)
    room.reveal()
    room.ask(QUESTION)
    assert not room._rounds[0].given
    assert not any(phone in repr(room._rounds) for phone in phones)
    assert room.histograms() == [{"this": 0, "that": FEWEST, "neither": 0}]
