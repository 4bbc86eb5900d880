"""Figures for Python users."""

import dataclasses
import sys
from contextlib import AbstractContextManager
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

from boltzcore import Comparison, compare, fit, plotting
from boltzcore.models import FVBM, LogLinear, Potts
from boltzcore.names import Names
from boltzcore.papers import STUDIES
from boltzcore.training.schedule import Schedule
from tests.runs.toys import batch, refused

BASE = batch(4, every=2)


@pytest.fixture(scope="module")
def history():
    return fit(BASE)


def test_a_training_has_a_table_and_curves_of_all_splits_or_of_one_figure(history):
    assert history.frame["count"].tolist() == [0, 2, 4]
    assert history.frame["train_log_likelihood"].tolist() == [r.values["train_log_likelihood"] for r in history.records]
    digits = fit(dataclasses.replace(BASE, data="digits", schedule=Schedule(length=2, unit="updates")))
    assert len(digits.plot().data) == 3
    (line,) = digits.plot(figure="test_log_likelihood", axis="updates").data
    assert list(line.x) == [0, 1, 2]
    two = plotting.plot({"<b>": digits, "a": history}, figure="test_log_likelihood", axis="updates")
    assert [line.name for line in two.data] == ["&lt;b&gt;", "a"]
    for wrong in ({"figure": "beauty"}, {"axis": "years"}):
        with refused(next(iter(wrong))):
            digits.plot(**wrong)


def test_each_model_has_a_picture_of_its_parameters_or_of_its_samples(history):
    terms = LogLinear([2, 2, 3], {1: 0.5, 4: -1.0})
    assert list(terms.plot().data[0].x) == [0.5, -1.0]
    pair = FVBM(np.array([[0.0, 0.5], [0.5, 0.0]]), np.zeros(2))
    assert pair.plot(names=Names(("tea", "milk"), ())).data[0].x == ("tea", "milk")
    assert pair.plot(order="strength").data[0].z[1][0] is None
    upper = np.pad([[0, 0.5, -0.5], [0, -0.5, 0.5]], ((0, 3), (2, 0)))
    model = Potts([2, 3], np.zeros(5), upper + upper.T)
    names = Names(("tea", "milk"), (("no", "yes"), ("none", "some", "<b>much")))
    assert model.plot(names=names).data[0].z[0][0] == pytest.approx(1.0)
    values = model.plot(names=names, pair=("tea", "milk")).data[0]
    assert (values.x, values.y) == (("none", "some", "&lt;b&gt;much"), ("yes", "no"))
    assert np.array_equal(values.z, [[0, -0.5, 0.5], [0, 0.5, -0.5]])
    for wrong in (model, ("tea", "x2")), (model, ("x1", "x1")), (model, ("x1", "x2", "x3")), (pair, ("x1", "x2")):
        with refused("pair"):
            wrong[0].plot(pair=wrong[1])
    rbm = history.chosen.model
    assert rbm.plot(kind="samples").data[0].source != rbm.plot().data[0].source == rbm.plot(shape=(3, 3)).data[0].source
    for model, kind in ((rbm, "dreams"), (terms, "samples")):
        with refused("kind"):
            model.plot(kind=kind)


def test_notebooks_show_curves_and_numbers_and_no_markup_of_others(history):
    result = compare(Comparison(BASE, {"<b>": {"CD.K": 1}, "two": {"CD.K": 2}}, trials=2, axis="updates", budget=4))
    assert {line.name for line in result.plot().data} == {"&lt;b&gt;", "two"}
    for shown, lines in ((history, 1), (result, 4)):
        tree = ElementTree.fromstring(f"<div>{shown._repr_html_()}</div>")
        assert len(tree.findall(".//polyline")) >= lines
        assert tree.find(".//table") is not None
        assert tree.find(".//b[.='']") is None
    assert "<img" in history.chosen.model._repr_html_()


def test_a_figure_without_plotly_and_a_bar_without_tqdm_name_the_remedy(monkeypatch, history):
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match="pip install"):
        history.plot()
    with pytest.raises(ImportError, match="pip install"):
        fit(BASE, progress=True)
    assert "polyline" in history._repr_html_()


class Bar(AbstractContextManager):
    """A bar of tqdm."""

    def __init__(self, total: float, **_) -> None:
        self.n, self.total = 0.0, total
        BARS.append(self)

    def update(self, more: float) -> None:
        self.n += more

    def __exit__(self, *_) -> None:
        pass


BARS: list[Bar] = []


def test_a_bar_and_a_notebook_follow_a_training_without_changing_it(monkeypatch, history):
    shown: list = []
    display = SimpleNamespace(display=lambda one, display_id: shown.append(one) or SimpleNamespace(update=shown.append))
    monkeypatch.setitem(sys.modules, "tqdm.auto", SimpleNamespace(tqdm=Bar))
    monkeypatch.setitem(sys.modules, "ipykernel", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(display=display))
    counts: list = []
    found = fit(BASE, progress=True, on_step=lambda now: counts.append(now.record.count))
    assert found.frame.drop(columns="seconds").equals(history.frame.drop(columns="seconds"))
    assert counts == [0, 2, 4]
    assert shown[-1] is found
    compare(Comparison(BASE, {"one": {}, "two": {"CD.K": 2}}, trials=1, axis="updates", budget=4), progress=True)
    next(iter(STUDIES["dcp-small"].rows("quick", progress=True)))
    assert [bar.n for bar in BARS[:2]] == [pytest.approx(bar.total) for bar in BARS[:2]]
    assert len(BARS) == 3
