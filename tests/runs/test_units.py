"""Runs of Frank-Wolfe: what is said where nothing is inserted, where a unit explodes, and where the model overfits."""

from boltzcore import Recipe
from boltzcore.learners import FrankWolfe
from boltzcore.runs.recipe import Schedule
from tests.runs.toys import finished, until

EVERY = Schedule(length=30, unit="updates")


def bars(schedule: Schedule = EVERY, **fields) -> Recipe:
    return Recipe("infinite-rbm", "bars-and-stripes", FrankWolfe(**fields), schedule)


def test_a_penalty_too_large_for_any_unit_ends_at_once_and_says_so(engine):
    snapshot = finished(engine.create(bars(lambda_=1.0), play=True))
    assert snapshot.reason == "No further hidden unit is worth its penalty."
    assert (snapshot.state.count, snapshot.state.model.n_units) == (1, 0)


def test_a_unit_that_explodes_halts_the_training_and_its_best_state_is_kept(engine):
    run = engine.create(bars(correction="none", lambda_=0.0), play=True)
    until(lambda: run.snapshot.status == "diverged")
    assert "Try a penalty above 0 or the full correction" in run.snapshot.reason
    assert run.snapshot.best.count == 0
    run.restore_best()
    assert run.snapshot.state.count == 0


def test_a_training_that_overfits_stops_at_a_size_and_says_so(engine):
    recipe = Recipe(
        "infinite-rbm",
        "digits",
        FrankWolfe(correction="none", lambda_=0.03, samples=300, M=300, steps=100, K=5, restarts=1),
        Schedule(length=60, unit="updates", gap_limit=0.4, gap_patience=2),
        measures=("free_energy_gap",),
    )
    snapshot = finished(engine.create(recipe, play=True))
    assert snapshot.state.done
    assert 2 < snapshot.best.count == snapshot.best.model.n_units < snapshot.state.count < 60
    assert snapshot.reason == ""  # the schedule's rule is said by the page
