"""Many trainings at once."""

import threading
import time

import pytest

from boltzcore import Recipe, train
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.sweep import sweep
from boltzcore.ticks import Stopped


def recipe(length, seed=0, K=1):
    return Recipe(
        RBMSetup(hidden=3),
        "bars-and-stripes",
        CD(batch_size=0, K=K),
        Schedule(length=length, every=length, seed=seed),
        measures=("log_likelihood",),
    )


def told(records):
    return [(record.count, dict(record.values)) for record in records]


def test_every_recipe_has_its_own_records_in_whatever_order_they_end():
    recipes = [recipe(40_000), recipe(10, seed=1), recipe(20, seed=2)]
    found = dict(sweep(recipes))
    assert sorted(found) == [0, 1, 2]
    for index, records in found.items():
        assert told(records) == told(step.record for step in train(recipes[index]))


def test_stopping_ends_the_trainings_under_way():
    began = time.monotonic()

    def tick(fraction):
        if time.monotonic() > began + 0.3:
            raise Stopped

    with pytest.raises(Stopped):
        list(sweep([recipe(1_000_000, K=1000)] * 3, tick))
    assert time.monotonic() - began < 10  # one of them alone would take longer
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("sweep")]
