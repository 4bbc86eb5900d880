"""Fixtures of every test of a page."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import streamlit
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from boltzcore.data import grants, upload
from pages.common import working


@pytest.fixture(scope="session", autouse=True)
def scanned_once() -> Iterator[None]:
    """Scan installed packages for components once, and not at each run of a page: half of its time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(scope="session", autouse=True)
def no_exceptions() -> Iterator[None]:
    """No run of a page ends in an exception, whatever was done to it."""
    run = AppTest._run

    def checked(test: AppTest, *args: Any, **kwargs: Any) -> AppTest:
        assert not run(test, *args, **kwargs).exception, test.exception
        return test

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AppTest, "_run", checked)
        yield


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages wait for work that ends soon on a machine that is not busy."""
    monkeypatch.setattr(working, "AT_ONCE", 30.0)


@pytest.fixture(autouse=True)
def page_links(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, dict[str, str]]]:
    """Links to other pages, which a page on its own does not know: page, label and parameters of each."""
    found: list[tuple[str, str, dict[str, str]]] = []

    def page_link(page: str, *, label: str = "", query_params: dict[str, str] | None = None, **_: Any) -> None:
        found.append((page, label, dict(query_params or {})))

    monkeypatch.setattr(streamlit, "page_link", page_link)
    return found


@pytest.fixture
def table(counts: list[int] = [0]) -> Iterator[Any]:  # noqa: B006
    """A private table without a grant yet, of other rows in each test."""
    counts[0] += 1
    made = upload(b"Salary,a,b\n" + b"1,1,0\n0,1,1\n1,0,0\n" * 30 + b"1,0,1\n" * counts[0]).changed(leave_out="Salary")
    yield made
    grants.end_all(made.digest)
