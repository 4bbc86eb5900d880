"""Curves and histograms."""

import dataclasses
import json

import numpy as np
import plotly.graph_objects as go
import pytest

from boltzcore.data import load
from boltzcore.figures import charts, drawing, naming, palette, reading
from boltzcore.figures.drawing import Along
from boltzcore.runs.training import Record


def records(n: int = 11, *, start: float = -26.0, end: float = -18.0) -> list[Record]:
    level = np.linspace(start, end, n)
    values = [
        {
            "train_log_likelihood": y + 0.5,
            "test_log_likelihood": y,
            "free_energy_gap": 0.1 * i,
            "reconstruction_error": 0.2,
        }
        for i, y in enumerate(level)
    ]
    return [Record(90 * i, float(i), 90 * i * 3, 0.5 * i, v) for i, v in enumerate(values)]


def drawn(
    known: list[Record] | None = None, *, family: str = "CD", dash: str = "solid", name: str = "CD-1, η 0.05"
) -> naming.Curve:
    return naming.Curve(records() if known is None else known, family, dash, name)


def estimates(n: int = 11, *, spread: float = 1.0, **missing: object) -> list[Record]:
    """Records of a model that is too large to enumerate."""
    level = np.linspace(-200.0, -100.0, n)
    keys = ("train_log_likelihood_ais", "test_log_likelihood_ais")
    values = [
        {
            f"{key}{end}": y + shift
            for key in keys
            for end, shift in (("", 0.0), ("_low", -spread), ("_high", 2 * spread))
        }
        for y in level
    ]
    return [Record(90 * i, float(i), 90 * i * 3, 0.5 * i, v | {"free_energy_gap": 0.1}) for i, v in enumerate(values)]


def line(figure: drawing.Figure, name: str) -> dict:
    return next(trace for trace in figure["data"] if trace["name"] == name)


def texts(figure: drawing.Figure) -> list[str]:
    return [a["text"] for a in figure["layout"]["annotations"]]


FIGURES = {
    "likelihood": charts.likelihood(
        drawn(), along=Along(budget=1800), base_rate=-26.1, changes=((450, "rate", 0.1),), best=900
    ),
    "patterns": charts.likelihood(drawn(), along=Along(budget=1800), base_rate=-26.1, upper_bound=-3.0),
    "before the first record": charts.likelihood(drawn([]), along=Along(budget=1800)),
    "one record": charts.likelihood(drawn(records(1)), along=Along(budget=1800), base_rate=-26.1),
    "estimate": charts.likelihood(drawn(estimates()), along=Along(budget=1800), base_rate=-206.0),
    "one estimate": charts.likelihood(drawn(estimates(1)), along=Along(budget=1800), base_rate=-206.0),
    "pinned": charts.likelihood(
        drawn(family="DCP", name="S-DCP, η 0.3"),
        pinned=[drawn(records(21, end=-15.0), dash="dash", name="PCD-12, η 0.3")],
        along=Along(budget=900),
        base_rate=-26.1,
    ),
    "activity": charts.hidden_activity([0.5, 0.001, 0.999, 0.2, 0.003], family="CD"),
    "activity of many": charts.hidden_activity(np.linspace(0, 1, 3000), family="CD"),
    "autocorrelation": charts.chain_autocorrelation(0.8 ** np.arange(26), family="DCP"),
    "gap": charts.free_energy_gap(records(), family="CD", along=Along(budget=1800)),
    "reconstruction": charts.reconstruction_error(records(), family="CD", along=Along(budget=1800)),
    "histogram": charts.weight_histogram(np.random.default_rng(0).normal(size=500), 5.0, "Weights"),
}


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_plotly_takes_every_figure_and_json_holds_it(figure):
    go.Figure(json.loads(json.dumps(figure, allow_nan=False)))


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_paper_is_transparent_and_text_takes_the_colour_of_the_page(figure):
    layout = figure["layout"]
    assert layout["paper_bgcolor"] == layout["plot_bgcolor"] == "rgba(0,0,0,0)"
    assert "font" not in layout


def test_the_test_line_is_thick_and_training_thin_in_the_hue_of_the_family():
    figure = FIGURES["likelihood"]
    thin, thick = line(figure, "training"), line(figure, "test")
    assert thin["line"]["width"] < thick["line"]["width"]
    assert thin["line"]["color"] == thick["line"]["color"] == palette.hue("CD")


def test_values_are_those_measured():
    held_out = line(FIGURES["likelihood"], "test")
    assert held_out["y"] == [r.values["test_log_likelihood"] for r in records()]
    assert held_out["hovertemplate"] == "%{y:.4f}"


