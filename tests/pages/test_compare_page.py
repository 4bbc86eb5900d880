"""Compare's logic: what the address says, what may be changed, and what a race shows."""

import dataclasses
import threading
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from boltzcore import Comparison, Recipe, compare
from boltzcore.comparison.presets import COMPARISON_PRESETS
from boltzcore.comparison.tuning import Tuning
from boltzcore.data import DATASETS, grants
from boltzcore.data.corruption import Corruption
from boltzcore.jobs.race import RaceSnapshot
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.training.schedule import Schedule
from pages.common import lab
from pages.common.words import escape
from pages.race import contenders
from pages.race.frame import frame_of_race
from tests.pages import visit
from tests.pages.visit import at, button, press, until
from tests.runs.test_result import made

BASE = Recipe(RBMSetup(hidden=3), "bars-and-stripes", CD(0.1, 0), Schedule(length=30, every=10))
COMPARISON = Comparison(BASE, {"CD-1": {}, "PCD": {"learner": "PCD", "PCD.batch_size": 0}}, trials=2)


def page(**query: str) -> AppTest:
    return visit.visit("compare", **query)


def opened(comparison: Comparison = COMPARISON) -> AppTest:
    return page(**comparison.to_query())


def comparison_in(test: AppTest) -> Comparison:
    """The comparison that the address names."""
    return Comparison.from_query(at(test))


def wait_for_end(race):
    until(lambda: race.snapshot.status == "finished")
    return race


def run_race(test: AppTest):
    """The race of a page, once Play has been pressed and it has ended."""
    return wait_for_end(lab.engine().races.get(at(press(test, "Play"))["race"]))


def widget(test: AppTest, label: str):
    return next(each for each in (*test.text_input, *test.selectbox, *test.multiselect) if each.label == label)


def test_data_in_a_folder_that_is_not_there_are_not_at_hand(monkeypatch, tmp_path):
    monkeypatch.setenv("BOLTZCORE_DATA", str(tmp_path / "nowhere"))
    test = opened()
    assert not any("Caltech" in title for title in widget(test, "Data").options)
    mnist = Recipe(BASE.model, "mnist", CD(0.1, 10), BASE.schedule)
    test.session_state["comparison"] = Comparison(mnist, {"CD-1": {}, "PCD": {"learner": "PCD"}}, trials=2)
    test.run()


def test_it_opens_with_the_first_question_and_each_is_a_comparison_that_a_link_holds():
    presets = [preset.comparison for preset in COMPARISON_PRESETS.values()]
    assert comparison_in(page()) == presets[0]
    assert [Comparison.from_query(each.to_query()) for each in presets] == presets


def test_a_comparison_that_was_not_played_stays_when_another_page_opens():
    test = opened()
    away = {key: test.session_state[key] for key in ("comparison", "race")}
    assert comparison_in(visit.visit("compare", away)) == COMPARISON


def test_an_address_is_the_comparison_and_what_is_wrong_is_said():
    assert comparison_in(opened()) == COMPARISON
    wrong = ({"trials": "1000"}, {"CD.speed": "3"}, {"nothing": "1"}, {"crbm.hidden": "4"})
    for query in (
        *(COMPARISON.to_query() | each for each in wrong),
        {"preset": "none"},
        {"race": "0" * 16},
        {"trials": "3"},
    ):
        assert len(page(**query).warning) == 1


def test_contenders_are_added_copied_changed_and_removed_without_losing_the_others():
    test = opened()
    test.text_input(key=next(each.key for each in test.text_input if "learner K of 0" in each.key)).input("9")
    assert comparison_in(press(test, "Copy")).names == ("CD-9", "PCD", "CD-9 (2)")  # typed just before the click
    test = opened()
    button(test, "Add a contender").click().run()
    assert comparison_in(test).names == ("CD-1", "PCD", "PCD (2)")
    [each for each in test.button if each.label == "Remove"][1].click().run()
    assert comparison_in(test).names == ("CD-1", "PCD (2)")
    widget(test, "Learner").set_value("SDCP").run()
    changed = comparison_in(test)
    assert type(dict(changed.contenders)[changed.names[0]].learner).__name__ == "SDCP"
    assert changed.names[1] == "PCD (2)"
    assert comparison_in(press(test, "Copy")).names == (*changed.names, f"{changed.names[0]} (2)")


