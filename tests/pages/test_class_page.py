"""The page on which a teacher runs a class: a room is opened, a question asked, closed, shown, and asked again."""

import dataclasses
import re
from dataclasses import replace
from urllib.parse import urlencode

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from boltzcore import Comparison
from boltzcore.comparison.comparison import MOST_CONTENDERS
from boltzcore.training.presets import PRESETS
from boltzcore.training.status import MOVING
from pages.common import lab
from pages.lessons.catalogue import LESSONS
from pages.lessons.homework import Homework
from pages.lessons.replies import Reply
from pages.lessons.scenes import RUN
from pages.rooms import plan as plans
from pages.rooms import room as rooms
from pages.rooms.questions import DRAW, OWN, RACE, WHO
from pages.rooms.registry import OPEN
from pages.rooms.rounds import FEWEST
from pages.web.limiter import Visitor
from tests.pages import visit
from tests.pages.markdown import shown
from tests.pages.train import current, settle
from tests.pages.visit import at, button, labels, press, text_of, until
from tests.rooms.test_room import at_once as at_once
from tests.runs.toys import batch

RECIPE = batch(30, every=10)
STEP = LESSONS["rbm"].steps[3]


def page(**query: str) -> AppTest:
    return visit.visit("classroom", **query)


def open_room(**query: str) -> AppTest:
    return press(page(**query), "Open a room")


def room_of(test: AppTest) -> rooms.Room:
    found = OPEN.of_teacher(at(test)["room"], at(test)["teacher"])
    assert found is not None
    return found


def screen_of(room: rooms.Room) -> AppTest:
    return page(room=room.code, screen=room.screen)


def html(test: AppTest) -> str:
    return "".join(each.proto.body for each in test.get("html"))


def answer(room: rooms.Room, options: list[int]) -> None:
    for option in options:
        room.answer(room.phone_of(room.join(Visitor("visitor 0", "192.0.2.1"))), room.standing.round, option)


def at_address(test: AppTest, address: str) -> AppTest:
    return test.text_input(key="address asked").set_value(address).run()


def test_the_winner_of_a_race_is_asked_of_a_preset_or_by_its_address():
    test = press(open_room(question="shifting-bar"), "Ask")
    asked = room_of(test).question
    assert asked.options[-1] == DRAW
    assert any(option.startswith("S-DCP") for option in asked.options)
    assert "Shifting Bar" in asked.context  # what the data are
    assert RUN in labels(press(test, "Close"))
    names = {f"rate {rate}": {"CD.rate": rate / 10} for rate in range(1, MOST_CONTENDERS + 1)}
    test, other = open_room(question="shifting-bar"), Comparison(RECIPE, names)
    test.text_input(key="address asked").set_value(f"http://here/compare?{urlencode(other.to_query())}")
    press(test, "Ask")  # typed just before the click
    asked = room_of(test).question
    assert (asked.text, asked.options) == (WHO, (*names, DRAW))
    press(press(test, "Close"), RUN)
    assert "race" in test.run().query_params
    at_address(test, "http://here/compare?preset=shifting-bar")
    race = lab.engine().races.create(other)
    press(at_address(test, f"http://here/compare?race={race.id}"), "Ask")
    assert room_of(test).question.options == asked.options
    lab.engine().races.delete(race)


@pytest.mark.parametrize(
    "address",
    [
        "http://[",
        "x",
        "?race=0000000000000000",
        "?model=rbm&contender.1=x",
        "/compare?" + urlencode({"data": "upload", "contender.1": "a"}),
    ],
)
def test_an_address_without_a_race_is_refused(address):
    test = at_address(open_room(question="shifting-bar"), address)
    assert test.error or test.warning
    assert button(test, "Ask").disabled


def test_a_race_on_a_private_table_is_not_for_a_class(table):
    private = Comparison(replace(RECIPE, data=table), {"a": {}, "b": {"CD.rate": 0.5}})
    race = lab.engine().races.create(private)
    for query in (private.to_query(), {"race": race.id}):
        test = at_address(open_room(question="shifting-bar"), f"/compare?{urlencode(query)}")
        assert button(test, "Ask").disabled
        assert table.digest not in text_of(test)
    lab.engine().races.delete(race)


