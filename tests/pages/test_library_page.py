"""The Library's logic: what cannot be had is said in words."""

import io
import os
import re
import time
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import boltzcore.data
import boltzcore.models
from boltzcore import memory
from boltzcore.data import grants, own, upload
from boltzcore.figures import anything
from boltzcore.learners import BSLM, ConditionalLR
from boltzcore.models import CRBM, FVBM, RBM, InfiniteRBM, LogLinear
from boltzcore.names import Names
from boltzcore.runs import work
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.store import Entry, Saved
from boltzcore.runs.training import train
from pages.common import lab, working
from pages.common.words import plain
from pages.parts.trainings import model
from pages.web.limiter import LIMITS, Limit, Visitor

LIBRARY = str(Path(__file__).resolve().parents[2] / "pages" / "library.py")


@pytest.fixture(autouse=True)
def learnt(monkeypatch) -> list[dict[str, str]]:
    """What "Learn from it" led to, run by run; a page on its own knows no other to link to."""
    found: list[dict[str, str]] = []

    def page_link(page: str, *, label: str, query_params: dict[str, str] | None = None) -> None:
        if label.startswith("Learn from"):
            found.append(query_params or {})

    monkeypatch.setattr(st, "page_link", page_link)
    return found


def opened(**query: str) -> AppTest:
    test = AppTest.from_file(LIBRARY, default_timeout=60)
    for key, text in query.items():
        test.query_params[key] = text
    return test.run()


def test_a_data_set_that_is_not_here_is_fetched_only_when_asked_for_and_a_missing_network_is_said(
    monkeypatch, tmp_path
):
    monkeypatch.delenv("BOLTZCORE_DATA", raising=False)
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path))
    monkeypatch.setenv("HTTPS_PROXY", "http://localhost:9")
    assert not [button for button in opened(set="omniglot").button if button.label == "Fetch"]
    test = opened(set="caltech101")
    assert not test.error
    next(button for button in test.button if button.label == "Fetch").click().run()
    assert "could not be downloaded" in test.error[0].value
    assert not test.exception


def test_options_that_exclude_each_other_get_their_sentence():
    test = opened(set="shifting-bar")
    next(field for field in test.text_input if "shifting-bar.B" in field.key).input("9").run()
    assert test.error[0].value == "Bar length B must be a whole number from 1 to 8 for N = 9, not 9."


def test_a_folder_of_data_that_is_not_there_gets_its_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv("BOLTZCORE_DATA", str(tmp_path / "nowhere"))
    test = opened(set="mnist")
    assert test.error[0].value.startswith("BOLTZCORE_DATA must name a folder")
    assert not opened(view="models").exception


def test_a_conditional_training_is_listed_with_its_pixel_error_awake_and_asleep(monkeypatch):
    recipe = Recipe(model="crbm", data="bars-and-stripes", learner=ConditionalLR(), schedule=Schedule(length=2))
    run = lab.engine().create(recipe, play=True)
    until = time.monotonic() + 100
    while run.snapshot.status != "finished" or lab.engine().store.load(run.id).status != "finished":
        assert time.monotonic() < until, run.snapshot.status
        time.sleep(0.02)
    wanted = (
        f"10 % of pixels flipped, {100 * run.snapshot.records[-1].values['test_error']:.2f}\N{NO-BREAK SPACE}% of "
        "pixels wrong in images not learnt from"
    )
    assert any(wanted in each.value for each in opened(view="trainings").markdown)
    monkeypatch.setattr(type(lab.engine()), "runs", lambda engine: ())
    assert any(wanted in each.value for each in opened(view="trainings").markdown)


def uploaded(test: AppTest, name: str, content: bytes) -> AppTest:
    """The page with a file, once what it works out of it is there."""
    return finished(test.file_uploader[0].upload(name, content, "application/octet-stream").run())


def finished(test: AppTest) -> AppTest:
    until = time.monotonic() + 100
    while "Cancel" in labels(test):
        assert time.monotonic() < until
        time.sleep(0.05)
        test.run()
    return test


def labels(test: AppTest) -> list[str]:
    return [each.label for each in test.button]


