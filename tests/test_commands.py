"""The command line, as a person and as a script use it."""

import csv
import dataclasses
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys

import numpy as np
import pytest

from boltzcore import Recipe
from boltzcore.__main__ import main
from boltzcore.data import Examples, load, upload
from boltzcore.learners import CD
from boltzcore.models import RBM, InfiniteRBMSetup, LogLinear, RBMSetup, names_in
from boltzcore.models import load as load_model
from boltzcore.names import Names
from boltzcore.registry import DATASETS, LEARNERS, MODELS
from boltzcore.training.schedule import Schedule
from tests.conftest import REPOSITORY
from tests.runs.toys import WALK, Walk

TINY = "train --data bars-and-stripes --set batch_size=0 --set hidden=4 --epochs 20 --every 10".split()  # noqa: SIM905


def test_models_learners_and_data_sets_are_listed(run_json, run_command):
    for command, known in (("models", MODELS), ("learners", LEARNERS), ("data list", DATASETS)):
        assert set(run_json(*command.split())) == set(known)
        assert all(name in run_command(*command.split())[1] for name in known)
    rate = next(field for field in run_json("learners")["CD"]["fields"] if field["name"] == "rate")
    assert (rate["low"] > 0, rate["live"], bool(rate["help"])) == (True, True, True)
    assert run_json("data", "fetch", "bars-and-stripes")["n_visible"] == 9


def test_a_training_writes_model_trace_and_figures(run_json, tmp_path):
    out, trace = tmp_path / "model.npz", tmp_path / "trace.csv"
    reply = run_json(*TINY, "--set", "rate=0.3", "--seed", "5", "--out", str(out), "--trace", str(trace))
    assert reply["finished"]
    assert reply["updates"] == 20
    assert reply["record"]["test_log_likelihood"] < 0
    recipe = Recipe(
        RBMSetup(hidden=4), "bars-and-stripes", CD(rate=0.3, batch_size=0), Schedule(seed=5, length=20, every=10)
    )
    assert Recipe.from_json(json.dumps(reply["recipe"])) == recipe
    file = tmp_path / "recipe.json"
    file.write_text(recipe.to_json(), encoding="utf-8-sig")  # as editors of Windows write it
    assert run_json("train", "--recipe", file)["recipe"] == reply["recipe"]
    with np.load(out, allow_pickle=False) as arrays:
        assert {name: arrays[name].shape for name in arrays} == {"W": (9, 4), "b": (9,), "c": (4,)}
    with trace.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["count"] for row in rows] == ["0", "10", "20"]
    assert float(rows[-1]["test_log_likelihood"]) == reply["record"]["test_log_likelihood"]


def test_a_field_may_be_named_with_its_owner(run_json):
    held = run_json(*TINY, "--set", "CD.rate=0,25", "--set", "rbm.sigma=0.5", "--set", "bars-and-stripes.D=4")["recipe"]
    assert [held[name] for name in ("CD.rate", "rbm.sigma", "bars-and-stripes.D")] == ["0.25", "0.5", "4"]


def test_half_the_size_is_the_same_model_rounded_if_its_range_allows(run_json, run_command, tmp_path, monkeypatch):
    whole, half = tmp_path / "whole.npz", tmp_path / "half.npz"
    run_json(*TINY, "--out", str(whole))
    run_json(*TINY, "--out", str(half), "--half")
    assert np.array_equal(RBM.load(half).W, RBM.load(whole).W.astype(np.float16))

    class Giant(Walk):
        def advance(self, state, data, *, updates=1, tick=lambda fraction: None):
            state = super().advance(state, data, updates=updates, tick=tick)
            state.model.b[:] = 1e5 * state.count
            return state

    monkeypatch.setitem(LEARNERS, "Giant", dataclasses.replace(WALK, learner=Giant))
    monkeypatch.setitem(MODELS, "rbm", dataclasses.replace(MODELS["rbm"], measures=()))  # else its fall ends it
    command = "train --data bars-and-stripes --learner Giant --updates 3 --set hidden=3"
    status, _, err = run_command(*command.split(), "--out", str(half), "--half")
    assert (status, "--half" in err) == (0, True)
    assert RBM.load(half).b == pytest.approx(3e5)