def test_a_question_of_ones_own_needs_two_answers_and_nothing_runs():
    test = open_room(lesson="rbm", step="4")
    test.button_group(key="kind").set_value(RACE).run()
    test.selectbox(key="race asked").select_index(2).run()
    for kind in (OWN, RACE, OWN):
        test.button_group(key="kind").set_value(kind).run()
    press(test, "Ask")
    assert test.error or test.warning
    test.text_input(key="own question").set_value("Is it <b>so</b>?")
    test.text_area(key="own answers").set_value("yes")
    press(test, "Ask")
    assert room_of(test).question is None
    assert test.text_input(key="own question").value == "Is it <b>so</b>?"
    test.text_area(key="own answers").set_value("yes\n\n no \n")
    press(test, "Ask")
    room = room_of(test)
    assert room.question.options == ("yes", "no")
    answer(room, [0] * FEWEST)
    assert RUN not in labels(press(press(test, "Close"), "Show the answers"))
    assert button(test, "Show the right answer").disabled
    test.text_input(key="own question").set_value("And now?")
    test.text_area(key="own answers").set_value("yes\nno")
    test.button_group(key="own right answer").set_value("C")
    assert room_of(press(test, "Ask")).question.text != "And now?"  # it has no answer C
    test.button_group(key="own right answer").set_value("B")
    press(test, "Ask")
    answer(room, [0] * FEWEST)
    press(press(press(test, "Close"), "Show the answers"), "Show the right answer")
    assert room.explained.right == 1


def test_a_room_is_found_again_by_its_address_and_by_its_key_alone():
    test = press(open_room(lesson="rbm"), "Ask")
    room = room_of(test)
    again = page(room=room.code, teacher=room.key)
    assert again.header[0].value == room.question.text
    strange = page(room=room.code, teacher="x")
    assert room.question.text not in [each.value for each in strange.header]
    assert "Open a room" in labels(strange)
    press(test, "End for everyone")
    assert OPEN.get(room.code) is None
    assert "Open a room" in labels(test)


@pytest.mark.parametrize(
    "query", [{"lesson": "<b>"}, {"lesson": "rbm", "step": "99"}, {"question": "x"}, {"colour": "x"}], ids=str
)
def test_an_address_that_means_nothing_says_so(query):
    test = page(**query)
    assert len(test.warning) == 1
    assert "Open a room" in labels(test)


def test_a_question_that_comes_along_is_named_before_there_is_a_room_and_stands_open_in_one():
    chosen = {"lesson": "rbm", "step": "4"}
    before = page(**chosen)
    assert at(before) == chosen
    assert f"**{STEP.title}**" in text_of(before)
    assert f"**{STEP.predict.ask}**" in text_of(press(before, "Open a room"))
    room = room_of(press(open_room(lesson="rbm", step="1"), "Ask"))
    test = page(room=room.code, teacher=room.key, **chosen)
    panel = next(each for each in test.expander if STEP.title in each.label)
    assert panel.proto.expanded
    press(test, "Ask")
    assert (room.question.text, room.question.context) == (STEP.predict.ask, STEP.before.replace("*", ""))


def test_the_view_for_a_projector_shows_the_room_without_controls_and_without_its_key():
    teacher = open_room(lesson="rbm", step="4")
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
    assert f"{FEWEST} (100" in html(view)
    assert set(labels(view)) <= {RUN}  # which its style hides
    assert at(view) == {"room": room.code, "screen": room.screen}
    assert room.key not in repr(view)
    press(teacher, "End for everyone")
    assert not view.run().header


@pytest.mark.parametrize("screen", ["", "x"])
def test_a_view_without_the_right_key_shows_nothing(screen):
    room = room_of(press(open_room(lesson="rbm"), "Ask"))
    view = page(room=room.code, screen=screen)
    assert not view.header
    assert not page(room=room.code, screen=room.key).header
    assert "Open a room" in labels(page(room=room.code, teacher=room.screen))


def test_a_second_page_of_the_teacher_and_the_view_show_the_run_that_was_begun_on_the_first():
    first = press(press(open_room(lesson="rbm", step="4"), "Ask"), "Close")
    room = room_of(first)
    second, view = page(room=room.code, teacher=room.key), screen_of(room)
    press(first, RUN)
    run = room.shown["run"]
    assert at(second.run())["run"] == run
    assert lab.engine().get(run).is_owner(at(second)["key"])
    view.run()
    assert view.session_state["run"] == run
    assert "key" not in at(view)
    assert view.button[0].disabled  # it is not the view's to pause
    lab.engine().get(run).stop()