ROWS = b"1,1,0\n0,1,1\n" * 40


def test_a_training_on_a_table_is_listed_to_its_owner_alone():
    table = upload(b"Salary,a,b,c\n" + ROWS.replace(b"\n", b",1\n"))
    table = table.changed(width=3, test="the training rows", leave_out="Salary")
    run = lab.engine().create(Recipe(data=table, before=Recipe(data=table)), play=False)
    until = time.monotonic() + 100
    run.step()
    while not (run.snapshot.state and run.snapshot.state.count) or run.snapshot.status != "paused":
        run.touch()
        assert time.monotonic() < until
        time.sleep(0.02)
    others = opened(view="trainings")
    assert not [each for each in others.main if run.id in str(each.proto) or table.digest in str(each.proto)]
    mine = AppTest.from_file(LIBRARY, default_timeout=60)
    mine.session_state["keys of runs"] = {run.id: run.key}
    mine.session_state["secrets of tables"] = [grants.give(table.digest)]
    mine.query_params["view"] = "trainings"
    told = " ".join(each.value for each in (*mine.run().markdown, *mine.caption))
    assert table.digest in told
    assert "width 3" in told
    assert [each.proto.disabled for each in mine.get("download_button")] == [False, False]
    mine.session_state["secrets of tables"] = []  # the grant has ended
    assert [each.proto.disabled for each in mine.run().get("download_button")] == [True, True]
    assert "width 3" not in " ".join(each.value for each in mine.caption)


def offered(test: AppTest) -> list[str]:
    return next((each.options for each in test.selectbox if each.label == "Evaluate on"), [])


def looked_into(tmp_path, of, names: Names | None = None, **query: str) -> AppTest:
    of.save(tmp_path / "m.npz", names=names)
    test = uploaded(opened(view="models", **query), "m.npz", (tmp_path / "m.npz").read_bytes())
    assert not test.exception
    return test


def flat(n: int) -> RBM:
    return RBM(np.full((n, 2), 0.5, np.float32), np.zeros(n, np.float32), np.zeros(2, np.float32))


def test_a_model_is_offered_only_data_like_its_own_the_likeliest_first(tmp_path, monkeypatch):
    monkeypatch.delenv("BOLTZCORE_DATA", raising=False)
    assert offered(looked_into(tmp_path, flat(64)))[:2] == ["Digits 8 x 8", "Bars & Stripes (D 8)"]
    assert offered(looked_into(tmp_path, flat(8)))[0] == "Senate votes"
    votes = LogLinear((2,) * 8)
    assert offered(looked_into(tmp_path, votes))[0] == "Senate votes"
    assert "Digits 8 x 8" not in offered(looked_into(tmp_path, FVBM(np.zeros((8, 8)), np.zeros(8))))
    assert offered(looked_into(tmp_path, flat(8), boltzcore.data.load("senate").names)) == ["Senate votes"]
    told = looked_into(tmp_path, flat(8), on="digits").warning[0].value
    assert told.startswith("on must be one of")


def test_a_table_that_was_uploaded_comes_first_where_it_fits(tmp_path):
    test = uploaded(opened(view="data", set="own"), "rows.csv", ROWS)
    test.segmented_control(key="view").set_value("models").run()
    flat(3).save(tmp_path / "m.npz")
    uploaded(test, "m.npz", (tmp_path / "m.npz").read_bytes())
    assert not test.exception
    assert offered(test)[0] == "Your own data"


HIDDEN = np.ones((2, 10), np.float32)  # weights and bias of two units
MODELS = [
    flat(9),
    FVBM(np.zeros((9, 9)), np.zeros(9)),
    LogLinear((2,) * 9),
    InfiniteRBM(HIDDEN, np.array([0.5, 1.5], np.float32), np.zeros(9, np.float32)),
]


@pytest.mark.parametrize("of", MODELS, ids=lambda each: type(each).__name__)
def test_a_model_s_file_shows_its_arrays_and_how_probable_it_makes_rows_like_its_own(tmp_path, of):
    test = looked_into(tmp_path, of, on="bars-and-stripes")
    expected = f"{of.log_likelihood(boltzcore.data.load('bars-and-stripes').train.v).mean():.2f}"
    shown = {each.label: each.value for each in test.metric}
    assert shown["Training, nats per example"] == expected.replace("-", "\N{MINUS SIGN}")
    told = [each.value for each in test.caption]
    assert all(any(each.startswith(f"{name}: ") for each in told) for name in anything.parameters(of))