def test_what_a_learner_says_of_its_data_comes_before_the_training(run_command):
    train = ("train", "--model", "fvbm", "--data", "shifting-bar", "--updates", "2")
    status, out, err = run_command(*train, "--learner", "BSLM", "--json")
    assert (status, json.loads(out)["updates"], bool(err)) == (0, 2, True)
    assert run_command(*train, "--learner", "PseudoLikelihoodLBFGS")[0] == 2


@pytest.mark.parametrize(("value", "patience"), [(np.nan, 0), (np.inf, 9), (1e30, 9)])
def test_the_best_model_before_a_divergence_is_written(run_command, tmp_path, monkeypatch, value, patience):
    class Burst(Walk):
        def start(self, model, data, *, seed):
            state = super().start(model, data, seed=seed)
            state.model.b[:] = -9
            return state

        def advance(self, state, data, *, updates=1, tick=lambda fraction: None):
            state = super().advance(state, data, updates=updates, tick=tick)
            state.model.b[:] = value if state.count == 20 else -3 / state.count
            return state

    monkeypatch.setitem(LEARNERS, "Burst", dataclasses.replace(WALK, learner=Burst))
    out = tmp_path / "model.npz"
    command = ["train", "--data", "bars-and-stripes", "--learner", "Burst", "--set", "hidden=3", "--updates", "20"]
    status, text, err = run_command(*command, "--every", "5", "--patience", str(patience), "--out", str(out), "--json")
    assert (status, "update 20" in err) == (0, True), err
    assert json.loads(text)["model_update"] == 15
    assert RBM.load(out).b == pytest.approx(-0.2)  # of update 15


def test_a_model_is_evaluated_exactly(run_json, tmp_path):
    model = RBMSetup(hidden=5, sigma=1.0).initial(Examples(np.tile([[0], [1]], 9)), seed=1)
    model.save(tmp_path / "model.npz")
    reply = run_json("evaluate", str(tmp_path / "model.npz"), "--data", "bars-and-stripes")
    rows = load("bars-and-stripes").test.v
    assert reply["exact"]
    assert reply["test_log_likelihood"] == pytest.approx(model.log_likelihood(rows).mean(), abs=1e-9)
    assert reply["free_energy_gap"] == pytest.approx(0, abs=1e-9)
    assert reply["test_base_rate"] == pytest.approx(-9 * np.log(2), abs=1e-9)


@pytest.fixture
def saved(tmp_path):
    """Save an untrained model and return its file."""

    def save(setup, data="digits"):
        setup.initial(load(data).train, seed=0).save(tmp_path / "model.npz")
        return tmp_path / "model.npz"

    return save


@pytest.fixture
def senate(run_command, tmp_path):
    """A machine at the maximum of the senate's votes."""
    file = str(tmp_path / "senate.npz")
    options = ("--learner", "BSLM", "--set", "tau=1e-12", "--set", "variance=0", "--updates", "1000")
    assert run_command("train", "--model", "fvbm", "--data", "senate", *options, "--out", file)[0] == 0
    return file


def test_estimates_of_a_fully_visible_machine_have_standard_errors(run_command, run_json, senate):
    options = (senate, "--data", "senate", "--estimates")
    line = run_json("evaluate", *options)["estimates"][18]
    assert (line["parameter"], line["kind"], line["first"], line["second"]) == ("M[AG, JLN]", "coupling", "AG", "JLN")
    assert any("M[AG, JLN]" in row and "0.8834" in row for row in run_command("evaluate", *options)[1].splitlines())


