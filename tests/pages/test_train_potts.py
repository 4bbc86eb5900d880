"""What the Train page shows of a Potts model, as frames: plain values, without a browser."""

import numpy as np
import pytest

from boltzcore.data import BayesNet
from boltzcore.learners import PottsPseudoLikelihood
from boltzcore.models import PottsSetup
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from tests.pages.train import current, looked_at, panels


def test_evidence_is_answered_by_the_law_of_a_potts_model():
    data, schedule = BayesNet(nodes=4, levels=3, n=500), Schedule(length=1, unit="updates")
    test = looked_at(Recipe(PottsSetup(), data, PottsPseudoLikelihood(), schedule))
    shown = panels(test, given0="1")
    bars = {trace["name"]: trace["x"] for trace in shown["question"].content.figure["data"]}
    law = current(test).snapshot.state.model.law
    assert bars["model"] == pytest.approx(np.concatenate([*law.marginals({0: 1}).values()]), abs=1e-6)
    assert shown["states"].content.columns[0].numbers[0] == pytest.approx(law.most_likely(1, {0: 1})[1][0])
