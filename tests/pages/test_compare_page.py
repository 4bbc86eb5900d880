"""Compare's logic: what the address says, what may be changed, and what a race shows."""

import dataclasses
import errno
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from boltzcore import Comparison, Recipe
from boltzcore.data import grants, upload
from boltzcore.data.corruption import Corruption
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.runs import winner
from boltzcore.runs.comparison_presets import COMPARISON_PRESETS
from boltzcore.runs.race import RaceSnapshot
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.tuning import Tuning
from pages.common import lab
from pages.common.words import plain
from pages.race import contenders
from pages.race.frame import frame_of_race
from tests.runs.test_result import made

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "compare.py")
BASE = Recipe(RBMSetup(hidden=3), "bars-and-stripes", CD(0.1, 0), Schedule(length=30, every=10))
COMPARISON = Comparison(BASE, {"CD-1": {}, "PCD": {"learner": "PCD", "PCD.batch_size": 0}}, trials=2)


def page(**query: str) -> AppTest:
    test = AppTest.from_file(PAGE, default_timeout=60)
    for key, text in query.items():
        test.query_params[key] = text
    return test.run()


def opened(comparison: Comparison = COMPARISON) -> AppTest:
    return page(**comparison.to_query())


def button(test: AppTest, label: str, nth: int = 0):
    return [each for each in test.button if each.label == label][nth]


def address(test: AppTest) -> dict[str, str]:
    return {key: value[0] if isinstance(value, list) else value for key, value in test.query_params.items()}


def raced(test: AppTest):
    """The race of a page, once it has ended."""
    race = lab.engine().races.get(address(test)["race"])
    end = time.monotonic() + 100
    while race.snapshot.status != "finished":
        assert time.monotonic() < end
        time.sleep(0.02)
    return race


def test_data_in_a_folder_that_is_not_there_are_not_at_hand(monkeypatch, tmp_path):
    monkeypatch.setenv("BOLTZCORE_DATA", str(tmp_path / "nowhere"))
    test = opened()
    assert not test.exception
    offered = next(each for each in test.selectbox if each.label == "Data").options
    assert not any("Caltech" in title for title in offered)
    mnist = Recipe(BASE.model, "mnist", CD(0.1, 10), BASE.schedule)
    test.session_state["comparison"] = Comparison(mnist, {"CD-1": {}, "PCD": {"learner": "PCD"}}, trials=2)
    assert not test.run().exception


def test_it_opens_with_the_first_question():
    test = page()
    assert not test.exception
    first = next(iter(COMPARISON_PRESETS.values()))
    assert Comparison.from_query(address(test)) == first.comparison


@pytest.mark.parametrize("name", COMPARISON_PRESETS)
def test_every_preset_is_a_comparison_that_a_link_holds(name):
    comparison = COMPARISON_PRESETS[name].comparison
    assert Comparison.from_query(comparison.to_query()) == comparison


def test_an_address_is_the_comparison_and_what_is_wrong_is_said():
    assert Comparison.from_query(address(opened())) == COMPARISON
    wrong = page(**COMPARISON.to_query() | {"trials": "1000"})
    assert "trials must be" in wrong.warning[0].value
    assert "preset must be one of" in page(preset="none").warning[0].value
    assert "no such race" in page(race="0" * 16).warning[0].value


def test_contenders_are_added_copied_changed_and_removed_without_losing_the_others():
    test = opened()
    button(test, "Add a contender").click().run()
    assert Comparison.from_query(address(test)).names == ("CD-1", "PCD", "PCD (2)")
    button(test, "Remove", 1).click().run()
    assert Comparison.from_query(address(test)).names == ("CD-1", "PCD (2)")
    learner = next(each for each in test.selectbox if each.label == "Learner")
    learner.set_value("SDCP").run()
    changed = Comparison.from_query(address(test))
    assert type(dict(changed.contenders)[changed.names[0]].learner).__name__ == "SDCP"
    assert changed.names[1] == "PCD (2)"
    button(test, "Copy").click().run()
    copied = Comparison.from_query(address(test))
    assert copied.names == (*changed.names, f"{changed.names[0]} (2)")


def test_a_contender_goes_by_its_learner_and_by_more_where_another_does():
    changed = contenders.with_field(COMPARISON, "CD-1", "learner", "K", "9")
    assert changed.names == ("CD-9", "PCD")
    copied = contenders.added(changed, like="CD-9")
    assert copied.names == ("CD-9", "PCD", "CD-9 (2)")
    slow, fast = (f"CD-9, \N{GREEK SMALL LETTER ETA} {rate}" for rate in (0.1, 0.5))
    assert contenders.with_field(copied, "CD-9", "learner", "rate", "0.5").names == (fast, "PCD", slow)
    assert contenders.with_field(copied, "CD-9 (2)", "learner", "rate", "0.5").names == (slow, "PCD", fast)


