"""A training that ends once it overfits: its free-energy gap has risen."""

import dataclasses

import pytest

from boltzcore import Recipe
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.parameters import Refusal
from boltzcore.runs import stopping
from boltzcore.runs.checkpoint import load_state, save_state
from boltzcore.runs.progress import Progress, after_step
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.training import train
from tests.runs.toys import records

SCHEDULE = Schedule(length=40, unit="epochs", gap_limit=0.05, gap_patience=2)


def overfitting(schedule: Schedule = SCHEDULE, measures=("free_energy_gap",)) -> Recipe:
    """Few digits, many units."""
    from boltzcore.data import Digits

    return Recipe(RBMSetup(hidden=60), Digits(), CD(rate=0.1, batch_size=20), schedule, measures=measures)


def ends_at(gaps: list[float], limit: float, patience: int) -> int:
    lowest, risen = float("inf"), 0
    for k, gap in enumerate(gaps):
        lowest = min(lowest, gap)
        risen = risen + 1 if gap > lowest + limit else 0
        if risen >= patience:
            return k
    return len(gaps) - 1


def test_it_ends_once_the_gap_has_stood_above_its_limit_so_often():
    steps = list(train(overfitting()))
    whole = list(train(overfitting(SCHEDULE.changed(gap_limit=0.0))))
    last = ends_at([step.record.values["free_energy_gap"] for step in whole], 0.05, 2)
    assert 2 < last < 40
    assert records(steps) == records(whole)[: last + 1]
    assert steps[-1].state.done
    assert stopping.why_early(SCHEDULE, steps[-1].state).startswith(
        "At 2 measurements in a row the free-energy gap stood more than 0.05 nats above its smallest value"
    )


def test_it_goes_on_from_a_checkpoint(tmp_path):
    steps = [dataclasses.replace(step, state=step.state.copy()) for step in train(overfitting())]
    save_state(tmp_path / "state.npz", steps[-2].state)
    rest = list(train(overfitting(), resume=load_state(tmp_path / "state.npz", overfitting())))
    assert records(steps[:-1] + rest) == records(steps)


def best_of(recipe: Recipe):
    now = Progress(recipe)
    for step in train(recipe):
        now, _ = after_step(now, dataclasses.replace(step, state=step.state.copy()), None)
    return now.best


def test_the_best_state_is_the_one_before_the_gap_rose():
    counts = [step.state.count for step in train(overfitting())]
    assert best_of(overfitting()).count == counts[-3]


def test_patience_on_the_merit_may_hold_beside_it():
    both = overfitting(SCHEDULE.changed(patience=1, gap_limit=50.0), measures=("free_energy_gap", "log_likelihood"))
    both = dataclasses.replace(both, model=RBMSetup(hidden=6))
    *_, last = train(both)
    assert last.state.count < 40 * 72
    assert stopping.why_early(both.schedule, last.state) == "1 measurement in a row brought no new best"


def test_a_gap_that_is_not_measured_is_refused():
    with pytest.raises(Refusal, match=r"^gap_limit must be 0 where the free-energy gap is not measured") as refusal:
        overfitting(measures=())
    assert refusal.value.field == "schedule.gap_limit"
