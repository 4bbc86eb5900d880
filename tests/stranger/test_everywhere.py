"""A model that the project does not know goes through all of it, with no line about it outside its own file."""

import dataclasses
import json
import time

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from boltzcore import Recipe, models, train
from boltzcore.__main__ import main
from boltzcore.measures import MEASURES
from boltzcore.measures.merit import merit
from boltzcore.runs.checkpoint import load_state, save_state
from boltzcore.runs.engine import Engine
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.scheduler import Scheduler
from boltzcore.runs.store import Store
from boltzcore.runs.trace import trace_csv
from boltzcore.warmup import needed
from pages.common import lab
from pages.live.run_frame import frame_of
from pages.views import generic, view_of
from tests.conftest import REPOSITORY
from tests.stranger.trinomial import UPDATES, Counting, Known, Trinomial

pytestmark = pytest.mark.nightly


def recipe(**schedule) -> Recipe:
    return Recipe("trinomial", "weather", Counting(), Schedule(**{"length": 40, "unit": "updates", **schedule}))


def records(steps) -> list[tuple]:
    return [(r.count, r.epoch, r.work, dict(r.values)) for r in (step.record for step in steps) if r]


def until(condition) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "it did not come true in time"
        time.sleep(0.005)


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


def test_its_data_know_what_they_were_drawn_from():
    dataset = recipe().data.load()
    assert dataset.shape is None
    assert dataset.names.columns == ("sky", "wind", "rain", "leaves")
    best = dataset.truth.log_probability(dataset.test.v).mean()
    last = list(train(recipe()))[-1]
    assert last.record.values["test_log_likelihood"] == pytest.approx(best, abs=0.1)
    drawn = dataset.truth.sample(20_000, 5)
    assert [np.bincount(column, minlength=3) / 20_000 for column in drawn.T] == [
        pytest.approx(rates, abs=0.02) for rates in Known.rates
    ]


def test_its_file_keeps_its_own_types_and_names_and_is_known_by_its_arrays(tmp_path):
    model, names = list(train(recipe()))[-1].state.model, recipe().data.load().names
    model.save(tmp_path / "model.npz", names=names)
    again = models.load(tmp_path / "model.npz")
    assert type(again) is Trinomial
    for name in Trinomial.ARRAYS:
        assert getattr(again, name).dtype == getattr(model, name).dtype
        assert np.array_equal(getattr(again, name), getattr(model, name))
    assert models.names_in(tmp_path / "model.npz") == names


def test_a_link_and_a_file_give_an_equal_recipe():
    made = dataclasses.replace(recipe(patience=3), learner=Counting(pseudocount=0.5))
    assert Recipe.from_query(made.to_query()) == Recipe.from_json(made.to_json()) == made


def test_a_checkpoint_goes_on_with_the_same_numbers(tmp_path):
    steps = list(train(recipe()))
    save_state(tmp_path / "state.npz", steps[4].state)
    rest = list(train(recipe(), resume=load_state(tmp_path / "state.npz", recipe())))
    assert records(steps[:5]) + records(rest) == records(steps)


def test_a_run_survives_the_death_of_its_server(tmp_path):
    first = Engine(Store(tmp_path), slots=1)
    run = first.create(recipe())
    run.step(4)
    until(lambda: (kept := Store(tmp_path).load(run.id)) is not None and kept.state and kept.state.count == 4)
    second = Engine(Store(tmp_path), slots=1)  # nobody has closed the first: it might as well be dead
    revived = second.get(run.id)
    assert revived is not run
    revived.play()
    until(lambda: revived.snapshot.status == "finished")
    told = [(r.count, r.epoch, r.work, dict(r.values)) for r in revived.snapshot.records]
    assert told == records(train(recipe()))
    assert revived.snapshot.best.count == UPDATES
    until(lambda: [entry.merit for entry in Store(tmp_path).list()] == [revived.snapshot.best_value])
    assert trace_csv(revived.snapshot.records).count("\n") == UPDATES + 2
    for engine in (first, second):
        engine.shutdown()


def test_many_are_trained_at_once():
    wanted = records(train(recipe()))
    with Scheduler([recipe(seed=seed) for seed in range(3)]) as scheduler:
        for _, found in scheduler.endings():
            assert [(r.count, r.epoch, r.work, dict(r.values)) for r in found.records] == wanted  # it draws nothing