def test_a_run_of_another_visitor_is_watched_by_all_pages_of_a_room_and_controlled_by_none():
    first = press(press(open_room(lesson="rbm", step="4"), "Ask"), "Close")
    room = room_of(first)
    others = lab.engine().create(room.question.about.scene.recipe)
    until(lambda: others.snapshot.status not in MOVING)
    mine = page(room=room.code, teacher=room.key, run=others.id)
    assert room.shown == {"run": others.id}
    second = page(room=room.code, teacher=room.key)
    for test in (first.run(), second.run(), mine.run()):
        assert at(test)["run"] == others.id
        assert "key" not in at(test)
        assert button(test, RUN).disabled


def test_the_right_answer_is_marked_and_explained_once_the_teacher_shows_it():
    teacher = press(open_room(lesson="rbm", step="8"), "Ask")
    assert button(teacher, RUN).disabled  # until it is closed
    room, step = room_of(teacher), LESSONS["rbm"].steps[7]
    answer(room, [step.right] * (FEWEST - 1) + [1 - step.right])
    press(press(press(teacher, "Close"), "Show the answers"), RUN)
    current(teacher).pace = None
    for test in (settle(teacher, "finished"), screen_of(room)):
        assert not test.success
        assert not html(test).count('class="right"')
    for test in (press(teacher, "Show the right answer"), screen_of(room)):
        assert {str(FEWEST - 1), str(FEWEST)} <= set(re.findall(r"\d+", test.success[0].value))
        assert html(test).count('class="right"') == 1
    assert button(teacher, "Show the right answer").disabled
    room.explain(dataclasses.replace(room.explained, right=None))
    assert not button(teacher.run(), "Show the right answer").disabled  # the run now has another
    press(teacher, "Vote again")
    assert (room.standing.round, room.standing.closed) == (2, False)
    assert not screen_of(room).success


def test_what_is_chosen_in_a_scene_is_what_the_teacher_has_chosen_on_every_page():
    for name, step, label, values in (("crbm", "3", "Weight factor", (2.5, 4)), ("rbm", "2", "Unit 59", ("Off", "On"))):
        teacher = press(press(open_room(lesson=name, step=step), "Ask"), "Close")
        for value in values:
            next(each for each in teacher.radio if each.label == label).set_value(value).run()
            view = screen_of(room_of(teacher))
            assert next(each for each in view.radio if each.label == label).value == value
    assert room_of(teacher).stills[-1].alt.endswith("on.")  # as phones show it


def test_drawings_are_seen_by_the_teacher_alone_until_they_are_accepted_and_then_stored_and_recalled():
    teacher = press(open_room(plan="patterns:5"), "Next")
    room = room_of(teacher)
    for bits in ("3c7ee7c3c3e77e3c", "181818ffff181818"):
        room.put_drawing(room.phone_of(room.join(Visitor("visitor 0", "192.0.2.1"))), bits)
    press(teacher.run(), "Close drawing")
    assert labels(teacher).count("Accept") == 2
    assert not {"Accept", "Accept all", RUN} & set(labels(screen_of(room)))
    assert not room.stills
    press(press(teacher, "Accept"), RUN)
    run = current(teacher)
    assert run.recipe.data.bits == room.drawings.accepted[0]
    assert room.stills
    settle(teacher, "finished")
    view = screen_of(room)
    assert (view.session_state["run"], "Accept" in labels(view)) == (run.id, False)
    press(teacher, "Remove last")
    assert not room.drawings.accepted
    press(teacher, "Reopen drawing")
    room.put_drawing(room.phone_of(room.join(Visitor("visitor 0", "192.0.2.1"))), "3c7ee7c3c3e77e3c")
    press(teacher.run(), "Accept all")
    assert (len(room.drawings.accepted), len(room.drawings.waiting)) == (2, 0)


def test_files_of_homework_become_a_table_and_other_files_are_refused(monkeypatch):
    made = {}
    monkeypatch.setattr(st, "download_button", lambda label, make, *_, **__: made.update({label: make}))
    test = visit.visit("classroom", {"homework": True})
    done = Homework("Zoë", "rbm", *(tuple([each] * len(LESSONS["rbm"].steps)) for each in (Reply(0, 0), "", ())))
    files = [("a.json", done.to_json().encode(), "application/json"), ("b&c.json", b"[]", "application/json")]
    test.file_uploader(key="homework files").set_value(files).run()
    assert list(test.dataframe[0].value["Name"]) == ["Zoë"]
    assert made["Answers as CSV"]().startswith("\ufeffname,")  # for spreadsheets
    assert ["b&c.json" in shown(each.value) for each in test.warning] == [True]


