"""Display of a page for a class: the projector view, and links that ask for it."""

import pytest
from streamlit.testing.v1 import AppTest

from boltzcore.training.presets import PRESETS
from pages.lessons.catalogue import LESSONS
from pages.parts import cockpit
from pages.parts.for_class import PROJECTOR, WITHIN, frame
from pages.parts.qr import is_local
from tests.pages.visit import at, labels, links, press, visit


def arrived(*queries: dict[str, str], history: bool = False) -> AppTest:
    """A script that opens these addresses one after another, the last one perhaps by going back."""

    def script(queries: list[dict[str, str]], history: bool):
        import streamlit as st

        from pages.common import presenting
        from pages.common.setting import mirror
        from pages.web.session import SESSION

        for query in queries:
            presenting.arrive(query, history=history and query is queries[-1])
        for sentence in SESSION.refused["display"]:
            st.warning(sentence)
        mirror({"model": "rbm"})

    return AppTest.from_function(script, args=(queries, history), default_timeout=60).run()


def page(name: str, *, popover: str, **query: str) -> AppTest:
    """A page with its Share open, among all settings."""
    return visit(name, {popover: True, "settings_open": cockpit.NONE}, **query)


PROJECTED = {"display": "projector"}


@pytest.mark.parametrize(
    ("queries", "history", "kept", "refused"),
    [
        ([PROJECTED], False, PROJECTED, False),
        ([{"display": "cinema"}], False, {}, True),
        ([PROJECTED, {}], False, PROJECTED, False),
        ([PROJECTED, {}], True, {}, False),
    ],
)
def test_the_display_stays_until_an_address_or_going_back_ends_it(queries, history, kept, refused):
    test = arrived(*queries, history=history)
    assert at(test) == {"model": "rbm"} | kept
    assert bool(test.warning) == refused


def test_the_projector_view_has_a_way_out_on_every_page():
    test = visit("shell", **PROJECTED)
    assert at(test) == PROJECTED
    assert at(press(test, "Leave projector view")) == {}
    assert "Leave projector view" not in labels(test)


def test_a_teacher_chooses_how_the_page_is_shown():
    test = page("train", popover="share", preset="real-digits")
    assert links(test)[0] == {"preset": "real-digits"}
    for shown, more in ((PROJECTOR, {"display": "projector"}), (WITHIN, {"embed": "true"})):
        next(each for each in test.segmented_control if each.label == "Display").set_value(shown).run()
        assert links(test)[0] == {"preset": "real-digits"} | more
        assert "display" not in at(test)  # of the link alone
    framed = next(each.value for each in test.code if each.value.startswith("<iframe"))
    assert f'title="{PRESETS["real-digits"].title}"' in framed


def test_links_for_a_class_carry_no_answers():
    first = next(iter(LESSONS))
    lesson = page("learn", popover="share lesson", lesson=first, step="2", replies="bC")
    assert "replies" in at(lesson)
    assert links(lesson)[0] == {"lesson": first, "step": "2"}


def test_a_frame_is_html_whatever_its_title():
    text = frame("http://here/train?a=1&embed=true", '"><script>')
    assert 'src="http://here/train?a=1&amp;embed=true"' in text
    assert "<script>" not in text


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
    ],
)
def test_a_link_that_leads_only_to_this_computer_is_distinguished_from_others(link, here):
    assert is_local(link) is here
