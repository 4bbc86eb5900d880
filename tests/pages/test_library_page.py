"""The Library's logic: data, models and trainings, and what of them cannot be had."""

import io
import os
import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import boltzcore.data
from boltzcore.data import Own, grants, upload
from boltzcore.data.source import Source
from boltzcore.home import folder
from boltzcore.jobs import work
from boltzcore.jobs.files import Entry, Saved
from boltzcore.learners import BSLM, ConditionalLR
from boltzcore.models import FVBM
from boltzcore.ticks import idle
from boltzcore.training.loop import train
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.common import lab, working
from pages.common.words import plain
from pages.parts import tables
from pages.parts.trainings import model
from pages.web.limiter import LIMITS, Limit, Visitor
from tests.pages import visit
from tests.pages.train import run_training
from tests.pages.visit import labels, press, said, until


def learnt(page_links) -> list[dict[str, str]]:
    """What "Train on these data" led to, run by run."""
    return [query for _, label, query in page_links if label.startswith("Train on")]


def opened(**query: str) -> AppTest:
    return visit.visit("library", **query)


def owner_page(id: str, key: str = "key", **query: str) -> AppTest:
    """The trainings as the owner of one sees them."""
    return visit.visit("library", {"run_keys": {id: key}}, view="trainings", **query)


def test_a_data_set_that_is_not_here_is_fetched_only_when_asked_for(monkeypatch, tmp_path):
    monkeypatch.delenv("BOLTZCORE_DATA", raising=False)
    monkeypatch.setenv("BOLTZCORE_HOME", str(tmp_path))
    monkeypatch.setenv("HTTPS_PROXY", "http://localhost:9")
    assert "Download" not in labels(opened(set="omniglot"))
    test = opened(set="caltech101")
    assert not test.error
    press(test, "Download")
    assert len(test.error) == 1


def test_what_cannot_be_drawn_gets_its_sentence(monkeypatch, tmp_path):
    test = opened(set="shifting-bar")
    next(field for field in test.text_input if "shifting-bar.B" in field.key).input("9").run()
    assert len(test.error) == 1
    monkeypatch.setenv("BOLTZCORE_DATA", str(tmp_path / "nowhere"))
    assert opened(set="mnist").error[0].value.startswith("BOLTZCORE_DATA")


def test_a_conditional_training_is_listed_with_its_pixel_error_awake_and_asleep(monkeypatch):
    recipe = Recipe(model="crbm", data="bars-and-stripes", learner=ConditionalLR(), schedule=Schedule(length=2))
    run = run_training(recipe)
    until(lambda: lab.engine().store.load(run.id).status == "finished")
    wanted = f"{100 * run.snapshot.records[-1].values['test_error']:.2f}\N{NO-BREAK SPACE}% of"
    assert any(wanted in each.value for each in opened(view="trainings").markdown)
    monkeypatch.setattr(type(lab.engine()), "runs", lambda engine: ())
    assert any(wanted in each.value for each in opened(view="trainings").markdown)


ROWS = b"1,1,0\n0,1,1\n" * 40


def test_a_training_on_a_table_is_listed_to_its_owner_alone(empty_store):
    table = upload(b"Salary,a,b,c\n" + ROWS.replace(b"\n", b",1\n"))
    table = table.changed(width=3, test="the training rows", leave_out="Salary")
    run = run_training(Recipe(data=table, before=Recipe(data=table)), whole=False)
    others = opened(view="trainings")
    assert not [each for each in others.main if run.id in str(each.proto) or table.digest in str(each.proto)]
    owner, secret = owner_page(run.id, run.key), grants.give(table.digest)
    assert [each.proto.disabled for each in owner.get("download_button")] == [True, True]
    assert "width 3" not in said(owner)
    owner.session_state["table_secrets"] = [secret]
    assert table.digest in said(owner.run())
    assert "width 3" in said(owner)
    assert [each.proto.disabled for each in owner.get("download_button")] == [False, False]


def offered(test: AppTest) -> list[str]:
    return next((each.options for each in test.selectbox if each.label == "Evaluate on"), [])


