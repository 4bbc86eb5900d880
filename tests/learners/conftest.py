"""Fixtures of several tests of learners."""

import pytest

from boltzcore.learners import contrastive


@pytest.fixture(params=["lanes", "rows"])
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways of computing an update."""
    monkeypatch.setattr(contrastive, "SMALL", 10**6 if request.param == "lanes" else 0)
    monkeypatch.setattr(contrastive, "MULTIPLICATIONS_A_CALL", 10**12)
    return request.param
