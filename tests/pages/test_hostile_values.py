"""Values of a widget that a browser may send: any text, and values of another kind."""

import logging

import pytest
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.testing.v1 import AppTest

from pages.web import log
from tests.pages.train import field, forged, setting
from tests.pages.train import page as train
from tests.pages.visit import visit

TEXTS = ["0", "\0", "\N{ARABIC-INDIC DIGIT ONE}"]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("at", [0, 1])
def test_a_step_that_there_is_not_changes_nothing(at, text):
    test = visit("step")
    before = [each.value for each in test.selectbox]
    for _ in range(2):  # it does not stay either
        forged(test.selectbox[at], text)
        assert [each.value for each in test.selectbox] == before


@pytest.mark.parametrize("name", ["preset", "model", "data", "learner"])
def test_a_choice_of_a_training_that_there_is_not_changes_nothing(name):
    test = train()
    before = dict(setting(test))
    for text in TEXTS:
        forged(field(test, f"choose {name}"), text)
        assert setting(test) == before
    field(test, "choose data").select("bars-and-stripes").run()
    assert setting(test)["data"] == "bars-and-stripes"


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["compare", "denoise", "papers", "classroom", "learn"])
def test_any_text_may_be_sent_for_any_choice(name):
    test = visit(name)
    for kind in ("selectbox", "segmented_control"):
        for at in range(len(test.get(kind))):
            forged(test.get(kind)[at], "\0")
            assert len(test.main)
            test = visit(name)


@pytest.fixture
def boundary(monkeypatch):
    """Pages run as in the app, which shows a sentence in place of an exception."""
    made = ScriptRunner.__init__
    monkeypatch.setattr(
        ScriptRunner, "__init__", lambda *of, **by: made(*of, **by | {"on_script_error": log.show_failure})
    )
    monkeypatch.setattr(log, "OURS", ())
    log.open_log()


def sent_wrongly() -> None:
    import streamlit as st

    if st.file_uploader("File", type=["csv"]) is None:
        st.write("Give one.")
    st.button("Fail", on_click=lambda: {}["secret"])


def test_a_file_of_a_wrong_kind_is_a_sentence_and_a_line_of_the_log(boundary, caplog):
    test = AppTest.from_function(sent_wrongly, default_timeout=60).run()
    test.file_uploader[0].proto.type[:] = []  # a browser that does not look
    test.file_uploader[0].set_value(("a.exe", b"1", "text/csv")).run()
    assert len(test.error) == 1
    assert [each.levelno for each in caplog.records if each.name.startswith("streamlit.error")] == [logging.ERROR]
    assert not [each for each in caplog.records if each.exc_info]


def test_an_error_of_ours_is_a_sentence_and_a_traceback_in_the_log_alone(boundary, caplog):
    test = AppTest.from_function(sent_wrongly, default_timeout=60).run()
    test.button[0].click().run()
    assert len(test.error) == 1
    assert "secret" not in test.error[0].value
    assert [each.exc_info[0] for each in caplog.records if each.exc_info] == [KeyError]
    assert not test.run().error
