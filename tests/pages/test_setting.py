"""Widgets of a setting: what counts as an edit."""

import streamlit as st

from pages.common import setting


def test_a_widget_that_another_has_replaced_and_that_reports_what_it_was_drawn_with_is_no_edit(monkeypatch):
    kept, drawn, picked = {}, {}, []
    monkeypatch.setattr(st, "session_state", kept)
    monkeypatch.setattr(st, "selectbox", lambda *_, key, on_change, **__: drawn.update({key: on_change}))

    def draw(value: str) -> str:
        """The key of the widget that shows a value now."""
        setting.select("model", "Model", "abc", {}, value, help="", on_pick=picked.append)
        key = list(drawn)[-1]
        kept.setdefault(key, value)
        return key

    def report(key: str, value: str) -> list[str]:
        kept[key] = value
        drawn[key]()
        return picked

    first = draw("a")
    second = draw("b")  # something else has changed the model
    assert first != second
    assert report(first, "a") == []
    assert report(first, "c") == ["c"]  # another was quicker than the page
    assert report(second, "a") == ["c", "a"]
    assert report(second, "b") == ["c", "a", "b"]  # and back again, before the page is drawn anew