def test_the_command_line_trains_and_evaluates_it(tmp_path, capsys):
    file, trace = tmp_path / "model.npz", tmp_path / "trace.csv"
    command = ["train", "--model", "trinomial", "--learner", "Counting", "--data", "weather", "--updates", "40"]
    assert main([*command, "--set", "pseudocount=0.5", "--out", str(file), "--trace", str(trace)]) == 0
    told = capsys.readouterr().out
    assert "test log likelihood" in told
    assert "nats per example" in told
    assert models.names_in(file).columns == ("sky", "wind", "rain", "leaves")
    assert main(["evaluate", str(file), "--data", "weather", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    model, rows = models.load(file), PreparedData.from_recipe(recipe()).rows
    wanted = MEASURES["log_likelihood"](model, rows)
    assert {name: figures[name] for name in wanted} == wanted
    assert figures["test_base_rate"] < 0
    assert main(["evaluate", str(file), "--data", "weather"]) == 0
    assert "Independent columns of three values with 4 columns of three values on weather" in capsys.readouterr().out
    for listing, name in (("models", "trinomial"), ("learners", "Counting"), ("data list", "weather")):
        assert main(listing.split()) == 0
        assert f"{name}: " in capsys.readouterr().out
    assert main([*command, "--data", "mnist-small"]) == 2
    assert capsys.readouterr().err == "data must have at most three levels, not 256.\n"


def test_other_models_refuse_its_data(capsys):
    assert main(["train", "--data", "weather"]) == 2
    assert capsys.readouterr().err == "data must have two levels for an RBM, whose units are off or on, not 3.\n"
    assert main(["train", "--model", "crbm", "--learner", "MSSVM", "--data", "weather"]) == 2
    assert capsys.readouterr().err.startswith("data must be images to be corrupted")


# -- pages --------------------------------------------------------------------------------------------


def opened(page: str, **query: str) -> AppTest:
    test = AppTest.from_file(str(REPOSITORY / "pages" / page), default_timeout=60)
    for key, text in query.items():
        test.query_params[key] = text
    return test.run()


def said(test: AppTest) -> str:
    return "\n".join(
        element.value
        for kind in (test.warning, test.info, test.error, test.markdown, test.caption, test.get("html"))
        for element in kind
        if isinstance(getattr(element, "value", None), str)
    )


def trained(**schedule) -> AppTest:
    test = opened("train.py", **recipe(**schedule).to_query())
    assert not test.exception
    next(button for button in test.button if button.label == "Play").click().run()
    until(lambda: lab.engine().get(test.session_state["run"]).snapshot.status == "finished")
    return test.run()


def test_the_page_train_shows_it_with_the_generic_view():
    assert view_of("trinomial") is generic
    assert needed(recipe()) is None
    before = opened("train.py", **recipe().to_query())
    assert "What it learns from" in said(before)
    assert "sky" in before.dataframe[0].value.columns
    test = trained()
    assert not test.exception
    run = lab.engine().get(test.session_state["run"])
    assert run.snapshot.state.count == UPDATES
    frame = frame_of(run.recipe, run.snapshot)
    panels = {item.key: item.panel() for item in frame.items}
    assert panels["curve"].title == "Log-likelihood of the validation rows"
    assert panels["array rates"].rest == ": 4 × 3 numbers"
    assert {len(column.texts) for column in panels["last"].content.columns} == {8}
    assert "Log-likelihood of the validation rows" in [name for name, *_ in frame.figures]


def test_the_library_shows_its_data_its_file_and_its_trainings(tmp_path, monkeypatch):
    monkeypatch.setattr(st, "page_link", lambda *_, **__: None)  # a page of its own knows of no others
    run = lab.engine().get(trained(seed=5).session_state["run"])
    assert "grey" in opened("library.py", view="data", set="weather").dataframe[0].value["rain"].tolist()
    reached = f"log-likelihood \N{MINUS SIGN}{-run.snapshot.best_value:.4g} nats per example"
    assert reached in said(opened("library.py", view="trainings"))
    run.snapshot.state.model.save(tmp_path / "model.npz")
    test = opened("library.py", view="models", on="weather")
    test.file_uploader[0].upload("model.npz", (tmp_path / "model.npz").read_bytes(), "application/octet-stream").run()
    assert not test.exception
    assert "counts: 4 numbers" in said(test)
    assert test.metric[0].value == "4"
