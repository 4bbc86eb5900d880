"""One step: which example a link opens, and what is drawn of it."""

import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from boltzcore.learners import TrajectoryTempering
from boltzcore.reference.equations import FAMILIES
from boltzcore.reference.trace import Phase, UpdateTrace, follow
from boltzcore.training.recipe import Recipe
from pages.inside import families
from pages.inside.sources import Gone, trace_of
from pages.inside.worked_examples import STEPS
from tests.pages import visit
from tests.pages.train import opened
from tests.pages.visit import at


def page(**query: str) -> AppTest:
    return visit.visit("step", **query)


def chosen(test: AppTest) -> str:
    return at(test)["example"]


def test_an_example_is_that_of_its_link_or_the_first_and_leads_to_its_training(page_links):
    test = page()
    assert not test.warning
    assert len(page(example="cd", exemple="pcd").warning) == 1
    assert chosen(test) == next(iter(STEPS))
    page_links.clear()
    (drawn,) = (
        each.proto for each in page(example="bslm").get("bidi_component") if "inside" in each.proto.component_name
    )
    assert json.loads(drawn.json)["of"] == "example/bslm"
    (query,) = [query for to, _, query in page_links if to == "train.py"]
    assert Recipe.from_query(query) == STEPS["bslm"].recipe


def test_a_model_is_chosen_with_its_first_example_and_then_another():
    test = page()
    test.selectbox[0].select("infinite-rbm").run()
    assert chosen(test) == "fw"
    test.selectbox[1].select("fw-digits").run()
    assert chosen(test) == "fw-digits"


@pytest.mark.parametrize("asked", ["", "nothing", "<b>x</b>", "pcdd", "a" * 5000])
def test_what_is_no_example_is_said_until_one_is_chosen(asked):
    test = page(example=asked)
    (warning,) = test.warning
    assert len(warning.value) < 400
    assert ("pcd" in warning.value.replace("pcdd", "")) == (asked == "pcdd")
    assert chosen(test) == "cd"
    test.selectbox[1].select("pcd").run()
    assert not test.warning


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_of_steps_has_a_drawing(family):
    drawing = Path(families.__file__).parent / f"{family}.js"
    assert drawing.exists() != bool(families.view_of(family).panels)


def test_a_share_of_exchanges_is_described_by_what_follows():
    share = Phase("decide", 0, {"acceptance": np.array([0.5])})
    traces = [UpdateTrace("tempering", [], phases=[share, Phase(kind, 0)]) for kind in ("back", "freeze", "gibbs")]
    sentence = families.view_of("tempering").sentence
    assert len({sentence(trace, TrajectoryTempering(), 0) for trace in traces}) == 3


def test_each_kind_of_update_has_an_example():
    shown = {follow.dispatch(type(step.learner)) for step in STEPS.values()}
    assert shown == {*follow.registry.values()} - {follow.dispatch(object)}


@pytest.mark.parametrize("name", ["", "none", "../run"])
def test_an_example_that_is_none_is_gone_by_route(name):
    with pytest.raises(Gone):
        trace_of(f"example/{name}", 0)


def test_trains_settings_lead_to_a_step_of_its_learner(page_links):
    opened(STEPS["pcd"].recipe)
    assert ("step.py", {"example": "pcd"}) in [(page, query) for page, _, query in page_links]
