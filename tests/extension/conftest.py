"""The stranger is entered, as its one entry each in the registry would."""

import pytest

from boltzcore import registry
from tests.extension.trinomial import ENTRY, LEARNER, Counting, TrinomialSetup, Weather


@pytest.fixture(autouse=True)
def entered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.MODELS, TrinomialSetup.name, ENTRY)
    monkeypatch.setitem(registry.LEARNERS, Counting.__name__, LEARNER)
    monkeypatch.setitem(registry.DATASETS, Weather.name, Weather)
