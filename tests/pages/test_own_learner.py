"""A learner of one's own: the example of boltzcore/README.md, as a package that is installed, and in a script."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

import boltzcore
from boltzcore import Comparison, Recipe, compare
from boltzcore.comparison.trials import TrialStore
from boltzcore.estimators import RestrictedBoltzmann
from boltzcore.learners import CD, Learner
from boltzcore.learners.base import State
from boltzcore.models import RBMSetup
from boltzcore.registry import LEARNERS
from boltzcore.training.numerics import versions_of
from boltzcore.training.schedule import Schedule
from pages.common import lab
from tests.pages.test_compare_page import opened, run_race
from tests.pages.train import current, trained
from tests.runs.toys import refused
from tests.test_learner_contract import readme_code

NAME = "PlainCD"
BASE = Recipe(RBMSetup(hidden=3), "bars-and-stripes", CD(0.1, 0), Schedule(length=40, every=10))
AGAINST_CD = {"CD-1": {}, "own": {"learner": NAME, f"{NAME}.batch_size": 0, f"{NAME}.rate": 0.1}}
POINTS = f"[boltzcore.learners]\n{NAME} = own_learner:{NAME}\nBroken = no_such_package:Broken\n"


@pytest.fixture
def installed(tmp_path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Comparison]:
    """A race of the package's learner against CD; another package cannot be imported."""
    (tmp_path / "own_learner.py").write_text(readme_code(), encoding="utf-8")
    (tmp_path / "own_learner-1.0.dist-info").mkdir()
    (tmp_path / "own_learner-1.0.dist-info" / "METADATA").write_text("Name: own_learner\nVersion: 1.0\n")
    (tmp_path / "own_learner-1.0.dist-info" / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    LEARNERS.load_packages()
    yield Comparison(BASE, AGAINST_CD, trials=2)
    del LEARNERS[NAME], sys.modules["own_learner"]


def test_a_package_s_learner_is_raced_against_cd_in_python(installed, tmp_path, run_command):
    store = TrialStore(tmp_path / "trials")
    found = compare(installed, store=store)
    operations = {name: list(each) for name, each in found.records.groupby("contender")["operations"]}
    assert operations["own"] == operations["CD-1"]  # an update costs what it costs of CD
    assert min(map(max, operations.values())) >= installed.cost
    assert found.table().loc["own", "trials"] == 2
    assert store.get(installed.trial("own", 1)).records == found.trials["own"][1].records
    assert versions_of(installed.recipes)[f"own_learner.{NAME}"] == 1
    assert "Broken" not in LEARNERS
    assert NAME in run_command("learners")[1]


def test_a_package_s_learner_is_trained_and_raced_against_cd_in_the_app(installed):
    test = trained(recipe := installed.trial("own", 0))
    assert current(test).snapshot.records[-1].values == list(boltzcore.train(recipe))[-1].record.values
    race = run_race(opened(installed))
    records = race.snapshot.result.records
    assert records.equals(compare(installed).records.assign(seconds=records["seconds"]))
    lab.engine().delete(current(test).id)  # without its package no one could tell whether they are private
    lab.engine().races.delete(race)


def test_a_package_s_learner_is_one_of_an_estimator_s(installed):
    X = np.tile([[0, 0, 1, 1], [1, 1, 0, 0]], (40, 1))
    untrained, trained = (RestrictedBoltzmann(4, learner=NAME, max_iter=n, random_state=0).fit(X) for n in (0, 300))
    assert trained.set_params(learner__K=3).learner.K == 3
    assert trained.score(X) > untrained.score(X)


def test_trials_of_a_learner_without_numerics_are_not_stored(installed, tmp_path):
    @boltzcore.register
    @dataclass(frozen=True)
    class Undeclared(LEARNERS[NAME].learner):
        """The same numbers, of no version."""

    store, recipe = TrialStore(tmp_path / "trials"), Recipe(BASE.model, BASE.data, Undeclared(), BASE.schedule)
    compare(Comparison(recipe, {"own": {}, "CD": {"learner": "CD"}}, trials=1), store=store)
    assert len(list((tmp_path / "trials").rglob("*.npz"))) == 1
    del LEARNERS["Undeclared"]


@dataclass(frozen=True)
class Walking(Learner):
    """Stays where it is."""

    def start(self, model, data, *, seed):
        return State(model, 0, 0, seed)


def test_what_cannot_be_registered_is_refused():
    for kind in (object, "Walking", None):
        with refused("learner"):
            boltzcore.register(kind)
    with refused("learner"):
        boltzcore.register(type("CD", (Walking,), {}))
    with refused("models"):
        boltzcore.register(Walking, models=("transformer",))
    assert "Walking" not in LEARNERS
    boltzcore.register(Walking, models=("fvbm",), title="Walk")
    assert boltzcore.register(Walking, models=("rbm",)) is Walking  # a cell that is run again
    assert LEARNERS["Walking"].models == ("rbm",)
    del LEARNERS["Walking"]
