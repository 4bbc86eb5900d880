"""The page Learn: predict, run, say what was seen, and only then read why."""

import json
from dataclasses import replace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from boltzcore.comparison.costs import cost_of_update
from pages.common import lab
from pages.lessons.catalogue import LESSONS
from pages.lessons.homework import Homework
from pages.lessons.scenes import AGAIN, PAUSE, RUN, RaceScene, TrainingScene
from pages.parts import cockpit
from tests.pages import visit
from tests.pages.train import current, settle
from tests.pages.visit import at, button, labels, press, until

TRAINED = [number for number, step in enumerate(LESSONS["rbm"].steps) if isinstance(step.scene, TrainingScene)]
PUZZLE = TRAINED[1]
CEILING = LESSONS["rbm"].steps[PUZZLE]


def page(**query: str) -> AppTest:
    return visit.visit("learn", **query)


def puzzle(replies: str = "") -> AppTest:
    """The first training that is short, with what was replies in it."""
    return page(lesson="rbm", step=str(PUZZLE + 1), **({"replies": "." * PUZZLE + replies} if replies else {}))


def predict(test: AppTest, number: int) -> AppTest:
    return test.radio[0].set_value(number).run()


def trained(test: AppTest) -> AppTest:
    """The page once its training has finished, as fast as it goes."""
    press(test, RUN)
    current(test).pace = None  # what is held back is the same
    return settle(test, "finished")


def race_of(test: AppTest):
    return lab.engine().races.get(test.session_state["race"])


def test_all_lessons_are_there_and_one_is_opened():
    test = page()
    assert [each.value for each in test.header] == [lesson.title for lesson in LESSONS.values()]
    press(test, f"Begin: {LESSONS['rbm'].title}")
    assert test.header[0].value == LESSONS["rbm"].steps[0].title
    assert at(test) == {"lesson": "rbm", "step": "1"}


def is_locked(test: AppTest) -> bool:
    (drawn,) = (each for each in test.get("bidi_component") if each.proto.component_name in ("lab_three", "lab_inside"))
    return json.loads(drawn.proto.json)["locked"]


def test_the_picture_is_there_before_a_prediction_and_unlocked_by_it():
    test = puzzle()
    assert test.dataframe  # of what it learns from
    assert button(test, RUN).disabled
    assert "Skip" in labels(test)
    assert not button(predict(test, 0), RUN).disabled
    assert len(test.radio) == 1
    for place in ({"lesson": "rbm", "step": "3"}, {"lesson": "boltzmann-machine"}):
        test = page(**place)
        assert is_locked(test)
        assert len(test.radio) == 1
        assert not is_locked(predict(test, 0))


def test_a_step_is_done_by_a_prediction_and_what_was_rightly_seen():
    test = puzzle()
    predict(test, 0)
    run = current(trained(test))
    right = CEILING.seen(run.snapshot.records)
    wrong = next(number for number in range(len(CEILING.observe.options)) if number != right)
    test.radio[1].set_value(wrong).run()
    assert (len(test.warning), at(test)["replies"]) == (1, "." * PUZZLE + "a")
    test.radio[1].set_value(right).run()
    assert (len(test.warning), len(test.success)) == (0, 0)  # it was predicted otherwise
    assert at(test)["replies"] == "." * PUZZLE + "a" + "ABCD"[right]
    press(test, "Next")
    assert test.header[0].value == LESSONS["rbm"].steps[PUZZLE + 1].title
    assert at(press(test, "Back"))["step"] == str(PUZZLE + 1)


def test_no_prediction_is_credited_with_what_the_run_did_not_show(monkeypatch):
    lesson = LESSONS["rbm"]
    steps = (*lesson.steps[:PUZZLE], replace(CEILING, aha=lambda records: False), *lesson.steps[PUZZLE + 1 :])
    monkeypatch.setitem(LESSONS, "rbm", replace(lesson, steps=steps))
    test = puzzle("bC")
    assert test.success
    trained(test)
    assert test.info
    assert not test.success


def test_a_visitor_that_comes_back_to_a_step_finds_its_training_again():
    last = TRAINED[-1]
    test = puzzle("b" + "." * (last - PUZZLE) + "b")
    first = current(trained(test)).id
    test.session_state["step"] = last
    trained(test.run())
    assert current(test).id != first
    test.session_state["step"] = PUZZLE
    assert AGAIN in labels(test.run())
    assert current(test).id == first
    test.session_state["step"] = last
    active = current(press(test.run(), AGAIN))
    test.session_state["step"] = PUZZLE
    assert AGAIN in labels(test.run())
    assert current(test) is active  # else no page would keep it alive
    active.stop()
    test.session_state["step"] = last
    assert RUN in labels(test.run())  # it continues: part of it is no result