@pytest.mark.parametrize(("axis", "last"), [("epochs", 10.0), ("updates", 900.0), ("work", 2700.0), ("seconds", 5.0)])
def test_the_axis_may_be_epochs_updates_transitions_or_seconds(axis, last):
    figure = charts.likelihood(drawn(), along=Along(axis=axis, work="Gibbs steps", budget=1800))
    assert line(figure, "test")["x"][-1] == last
    assert figure["layout"]["xaxis"]["title"]["text"] == drawing.axis_titles("Gibbs steps")[axis]


@pytest.mark.parametrize(("axis", "end"), [("epochs", 20.0), ("updates", 1800.0), ("work", 5400.0)])
def test_the_axis_reaches_the_end_of_the_training(axis, end):
    figure = charts.likelihood(drawn(), along=Along(axis=axis, budget=1800))
    assert figure["layout"]["xaxis"]["range"] == [0.0, end]


@pytest.mark.parametrize(("axis", "end"), [("epochs", 20.0), ("updates", 1800.0)])
def test_the_axis_reaches_the_end_before_the_first_update(axis, end):
    figure = charts.likelihood(drawn(records(1)), along=Along(axis=axis, budget=1800, updates_per_epoch=90))
    assert figure["layout"]["xaxis"]["range"] == [0.0, end]


def test_limits_stay_while_the_curve_grows_a_little():
    before, after = (
        charts.likelihood(drawn(records(end=end)), along=Along(budget=1800), base_rate=-26.1) for end in (-22.1, -21.9)
    )
    assert before["layout"]["yaxis"]["range"] == after["layout"]["yaxis"]["range"]


def test_limits_hold_base_rate_bound_and_curve():
    low, high = FIGURES["patterns"]["layout"]["yaxis"]["range"]
    assert low <= -26.1
    assert high >= -3.0


def test_a_crash_is_cut_off_instead_of_flattening_the_rest():
    low, high = charts.likelihood(drawn(records(end=-5000.0)), along=Along(budget=1800), base_rate=-26.1)["layout"][
        "yaxis"
    ]["range"]
    assert low > -100
    assert low < -26.1 < high


def test_live_changes_are_marked_where_they_were_made():
    figure = FIGURES["likelihood"]
    assert "rate 0.1" in texts(figure)
    assert any(shape["x0"] == shape["x1"] == 5.0 for shape in figure["layout"]["shapes"])


def test_a_change_after_the_last_record_is_marked_at_once():
    figure = charts.likelihood(drawn(), along=Along(budget=1800), changes=((950, "rate", 0.1),))
    assert figure["layout"]["shapes"][-1]["x0"] == 10.0


def test_the_best_state_is_ringed():
    ring = line(FIGURES["likelihood"], "best, training")
    assert (ring["x"], ring["y"]) == ([10.0], [-17.5])


def test_reference_levels_are_named_with_their_values():
    assert {"base rate \N{MINUS SIGN}26.10", "upper bound \N{MINUS SIGN}3.00"} <= set(texts(FIGURES["patterns"]))


def test_a_model_without_exact_likelihood_has_an_empty_chart_and_still_a_base_rate():
    bare = [Record(r.count, r.epoch, r.work, r.seconds, {"free_energy_gap": 0.1}) for r in records()]
    figure = charts.likelihood(drawn(bare), along=Along(budget=1800), base_rate=-200.0)
    assert figure["data"] == []
    assert "base rate \N{MINUS SIGN}200.00" in texts(figure)


def test_values_that_are_not_finite_are_left_out():
    broken = [*records(), Record(990, 11.0, 2970, 5.5, {"test_log_likelihood": float("nan")})]
    json.dumps(charts.likelihood(drawn(broken), along=Along(budget=1800)), allow_nan=False)


def test_long_trainings_are_thinned_and_keep_first_and_last():
    many = records(20_001)
    x = line(charts.likelihood(drawn(many), along=Along(budget=90 * 20_000)), "test")["x"]
    assert len(x) <= 1001
    assert (x[0], x[-1]) == (0.0, 20_000.0)


def test_drawn_points_stay_where_they_are_as_a_training_grows():
    few, more = (set(line(charts.likelihood(drawn(records(n))), "test")["x"][:-1]) for n in (1500, 1501))
    assert few <= more


def test_reconstruction_error_says_that_it_is_not_a_likelihood():
    assert "not a likelihood" in FIGURES["reconstruction"]["layout"]["yaxis"]["title"]["text"]


def test_a_histogram_counts_every_weight_in_the_colours_of_the_tiles():
    figure = charts.weight_histogram([-9.0, -1.0, 0.0, 1.0, 9.0], 2.0, "Weights")
    bars = figure["data"][0]
    assert sum(bars["y"]) == 5
    assert bars["marker"]["color"][0] == palette.rgb(palette.rdbu(41)[0])
    assert figure["layout"]["xaxis"]["range"] == [-2.0, 2.0]


