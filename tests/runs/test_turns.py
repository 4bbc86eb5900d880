"""Admission and turns are first come, first served."""

from boltzcore.runs.turns import Turns


class Someone:
    def __init__(self) -> None:
        self.calls = 0

    def moved(self) -> None:
        self.calls += 1


def test_so_many_are_admitted_and_the_others_have_their_places():
    turns, people = Turns(slots=1, admitted=2), [Someone() for _ in range(5)]
    for someone in people:
        turns.enter(someone)
        turns.enter(someone)
    assert [turns.admits(someone) for someone in people] == [True, True, False, False, False]
    assert [turns.place(someone) for someone in people] == [0, 0, 1, 2, 3]
    turns.leave(people[3])
    turns.leave(people[0])
    assert [turns.place(someone) for someone in people] == [0, 0, 0, 0, 1]
    assert turns.admits(people[2])
    assert people[4].calls == 3  # its place was given, and changed twice


def test_the_admitted_take_turns_in_order():
    turns, people = Turns(slots=1, admitted=3), [Someone() for _ in range(3)]
    for someone in people:
        turns.enter(someone)
    assert [turns.ask(someone) for someone in people] == [True, False, False]
    seen = []
    for _ in range(6):
        at_work = next(someone for someone in people if turns.ask(someone))
        seen.append(people.index(at_work))
        turns.pass_on(at_work)
        turns.ask(at_work)
    assert seen == [0, 1, 2, 0, 1, 2]


def test_a_turn_goes_on_where_nobody_is_ready():
    turns, someone = Turns(slots=1, admitted=1), Someone()
    turns.enter(someone)
    assert turns.ask(someone)
    turns.pass_on(someone)
    assert turns.ask(someone)


def test_who_leaves_gives_the_slot_back():
    turns, people = Turns(slots=2, admitted=3), [Someone() for _ in range(3)]
    for someone in people:
        turns.enter(someone)
    assert [turns.ask(someone) for someone in people] == [True, True, False]
    turns.leave(people[0])
    assert turns.ask(people[2])
    assert not turns.ask(people[0])  # not admitted any more


def test_who_no_longer_wishes_for_a_turn_is_passed_over():
    turns, people = Turns(slots=1, admitted=3), [Someone() for _ in range(3)]
    for someone in people:
        turns.enter(someone)
        turns.ask(someone)
    turns.release(people[1])
    turns.leave(people[0])
    assert turns.ask(people[2])
