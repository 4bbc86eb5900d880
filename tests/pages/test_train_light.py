"""The light on Train: whether the chains are where the model is, as records tell it."""

import dataclasses

import pytest

from boltzcore.inference import Annealing
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.learners import CD, PCD, TrajectoryTempering
from boltzcore.registry import MODELS
from boltzcore.training.loop import Record
from pages.figures.frame import ViewInputs
from pages.stream.run_frame import frame_of
from pages.views.equilibrium import light_of
from tests.pages.train import QUICK, current, frame, panels, trained

SMALL = dataclasses.replace(
    QUICK,
    learner=PCD(batch_size=0),
    measures=(*MODELS["rbm"].measures, "equilibrium_gap"),
    annealing=Annealing(chains=20, temperatures=50),
)


def at_records(recipe, *values):
    """The inputs of a view at a moment with such records."""
    records = tuple(Record(100 * k, k, 100 * k, k, value) for k, value in enumerate(values))
    return ViewInputs.from_snapshot(Snapshot("running", records=records), recipe)


def figures(gap, chi_square, low=None, high=None):
    found = {"equilibrium_gap": gap, "equilibrium_chi_square": chi_square}
    ends = {"equilibrium_gap_low": low, "equilibrium_gap_high": high}
    return found | {name: end for name, end in ends.items() if end is not None}


@pytest.mark.parametrize(
    ("values", "kind", "word"),
    [
        ({}, "dark", "not checked yet"),
        (figures(0.02, 1.1, -0.1, 0.2), "good", "at equilibrium"),
        (figures(-8.0, 1.1, -9.0, -6.0), "bad", "not at equilibrium"),
        (figures(0.02, 40.0, -0.1, 0.2), "bad", "not at equilibrium"),
        (figures(-0.2, 1.1, -0.9), "unsure", "inconclusive"),  # an interval without an end
    ],
)
def test_the_light_is_the_verdict_of_a_record(values, kind, word):
    light = light_of(at_records(SMALL, values))
    assert (light.kind, light.word) == (kind, word)
    assert light.sentence
    assert bool(light.when) is bool(values)
    assert light_of(at_records(SMALL, values, {}, {})) == light  # until it is looked at again


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"learner": CD(batch_size=0)}, None),  # its chains do not go on
        ({"measures": MODELS["rbm"].measures}, None),
        ({"learner": TrajectoryTempering()}, "dark"),  # its chains are still on their way to the first model
    ],
)
def test_there_is_none_where_there_are_no_such_chains_or_none_are_asked_for(change, kind):
    light = light_of(at_records(dataclasses.replace(SMALL, **change), {}))
    assert (light and light.kind) == kind


def test_a_training_shows_it_and_so_does_the_map_of_every_state():
    test = trained(SMALL)
    shown = frame(test)
    assert shown.light.kind in ("good", "unsure", "bad")
    assert shown.light.when == "Epoch 2,000"
    assert panels(test)["landscape"].light == shown.light
    assert shown.light.word in shown.aria_text
    before = [record for record in current(test).snapshot.records if record.count < 1_000]
    earlier = dataclasses.replace(current(test).snapshot, records=before)
    assert frame_of(SMALL, earlier).light.when == "Epoch 500"