def test_an_unknown_axis_is_refused_and_an_unknown_family_has_a_hue():
    with pytest.raises(ValueError, match="axis must be one of epochs, updates, work, seconds, not 'hours'"):
        Along(axis="hours")
    assert line(charts.likelihood(drawn(family="XY")), "test")["line"]["color"] == palette.OTHER


def validated() -> list[Record]:
    return [
        dataclasses.replace(r, values=r.values | {"validation_log_likelihood": -20.0 - i})
        for i, r in enumerate(records())
    ]


def test_the_ring_says_which_rows_judge_and_lies_on_their_line():
    for shown, name, y in ((records(), "best, training", -17.5), (validated(), "best, validation", -30.0)):
        ring = line(charts.likelihood(drawn(shown), best=900), name)
        assert (ring["x"], ring["y"]) == ([10.0], [y])


def test_validation_rows_are_drawn_dotted_where_they_are_measured_and_beside_no_pinned_curve():
    figure = charts.likelihood(drawn(validated()))
    dashes = {trace["name"]: trace["line"]["dash"] for trace in figure["data"]}
    assert dashes == {"training": "solid", "validation": "dot", "test": "solid"}
    assert figure["layout"]["yaxis"]["range"][0] <= -30.0
    beside = charts.likelihood(drawn(validated(), name="new"), pinned=[drawn(validated(), name="old")], best=900)
    assert [trace["name"] for trace in beside["data"]] == ["old", "new"]
    assert beside["layout"]["yaxis"]["range"][0] > -30.0


def test_the_upper_bound_is_the_entropy_of_the_patterns():
    assert charts.upper_bound(load("bars-and-stripes", D=3)) == pytest.approx(-np.log(14))
    assert charts.upper_bound(load("bars-and-stripes", D=3, process=True)) == pytest.approx(-2.599, abs=1e-3)


def test_one_line_shows_patterns_that_are_learnt_from_and_tested():
    figure = charts.likelihood(drawn(), upper_bound=-2.0)
    assert [each["name"] for each in figure["data"]] == ["all rows"]


def test_changes_are_marked_on_the_gap_too():
    marked = charts.free_energy_gap(records(), family="CD", changes=((0, "rate", 0.1),))
    assert any("rate 0.1" in str(note.get("text")) for note in marked["layout"]["annotations"])


def test_no_upper_bound_is_known_of_held_out_images():
    assert charts.upper_bound(load("digits")) is None


def test_the_curve_is_told_in_words():
    assert (
        reading.sentence(records(), reading.EXACT.test, "Test log-likelihood")
        == "Test log-likelihood from -26.00 at epoch 0 to -18.00 at epoch 10."
    )
    assert reading.sentence([], reading.EXACT.test, "Test log-likelihood") == (
        "Test log-likelihood: nothing measured yet."
    )


def test_an_estimate_is_a_line_in_a_shaded_interval():
    figure = FIGURES["estimate"]
    band, test = line(figure, "interval"), line(figure, "test")
    assert figure["data"][0] is band
    assert test["y"] == list(np.linspace(-200.0, -100.0, 11))
    assert band["fill"] == "toself"
    assert (min(band["y"]), max(band["y"])) == (-201.0, -98.0)
    assert test["customdata"][0] == " (-201.00 to -198.00)"


def test_an_end_of_an_interval_that_is_not_known_reaches_to_the_edge_of_the_chart():
    known = estimates()
    for record in known:
        del record.values["test_log_likelihood_ais_high"]
    figure = charts.likelihood(drawn(known), along=Along(budget=1800))
    assert max(line(figure, "interval")["y"]) == figure["layout"]["yaxis"]["range"][1]
    assert line(figure, "test")["customdata"][0] == " (-201.00 to ?)"


def test_a_wide_interval_leaves_the_curve_half_of_the_height():
    low, high = charts.likelihood(drawn(estimates(spread=5000.0)), along=Along(budget=1800))["layout"]["yaxis"]["range"]
    assert high - low <= 3 * 100


def test_a_curve_that_is_alone_is_solid():
    assert {
        line["line"]["dash"] for line in charts.likelihood(drawn(dash="dot"))["data"] if line["mode"] == "lines"
    } == {"solid"}


def test_a_pinned_curve_is_drawn_thinner_under_its_own_hue_dash_and_name():
    figure = FIGURES["pinned"]
    pinned, new = line(figure, "PCD-12, η 0.3"), line(figure, "S-DCP, η 0.3")
    assert (pinned["line"]["color"], new["line"]["color"]) == (palette.hue("CD"), palette.hue("DCP"))
    assert (pinned["line"]["dash"], new["line"]["dash"]) == ("dash", "solid")
    assert pinned["line"]["width"] < new["line"]["width"]