@pytest.mark.parametrize(
    "of", [flat(23), CRBM(*(np.zeros(shape, np.float32) for shape in ((9, 2), (9, 9), (2, 9), 9, 2)))]
)
def test_a_model_without_rows_like_its_own_or_without_a_likelihood_shows_its_arrays(tmp_path, of):
    test = looked_into(tmp_path, of, Names(tuple(f"<b>{i}</b>" for i in range(of.n_visible))))
    assert bool(test.info) == isinstance(of, RBM)
    assert not offered(test)
    assert any(each.value.startswith("W: ") for each in test.caption)


@pytest.mark.parametrize(
    ("kind", "shapes"),
    [
        ("RBM", {"W": (4_096, 10_000), "b": (4_096,), "c": (10_000,)}),
        ("RBM", {"W": (100_000, 1), "b": (100_000,), "c": (1,)}),
        ("FVBM", {"M": (2_001, 2_001), "b": (2_001,)}),
    ],
)
def test_an_over_large_model_is_refused_before_it_is_unpacked(tmp_path, monkeypatch, kind, shapes):
    np.savez_compressed(tmp_path / "m.npz", **{name: np.zeros(shape, "f2") for name, shape in shapes.items()})
    monkeypatch.setattr(getattr(boltzcore.models, kind), "load", lambda _: pytest.fail("it was unpacked"))
    test = uploaded(opened(view="models"), "m.npz", (tmp_path / "m.npz").read_bytes())
    assert len(test.error) == 1
    assert not test.exception
    assert not test.metric


def test_a_model_that_memory_does_not_hold_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    flat(8).save(tmp_path / "m.npz")
    monkeypatch.setattr(memory, "used", lambda: memory.allowed() - 100)
    monkeypatch.setattr(RBM, "load", lambda _: pytest.fail("it was unpacked"))
    test = uploaded(opened(view="models"), "m.npz", (tmp_path / "m.npz").read_bytes())
    assert len(test.error) == 1
    assert not test.exception
    assert not test.metric


def large(n_hidden: int) -> bytes:
    rng, content = np.random.default_rng(0), io.BytesIO()
    W = rng.normal(0, 0.02, (784, n_hidden)).astype(np.float32)
    np.savez(content, W=W, b=np.zeros(784, np.float32), c=np.zeros(n_hidden, np.float32))
    return content.getvalue()


def test_a_look_into_a_large_model_leaves_others_alone_and_is_cancelled():
    test = opened(view="models", on="mnist-small")
    test.file_uploader[0].upload("m.npz", large(1_500), "application/octet-stream").run()
    work = test.session_state["long work"][1]
    assert "Cancel" in labels(test)
    assert not opened(set="bars-and-stripes").exception  # another visitor
    assert work.moving
    next(each for each in test.button if each.label == "Cancel").click().run()
    assert work.over
    (thread := work.close()).join(10)
    assert not thread.is_alive()
    assert "Cancel" not in labels(test.run())
    assert not test.metric[3:]  # the sizes of the model alone
    assert not test.exception


def test_a_look_into_a_dear_model_begins_at_a_press_and_one_too_dear_is_refused(monkeypatch):
    test = uploaded(opened(view="models", on="mnist-small"), "m.npz", large(5_000))
    [dear] = [each for each in test.button if "about" in each.label]
    assert "long work" not in test.session_state
    dear.click().run()
    assert test.session_state["long work"][1].moving
    next(each for each in test.button if each.label == "Cancel").click().run()
    monkeypatch.setattr(work, "LONGEST", 1.0)
    test.run()
    assert len(test.error) == 1
    assert not [each for each in test.button if "about" in each.label]


