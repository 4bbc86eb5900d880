"""What every test of a page has."""

import pytest
import streamlit


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of its own knows of no others."""
    monkeypatch.setattr(streamlit, "page_link", lambda *_, **__: None)
