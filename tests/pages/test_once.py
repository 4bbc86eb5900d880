"""A result that many ask for together is made once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from pages.common.once import once
from pages.lessons import tables
from pages.lessons.catalogue import LESSONS
from pages.lessons.tables import LadderScene

MANY = 40


def test_what_many_ask_for_at_once_is_made_once():
    together, made = Barrier(MANY), []

    @once(2)
    def work(number: int) -> object:
        made.append(number)
        Event().wait(0.05)  # long enough for all to have come
        return object()

    def ask(_: int) -> object:
        together.wait()
        return work(7)

    with ThreadPoolExecutor(MANY) as students:
        assert len(set(students.map(ask, range(MANY)))) == 1
    assert made == [7]


def test_it_is_forgotten_when_others_were_asked_for_since():
    made = []

    @once(2)
    def work(number: int) -> None:
        made.append(number)

    for number in (1, 2, 1, 3, 1, 2):
        work(number)
    assert made == [1, 2, 3, 2]


def test_what_failed_is_tried_again():
    divisors = [0, 1]

    @once(2)
    def work() -> int:
        return 7 // divisors.pop(0)

    with pytest.raises(ZeroDivisionError):
        work()
    assert work() == work() == 7


def test_a_class_that_presses_run_trains_a_ladder_once(monkeypatch):
    ladder = next(step.scene for step in LESSONS["fvbm"].steps if isinstance(step.scene, LadderScene))
    trained, fitted = [], tables.run_fit
    monkeypatch.setattr(tables, "run_fit", lambda recipe: trained.append(recipe) or fitted(recipe))
    with ThreadPoolExecutor(MANY) as students:
        found = list(students.map(ladder.found, [4242] * MANY))  # a seed that no other test has asked for
    assert len(trained) == len(ladder.recipes)
    assert all(each is found[0] for each in found)
