"""The studies of paper 2, made small."""

import dataclasses
import json
import signal
import statistics
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import pytest

from boltzcore import Recipe
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.papers import STUDIES, dc_programming, study
from boltzcore.ticks import idle
from boltzcore.training.loop import train


def test_rows_are_the_mean_and_median_of_the_trials(monkeypatch):
    monkeypatch.setitem(dc_programming.SMALL, "quick", (3, (250, 500)))
    rows = list(STUDIES["dcp-small"].rows("quick", idle))
    assert {(row["data"], row["divisor"], row["rate"], row["learner"]) for row in rows} == {
        (data, divisor, rate, name)
        for data, n in (("shifting-bar", 9), ("bars-and-stripes", 14))
        for divisor in (1, n / 2, n)
        for rate in (0.3, 0.5)
        for name in ("CD", "PCD", "CG", "S-DCP", "CS-DCP")
    }
    row = next(row for row in rows if (row["rate"], row["learner"]) == (0.3, "CS-DCP"))
    recipes = dc_programming.small_recipes("shifting-bar", 0.3, 1, "CS-DCP", 3, 500)
    assert [recipe.schedule.seed for recipe in recipes] == [0, 1, 2]
    trials = [[step.record.values["test_log_likelihood"] for step in train(recipe)] for recipe in recipes]
    assert row["epochs"] == [250, 500]
    mean = [statistics.fmean(values) for values in zip(*trials, strict=True)]
    assert row["best_mean"] == pytest.approx(max(mean))
    enough = mean[0] + 0.9 * (max(mean) - mean[0])
    assert row["epoch_at_90_percent"] == (
        250 * next(i for i, value in enumerate(mean) if value >= enough) if enough > mean[0] else None
    )
    assert row["mean"] == pytest.approx([statistics.fmean(trial[i] for trial in trials) for i in (1, 2)])
    assert row["median"] == pytest.approx([statistics.median(trial[i] for trial in trials) for i in (1, 2)])


def test_learners_of_a_trial_start_alike_and_cost_alike():
    starts, works = [], []
    for name in dc_programming.SMALL_LEARNERS:
        first, *_, last = train(dc_programming.small_recipes("shifting-bar", 0.3, 1, name, 2, 250)[1])
        starts.append(first.state.model.W)
        works.append(last.state.work)
    assert all(np.array_equal(start, starts[0]) for start in starts)
    assert set(works) == {250 * 12}


def test_on_an_executor_the_rows_are_the_same(monkeypatch, tmp_path, run_json, refuse):
    @contextmanager
    def place(address, recipes, tick):
        with ThreadPoolExecutor(2) as pool:
            yield pool if address else None, 2, tick

    monkeypatch.setattr("boltzcore.commands.study.open_executor", place)
    monkeypatch.setitem(dc_programming.SMALL, "quick", (1, (250,)))
    found = []
    for options in ([], ["--executor", "tcp://x"]):
        monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path / str(len(options))))
        found.append(run_json("study", "dcp-small", *options)["rows"])
        monkeypatch.setattr(study, "train_trial", lambda *_, **how: pytest.fail("was not trained there"))
    assert len(found[0]) == 60
    assert found[0] == found[1]
    assert "--executor" in refuse("study", "dcp-mnist", "--executor", "tcp://127.0.0.1:9")  # more than trainings


def test_ctrl_c_keeps_the_rows_made(monkeypatch, run_command):
    def make(scale, cells, tick):
        yield {}
        signal.raise_signal(signal.SIGINT)
        tick(0.5)

    monkeypatch.setitem(STUDIES, "dcp-mnist", dataclasses.replace(STUDIES["dcp-mnist"], make=make))
    status, out, _ = run_command("study", "dcp-mnist", "--json")
    reply = json.loads(out)
    assert (status, reply["finished"]) == (130, False)
    assert reply["rows"] == [{"training": "CD", "epoch": 1}]


def test_a_large_study_goes_on_within_a_training(monkeypatch):
    monkeypatch.setattr(dc_programming, "AT", {"quick": (1, 2, 3)})
    trainings = {"a CD": Recipe(RBMSetup(hidden=3), "bars-and-stripes", CD(), measures=())}
    cells, shares = [("a CD", epoch) for epoch in (1, 2, 3)], []

    def made(cells, tick=idle):
        rows = dc_programming.estimates(trainings, "quick", cells, tick)
        return ({name: value for name, value in row.items() if name != "seconds_per_epoch"} for row in rows)

    stopped = made(cells)
    first = [next(stopped), next(stopped)]
    assert list(made(cells[2:], shares.append)) == list(made(cells))[2:]
    assert shares[-1] == 1
    assert min(share for share in shares if share) > 1 / 3  # it did not begin anew
    assert list(made(cells[1:])) == [first[1], *made(cells[2:])]


@pytest.mark.nightly
def test_a_large_study_tells_seconds_and_estimates(data_folder, monkeypatch):
    monkeypatch.setattr(dc_programming, "AT", {"quick": (1,)})
    monkeypatch.setattr(dc_programming, "ANNEALING", dc_programming.ANNEALING.changed(chains=4, temperatures=20))
    recipe = Recipe(RBMSetup(hidden=30), "mnist", CD(K=1, batch_size=2000), measures=())
    (row,) = dc_programming.estimates({"a CD": recipe}, "quick", [("a CD", 1)], idle)
    assert row["seconds_per_epoch"] > 0
    assert row["test_log_likelihood_ais_low"] < row["test_log_likelihood_ais"] < 0
