"""The stranger's learner keeps what every learner promises: the tests of the contract, for it."""

import pytest

from boltzcore import Recipe
from boltzcore.training.schedule import Schedule
from tests.stranger.trinomial import Counting
from tests.test_learner_contract import *  # noqa: F403

pytestmark = pytest.mark.nightly


@pytest.fixture
def kind() -> type:
    return Counting


@pytest.fixture
def recipe() -> Recipe:
    return Recipe("trinomial", "weather", Counting(), Schedule(length=40, unit="updates", every=2, seed=3))
