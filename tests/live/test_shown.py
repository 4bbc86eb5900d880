"""What a model may have memorised of a private table is shown to its owner only."""

import ast
import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from boltzcore.data import grants, upload
from boltzcore.figures.frame import Frame, Item, Panel
from boltzcore.learners import BSLM, CD, BeliefPropagationMLE, FrankWolfe, GreedyMDL
from boltzcore.models import CRBMSetup, RBMSetup
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from pages.common import lab
from pages.frames.encoder import FrameEncoder
from pages.live.run_frame import frame_of
from pages.web.base_url import routes_at
from tests.live.conftest import until

TABLE = np.random.default_rng(0).integers(0, 2, (25, 20))
LEARNERS = {
    "rbm": (RBMSetup(hidden=64), CD(rate=0.1, K=5, batch_size=0), 4000),
    "infinite-rbm": ("infinite-rbm", FrankWolfe(), 5),
    "fvbm": ("fvbm", BSLM(), 5),
    "log-linear": ("log-linear", GreedyMDL(), 5),
    "crbm": (CRBMSetup(hidden=4), BeliefPropagationMLE(batch_size=0), 5),
}
LEVELS = ("numbers", "columns", "samples", "rows")
SOURCES = [
    file for room in ("boltzcore", "pages") for file in (Path(__file__).resolve().parents[2] / room).rglob("*.py")
]


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
    until(lambda: run.snapshot.status == "finished" and run.snapshot.observation is not None)
    yield run
    lab.engine().delete(run.id)


def drawn(frame: dict) -> list[dict]:
    """The panels of a frame that are more than a chart or words."""
    panels = [panel for panel in frame["panels"].values() if isinstance(panel, dict)]
    return [panel for panel in panels if {"pictures", "table", "states"} & panel.keys()]


def of(run, *levels: str) -> set[str]:
    """The keys of the items of a run that show this."""
    return {item.key for item in frame_of(run.recipe, run.snapshot).items if item.shows in levels}


def keys(frame: dict) -> set[str]:
    return {panel["key"] for panel in frame["panels"].values() if isinstance(panel, dict)}


def opening(run, table) -> str:
    grant = grants.opened_by(grants.give(table.digest))
    return f"{grant.key}.{lab._sign(run.id, grant.key)}"


def test_no_watcher_gets_a_sample(ask, private, table, run):
    path, mine = f"/live/{private.id}", opening(private, table)
    stream, chosen = ask(f"{path}/stream"), "choose.unit=1&choose.fields=0&choose.gallery=0&choose.given-0=1"
    for frame in (stream.frame(), *(ask(f"{path}/newest?{query}").json() for query in ("", chosen, "open=x.y"))):
        assert keys(frame) == of(private, "numbers", "columns") | {"hidden"}
        assert not drawn(frame)
    assert table.digest not in json.dumps(ask(f"/live/{run.id}/newest?pin={private.id}").json())
    step = f"of=run/{private.id}"
    for route in (f"/steps/trace?{step}", f"/steps/unit?{step}&axis=v&index=0"):
        assert ask(route).status == 404
    assert keys(ask(f"{path}/newest?open={mine}").json()) == of(private, *LEVELS)


@pytest.mark.parametrize("right", LEVELS)
def test_an_item_is_sent_to_whom_its_declaration_lets_see_it_and_without_one_to_nobody(right):
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

    assert [each.proto.label for each in AppTest.from_function(page).run().get("download_button")] == ["Declared"]
    assert routes_at("/x", lambda _: None) == routes_at("/x", lambda _: None, "everything") == []
    assert len(routes_at("/x", lambda _: None, "numbers")) == 1


PLACES = {"Item": 3, "routes_at": 2, "download": 3}  # of the declaration among the arguments
ONLY_IN = {"Route": ("base_url.py", "redirects.py"), "download_button": ("downloads.py",)}


def test_everything_that_is_sent_declares_what_it_shows():
    calls = [
        (file, node, node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", ""))
        for file in SOURCES
        if any(f"{name}(" in (text := file.read_text(encoding="utf-8")) for name in (*PLACES, *ONLY_IN))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
    ]
    undeclared, found = [], dict.fromkeys([*PLACES, *ONLY_IN], 0)
    for file, node, name in calls:
        if name in found:
            found[name] += 1
        if name in PLACES:
            place = [*node.args, *(each.value for each in node.keywords if each.arg == "shows")][PLACES[name] :]
            words = place[0].elts if place and isinstance(place[0], ast.Tuple) else place[:1]
            if not words or not all(isinstance(word, ast.Constant) and word.value in LEVELS for word in words):
                undeclared.append(f"{file.name}:{node.lineno}")
        elif name in ONLY_IN and file.name not in ONLY_IN[name]:
            undeclared.append(f"{file.name}:{node.lineno}")
    assert not undeclared
    assert all(found.values())
    assert found["Item"] > 50
