"""The warnings of learners about their data, shown before anything is fitted."""

import dataclasses

from boltzcore.learners import BSLM
from boltzcore.names import Names
from boltzcore.runs.prepared import PreparedData
from tests.runs.toys import SMALL, Walk, cd, walk


def test_columns_are_named_as_the_data_name_them():
    dataset = dataclasses.replace(SMALL.load(), names=Names(tuple("abcdefghi")))
    assert "a, b, c" in BSLM().data_warning(dataset.train, names=dataset.names)


def test_a_remark_is_worked_out_once_for_all_stages(monkeypatch):
    asked = []

    def data_warning(self, data, *, names=None, tick=None):
        asked.append(len(data))
        return "Mind the gap."

    monkeypatch.setattr(Walk, "data_warning", data_warning)
    prepared = PreparedData.from_recipe(dataclasses.replace(walk(), before=walk()))
    assert asked == []
    assert [prepared.data_warning(), prepared.data_warning()] == ["Mind the gap."] * 2
    assert asked == [14, 14]
    assert PreparedData.from_recipe(cd()).data_warning() == ""