def many() -> AppTest:
    """A visitor who asks for rows that are never there."""
    test = opened(set="clusters")
    next(each for each in test.text_input if each.key.endswith("clusters.n")).input("30000").run()
    return test


@pytest.fixture
def endless(monkeypatch):
    there = Source.load

    def load(self, tick=idle):
        while getattr(self, "n", 0) == 30_000:
            tick(0.01)
            sum(range(1_000))
        return there(self, tick)

    monkeypatch.setattr(Source, "load", load)


def test_long_work_leaves_others_alone_is_bounded_for_an_address_and_cancelled(monkeypatch, endless):
    monkeypatch.setitem(LIMITS, "long work", Limit("long computations", 1, 1, 1, 32))
    monkeypatch.setattr(working, "visitor_of_page", lambda: Visitor("address 192.0.2.1", "192.0.2.1"))
    test, other = many(), many()
    assert (len(test.error), len(other.error)) == (0, 1)
    assert other.session_state["work"] == ("", None)
    work = test.session_state["work"][1]
    assert "Cancel" in labels(test)
    opened(set="bars-and-stripes")  # another visitor
    press(test, "Cancel")
    assert not work.moving
    until(lambda: work.thread is None)
    assert "Cancel" not in labels(test.run())
    assert not test.metric


def test_work_that_takes_too_long_is_refused(monkeypatch, endless):
    monkeypatch.setattr(work, "LONGEST", 0.1)
    monkeypatch.setattr(working, "MOMENT", 0.05)
    test = many()
    until(lambda: test.run().error)


def test_many_rows_are_drawn_beside_the_page():
    test = opened(set="clusters")
    next(each for each in test.text_input if each.key.endswith("clusters.n")).input("30000").run()
    assert test.session_state["work"][0]
    until(lambda: "30,000" in [each.value for each in test.run().metric])


def test_an_upload_is_read_once_whether_it_can_be_taken_or_not(monkeypatch):
    read, there = [], tables.read_table
    monkeypatch.setattr(tables, "read_table", lambda file, *how: read.append(file.name) or there(file, *how))
    test = visit.upload(opened(view="data", set="own"), "bad.npz", b"no file of arrays")
    for _ in range(3):
        test.run()
    assert len(test.error) == 1
    assert "bad.npz" in test.error[0].value
    assert read == ["bad.npz"]


def test_rows_of_ones_own_are_a_table_until_their_owner_says_how_wide_they_are():
    rows = "\n".join(",".join(str((i >> k) & 1) for k in range(9)) for i in range(60))
    test = visit.use(opened(view="data", set="own"), "rows.csv", rows.encode())
    assert not test.error
    assert len(test.dataframe[0].value.columns) == 9
    width = next(field for field in test.text_input if "own.width" in field.key)
    width.input("4").run()
    assert len(test.error) == 1
    next(field for field in test.text_input if "own.width" in field.key).input("3").run()
    assert not test.error
    assert not test.dataframe


def control(test: AppTest, field: str):
    return next(each for each in (*test.selectbox, *test.text_input) if each.key.endswith(f".{field}"))


def kept_tables() -> set[Path]:
    return {*folder("uploads").glob("*.npz")}


def test_a_file_is_read_as_shown_and_kept_only_when_it_is_used():
    test, before = opened(view="data", set="own"), kept_tables()
    visit.upload(test, "clear.csv", b"size;vote\n1,5;yes\n2,5;no\n-99;no\n" * 9)
    assert not test.expander[0].proto.expanded
    visit.worked(control(test, "missing_values").input("-99").run())
    assert (kept_tables(), test.dataframe[0].value.shape) == (before, (7, 2))
    press(test, "Use this table")
    (file,) = kept_tables() - before
    reading = Own(file.stem).reading()
    assert (reading.decimal, reading.separator, reading.missing_values) == ("comma", "semicolon", "-99")
    assert not test.file_uploader[0].value  # its bytes are gone
    visit.upload(test, "next.csv", b"size;vote\n1,5;yes\n2,5;no\n-99;no\n" * 9)
    assert control(test, "missing_values").value == "automatic"