def test_estimates_take_the_table_that_a_model_was_trained_on(run_command, run_json, senate, tmp_path):
    """Of a file of one's own the same rows are held out in training and here."""
    table, file = str(REPOSITORY / "assets" / "senate" / "senate_imputed.csv"), str(tmp_path / "own.npz")
    of = ("--data", table, "--set", "leave_out=Govt", "--set", "validation=0")
    assert run_command("train", "--model", "fvbm", "--learner", "PseudoLikelihoodLBFGS", *of, "--out", file)[0] == 0
    assert run_json("evaluate", file, *of, "--estimates")["estimates"][0]["parameter"] == "b[Opp]"
    assert run_command("evaluate", file, "--data", "senate", "--estimates")[0] == 2  # not at the maximum for all rows


def test_estimates_that_cannot_be_had_are_refused(refuse, senate, saved):
    file = saved(RBMSetup(hidden=2), "senate")
    refuse("evaluate", senate, "--data", "parity", "--estimates")
    assert "--estimates" in refuse("evaluate", file, "--data", "senate", "--estimates")
    assert "model.npz" in refuse("evaluate", file, "--data", "digits")


def test_evaluate_adds_what_is_asked_for(run_json, refuse, saved):
    file = saved(RBMSetup(hidden=8, sigma=0.1))
    plain = run_json("evaluate", file)
    assert {"test_classification_error", "diagnosis", "equilibrium_gap", "verdict"}.isdisjoint(plain)
    reply = run_json("evaluate", file, "--classify", "--diagnose", "--equilibrium", "--set", "temperatures=50")
    assert 0 < reply["test_classification_error"] < 0.9
    assert reply["equilibrium_gap_low"] < 0.1 < 0.2 + reply["equilibrium_gap_high"]
    assert reply["diagnosis"] == []
    exploded = run_json("evaluate", saved(RBMSetup(hidden=8, sigma=4.0)), "--diagnose")["diagnosis"]
    assert {"model.sigma": 0.01} in [each["remedy"]["fields"] for each in exploded if each["remedy"]]
    refuse("evaluate", saved(InfiniteRBMSetup()), "--data", "digits", "--classify")
    # which has no labels
    refuse("evaluate", saved(RBMSetup(hidden=2), "bars-and-stripes"), "--data", "bars-and-stripes", "--classify")


def test_a_table_of_ones_own_is_learnt_from_and_evaluated_on(run_json, tmp_path):
    table, file = tmp_path / "votes.csv", str(tmp_path / "votes.npz")
    table.write_text("who,Opp,AG\n" + "ann,yes,No\nben,,no\ncat,YES,yes\ndan,no,yes\n" * 5)
    options = ("--data", str(table), "--set", "leave_out=who", "--set", "missing=drop rows")
    reply = run_json("train", "--model", "fvbm", *options, "--updates", "5", "--out", file)
    kept = upload(table)
    learnt_from = kept.changed(leave_out="who", missing="drop rows")
    assert Recipe.from_json(json.dumps(reply["recipe"])).data == learnt_from
    assert names_in(file) == Names(("Opp", "AG"), (("no", "yes"),) * 2)
    model = load_model(file)
    rows = learnt_from.load().test.v
    reply = run_json("evaluate", file, *options)
    assert reply["test_log_likelihood"] == pytest.approx(model.log_likelihood(rows).mean(), abs=1e-9)


def test_a_table_is_read_as_the_options_say(run_command, refuse, tmp_path):
    table = tmp_path / "votes.txt"
    table.write_text("made by me\nx;y\n1;0\n-9;1\n" + "0;0\n1;1\n" * 9)
    options = ("train", "--model", "fvbm", "--data", table, "--updates", "1", "--set", "missing=drop rows", "--json")
    status, out, err = run_command(*options, "--separator", ";", "--skip-rows", "1", "--header", "--missing-values=-9")
    assert (status, err.splitlines()[0].startswith("Read as ")) == (0, True), err
    assert json.loads(out)["recipe"]
    assert "separator" in refuse(*options[:5], "--separator", "x")
    assert "decimal" in refuse("train", "--data", "senate", "--decimal", ",")


