"""The view of every model on the Train page: panels, choices, trainings drawn together, tables."""

import dataclasses

import pytest

from boltzcore.data import upload
from boltzcore.data.random_fvbm import RandomFVBM
from boltzcore.learners import BSLM, CD, FrankWolfe, GreedyMDL, PottsPCD, PottsPseudoLikelihood
from boltzcore.models import FVBMSetup, InfiniteRBMSetup, LogLinearSetup, PottsSetup, RBMSetup
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.figures.frame import Table
from pages.stream.run_frame import STATUS
from tests.pages.train import (
    LARGE,
    QUICK,
    RESTORING,
    compared,
    figures,
    frame,
    opened,
    page_of,
    panels,
    run_training,
    step,
    trained,
)

SHORT = Schedule(length=4, unit="updates", every=1)
FVBM = Recipe(FVBMSetup(), RandomFVBM(d=4, n=500), BSLM(), SHORT)
TERMS = Recipe(LogLinearSetup(), "parity", GreedyMDL(price=0.5), SHORT)
POTTS = Recipe(PottsSetup(), "parity", PottsPseudoLikelihood(iterations=2), SHORT)
INFINITE = Recipe(InfiniteRBMSetup(), "bars-and-stripes", FrankWolfe(correction="none", lambda_=0.01), SHORT)
PANELS = {
    "rbm": (QUICK, "curve terrain landscape fields pulls particles activity"),
    "estimated": (LARGE, "curve fields pulls particles gap activity"),
    "crbm": (RESTORING, "curve restored"),
    "fvbm": (FVBM, "curve couplings terrain landscape increase likelihood estimates"),
    "log-linear": (TERMS, "curve terms landscape question graph likelihood states samples rows"),
    "potts": (POTTS, "curve couplings pair strongest question likelihood states samples rows"),
    "infinite": (INFINITE, "curve unit landscape gallery particles size objective activity"),
}


@pytest.mark.parametrize("name", PANELS)
def test_every_model_has_its_panels_each_says_what_it_is_and_a_choice_that_there_is_not_is_passed_over(name):
    recipe, wanted = PANELS[name]
    test = step(opened(recipe))
    drawn = panels(test)
    assert set(drawn) >= set(wanted.split())
    assert all(panel.about for panel in drawn.values())
    assert {each.name for each in figures(test) if not each.about} <= {STATUS}
    usual = {choice.name: choice.value for panel in drawn.values() for choice in panel.choices}
    assert usual
    for asked in ("<b>", "-1", "\u0661", "1e3"):
        other = panels(test, **dict.fromkeys([*usual, "gallery", "given99"], asked))
        assert {choice.name: choice.value for panel in other.values() for choice in panel.choices} == usual


TOGETHER = {  # another training of the same data, the charts with both, and a figure of both
    "fvbm": (FVBM, {"schedule": SHORT.changed(seed=1)}, "curve increase", "Best, pseudo, nats"),
    "log-linear": (TERMS, {"learner": GreedyMDL(price=0.0)}, "curve", "Cost, nats"),
    "potts": (POTTS, {"learner": PottsPCD()}, "curve likelihood", "All rows, exact, nats"),
    "infinite": (
        INFINITE,
        {"learner": FrankWolfe(correction="full", lambda_=0.01)},
        "curve size objective",
        "Hidden units",
    ),
}


@pytest.mark.parametrize("name", TOGETHER)
def test_trainings_are_drawn_together(name):
    recipe, change, charts, figure = TOGETHER[name]
    test = page_of(run_training(recipe), run_training(dataclasses.replace(recipe, **change)))
    first, second = compared(test)
    for key in charts.split():
        lines = [trace["name"] for trace in panels(test)[key].content.figure["data"]]
        assert any(line.startswith(first) for line in lines), key
        assert any(line.startswith(second) for line in lines), key
    assert [name for name, *_ in frame(test).lines[0].figures].count(figure) == 1


# -- tables with models that are made for images: their columns keep their names ----------------------

LONG = "a very long name of a column that goes on and on " * 2
ROWS = "".join(f"{'yes' if i % 3 else 'no'},{int(i % 3 > 0)},{'b' if i % 5 else 'a'}\n" for i in range(60))
NAMES = ["Trusts", "&lt;b&gt;x&lt;/b&gt;"]


@pytest.fixture
def people():
    return upload(f"Trusts,<b>x</b>,{LONG}\n{ROWS}".encode())


def rows_of(panel) -> list[str]:
    return panel.content.figure["data"][0]["y"][::-1]


def titles(panel) -> list[str]:
    return [column.title for column in panel.content.columns]


def test_the_weights_and_particles_of_a_machine_are_shown_by_the_names_of_the_columns(people):
    shown = panels(trained(Recipe(RBMSetup(hidden=80), people, CD(), SHORT)))
    fields = shown["fields"]
    assert rows_of(fields)[:2] == NAMES
    assert len(rows_of(fields)[2]) <= 18
    assert fields.content.figure["data"][0]["x"][-1] == "72"
    assert "<b>x</b>, hidden unit" in fields.content.alt
    assert titles(shown["particles"])[1:3] == ["Trusts", "<b>x</b>"]
    assert set(shown["particles"].content.columns[1].texts) <= {"no", "yes"}


def test_the_units_of_an_infinite_machine_are_shown_by_the_names_of_the_columns(people):
    learner = FrankWolfe(lambda_=0.0001, samples=50, steps=20, M=20, restarts=1)
    shown = panels(trained(Recipe(InfiniteRBMSetup(), people, learner, SHORT)))
    assert rows_of(shown["gallery"])[:2] == NAMES
    assert titles(shown["unit"])[1:3] == ["Trusts", "<b>x</b>"]
    assert isinstance(shown["particles"].content, Table)
