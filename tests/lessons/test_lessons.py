"""Each step of each lesson shows what it says: with the first seed, and nightly with most of ten."""

import pytest

from pages.lessons import terrain as landscapes
from pages.lessons.catalogue import LESSONS
from pages.lessons.three_units import Did, ThreeUnitsScene
from tests.lessons import terrain, three_units

STEPS = [(name, number) for name, lesson in LESSONS.items() for number in range(len(lesson.steps))]
SEED = 0  # the page begins with it
SEEDS, NEEDED = 10, 9


def found_in(scene, seed):
    if isinstance(scene, landscapes.TerrainScene):
        return terrain.found(scene, seed)
    return three_units.found(scene, seed) if isinstance(scene, ThreeUnitsScene) else scene.found(seed)


def step_of(place):
    name, number = place
    return LESSONS[name].steps[number]


@pytest.mark.parametrize(
    "place",
    [place if place[1] == 0 else pytest.param(place, marks=pytest.mark.nightly) for place in STEPS],
    ids=lambda place: f"{place[0]}-{place[1] + 1}",
)
def test_a_step_shows_what_it_says(place):
    step = step_of(place)
    found = found_in(step.scene, SEED)
    assert step.aha(found)
    assert 0 <= step.seen(found) < len(step.observe.options)
    assert 0 <= step.right < len(step.predict.options)


@pytest.mark.nightly
@pytest.mark.timeout(600)  # races of several trials
@pytest.mark.parametrize("place", STEPS, ids=lambda place: f"{place[0]}-{place[1] + 1}")
def test_a_step_shows_what_it_says_with_most_seeds(place):
    step = step_of(place)
    assert sum(bool(step.aha(found_in(step.scene, seed))) for seed in range(SEEDS)) >= NEEDED


REPORT = {"of": "energy", "theta": [0] * 6, "draws": 0, "climbed": 0}
STRANGE = {
    "of": ["other"],
    "theta": [[0] * 5, *([x] * 6 for x in (float("nan"), 1e300, "1"))],
    "draws": [True],
    "gap": ["x"],
}


@pytest.mark.parametrize(
    "report", [None, 7, {}, *(REPORT | {name: value} for name, values in STRANGE.items() for value in values)]
)
def test_a_report_that_is_none_is_passed_over(report):
    assert Did.from_browser(report, "energy") is None


def test_a_report_of_a_browser_is_read():
    report = {"of": "energy", "theta": [0, 0, 0, 2, 0, 0.5], "turned": True, "draws": 20, "early": 0.2, "gap": 0.1}
    did = Did.from_browser(report | {"climbed": 0, "fell": False}, "energy")
    assert (did.machine.w, did.turned, did.draws, did.early, did.gap) == ((2, 0, 0.5), True, 20, 0.2, 0.1)


SEEN = {
    "of": "cold",
    "t": 2,
    "steps": 2_000,
    "at": 0,
    "shares": [1.0, 0.0, 0.0],
    "distance": 0.7,
    "deep": {"Quench": 3},
}
WRONG = {
    "of": ["other"],
    "t": [-1, 11, True, 1.0],
    "shares": [None, [float("nan")], [2.0]],
    "deep": [None, {"Quench": "3"}],
}


@pytest.mark.parametrize("wrong", [{name: value} for name, values in WRONG.items() for value in values])
def test_a_report_of_a_landscape_that_is_none_is_passed_over(wrong):
    assert landscapes.Did.from_browser(SEEN, "cold").deep == {"Quench": 3}
    assert landscapes.Did.from_browser(SEEN | wrong, "cold") is None