def test_a_file_that_is_refused_asks_for_the_choice_and_is_read_with_it():
    content = b"area,income,vote\n" + b"area,3.5,no\nother,4.5,yes\n" * 9
    test = visit.upload(opened(view="data", set="own"), "doubtful.csv", content)
    assert (len(test.error), len(test.dataframe), test.expander[0].proto.expanded) == (1, 1, True)
    assert test.selectbox[1].key.endswith(".header")  # below the data set
    assert "Use this table" not in labels(test)
    visit.worked(test.selectbox[1].select("yes").run())
    assert (len(test.error), list(test.dataframe[0].value.iloc[0])) == (0, ["area", "3.5", "no"])
    control(test, "skip_rows").input("many").run()
    assert (len(test.error), "Use this table" in labels(test)) == (1, False)
    visit.worked(control(test, "skip_rows").input("").run())
    visit.worked(press(test, "Use this table"))
    assert test.multiselect[0].options == ["area", "income", "vote"]


def test_an_array_leaves_no_choice_and_is_used_at_once():
    np.save(content := io.BytesIO(), np.eye(9, dtype=np.int8))
    test = visit.upload(opened(view="data", set="own"), "eye.npy", content.getvalue())
    assert (len(test.error), test.dataframe[0].value.shape) == (0, (9, 9))


@pytest.mark.parametrize(
    "content",
    [b"", b'{"a": [1, 2]}', b"PK\x03\x04", b"\x93NUMPY", b"\x1f\x8b", b'"' * 99, b"a" * 200_000, b"\0\1" * 99],
)
def test_a_file_without_a_table_is_refused_in_a_sentence(content):
    test, before = opened(view="data", set="own"), kept_tables()
    visit.upload(test, "<b>*bad*</b>.csv", content)
    assert len(test.error) == 1
    assert "<b>" not in test.error[0].value.replace("\\<", "")
    assert ("Use this table" in labels(test), kept_tables()) == (False, before)


def test_the_preview_of_a_wide_table_of_long_texts_is_bounded():
    rows = (",".join(f"{'x' * 500}{i}{row}" for i in range(300)) for row in range(3))
    test = visit.upload(opened(view="data", set="own"), "wide.csv", "\n".join(rows).encode())
    assert test.dataframe[0].value.shape[1] < 50
    assert max(map(len, test.dataframe[0].value.iloc[0])) < 99


def file_of(table) -> Path:
    return folder("uploads") / f"{table.digest}.npz"


def test_a_table_that_was_damaged_since_its_upload_is_said():
    test = visit.use(opened(view="data", set="own"), "rows.csv", ROWS + b"0,1,1\n")
    assert not test.error
    file_of(upload(ROWS + b"0,1,1\n")).write_bytes(b"PK")
    assert len(test.run().error) == 1


PEOPLE = b"who,Opp,Taxes\n" + b"".join(
    f"p{i},{'yes' if i % 3 else 'No'},{('a', 'b', '')[i % 3]}\n".encode() for i in range(99)
)


def test_columns_go_by_their_names_and_a_table_leads_to_the_model_for_tables(page_links):
    test = visit.use(opened(view="data", set="own"), "votes.csv", PEOPLE)
    assert "column who" in test.error[0].value
    test.button[0].click().run()
    assert test.multiselect[0].value == ["who"]
    assert test.multiselect[0].options == ["who", "Opp", "Taxes"]
    assert {"33", "99", "Taxes", "3"} <= set(re.findall(r"\w+", test.error[0].value))
    test.button[1].click().run()
    assert (len(learnt(page_links)), learnt(page_links)[-1]["own.missing"]) == (1, "column mode")
    next(box for box in test.selectbox if "own.missing" in box.key).select("refuse").run()
    test.button[0].click().run()
    assert not test.error
    shown = test.dataframe[0].value
    assert list(shown.columns) == ["Opp", "Taxes"]
    assert list(shown.iloc[0]) == ["no", "a"]
    led = learnt(page_links)[-1]
    assert (led["model"], led["own.leave_out"], led["own.missing"]) == ("fvbm", "who", "drop rows")
    test.multiselect[0].unselect("who").run()
    assert "column who" in test.error[0].value