def test_a_contender_goes_by_its_learner_and_by_more_where_another_does():
    changed = contenders.with_field(COMPARISON, "CD-1", "learner", "K", "9")
    assert changed.names == ("CD-9", "PCD")
    copied = contenders.add(changed, like="CD-9")
    assert copied.names == ("CD-9", "PCD", "CD-9 (2)")
    slow, fast = (f"CD-9, \N{GREEK SMALL LETTER ETA} {rate}" for rate in (0.1, 0.5))
    assert contenders.with_field(copied, "CD-9", "learner", "rate", "0.5").names == (fast, "PCD", slow)
    assert contenders.with_field(copied, "CD-9 (2)", "learner", "rate", "0.5").names == (slow, "PCD", fast)
    named = contenders.rename(COMPARISON, "CD-1", "mine")
    copied = contenders.add(named, like="mine")  # a given name stays
    assert copied.names == ("mine", "PCD", "mine (2)")
    assert contenders.with_field(copied, "mine", "learner", "rate", "0.5").names == copied.names


def test_names_leave_out_what_is_tuned():
    rates = contenders.with_field(contenders.add(COMPARISON, "CD-1"), "CD-1", "learner", "rate", "0.5")
    tuned = contenders.with_tuned_fields(rates, ["rate"])
    assert not any("0.5" in name or "0.1" in name for name in tuned.names)
    assert [recipe for _, recipe in tuned.contenders] == [recipe for _, recipe in rates.contenders]
    assert contenders.with_tuned_fields(tuned, []).names == rates.names
    potts = Comparison(Recipe("potts", "bars-and-stripes", "PottsPseudoLikelihood"), {"a": {}, "b": {}})
    assert contenders.with_tuned_fields(potts, ["tolerance"]).tuning  # of small values


def test_on_other_data_the_contenders_keep_what_they_differ_in():
    moved = contenders.with_data(COMPARISON.changed(budget=10**6, target=-3.0), DATASETS["digits"]())
    assert {recipe.data.name for recipe in moved.recipes} == {"digits"}
    assert moved.names == COMPARISON.names
    assert [recipe.learner.rate for _, recipe in moved.contenders] == [0.1, COMPARISON.contenders[1][1].learner.rate]
    assert all(recipe.learner.batch_size > 0 for _, recipe in moved.contenders)  # all rows would be many
    assert (moved.budget, moved.target) == (None, None)
    beyond_pairs = COMPARISON_PRESETS["bayes-net"].comparison
    assert contenders.with_data(beyond_pairs, DATASETS["bayes-net"](seed=7)).figure == beyond_pairs.figure
    assert contenders.with_data(beyond_pairs, DATASETS["senate"]()).figure == ""  # the true distribution is unknown
    two_stages = COMPARISON.changed(contenders={"CD-1": BASE, "two stages": dataclasses.replace(BASE, before=BASE)})
    assert contenders.with_data(two_stages, DATASETS["digits"]()).contenders[1][1].before.data.name == "digits"


def test_the_page_takes_other_data_and_names_them_beside_the_race():
    test = opened()
    widget(test, "Data").set_value("shifting-bar").run()
    assert comparison_in(test).base.data.name == "shifting-bar"
    press(test, "Play")
    assert any("Shifting Bar" in each.value for each in test.markdown)


def test_a_contender_that_does_not_fit_the_data_is_refused_where_it_is_asked_for():
    wrong = {"CD.batch_size": "5000", "contender.1": "A;", "contender.2": "B;CD.K=2"}
    test = page(data="bars-and-stripes", learner="CD", **wrong)
    assert len(test.warning) == 1
    assert button(test, "Play") is not None
    test = opened()
    next(each for each in test.text_input if each.key.startswith("learner batch_size of 0")).set_value("5000").run()
    assert len(test.error) == 1
    assert at(test) == COMPARISON.to_query()


def test_data_that_are_not_here_are_fetched_by_play_and_not_before(monkeypatch):
    data = BASE.data.changed(D=2, process=True)  # no race that another test has left behind loads these
    monkeypatch.setattr(type(data), "at_hand", lambda self: False)
    monkeypatch.setattr(type(data), "downloadable", True)
    loaded, load = threading.Event(), type(data).load
    monkeypatch.setattr(type(data), "load", lambda self, *of: (self == data and loaded.set()) or load(self, *of))
    test = opened(contenders.with_data(COMPARISON, data))
    assert not loaded.is_set()
    run_race(test)
    assert loaded.is_set()


