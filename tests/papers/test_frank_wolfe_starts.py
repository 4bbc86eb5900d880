"""CD from Frank-Wolfe beside two random starts, at a size that takes seconds."""

import dataclasses

import numpy as np

from boltzcore.learners import FrankWolfe
from boltzcore.papers import frank_wolfe, frank_wolfe_starts
from boltzcore.ticks import idle


def test_each_start_has_as_many_tries(monkeypatch):
    few = dataclasses.replace(frank_wolfe.SCALES["quick"], chains=20)
    learner = FrankWolfe(correction="none", lambda_=0.05, steps=20, samples=100, K=2, restarts=1)
    monkeypatch.setattr(frank_wolfe, "TEMPERATURES", np.linspace(0, 1, 300))
    monkeypatch.setattr(frank_wolfe_starts, "DATA", "digits")
    monkeypatch.setattr(frank_wolfe_starts, "SCALES", {"quick": few})
    monkeypatch.setattr(frank_wolfe_starts, "LEARNERS", {frank_wolfe.FW: learner})
    size = frank_wolfe_starts.Size("quick", units=2, epochs=2, tries=1)
    monkeypatch.setattr(frank_wolfe_starts, "SIZES", {"quick": size})
    rows = list(frank_wolfe_starts.tries("quick", idle))
    assert [(row["start"], row["rate"], row["seed"]) for row in rows] == size.cells
    assert len(frank_wolfe_starts.parts("quick")) == len(size.cells) == 6
    assert len({row["test"] for row in rows}) == 6
    assert list(frank_wolfe_starts.tries("quick", idle, rows)) == []
    (again,) = frank_wolfe_starts.tries("quick", idle, rows[1:])
    assert again["test"] == rows[0]["test"]


def test_starts_differ_in_what_they_start_from_alone():
    after, base, zero = (frank_wolfe_starts.recipe(start, 0.05, 1, "paper") for start in frank_wolfe_starts.STARTS)
    assert (after.model, base.model.visible_bias, zero.model.visible_bias) == (base.model, "base rate", "zero")
    assert after.before.learner.correction == "none"
    assert base.before is zero.before is None
    assert (after.schedule, after.learner, after.data) == (zero.schedule, zero.learner, zero.data)
