"""Visits of the Train page: what a link opens, what a click does, what is drawn."""

import json
import re
from functools import cache
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from boltzcore.data import grants
from boltzcore.data.corruption import Corruption
from boltzcore.inference import Annealing
from boltzcore.learners import CD, BeliefPropagationMLE
from boltzcore.models import CRBMSetup, RBMSetup
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.common import lab, pinning
from pages.figures.frame import Figures, Frame, Panel
from pages.parts import cockpit
from pages.parts.share import FILL, OPEN
from pages.stream.run_frame import frame_of
from tests.pages.visit import at, labels, press, until, visit

QUICK = Recipe(RBMSetup(hidden=3), "bars-and-stripes", CD(batch_size=0), Schedule(length=2000, every=500))
FEW = Annealing(chains=20, temperatures=50)
LARGE = Recipe(RBMSetup(hidden=30), "digits", CD(batch_size=200), Schedule(length=1), annealing=FEW)
BELIEF = BeliefPropagationMLE(batch_size=0, rate=0.5)
RESTORING = Recipe(CRBMSetup(hidden=4), "bars-and-stripes", BELIEF, Schedule(length=6), corruption=Corruption(rate=0.2))


def page(**query: str) -> AppTest:
    """The page as a link opens it, with all settings, Share and "Fill gaps" opened."""
    return visit("train", {"settings_open": query.get("run", cockpit.NONE), OPEN: True, FILL: True}, **query)


def opened(recipe: Recipe, **more: str) -> AppTest:
    """The page with this setting, to the uploader of its table where it is of one."""
    table = {"table": grants.give(recipe.data.digest)} if recipe.private else {}
    return page(**recipe.to_query(), **table | more)


def setting(test: AppTest) -> dict[str, str]:
    """The address without run and key."""
    return {key: text for key, text in at(test).items() if key not in ("run", "key", "pin", "table")}


def field(test: AppTest, key: str):
    """The widget of a field, among all settings; its key has a number once something else than the widget changed the
    value.
    """
    if "All settings" in labels(test):
        press(test, "All settings")
    return next(
        w
        for kind in (test.text_input, test.selectbox)
        for w in kind
        if w.key == key or re.fullmatch(rf"{re.escape(key)}( \d+)+", w.key)
    )


def current(test: AppTest):
    return lab.engine().get(test.session_state["run"])


def settle(test: AppTest, *statuses: str) -> AppTest:
    """Wait until the run has one of these statuses, then look."""
    until(lambda: current(test).snapshot.status in statuses)
    return test.run()


def play(test: AppTest) -> AppTest:
    return settle(press(test, "Play"), "finished")


def step(test: AppTest) -> AppTest:
    return settle(press(test, "Step"), "paused")


def run_training(recipe: Recipe, *, whole: bool = True):
    """A training from the beginning to its end, or to its first update; no page is needed for it."""
    run = lab.engine().create(recipe)
    if whole:
        run.play()
        until(lambda: run.snapshot.status in ("finished", "diverged"))
    else:
        run.step()
        until(lambda: run.snapshot.status in ("paused", "finished") and run.snapshot.state and run.snapshot.state.count)
    return run


def page_of(*runs: Any) -> AppTest:
    """The page of the owner of the last of these trainings, with the others pinned."""
    *pins, run = runs
    pin = {"pin": ",".join(each.id for each in pins)} if pins else {}
    return page(**run.recipe.to_query(), run=run.id, key=run.key, **pin)


def after_one_step(recipe: Recipe) -> AppTest:
    """The page after the first update."""
    return page_of(run_training(recipe, whole=False))


def trained(recipe: Recipe) -> AppTest:
    """The page after a training."""
    return page_of(run_training(recipe))


def watched(test: AppTest) -> dict:
    """Return the data of the component that draws the frames; empty if none is drawn."""
    drawn = (each.proto for each in test.get("bidi_component"))
    return next((json.loads(each.json) for each in drawn if each.component_name == "lab_live"), {})


def frame(test: AppTest, **chosen: str) -> Frame:
    """The frame that the page watches, as a viewer chooses it."""
    attributes = watched(test)
    run, *pinned = (lab.engine().get(each) for each in (attributes["run"], *pinning.pins_in(attributes["pin"])))
    return frame_of(run.recipe, run.snapshot, [(each.snapshot, each.recipe) for each in pinned], chosen)


def figures(test: AppTest) -> Figures:
    """All figures that are shown, those of trainings that are drawn together included."""
    shown = frame(test)
    return [*shown.figures, *(figure for line in shown.lines for figure in line.figures)]


def values(test: AppTest) -> dict[str, str]:
    """{name: value} of the figures of the training itself."""
    return {each.name: each.value for each in frame(test).figures}


def panels(test: AppTest, **chosen: str) -> dict[str, Panel]:
    """{key: panel} of everything that is drawn."""
    return {item.key: item.panel() for item in frame(test, **chosen).items}


def compared(test: AppTest) -> list[str]:
    """The names of the trainings that are drawn together."""
    return [line.figures[0][1] for line in frame(test).lines] if watched(test) else []


def pinned(test: AppTest) -> str:
    """The pins in the address."""
    return at(test).get("pin", "")


@cache
def view(recipe: Recipe) -> AppTest:
    """The same page again, for tests that only look at it."""
    return trained(recipe)


def forged(widget: Any, text: str) -> AppTest:
    """The page once a browser has sent this text as what is chosen there."""

    class Forged(type(widget)):
        @property
        def _widget_state(self) -> WidgetState:
            held = WidgetState(id=self.id)
            if isinstance(widget, Selectbox):
                held.string_value = text
            else:
                held.string_array_value.data.append(text)
            return held

    widget.__class__ = Forged
    return widget.run()