def test_a_comma_stands_before_thousands_or_before_decimals_and_is_never_passed_over():
    test = opened()

    def entered(label, text):
        widget(test, label).set_value(text).run()
        return comparison_in(test)

    assert entered("Target", "-2,8").target == -2.8
    for text in ("1,200,000", "1.2 million", "0.0012 Billion", "1.2e6", "12e5"):
        assert entered("Cost limit", text).budget == 1_200_000
    assert entered("Trials of each", "2,5") == COMPARISON.changed(target=-2.8, budget=1_200_000)
    assert len(test.error) == 1
    for text in ("1,2 million", "1.5", "12e-1", "1e99", "-3", "million"):
        assert entered("Cost limit", text).budget == 1_200_000
        assert len(test.error) == 2


def test_play_waits_until_a_refused_text_is_corrected_or_its_field_is_gone():
    test = opened()
    widget(test, "Cost limit").set_value("many").run()
    widget(test, "Target").set_value("-2").run()  # another setting leaves the refusal
    assert (widget(test, "Cost limit").value, len(test.error)) == ("many", 1)
    assert "race" not in at(visit.click_disabled(test, "Play"))
    widget(test, "Cost limit").set_value("1,000").run()
    assert not test.error
    next(each for each in test.text_input if each.key.startswith("learner rate of 0")).set_value("fast").run()
    assert not visit.enabled(test, "Play")
    widget(test, "Learner").set_value("SDCP").run()
    assert visit.enabled(test, "Play")


def test_play_makes_a_race_whose_owner_the_address_is_and_whose_curves_are_hidden_until_a_prediction():
    test = opened()
    test.session_state["predicted"] = COMPARISON.changed(seed=5), "CD-1"  # of another race
    race = run_race(test)
    assert not test.run().success
    assert not {"race", "key", "run"} & {*visit.links(test)[0]}  # of the comparison, for a class
    assert test.button_group(key="prediction").set_value("CD-1").run().success
    assert (race.comparison, race.is_owner(at(test)["key"])) == (COMPARISON, True)
    watcher = page(**{key: text for key, text in at(test).items() if key != "key"})
    assert button(watcher, "Cancel").disabled
    assert widget(watcher, "Compared with")  # a link to a race that has ended opens its result
    copied = lab.engine().races.get(at(press(watcher, "Start my own copy"))["race"])
    assert (copied.comparison, copied.is_owner(at(watcher)["key"]), copied is race) == (COMPARISON, True, False)
    hidden, shown = (frame_of_race(race.snapshot, hidden=hidden) for hidden in (True, False))
    assert [*hidden.items, *hidden.lines] == []
    assert [item.key for item in shown.items] == ["curve", "pictures", "figures"]
    assert all(item.panel() for item in shown.items)
    assert {line.figures[0].value for line in shown.lines} == {"CD-1", "PCD"}
    medians = [float(line.figures[1].value.replace("\N{MINUS SIGN}", "-")) for line in shown.lines]
    assert medians == sorted(medians, reverse=True)  # the best first, now that it has ended
    columns = {each.title: each for each in shown.items[-1].panel().content.columns}
    table = race.snapshot.result.table()
    assert columns["Contender"].texts == tuple(table.index)
    assert columns["Better by"].numbers == (None, table["difference"].iloc[1])
    assert "Cost to the target" not in columns  # there is none


def test_a_race_keeps_its_speed_when_another_page_opens_or_it_is_reloaded():
    test = opened()
    widget(test, "Speed").set_value("At least 2 minutes").run()
    race = lab.engine().races.get(at(press(test, "Play"))["race"])
    away = {key: test.session_state[key] for key in ("race speed", "race", "run_keys")}
    for back in (visit.visit("compare", away), page(**at(test))):
        assert widget(back, "Speed").value == "At least 2 minutes"
        assert race.at_least == 120.0
    widget(back, "Speed").set_value("At least 30 seconds").run()
    assert (widget(test.run(), "Speed").value, race.at_least) == ("At least 30 seconds", 30.0)  # of an older page, too
    widget(back, "Speed").set_value("Maximum speed").run()
    assert not wait_for_end(race).at_least


