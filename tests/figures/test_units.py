"""The units of an infinite RBM: each keeps its place, and what it answers to is what it is on for."""

import io

import numpy as np
import pytest
from PIL import Image

from boltzcore import Recipe
from boltzcore.data.examples import Examples
from boltzcore.figures import palette, units
from boltzcore.figures.drawing import Along
from boltzcore.figures.naming import Curve
from boltzcore.figures.units import Gallery
from boltzcore.learners import FrankWolfe
from boltzcore.learners.base import State
from boltzcore.models import RBM, InfiniteRBM, InfiniteRBMSetup
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.training import Record, train

UPDATES = Along("updates")


@pytest.fixture(scope="module")
def states() -> list[State]:
    """Of a training under which units come and go."""
    learner = FrankWolfe(correction="full", lambda_=0.01, restarts=2)
    schedule = Schedule(length=14, unit="updates")
    steps = train(Recipe(InfiniteRBMSetup(), "bars-and-stripes", learner, schedule, measures=()))
    return [step.state for step in steps]


def curve(records: list[Record], name: str = "new", dash: str = "solid") -> Curve:
    return Curve(records, "FW", dash, name)


def record(count: int, **values: float) -> Record:
    return Record(count=count, epoch=float(count), work=count, seconds=0.0, values=values)


def test_a_unit_keeps_its_place_for_good(states):
    last = Gallery.from_state(states[-1])
    assert len(last) == 14
    assert 0 < last.ghosts.sum() < 14
    for state in states:
        now = Gallery.from_state(state)
        np.testing.assert_array_equal(now.weights, last.weights[: len(now)])
        np.testing.assert_array_equal(now.arrived, np.arange(1, len(now) + 1))
        np.testing.assert_array_equal(now.counts[now.there], state.model.counts)
        np.testing.assert_array_equal(now.weights[now.there], state.model.units)
        assert (now.counts[now.ghosts] == 0).all()


def test_the_newest_is_the_one_that_came_last(states):
    assert Gallery.from_state(states[0]).newest is None
    assert Gallery.from_state(states[3]).newest == 2
    np.testing.assert_array_equal(Gallery.from_state(states[3]).weights[2], states[3].unit)


def test_units_that_nobody_inserted_are_all_there_and_none_is_new():
    model = InfiniteRBM(np.ones((3, 5), np.float32), np.ones(3, np.float32), np.zeros(4, np.float32))
    gallery = Gallery.from_state(State(model, 7, 0, 0))
    assert (len(gallery), gallery.newest, gallery.ghosts.any()) == (3, None, False)
    assert (gallery.arrived == 0).all()


def test_free_places_are_kept_so_that_nothing_moves_when_units_come(states):
    drawn = [
        units.tiles(Gallery.from_state(state), (3, 3), page=0, places=14, new=state.count - 1, family="FW")
        for state in states[1:]
    ]
    assert len({(each.width, each.height, each.columns, each.lines) for each in drawn}) == 1
    assert (drawn[0].columns, drawn[0].lines, drawn[-1].count) == (12, 2, 14)