def test_the_last_step_leads_to_the_next_lesson():
    number = len(LESSONS["rbm"].steps)
    done = "." * (number - 1) + "bC"
    test = page(lesson="rbm", step=str(number), replies=done)
    names = list(LESSONS)
    following = names[names.index("rbm") + 1]
    press(test, f"Next lesson: {LESSONS[following].title}")
    assert test.header[0].value == LESSONS[following].steps[0].title


def test_a_reason_and_the_own_run_are_handed_in_with_a_name(monkeypatch):
    made = {}
    monkeypatch.setattr(st, "download_button", lambda label, make, name, *_, **__: made.update({name: make}))
    test = visit.visit("learn", {"share lesson": True}, lesson="rbm", step="2")
    test.radio(key="predicted rbm 1").set_value(0).run()
    test.text_input(key="reason rbm 1").set_value("because\u00a0of\u200dit").run()
    for held in ("On", "Off"):
        test.radio(key="hold 58").set_value(held).run()
    assert "homework.json" not in made  # without a name
    test.text_input(key="homework name").set_value(" Ann ").run()
    done = Homework.from_json(made["homework.json"]().encode())
    assert (done.name, done.reasons[1], done.runs[1], done.right[1]) == ("Ann", "because of it", (0,), True)


def test_the_pad_is_one_press_away(page_links):
    page()
    (asked,) = [query for name, _, query in page_links if name == "train.py"]
    assert visit.visit("train", **asked).session_state["settings_open"] == cockpit.NONE


def test_a_reload_finds_the_run_and_what_was_said():
    test = puzzle()
    trained(predict(test, 1))
    again = page(**at(test))
    assert len(again.radio) == 2
    assert AGAIN in labels(again)
    assert again.radio[0].value == 1


def test_a_race_is_run_and_answered():
    number = next(i for i, step in enumerate(LESSONS["rbm"].steps) if isinstance(step.scene, RaceScene))
    test = page(lesson="rbm", step=str(number + 1))
    predict(test, LESSONS["rbm"].steps[number].right)
    press(test, RUN)
    race = race_of(test)
    until(lambda: race.snapshot.status == "finished")
    test.run()
    test.radio[1].set_value(LESSONS["rbm"].steps[number].seen(race.snapshot.result)).run()
    assert test.success


def test_a_class_that_presses_run_watches_one_race():
    number = next(i for i, step in enumerate(LESSONS["infinite-rbm"].steps) if isinstance(step.scene, RaceScene))
    students = [page(lesson="infinite-rbm", step=str(number + 1), replies="..." + ".a") for _ in range(2)]
    for student in students:
        press(student, RUN)
    first, second = map(race_of, students)
    begun = {first.id: first}
    try:
        assert first is second
        assert [button(student, PAUSE).disabled for student in students] == [False, True]
        first.pause()
        press(students[1].run(), RUN)  # it goes on without the student that has stopped it
        begun |= {race.id: race for race in map(race_of, students)}
        assert len(begun) == 2
    finally:
        for each in begun.values():
            lab.engine().races.delete(each)


@pytest.mark.parametrize(
    "query",
    [{"lesson": "chess"}, {"lesson": "rbm", "step": "99"}, {"lesson": "rbm", "step": "²"}, {"colour": "red"}],
    ids=str,
)
def test_what_an_address_cannot_mean_is_said(query):
    assert len(page(**query).warning) == 1


def test_what_the_lesson_on_rbms_says_of_costs_is_counted():
    *_, long, _, stood_still = LESSONS["rbm"].steps
    race = long.scene.comparison
    short, longer = (float(cost_of_update(race.trial(name, 0), "operations")) for name in race.names)
    assert f"{longer / short:.1f} times" in long.before
    assert f"{longer / short:.1f} times" in long.explain
    slow, fast, dcp = (recipe.learner for _, recipe in stood_still.scene.comparison.contenders)
    assert fast.rate == pytest.approx(dcp.d * slow.rate)
    assert dcp.rate == slow.rate
    assert dcp.d * dcp.K_prime == slow.K == fast.K