def test_lines_of_a_race_that_has_ended_have_the_order_of_the_mean_differences_and_a_failed_one_comes_last():
    """Of the first, CD-1 has the highest median, CD-4 the highest mean."""
    first = made({"CD-1": [[-9.0, -3.0], [-9.0, -3.0], [-9.0, -8.0]], "CD-4": [[-9.0, -3.5]] * 3})
    assert first.ahead[0] == "CD-4"
    other = made({"CD-1": [[-9.0, -3.0]] * 3, "CD-4": [[-9.0, -8.0]] * 3})
    failed = dataclasses.replace(other.trials["CD-1"][0], status="failed")
    other = dataclasses.replace(other, trials={**other.trials, "CD-1": (failed, *other.trials["CD-1"][1:])})
    for result in (first, other):
        lines = frame_of_race(RaceSnapshot("finished", result=result)).lines
        assert [line.figures[0].value for line in lines] == ["CD-4", "CD-1"]


def test_once_it_has_ended_the_others_may_be_compared_with_any():
    test = opened()
    race = run_race(test)
    test.run()
    assert not [each for each in test.selectbox if each.label == "Compared with"]  # it would tell of the end
    assert button(test, "Use as reference").disabled
    test.session_state["predicted"] = COMPARISON, "CD-1"
    test.run()
    assert test.success[0].value == escape(race.snapshot.result.sentence("CD-1"))
    widget(test, "Compared with").set_value("PCD").run()
    assert test.success[0].value == escape(race.snapshot.result.sentence("PCD"))
    assert at(test)["race"] == race.id
    lines = frame_of_race(race.snapshot, against="PCD").lines
    assert {line.figures[2].value for line in lines if line.figures[0].value == "PCD"} == {"reference"}
    button(test, "Add a contender").click().run()
    assert "race" not in at(test)
    assert lab.engine().races.get(race.id) is race


def test_a_reference_is_chosen_before_the_race_and_goes_with_its_contender():
    test = opened()
    [each for each in test.button if each.label == "Use as reference"][1].click().run()
    wanted = comparison_in(test)
    assert (wanted.reference, wanted.names) == ("PCD", COMPARISON.names)
    next(each for each in test.text_input if each.value == "PCD").set_value("ours").run()
    assert comparison_in(test).reference == "ours"
    button(test, "Compare all pairs").click().run()
    assert not comparison_in(test).reference


def test_a_reference_stays_in_its_place_and_goes_when_it_is_removed():
    asked = COMPARISON.changed(reference="PCD")
    assert contenders.with_field(asked, "PCD", "learner", "rate", "0.2").reference
    assert contenders.add(asked, "PCD").reference == "PCD"
    three = contenders.add(asked, "CD-1")
    assert contenders.remove(three, "CD-1").reference == "PCD"
    assert contenders.remove(three, "PCD").reference == ""


def test_contenders_are_tuned_alike_when_that_is_asked_for():
    test = opened()
    widget(test, "Tune first").set_value(["rate", "K"]).run()
    assert set(dict(comparison_in(test).tuning.grid)) == {"rate", "K"}
    widget(test, "Learning rate").set_value("0.1, 0.5").run()
    widget(test, "Gibbs steps").set_value("1, 2").run()
    widget(test, "Runs per value").set_value("1").run()
    wanted = comparison_in(test)
    assert wanted.tuning == Tuning({"rate": (0.1, 0.5), "K": (1, 2)}, 1)
    widget(test, "Learning rate").set_value("0.1, fast").run()
    widget(test, "Gibbs steps").set_value("1").run()
    assert len(test.error) == 2
    assert "'K'" not in test.error[1].value  # its label instead
    assert comparison_in(test) == wanted
    widget(test, "Learning rate").set_value("0.1, 0.5").run()
    widget(test, "Gibbs steps").set_value("1, 2").run()
    race = run_race(test)
    assert race.snapshot.result.comparison.tuning is None
    assert "0.1, 0.5" in race.snapshot.result.sentence()
    table = next(item for item in frame_of_race(race.snapshot).items if item.key == "tuning").panel().content
    assert [len(column.texts) for column in table.columns] == [8] * 5
    assert sorted(table.columns[-1].texts) == ["no"] * 6 + ["yes"] * 2
    test.run()
    widget(test, "Runs per value").input("2")
    widget(test, "Tune first").set_value([]).run()
    assert (comparison_in(test).tuning, len(test.exception)) == (None, 0)


