"""Rooms of a class: one answer a phone, and counts alone."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from boltzcore.data.drawn import MOST_PATTERNS
from pages.common.picture import Still
from pages.rooms import room as rooms
from pages.rooms.registry import Rooms
from pages.rooms.rounds import FEWEST, Asked, NotAllowed
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


def test_one_answer_a_phone_and_the_last_one_counts_and_no_phone_is_shown_another_s(room):
    assert room.seen_by("") == {"round": 0}
    room.ask(QUESTION)
    phones = joined(room, FEWEST)
    for phone in phones[1:]:
        room.answer(phone, 1, 0)
    asked = {"round": 1, "text": "Which?", "options": QUESTION.options, "context": "", "closed": False}
    assert room.seen_by(phones[0]) == asked | {"mine": None, "right": None, "discuss": False, "stills": ""}
    room.answer(phones[0], 1, 0)
    room.answer(phones[0], 1, 2)
    assert room.seen_by(phones[0])["mine"] == 2
    assert (room.standing.phones, room.standing.answers) == (FEWEST, FEWEST)
    room.reveal()
    assert room.histograms() == [{"this": FEWEST - 1, "that": 0, "neither": 1}]
    room.ask(Asked("Another?", ("yes", "no")))  # of the question before, counts alone are kept
    assert room.review(QUESTION, 0)
    assert {room.seen_by(phone)["mine"] for phone in phones} == {None}


def test_an_answer_to_another_question_or_after_closing_or_out_of_range_is_refused(room):
    room.ask(QUESTION)
    (phone,) = joined(room, 1)
    for number, option in ((0, 0), (2, 0), (1, 3), (1, -1)):
        with pytest.raises(NotAllowed):
            room.answer(phone, number, option)
    room.close()
    with pytest.raises(NotAllowed, match="closed"):
        room.answer(phone, 1, 0)
    assert room.standing.answers == 0
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


def test_a_histogram_is_shown_once_revealed_never_of_few_and_then_the_question_stays_closed(room):
    room.ask(QUESTION)
    phones = joined(room, FEWEST)
    for phone in phones[:-1]:
        room.answer(phone, 1, 0)
    with pytest.raises(NotAllowed, match=f"^{FEWEST - 1} answered"):
        room.reveal()
    assert not room.standing.closed  # the question to too few goes on
    room.close()
    room.reopen()
    assert (room.standing.answers, room.standing.closed) == (FEWEST - 1, False)
    room.answer(phones[-1], 1, 1)
    room.close()
    assert room.histograms() == []
    room.reveal()
    assert room.histograms() == [{"this": FEWEST - 1, "that": 1, "neither": 0}]
    with pytest.raises(NotAllowed):
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


def test_tokens_are_those_of_one_room(room):
    token = room.join(TEACHER)
    assert room.phone_of(token)
    assert Rooms().open(TEACHER).phone_of(token) is None
    name, _, sign = token.partition(".")
    for other in ("", ".", name, f"{name}.", f"x.{sign}", f"{name}.{sign[:-1]}0é", token + "0"):
        assert room.phone_of(other) is None


def test_a_full_room_says_so_and_gives_away_the_place_of_one_that_left(room, monkeypatch):
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
    ("text", "options"),
    [
        *(("", ("a", "b")), ("x" * 301, ("a", "b"))),
        *(("x", ("a",)), ("x", ("a", "a")), ("x", tuple("abcdefgh")), ("x", ("a", "b" * 121))),
    ],
)
def test_a_question_of_another_size_is_refused(text, options):
    with pytest.raises(NotAllowed):
        Asked(text, options)


def test_rooms_are_found_by_code_in_any_case_and_opened_by_their_key_until_they_are_over(monkeypatch):
    open_ = Rooms()
    room = open_.open(TEACHER)
    for typed in (room.code.lower(), f" {room.code[:3]} {room.code[3:]}", f"{room.code[:3]}-\u2013{room.code[3:]}"):
        assert open_.get(typed) is room
    assert open_.of_teacher(room.code, room.key) is room
    assert open_.of_screen(room.code, room.screen) is room
    for key in ("", "é", room.key[:-1], room.screen[:-1]):
        assert open_.of_teacher(room.code, key) is open_.of_screen(room.code, key) is None
    assert open_.of_teacher(room.code, room.screen) is open_.of_screen(room.code, room.key) is None
    open_.end(room)
    assert open_.get(room.code) is None
    assert open_.over(room.code.lower())
    assert not open_.over("NONE22")
    later = open_.open(TEACHER)
    monkeypatch.setattr(rooms, "LASTS", -1.0)
    assert later.over
    assert open_.get(later.code) is None


def test_rooms_are_bounded_and_those_without_viewers_make_place(monkeypatch):
    monkeypatch.setitem(LIMITS, "rooms", Limit("rooms", 1, 1, 2, 3))
    open_, others = Rooms(), [Visitor(f"visitor {i}", f"192.0.2.{1 + i // 3}") for i in range(5)]
    first, other = open_.open(others[0]), open_.open(others[1])
    for by in (others[0], others[2]):  # a visitor's share, and that of the address
        with pytest.raises(Full):
            open_.open(by)
    assert open_.open(others[3])
    with pytest.raises(Full):
        open_.open(others[4])
    monkeypatch.setattr(rooms, "EMPTY", -1.0)
    own = open_.open(others[0])
    assert (open_.get(first.code), open_.get(other.code)) == (None, other)  # a full share ends no room of others
    open_.open(others[4])
    assert open_.get(other.code) is open_.get(own.code) is None


def test_the_visitor_with_most_rooms_makes_place_for_one_without_rooms(monkeypatch):
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


def test_no_answer_is_lost_between_threads(room):
    room.ask(QUESTION)
    phones = joined(room, 60)

    def answering(some):
        for option in (0, 1, 2):
            for phone in some:
                room.answer(phone, 1, option)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(answering, [phones[k::6] for k in range(6)]))
    room.reveal()
    assert room.histograms() == [{"this": 0, "that": 0, "neither": 60}]


def test_pictures_are_kept_for_a_question_and_change_the_state_of_the_room(room):
    room.ask(QUESTION)
    before = room.state
    room.keep_picture("three", {"theta": [1.0]})
    assert room.pictures == {"three": {"theta": [1.0]}}
    assert room.state != before
    for number in range(rooms.PICTURES - 1):
        room.keep_picture(f"another {number}", None)
    with pytest.raises(NotAllowed):
        room.keep_picture("one too many", None)
    room.ask(QUESTION)
    assert room.pictures == {}


def test_an_earlier_question_is_shown_with_its_answers_and_takes_no_more(room, monkeypatch):
    now = [room.opened]
    monkeypatch.setattr(rooms.time, "monotonic", lambda: now[0])
    other, phones = Asked("Another?", ("yes", "no")), joined(room, FEWEST)
    room.ask(QUESTION, 0)
    for phone in phones:
        room.answer(phone, 1, 2)
    now[0] += 90
    room.ask(other, 1)
    room.answer(phones[0], 2, 0)
    now[0] += 30
    assert not room.review(Asked("Never asked?", ("yes", "no")), 2)
    assert room.review(QUESTION, 0)
    standing = room.standing
    assert (standing.round, standing.answers, standing.over, standing.votes, room.place) == (1, FEWEST, True, 1, 0)
    for number in (1, 2):
        with pytest.raises(NotAllowed):
            room.answer(phones[1], number, 0)
    assert room.seen_by(phones[0])["mine"] == 2
    room.reopen()
    room.answer(phones[0], 1, 2)
    assert (room.standing.answers, room.standing.over, room.results()) == (FEWEST, False, [])
    assert room.review(other, 1)
    assert room.review(QUESTION, 0)
    assert [each.counts for each in room.results(final=True)] == [[(0, 0, FEWEST)]]
    with pytest.raises(NotAllowed):  # its counts are known
        room.reopen()
    assert {room.seen_by(phone)["mine"] for phone in phones} == {None}
    room.reveal()
    assert room.histograms() == [{"this": 0, "that": 0, "neither": FEWEST}]
    now[0] += 10
    assert [room.seconds(each) for each in (QUESTION, other)] == pytest.approx([100, 30])
    room.ask(QUESTION)
    assert (room.standing.round, room.standing.votes, len(room.histograms())) == (3, 2, 1)
    assert [(each.asked.text, each.counts) for each in room.results()] == [(QUESTION.text, [(0, 0, FEWEST)])]


def test_a_class_discusses_between_its_first_answers_and_the_next_vote_or_the_right_answer(room):
    phones, stages = joined(room, FEWEST), []
    for number in (1, 2):
        room.ask(QUESTION)
        stages.append(room.standing.stage)
        for phone in phones:
            room.answer(phone, number, number - 1)
        for act in (room.close, room.reveal):
            act()
            stages.append(room.standing.stage)
        assert room.seen_by(phones[0])["discuss"] == room.standing.discusses == (number == 1)
    room.explain("this")
    assert [*stages, room.standing.stage] == [*range(7)]
    assert [each["that"] for each in room.histograms()] == [0, FEWEST]
    room.ask(Asked("Another?", ("yes", "no")))
    assert room.histograms() == []


def test_phones_draw_while_the_class_draws_once_until_the_teacher_refuses_and_up_to_a_number(room):
    phones, drawing = joined(room, MOST_PATTERNS + 1), Asked("Draw", (), demonstration=True, draws=True)
    room.ask(QUESTION)
    with pytest.raises(NotAllowed):
        room.put_drawing(phones[0], "f" * 16)
    room.ask(drawing)
    for bits in ("", "0" * 16, "f" * 15, "F" * 16, "f" * 17, "<b>" + "f" * 13):
        with pytest.raises(NotAllowed):
            room.put_drawing(phones[0], bits)
    for number, phone in enumerate(phones, 1):
        turn = room.standing.turn
        room.put_drawing(phone, f"{number:016x}")
        assert room.standing.turn != turn
    with pytest.raises(NotAllowed):
        room.put_drawing(phones[0], "f" * 16)
    for phone in phones[:-1]:
        room.drawings.accept(phone)
    with pytest.raises(NotAllowed):
        room.drawings.accept(phones[-1])
    assert room.drawings.accepted[0] == f"{1:016x}"
    assert list(room.drawings.waiting) == phones[-1:]
    assert [room.seen_by(phone)["accepted"] for phone in (phones[0], phones[-1])] == [True, False]
    room.drawings.refuse(phones[-1])
    room.drawings.remove_last()
    assert len(room.drawings.accepted) == MOST_PATTERNS - 1
    room.put_drawing(phones[-1], "f" * 16)
    with pytest.raises(NotAllowed):
        room.put_drawing("a phone of another room", "f" * 16)
    room.close()
    with pytest.raises(NotAllowed):
        room.put_drawing(phones[-2], "f" * 16)


def test_phones_show_a_few_small_pictures_of_the_question_that_is_asked(room):
    room.ask(QUESTION)
    (phone,) = joined(room, 1)
    small, large = Still("data:image/png;base64,AA", "small"), Still("x" * rooms.LARGEST_STILLS, "large")
    room.keep_stills(Asked("Another?", ("yes", "no")), [small])
    assert not room.stills
    room.keep_stills(QUESTION, [small, large, small, small, small])
    assert room.stills == (small,) * 2
    assert room.seen_by(phone)["stills"]
    room.ask(QUESTION)
    assert not room.stills
    assert not room.seen_by(phone)["stills"]


def test_a_right_answer_is_shown_of_a_closed_question_alone_and_gone_with_the_next(room):
    room.ask(QUESTION)
    room.explain("that")
    assert room.explained is None
    room.close()
    room.explain("that")
    assert room.explained == "that"
    room.reopen()
    assert room.standing.stage == 0  # the class votes again
    for again in (room.close, lambda: room.explain("that"), lambda: room.ask(QUESTION)):
        again()
    assert room.explained is None
