"""Annealing that several measures share."""

import pytest

from boltzcore.data import load
from boltzcore.inference import annealing
from boltzcore.inference.annealing import Annealing
from boltzcore.measures import MeasureContext, log_likelihood
from boltzcore.measures.equilibrium import annealed_particles
from boltzcore.models import RBMSetup


def test_a_measure_takes_the_estimate_that_is_there(monkeypatch):
    digits = load("digits")
    model = RBMSetup(hidden=30, sigma=0.4).initial(digits.train, seed=0)
    context = MeasureContext(annealing=Annealing(chains=20, temperatures=100), shared={})
    log_z = annealed_particles(model, digits, context, lambda _: None).log_z
    monkeypatch.setattr(annealing.kernels, "anneal", lambda *_: pytest.fail("it was made again"))
    values = log_likelihood(model, digits, context)
    assert values["ais_effective_sample_size"] == log_z.effective_sample_size
