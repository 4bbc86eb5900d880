"""Inside one step: which example a link opens, and what is drawn of it."""

import json
from pathlib import Path

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from boltzcore.learners.walkthrough.equations import FAMILIES
from boltzcore.registry import LEARNERS
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.worked_examples import EXAMPLES, PAIRS, STEPS
from pages.inside import families
from pages.inside.choosing import choice
from pages.inside.sources import Gone, trace_of
from pages.parts import examples
from tests.pages.train import opened

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "step.py")
DRAWN = examples.by_group()


@pytest.fixture
def links(monkeypatch):
    """Where links of the page lead to."""
    found = []
    monkeypatch.setattr(streamlit, "page_link", lambda page, **given: found.append((page, given.get("query_params"))))
    return found


def page(**query: str) -> AppTest:
    test = AppTest.from_file(PAGE, default_timeout=60)
    for key, text in query.items():
        test.query_params[key] = text
    test.run()
    assert not test.exception
    return test


def chosen(test: AppTest) -> str:
    return (
        test.query_params["example"][0]
        if isinstance(test.query_params["example"], list)
        else test.query_params["example"]
    )


def told(test: AppTest) -> dict:
    return next(
        json.loads(each.proto.json) for each in test.get("bidi_component") if "inside" in each.proto.component_name
    )


def test_it_begins_with_the_first_example_and_says_so_in_the_address():
    test = page()
    assert not test.warning
    assert chosen(test) == next(iter(DRAWN))
    assert test.header[0].value == DRAWN[chosen(test)].title
    assert told(test)["of"] == [f"example/{chosen(test)}"]


@pytest.mark.parametrize("name", DRAWN)
def test_each_example_is_taken_apart_as_it_is_told(name, links):
    test = page(example=name)
    assert chosen(test) == name
    asked = told(test)
    sides = examples.sides(name, EXAMPLES[name])
    assert asked["of"] == [f"example/{side}" for side in sides]
    heads = [trace_of(of, asked["row"]).head() for of in asked["of"]]
    assert {head["family"] for head in heads} == {EXAMPLES[name].family}
    assert len({head["learner"] for head in heads}) == len(sides)
    (query,) = [query for to, query in links if to == "train.py"]
    assert Recipe.from_query(query) == EXAMPLES[name].recipe


def test_a_model_is_chosen_with_its_first_example_and_then_another():
    test = page()
    test.selectbox[0].select(examples.PAIRED).run()
    assert chosen(test) == next(iter(PAIRS))
    assert "beside" not in told(test)
    test.selectbox[1].select("cd-and-s-dcp").run()
    assert (chosen(test), len(told(test)["of"])) == ("cd-and-s-dcp", 2)


@pytest.mark.parametrize("asked", ["", "nothing", "<b>x</b>", "pcdd", "a" * 5000])
def test_what_is_no_example_is_said_until_one_is_chosen(asked):
    test = page(example=asked)
    (warning,) = test.warning
    assert warning.value.startswith("There is no example ")
    assert warning.value.endswith(" is shown instead.")
    assert ("Did you mean pcd" in warning.value) == (asked == "pcdd")
    assert chosen(test) == "cd"
    test.selectbox[1].select("pcd").run()
    assert not test.warning


def test_a_parameter_that_means_nothing_is_said():
    (warning,) = page(example="cd", exemple="pcd").warning
    assert "exemple" in warning.value


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_of_steps_has_a_view_a_drawing_and_an_example(family):
    assert families.view_of(family)
    assert (Path(families.__file__).parent / f"{family}.js").exists()
    assert family in {example.family for example in DRAWN.values()}


@pytest.mark.parametrize("name", ["", "none", "cd-and-pcd", "../run"])
def test_an_example_that_is_none_is_gone_by_route(name):
    with pytest.raises(Gone, match="example must be one of cd, "):
        trace_of(f"example/{name}", 0)


def test_what_is_looked_at_first_is_what_was_found():
    looked = {name: choice(example) for name, example in STEPS.items()}
    assert looked["cd"] == {"pick": "w", "index": 8 * 4 + 0}
    assert looked["mle-bp"] == {"pick": "w", "index": 5 * 6 + 4}
    assert looked["lr"] == {"pick": "v", "index": 6}
    assert looked["bslm"] == {"pick": "m", "index": 4}  # of 01 02 03 12 13 23
    assert looked["ga"] == {"pick": "b", "index": 0}
    assert looked["fw"] == {"pick": "h", "index": 3}
    assert looked["l-bfgs"] == {"pick": "p", "index": 8}
    assert looked["greedy"] is None


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_leads_to_a_step_of_its_own(name):
    found = examples.of_learner(name)
    assert (type(STEPS[found].learner).__name__ == name) if found else name not in shown()


def shown() -> set[str]:
    return {type(STEPS[key].learner).__name__ for key in DRAWN if key in STEPS}


def test_trains_settings_lead_to_a_step_of_its_learner(links):
    opened(STEPS["pcd"].recipe)
    assert ("step.py", {"example": "pcd"}) in links
