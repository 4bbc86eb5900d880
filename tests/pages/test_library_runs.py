"""The Library's list of trainings: found, named, downloaded and deleted, by whom, and what of them cannot be had."""

import io
import os
import re
from unittest.mock import Mock

import pytest
from streamlit.testing.v1 import AppTest

import boltzcore.models
from boltzcore.data import grants, upload
from boltzcore.home import folder
from boltzcore.jobs.engine import Engine
from boltzcore.jobs.files import Entry, Saved
from boltzcore.jobs.store import Store
from boltzcore.learners import BSLM, ConditionalLR
from boltzcore.models import FVBM
from boltzcore.training.loop import train
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.common import lab
from pages.common.words import escape
from pages.parts.trainings import model
from tests.pages import visit
from tests.pages.test_library_page import ROWS, opened
from tests.pages.train import run_training
from tests.pages.visit import press, text_of, until


def owner_page(id: str, key: str = "key", **query: str) -> AppTest:
    """The trainings as the owner of one sees them."""
    return visit.visit("library", {"run_keys": {id: key}}, view="trainings", **query)


def test_a_conditional_training_is_listed_with_its_pixel_error_awake_and_asleep(monkeypatch):
    recipe = Recipe(model="crbm", data="bars-and-stripes", learner=ConditionalLR(), schedule=Schedule(length=2))
    run = run_training(recipe)
    until(lambda: lab.engine().store.load(run.id).status == "finished")
    wanted = f"{100 * run.snapshot.records[-1].values['test_error']:.2f}\N{NO-BREAK SPACE}% of"
    assert any(wanted in each.value for each in opened(view="trainings").markdown)
    monkeypatch.setattr(type(lab.engine()), "runs", lambda engine: ())
    assert any(wanted in each.value for each in opened(view="trainings").markdown)


def test_a_training_on_a_table_is_listed_to_its_owner_alone(empty_store):
    table = upload(b"Salary,a,b,c\n" + ROWS.replace(b"\n", b",1\n"))
    table = table.changed(width=3, validation=0, test=0, leave_out="Salary")
    run = run_training(Recipe(data=table, before=Recipe(data=table)), whole=False)
    others = opened(view="trainings")
    assert not [each for each in others.main if run.id in str(each.proto) or table.digest in str(each.proto)]
    owner, secret = owner_page(run.id, run.key), grants.give(table.digest)
    assert [each.proto.disabled for each in owner.get("download_button")] == [True, True]
    assert "width 3" not in text_of(owner)
    owner.session_state["table_secrets"] = [secret]
    assert table.digest in text_of(owner.run())
    assert "width 3" in text_of(owner)
    assert [each.proto.disabled for each in owner.get("download_button")] == [False, False]


VOTES = Recipe(model="fvbm", data="senate", learner=BSLM())


def kept(count: int) -> list[str]:
    """The ids of so many trainings that sleep in the store, the last one used last."""
    ids = [f"{i:016x}" for i in range(0xA0, 0xA0 + count)]
    for id in ids:
        lab.engine().store.save(Saved(id, "", 1.0, 0.0, "paused", VOTES))
    return ids


@pytest.fixture
def empty_store(monkeypatch, tmp_path):
    """An engine whose store holds nothing but the test's trainings."""
    engine = Engine(Store(tmp_path))
    monkeypatch.setattr(lab, "engine", lambda: engine)
    yield
    engine.shutdown()


def ids_in(test: AppTest) -> list[str]:
    return [found[0] for each in test.caption if (found := re.findall("[0-9a-f]{16}", each.value))]


def test_trainings_are_searched_and_filtered_and_the_address_tells_how(empty_store):
    many = kept(12)
    lab.engine().store.rename(many[0], "Show for 9b")
    test = opened(view="data", set="own")
    test.segmented_control(key="view").set_value("trainings").run()
    assert len(ids_in(test)) == 10
    test = opened(view="trainings")
    test.text_input(key="find").input("show 9B").run()
    assert ids_in(test) == [many[0]]
    assert test.query_params == {"view": "trainings", "find": "show 9B"}
    press(test, "Clear search")
    assert len(ids_in(test)) == 10
    assert test.query_params == {"view": "trainings"}
    assert [ids_in(opened(view="trainings", **of)) for of in ({"mine": "1"}, {"find": "show 9b"})] == [[], [many[0]]]
    wrong = opened(view="trainings", find="x" * 999)
    assert len(wrong.text_input(key="find").value) == 80


def test_a_name_is_given_by_the_owner_alone_and_shown_as_the_text_it_is(empty_store, monkeypatch):
    (id,) = kept(1)
    assert not any(each.label == "Name" for each in opened(view="trainings").text_input)
    test, name = owner_page(id), "<b>x</b> *[y](z)* $1$"
    test.text_input(key=f"name {id}").input(name).run()
    assert lab.engine().store.list()[0].name == name
    assert any(escape(name) in each.value for each in test.markdown)
    assert not any("<b>" in each.value.replace("\\<", "") for each in test.markdown)
    test.text_input(key=f"name {id}").input("").run()
    assert not any(escape(name) in each.value for each in test.markdown)
    monkeypatch.setattr(lab.engine().store, "rename", full)
    test.text_input(key=f"name {id}").input("after").run()
    assert FULL in test.error[0].value


def test_a_model_carries_the_names_of_its_columns_away_but_not_those_of_another_visitor_s_table(monkeypatch, table):
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
full = Mock(side_effect=OSError(28, FULL))


def test_what_cannot_be_listed_or_kept_now_gets_a_sentence_without_a_path(monkeypatch, table):
    monkeypatch.setattr("pages.parts.trainings.home_problem", lambda: "/secret cannot be written.")
    (warning,) = opened(view="trainings").warning
    assert "secret" not in warning.value
    monkeypatch.setattr(lab.engine().store, "list", full)
    assert FULL in opened(view="trainings").error[0].value
    monkeypatch.setattr(grants, "give", full)
    with pytest.raises(ValueError, match=FULL):
        lab.keep_table(table)


def test_deleting_a_training_forgets_tables_that_none_uses_and_a_full_disk_is_said(monkeypatch):
    def page() -> None:
        import streamlit as st

        from pages.common import lab

        st.button("Delete", on_click=lab.delete, args=(st.query_params["run"],))

    engine = lab.engine()  # made before the tables are: at its beginning it forgets old ones
    used, unused = upload(ROWS + b"1,1,0\n"), upload(ROWS + b"1,1,1\n")
    for each in (used, unused):
        os.utime(folder("uploads") / f"{each.digest}.npz", (0, 0))
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


def test_a_training_whose_privacy_cannot_be_read_is_listed_to_its_owner_alone(monkeypatch):
    lost = Entry("d" * 16, "", 0.0, 0.0, "paused", None, 0, None, "run.json is damaged.")
    monkeypatch.setattr(type(lab.engine().store), "list", lambda _: (lost,))
    test = opened(view="trainings")
    assert lost.id not in " ".join(str(each.proto) for each in test.main)
