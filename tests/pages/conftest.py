"""What every test of a page has."""

from collections.abc import Iterator
from functools import cache

import pytest
import streamlit
from streamlit.components.v2 import manifest_scanner


@pytest.fixture(scope="session", autouse=True)
def scanned_once() -> Iterator[None]:
    """What is installed is looked through for components once, and not at each run of a page: half of its time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of its own knows of no others."""
    monkeypatch.setattr(streamlit, "page_link", lambda *_, **__: None)