def test_settings_that_only_some_contenders_have_are_tuned_and_go_with_the_last_that_has_them():
    mixed = contenders.with_learner(COMPARISON, "PCD", "SDCP")
    names, known = mixed.names, contenders.tunable_fields(mixed)
    assert [known[field][1] for field in ("rate", "K", "d")] == [list(names), [names[0]], [names[1]]]
    tuned = contenders.with_tuned_fields(mixed, ["rate", "K", "d", "K_prime"])
    test, runs = opened(tuned), sum(tuned.tuning_runs.values())
    options = widget(test, "Tune first").options
    assert len(set(options)) == len(options)  # two are Gibbs steps
    assert sum(f"{runs} runs" in each.value for each in test.caption) == 1
    assert set(contenders.grid_of(contenders.with_learner(tuned, tuned.names[1], "PCD"))) == {"rate", "K"}
    alone = contenders.with_tuned_fields(mixed, ["d"])
    assert contenders.remove(contenders.add(alone, alone.names[0]), alone.names[1]).tuning is None
    result = compare(alone.changed(trials=1, budget=10**4))
    frames = [frame_of_race(RaceSnapshot("finished", result=each)) for each in (result.tuning, result)]
    assert [len(each.lines) for each in frames] == [2, 2]
    assert all(item.panel() for each in frames for item in each.items)


def test_while_contenders_are_tuned_a_line_says_how_far_each_is():
    tuned = COMPARISON.changed(tuning=Tuning({"rate": ("0.1", "0.5")}, 1), budget=10**10)
    race = lab.engine().races.create(tuned, play=True)
    until(lambda: (result := race.snapshot.result) and result.comparison.tuning and frame_of_race(race.snapshot).lines)
    assert [line.figures[1].value for line in frame_of_race(race.snapshot).lines] == ["0 of 2"] * 2
    table = next(item for item in frame_of_race(race.snapshot).items if item.key == "tuning").panel().content
    assert set(table.columns[-1].texts) == {"\N{EN DASH}"}  # none is used yet
    lab.engine().races.delete(race)


@pytest.mark.parametrize(
    ("names", "more"),
    [
        (("fvbm", "random-fvbm", "GradientAscent"), {}),
        (("log-linear", "bayes-net", "PairwisePCD"), {}),
        (("potts", "random-fvbm", "PottsPCD"), {}),
        (("infinite-rbm", "bars-and-stripes", "FrankWolfe"), {}),
        (("crbm", "digits", "ConditionalCD"), {"corruption": Corruption(rate=0.1)}),
    ],
    ids=lambda each: each[0] if isinstance(each, tuple) else "",
)
def test_every_model_shows_what_it_has_learnt(names, more):
    recipe = Recipe(*names, Schedule(length=2, unit="updates"), **more)
    race = lab.engine().races.create(Comparison(recipe, {"a": {}, "b": {}}, trials=1, axis="updates"), play=True)
    panel = next(item for item in frame_of_race(wait_for_end(race).snapshot).items if item.key == "pictures").panel()
    assert [picture.caption for picture in panel.content][-2:] == ["a", "b"]
    assert len(panel.content) == 2 + bool(more)  # and what was damaged
    assert all(picture.png and picture.alt for picture in panel.content)


def test_a_race_on_a_table_of_one_s_own_is_its_owner_s_as_long_as_the_table_is_open(table):
    base = Recipe(RBMSetup(hidden=3), table, CD(0.1, 0), Schedule(length=30, unit="updates", every=10))
    comparison = Comparison(base, {"CD-1": {}, "CD-4": {"CD.K": 4}}, trials=2)
    stranger = opened(comparison)
    assert stranger.warning
    assert table.digest not in str(at(stranger))
    secret = grants.give(table.digest)
    owner = page(**comparison.to_query(), table=secret)
    assert comparison_in(owner) == comparison
    race = run_race(owner)
    owner.run()
    ways = [parse_qs(urlsplit(each.proto.url).query) for each in owner.get("link_button")]
    assert [way["table"] for way in ways if way] == [[secret]] * 2  # of each contender to the page Train
    assert table.digest not in " ".join(each.value for each in owner.code)
    watcher = page(race=race.id)
    assert watcher.warning
    assert "race" not in at(watcher)
    grants.end(grants.find_grant(secret))
    assert page(race=race.id, key=at(owner)["key"]).warning
    assert table.digest not in str(at(owner.run()))
