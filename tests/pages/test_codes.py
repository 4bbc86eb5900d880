"""Links for codes: whose computer they lead to."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.codes import only_here


@pytest.mark.parametrize(
    ("link", "here"),
    [
        ("http://localhost:8501/train?play=1", True),
        ("http://127.0.0.1", True),
        ("http://127.0.0.2/train", True),
        ("http://[::1]:8501/", True),
        ("http://192.168.1.20:8501/train", False),
        ("https://lab.school.example/train", False),
        ("?play=1", False),
        ("http://[bad", False),
        ("http://lab.example:99999", False),
        ("http://localhost:abc", True),
    ],
)
def test_a_link_that_leads_only_to_this_computer_is_told_from_others_however_odd(link, here):
    assert only_here(link) is here


@pytest.mark.parametrize("port", ["99999", "abc"])
def test_a_port_that_is_none_breaks_no_word_on_where_to_open_the_app(port):
    def page() -> None:
        import streamlit as st

        from pages.parts import codes

        codes._open_elsewhere(st.session_state["link"])

    test = AppTest.from_function(page, default_timeout=60)
    test.session_state["link"] = f"http://localhost:{port}/train"
    test.run()
    assert not test.exception
    assert test.info[0].value.startswith("You have opened the app as localhost")