def test_a_table_of_categories_and_numbers_leads_to_the_model_that_takes_them(page_links):
    rows = "".join(f"{18 + i},{('low', 'mid', 'high')[i % 3]},{'yes' if i % 2 else 'no'}\n" for i in range(80))
    test = visit.use(opened(view="data", set="own"), "people.csv", f"age,school,vote\n{rows}".encode())
    assert "column age" in test.error[0].value
    test.button[0].click().run()
    assert next(field for field in test.text_input if "own.bins" in field.key).value == "4"
    assert not test.error
    assert list(test.dataframe[0].value.iloc[0]) == ["up to 37", "low", "no"]
    (led,) = learnt(page_links)  # a single column of two values is no table to learn from
    assert (led["model"], led["own.bins"]) == ("log-linear", "4")
    test.button[0].click().run()
    assert test.multiselect[0].value == ["age", "school"]
    assert learnt(page_links)[-1]["model"] == "fvbm"


def test_images_lead_to_the_model_for_images_and_the_senate_to_that_for_tables(page_links):
    opened(set="bars-and-stripes")
    senate = opened(set="senate")
    assert [led["model"] for led in learnt(page_links)] == ["rbm", "fvbm"]
    senate.multiselect[0].unselect("Govt").run()
    assert len(senate.dataframe[0].value.columns) == 9
    assert learnt(page_links)[-1]["senate.leave_out"] == ""


def test_a_link_with_unknown_choices_says_so_and_of_many_the_first():
    assert len(opened(view="nothing", set="elsewhere", vi="").warning) == 3
    told = [each.value for each in opened(**{f"k{i}": "1" for i in range(990)}).warning]
    assert len(told) == 9
    assert "982" in told[-1]


VOTES = Recipe(model="fvbm", data="senate", learner=BSLM())


def kept(count: int) -> list[str]:
    """The ids of so many trainings that sleep in the store, the last one used last."""
    ids = [f"{i:016x}" for i in range(0xA0, 0xA0 + count)]
    for id in ids:
        lab.engine().store.save(Saved(id, "", 1.0, 0.0, "paused", VOTES))
    return ids


@pytest.fixture
def empty_store():
    """A store that holds nothing but the test's trainings."""

    def clear() -> None:
        for entry in lab.engine().store.list():
            lab.engine().delete(entry.id)

    clear()
    yield
    clear()


def ids_in(test: AppTest) -> list[str]:
    return [found[0] for each in test.caption if (found := re.findall("[0-9a-f]{16}", each.value))]


def test_trainings_are_searched_and_filtered_and_the_address_tells_how(empty_store):
    many = kept(12)
    lab.engine().store.rename(many[0], "Show for 9b")
    lab.engine().store.save(Saved("b" * 16, "", 1.0, 0.0, "finished", Recipe()))
    test = opened(view="data", set="own")
    test.segmented_control(key="view").set_value("trainings").run()
    assert len(ids_in(test)) == 10
    test = opened(view="trainings")
    test.text_input(key="find").input("show 9B").run()
    assert ids_in(test) == [many[0]]
    assert test.query_params == {"view": "trainings", "find": "show 9B"}
    test.text_input(key="find").input("show 9b finished").run()
    assert ids_in(test) == []
    press(test, "Clear search")
    assert len(ids_in(test)) == 10
    assert test.query_params == {"view": "trainings"}
    assert ids_in(opened(view="trainings", find="rbm")) == ["b" * 16]
    assert ids_in(opened(view="trainings", mine="1")) == []
    wrong = opened(view="trainings", find="x" * 999)
    assert len(wrong.text_input(key="find").value) == 80


def test_a_name_is_given_by_the_owner_alone_and_shown_as_the_text_it_is(empty_store, monkeypatch):
    (id,) = kept(1)
    assert not any(each.label == "Name" for each in opened(view="trainings").text_input)
    test, name = owner_page(id), "<b>x</b> *[y](z)* $1$"
    test.text_input(key=f"name {id}").input(name).run()
    assert lab.engine().store.list()[0].name == name
    assert any(plain(name) in each.value for each in test.markdown)
    assert not any("<b>" in each.value.replace("\\<", "") for each in test.markdown)
    test.text_input(key=f"name {id}").input("").run()
    assert not any(plain(name) in each.value for each in test.markdown)
    monkeypatch.setattr(lab.engine().store, "rename", full)
    test.text_input(key=f"name {id}").input("after").run()
    assert FULL in test.error[0].value


