"""A model may have memorised a private table: it is shown to the owner only."""

import json
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from boltzcore import reference
from boltzcore.data import grants, upload
from boltzcore.learners import BSLM, CD, BeliefPropagationMLE, FrankWolfe, GreedyMDL
from boltzcore.models import CRBMSetup, RBMSetup
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.common import lab
from pages.figures.frame import Frame, Item, Panel
from pages.stream.encoder import FrameEncoder
from pages.stream.run_frame import frame_of
from pages.web.base_url import routes_at
from tests.conftest import REPOSITORY
from tests.live.conftest import newest, until

TABLE = np.random.default_rng(0).integers(0, 2, (25, 20))
LEARNERS = {
    "rbm": (RBMSetup(hidden=64), CD(rate=0.1, K=5, batch_size=0), 4000),
    "infinite-rbm": ("infinite-rbm", FrankWolfe(), 5),
    "fvbm": ("fvbm", BSLM(), 5),
    "log-linear": ("log-linear", GreedyMDL(), 5),
    "crbm": (CRBMSetup(hidden=4), BeliefPropagationMLE(batch_size=0), 5),
}
LEVELS = ("numbers", "columns", "samples", "rows")
SOURCES = [file for room in ("boltzcore", "pages") for file in (REPOSITORY / room).rglob("*.py")]


@pytest.fixture(scope="module")
def table():
    names = ",".join(f"c{i}" for i in range(20))
    return upload("\n".join([names, *(",".join(map(str, row)) for row in TABLE)]).encode()).changed(width=5)


@pytest.fixture(params=LEARNERS)
def private(request, table):
    model, learner, length = LEARNERS[request.param]
    table = table.changed(width=5 if request.param == "crbm" else 0)
    schedule = Schedule(length=length, unit="updates", every=length)
    run = lab.engine().create(Recipe(model=model, data=table, learner=learner, schedule=schedule), play=True)
    until(lambda: run.snapshot.status == "finished" and run.snapshot.observation is not None and not run.unsaved)
    yield run
    lab.engine().delete(run.id)


def keys_of_run(run, *levels: str) -> set[str]:
    """The keys of the items of a run that show this."""
    return {item.key for item in frame_of(run.recipe, run.snapshot).items if item.shows in levels}


def keys(frame: dict) -> set[str]:
    return {panel["key"] for panel in frame["panels"].values() if isinstance(panel, dict)}


def test_no_watcher_gets_a_sample_and_its_owner_none_once_the_table_is_closed(ask, private, table, run):
    lab.keep_table(table)
    path, mine = f"/live/{private.id}", lab.opening(private.id, private.recipe)
    key, step = mine.partition(".")[0], f"of=run/{private.id}"
    trace = f"/steps/trace?{step}"

    def seen(query: str = "") -> set[str]:
        frame = newest(ask, f"{path}/newest?{query}")
        assert table.digest not in json.dumps(frame)
        return keys(frame)

    watched = keys_of_run(private, "numbers", "columns") | {"hidden"}
    stream, chosen = ask(f"{path}/stream"), "choose.unit=1&choose.fields=0&choose.gallery=0&choose.given-0=1"
    first = stream.frame()
    panels = [panel for panel in first["panels"].values() if isinstance(panel, dict)]
    assert not any({"pictures", "table", "states"} & panel.keys() for panel in panels)  # only charts and words
    forged = (f"open={key}.{'0' * 32}", f"open={table.digest}", "open=.", "open=%00", "open=x.y")
    assert all(each == watched for each in (keys(first), *map(seen, ("", chosen, *forged))))
    assert table.digest not in json.dumps(newest(ask, f"/live/{run.id}/newest?pin={private.id}"))
    for route in (trace, f"/steps/unit?{step}&axis=v&index=0"):
        assert ask(route).status == 404
    reference.trace(private.recipe.learner, private.snapshot.state, private.snapshot.prepared.dataset.train)  # compiles
    assert ask(f"{trace}/{mine}").status == 200
    assert seen(f"open={mine}") == keys_of_run(private, *LEVELS)

    stream, frames = ask(f"{path}/stream?open={mine}"), []
    until(lambda: frames.append(newest(ask, f"{path}/newest?open={mine}")) or not frames[-1]["waits"]["wait"])
    stream.frame(lambda frame: frame["version"] == frames[-1]["version"])  # nothing waits when the table is closed
    grants.end_all(table.digest)
    with pytest.raises(AssertionError, match="the stream has ended"):
        stream.frame()
    assert seen() == seen(f"open={mine}") == watched
    assert ask(f"{trace}/{mine}").status == 404


def test_what_a_mini_batch_of_images_pulls_is_for_visitors_that_may_see_them():
    """Of two images it is their difference."""
    schedule = Schedule(length=5, unit="updates", every=1)
    run = lab.engine().create(Recipe("rbm", "digits", CD(batch_size=2), schedule), play=True)
    until(lambda: run.snapshot.status == "finished" and "batch" in (run.snapshot.observation or {}))
    frames = [frame_of(run.recipe, run.snapshot).visible_to(right) for right in ("rows", "samples")]
    assert ["pulls" in {item.key for item in frame.items} for frame in frames] == [True, False]
    lab.engine().delete(run.id)


@pytest.mark.parametrize("right", LEVELS)
def test_an_item_is_sent_as_its_declaration_allows_and_without_one_not_at_all(right):
    items = tuple(Item(shows or "none", (), lambda: Panel("panel"), shows) for shows in ("", "all", *LEVELS))
    for frame in (Frame(below=(items,)), Frame(beside=items), *(Frame(curve=item) for item in items)):
        encoder = FrameEncoder(right)
        encoder.take("v", frame, {})
        seen = {item.key for item in frame.items} & set(LEVELS[: LEVELS.index(right) + 1])
        assert keys(json.loads(encoder.since(""))) - {"hidden"} == seen


def test_a_route_and_a_download_without_a_declaration_are_not_there():
    def page() -> None:
        from pages.common.downloads import download

        download("Undeclared", "a.csv", lambda: "")
        download("Unknown", "a.csv", lambda: "", "everything")
        download("Declared", "a.csv", lambda: "", "numbers")

    buttons = AppTest.from_function(page, default_timeout=60).run().get("download_button")
    assert [each.proto.label for each in buttons] == ["Declared"]
    assert routes_at("/x", lambda _: None) == routes_at("/x", lambda _: None, "everything") == []
    assert len(routes_at("/x", lambda _: None, "numbers")) == 1


ONLY_IN = {r"\bRoute\(": "base_url.py", r"download_button\(": "downloads.py"}


@pytest.mark.parametrize("call", ONLY_IN)
def test_routes_and_downloads_are_made_only_where_a_declaration_is_asked_for(call):
    found = {file.name for file in SOURCES if re.search(call, file.read_text(encoding="utf-8"))}
    assert found == {ONLY_IN[call]}
