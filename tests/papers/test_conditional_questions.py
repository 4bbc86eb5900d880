"""What the paper on conditional RBMs leaves open, as studies of a size that takes seconds."""

import dataclasses

import pytest

from boltzcore.papers import STUDIES, conditional, conditional_inputs
from boltzcore.papers.conditional_tasks import NOTHING, TASKS
from boltzcore.ticks import idle


def test_the_scale_of_the_sample_needs_no_download():
    for name in (*TASKS, "crbm-sizes", "crbm-inputs"):
        found = {part.data.name for part in STUDIES[name].parts("sample")}
        assert found == ({"caltech101"} if "caltech" in name else {"mnist-small"})


@pytest.fixture
def tiny(monkeypatch):
    """Trainings of the open questions that take a moment."""
    few = dataclasses.replace(conditional.SCALES["sample"], hidden=2)
    monkeypatch.setitem(conditional.SCALES, "sample", few)
    monkeypatch.setitem(conditional_inputs.EPOCHS, "sample", 1)


@pytest.mark.nightly
def test_an_open_question_has_a_row_of_each_training_and_makes_none_twice(tiny, monkeypatch):
    module, study = conditional_inputs, STUDIES["crbm-inputs"]
    cells = [*module.CELLS][::7]
    monkeypatch.setattr(module, "CELLS", cells)
    rows = list(study.rows("sample", idle))
    trained = [row for row in rows if row["method"] != NOTHING]
    assert len(trained) == len(cells) == len(study.parts("sample"))
    monkeypatch.setattr(module, "trained", lambda *of: {})  # only what is trained again counts from here on
    assert list(study.rest("sample", idle, rows)) == []
    assert [row["method"] for row in study.rest("sample", idle, rows[:-1])] == [rows[-1]["method"]]
    assert len(study.table(rows)) >= len(rows)


def test_trainings_by_input_weight_and_noise_differ_in_these_alone():
    one, other = (
        conditional_inputs.recipe(noise, weight, "MSSVM", "paper")
        for noise, weight in (("once", 4.0), ("each epoch", 0.0))
    )
    assert (one.model.input_weight, other.model.input_weight) == (4, 0)
    assert (one.corruption.redrawn, other.corruption.redrawn) == ("once", "each epoch")
    assert one.data.rows == 10_000
    back = dataclasses.replace(other, model=one.model, corruption=one.corruption)
    assert back == one
