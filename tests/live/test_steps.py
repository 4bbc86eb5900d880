"""The routes of an update that is taken apart: numbers are those of the dissection, and go to their owner alone."""

import base64
import json

import numpy as np
import pytest

from boltzcore import reference
from boltzcore.data import upload
from boltzcore.learners import CD, PCD, SDCP
from boltzcore.models import RBMSetup
from boltzcore.reference import trace
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.common import lab
from pages.inside import sources
from pages.inside.sources import of_run
from pages.web.session import SESSION
from tests.live.conftest import RECIPE, until


def array(packed):
    return np.frombuffer(base64.b64decode(packed["bytes"]), packed["type"]).reshape(packed["shape"])


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


def test_a_step_is_sent_with_the_numbers_of_its_dissection(ask, rests):
    run = rests()
    sent = ask(f"/steps/trace?of={of_run(run)}&row=2").json()
    state, learner = run.snapshot.state, run.recipe.learner
    dissection = trace(learner, state, run.snapshot.prepared.dataset.train, row=2)
    assert [each["kind"] for each in sent["phases"]] == [each.kind for each in dissection.phases]
    for phase, packed in zip(dissection.phases, sent["phases"], strict=True):
        for name, values in phase.arrays.items():
            np.testing.assert_array_equal(array(packed["arrays"][name]), values)
    after = learner.advance(state.copy(), run.snapshot.prepared.dataset.train).model
    np.testing.assert_allclose(array(sent["models"][-1]["W"]), after.W, atol=1e-5)
    assert (sent["count"], sent["row"], sent["shape"]) == (3, 2, [3, 3])


def test_of_large_matrices_only_what_belongs_to_a_unit_travels(ask, rests):
    run = rests(Recipe(RBMSetup(hidden=70), "digits", PCD(batch_size=10), Schedule(length=10**6, every=1000)), 2)
    of = of_run(run)
    sent = ask(f"/steps/trace?of={of}").json()
    matrix = sent["models"][0]["W"]
    assert matrix["shape"] == [64, 70]
    assert "bytes" not in matrix
    assert matrix["most"] == pytest.approx(np.abs(run.snapshot.state.model.W).max())
    column = ask(f"/steps/unit?of={of}&mark={sent['mark']}&axis=h&index=69").json()
    np.testing.assert_array_equal(array(column["models"][0]["W"]), run.snapshot.state.model.W[:, 69])
    row = ask(f"/steps/unit?of={of}&mark={sent['mark']}&axis=v&index=63").json()
    np.testing.assert_array_equal(array(row["models"][0]["W"]), run.snapshot.state.model.W[63])
    assert len(json.dumps(sent)) < 60_000
    whole = ask(f"/steps/trace?of={of}&whole=1").json()  # for a file, which can ask for nothing
    np.testing.assert_array_equal(array(whole["models"][0]["W"]), run.snapshot.state.model.W)
    for asked in ("axis=h&index=70", "axis=h&index=-1", "axis=h&index=999999999", "axis=v&index=64"):
        assert ask(f"/steps/unit?of={of}&mark={sent['mark']}&{asked}").status == 404
    run.step()
    until(lambda: run.snapshot.status == "paused" and run.snapshot.state.count == 3)
    assert ask(f"/steps/unit?of={of}&mark={sent['mark']}&axis=h&index=1").status != 200


@pytest.mark.parametrize(
    ("learner", "most"),
    [(CD(K=100, batch_size=0), 30), (SDCP(d=50, K_prime=2, batch_size=0), 50)],
    ids=["chain", "inner steps"],
)
def test_what_repeats_itself_flies_past_and_its_end_is_that_of_the_whole(ask, rests, learner, most):
    run = rests(Recipe(RBMSetup(hidden=3), "bars-and-stripes", learner, Schedule(length=10**6, every=1000)))
    sent = ask(f"/steps/trace?of={of_run(run)}").json()
    folded = [each for each in sent["phases"] if each["folded"]]
    assert len(sent["phases"]) <= most
    assert len(folded) >= 1
    assert all(0 < len(each["keyframes"]) <= 24 and "v" in each["keyframes"][0]["arrays"] for each in folded)
    assert sent["phases"][-1]["kind"] == "new"
    after = learner.advance(run.snapshot.state.copy(), run.snapshot.prepared.dataset.train).model
    np.testing.assert_allclose(array(sent["models"][-1]["W"]), after.W, atol=1e-5)


def test_a_step_on_a_private_table_is_its_owners_alone(ask, rests):
    table = upload(b"left,middle,right\n" + b"0,1,1\n1,0,1\n1,1,0\n0,0,1\n" * 5)
    run = rests(Recipe(RBMSetup(hidden=2), table, CD(batch_size=0), Schedule(length=10**6, every=1000)))
    SESSION.run_keys[run.id] = run.key
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
    for what in ("?of=run/none", "?of=%00/../x", "", f"?of={of}/more"):
        assert ask(f"/steps/trace{what}").status == 404
    assert ask(f"/steps/unit?of={of}&axis=&index=0").status == 404
    for row in ("99", "-1", "9" * 30, "x"):  # a last mini-batch may be short of rows
        assert ask(f"/steps/trace?of={of}&row={row}").json()["row"] == 0
    run.play()
    until(lambda: run.snapshot.status == "running")
    busy = ask(f"/steps/trace?of={of}")
    assert busy.status == 400
    assert ask(f"/steps/trace?of={of}", sec_fetch_site="cross-site").status == 403


def test_a_rate_that_was_changed_and_another_state_of_the_same_update_are_sent_as_they_are(ask, rests):
    run = rests()
    of, rates, models = of_run(run), [], []

    def sent():
        head = ask(f"/steps/trace?of={of}").json()
        rates.append(head["values"]["rate"])
        models.append(array(head["models"][0]["W"]))

    sent()
    run.change(rate=0.5)
    until(lambda: run.recipe.changes and run.snapshot.status == "paused")
    sent()
    run.restore_best()
    until(lambda: run.snapshot.state.count == 0 and run.snapshot.status == "paused")
    run.change(rate=0.25)
    run.step(3)
    until(lambda: run.snapshot.state.count == 3 and run.snapshot.status == "paused")
    sent()
    assert rates == [0.05, 0.5, 0.25]
    np.testing.assert_array_equal(models[0], models[1])
    np.testing.assert_array_equal(models[2], run.snapshot.state.model.W)
    assert not np.array_equal(models[2], models[1])


def test_what_is_kept_is_bounded_by_its_bytes_and_forgets_what_is_not_asked_for(ask, rests, monkeypatch):
    of, taken = of_run(rests()), []
    monkeypatch.setattr(reference, "trace", lambda *of, **how: taken.append(how) or trace(*of, **how))

    def made(*rows: int) -> int:
        before = len(taken)
        for row in rows:
            ask(f"/steps/trace?of={of}&row={row}").json()
        return len(taken) - before

    assert made(0, 1, 0, 1) == 2
    monkeypatch.setattr(sources, "BYTES", 1)
    assert made(2, 2) == 1
    assert made(0, 2) == 2
    monkeypatch.setattr(sources, "SECONDS", -1.0)
    assert made(2, 2) == 2


def test_a_step_that_takes_too_long_is_given_up(ask, rests, monkeypatch):
    run = rests(Recipe(RBMSetup(hidden=64), "digits", PCD(K=1000), Schedule(length=10**6, every=1000)), 1)
    monkeypatch.setattr(sources, "LONGEST", 0.0)
    assert ask(f"/steps/trace?of={of_run(run)}").status == 404