def test_a_folder_of_data_files_comes_first(run_json, data_folder, monkeypatch):
    monkeypatch.setenv("BOLTZCORE_DATA", "")  # restored after the test, whatever --folder put there
    assert run_json("data", "fetch", "caltech101", "--folder", str(data_folder))["train"] == 4100


REFUSED = {  # {command: what the sentence has to name}
    "train --model crbm --learner CD": "learner",
    "train --model crbm --learner LSSVM --set chains=7": "chains",
    "train --data tests": "data",
    "train --data assets/mnist-small.npz": "mnist-small.npz",
    "train --data assets/senate/senate.csv --set leave_out=AG": "missing",
    "train --data assets/senate/senate.csv --out assets/senate/senate.csv": "--out",
    "evaluate assets/rbm.npz --data nothing.npz": "nothing.npz",
    "evaluate README.md --seed 1_0": "seed",
    "train --epochs 1 --updates 2": "--epochs and --updates",
    "train --recipe README.md --epochs 3 --learner PCD": "--epochs, --learner",
    "evaluate no-such-file.npz": "FILE",
    "evaluate assets/noise-10.npz --set chains=30": "chains",
    "evaluate assets/noise-10.npz --classify": "--classify",
    "evaluate README.md": "README.md",
    "study --store": "--store",
    "bench nothing": "bench",
    "train --dance": "--dance",
}


@pytest.mark.parametrize("command", REFUSED)
def test_bad_input_is_refused(refuse, command, monkeypatch):
    monkeypatch.chdir(REPOSITORY)
    assert REFUSED[command] in refuse(*command.split())


def test_an_ambiguous_field_asks_for_its_owner(refuse, monkeypatch):
    monkeypatch.setitem(DATASETS, "twins", CD)  # has the learner's own fields
    sentence = refuse("train", "--data", "twins", "--set", "rate=1")
    assert {"twins.rate", "CD.rate"} <= set(re.findall(r"[\w-]+\.rate", sentence))


def test_a_training_that_is_interrupted_keeps_what_was_reached(tmp_path):
    out = tmp_path / "model.npz"
    options = ["--updates", "10000000", "--every", "1000000", "--out", str(out), "--json"]
    command = [sys.executable, "-m", "boltzcore", *TINY[:-4], *options]
    screen, terminal = pty.openpty()  # a terminal shows five times a second how far it is
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=terminal, text=True) as process:
        os.close(terminal)
        seen = ""
        while not re.search("update [1-9]", seen):
            seen += os.read(screen, 1024).decode()
        process.send_signal(signal.SIGINT)
        out_text, _ = process.communicate(timeout=60)
    os.close(screen)
    assert process.returncode == 130
    figures = json.loads(out_text)
    assert not figures["finished"]
    assert 0 < figures["updates"] < 10_000_000
    assert RBM.load(out).W.shape == (9, 4)


def test_a_reader_that_goes_away_is_no_error(tmp_path):
    read, write = os.pipe()
    os.close(read)
    command, out = [sys.executable, "-m", "boltzcore"], tmp_path / "model.npz"
    done = subprocess.run([*command, "learners"], cwd=REPOSITORY, stdout=write, stderr=subprocess.PIPE, check=False)
    assert done.stderr == b""
    subprocess.run([*command, *TINY, "--out", str(out)], cwd=REPOSITORY, stderr=write, check=True)
    os.close(write)
    assert RBM.load(out).W.shape == (9, 4)


def test_output_in_another_encoding_is_no_error(tmp_path, monkeypatch):
    """As of a Windows console, or a system in Latin-1."""
    model, written = str(tmp_path / "model.npz"), io.BytesIO()
    LogLinear((2, 2), {3: 0.5}).save(model, names=Names(("\u03b1", "\u03b2")))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "latin-1"))
    assert main(["query", model]) == 0
    sys.stdout.flush()
    assert b"\\u03b1" in written.getvalue()
