"""The routes of an update that is taken apart: numbers are those of the dissection, and nobody gets what is not his."""

import base64
import json

import numpy as np
import pytest

from boltzcore.data import RandomFVBM, upload
from boltzcore.learners import BSLM, CD, PCD, SDCP, GreedyMDL
from boltzcore.models import FVBMSetup, LogLinearSetup, RBMSetup
from boltzcore.reference import trace
from boltzcore.reference.traces.coordinate import climb
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from pages.common import lab
from pages.inside import sources
from pages.inside.sources import of_run
from tests.live.conftest import RECIPE, until

TYPES = {"u1": np.uint8, "i4": np.int32, "f4": np.float32, "f8": np.float64}


def array(packed):
    return np.frombuffer(base64.b64decode(packed["bytes"]), TYPES[packed["type"]]).reshape(packed["shape"])


@pytest.fixture
def rests():
    """Makes runs of a recipe that have made some updates and rest."""
    made = []

    def one(recipe=RECIPE, updates=3):
        run = lab.engine().create(recipe, play=False)
        made.append(run)
        run.step(updates)
        until(lambda: run.snapshot.status == "paused" and run.snapshot.state and run.snapshot.state.count == updates)
        return run

    yield one
    for run in made:
        lab.engine().delete(run.id)


def test_a_step_is_told_with_the_numbers_of_its_dissection(ask, rests):
    run = rests()
    told = ask(f"/steps/trace?of={of_run(run)}&row=2").json()
    state, learner = run.snapshot.state, run.recipe.learner
    dissection = trace(learner, state, run.snapshot.prepared.dataset.train, row=2)
    assert [each["kind"] for each in told["phases"]] == [each.kind for each in dissection.phases]
    for phase, packed in zip(dissection.phases, told["phases"], strict=True):
        assert packed["words"]
        assert packed["equation"]
        for name, values in phase.arrays.items():
            np.testing.assert_array_equal(array(packed["arrays"][name]), values)
    after = learner.advance(state.copy(), run.snapshot.prepared.dataset.train).model
    np.testing.assert_allclose(array(told["models"][-1]["W"]), after.W, atol=1e-5)
    assert (told["count"], told["row"], told["shape"]) == (3, 2, [3, 3])


def test_of_large_matrices_only_what_belongs_to_a_unit_travels(ask, rests):
    recipe = Recipe(
        model=RBMSetup(hidden=70),
        data="digits",
        learner=PCD(batch_size=10),
        schedule=Schedule(length=10**6, every=1000),
    )
    run = rests(recipe, 2)
    of = of_run(run)
    told = ask(f"/steps/trace?of={of}").json()
    matrix = told["models"][0]["W"]
    assert matrix["shape"] == [64, 70]
    assert "bytes" not in matrix
    assert matrix["most"] == pytest.approx(np.abs(run.snapshot.state.model.W).max())
    column = ask(f"/steps/unit?of={of}&mark={told['mark']}&axis=h&index=69").json()
    np.testing.assert_array_equal(array(column["models"][0]["W"]), run.snapshot.state.model.W[:, 69])
    row = ask(f"/steps/unit?of={of}&mark={told['mark']}&axis=v&index=63").json()
    np.testing.assert_array_equal(array(row["models"][0]["W"]), run.snapshot.state.model.W[63])
    assert len(json.dumps(told)) < 60_000
    for asked in ("axis=h&index=70", "axis=h&index=-1", "axis=h&index=999999999", "axis=v&index=64"):
        assert ask(f"/steps/unit?of={of}&mark={told['mark']}&{asked}").status == 404
    run.step()
    until(lambda: run.snapshot.status == "paused" and run.snapshot.state.count == 3)
    assert "gone on" in ask(f"/steps/unit?of={of}&mark={told['mark']}&axis=h&index=1").text()


@pytest.mark.parametrize(
    ("learner", "most"),
    [(CD(K=100, batch_size=0), 30), (SDCP(d=50, K_prime=2, batch_size=0), 50)],
    ids=["chain", "inner steps"],
)
def test_what_repeats_itself_flies_past_and_its_end_is_that_of_the_whole(ask, rests, learner, most):
    run = rests(Recipe(RBMSetup(hidden=3), "bars-and-stripes", learner, Schedule(length=10**6, every=1000)))
    told = ask(f"/steps/trace?of={of_run(run)}").json()
    folded = [each for each in told["phases"] if each["folded"]]
    assert len(told["phases"]) <= most
    assert len(folded) >= 1
    assert all(0 < len(each["keyframes"]) <= 24 and "v" in each["keyframes"][0]["arrays"] for each in folded)
    assert told["phases"][-1]["kind"] == "new"
    after = learner.advance(run.snapshot.state.copy(), run.snapshot.prepared.dataset.train).model
    np.testing.assert_allclose(array(told["models"][-1]["W"]), after.W, atol=1e-5)


