"""The page Class: a room is opened, a question asked, closed, shown, and asked again."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import pytest
from streamlit.testing.v1 import AppTest

from boltzcore import Comparison, Recipe
from boltzcore.data import upload
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.runs.comparison import MOST_CONTENDERS
from boltzcore.runs.schedule import Schedule
from pages.common import lab
from pages.lessons.catalogue import LESSONS
from pages.lessons.scenes import RUN
from pages.rooms import room as rooms
from pages.rooms.questions import DRAW, OWN, RACE, WHO
from pages.rooms.room import FEWEST, OPEN
from pages.web.limiter import Visitor
from tests.pages.train import at, current, press, said, settle

PAGE = Path(__file__).resolve().parents[2] / "pages" / "classroom.py"
RECIPE = Recipe(RBMSetup(hidden=3), "bars-and-stripes", CD(0.1, 0), Schedule(length=30, unit="updates", every=10))
STEP = LESSONS["rbm"].steps[2]


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(rooms, "APART", 0.0)


def page(**query: str) -> AppTest:
    test = AppTest.from_file(str(PAGE), default_timeout=60)
    for key, text in query.items():
        test.query_params[key] = text
    return test.run()


def opened(**query: str) -> AppTest:
    return press(page(**query), "Open a room")


def room_of(test: AppTest) -> rooms.Room:
    found = OPEN.of_teacher(at(test)["room"], at(test)["teacher"])
    assert found is not None
    return found


def labels(test: AppTest) -> list[str]:
    return [each.label for each in test.button]


def button(test: AppTest, label: str):
    return next(each for each in test.button if each.label == label)


def screen_of(room: rooms.Room) -> AppTest:
    return page(room=room.code, screen=room.screen)


def html(test: AppTest) -> str:
    return "".join(each.proto.body for each in test.get("html"))


def answer(room: rooms.Room, options: list[int]) -> None:
    for option in options:
        room.answer(room.phone_of(room.join(Visitor("visitor 0", "192.0.2.1"))), room.standing.round, option)


def test_a_question_of_a_lesson_is_asked_closed_shown_and_asked_again():
    test = opened(lesson="rbm", step="3")
    room = room_of(test)
    press(test, "Ask")
    assert room.question.text == STEP.predict.ask
    assert room.question.options == STEP.predict.options
    assert test.header[0].value == STEP.predict.ask
    assert RUN not in labels(test)
    answer(room, [1] * FEWEST)
    press(test, "Close")
    assert room.standing.closed
    assert RUN in labels(test)
    press(test, "Show the answers")
    assert room.histograms() == [dict(zip(STEP.predict.options, (0, FEWEST, 0), strict=True))]
    press(test, "Ask again")
    assert (room.standing.round, room.standing.closed) == (2, False)
    assert not test.exception


def test_few_answers_are_not_shown_and_the_question_can_be_opened_again():
    test = press(opened(lesson="rbm"), "Ask")
    room = room_of(test)
    answer(room, [1] * 4)  # of so few one could guess whose they are
    assert button(test, "Show the answers").disabled  # while it is open
    press(test, "Close")
    press(test, "Show the answers")
    assert not room.standing.revealed
    press(test, "Reopen")
    assert (room.standing.answers, room.standing.closed) == (4, False)
    answer(room, [1])
    press(press(test, "Close"), "Show the answers")
    assert "Reopen" not in labels(test)


def test_who_will_win_a_race_is_asked():
    test = opened(question="shifting-bar")
    press(test, "Ask")
    asked = room_of(test).question
    assert asked.options[-1] == DRAW
    assert "S-DCP: Stochastic DC programming" in asked.options
    assert "Shifting Bar" in asked.context  # what the data are
    press(test, "Close")
    assert RUN in labels(test)


def at_address(test: AppTest, address: str) -> AppTest:
    return test.text_input(key="address asked").set_value(address).run()


def test_who_will_win_another_race_is_asked_by_its_address():
    test, other = opened(question="shifting-bar"), Comparison(RECIPE, {"slow": {}, "fast": {"CD.rate": 0.5}})
    at_address(test, f"http://here/compare?{urlencode(other.to_query())}")
    press(test, "Ask")
    asked = room_of(test).question
    assert (asked.text, asked.options) == (WHO, ("slow", "fast", DRAW))
    press(press(test, "Close"), RUN)
    assert not test.exception
    assert "race" in test.run().query_params
    assert not test.exception
    at_address(test, "http://here/compare?preset=shifting-bar")
    assert not test.exception
    race = lab.engine().races.create(other)
    press(at_address(test, f"http://here/compare?race={race.id}"), "Ask")
    assert room_of(test).question.options == asked.options
    lab.engine().races.delete(race)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("http://[", "no race at this address"),
        ("x", "no race at this address"),
        ("?race=0000000000000000", "no race at this address"),
        ("?model=rbm&contender.1=x", "must"),
        ("/compare?" + urlencode({"data": "upload", "contender.1": "a"}), "must"),
    ],
)
def test_an_address_without_a_race_is_refused(address, sentence):
    test = at_address(opened(question="shifting-bar"), address)
    assert sentence in said(test)
    assert button(test, "Ask").disabled
    assert not test.exception


def test_a_race_on_a_table_of_somebody_s_own_is_not_for_a_class():
    private = Comparison(
        replace(RECIPE, data=upload(b"Salary,b\n" + b"low,0\nhigh,1\nlow,1\n" * 20)), {"a": {}, "b": {"CD.rate": 0.5}}
    )
    race = lab.engine().races.create(private)
    for query in (private.to_query(), {"race": race.id}):
        test = at_address(opened(question="shifting-bar"), f"/compare?{urlencode(query)}")
        assert "only you can see it: a class cannot" in said(test)
        assert button(test, "Ask").disabled
    lab.engine().races.delete(race)


def test_a_question_of_ones_own_is_asked_and_nothing_runs():
    test = opened()
    test.button_group(key="kind").set_value(OWN).run()
    test.text_input(key="own question").set_value("Is it <b>so</b>?")
    test.text_area(key="own answers").set_value("yes\n\n no \n")
    press(test, "Ask")
    assert room_of(test).question.options == ("yes", "no")
    press(test, "Close")
    assert RUN not in labels(test)
    assert not test.exception


def test_a_question_with_one_answer_says_what_is_wrong_and_is_kept():
    test = opened()
    test.button_group(key="kind").set_value(OWN).run()
    assert not button(test, "Ask").disabled
    press(test, "Ask")
    assert "1 to 300 characters, not 0" in said(test)
    test.text_input(key="own question").set_value("Is it?")
    test.text_area(key="own answers").set_value("yes")
    press(test, "Ask")
    assert "2 to 7 different answers" in said(test)
    assert test.text_input(key="own question").value == "Is it?"
    assert room_of(test).question is None


def test_the_kind_of_a_question_is_changed_back_and_forth():
    test = opened(lesson="rbm", step="3")
    test.button_group(key="kind").set_value(RACE).run()
    assert test.selectbox(key="race asked")
    test.selectbox(key="race asked").select_index(2).run()
    test.button_group(key="kind").set_value(OWN).run()
    test.button_group(key="kind").set_value(RACE).run()
    assert not test.exception


def test_a_room_is_found_again_by_its_address_and_by_its_key_alone():
    test = press(opened(lesson="rbm"), "Ask")
    room = room_of(test)
    again = page(room=room.code, teacher=room.key)
    assert again.header[0].value == room.question.text
    strange = page(room=room.code, teacher="x")
    assert "This room no longer exists" in said(strange)
    assert "Open a room" in labels(strange)
    press(test, "End it for all")
    assert OPEN.get(room.code) is None
    assert "Open a room" in labels(test)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"lesson": "<b>"}, "lesson must be one of"),
        ({"lesson": "rbm", "step": "99"}, "step must be a number from 1"),
        ({"question": "x"}, "question must be one of"),
        ({"colour": "x"}, "means nothing here"),
    ],
)
def test_an_address_that_means_nothing_says_so(query, sentence):
    test = page(**query)
    assert sentence in said(test)
    assert "Open a room" in labels(test)


def test_what_was_chosen_outlives_a_reload_before_the_room_is_open():
    chosen = {"lesson": "rbm", "step": "3"}
    assert at(page(**chosen)) == chosen


def test_a_race_of_as_many_contenders_as_may_be_can_end_without_a_winner():
    contenders = {f"rate {rate}": {"CD.rate": rate / 10} for rate in range(1, MOST_CONTENDERS + 1)}
    test = opened(question="shifting-bar")
    at_address(test, f"http://here/compare?{urlencode(Comparison(RECIPE, contenders).to_query())}")
    press(test, "Ask")
    assert room_of(test).question.options == (*contenders, DRAW)


def test_the_context_stands_above_the_question_on_the_page_and_goes_to_phones():
    test = press(opened(lesson="rbm", step="3"), "Ask")
    asked = room_of(test).question
    assert asked.context == STEP.before.replace("*", "")
    texts = [each.value for each in test.markdown]
    assert sum("reconstruction error" in each for each in texts) >= 1


def test_what_is_asked_is_seen_before_it_is_asked():
    test = opened(lesson="rbm", step="3")
    assert f"**{STEP.predict.ask}**" in [each.value for each in test.markdown]


def test_a_question_that_comes_along_is_named_before_there_is_a_room_and_stands_open_in_one():
    assert f"Ready to ask: **{STEP.title}**" in said(page(lesson="rbm", step="3"))
    room = room_of(press(opened(lesson="rbm", step="1"), "Ask"))
    test = page(room=room.code, teacher=room.key, lesson="rbm", step="3")
    panel = next(each for each in test.expander if each.label == f"Next: {STEP.title}")
    assert panel.proto.expanded
    press(test, "Ask")
    assert room.question.text == STEP.predict.ask


def test_the_view_for_a_projector_shows_the_room_without_controls_and_without_its_key():
    teacher = opened(lesson="rbm", step="3")
    room = room_of(teacher)
    view = screen_of(room)
    assert room.code in html(view)
    press(teacher, "Ask")
    view.run()
    assert view.header[0].value == STEP.predict.ask
    assert STEP.predict.options[0] in html(view)
    answer(room, [1] * FEWEST)
    press(press(teacher, "Close"), "Show the answers")
    view.run()
    assert f"{FEWEST} (100 %)" in html(view)
    assert set(labels(view)) <= {RUN}  # which its style hides
    assert at(view) == {"room": room.code, "screen": room.screen}
    assert room.key not in repr(view)
    press(teacher, "End it for all")
    assert "The class is over" in said(view.run())


@pytest.mark.parametrize("screen", ["", "x"])
def test_a_view_without_the_right_key_shows_nothing(screen):
    room = room_of(press(opened(lesson="rbm"), "Ask"))
    view = page(room=room.code, screen=screen)
    assert "The class is over, or" in said(view)
    assert not view.header
    assert not page(room=room.code, screen=room.key).header
    assert "This room no longer exists" in said(page(room=room.code, teacher=room.screen))


def test_a_second_page_of_the_teacher_and_the_view_show_the_run_that_was_begun_on_the_first():
    first = press(press(opened(lesson="rbm", step="3"), "Ask"), "Close")
    room = room_of(first)
    second, view = page(room=room.code, teacher=room.key), screen_of(room)
    press(first, RUN)
    run = room.shown["run"]
    assert at(second.run())["run"] == run
    assert lab.engine().get(run).owned_by(at(second)["key"])
    view.run()
    assert view.session_state["run"] == run
    assert "key" not in at(view)
    assert view.button[0].disabled  # it is not the view's to pause
    lab.engine().get(run).stop()


def test_a_run_of_somebody_else_is_watched_by_all_pages_of_a_room_and_controlled_by_none():
    first = press(press(opened(lesson="rbm", step="3"), "Ask"), "Close")
    room = room_of(first)
    others = lab.engine().create(room.question.about.scene.recipe)
    mine = page(room=room.code, teacher=room.key, run=others.id)
    assert room.shown == {"run": others.id}
    second = page(room=room.code, teacher=room.key)
    for test in (first.run(), second.run(), mine.run()):
        assert at(test)["run"] == others.id
        assert "key" not in at(test)
        assert button(test, RUN).disabled


def test_once_a_run_is_over_its_answer_and_why_are_told_and_marked():
    teacher = opened(lesson="rbm", step="7")
    press(teacher, "Ask")
    room, step = room_of(teacher), LESSONS["rbm"].steps[6]
    answer(room, [step.right] * (FEWEST - 1) + [1 - step.right])
    press(press(press(teacher, "Close"), "Show the answers"), RUN)
    current(teacher).pace = None
    for test in (settle(teacher, "finished"), screen_of(room)):
        told = test.success[0].value
        assert told.startswith("The answer is: ")
        assert f"{FEWEST - 1} of {FEWEST} said so." in told
        assert "This is right" in html(test)
