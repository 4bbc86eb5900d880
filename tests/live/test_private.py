"""Runs on an uploaded table, past the script: rows are for who may open the table, and nothing is for strangers to
trainings that are gone.
"""

import json

import pytest

from boltzcore.data import grants, upload
from boltzcore.learners import BSLM, CD, FrankWolfe, GreedyMDL
from boltzcore.models import RBMSetup
from boltzcore.reference import trace
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from pages.common import lab
from pages.live.run_frame import frame_of
from tests.live.conftest import titles, until

ROWS = b"Salary,Age,b\n" + b"low,old,0\nhigh,young,1\nlow,young,0\n" * 20
SHORT = Schedule(length=5, unit="updates", every=1)
OF_ROWS = {"Every state", "Ask", "Data", "One unit"}  # titles of panels that show rows, or how often they occur


@pytest.fixture(scope="module")
def table():
    return upload(ROWS)


@pytest.fixture(
    params=[("rbm", CD()), ("infinite-rbm", FrankWolfe()), ("fvbm", BSLM()), ("log-linear", GreedyMDL())],
    ids=lambda each: each[0],
)
def private(request, table):
    name, learner = request.param
    model = RBMSetup(hidden=3) if name == "rbm" else name
    run = lab.engine().create(Recipe(model=model, data=table, learner=learner, schedule=SHORT), play=True)
    until(lambda: run.snapshot.status == "finished" and run.snapshot.observation is not None, 60)
    trace(learner, run.snapshot.state, table.load().train)  # what it compiles no answer waits for
    yield run
    if not run.deleted:
        lab.engine().delete(run.id)


def opening(run, grant) -> str:
    return f"{grant.key}.{lab._sign(run.id, grant.key)}"


def settled(ask, path: str) -> str:
    """The version of the newest frame, once nothing is made any more that it was drawn without."""
    frames = []
    until(lambda: frames.append(ask(path).json()) or not frames[-1]["waits"]["wait"])
    return frames[-1]["version"]


def test_rows_are_shown_to_who_may_open_the_table_until_that_ends(ask, private, table):
    digest, path = table.digest, f"/live/{private.id}/newest"
    uploader = grants.opened_by(grants.give(digest))
    for shown in ("", f"?open={uploader.key}.{'0' * 32}", f"?open={digest}", "?open=.", "?open=%00"):
        answer = ask(f"{path}{shown}")
        frame = answer.json()
        assert digest not in json.dumps(frame)
        assert not titles(frame) & OF_ROWS
    mine = opening(private, uploader)
    full = ask(f"{path}?open={mine}").json()
    assert titles(full) & OF_ROWS
    stream = ask(f"/live/{private.id}/stream?open={mine}")
    newest = settled(ask, f"{path}?open={mine}")
    stream.frame(lambda frame: frame["version"] == newest)  # nothing waits to be read when the table is closed
    trace = f"/steps/trace?of=run/{private.id}"
    assert ask(f"{trace}/{mine}").status == 200
    assert ask(trace).status == 404
    grants.end(uploader)
    assert not titles(ask(f"{path}?open={mine}").json()) & OF_ROWS
    assert ask(f"{trace}/{mine}").status == 404
    name = ""
    while name != "gone":  # nothing of the table comes any more
        name, _ = stream.event()
        assert name in ("gone", "still")
    lab.engine().delete(private.id)
    for gone in (path, f"/live/{private.id}/alive", f"/live/{private.id}/stream"):
        assert ask(gone).status == 404
    assert ask(f"{trace}/{mine}").status == 404


def test_what_a_mini_batch_of_images_pulls_is_for_who_may_see_them():
    """Of two images it is their difference."""
    run = lab.engine().create(Recipe("rbm", "digits", CD(batch_size=2), SHORT), play=True)
    until(lambda: run.snapshot.status == "finished" and "batch" in (run.snapshot.observation or {}))
    frames = [frame_of(run.recipe, run.snapshot).seen_with(right) for right in ("rows", "samples")]
    assert ["pulls" in {item.key for item in frame.items} for frame in frames] == [True, False]
    lab.engine().delete(run.id)