def test_a_name_that_somebody_gave_stays():
    named = contenders.renamed(COMPARISON, "CD-1", "mine")
    copied = contenders.added(named, like="mine")
    assert copied.names == ("mine", "PCD", "mine (2)")
    assert contenders.with_field(copied, "mine", "learner", "rate", "0.5").names == copied.names


def test_on_other_data_the_contenders_keep_what_they_differ_in():
    moved = contenders.with_data(COMPARISON.changed(budget=10**6, target=-3.0), "digits")
    assert {recipe.data.name for recipe in moved.recipes} == {"digits"}
    assert moved.names == COMPARISON.names
    assert [recipe.learner.rate for _, recipe in moved.contenders] == [0.1, COMPARISON.contenders[1][1].learner.rate]
    assert all(recipe.learner.batch_size > 0 for _, recipe in moved.contenders)  # all rows would be many
    assert (moved.budget, moved.target) == (None, None)


def test_the_page_takes_other_data_and_names_them_beside_the_race():
    test = opened()
    data = next(each for each in test.selectbox if each.label == "Data")
    data.set_value("shifting-bar").run()
    assert not test.exception
    assert Comparison.from_query(address(test)).base.data.name == "shifting-bar"
    button(test, "Play").click().run()
    assert any("Shifting Bar" in each.value for each in test.markdown)


def test_what_cannot_be_taken_is_said_and_nothing_is_lost():
    test = opened()
    trials = next(each for each in test.text_input if each.label == "Trials of each")
    trials.set_value("many").run()
    assert "must be a number" in test.warning[0].value
    assert Comparison.from_query(address(test)) == COMPARISON


def test_who_does_not_fit_the_data_is_refused_where_it_is_asked_for():
    test = page(
        **{
            "data": "bars-and-stripes",
            "learner": "CD",
            "CD.batch_size": "5000",
            "contender.1": "A;",
            "contender.2": "B;CD.K=2",
        }
    )
    assert not test.exception
    assert "batch_size" in test.warning[0].value
    assert button(test, "Play") is not None
    test = opened()
    batch = next(each for each in test.text_input if each.key.startswith("learner batch_size of 0"))
    batch.set_value("5000").run()
    assert not test.exception
    assert "batch_size" in test.warning[0].value
    assert address(test) == COMPARISON.to_query()


def test_data_that_are_not_here_are_fetched_by_play_and_not_before(monkeypatch):
    monkeypatch.setattr(type(BASE.data), "at_hand", lambda self: False)
    monkeypatch.setattr(type(BASE.data), "downloadable", True)
    monkeypatch.setattr(type(BASE.data), "load", lambda self: pytest.fail("it was loaded"))
    test = opened()
    assert not test.exception
    assert "is not on this machine yet: Play fetches it first, once." in "".join(each.value for each in test.caption)


def test_a_comma_stands_before_thousands_or_before_decimals_and_is_never_passed_over():
    test = opened()

    def entered(label, text):
        next(each for each in test.text_input if each.label == label).set_value(text).run()
        return Comparison.from_query(address(test))

    assert entered("Target", "-2,8").target == -2.8
    assert entered("Up to", "1,200,000").budget == 1_200_000
    assert entered("Trials of each", "2,5") == COMPARISON.changed(target=-2.8, budget=1_200_000)
    assert test.warning[0].value == "Trials of each must be a number, not '2,5'."


def test_a_disk_that_is_full_is_said_without_a_path(monkeypatch):
    def full(**_):
        raise OSError(errno.ENOSPC, "No space left on device", "/secret/races")

    monkeypatch.setattr("tempfile.mkstemp", full)
    test = opened()
    button(test, "Play").click().run()
    told = " ".join(each.value for kind in (test.warning, test.error, test.info) for each in kind)
    assert "No space left on device" in told
    assert "secret" not in told
    assert not test.exception


def test_play_makes_a_race_whose_owner_the_address_is():
    test = opened()
    button(test, "Play").click().run()
    race = raced(test)
    assert race.owned_by(address(test)["key"])
    assert race.comparison == COMPARISON
    assert race.snapshot.result.csv(seconds=False)
    watcher = page(**{key: text for key, text in address(test).items() if key != "key"})
    assert all(each.disabled for each in watcher.button if each.label in ("Play", "Pause", "Cancel"))


