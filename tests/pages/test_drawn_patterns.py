"""Patterns of one's own on Train: drawn on a pad into the link, stored, damaged and recalled."""

import numpy as np

from boltzcore.data.drawn import MOST_PATTERNS, Patterns
from boltzcore.data.strokes import SIDE, Stroke
from boltzcore.learners import CD, Hebbian
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.figures.recall import PATTERN
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
    assert "recall" not in panels(trained(Recipe("rbm", "patterns", CD(batch_size=3), Schedule(length=2))))
