"""While kernels are compiled, Train shows what was recorded of the first preset, says so, and waits in one line."""

import threading

import pytest

from pages.common import lab
from tests.pages.train import page

SENTENCE = "Preparing the compiled kernels, once on this machine: 3 of about 119."


class NeverReady:
    """A warm-up that never ends, until its training is to end."""

    def __init__(self):
        self.over = threading.Event()

    def ready(self, recipe):
        return self.over

    def sentence(self, piece):
        return "" if self.over.is_set() else SENTENCE


@pytest.fixture
def cold(monkeypatch):
    warmup = NeverReady()
    monkeypatch.setattr(lab, "_warmup", warmup)
    lab.engine.cache_clear()
    yield
    lab.engine().shutdown()
    lab.engine.cache_clear()
    warmup.over.set()


@pytest.mark.parametrize(("preset", "recorded"), [("handwriting", True), ("real-digits", False)])
def test_a_training_that_waits_shows_a_recording_of_it_or_nothing_beside_the_line(cold, preset, recorded):
    test = page(preset=preset, play="1")
    assert not test.exception
    drawn = [each.proto.json for each in test.get("bidi_component")]
    assert sum(SENTENCE in each for each in drawn) == 1
    assert any('"film"' in each for each in drawn) == recorded
    assert not any('"run"' in each for each in drawn)