def test_limits_hold_the_pinned_curve_too():
    layout = FIGURES["pinned"]["layout"]
    assert layout["xaxis"]["range"] == [0.0, 20.0]
    assert layout["yaxis"]["range"][1] >= -15.0


def test_beside_a_pinned_curve_only_test_lines_are_drawn_and_nothing_is_ringed():
    figure = charts.likelihood(drawn(name="new"), pinned=[drawn(name="old")], along=Along(budget=900), best=900)
    assert [trace["name"] for trace in figure["data"]] == ["old", "new"]


def test_a_pinned_curve_of_the_same_family_is_grey():
    figure = charts.likelihood(drawn(name="new"), pinned=[drawn(name="old")], along=Along(budget=900))
    assert (line(figure, "old")["line"]["color"], line(figure, "new")["line"]["color"]) == (
        palette.PINNED,
        palette.hue("CD"),
    )


def luminance(colour: str) -> float:
    levels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return float(
        np.dot([0.2126, 0.7152, 0.0722], [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in levels])
    )


@pytest.mark.parametrize("ground", ["#FAF9F5", "#14171B"])
def test_what_is_pinned_can_be_seen_on_light_and_dark(ground):
    figure = charts.likelihood(drawn(name="new"), pinned=[drawn(name="old", family="DCP")], along=Along(budget=900))
    assert "opacity" not in line(figure, "old")
    for colour in (line(figure, "old")["line"]["color"], palette.PINNED):
        low, high = sorted((luminance(colour), luminance(ground)))
        assert (high + 0.05) / (low + 0.05) >= 3


def test_a_figure_of_many_curves_is_not_larger_than_one_of_two():
    many = [drawn(records(5000), name=f"seed {i}") for i in range(6)]
    figure = charts.likelihood(many[-1], pinned=many[:-1])
    assert sum(len(each["x"]) for each in figure["data"]) <= 2 * drawing.POINTS + 6


def test_labels_of_live_changes_that_are_close_together_are_one():
    changes = ((100, "rate", 0.1), (110, "rate", 0.2), (120, "K", 5), (600, "rate", 0.3))
    figure = charts.likelihood(drawn(), along=Along(budget=900), changes=changes)
    assert {"rate 0.1 → 0.2, K 5", "rate 0.3"} <= set(texts(figure))
    assert len(figure["layout"]["shapes"]) == len(changes)


def test_nothing_is_drawn_of_a_pinned_training_without_records():
    figure = charts.likelihood(drawn(), pinned=[drawn([])], along=Along(budget=900))
    assert len(figure["data"]) == 1


def test_units_are_drawn_in_rising_order_and_dead_ones_marked_and_counted():
    figure = FIGURES["activity"]
    bars, off, on = figure["data"]
    assert bars["y"] == [0.001, 0.003, 0.2, 0.5, 0.999]
    assert bars["customdata"] == [2, 5, 4, 1, 3]
    assert (off["x"], off["customdata"]) == ([1.0, 2.0], [2, 5])
    assert (on["x"], on["customdata"]) == ([5.0], [3])
    assert texts(figure) == ["× 2 always off, 1 always on"]


def test_thousands_of_units_are_drawn_as_fewer_bars_and_still_all_counted():
    bars = FIGURES["activity of many"]["data"][0]
    assert len(bars["x"]) == 1000
    assert (bars["x"][0], bars["x"][-1]) == (1, 3000)
    assert texts(FIGURES["activity of many"]) == ["× 30 always off, 30 always on"]


def test_autocorrelation_is_drawn_from_lag_0_on():
    curve = FIGURES["autocorrelation"]["data"][0]
    assert (curve["x"][0], curve["y"][0]) == (0.0, 1.0)
    assert len(curve["x"]) == 26


def test_a_pseudo_likelihood_is_drawn_as_such_where_it_is_asked_for_and_one_line_is_enough_for_the_same_rows():
    both = [
        dataclasses.replace(r, values=r.values | {"train_log_pseudo_likelihood": -9.0 + i / 10})
        for i, r in enumerate(records())
    ]
    figure = charts.likelihood(drawn(both), which=reading.PSEUDO, alike=True, base_rate=-10.0)
    assert figure["layout"]["yaxis"]["title"]["text"] == "Log-pseudo-likelihood, nats per example"
    assert [trace["name"] for trace in figure["data"]] == ["all rows"]
    assert line(figure, "all rows")["y"][-1] == -8.0


def test_what_the_rows_were_drawn_from_is_a_level_that_is_in_sight():
    figure = charts.likelihood(drawn(), truth=-12.0)
    assert "truth −12.00" in texts(figure)
    assert figure["layout"]["yaxis"]["range"][1] >= -12.0
