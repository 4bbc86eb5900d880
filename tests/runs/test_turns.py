"""Admission and turns are first come, first served."""

from boltzcore.jobs.turns import USUAL, Turns


class Someone:
    def __init__(self) -> None:
        self.calls, self.needs = 0, USUAL

    def moved(self) -> None:
        self.calls += 1


def entered(turns: Turns, n: int) -> list[Someone]:
    """`n` that have entered."""
    people = [Someone() for _ in range(n)]
    for someone in people:
        turns.enter(someone)
    return people


def test_the_admitted_take_turns_in_order():
    people = entered(turns := Turns(slots=1, admitted=3), 3)
    assert [turns.ask(someone) for someone in people] == [True, False, False]
    seen = []
    for _ in range(6):
        at_work = next(someone for someone in people if turns.ask(someone))
        seen.append(people.index(at_work))
        turns.pass_on(at_work)
        turns.ask(at_work)
    assert seen == [0, 1, 2, 0, 1, 2]


def test_leaving_gives_the_slot_back_and_one_that_wishes_for_no_turn_is_passed_over():
    people = entered(turns := Turns(slots=1, admitted=4), 4)
    turns.ask(people[0])
    turns.pass_on(people[0])
    assert [turns.ask(someone) for someone in people] == [True, False, False, False]  # no other was ready
    turns.release(people[1])
    turns.leave(people[0])
    assert turns.ask(people[2])
    assert not turns.ask(people[0])  # not admitted any more


def test_the_more_take_turns_the_shorter_is_a_turn():
    turns, people = Turns(slots=1, admitted=50), [Someone() for _ in range(50)]
    slices, crowds = [], []
    for someone in people:
        turns.enter(someone)
        turns.ask(someone)
        slices.append(turns.slice)
        crowds.append(turns.is_crowded)
    assert slices == sorted(slices, reverse=True)
    assert slices[0] > 4 * slices[-1]
    assert crowds.index(True) == 7
    for someone in people[:45]:
        turns.leave(someone)
    assert turns.is_crowded  # until they are clearly fewer: a training begins anew where this changes
    turns.leave(people[45])
    assert not turns.is_crowded


def test_one_that_waits_may_ask_for_room_and_disturbs_no_other_where_there_is_none():
    room = [False]
    people = entered(turns := Turns(slots=1, admitted=1, room=lambda _: room[0]), 3)
    calls = [someone.calls for someone in people]
    turns.enter(people[1])
    assert [someone.calls for someone in people] == calls
    room[0] = True
    turns.enter(people[2])
    assert all(turns.admits(someone) for someone in people)