def test_a_model_carries_the_names_of_its_columns_away_but_not_those_of_somebody_else_s_table(monkeypatch, table):
    recipe = Recipe(model="fvbm", data=table.changed(leave_out=""), learner=BSLM(), schedule=Schedule(length=3))
    state = list(train(recipe))[-1].state
    lab.engine().store.save(Saved("c" * 16, "", 1.0, 0.0, "finished", recipe, state=state, best=state))
    with pytest.raises(ValueError, match=re.escape(lab.NOT_OPEN)):
        lab.check_later(recipe)()
    lab.keep_table(table)
    check = lab.check_later(recipe)
    monkeypatch.setattr(lab, "may_open", lambda source: False)  # a download is made where no session is known
    check()
    file = model(recipe, lab.engine().store.load("c" * 16))
    assert boltzcore.models.names_in(io.BytesIO(file)).columns == ("Salary", "a", "b")
    assert isinstance(boltzcore.models.load(io.BytesIO(file)), FVBM)
    lab.engine().delete("c" * 16)


FULL = "No space left on device"


def full(*_, **__) -> None:
    raise OSError(28, FULL)


def test_what_cannot_be_listed_or_kept_now_gets_a_sentence_without_a_path(monkeypatch, table):
    monkeypatch.setattr("pages.parts.trainings.home_problem", lambda: "/secret cannot be written.")
    (warning,) = opened(view="trainings").warning
    assert "secret" not in warning.value
    monkeypatch.setattr(lab.engine().store, "list", full)
    assert FULL in opened(view="trainings").error[0].value
    monkeypatch.setattr(grants, "give", full)
    with pytest.raises(ValueError, match=FULL):
        lab.keep_table(table)


def test_who_deletes_a_training_forgets_tables_that_none_uses_and_a_full_disk_is_said(monkeypatch):
    def page() -> None:
        import streamlit as st

        from pages.common import lab

        st.button("Delete", on_click=lab.delete, args=(st.query_params["run"],))

    engine = lab.engine()  # made before the tables are: at its beginning it forgets old ones
    used, unused = upload(ROWS + b"1,1,0\n"), upload(ROWS + b"1,1,1\n")
    for each in (used, unused):
        os.utime(file_of(each), (0, 0))
    test = AppTest.from_function(page, default_timeout=60)
    runs = [engine.create(Recipe(data=data)) for data in ("bars-and-stripes", used)]
    test.query_params["run"] = runs[0].id
    test.run().button[0].click().run()  # without its key
    assert engine.get(runs[0].id) is runs[0]
    test.session_state["run_keys"] = {run.id: run.key for run in runs}
    for run, there in zip(runs, (True, False), strict=True):
        test.query_params["run"] = run.id
        with monkeypatch.context() as broken:
            broken.setattr(engine.store, "delete", full)
            test.run().button[0].click().run()
        assert FULL in test.error[0].value
        assert engine.get(run.id) is run
        test.button[0].click().run()
        assert not test.error
        assert engine.get(run.id) is None
        assert (used.at_hand(), unused.at_hand()) == (there, False)


def test_nothing_chosen_is_what_is_usual():
    """A browser may report an empty selection of what has always one chosen."""
    for key in ("view", "split"):
        assert opened().segmented_control(key=key).set_value(None).run().segmented_control(key="split")
    test = opened(view="data")
    test.session_state["set"] = None
    test.run()


def test_a_training_whose_privacy_cannot_be_read_is_listed_to_nobody_else(monkeypatch):
    lost = Entry("d" * 16, "", 0.0, 0.0, "paused", None, 0, None, "run.json is damaged.")
    monkeypatch.setattr(type(lab.engine().store), "list", lambda _: (lost,))
    test = opened(view="trainings")
    assert lost.id not in " ".join(str(each.proto) for each in test.main)
