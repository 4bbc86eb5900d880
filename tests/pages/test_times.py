"""Moments are shown by the visitor's clock, wherever the server is."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.common.times import zone_of

NOON = 1_767_960_000.0  # 2026-01-09 12:00 UTC


def page(moment: float) -> None:
    import streamlit as st

    from pages.common.times import when

    st.write(when(moment))


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("Asia/Tokyo", "2026-01-09 21:00"),
        ("America/New_York", "2026-01-09 07:00"),
        ("Asia/Kolkata", "2026-01-09 17:30"),
        (None, "2026-01-09 12:00 UTC"),
        ("Mars/Phobos", "2026-01-09 12:00 UTC"),
    ],
)
def test_a_moment_is_shown_as_where_the_visitor_is_and_in_utc_where_that_is_unknown(zone, shown):
    test = AppTest.from_function(page, args=(NOON,), default_timeout=60)
    test.context["timezone"] = zone
    test.run()
    assert test.markdown[0].value == shown


@pytest.mark.parametrize("name", ["America", "../../etc/passwd", "/etc/passwd", "x" * 5000, "\0", "a\ud800"])
def test_what_names_no_zone_is_none(name):
    assert zone_of(name) is None
