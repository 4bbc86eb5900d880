"""As many temperatures as an interval asks for."""

import pytest

from boltzcore.data import load
from boltzcore.inference import annealing
from boltzcore.inference.annealing import Annealing
from boltzcore.measures import MeasureContext, annealed, log_likelihood
from boltzcore.models import RBMSetup

DIGITS = load("digits")
MODEL = RBMSetup(hidden=30, sigma=0.4).initial(DIGITS.train, seed=0)


def estimate(reach, **fields):
    """(the context that is found, its estimate) of an interval that reaches so far."""
    found = annealed.within(MODEL, DIGITS, MeasureContext(**fields), reach)
    return found, annealed.annealed_particles(MODEL, DIGITS, found, lambda _: None).log_z


def test_a_narrow_interval_takes_more_temperatures_than_a_wide_one():
    (wide, _), (narrow, found) = estimate(2.0), estimate(0.05)
    assert wide.annealing.temperatures == annealed.FIRST < narrow.annealing.temperatures
    assert max(found.high - found.value, found.value - found.low) <= 0.05


def test_chains_that_hardly_count_ask_for_more_temperatures(monkeypatch):
    monkeypatch.setattr(annealed, "FIRST", 2)
    monkeypatch.setattr(annealed, "COUNTING", 0.9)
    found, z = estimate(50.0, annealing=Annealing(chains=20))
    assert found.annealing.temperatures > 2
    assert z.effective_sample_size >= 18


def test_a_measure_takes_the_estimate_that_is_there(monkeypatch):
    found, z = estimate(1.0)
    monkeypatch.setattr(annealing.kernels, "anneal", lambda *_: pytest.fail("it was made again"))
    values = log_likelihood(MODEL, DIGITS, found)
    assert values["ais_effective_sample_size"] == z.effective_sample_size