def test_the_curves_are_hidden_until_somebody_has_predicted():
    test = opened()
    button(test, "Play").click().run()
    race = raced(test)
    hidden, shown = (frame_of_race(race.snapshot, hidden=hidden) for hidden in (True, False))
    assert not hidden.items
    assert not hidden.lines
    assert [item.key for item in shown.items] == ["curve", "reached", "pictures", "figures"]
    assert all(item.panel() for item in shown.items)
    assert {line.figures[0].value for line in shown.lines} == {"CD-1", "PCD"}
    medians = [float(line.figures[1].value.replace("\N{MINUS SIGN}", "-")) for line in shown.lines]
    assert medians == sorted(medians, reverse=True)  # the best first, now that it has ended
    columns = {each.title: each for each in shown.items[-1].panel().content.columns}
    table = race.snapshot.result.table()
    assert columns["Contender"].texts == tuple(table.index)
    assert columns["Mean difference"].numbers == (None, table["difference"].iloc[1])
    assert "Cost to the target" not in columns  # there is none


def test_lines_of_a_race_that_has_ended_have_the_order_of_the_mean_differences():
    """CD-1 has the highest median, CD-4 the highest mean."""
    result = made({"CD-1": [[-9.0, -3.0], [-9.0, -3.0], [-9.0, -8.0]], "CD-4": [[-9.0, -3.5]] * 3})
    assert winner.ahead(result)[0] == "CD-4"
    lines = frame_of_race(RaceSnapshot("finished", "", result)).lines
    assert [line.figures[0].value for line in lines] == ["CD-4", "CD-1"]


def test_a_contender_with_a_trial_that_failed_comes_last_though_the_others_are_compared_with_it():
    result = made({"CD-1": [[-9.0, -3.0]] * 3, "CD-4": [[-9.0, -8.0]] * 3})
    failed = dataclasses.replace(result.standings["CD-1"][0], status="failed")
    result = dataclasses.replace(
        result, standings={**result.standings, "CD-1": (failed, *result.standings["CD-1"][1:])}
    )
    lines = frame_of_race(RaceSnapshot("finished", "", result)).lines
    assert [line.figures[0].value for line in lines] == ["CD-4", "CD-1"]


def test_once_it_has_ended_the_others_may_be_compared_with_any():
    test = opened()
    button(test, "Play").click().run()
    race = raced(test)
    test.run()
    assert not [each for each in test.selectbox if each.label == "Compared with"]  # it would tell of the end
    test.session_state["predicted"] = COMPARISON, "CD-1"
    test.run()
    assert test.success[0].value == plain(winner.verdict(race.snapshot.result, "CD-1"))
    next(each for each in test.selectbox if each.label == "Compared with").set_value("PCD").run()
    assert test.success[0].value == plain(winner.verdict(race.snapshot.result, "PCD"))
    assert address(test)["race"] == race.id
    lines = frame_of_race(race.snapshot, against="PCD").lines
    assert {line.figures[2].value for line in lines if line.figures[0].value == "PCD"} == {"reference"}


def test_what_was_predicted_of_one_race_is_not_said_of_another():
    test = opened()
    test.session_state["predicted"] = COMPARISON.changed(seed=5), "CD-1"
    button(test, "Play").click().run()
    raced(test)
    test.run()
    assert not test.success
    assert "You have said" not in " ".join(each.value for each in test.caption)


def test_another_comparison_leaves_the_race():
    test = opened()
    button(test, "Play").click().run()
    race = raced(test)
    test.run()
    assert button(test, "Compare the others with this").disabled  # it would be chosen by what came out
    button(test, "Add a contender").click().run()
    assert "race" not in address(test)
    assert lab.engine().races.get(race.id) is race


def test_a_reference_is_chosen_before_the_race_and_goes_with_its_contender():
    test = opened()
    [each for each in test.button if each.label == "Compare the others with this"][1].click().run()
    asked = Comparison.from_query(address(test))
    assert (asked.reference, asked.names) == ("PCD", COMPARISON.names)
    name = next(each for each in test.text_input if each.value == "PCD")
    name.set_value("ours").run()
    assert Comparison.from_query(address(test)).reference == "ours"
    button(test, "Compare all pairs").click().run()
    assert not Comparison.from_query(address(test)).reference


def test_a_reference_stays_in_its_place_and_goes_when_it_is_removed():
    asked = COMPARISON.changed(reference="PCD")
    assert contenders.with_field(asked, "PCD", "learner", "rate", "0.2").reference
    assert contenders.added(asked, "PCD").reference == "PCD"
    three = contenders.added(asked, "CD-1")
    assert contenders.without(three, "CD-1").reference == "PCD"
    assert contenders.without(three, "PCD").reference == ""