def test_an_address_has_a_bounded_share_of_the_long_work(monkeypatch):
    monkeypatch.setitem(LIMITS, "long work", Limit("pieces of long work", 1, 1, 1, 32))
    monkeypatch.setattr(working, "visitor_of_page", lambda: Visitor("address 192.0.2.1", "192.0.2.1"))
    first, other = (opened(view="models", on="mnist-small") for _ in range(2))
    first.file_uploader[0].upload("m.npz", large(1_500), "application/octet-stream").run()
    other.file_uploader[0].upload("m.npz", large(1_500), "application/octet-stream").run()
    assert (len(first.error), len(other.error)) == (0, 1)
    assert "long work" not in other.session_state
    next(each for each in first.button if each.label == "Cancel").click().run()


def test_many_rows_are_drawn_beside_the_page():
    test = opened(set="clusters")
    next(each for each in test.text_input if each.key.endswith("clusters.n")).input("30000").run()
    assert test.session_state["long work"][0]
    assert "30,000" in [each.value for each in finished(test).metric]
    assert not test.exception


@pytest.mark.parametrize(("view", "reader"), [("data", "upload"), ("models", "load")])
def test_an_upload_is_read_once_whether_it_can_be_taken_or_not(monkeypatch, view, reader):
    read = []
    module = {"upload": boltzcore.data, "load": boltzcore.models}[reader]
    there = getattr(module, reader)
    monkeypatch.setattr(module, reader, lambda file: read.append(file.name) or there(file))
    test = uploaded(opened(view=view, set="own"), "bad.npz", b"no file of arrays")
    for _ in range(3):
        test.run()
    assert len(test.error) == 1
    assert "bad.npz" in test.error[0].value
    assert read == ["bad.npz"]


def test_tables_are_tidied_with_the_trainings_that_use_them():
    kept, gone = upload(ROWS + b"1,1,0\n"), upload(ROWS + b"1,1,1\n")
    run = lab.engine().create(Recipe(data=kept), play=False)
    for each in (kept, gone):
        os.utime(own._place(each.digest), (0, 0))
    lab._tidy_tables(lab.engine())
    assert (kept.at_hand(), gone.at_hand()) == (True, False)
    lab.engine().delete(run.id)
    lab._tidy_tables(lab.engine())
    assert not kept.at_hand()


def test_rows_of_ones_own_are_a_table_until_their_owner_says_how_wide_they_are():
    test = opened(view="data", set="own")
    rows = "\n".join(",".join(str((i >> k) & 1) for k in range(9)) for i in range(60))
    test.file_uploader[0].upload("rows.csv", rows.encode(), "text/csv").run()
    assert not test.error
    assert len(test.dataframe[0].value.columns) == 9
    width = next(field for field in test.text_input if "own.width" in field.key)
    width.input("4").run()
    assert "Image width must be 0, or divide the 9 columns of the table" in test.error[0].value
    next(field for field in test.text_input if "own.width" in field.key).input("3").run()
    assert not test.error
    assert not test.dataframe


def test_a_table_that_was_damaged_since_its_upload_is_said(learnt):
    test = uploaded(opened(view="data", set="own"), "rows.csv", ROWS + b"0,1,1\n")
    assert not test.error
    own._place(upload(ROWS + b"0,1,1\n").digest).write_bytes(b"PK")
    test.run()
    assert "is damaged: upload the same rows here again." in test.error[0].value
    assert not test.exception


PEOPLE = b"id,Opp,Taxes\n" + b"".join(
    f"p{i},{'yes' if i % 3 else 'No'},{('a', 'b', '')[i % 3]}\n".encode() for i in range(99)
)