def test_of_a_long_sweep_the_largest_steps_are_shown(ask, rests):
    run = rests(Recipe(FVBMSetup(), RandomFVBM(d=12, n=100), BSLM(), Schedule(length=10**6, every=1000)))
    of = of_run(run)
    told = ask(f"/steps/trace?of={of}").json()
    data = run.snapshot.prepared.dataset.train
    taken = trace(run.recipe.learner, run.snapshot.state, data)
    assert sum(each["folded"] or 1 for each in told["phases"]) == len(taken.phases) == 1 + 12 + 66
    assert len(told["phases"]) < 30
    moved = [abs(float(each.arrays["after"] - each.arrays["before"])) for each in taken.phases[1:]]
    alone = [array(each["arrays"]["after"]) - array(each["arrays"]["before"]) for each in told["phases"][1:]]
    assert max(moved) == max(np.abs(alone))
    last = told["phases"][-1]["arrays"]
    for name, values in {**taken.phases[-1].arrays, **climb(taken, data, len(taken.phases) - 1)}.items():
        np.testing.assert_allclose(array(last[name]), values, rtol=1e-6)


def test_a_greedy_step_names_its_terms_in_the_words_of_the_table(ask, rests):
    table = upload(b"sun,rain,wind\n" + b"yes,no,no\nno,yes,no\nyes,no,yes\nno,yes,yes\n" * 20)
    lab.keep_table(table)
    run = rests(Recipe(LogLinearSetup(), table, GreedyMDL(), Schedule(length=10**6, every=1000)), 1)
    lab.adopt(run)
    assert run.snapshot.state.model.n_terms == 1
    told = {each["kind"]: each for each in ask(f"/steps/trace?of={of_run(run)}").json()["phases"]}
    assert told["present"]["names"] == ["sun and rain differ"]
    assert "over" in told


def test_a_step_on_somebodys_own_table_is_his_alone(ask, rests):
    table = upload(b"left,middle,right\n" + b"0,1,1\n1,0,1\n1,1,0\n0,0,1\n" * 5)
    run = rests(Recipe(RBMSetup(hidden=2), table, CD(batch_size=0), Schedule(length=10**6, every=1000)))
    lab.adopt(run)
    lab.keep_table(table)
    mine = of_run(run)
    lab.end_grant(lab.grant_of(table.digest))
    lab.keep_table(table)
    again = of_run(run)
    assert ask(f"/steps/trace?of={again}").json()["names"] == ["left", "middle", "right"]
    lab.end_grant(lab.grant_of(table.digest))
    for name in (mine, again, of_run(run), f"run/{run.id}/", f"run/{run.id}/{'0' * 24}", f"run/{run.id}/%C3%A9"):
        assert ask(f"/steps/trace?of={name}").status == 404


def test_what_cannot_be_looked_into_is_said_in_a_sentence(ask, rests):
    run = rests()
    of = of_run(run)
    assert ask("/steps/trace?of=run/nobody").status == 404
    assert ask("/steps/trace?of=%00/../x").status == 404
    assert ask("/steps/trace").status == 404
    assert ask(f"/steps/trace?of={of}/more").status == 404
    assert ask(f"/steps/unit?of={of}&axis=&index=0").status == 404
    for row in ("99", "-1", "9" * 30, "x"):  # a last mini-batch may be short of rows
        assert ask(f"/steps/trace?of={of}&row={row}").json()["row"] == 0
    run.play()
    until(lambda: run.snapshot.status == "running")
    busy = ask(f"/steps/trace?of={of}")
    assert (busy.status, busy.text()) == (400, "A step can be looked into while the training rests: press Pause.")
    assert ask(f"/steps/trace?of={of}", sec_fetch_site="cross-site").status == 403


def test_a_rate_that_was_changed_and_another_state_of_the_same_update_are_told_as_they_are(ask, rests):
    run = rests()
    of, rates, models = of_run(run), [], []

    def told():
        head = ask(f"/steps/trace?of={of}").json()
        rates.append(head["values"]["rate"])
        models.append(array(head["models"][0]["W"]))

    told()
    run.change(rate=0.5)
    until(lambda: run.recipe.changes and run.snapshot.status == "paused")
    told()
    run.restore_best()
    until(lambda: run.snapshot.state.count == 0 and run.snapshot.status == "paused")
    run.change(rate=0.25)
    run.step(3)
    until(lambda: run.snapshot.state.count == 3 and run.snapshot.status == "paused")
    told()
    assert rates == [0.05, 0.5, 0.25]
    np.testing.assert_array_equal(models[0], models[1])
    np.testing.assert_array_equal(models[2], run.snapshot.state.model.W)
    assert not np.array_equal(models[2], models[1])


def test_what_is_kept_is_bounded_by_its_bytes_and_forgets_what_nobody_asks_for(ask, rests, monkeypatch):
    run = rests()
    of = of_run(run)
    sources._kept.clear()
    for row in range(8):
        ask(f"/steps/trace?of={of}&row={row}").json()
    assert len(sources._kept) == 8
    assert all(trace.dissection.after is None and trace.bytes > 0 for trace, _ in sources._kept.values())
    monkeypatch.setattr(sources, "BYTES", 1)
    ask(f"/steps/trace?of={of}&row=9").json()
    assert len(sources._kept) == 1
    monkeypatch.setattr(sources, "SECONDS", -1.0)
    ask(f"/steps/trace?of={of}&row=10").json()
    assert not sources._kept


def test_a_step_that_takes_too_long_is_given_up(ask, rests, monkeypatch):
    run = rests(Recipe(RBMSetup(hidden=64), "digits", PCD(K=1000), Schedule(length=10**6, every=1000)), 1)
    monkeypatch.setattr(sources, "LONGEST", 0.0)
    answer = ask(f"/steps/trace?of={of_run(run)}")
    assert (answer.status, "takes too long" in answer.text()) == (404, True)