def test_contenders_are_tuned_alike_when_that_is_asked_for():
    test = opened()
    next(each for each in test.checkbox if each.label == "Tune every contender first").check().run()
    assert Comparison.from_query(address(test)).tuning == Tuning()
    fields = {each.label: each for each in test.text_input}
    fields["Values"].set_value("0.1, 0.5").run()
    fields = {each.label: each for each in test.text_input}
    fields["Trainings of each"].set_value("1").run()
    asked = Comparison.from_query(address(test))
    assert asked.tuning == Tuning("rate", ("0.1", "0.5"), 1)
    fields = {each.label: each for each in test.text_input}
    fields["Values"].set_value("0.1, fast").run()
    assert "rate must be a number" in test.warning[0].value
    assert Comparison.from_query(address(test)) == asked
    button(test, "Play").click().run()
    race = raced(test)
    assert race.snapshot.result.comparison.tuning is None
    frame = frame_of_race(race.snapshot)
    assert "By the log-likelihood of the training rows at the end, at the same cost" in frame.said
    assert "Tuned before, by 1 training of each, rate of 0.1, 0.5:" in race.snapshot.result.sentence()
    assert lab.engine().races.get(race.id).snapshot.result.csv() == race.snapshot.result.csv()


def test_while_contenders_are_tuned_a_line_says_what_each_value_has_come_to():
    asked = COMPARISON.changed(tuning=Tuning("rate", ("0.1", "0.5"), 1), budget=10**12)
    race = lab.engine().races.create(asked, play=True)
    end = time.monotonic() + 100
    while not (race.snapshot.result and race.snapshot.result.comparison.tuning and frame_of_race(race.snapshot).lines):
        assert time.monotonic() < end
        time.sleep(0.02)
    lines = frame_of_race(race.snapshot).lines
    assert [[figure.name for figure in line.figures] for line in lines] == [["Contender", "rate 0.1", "rate 0.5"]] * 2
    assert {line.figures[1].value for line in lines} == {"\N{EN DASH}"}
    lab.engine().races.delete(race)


@pytest.mark.parametrize(
    ("recipe", "title"),
    [
        (Recipe("fvbm", "random-fvbm", "GradientAscent", Schedule(length=2, unit="updates")), "Couplings"),
        (Recipe("log-linear", "bayes-net", "PairwisePCD", Schedule(length=2, unit="updates")), "Terms"),
        (
            Recipe("infinite-rbm", "bars-and-stripes", "FrankWolfe", Schedule(length=2, unit="updates")),
            "Receptive fields",
        ),
        (
            Recipe(
                "crbm", "digits", "ConditionalCD", Schedule(length=2, unit="updates"), corruption=Corruption(rate=0.1)
            ),
            "Restored images",
        ),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_every_model_shows_what_it_has_learnt(recipe, title):
    race = lab.engine().races.create(Comparison(recipe, {"a": {}, "b": {}}, trials=1, axis="updates"), play=True)
    end = time.monotonic() + 60
    while race.snapshot.status != "finished":
        assert time.monotonic() < end
        time.sleep(0.02)
    panel = next(item for item in frame_of_race(race.snapshot).items if item.key == "pictures").panel()
    assert panel.title == title
    captions = [picture.caption for picture in panel.content]
    assert captions == (["Damaged", "a", "b"] if title == "Restored images" else ["a", "b"])
    assert all(picture.png and picture.alt for picture in panel.content)


@pytest.fixture
def table():
    fixture = upload(b"a,b\n" + b"0,1\n1,0\n" * 20)
    yield fixture
    grants.end_all(fixture.digest)


def test_a_race_on_a_table_of_one_s_own_is_its_owner_s_as_long_as_the_table_is_open(table):
    base = Recipe(RBMSetup(hidden=3), table, CD(0.1, 0), Schedule(length=30, unit="updates", every=10))
    asked = Comparison(base, {"CD-1": {}, "CD-4": {"CD.K": 4}}, trials=2)
    stranger = opened(asked)
    assert "table" in stranger.warning[0].value
    assert table.digest not in str(address(stranger))
    secret = grants.give(table.digest)
    owner = page(**asked.to_query(), table=secret)
    assert Comparison.from_query(address(owner)) == asked
    button(owner, "Play").click().run()
    race = raced(owner)
    owner.run()
    ways = [parse_qs(urlsplit(each.proto.url).query) for each in owner.get("link_button")]
    assert [way["table"] for way in ways if way] == [[secret]] * 2  # of each contender to the page Train
    assert table.digest not in " ".join(each.value for each in owner.code)
    watcher = page(race=race.id)
    assert "There is no such race here" in watcher.warning[0].value
    grants.end(grants.opened_by(secret))
    assert "There is no such race here" in page(race=race.id, key=address(owner)["key"]).warning[0].value
    assert table.digest not in str(address(owner.run()))
