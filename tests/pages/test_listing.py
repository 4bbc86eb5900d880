"""Search of trainings: by words and kinds, never by anything private."""

import dataclasses
from types import SimpleNamespace

import pytest

from boltzcore.data import Own, upload
from boltzcore.jobs.files import Entry
from boltzcore.learners import BSLM, CD, PCD
from boltzcore.measures.merit import describe_measure
from boltzcore.training.recipe import Recipe
from pages.figures import generic
from pages.parts.listing import DAMAGED, Listed, matching

RBM = Recipe(data="digits", learner=CD())
VOTES = Recipe(model="fvbm", data="senate", learner=BSLM())


def listed(id: int, recipe: Recipe | None = RBM, *, name="", status="finished", merit=None, yours=False) -> Listed:
    entry = Entry(f"{id:016x}", name, 1.0, 2.0, status, recipe, 3, merit, "" if recipe else "damaged")
    return Listed.from_entry(entry, None, yours=yours, open=yours or recipe is None or not recipe.private)


def find(trainings, words="", mine=False) -> list[int]:
    return [int(each.entry.id, 16) for each in matching(trainings, words, mine=mine)]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, [1, 2, 3, 4]),
        ({"words": " SHOW   9b"}, [2]),
        ({"words": "restricted digits"}, [1, 4]),
        ({"words": "bslm senate"}, [2]),
        ({"words": f"{4:016x}"}, [4]),
        ({"words": "nowhere"}, []),
        ({"words": "queued"}, [4]),
        ({"words": "damaged"}, [3]),
        ({"mine": True}, [2]),
        ({"mine": True, "words": "rbm"}, []),
    ],
)
def test_trainings_are_found_by_all_words_and_by_what_they_are(wanted, expected):
    trainings = [
        listed(1),
        listed(2, VOTES, name="Show for 9b", yours=True),
        listed(3, None),
        listed(4, dataclasses.replace(RBM, learner=PCD()), status="queued"),
    ]
    assert find(trainings, **wanted) == expected


def test_a_table_of_another_visitor_is_not_found_by_anything_of_its_own():
    table = upload(b"Salary,a,b,c\n" + b"1,1,0,1\n0,1,1,1\n" * 40).changed(leave_out="Salary")
    recipe = Recipe(data=table, before=Recipe(data=table))
    for words in ("salary", f"{1:016x}", table.digest, table.digest[:6], Own.title, Own.name + " data"):
        assert find([listed(1, recipe)], words=words) == []
        assert find([listed(1, recipe, yours=True)], words=Own.title) == [1]
    assert find([listed(1, recipe)], words="their own table") == [1]
    assert "Salary" not in listed(1, recipe).title


def test_a_training_whose_first_checkpoint_is_being_written_is_not_said_to_be_damaged():
    entry = Entry(f"{1:016x}", "", 1.0, 2.0, "running", RBM, 3, None, "This run is damaged: its checkpoint is missing.")
    now = SimpleNamespace(state=SimpleNamespace(count=4), records=(), status="paused")
    awake = Listed.from_entry(entry, now, yours=True, open=True)
    assert (awake.status, awake.count, awake.entry.damage) == ("paused", 4, "")
    assert Listed.from_entry(entry, None, yours=True, open=True).entry.damage


def test_a_training_is_called_by_its_name_and_else_by_what_it_is_and_its_files_as_any_system_takes_it():
    assert listed(1).title == listed(1, name="Mine").usual_title == "Contrastive divergence (CD-K) on Digits 8 × 8"
    assert listed(1).file_name == f"{1:016x}"
    assert listed(1, name="../Ünsere: 9b?").file_name == "nsere-9b-000000"
    assert listed(1, name="日本").file_name == f"{1:016x}"
    damaged = listed(1, None)
    assert (damaged.title, damaged.status) == (f"{1:016x}", DAMAGED)


@pytest.mark.parametrize("judge", ["train_log_likelihood", "validation_log_pseudo_likelihood"])
def test_the_merit_of_a_training_is_called_by_the_figure_that_was_measured(judge):
    recipe = Recipe(model="potts", data="senate", learner="PottsPseudoLikelihood")
    assert generic.goodness(recipe, -2.5, judge) == f"{describe_measure(judge)} {generic.in_unit(judge, -2.5)}"
