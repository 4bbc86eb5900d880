"""What a machine is tried with before it trains for others, and why one is refused."""

import dataclasses

import pytest

from boltzcore.kernels import lanes
from boltzcore.learners import SSD
from boltzcore.runs import probe
from boltzcore.runs.probe import VERSIONS, Answer, answer_to, refused, tryings
from boltzcore.ticks import idle
from tests.runs.toys import cd

CD, SPECTRAL = cd(20), dataclasses.replace(cd(20), learner=SSD(batch_size=5))


@pytest.fixture(autouse=True)
def one_update(monkeypatch):
    monkeypatch.setattr(probe, "TRIED", 0.0)


def tried_with(recipe):
    return tuple(tryings([recipe], idle))


def test_a_machine_like_this_one_is_taken():
    trying = tried_with(CD)
    assert refused("w", answer_to(trying), [CD], trying) == ""


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"failed": "no space left"}, "cannot train: no space left."),
        ({"versions": {**VERSIONS, "numpy": "1.0"}}, f"has other versions: numpy 1.0 (here {VERSIONS['numpy']})."),
        ({"found": (("another", ""),)}, "has other code or other data."),
    ],
)
def test_one_that_is_not_like_it_is_refused_by_name(change, why):
    trying = tried_with(CD)
    answer = dataclasses.replace(answer_to(trying), **change)
    assert refused("w", answer, [CD], trying) == f"The worker w {why}"


def test_where_a_recipe_is_another_one_there_nothing_is_trained(monkeypatch):
    trying = tuple(dataclasses.replace(each, key="another") for each in tried_with(CD))
    monkeypatch.setattr(probe, "train", None)
    assert [digest for _, digest in answer_to(trying).found] == [""]


def test_one_whose_kernel_computes_otherwise_is_refused(monkeypatch):
    trying, run = tried_with(CD), lanes.contrastive

    def otherwise(machine, *rest):
        run(machine, *rest)
        machine.c[0] += 1e-6

    monkeypatch.setattr(lanes, "contrastive", otherwise)
    sentence = f"The worker w gives other digits with {CD.learner.title}."
    assert refused("w", answer_to(trying), [CD], trying) == sentence


def test_other_digits_are_no_reason_where_they_depend_on_the_processor():
    trying = tried_with(SPECTRAL)
    answer = dataclasses.replace(answer_to(trying), found=tuple((each.key, "other") for each in trying))
    assert refused("w", answer, [SPECTRAL], trying) == ""


def test_what_keeps_a_machine_from_training_is_told_and_not_raised(monkeypatch):
    def fails(recipe):
        raise OSError(28, "No space left")

    trying = tried_with(CD)
    monkeypatch.setattr(probe, "train", fails)
    assert answer_to(trying) == Answer(failed="No space left")