PLAN = "boltzmann-machine.1:8,train.handwriting:3,rbm.2:7"


def test_a_plan_is_walked_with_next_and_back_and_every_page_of_the_teacher_knows_the_place():
    test = open_room(plan=PLAN)
    room = room_of(test)
    assert at(test)["plan"] == PLAN
    assert button(test, "Back").disabled
    press(test, "Next")
    assert room.question.text == LESSONS["boltzmann-machine"].steps[0].predict.ask
    answer(room, [0] * FEWEST)
    press(test, "Next")
    assert room.question.demonstration
    assert PRESETS["handwriting"].title in screen_of(room).header[0].value
    assert RUN in labels(test)
    assert not {"Close", "Vote again"} & set(labels(test))
    second = page(room=room.code, teacher=room.key, plan="rbm.1:5")  # the plan of an older address
    press(second, "Next")
    assert (room.place, room.question.text) == (2, LESSONS["rbm"].steps[1].predict.ask)
    assert button(second, "Next").disabled
    press(test.run(), "Back")
    assert (room.place, room.question.demonstration) == (1, True)
    press(test, "Back")  # shows how it was answered, and asks nothing
    assert (room.place, room.standing.round, room.standing.answers, room.standing.over) == (0, 1, FEWEST, True)
    press(test, "Reopen")
    assert (room.standing.closed, room.standing.answers) == (False, FEWEST)
    press(test, "Close")
    press(test, "Show the answers")
    assert f"{FEWEST} (100" in html(test)
    test.radio(key="item of the plan").set_value(2).run()
    (minutes,) = test.number_input
    assert minutes.value == minutes.proto.default == 7  # a browser that has lost the value sends the default
    press(test, "Go to")
    assert (room.place, room.standing.round, at(test)["plan"]) == (2, 3, PLAN)
    assert [each.asked.text for each in room.results()] == [LESSONS["boltzmann-machine"].steps[0].predict.ask]


def test_a_plan_is_ordered_timed_extended_and_kept_when_its_room_ends():
    test = press(page(), "Plan: 45 minutes")
    first, second = (each.subject for each in plans.from_text(at(test)["plan"])[:2])
    press(test, "Down")
    assert [each.subject for each in plans.from_text(at(test)["plan"])[:2]] == [second, first]
    assert test.radio[0].value == 1  # the same item, further down
    next(each for each in test.number_input if each.label == "Minutes").set_value(17)
    press(test, "Down")  # typed just before the click
    assert plans.from_text(at(test)["plan"])[2].minutes == 17
    press(test, "Remove")
    assert first not in [each.subject for each in plans.from_text(at(test)["plan"])]
    test = press(press(press(page(plan=PLAN), "Open a room"), "Next"), "Next")
    room = room_of(test)
    press(test, "Remove")  # the first item, before the place of the class
    assert (room.place, room.plan[room.place].subject.shown) == (0, "train.handwriting")
    press(test, "End for everyone")
    assert at(test)["plan"] == "train.handwriting:3,rbm.2:7"


def test_a_question_is_added_to_a_plan_before_there_is_a_room_and_in_one():
    test = page(plan=PLAN)
    test.expander(key="add an item")  # AppTest cannot open it
    room = room_of(press(test, "Open a room"))
    for kind in ("A demonstration", RACE):
        test.button_group(key="kind").set_value(kind).run()
        press(test, "Add to plan")
    assert [each.subject.name for each in room.plan[3:]] == ["train.handwriting", "race.shifting-bar"]
    assert room.question is None


def test_a_plan_from_a_file_is_that_of_its_link_and_another_file_is_refused():
    test = page()
    for content in (plans.to_json(plans.from_text(PLAN)).encode(), b"[]", b"[" * 300_000):
        test.file_uploader(key="plan file").upload("plan.json", content, "application/json").run()
        assert at(test)["plan"] == PLAN
    assert len(test.warning) == 1


@pytest.mark.parametrize(
    "plan", ["x", "rbm.2", "rbm.99:5", "rbm.2:0", "race.:5", "own.W10:5", "rbm.2:5," * 41, "é" * 9_000]
)
def test_a_plan_that_cannot_be_read_is_refused_with_one_sentence(plan):
    test = page(plan=plan)
    assert len(test.warning) == 1
    assert "plan" not in at(test)
