"""Patterns of one's own on Train: drawn on a pad into the link, stored, damaged and recalled."""

import numpy as np

from boltzcore.data.drawn import MOST_PATTERNS, Patterns
from boltzcore.data.strokes import SIDE, Stroke
from boltzcore.learners import BSLM, CD, Hebbian
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.figures.recall import PATTERN
from pages.figures.terrain import TEMPERATURES
from tests.pages.train import opened, panels, setting, trained
from tests.pages.visit import enabled, press

STORING = Recipe("fvbm", "patterns", Hebbian(), Schedule(length=20, unit="updates"))
TOP = "ff" + 14 * "0"  # the line that is drawn
LINE = Stroke(SIDE / 8, np.array([(SIDE / 16, SIDE / 16), (SIDE - SIDE / 16, SIDE / 16)]))


def drawn_on(source: Patterns):
    test = opened(Recipe("fvbm", source, Hebbian()))
    test.session_state["pads"] = {"pattern": {"rev": f"8 {source.bits}", "strokes": [LINE]}}
    return test.run()


def test_a_drawn_pattern_is_added_to_the_link_and_the_last_one_removed():
    test = press(drawn_on(Patterns()), "Add pattern")
    assert setting(test)["patterns.bits"] == Patterns().bits + TOP
    assert not enabled(test, "Add pattern")
    assert "patterns.bits" not in setting(press(test, "Remove last"))
    assert setting(press(drawn_on(Patterns()), "Replace all"))["patterns.bits"] == TOP


def test_no_more_are_added_than_there_may_be_and_the_last_one_stays():
    assert not enabled(drawn_on(Patterns(bits=TOP * MOST_PATTERNS)), "Add pattern")
    assert not enabled(drawn_on(Patterns(bits=TOP)), "Remove last")


def test_a_stored_pattern_is_damaged_and_recalled():
    test = trained(STORING)
    shown = panels(test, **{PATTERN: "1"})
    assert "estimates" not in shown
    assert shown["recall"].choices[0].value == "1"
    assert panels(test, **{PATTERN: "nonsense"})["recall"].choices[0].value == "0"
    assert "terrain" not in shown  # of more than 16 pixels
    small = panels(trained(Recipe("rbm", Patterns(side=4, bits="888ff666f99f"), CD(batch_size=3), Schedule(length=2))))
    assert small["recall"].content
    rows = [(each["name"], len(each["p"])) for each in small["terrain"].content.payload["groups"]]
    assert rows[:3] == [(name, len(TEMPERATURES)) for name in ("Pattern 1", "Pattern 2", "Other data (1)")]


def test_how_a_model_begins_is_not_asked_where_a_learner_begins_empty():
    settings = [opened(Recipe("fvbm", "patterns", each)) for each in (Hebbian(), BSLM())]
    asked = [[each.label for each in test.text_input if "variance" in each.label] for test in settings]
    assert list(map(len, asked)) == [0, 1]
