"""A model that the project does not know goes through all of it, with no line about it outside its own file."""

import numpy as np
import pytest
import streamlit as st

from boltzcore import Recipe, models, registry, train
from boltzcore.measures import MEASURES
from boltzcore.measures.merit import merit
from boltzcore.training.prepared import PreparedData
from boltzcore.training.schedule import Schedule
from boltzcore.warmup import needed
from pages.common import lab
from pages.stream.run_frame import frame_of
from pages.views import generic, view_of
from tests.extension.trinomial import ENTRY, LEARNER, UPDATES, Counting, TrinomialSetup, Weather
from tests.pages.train import current, opened, play, run_training
from tests.pages.visit import text_of, visit

pytestmark = pytest.mark.nightly


@pytest.fixture(autouse=True)
def entered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stranger is entered, as its one entry each in the registry would."""
    monkeypatch.setitem(registry.MODELS, TrinomialSetup.name, ENTRY)
    monkeypatch.setitem(registry.LEARNERS, Counting.__name__, LEARNER)
    monkeypatch.setitem(registry.DATASETS, Weather.name, Weather)


def recipe(**schedule) -> Recipe:
    return Recipe("trinomial", "weather", Counting(), Schedule(**{"length": 40, "unit": "updates", **schedule}))


def test_it_trains_until_its_own_rule_holds_and_held_out_rows_judge_it():
    steps = list(train(recipe()))
    assert [step.record.count for step in steps] == list(range(UPDATES + 1))
    assert [step.state.done for step in steps] == [False] * UPDATES + [True]
    values = [step.record.values for step in steps]
    assert set(values[0]) == {f"{split}_log_likelihood" for split in ("train", "validation", "test")}
    assert values[0]["train_log_likelihood"] == pytest.approx(-4 * np.log(3))
    judged = [merit(each, recipe().entry.merit) for each in values]
    assert judged == [each["validation_log_likelihood"] for each in values]
    assert judged == sorted(judged)


def test_the_command_line_trains_and_evaluates_it(tmp_path, run_command, run_json, refuse):
    file, trace = tmp_path / "model.npz", tmp_path / "trace.csv"
    command = ["train", "--model", "trinomial", "--learner", "Counting", "--data", "weather", "--updates", "40"]
    assert run_command(*command, "--set", "pseudocount=0.5", "--out", file, "--trace", trace)[0] == 0
    assert models.names_in(file).columns == ("sky", "wind", "rain", "leaves")
    figures = run_json("evaluate", file, "--data", "weather")
    model, rows = models.load(file), PreparedData.from_recipe(recipe()).rows
    wanted = MEASURES["log_likelihood"](model, rows)
    assert {name: figures[name] for name in wanted} == wanted
    for listing, name in (("models", "trinomial"), ("learners", "Counting"), ("data list", "weather")):
        assert name in run_command(*listing.split())[1].replace(":", " ").split()
    refuse(*command, "--data", "mnist-small")


# -- pages --------------------------------------------------------------------------------------------


def test_the_page_train_shows_it_with_the_generic_view():
    assert view_of("trinomial") is generic
    assert needed(recipe()) is None
    before = opened(recipe())
    assert "sky" in before.dataframe[0].value.columns
    run = current(play(before))
    assert run.snapshot.state.count == UPDATES
    panels = {item.key: item.panel() for item in frame_of(run.recipe, run.snapshot).items}
    assert "array rates" in panels
    lab.engine().delete(run.id)  # no list can show it without its model


def test_the_library_shows_its_data_and_its_trainings(monkeypatch):
    monkeypatch.setattr(st, "page_link", lambda *_, **__: None)  # a page of its own knows of no others
    run = run_training(recipe(seed=5))
    assert "grey" in visit("library", view="data", set="weather").dataframe[0].value["rain"].tolist()
    reached = f"log-likelihood \N{MINUS SIGN}{-run.snapshot.best_value:.4g} nats per example"
    assert reached in text_of(visit("library", view="trainings"))
    lab.engine().delete(run.id)