def test_columns_go_by_their_names_and_a_table_leads_to_the_model_for_tables(learnt):
    test = uploaded(opened(view="data", set="own"), "votes.csv", PEOPLE)
    assert test.error[0].value.startswith("Columns left out must name column id, which has more than 64 values")
    test.button[0].click().run()
    assert test.multiselect[0].value == ["id"]
    assert test.multiselect[0].options == ["id", "Opp", "Taxes"]
    assert not test.error
    assert test.warning[0].value == "33 values are missing: 33 in column Taxes. 33 of 99 rows have a gap, row 3 first."
    assert [button.label for button in test.button][:2] == ["Drop 33 rows", "Fill with the most frequent"]
    test.button[1].click().run()
    assert (len(learnt), learnt[-1]["own.missing"]) == (1, "column mode")
    next(box for box in test.selectbox if "own.missing" in box.key).select("refuse").run()
    test.button[0].click().run()
    assert not test.error
    assert not test.warning
    shown = test.dataframe[0].value
    assert list(shown.columns) == ["Opp", "Taxes"]
    assert list(shown.iloc[0]) == ["no", "a"]
    led = learnt[-1]
    assert (led["model"], led["own.leave_out"], led["own.missing"]) == ("fvbm", "id", "drop rows")
    test.multiselect[0].unselect("id").run()
    assert "Columns left out must name column id" in test.error[0].value


def test_a_table_of_categories_and_numbers_leads_to_the_model_that_takes_them(learnt):
    rows = "".join(f"{18 + i},{('low', 'mid', 'high')[i % 3]},{'yes' if i % 2 else 'no'}\n" for i in range(80))
    test = uploaded(opened(view="data", set="own"), "people.csv", f"age,school,vote\n{rows}".encode())
    assert test.error[0].value.startswith(
        "Bins of numbers must be from 2 to 16, or Columns left out must name column age, which has more"
    )
    offered = ["Cut numbers into 4 bins", "Leave out columns of more than two values"]
    assert [button.label for button in test.button][:2] == offered
    test.button[0].click().run()
    assert next(field for field in test.text_input if "own.bins" in field.key).value == "4"
    assert not test.error
    assert list(test.dataframe[0].value.iloc[0]) == ["up to 37", "low", "no"]
    (led,) = learnt  # a single column of two values is no table to learn from
    assert (led["model"], led["own.bins"]) == ("log-linear", "4")
    assert test.button[0].label == "Leave out columns of more than two values"
    test.button[0].click().run()
    assert test.multiselect[0].value == ["age", "school"]
    assert learnt[-1]["model"] == "fvbm"


def test_the_columns_of_two_values_lead_to_standard_errors_where_others_have_more(learnt):
    rows = "".join(f"{'abc'[i % 3]},{i % 2},{i // 2 % 2}\n" for i in range(60))
    test = uploaded(opened(view="data", set="own"), "mixed.csv", f"kind,a,b\n{rows}".encode())
    whole, narrow = learnt
    assert not test.exception
    assert (whole["model"], "own.leave_out" in whole) == ("log-linear", False)
    assert (narrow["model"], narrow["own.leave_out"]) == ("fvbm", "kind")


def test_a_table_is_uploaded_by_a_button_in_sight():
    test = opened()
    next(button for button in test.button if button.label == "Upload a table").click().run()
    assert test.selectbox(key="set").value == "own"
    assert test.file_uploader


def test_more_names_than_a_link_can_hold_get_a_sentence():
    names = [f"a long name of column {i}" for i in range(400)]
    rows = ",".join(names) + "\n" + ",".join("0" * 400) + "\n"
    test = uploaded(opened(view="data", set="own"), "wide.csv", rows.encode())
    test.multiselect[0].set_value(names[1:]).run()
    assert any("Columns left out must be text that matches" in each.value for each in test.error)
    assert not test.exception


def test_images_lead_to_the_model_for_images_and_the_senate_to_that_for_tables(learnt):
    opened(set="bars-and-stripes")
    senate = opened(set="senate")
    assert [led["model"] for led in learnt] == ["rbm", "fvbm"]
    senate.multiselect[0].unselect("Govt").run()
    assert len(senate.dataframe[0].value.columns) == 9
    assert learnt[-1]["senate.leave_out"] == ""


def test_that_files_are_kept_elsewhere_is_said(monkeypatch):
    monkeypatch.setattr("pages.parts.trainings.home_problem", lambda: "/secret cannot be written.")
    (warning,) = opened(view="trainings").warning
    assert "secret" not in warning.value


def test_a_link_with_unknown_choices_says_so():
    told = [each.value for each in opened(view="nothing", set="elsewhere", vi="").warning]
    assert "view must be one of data, models, trainings, not 'nothing'. data is taken instead." in told
    assert any(each.startswith("set must be one of") for each in told)
    assert any("'vi' in the link means nothing here" in each for each in told)