def test_new_units_are_framed_and_ghosts_are_pale():
    weights = np.full((2, 10), 2.0, np.float32)
    ones = np.ones(2)
    gallery = Gallery(weights, ones, np.array([1, 2]), np.array([2, 0]))
    tiles = units.tiles(gallery, (3, 3), page=0, places=2, new=1, family="FW")
    pixels = np.asarray(Image.open(io.BytesIO(tiles.png)).convert("RGBA"))[..., :3].astype(int)
    wide = (tiles.width - 2) // tiles.columns
    pale, full = (pixels[10, k * wide + wide // 2 - 8] for k in (0, 1))
    assert pale.sum() > full.sum() + 100
    hue = palette.parts(palette.hue("FW"))
    framed = np.flatnonzero((pixels == hue).all(axis=2).any(axis=0))
    assert (framed.min(), framed.max()) == (wide, 2 * wide + 1)
    struck = np.flatnonzero((pixels == 96).all(axis=2).any(axis=0))
    assert (struck.min(), struck.max()) == (0, wide - 1)


def test_the_scale_is_that_of_the_units_that_are_there_and_no_ghost_is_darker():
    weights = np.concatenate([np.full((1, 10), 50.0, np.float32), np.full((1, 10), 2.0, np.float32)])
    tiles = units.tiles(
        Gallery(weights, np.array([0, 1]), np.array([1, 2]), np.array([2, 0])),
        (3, 3),
        page=0,
        places=2,
        new=2,
        family="FW",
    )
    assert tiles.limit == 2
    pixels = np.asarray(Image.open(io.BytesIO(tiles.png)).convert("RGBA"))[..., :3].astype(int)
    wide = (tiles.width - 2) // tiles.columns
    ghost, there = (pixels[10, k * wide + wide // 2 - 8] for k in (0, 1))
    assert ghost.sum() > there.sum() + 200
    ghosts = Gallery(weights, np.zeros(2), np.array([1, 2]), np.array([2, 3]))
    assert units.tiles(ghosts, (3, 3), page=0, places=2, new=2, family="FW").limit == 50


def test_rows_too_wide_for_many_in_a_row_have_few():
    assert units.columns_of((3, 3)) == 12
    assert units.columns_of((1, 200)) == 3
    assert units.columns_of((1, 5000)) == 1


def test_an_answer_is_the_probability_of_a_hidden_unit():
    generator = np.random.default_rng(0)
    unit = generator.normal(size=7).astype(np.float32)
    rows = Examples(generator.integers(0, 2, (200, 6)).astype(np.uint8), weight=generator.random(200))
    rbm = RBM(unit[:-1, None], np.zeros(6, np.float32), unit[-1:])
    p = 1 / (1 + np.exp(-rbm.hidden_field(rows.v)[:, 0]))
    found = units.answer(unit, rows, 5)
    assert found.share == pytest.approx(np.average(p, weights=rows.weight), abs=1e-5)
    assert len(np.unique(found.rows, axis=0)) == 5
    by_row = {row.tobytes(): value for row, value in zip(rows.v, p, strict=True)}
    np.testing.assert_allclose(found.probabilities, sorted(by_row.values(), reverse=True)[:5], atol=1e-5)
    np.testing.assert_allclose([by_row[row.tobytes()] for row in found.rows], found.probabilities, atol=1e-5)


def test_large_log_odds_are_certain():
    np.testing.assert_allclose(units.probability([-1e6, 0.0, 1e6]), [0.0, 0.5, 1.0])


def blank() -> dict:
    return {"data": [], "layout": {"xaxis": {"range": [0, 10]}, "shapes": [], "annotations": []}}


def test_the_size_of_the_best_state_is_marked():
    records = [record(k, hidden_units=float(k)) for k in range(5)]
    layout = units.mark_size(blank(), records, UPDATES, 1)["layout"]
    assert layout["shapes"][0]["x0"] == 1
    assert layout["annotations"][0]["text"] == "best: 1 unit"
    for best, known in ((None, records), (9, records), (1, [record(1)])):
        assert units.mark_size(blank(), known, UPDATES, best) == blank()


def test_curves_over_sizes_turn_back_where_units_leave():
    alike = [record(k, hidden_units=float(k)) for k in range(4)]
    assert units.at_sizes(alike) == []
    moved = units.at_sizes([*alike, record(4, hidden_units=3.0), record(5, hidden_units=2.0), record(6)])
    assert [each.count for each in moved] == [0, 1, 2, 3, 3, 2]


def test_alpha_is_drawn_where_it_is_another_number_than_that_of_the_units():
    alike = [record(k, hidden_units=float(k), alpha=float(k)) for k in range(4)]
    figure = units.size(curve(alike), along=UPDATES)
    assert [line["name"] for line in figure["data"]] == ["units"]
    assert units.size_sentence(alike) == "3 units, after update 3."
    other = [*alike, record(4, hidden_units=4.0, alpha=2.5)]
    figure = units.size(curve(other), along=UPDATES)
    assert [line["name"] for line in figure["data"]] == ["units", "α"]
    assert figure["data"][1]["y"][-1] == 2.5
    assert units.size_sentence(other) == "4 units, which count as 2.5, after update 4."
    assert units.size_sentence([]) == "No unit yet."
    assert units.size(curve([]), along=UPDATES)["data"] == []


def test_beside_pinned_trainings_only_units_are_drawn_each_under_its_name():
    records = [record(k, hidden_units=float(k), alpha=k / 2) for k in range(5)]
    figure = units.size(curve(records[:3]), pinned=[curve(records, "old", "dash")], along=UPDATES)
    assert [(line["name"], line["line"]["dash"], len(line["x"])) for line in figure["data"]] == [
        ("old", "dash", 5),
        ("new", "solid", 3),
    ]


def test_over_sizes_every_record_is_a_point_and_the_best_of_each_size_lies_on_the_line():
    values = [(0, -4.0), (1, -3.0), (2, -2.0), (1, -2.5), (2, -2.2), (3, -1.0), (3, -1.5)]
    moved = [record(k, hidden_units=float(k), train_log_likelihood=y) for k, y in values]
    figure = units.by_size(moved, family="FW", best=3, upper_bound=-0.5)
    points, line = figure["data"]
    assert list(zip(points["x"], points["y"], strict=True)) == values
    assert (points["mode"], line["mode"]) == ("markers", "lines")
    assert (line["x"], line["y"]) == ([0, 1, 2, 3], [-4.0, -2.5, -2.0, -1.0])
    layout = figure["layout"]
    assert (layout["xaxis"]["title"]["text"], layout["yaxis"]["title"]["text"]) == ("Hidden units", "nats per example")
    held_out = [record(k, train_log_likelihood=y, test_log_likelihood=y - 1.0) for k, y in values]
    figure = units.by_size(held_out, family="FW", best=None, base_rate=-5.0)
    assert [note["text"] for note in figure["layout"]["annotations"]] == ["base rate −5.00"]


def test_the_gap_may_rise_to_a_line_above_its_smallest_value():
    records = [record(k, free_energy_gap=value) for k, value in enumerate((0.4, 0.2, 0.6))]
    layout = units.gap(records, family="FW", along=UPDATES, limit=0.5)["layout"]
    assert layout["shapes"][0]["y0"] == pytest.approx(0.7)
    assert layout["yaxis"]["range"][1] >= 0.7
    assert not units.gap(records, family="FW", along=UPDATES, limit=0.0)["layout"]["shapes"]
    assert not units.gap([], family="FW", along=UPDATES, limit=0.5)["layout"]["shapes"]


def test_the_samples_that_a_unit_weighs_most_come_first():
    rows = np.eye(4, dtype=np.uint8)
    chosen, probabilities = units.most_on(np.array([1.0, 3.0, -2.0, 2.0, 0.5], np.float32), rows, 2)
    np.testing.assert_array_equal(chosen, rows[[1, 3]])
    np.testing.assert_allclose(probabilities, 1 / (1 + np.exp([-3.5, -2.5])), rtol=1e-6)


def test_what_an_update_changed_is_the_difference_of_the_means(states):
    change, size = units.moved(states[3])
    np.testing.assert_allclose(states[3].mean_before + change, states[3].mean_after, atol=1e-6)
    assert size == pytest.approx(np.abs(change).mean())
