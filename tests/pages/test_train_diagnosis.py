"""The diagnosis on Train: asked for, kept, and what its buttons do."""

import dataclasses

from boltzcore.learners import CD, PCD
from boltzcore.models import RBMSetup
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.parts import diagnosis
from tests.pages.train import current, opened, page, page_of, pinned, run_training, step, trained
from tests.pages.visit import enabled, labels, press, until

ONCE = Schedule(length=300, unit="updates", every=300)
FAST = Recipe(RBMSetup(hidden=8), "digits", CD(rate=2.0), ONCE, measures=("free_energy_gap",))
SMALL = dataclasses.replace(FAST, learner=PCD(rate=0.02, batch_size=3))
EARLY = dataclasses.replace(FAST, learner=PCD(rate=0.02, K=5), schedule=Schedule(length=20, unit="updates", every=20))


def diagnosed(test):
    """The page once what is asked for by its button is there."""
    test = press(test, "Diagnose")
    until(lambda: enabled(test.run(), "Diagnose"))
    return test


def test_it_is_computed_when_asked_for_and_then_kept(monkeypatch):
    calls = []
    monkeypatch.setattr(diagnosis, "diagnose", lambda *a, **k: calls.append(a) or [])
    test = trained(EARLY)
    assert not calls
    test = diagnosed(test)
    test.run()
    assert len(calls) == 1


def test_a_live_remedy_changes_the_training_under_way():
    test = opened(dataclasses.replace(FAST, schedule=Schedule(length=10_000_000, unit="updates", every=1_000_000)))
    test.segmented_control(key="step").set_value("1 epoch").run()  # of 65 updates
    for _ in range(3):
        test = step(test)
    test = diagnosed(test)
    before = current(test)
    test = press(test, "Continue with learning rate 0.2")
    assert current(test) is before
    assert [change[1:] for change in before.recipe.changes] == [("rate", 0.2)]
    assert before.snapshot.status in ("running", "queued")
    before.stop()


def test_another_remedy_starts_a_training_beside_it():
    test = diagnosed(trained(SMALL))
    before, test.user = current(test), {"is_logged_in": False}  # the login has expired
    press(test.run(), "Start a new run: batch size 50")
    assert (current(test), pinned(test)) == (before, "")
    test.user = {}
    test = press(test.run(), "Start a new run: batch size 50")
    assert current(test) is not before
    assert current(test).recipe.learner.batch_size == 50
    assert before.id in pinned(test)


def test_a_sound_training_gets_no_remedy_and_visitors_without_a_training_are_not_asked():
    assert "Diagnose" not in labels(opened(FAST))
    run = run_training(EARLY)
    assert "Diagnose" not in labels(page(run=run.id))
    offered = labels(diagnosed(page_of(run)))
    assert not [label for label in offered if label.startswith(("Continue with", "Start a new run"))]
