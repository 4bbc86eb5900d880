"""The lengths of a description over time."""

from boltzcore.training.loop import Record
from pages.figures import model_curves
from pages.figures.curves import TrainingCurves
from pages.figures.naming import Curve
from pages.figures.time_axis import Along

UPDATES = Along("updates")


def curve(name: str = "MDL", **lines: list[float]) -> Curve:
    count = len(next(iter(lines.values())))
    values = [{key: line[i] for key, line in lines.items()} for i in range(count)]
    records = [
        Record(count=i, epoch=float(i), work=i, seconds=float(i), values=of_it) for i, of_it in enumerate(values)
    ]
    return Curve(records, "MDL", "solid", name)


FIRST = curve(cost=[2.0, 1.5, 1.2], kl_to_data=[2.0, 1.2, 0.8], kl_to_truth=[1.9, 0.9, 0.3])


def drawn(figure) -> dict[str, list[float]]:
    return {trace["name"]: trace["y"] for trace in figure["data"]}


def test_what_is_known_is_drawn_and_named():
    figure = model_curves.description_length(TrainingCurves(FIRST, along=UPDATES))
    assert drawn(figure) == {"cost": [2.0, 1.5, 1.2], "KL data": [2.0, 1.2, 0.8], "KL truth": [1.9, 0.9, 0.3]}
    assert figure["layout"]["yaxis"]["range"][0] == 0


def test_of_a_pinned_training_the_cost_is_drawn_or_where_it_has_none_its_divergence():
    pairs = curve("BM-DI", kl_to_data=[2.0, 0.9])
    bought = curve("MDL, price 2", cost=[2.0, 1.9], kl_to_data=[2.0, 1.0])
    figure = model_curves.description_length(TrainingCurves(FIRST, [pairs, bought], UPDATES))
    lines = drawn(figure)
    assert lines["BM-DI"] == [2.0, 0.9]
    assert lines["MDL, price 2"] == [2.0, 1.9]
    assert lines["MDL, cost"] == [2.0, 1.5, 1.2]
