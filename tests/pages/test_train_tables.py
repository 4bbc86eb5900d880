"""What is drawn of tables by the models that are made for images: their columns keep their names."""

import pytest

from boltzcore.data import upload
from boltzcore.figures.frame import Chart, Table
from boltzcore.learners import CD, FrankWolfe
from boltzcore.models import InfiniteRBMSetup, RBMSetup
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from tests.pages.train import opened, panels, press, settle

LONG = "a very long name of a column that goes on and on " * 2
ROWS = "".join(f"{'yes' if i % 3 else 'no'},{int(i % 3 > 0)},{'b' if i % 5 else 'a'}\n" for i in range(60))
SHORT = Schedule(length=3, unit="updates", every=1)


@pytest.fixture(scope="module")
def table():
    return upload(f"Trusts,<b>x</b>,{LONG}\n{ROWS}".encode())


def drawn(recipe: Recipe):
    return panels(settle(press(opened(recipe), "Play"), "finished"))


def labels(panel) -> list[str]:
    assert isinstance(panel.content, Chart)
    return panel.content.figure["data"][0]["y"][::-1]


def titles(panel) -> list[str]:
    assert isinstance(panel.content, Table)
    return [column.title for column in panel.content.columns]


def test_the_weights_and_particles_of_a_machine_are_told_by_the_names_of_the_columns(table):
    shown = drawn(Recipe(model=RBMSetup(hidden=80), data=table, learner=CD(), schedule=SHORT))
    fields = shown["fields"]
    assert labels(fields)[:2] == ["Trusts", "&lt;b&gt;x&lt;/b&gt;"]
    assert len(labels(fields)[2]) <= 18
    assert fields.content.figure["data"][0]["x"][-1] == "72"
    assert "Trusts, hidden unit" in fields.content.alt
    assert titles(shown["particles"])[:3] == ["Row", "Trusts", "<b>x</b>"]
    assert set(shown["particles"].content.columns[1].texts) <= {"no", "yes"}


def test_the_units_of_an_infinite_machine_are_told_by_the_names_of_the_columns(table):
    learner = FrankWolfe(lambda_=0.0001, samples=50, steps=20, M=20, restarts=1)
    shown = drawn(Recipe(model=InfiniteRBMSetup(), data=table, learner=learner, schedule=SHORT))
    for key in ("newest", "gallery"):
        assert labels(shown[key])[:2] == ["Trusts", "&lt;b&gt;x&lt;/b&gt;"]
    assert titles(shown["unit"])[:3] == ["Is on", "Trusts", "<b>x</b>"]
    assert titles(shown["particles"])[0] == "Row"