def test_of_many_things_that_mean_nothing_in_a_link_the_first_are_told_and_how_many_more():
    told = [each.value for each in opened(**{f"k{i}": "1" for i in range(990)}).warning]
    assert len(told) == 9
    assert told[-1] == "982 more things in the link could not be taken."


VOTES = Recipe(model="fvbm", data="senate", learner=BSLM())


def kept(count: int, recipe: Recipe = VOTES, **others: str) -> list[str]:
    """The ids of so many trainings that sleep in the store, the last one used last."""
    ids = [f"{i:016x}" for i in range(0xA0, 0xA0 + count)]
    for id in ids:
        lab.engine().store.save(Saved(id, others.get("name", ""), "h", 1.0, "paused", "", recipe))
    return ids


@pytest.fixture
def alone():
    """A store that holds nothing but the test's trainings."""
    for entry in lab.engine().store.list():
        lab.engine().delete(entry.id)
    yield
    for entry in lab.engine().store.list():
        lab.engine().delete(entry.id)


def ids_in(test: AppTest) -> list[str]:
    return [found[0] for each in test.caption if (found := re.findall("[0-9a-f]{16}", each.value))]


def test_trainings_are_searched_and_filtered_and_the_address_tells_how(alone):
    many = kept(12)
    lab.engine().store.amend(many[0], name="Show for 9b")
    lab.engine().store.save(Saved("b" * 16, "", "h", 1.0, "finished", "", Recipe()))
    test = opened(view="trainings", sheet="2")
    assert ids_in(test) == many[2::-1]
    test.text_input(key="find").input("show 9B").run()
    assert ids_in(test) == [many[0]]
    assert test.query_params == {"view": "trainings", "find": "show 9B"}
    assert any(each.value == "1 of 13 trainings." for each in test.markdown)
    test.selectbox(key="status").select("finished").run()
    assert ids_in(test) == []
    assert any(each.value == "No training matches." for each in test.markdown)
    next(each for each in test.button if each.label == "Clear search and filters").click().run()
    assert len(ids_in(test)) == 10
    assert test.query_params == {"view": "trainings"}
    assert ids_in(opened(view="trainings", of="rbm", order="best")) == ["b" * 16]
    assert ids_in(opened(view="trainings", mine="1")) == []
    assert len(ids_in(opened(view="trainings", sheet="99"))) == 3
    wrong = opened(view="trainings", status="asleep", find="x" * 999)
    assert "status must be one of under way, paused" in wrong.warning[0].value
    assert len(wrong.text_input(key="find").value) == 80
    assert not wrong.exception


def test_a_training_tells_when_it_was_saved_by_the_clock_of_who_reads_it(alone, monkeypatch):
    with monkeypatch.context() as then:
        then.setattr(time, "time", lambda: 1_767_960_000.0)
        kept(1)
    test = opened(view="trainings")
    assert any("2026-01-09 12:00 UTC · " in each.value for each in test.caption)
    test.context["timezone"] = "Asia/Tokyo"
    assert any("2026-01-09 21:00 · " in each.value for each in test.run().caption)


def test_trainings_are_listed_after_a_visit_that_began_with_a_table(alone):
    kept(1)
    test = opened(view="data", set="own")
    test.segmented_control(key="view").set_value("trainings").run()
    assert not test.exception
    assert len(ids_in(test)) == 1


def test_a_name_is_given_by_the_owner_alone_and_shown_as_the_text_it_is(alone):
    (id,) = kept(1)
    assert not any(each.label == "Name" for each in opened(view="trainings").text_input)
    test = AppTest.from_file(LIBRARY, default_timeout=60)
    test.session_state["keys of runs"] = {id: "key"}
    test.query_params["view"] = "trainings"
    name = "<b>x</b> *[y](z)* $1$"
    test.run().text_input(key=f"name {id}").input(name).run()
    assert lab.engine().store.list()[0].name == name
    assert any(plain(name) in each.value for each in test.markdown)
    assert not any("<b>" in each.value.replace("\\<", "") for each in test.markdown)
    test.text_input(key=f"name {id}").input("").run()
    assert any(each.value.startswith("**Block lower-bound maximisation") for each in test.markdown)


