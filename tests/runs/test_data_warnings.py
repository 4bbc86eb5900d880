"""The warnings of learners about their data, shown before anything is fitted."""

import dataclasses

from boltzcore.learners.pseudo_likelihood import warn_of_separation
from boltzcore.names import Names
from boltzcore.registry import LEARNERS
from boltzcore.training.prepared import PreparedData
from tests.runs.toys import SMALL, WALK, cd, walk


def test_columns_are_named_as_the_data_name_them():
    dataset = dataclasses.replace(SMALL.load(), names=Names(tuple("abcdefghi")))
    assert "a, b, c" in warn_of_separation(dataset.train, names=dataset.names)


def test_a_remark_is_worked_out_once_for_all_stages(monkeypatch):
    asked = []

    def data_warning(data, *, names=None, tick=None):
        asked.append(len(data))
        return "Mind the gap."

    monkeypatch.setitem(LEARNERS, "Walk", dataclasses.replace(WALK, data_warning=data_warning))
    prepared = PreparedData.from_recipe(dataclasses.replace(walk(), before=walk()))
    assert asked == []
    assert [prepared.data_warning(), prepared.data_warning()] == ["Mind the gap."] * 2
    assert asked == [14, 14]
    assert PreparedData.from_recipe(cd()).data_warning() == ""