def test_a_model_carries_the_names_of_its_columns_away_but_not_those_of_somebody_else_s_table(monkeypatch):
    table = upload(b"Salary,<b>a</b>,b\n" + ROWS)
    recipe = Recipe(model="fvbm", data=table, learner=BSLM(), schedule=Schedule(length=3))
    state = list(train(recipe))[-1].state
    entry = Entry("c" * 16, "", 1.0, 1.0, "finished", recipe, 3, None)
    lab.engine().store.save(Saved(entry.id, "", "h", 1.0, "finished", "", recipe, state, state))
    with pytest.raises(ValueError, match="does not open the table"):
        lab.check_later(recipe)()
    lab.keep_table(table)
    check = lab.check_later(recipe)
    monkeypatch.setattr(lab, "may_open", lambda source: False)  # a download is made where no session is known
    check()
    mine = model(recipe, lab.engine().store.load(entry.id))
    assert boltzcore.models.names_in(io.BytesIO(mine)).columns == ("Salary", "<b>a</b>", "b")
    assert isinstance(boltzcore.models.load(io.BytesIO(mine)), FVBM)
    lab.engine().delete(entry.id)


def test_a_name_that_cannot_be_kept_now_gets_a_sentence(monkeypatch, alone):
    (id,) = kept(1, name="before")
    test = AppTest.from_file(LIBRARY, default_timeout=60)
    test.session_state["keys of runs"] = {id: "key"}
    test.query_params["view"] = "trainings"
    test.run()
    monkeypatch.setattr(lab.engine().store, "amend", full)
    test.text_input(key=f"name {id}").input("after").run()
    assert test.error[0].value == f"The training {id} could not be renamed: No space left on device."


def full(*_, **__) -> None:
    raise OSError(28, "No space left on device")


def test_trainings_that_cannot_be_listed_now_get_a_sentence(monkeypatch):
    monkeypatch.setattr(lab.engine().store, "list", full)
    test = opened(view="trainings")
    assert test.error[0].value == "The trainings cannot be listed now: No space left on device."
    assert not test.exception


def test_a_training_that_cannot_be_deleted_now_gets_a_sentence_and_stays(monkeypatch):
    def page() -> None:
        import streamlit as st

        from pages.common import lab

        st.button("Delete", on_click=lab.delete, args=(st.query_params["run"],))

    run = lab.engine().create(Recipe(data="bars-and-stripes", schedule=Schedule(length=2)))
    test = AppTest.from_function(page, default_timeout=60)
    test.query_params["run"] = run.id
    test.session_state["keys of runs"] = {run.id: run.key}
    with monkeypatch.context() as broken:
        broken.setattr(lab.engine().store, "delete", full)
        test.run().button[0].click().run()
    assert test.error[0].value == f"The training {run.id} could not be deleted: No space left on device."
    assert lab.engine().get(run.id) is run
    test.button[0].click().run()
    assert not test.error
    assert lab.engine().get(run.id) is None


@pytest.mark.parametrize("key", ["view", "split"])
def test_nothing_chosen_is_what_is_usual(key):
    """A browser may report an empty selection of what has always one chosen."""
    test = opened()
    assert not test.segmented_control(key=key).set_value(None).run().exception
    assert test.segmented_control(key="split")


@pytest.mark.parametrize("key", ["set", "of", "status", "order"])
def test_a_choice_that_is_none_is_what_is_usual(key):
    test = opened(view="data" if key == "set" else "trainings", find="a")
    test.session_state[key] = None
    assert not test.run().exception


def test_a_training_whose_privacy_cannot_be_read_is_listed_to_nobody_else(monkeypatch):
    lost = Entry("d" * 16, "", 0.0, 0.0, "paused", None, 0, None, "run.json is damaged.")
    monkeypatch.setattr(type(lab.engine().store), "list", lambda _: (lost,))
    test = opened(view="trainings")
    assert lost.id not in " ".join(str(each.proto) for each in test.main)
    assert any("not listed" in each.value for each in test.caption)
